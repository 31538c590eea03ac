// SPDX-License-Identifier: MIT
// Members of the wind over a terrain, for src/laws/wind only.
#pragma once

#include "core/internal.h"
#include "laws/wind/airflow.h"
#include "laws/wind/airflow_kernels.h"
#include "laws/wind/airflow_laid.h"
#include "laws/wind/airflow_local.h"

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

// Partial results of one row.
typedef struct airflow_row
{
    int64_t sum; // [units] of the ground
    int64_t valid;
    float low;    // [m] above the datum: lowest ground
    float high;   // highest top, plants included
    float turned; // largest sine of a deflection
} airflow_row;

typedef struct airflow_window airflow_window;

// How far shelter looks towards each side: the largest share, 0 to 1, of what it looks along the
// main axis of a wind, over all cells.
typedef struct airflow_upwind
{
    float share[WADI_SIDE_COUNT];
} airflow_upwind;

struct wadi_airflow
{
    wadi_context* context;
    wadi_terrain* terrain;
    const wadi_ground* ground;
    const airflow_kernels* kernels;
    airflow_law law;
    airflow_local* local;   // local winds; NULL: none
    airflow_laid* laid;     // gusts, vortices and eddies
    airflow_window* window; // the cells around a window of a grid; NULL: this is the whole grid
    double longest;         // longer side of the whole grid [cells]
    double lee;             // longest shelter [cells], where it is known before
    airflow_upwind upwind;  // and where it looks
    wadi_owned kept;        // the cells whose shelter or smooth ground is wanted
    bool holes;             // the whole grid has voids
    bool tops_given;        // `height` is that of the tops; `lee`, `upwind` and `kept` are known
    bool wrap_x;
    bool wrap_y;
    int32_t pad;    // halo of a scratch row [cells]
    float* scratch; // per worker: AIRFLOW_SCRATCH rows of width + 2 pad
    float* shifted; // per worker: AIRFLOW_SHIFTED rows
    int32_t* units; // per worker: a row
    airflow_row* rows;
    int32_t datum;                 // [units] mean of the ground
    float* height;                 // [m] above the datum; 0 in voids
    float* smooth[AIRFLOW_SCALES]; // the same, smoothed
    float* weight[AIRFLOW_SCALES]; // smoothed mask; NULL: no voids
    float* sky;                    // memory of `skyline` and `buffer`
    skyline skyline[2];
    float* buffer[2]; // intermediate levels of smoothing, in the same memory
    float* x;
    float* y;
    float* shelter;
    float turned;   // largest sine of a deflection by relief; 1 with local winds
    bool laid_over; // a part of `laid` is active
};

enum
{
    AIRFLOW_SCRATCH = 6, // rows per worker
    AIRFLOW_SHIFTED = 6  // three arrays of a skyline, for the near and the far cell
};

// Scratch row `index` of a worker, at its first cell; `pad` cells on either side are valid too.
static inline float* airflow_scratch(const wadi_airflow* flow, int32_t worker, int32_t index)
{
    const int64_t stride = flow->ground->width + 2 * (int64_t)flow->pad;
    return flow->scratch + (AIRFLOW_SCRATCH * (int64_t)worker + index) * stride + flow->pad;
}

// ---- airflow.c ---------------------------------------------------------------------------------

// Ground and plants of row `y` [m above the datum]; voids get -1e30.
void wadi_airflow_tops(const wadi_airflow* flow, int32_t y, float* out);

static inline skyline airflow_skyline_at(const skyline* sky, int64_t cell)
{
    return (skyline){sky->begin + cell, sky->way + cell, sky->full + cell};
}

// ---- airflow_smooth.c --------------------------------------------------------------------------

// Halo that a level of smoothing needs beyond a row [cells].
int32_t wadi_airflow_smooth_reach(const wadi_airflow* flow);
// A stretch of levels: the variances [cells^2] before and after it, and those that come to the
// scale then. A cell of its result is made of those at most `looks` away.
typedef struct airflow_stretch
{
    double done, left;
    double end_done, end_left;
    int64_t looks;
} airflow_stretch;

// The scales in the order in which they are made, and their variances.
typedef struct airflow_scales
{
    int32_t first, second;
    double less, more;
} airflow_scales;

airflow_scales wadi_airflow_smooth_scales(const wadi_airflow* flow);
// The levels from a variance on, one at least, that together look at most `far` cells away.
airflow_stretch wadi_airflow_smooth_cut(double done, double left, int32_t far);
void wadi_airflow_smooth_stretch(wadi_airflow* flow, const float* from,
                                 const airflow_stretch* stretch, float* to);
// Smooth flow->height to both scales.
wadi_result wadi_airflow_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES]);

// ---- airflow_warp.c ----------------------------------------------------------------------------

// x and y of a wind over the smoothed ground, of the owned cells; returns the largest sine of a
// deflection of this window.
float wadi_airflow_warp(wadi_airflow* flow, const airflow_wind* wind, float* x, float* y);

// ---- airflow_lee.c -----------------------------------------------------------------------------

// Shelter in a wind from `direction`, whose deflected field is in x and y.
wadi_result wadi_airflow_lee(wadi_airflow* flow, double direction);

// ---- airflow_reach.c ---------------------------------------------------------------------------

double wadi_airflow_tangent(double degrees);
// Distance after which the skyline of a top at `high` is below ground at `low` [m], and at most the
// size of the grid [cells].
double wadi_airflow_lee_longest(const wadi_airflow* flow, float low, float high);
// Set the lowest and the highest of `count` tops, without voids.
void wadi_airflow_range(const float* top, int32_t count, airflow_row* row);
// Do all cells look upwind along the regional wind?
bool wadi_airflow_lee_is_straight(const wadi_airflow* flow);
// Where all cells look upwind in a wind from `direction` that nothing turns.
airflow_upwind wadi_airflow_lee_ahead(double direction);
// Where the owned cells look upwind at most in a wind from `direction`, whose deflected field is in
// x and y.
airflow_upwind wadi_airflow_lee_upwind(const wadi_airflow* flow, double direction);
// Cells towards a side beyond which none has a part in the shelter of one, by the levels of
// doubling from the one that looks `reach` cells far.
int32_t wadi_airflow_lee_margin(const airflow_upwind* upwind, wadi_side side, int64_t reach,
                                double longest);
// The same by all levels and the initial skyline.
int32_t wadi_airflow_lee_reach(const airflow_upwind* upwind, wadi_side side, double longest);
