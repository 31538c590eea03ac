// SPDX-License-Identifier: MIT
// Row kernels of the wind field, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stddef.h>
#include <stdint.h>

enum
{
    AIRFLOW_TAPS = 5 // of a level of smoothing
};

// Their weights, from the middle outwards.
typedef struct smooth_taps
{
    float middle;
    float near;
    float far;
} smooth_taps;

// What a cell sees upwind. The skyline at the angle where shelter begins knows how far away what
// makes it stands, and so its true angle; that at the angle of whole shelter needs no more.
typedef struct skyline
{
    float* begin; // [m] height of the one
    float* way;   // [m] to what makes it; 0: the cell itself
    float* full;  // [m] height of the other
} skyline;

// One row of the wind aloft, turned by the relief.
typedef struct warp_row
{
    int32_t count;
    const float* height; // [m] above the datum
    // smoothed ground of each scale: this row with its neighbours in it, and those beside it
    const float* here[2];
    const float* north[2];
    const float* south[2];
    float weight[2]; // of the scale
    float turn[2];   // [1] of it, as a share of the wind's speed
    float slope;     // [1/m] of a difference over two cells
    float slope_y;   // the same along columns: one-sided at open edges
    float ex, ey;    // unit vector that the wind blows along
    float speed;     // [m/s]
    float speedup;   // [1/m]
    float least, most;
    float* x;
    float* y;
} warp_row;

// One row of the skyline as it begins: the higher of a cell and of what stands half a step upwind.
typedef struct glance_row
{
    int32_t count;
    const float* x; // [m/s] the wind of the row
    const float* y;
    // what stands there and in the rows beside it, one more cell on either side too [m]
    const float* here;
    const float* north;
    const float* south;
    float cell;  // [m]
    float begin; // tangents of the two angles
    float full;
    skyline out;
} glance_row;

// One row of the skyline: the higher of itself and of what stands upwind, less its fall on the way.
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

// The same where every cell looks along its own wind.
typedef struct look_row
{
    const float* x; // [m/s] the wind of the row
    const float* y;
    int32_t row;
    int32_t width; // of the grid
    int32_t height;
    int32_t turn_x; // width, or 0 where it does not wrap
    int32_t turn_y;
    int32_t reach; // [cells] along the axis that a wind follows more
    float cell;    // [m]
    float begin;   // tangents of the two angles
    float full;
    skyline from; // of the grid
    skyline own;  // of the row
    skyline out;
} look_row;

typedef struct airflow_kernels
{
    // ground and plants [m]; -1e30 where there is none
    void (*tops)(const float* height, const uint16_t* plants, const uint8_t* valid, float metres,
                 int32_t count, float* out);
    // out = the weighted sum of five rows
    void (*across)(const float* const rows[AIRFLOW_TAPS], smooth_taps taps, int32_t count,
                   float* out);
    // the same along a row, which is there for 2 x spacing cells on either side
    void (*along)(const float* row, smooth_taps taps, ptrdiff_t spacing, int32_t count, float* out);
    float (*warp)(const warp_row* row); // largest sine of a turn
    void (*glance)(const glance_row* row);
    void (*skyline)(const skyline_row* row);
    void (*look)(const look_row* row);
    // share of the wind that is kept off cells as high as `top`; `span` is the difference of the
    // tangents of the two angles
    void (*shelter)(const skyline* sky, const float* top, float span, int32_t count, float* out);
} airflow_kernels;

extern const airflow_kernels airflow_kernels_base;
#if defined(WADI_X86_KERNELS)
extern const airflow_kernels airflow_kernels_avx2;
extern const airflow_kernels airflow_kernels_avx512;
#endif

// The build for an instruction set; NULL when there is none. The bits are the same with each.
const airflow_kernels* airflow_kernels_of(wadi_isa isa);
