// SPDX-License-Identifier: MIT
// Laws of flow and transport in a channel. docs/theory/alluvial.md has their sources.
#pragma once

#include "core/dmath.h"

#include <wadi/hydraulic.h>

#include <math.h>

#define ALLUVIAL_GRAVITY 9.81
#define ALLUVIAL_LEAST_DEPTH 0.05f // [m] of speeds
#define ALLUVIAL_FROUDE 1.2f       // most; without it cyclic steps dig pits

enum
{
    ALLUVIAL_NEWTON = 4 // steps of Newton's method
};

// Speed of a unit discharge over a depth [m/s].
static inline float alluvial_speed(float flow, float depth)
{
    const float gravity = (float)ALLUVIAL_GRAVITY * ALLUVIAL_FROUDE * ALLUVIAL_FROUDE;
    const float critical = wadi_powf(flow * flow / gravity, 1.0f / 3.0f);
    float d = depth > ALLUVIAL_LEAST_DEPTH ? depth : ALLUVIAL_LEAST_DEPTH;
    d = d > critical ? d : critical;
    return flow > 0.0f ? flow / d : 0.0f;
}

// Load at equilibrium over the volume of water: q_s / q with q_s = K (u^2 - u_c^2)^(b / 2).
static inline float alluvial_capacity(const wadi_hydraulic_params* p, float flow, float speed)
{
    const float excess = speed * speed - (float)(p->bed_speed * p->bed_speed);
    const bool moves = excess > 1e-6f && flow > 0.0f;
    const float power = (float)(0.5 * p->bed_exponent);
    return moves ? (float)p->bed_rate * wadi_powf(excess, power) / flow : 0.0f;
}

// Share of the fine load that falls in a move of `way` [m], times its rate [m/s]: none where the
// water is fast.
static inline float alluvial_falls(const wadi_hydraulic_params* p, float way, float flow,
                                   float speed)
{
    const float still = 1.0f - speed * speed / (float)(p->fine_speed * p->fine_speed);
    const float q = flow > 1e-4f ? flow : 1e-4f;
    const float share = 1.0f - wadi_expf(-way * still / q);
    return still > 0.0f ? share : 0.0f;
}

// Depth D of gradually varied flow upstream of a level `below` over the bed here: friction uses up
// the fall of the surface, D^3 (D - below) = push with push = ds C_f q^2 / g. The left side grows
// with D, so the root is unique. Without branches, for vectors.
static inline float alluvial_depth(float push, float below)
{
    const float least = below > 0.0f ? below : 0.0f;
    // start above the root, from where Newton's method falls on it
    const float root = sqrtf(sqrtf(push));
    float d = least + (root > 1e-4f ? root : 1e-4f);
    const float fall = below < -1e-6f ? -below : 1e-6f;
    const float normal = wadi_powf(push / fall, 1.0f / 3.0f);
    d = below < -1e-6f && normal < d ? normal : d;
    for (int32_t i = 0; i < ALLUVIAL_NEWTON; ++i)
    {
        const float square = d * d;
        const float value = square * d * (d - below) - push;
        const float rise = square * (4.0f * d - 3.0f * below);
        const float step = value / (rise > 0.0f ? rise : 1.0f);
        d -= rise > 0.0f ? step : 0.0f;
    }
    return push > 0.0f ? d : least;
}
