// SPDX-License-Identifier: MIT
// One octave of gradient noise (Perlin 1985, quintic fade of Perlin 2002): a random unit vector on
// each point of a square lattice, blended. Zero on lattice points, values in [-1, 1].
#pragma once

#include <stdint.h>

enum
{
    OCTAVE_SPAN = 256 // most points of one call: several such buffers fit in L1
};

// Affine map from metres to lattice coordinates, and the random key of the lattice.
typedef struct wadi_octave
{
    double ux, uy, u0; // u = ux x + uy y + u0, positive by the choice of u0
    double vx, vy, v0;
    uint32_t key;
    int32_t period_u; // period [lattice points]; 0: not periodic
    int32_t period_v;
    float amplitude; // weight for callers; not applied by wadi_octave_eval()
} wadi_octave;

// Noise at `count` <= OCTAVE_SPAN points [m]. Periodic lattices differ only in the wrap of indices.
void wadi_octave_eval(const wadi_octave* octave, const double* x, const double* y, int32_t count,
                      float* out);
