// SPDX-License-Identifier: MIT
// Light from a direction of the sky, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stdint.h>

// Slope at a cell.
typedef struct light_slope
{
    float x;
    float y;
} light_slope;

// What a cell has from the sky.
typedef struct light_dome
{
    float glow; // light, 1: that of a level cell under all of the sky
    float seen; // share of the sky above a level cell that is not hidden
} light_dome;

enum
{
    LIGHT_DIRECTIONS = 16 // of the sky
};

// A row of cells under one direction.
typedef struct light_sky_row
{
    int32_t count;
    float along_x; // the direction
    float along_y;
    float weight;      // brightness of the sky there
    const float* rise; // tangents of the horizon
    const light_slope* slopes;
    light_dome* domes; // to add to
} light_sky_row;

typedef struct light_kernels
{
    void (*sky)(const light_sky_row* row);
} light_kernels;

WADI_ISA_KERNELS(light_kernels)
