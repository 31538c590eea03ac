// SPDX-License-Identifier: MIT
// Internals of the measures of land, for src/maps/judge only.
#pragma once

#include <wadi/land_forms.h>

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

static const double land_degree = 57.29577951308232; // of one radian

// The eight neighbours clockwise from east; odd ones are diagonal. Receivers among equal slopes
// depend on the order.
static const int8_t land_east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t land_south[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// The ground that is measured, rows without gaps.
typedef struct land_grid
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    int64_t cells;
    int64_t valid; // number of cells with data
    double dx;
    double dy;
    float* z;     // NaN: no data
    double low;   // lowest ground
    double high;  // highest ground
    double least; // depressions as deep as this or less are noise: 1 m if heights are whole metres
} land_grid;

// Index of a neighbour with data, or -1.
static inline int64_t land_neighbour(const land_grid* grid, int64_t cell, int direction)
{
    const int32_t x = (int32_t)(cell % grid->width) + land_east[direction];
    const int32_t y = (int32_t)(cell / grid->width) + land_south[direction];
    if (x < 0 || y < 0 || x >= grid->width || y >= grid->height)
    {
        return -1;
    }
    const int64_t n = (int64_t)y * grid->width + x;
    return isnan(grid->z[n]) ? -1 : n;
}

// Sort by the upper 32 bits; equal ones stay in order. `spare` has as many elements.
void wadi_land_sort(uint64_t* entries, uint64_t* spare, int64_t count);

// ---- land_drainage.c ---------------------------------------------------------------------------

enum
{
    LAND_NOWHERE = 8 // direction of cells without a receiver
};

// Drainage of the ground, or of the ground upside down. Arrays have one element a cell.
typedef struct land_drainage
{
    const land_grid* grid;
    float sign;       // -1: upside down
    float* level;     // the ground as the flood filled it, times `sign`
    uint8_t* towards; // direction of the receiver, or LAND_NOWHERE
    int32_t* order;   // cells from the outlets upstream: a receiver comes before its donors
    int32_t* area;    // drained cells, the cell included
    int64_t count;    // of cells in `order`
    uint64_t* heap;   // scratch of the flood
    int32_t* born;
    int64_t heap_count;
    int64_t born_count;
} land_drainage;

wadi_result wadi_land_drainage_create(const land_grid* grid, float sign, land_drainage* out);
void wadi_land_drainage_run(land_drainage* drainage); // allocates nothing
void wadi_land_drainage_free(land_drainage* drainage);

// Receiver of a cell, or -1.
static inline int64_t land_receiver(const land_drainage* drainage, int64_t cell)
{
    const int d = drainage->towards[cell];
    return d == LAND_NOWHERE ? -1
                             : cell + (int64_t)land_south[d] * drainage->grid->width + land_east[d];
}

static inline double land_step(const land_grid* grid, int direction)
{
    return direction == LAND_NOWHERE ? 0.0
           : (direction & 1) != 0    ? sqrt(grid->dx * grid->dx + grid->dy * grid->dy)
           : direction % 4 == 0      ? grid->dx
                                     : grid->dy;
}

// How far the flood filled a cell [m].
static inline double land_depth(const land_drainage* drainage, int64_t cell)
{
    return (double)drainage->level[cell] - (double)(drainage->sign * drainage->grid->z[cell]);
}

// Drained cells from which on a cell is part of a channel.
int32_t wadi_land_channel_cells(const land_drainage* drainage);

// ---- land_prominent.c
// ------------------------------------------------------------------------------

// Number of minima of the ground, times `sign`, that lie more than `least` below the lowest pass
// to a lower minimum or to the rim.
wadi_result wadi_land_prominent(const land_grid* grid, float sign, double least, int64_t* out);

// ---- one file each ------------------------------------------------------------------------------

wadi_result wadi_land_chi(const land_drainage* drainage, int32_t threshold, wadi_land_forms* out);
void wadi_land_trace(const land_drainage* down, const land_drainage* up, wadi_land_forms* out);
wadi_result wadi_land_slopes(const land_grid* grid, wadi_land_forms* out);
wadi_result wadi_land_curvature(const land_grid* grid, wadi_land_forms* out);
void wadi_land_aspects(const land_grid* grid, const wadi_land* land, wadi_land_forms* out);
wadi_result wadi_land_dents(const land_drainage* drainage, wadi_land_forms* out);
wadi_result wadi_land_skyline(const land_grid* grid, wadi_land_forms* out);
