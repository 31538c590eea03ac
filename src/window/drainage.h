// SPDX-License-Identifier: MIT
// Sums and heights down and up the flow paths of one tile.
#pragma once

#include "window/trunks.h"

typedef struct drainage_run
{
    wadi_tiles* tiles;
    const tiling_grid* grid;
    const wadi_tiles_drain_job* job;
    bool has_power;
    drainage_trunks trunks;
    int8_t* direction; // padded, of one tile
    uint8_t* donors;   // padded: donors in the tile that are not summed yet; TRUNK: on a trunk
    double* sum;       // padded [m2]
    uint32_t* order;   // cells of the tile, donors before receivers
    int64_t ordered;
    double* height;   // padded [m]: z, then z'
    uint32_t* number; // padded: of the cell within the tile's trunks
} drainage_run;

enum
{
    DRAINAGE_TRUNK = 0x80
};

static inline bool drainage_is_outlet(const drainage_run* run, const tiling_frame* frame,
                                      ptrdiff_t cell)
{
    bool outlet = false;
    for (int k = 0; k < 8; ++k)
    {
        outlet = outlet || run->direction[cell + frame->step[k]] == WADI_FLOW_VOID;
    }
    return outlet;
}

// What a cell adds itself.
static inline double drainage_own(const drainage_run* run, const tiling_frame* frame,
                                  ptrdiff_t cell, int32_t row)
{
    const wadi_tiles_drain_job* job = run->job;
    if (job->outlets)
    {
        return drainage_is_outlet(run, frame, cell) ? 1.0 : 0.0;
    }
    return (job->dx_of_row != NULL ? job->dx_of_row[row] : job->dx) * job->dy;
}

static inline bool drainage_gives(int8_t direction, int k)
{
    return direction == (k + 4) % 8; // to the cell that sees its donor in direction k
}

// F of a cell with a drainage area, in a direction.
double wadi_drainage_factor(const drainage_run* run, double area, int32_t row, int direction);

// z' of a cell with height z whose receiver has z'.
static inline double drainage_lower(double height, double factor, double receiver)
{
    return receiver < height ? (height + factor * receiver) / (1.0 + factor) : height;
}
