// SPDX-License-Identifier: MIT
// Light from a direction of the sky, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stdint.h>

enum
{
    LIGHT_DIRECTIONS = 16, // of the sky
    LIGHT_COARSER = 4      // cells of a map along a cell of the coarser one
};

// Horizons of a map of cells. The point of a horizon has a height z at a distance d, and the
// tangent seen from a cell of height h is lift - h * near: so horizons of coarse maps are
// interpolated for cells of other heights.
typedef struct light_horizons
{
    float* lift; // z / d
    float* near; // 1 / d
} light_horizons;

// A row of cells of a map of heights, which look in one direction.
typedef struct light_rise_row
{
    const float* heights; // in cells of the finest map
    int32_t width;        // of the map
    int32_t height;
    int32_t y;
    float along_x; // the direction, a unit vector
    float along_y;
    const float* distances; // of samples of the ground [cells of the map]
    int32_t samples;
    float cell;            // length of a cell, in cells of the finest map
    light_horizons coarse; // on a coarser map; NULL: there is none
    light_horizons here;   // a row of results; NULL: not wanted
    float* scratch;        // as many numbers as light_scratch() says
    float* out;            // tangents of the horizon, at least 0
} light_rise_row;

// Columns, or rows, of the coarser map.
static inline int32_t light_coarser(int32_t cells)
{
    return (cells + LIGHT_COARSER - 1) / LIGHT_COARSER;
}

static inline int32_t light_scratch(int32_t width)
{
    return 2 * LIGHT_COARSER * light_coarser(width) + light_coarser(width) + 2;
}

// A row of cells under one direction.
typedef struct light_sky_row
{
    int32_t count;
    float along_x; // the direction
    float along_y;
    float weight;         // brightness of the sky there
    const float* rise;    // tangents of the horizon
    const float* slope_x; // of the ground
    const float* slope_y;
    const float* up; // cosine of the slope
    float* glow;     // to add to: light, 1 is that of a level cell under all of the sky
    float* seen;     // to add to: share of the sky above a level cell that is not hidden
} light_sky_row;

// Irregularities of a row of cells.
typedef struct light_noise_row
{
    int32_t count;
    int32_t x; // of the first cell
    int32_t y;
    float* broad;   // in [-1, 1], over many cells
    float* fine;    // in [-1, 1], over a few cells
    float* scratch; // as long as the row
} light_noise_row;

// Marks of a row of cells of steep rock.
typedef struct light_crag_row
{
    int32_t count;
    int32_t y;
    float bed;           // thickness of a bed [cells]
    const float* ground; // [cells]
    const float* slope_x;
    const float* slope_y;
    const float* broad; // noise in [-1, 1] over many cells, which bends beds
    float* crack;       // in [-1, 1], drawn out along the fall line
    float* stratum;     // in [-1, 1], level but for a slight dip
} light_crag_row;

typedef struct light_kernels
{
    void (*rise)(const light_rise_row* row);
    void (*sky)(const light_sky_row* row);
    void (*noise)(const light_noise_row* row);
    void (*crags)(const light_crag_row* row);
} light_kernels;

WADI_ISA_KERNELS(light_kernels)
