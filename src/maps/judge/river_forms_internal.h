// SPDX-License-Identifier: MIT
// Shared by the measures of a river's plan. Lengths are in cells.
#pragma once

#include "core/internal.h"

#include <wadi/river_forms.h>

#include <math.h>

enum
{
    RIVER_UNIT = 5 // of chamfer distances: the side of a cell (Borgefors 1986: 5, 7, 11)
};

typedef struct river_grid
{
    wadi_context* context;
    const wadi_river_map* map;
    int32_t width;
    int32_t height;
    int32_t cells;
    double cell;   // side of a cell [m]
    uint8_t* mask; // 1: river
} river_grid;

typedef struct river_point
{
    double x;
    double y;
} river_point;

// Cells of a connected part, and their chamfer distance from one of them.
typedef struct river_part
{
    int32_t* order; // cells by rising distance
    int32_t count;
    int32_t* way;   // by cell of the grid; -1: not reached
    int32_t* queue; // scratch of the search: two lists of `room` entries
    int32_t room;
} river_part;

// The course of a river from its source to its end.
typedef struct river_course
{
    river_point* points;
    int32_t count;
    double width;
    double braiding;
    int32_t mouths;
} river_course;

static inline double river_height(const river_grid* grid, int32_t cell)
{
    const wadi_field2d* surface = &grid->map->surface;
    return (double)surface->heights[cell / grid->width * surface->stride + cell % grid->width];
}

// Ground above the sea.
static inline bool river_is_land(const river_grid* grid, int32_t cell)
{
    return river_height(grid, cell) > grid->map->sea; // false for NaN
}

// Neighbour of a cell, or -1 off the grid.
static inline int32_t river_beside(const river_grid* grid, int32_t cell, int32_t dx, int32_t dy)
{
    const int32_t x = cell % grid->width + dx;
    const int32_t y = cell / grid->width + dy;
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height ? y * grid->width + x : -1;
}

// Mark the river. river_mask.c
wadi_result wadi_river_mask(river_grid* grid, int32_t* from);

// Prepare `part`, which is empty, for the cells of the mask. river_channels.c
wadi_result wadi_river_part_open(const river_grid* grid, river_part* part);
void wadi_river_part_close(const river_grid* grid, river_part* part);

// Distances within the mask from a cell. river_channels.c
wadi_result wadi_river_reach(const river_grid* grid, int32_t from, river_part* part);

// Main course, channels and mouths of the part that starts at part->order[0]. river_channels.c
wadi_result wadi_river_channels(const river_grid* grid, const river_part* part,
                                river_course* course);

// Mean number of channels across a course; NaN: it has no length. river_sections.c
double wadi_river_sections(const river_grid* grid, const river_course* course);

// Lobes of what was laid down; NaN: none, or too small. river_lobes.c
wadi_result wadi_river_lobes(const river_grid* grid, double* lobes);

// Bends of a course. river_bends.c
wadi_result wadi_river_bends(const river_grid* grid, const river_course* course,
                             wadi_river_forms* out);
