// SPDX-License-Identifier: MIT
// Internal interface of seepage; only src/bodies/seepage includes it.
//
// A step solves for heads at its end (implicitly: saturated soil stores next to nothing, so an
// explicit scheme would need steps of seconds), takes the flow between neighbours from them, and
// moves that much in whole units. The balance closes exactly at any accuracy of the heads.
#pragma once

#include "core/internal.h"

#include <wadi/seepage.h>

#include <math.h>

#define SEEPAGE_STIFF                                                                              \
    500.0 // increase of head per unit of saturation above 1 [m]: 2 m of head are 0.4 %

typedef struct seepage_soil
{
    double porosity;
    double conductivity;
    double suction;
    double shape;
    double exponent;
} seepage_soil;

// Neighbours of each node, by rows; both ways.
typedef struct seepage_links
{
    int64_t* first; // of each node, and one past the last
    int32_t* other;
    int64_t* back;   // the same link in the other's row
    double* section; // cross-section over length [m]
    int64_t count;
} seepage_links;

struct wadi_seepage
{
    wadi_context* context;
    wadi_seepage_params params;
    seepage_soil soils[WADI_SEEPAGE_MAX_SOILS];
    int32_t soil_count;
    int32_t count;

    // by node
    double (*position)[3];
    int32_t* soil;
    double* room;   // [m3]
    double* wide;   // side of a cube of that volume [m]
    double* sky;    // area exposed to the sky [m2]
    double* ground; // area exposed to the base [m2]
    double* hold;   // pressure head, NaN: free
    int64_t* water; // [units]
    seepage_links links;

    double units; // in a m3
    double time;
    double step; // length of the next step to try
    int64_t steps;

    // books [units]
    int64_t before;
    int64_t rained;
    int64_t given;
    int64_t held;
    int64_t runoff;
    int64_t evaporated;
    int64_t drained;

    // of a step, by node
    double* pressure; // unknown of the solve: head less height [m]
    double* slope;    // of storage [m2]
    double* store;    // water at the trial head [m3]
    double* had;      // and at the start
    double* inflow;   // through sky and ground at the trial head [m3/s]
    double* outflow_slope;
    double* wet;      // relative conductivity
    double* diagonal; // of the matrix [m2/s]
    double* residual;
    double* move;
    double* direction;
    double* image;
    int64_t* leave;      // units
    double* conductance; // by link
    int64_t* flow;       // by link, units out of the row's node
    int64_t* gone;       // by link, the same since the last advance began
    double* partial;     // sums of blocks
};

enum
{
    SEEPAGE_BLOCK = 2048 // nodes of a block
};

static inline int32_t seepage_blocks(const wadi_seepage* seepage)
{
    return (seepage->count + SEEPAGE_BLOCK - 1) / SEEPAGE_BLOCK;
}

// Call `pass` for all blocks of nodes.
static inline void seepage_pass(const wadi_seepage* seepage, wadi_rows_fn* pass, void* job)
{
    wadi_parallel_rows(seepage->context, seepage->count, SEEPAGE_BLOCK, pass, job);
}

// The same; the sum over blocks of partial[begin / SEEPAGE_BLOCK], which the pass sets.
double wadi_seepage_sum(const wadi_seepage* seepage, wadi_rows_fn* pass, void* job);

// Volume of pores [m3].
static inline double seepage_pores(const wadi_seepage* seepage, int32_t i)
{
    return seepage->room[i] * seepage->soils[seepage->soil[i]].porosity;
}

// Saturation of a soil at a pressure head: 1 - (-p / suction)^shape, and a little over 1 under
// water.
double wadi_seepage_saturation_at(const wadi_seepage* seepage, int32_t i, double pressure);
double wadi_seepage_pressure_at(const wadi_seepage* seepage, int32_t i, double saturation);
// Derivative of saturation by pressure [1/m], at least its value under water.
double wadi_seepage_storage_at(const wadi_seepage* seepage, int32_t i, double pressure);

static inline double seepage_now(const wadi_seepage* seepage, int32_t i)
{
    return (double)seepage->water[i] / seepage->units / seepage_pores(seepage, i);
}

// Link nodes within reach, and measure their area exposed to sky and base. On failure the old links
// are kept.
wadi_result wadi_seepage_link(wadi_seepage* seepage, const double (*positions)[3],
                              seepage_links* out);
void wadi_seepage_unlink(wadi_context* context, seepage_links* links);
wadi_result wadi_seepage_find_exposure(wadi_context* context, const wadi_seepage* seepage,
                                       const double (*positions)[3], double way, double* area);

// Solve for the pressures after `step` seconds; false: no convergence in a few iterations.
bool wadi_seepage_solve(wadi_seepage* seepage, double step);
// Relative conductivity at a trial pressure.
double wadi_seepage_wet_share(const wadi_seepage* seepage, int32_t i, double pressure);
// Flow into a node through sky and ground at a trial pressure [m3/s], and its slope.
typedef struct seepage_exchange
{
    double rain;  // infiltration; runoff where negative
    double drain; // out, below
    double dry;   // out, into the air
    double slope; // minus the derivative of the total by pressure: at least 0
} seepage_exchange;
seepage_exchange wadi_seepage_exchange_at(const wadi_seepage* seepage, int32_t i, double pressure);

// Move water between nodes by the pressures.
void wadi_seepage_flow(wadi_seepage* seepage, double step);
