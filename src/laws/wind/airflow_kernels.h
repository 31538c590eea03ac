// SPDX-License-Identifier: MIT
// Row kernels of the wind field, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stddef.h>
#include <stdint.h>

enum
{
    AIRFLOW_TAPS = 5 // taps of a smoothing level
};

// Weights of the taps, from the middle outwards.
typedef struct smooth_taps
{
    float middle;
    float near;
    float far;
} smooth_taps;

// The skyline upwind of a cell, for the angle at which shelter begins and the angle at which it is
// complete. The first one stores the distance of its obstacle, from which the true angle follows.
typedef struct skyline
{
    float* begin; // [m] height of the skyline where shelter begins
    float* way;   // [m] distance of its obstacle; 0: the cell itself
    float* full;  // [m] height of the skyline where shelter is complete
} skyline;

// One row of the regional wind, deflected by the relief.
typedef struct warp_row
{
    int32_t count;
    const float* height; // [m] above the datum
    // smoothed ground of each scale: this row with a halo of one cell, and the rows beside it
    const float* here[2];
    const float* north[2];
    const float* south[2];
    float weight[2]; // of the scale
    float turn[2];   // [1] turning speed as a fraction of the wind speed
    float slope;     // [1/m] factor of a difference over two cells
    float slope_y;   // the same along columns: one-sided at open edges
    float ex, ey;    // unit vector that the wind blows along
    float speed;     // [m/s]
    float speedup;   // [1/m]
    float least, most;
    float* x;
    float* y;
} warp_row;

// One row of the initial skyline: the maximum of a cell and the height half a step upwind.
typedef struct glance_row
{
    int32_t count;
    const float* x; // [m/s] the wind of the row
    const float* y;
    // tops of this row and the rows beside it, with a halo of one cell [m]
    const float* here;
    const float* north;
    const float* south;
    float cell;  // [m]
    float begin; // tangents of the two angles
    float full;
    skyline out;
} glance_row;

// One row of the skyline: the maximum of its own and the skyline upwind minus its fall.
typedef struct skyline_row
{
    int32_t count;
    skyline own;
    skyline near; // the two cells upwind between which the wind comes from
    skyline far;
    float share; // of `far`
    float fall_begin;
    float fall_full;
    float way; // [m]
    skyline out;
} skyline_row;

// The same with a separate wind direction for each cell.
typedef struct trace_row
{
    const float* x; // [m/s] the wind of the row
    const float* y;
    int32_t row;
    int32_t width; // of the grid
    int32_t height;
    int32_t turn_x; // width, or 0 without periodic edges
    int32_t turn_y;
    int32_t reach; // [cells] along the main axis of the wind
    float cell;    // [m]
    float begin;   // tangents of the two angles
    float full;
    skyline from; // of the grid
    skyline own;  // of the row
    skyline out;
} trace_row;

typedef struct airflow_kernels
{
    // ground and plants [m]; -1e30 in voids
    void (*tops)(const float* height, const uint16_t* plants, const uint8_t* valid, float metres,
                 int32_t count, float* out);
    // out = the weighted sum of five rows
    void (*across)(const float* const rows[AIRFLOW_TAPS], smooth_taps taps, int32_t count,
                   float* out);
    // the same along a row, which has a halo of 2 x spacing cells
    void (*along)(const float* row, smooth_taps taps, ptrdiff_t spacing, int32_t count, float* out);
    float (*warp)(const warp_row* row); // returns the largest sine of a deflection
    void (*glance)(const glance_row* row);
    void (*skyline)(const skyline_row* row);
    void (*trace)(const trace_row* row);
    // reduction of the wind at cells of height `top`; `span` is the difference of the tangents of
    // the two angles
    void (*shelter)(const skyline* sky, const float* top, float span, int32_t count, float* out);
} airflow_kernels;

WADI_ISA_KERNELS(airflow_kernels)
