// SPDX-License-Identifier: MIT
// The inside of the wind over a terrain; only src/airflow looks at it.
#pragma once

#include "airflow/airflow.h"
#include "airflow/airflow_kernels.h"
#include "airflow/airflow_laid.h"
#include "airflow/airflow_local.h"
#include "core/internal.h"

enum
{
    AIRFLOW_WIDE,
    AIRFLOW_NARROW,
    AIRFLOW_SCALES
};

enum
{
    AIRFLOW_GRAIN = 16 // rows of a block
};

// What a row finds out about itself.
typedef struct airflow_row
{
    int64_t sum; // [units] of the ground
    int64_t valid;
    float low;    // [m] above the datum: ground
    float high;   // and what stands on it
    float turned; // largest sine of a turn of the wind
} airflow_row;

struct wadi_airflow
{
    wadi_context* context;
    wadi_terrain* terrain;
    const wadi_ground* ground;
    const airflow_kernels* kernels;
    airflow_law law;
    airflow_local* local; // winds of places; NULL: there are none
    airflow_laid* laid;   // over the wind, by the user
    bool wrap_x;
    bool wrap_y;
    int32_t pad;    // cells that a row of scratch has on either side
    float* scratch; // per worker: AIRFLOW_SCRATCH rows of width + 2 pad
    float* shifted; // per worker: AIRFLOW_SHIFTED rows
    int32_t* units; // per worker: a row
    airflow_row* rows;
    int32_t datum;                 // [units] mean of the ground
    float* height;                 // [m] above the datum; 0 in voids
    float* smooth[AIRFLOW_SCALES]; // the same, smoothed
    float* weight[AIRFLOW_SCALES]; // smoothed mask; NULL: there are no voids
    float* sky;                    // memory of both
    skyline skyline[2];
    float* room[2]; // levels of smoothing in the making, in the same memory
    float* x;
    float* y;
    float* shelter;
    float turned;   // largest sine of a turn by relief; 1 with winds of places
    bool laid_over; // something of `laid` is there at present
};

enum
{
    AIRFLOW_SCRATCH = 6, // rows per worker
    AIRFLOW_SHIFTED = 6  // three of a skyline, near and far
};

// Scratch row `index` of a worker, at its first cell: `pad` cells before it are there too.
static inline float* airflow_scratch(const wadi_airflow* flow, int32_t worker, int32_t index)
{
    const int64_t stride = flow->ground->width + 2 * (int64_t)flow->pad;
    return flow->scratch + (AIRFLOW_SCRATCH * (int64_t)worker + index) * stride + flow->pad;
}

// ---- airflow.c ---------------------------------------------------------------------------------

// Ground and plants of row `y` [m above the datum]; voids are lower than anything.
void airflow_tops(const wadi_airflow* flow, int32_t y, float* out);

static inline skyline airflow_skyline_at(const skyline* sky, int64_t cell)
{
    return (skyline){sky->begin + cell, sky->way + cell, sky->full + cell};
}

// ---- airflow_smooth.c --------------------------------------------------------------------------

// Cells beyond a row that smoothing looks at.
int32_t airflow_smooth_reach(const wadi_airflow* flow);
// Smooth flow->height to both scales.
void airflow_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES]);

// ---- airflow_warp.c ----------------------------------------------------------------------------

// x and y of a wind over the smoothed ground; returns the largest sine of a turn.
float airflow_warp(wadi_airflow* flow, const airflow_wind* wind, float* x, float* y);

// ---- airflow_lee.c -----------------------------------------------------------------------------

// Shelter in a wind from `direction`, which x and y hold with its turns.
void airflow_lee(wadi_airflow* flow, double direction);
