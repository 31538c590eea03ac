// SPDX-License-Identifier: MIT
// Places on a grid in metres from its south-west corner, and ways between them, round a torus too.
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

// The way between two places, the shorter one round a torus [m].
static inline double airflow_way(const wadi_ground* ground, bool along_x, double from, double to)
{
    const double extent = airflow_extent(ground, along_x);
    const double way = to - from;
    return airflow_wraps(ground, along_x) ? way - extent * floor(way / extent + 0.5) : way;
}
