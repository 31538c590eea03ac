// SPDX-License-Identifier: MIT
// The steepest of eight facets around a cell (D-infinity: Tarboton 1997). Shared by the kernel and
// the few cells that it leaves out.
#pragma once

#include "lockstep/lanes.h"

#include <stdbool.h>

// The best facet so far: between an axis and the diagonal beside it.
typedef struct stream_facet
{
    int32_t axis; // directions
    int32_t diagonal;
    float s1;    // fall to the axis neighbour [units]
    float s2;    // fall from there to the diagonal neighbour [units]
    float steep; // slope squared [units2]
} stream_facet;

// The steeper of the best facet so far and that of the axis `a` and the diagonal `b`, to which the
// surface falls by `fall_a` and `fall_b`. Without branches, for vectors.
static inline void stream_try_facet(int32_t a, int32_t b, float fall_a, float fall_b,
                                    stream_facet* best)
{
    const float s1 = fall_a;
    const float s2 = fall_b - fall_a;
    const float down_a = s1 > 0.0f ? s1 : 0.0f;
    const float down_b = fall_b > 0.0f ? fall_b : 0.0f;
    const float inner = s1 * s1 + s2 * s2;
    const float beside = lanes_pickf(-(s2 <= 0.0f), down_a * down_a, inner); // along the axis
    const float steep = lanes_pickf(-(s2 >= s1), 0.5f * down_b * down_b, beside);
    const int32_t better = -(steep > best->steep);
    best->axis = lanes_pick(better, a, best->axis);
    best->diagonal = lanes_pick(better, b, best->diagonal);
    best->s1 = lanes_pickf(better, s1, best->s1);
    best->s2 = lanes_pickf(better, s2, best->s2);
    best->steep = lanes_pickf(better, steep, best->steep);
}

// Share of the water that goes to the diagonal: its mean direction is that of the gradient.
static inline float stream_facet_share(const stream_facet* facet)
{
    const float inner = facet->s2 / (facet->s1 > 1.0f ? facet->s1 : 1.0f);
    const float share = lanes_pickf(-(facet->s2 <= 0.0f), 0.0f, inner);
    return lanes_pickf(-(facet->s2 >= facet->s1), 1.0f, share);
}
