// SPDX-License-Identifier: MIT
// Kernels of the article's grains, compiled once for each instruction set.
#pragma once

#include "core/isa.h"
#include "processes/articles/wind_grains/grain_law.h"

// Most of half an excess that moves to one neighbour in a batch: an even spike then just comes down
// to what stands. Measured: at 1/16 grains lift 5 % less than one after the other, at 1/4 2 %.
#define GRAIN_CASCADE_MOST 0.25f

// The ground as the passes over chunks read it; arrays are padded.
typedef struct grain_slope
{
    const int32_t* levels; // surface [units], PARTICLE_MISSING where there is none
    const int32_t* sand;   // [units]
    const float* rates;    // of a cell's cascades in this batch; far below 0 where there is no cell
    int32_t stride;
    int32_t datum;
    float stable;         // difference of two neighbours that stands [units]
    float dither;         // of this batch, in [0, 1): rounds without bias over batches
    float cells_per_unit; // [1/units]
} grain_slope;

typedef void grain_cascade_fn(const grain_slope* slope, int32_t begin, int32_t count,
                              int32_t* changes);
typedef void grain_freeze_fn(const grain_slope* slope, int32_t begin, int32_t count,
                             grain_cell* out);

typedef struct grain_kernels
{
    grain_steps_fn* steps;
    grain_cascade_fn* cascade;
    grain_freeze_fn* freeze;
} grain_kernels;

WADI_ISA_KERNELS(grain_kernels)
