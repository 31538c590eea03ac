// SPDX-License-Identifier: MIT
// The eight neighbours of a cell, across periodic borders.
#pragma once

#include "core/internal.h"
#include "terrain/field2d.h"

#include <wadi/flow.h>

#include <math.h>

static const int8_t flow_east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t flow_south[8] = {0, -1, -1, -1, 0, 1, 1, 1};

typedef struct flow_grid
{
    const wadi_field2d* field;
    int32_t width;
    int32_t height;
    int64_t cells;
    bool wraps_x;
    bool wraps_y;
} flow_grid;

static inline flow_grid flow_grid_of(const wadi_field2d* field)
{
    return (flow_grid){
        .field = field,
        .width = field->width,
        .height = field->height,
        .cells = (int64_t)field->width * field->height,
        .wraps_x = field->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = field->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
    };
}

static inline float flow_height(const flow_grid* grid, int64_t cell)
{
    const ptrdiff_t row = (ptrdiff_t)(cell / grid->width);
    return grid->field->heights[row * grid->field->stride + (ptrdiff_t)(cell % grid->width)];
}

static inline double flow_dx(const flow_grid* grid, int32_t row)
{
    return grid->field->dx_of_row != NULL ? grid->field->dx_of_row[row] : grid->field->dx;
}

// Index of a neighbour, or -1 beyond a border.
static inline int64_t flow_neighbour(const flow_grid* grid, int32_t column, int32_t row,
                                     int direction)
{
    int32_t x = column + flow_east[direction];
    int32_t y = row + flow_south[direction];
    if (x < 0 || x >= grid->width)
    {
        if (!grid->wraps_x)
        {
            return -1;
        }
        x = x < 0 ? grid->width - 1 : 0;
    }
    if (y < 0 || y >= grid->height)
    {
        if (!grid->wraps_y)
        {
            return -1;
        }
        y = y < 0 ? grid->height - 1 : 0;
    }
    return (int64_t)y * grid->width + x;
}

static inline int64_t flow_neighbour_of(const flow_grid* grid, int64_t cell, int direction)
{
    return flow_neighbour(grid, (int32_t)(cell % grid->width), (int32_t)(cell / grid->width),
                          direction);
}

// True for outlets: cells at an open border or beside a cell without data.
static inline bool flow_is_rim(const flow_grid* grid, int64_t cell)
{
    const wadi_edge* edges = grid->field->edges;
    const int32_t x = (int32_t)(cell % grid->width);
    const int32_t y = (int32_t)(cell / grid->width);
    if ((x == 0 && edges[WADI_SIDE_WEST] == WADI_EDGE_OPEN) ||
        (x == grid->width - 1 && edges[WADI_SIDE_EAST] == WADI_EDGE_OPEN) ||
        (y == 0 && edges[WADI_SIDE_NORTH] == WADI_EDGE_OPEN) ||
        (y == grid->height - 1 && edges[WADI_SIDE_SOUTH] == WADI_EDGE_OPEN))
    {
        return true;
    }
    for (int direction = 0; direction < 8; ++direction)
    {
        const int64_t n = flow_neighbour(grid, x, y, direction);
        if (n >= 0 && isnan(flow_height(grid, n)))
        {
            return true;
        }
    }
    return false;
}

// Steepest descent over eight facets at one cell, as in wadi_flow_route(). On level ground, in pits
// and without data: WADI_FLOW_NOWHERE.
wadi_flow_target wadi_flow_dinf_at(const wadi_field2d* field, int32_t column, int32_t row);
