// SPDX-License-Identifier: MIT
// One octave of gradient noise (Perlin 1985, quintic fade of Perlin 2002): a random unit vector on
// each point of a square lattice, blended. Zero on lattice points, values in [-1, 1].
#pragma once

#include <stdint.h>

enum
{
    OCTAVE_SPAN = 256 // most points of one call: a few buffers of this size stay in L1
};

// Affine map from metres to lattice coordinates, and the random key of the lattice.
typedef struct wadi_octave
{
    double ux, uy, u0; // u = ux x + uy y + u0, positive by the choice of u0
    double vx, vy, v0;
    uint32_t key;
    int32_t period_u; // lattice points after which it repeats; 0: never
    int32_t period_v;
    float amplitude; // for the callers' sums; the octave itself is not scaled by it
} wadi_octave;

// Noise at `count` <= OCTAVE_SPAN points [m]; tileable and open lattices take the same path but for
// the wrap of indices.
void wadi_octave_eval(const wadi_octave* octave, const double* x, const double* y, int32_t count,
                      float* out);
