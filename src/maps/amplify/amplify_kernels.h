// SPDX-License-Identifier: MIT
// Row kernels of the finer window, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stdint.h>

// Sums over the waves at each cell of a row.
typedef struct amplify_sums
{
    float* re; // of the waves, each weighted
    float* im;
    float* weight;
    float* size; // weighted height of the ripples [m]
} amplify_sums;

// A wave around its node, added to `count` cells of a row.
typedef struct amplify_wave
{
    int32_t count;
    float x;    // of the first cell from the node [m]
    float y;    // [m]
    float step; // between cells [m]
    float fx;   // [waves/m]
    float fy;
    float re; // phase at the node, a unit vector
    float im;
    float size;     // [m]
    float per_area; // 1 / reach squared [1/m2]
    amplify_sums sums;
} amplify_wave;

// Heights of a row of ripples from its sums.
typedef struct amplify_profile
{
    int32_t count;
    float crest; // position of the crest within a wave, from the trough downwind
    amplify_sums sums;
    float* out; // [m]
} amplify_profile;

typedef struct amplify_kernels
{
    void (*wave)(const amplify_wave* wave);
    void (*profile)(const amplify_profile* profile);
} amplify_kernels;

WADI_ISA_KERNELS(amplify_kernels)

static inline float amplify_nearest(float t)
{
    return (t + 12582912.0f) - 12582912.0f; // 1.5 x 2^23: the nearest whole number
}

// Cosine and sine of a number of turns, |turns| < 2^21; minimax polynomials, error 2e-7.
static inline void amplify_circle(float turns, float* cosine, float* sine)
{
    const float t = turns - amplify_nearest(turns);
    const float u = t * t;
    float c = 6.528658157f;
    c = c * u - 25.96759925f;
    c = c * u + 60.16763095f;
    c = c * u - 85.45013953f;
    c = c * u + 64.93911746f;
    c = c * u - 19.73920450f;
    float s = -12.47124353f;
    s = s * u + 41.34288235f;
    s = s * u - 76.61447253f;
    s = s * u + 81.59994333f;
    s = s * u - 41.34158923f;
    s = s * u + 6.283184916f;
    *cosine = c * u + 1.0f;
    *sine = s * t;
}
