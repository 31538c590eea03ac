// SPDX-License-Identifier: MIT
// Positions in metres from the grid's south-west corner, and distances on periodic grids.
#pragma once

#include "terrain/ground.h"

#include <math.h>

// Column and row of the whole grid of the array's first cell; in a window they may lie beyond a
// periodic edge, so that all its cells follow each other.
static inline int32_t airflow_first_column(const wadi_ground* ground)
{
    return ground->part != NULL ? ground->part->x - ground->part->halo[WADI_SIDE_WEST] : 0;
}

static inline int32_t airflow_first_row(const wadi_ground* ground)
{
    return ground->part != NULL ? ground->part->y - ground->part->halo[WADI_SIDE_NORTH] : 0;
}

static inline double airflow_extent(const wadi_ground* ground, bool along_x)
{
    return (along_x ? wadi_ground_whole_width(ground) : wadi_ground_whole_height(ground)) *
           ground->cell_size;
}

static inline bool airflow_wraps(const wadi_ground* ground, bool along_x)
{
    return wadi_ground_whole_edge(ground, along_x ? WADI_SIDE_WEST : WADI_SIDE_NORTH) ==
           WADI_EDGE_PERIODIC;
}

// Signed distance between two positions, the shorter one across periodic edges [m].
static inline double airflow_way(const wadi_ground* ground, bool along_x, double from, double to)
{
    const double extent = airflow_extent(ground, along_x);
    const double way = to - from;
    return airflow_wraps(ground, along_x) ? way - extent * floor(way / extent + 0.5) : way;
}
