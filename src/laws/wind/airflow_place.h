// SPDX-License-Identifier: MIT
// Positions in metres from the grid's south-west corner, and distances on periodic grids.
#pragma once

#include "terrain/ground.h"

#include <math.h>

static inline double airflow_extent(const wadi_ground* ground, bool along_x)
{
    return (along_x ? ground->width : ground->height) * ground->cell_size;
}

static inline bool airflow_wraps(const wadi_ground* ground, bool along_x)
{
    return ground->edges[along_x ? WADI_SIDE_WEST : WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
}

// Signed distance between two positions, the shorter one across periodic edges [m].
static inline double airflow_way(const wadi_ground* ground, bool along_x, double from, double to)
{
    const double extent = airflow_extent(ground, along_x);
    const double way = to - from;
    return airflow_wraps(ground, along_x) ? way - extent * floor(way / extent + 0.5) : way;
}
