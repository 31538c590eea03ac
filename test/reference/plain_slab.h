// SPDX-License-Identifier: MIT
// The article's slabs the plain way: cell after cell, each slab flying, landing and sliding over
// the ground as the slab before it left it. The reference of the preset `paper`, for its means and
// for speed.
#pragma once

#include <stdint.h>

typedef struct plain_slab
{
    int32_t size;     // cells of 1 m along each side of a torus
    double* sand;     // [m] on flat rock
    double hop;       // [cells] eastwards in the open
    double slab;      // [m]
    double repose;    // [degree]
    double reptation; // [m]
    uint64_t state;   // of the generator
    double carried;   // [m x cells^2] eastwards since the start: sand x way
} plain_slab;

// One step: every cell once, in an order drawn by lot.
void plain_slab_step(plain_slab* job);
