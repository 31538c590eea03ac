// SPDX-License-Identifier: MIT
// Internals of the finer window, for src/maps/amplify only.
#pragma once

#include "core/internal.h"
#include "maps/amplify/amplify_kernels.h"
#include "terrain/ground.h"

#include <wadi/amplify.h>

// A position or a vector: metres east and north of the terrain's south-west corner.
typedef struct amplify_place
{
    double x;
    double y;
} amplify_place;

// Cells of the lattice that a position is measured on; the window is a part of it. Cell (0, 0) lies
// in the terrain's south-western corner.
typedef struct amplify_area
{
    int64_t west;
    int64_t south;
    int32_t columns;
    int32_t rows;
} amplify_area;

// The wind at the ground of the terrain's cells.
typedef struct amplify_wind
{
    float* memory;
    float* speed; // friction velocity over that on flat ground
    float* east;  // unit vector across the crests of ripples, downwind
    float* north;
} amplify_wind;

// A node of the ripples: a plane wave around a point.
typedef struct amplify_node
{
    double x;
    double y;
    float fx; // [waves/m] east and north
    float fy;
    float size; // height of its ripples [m]
    float re;   // phase at the node, a unit vector
    float im;
} amplify_node;

// Nodes on a jittered lattice, those that the window needs.
typedef struct amplify_nodes
{
    amplify_node* at; // NULL: no ripples
    int32_t west;     // lattice indices of the first node
    int32_t south;
    int32_t columns;
    int32_t rows;
    double step_x; // [m]
    double step_y;
    int32_t period_x; // nodes around a periodic terrain; 0: not periodic
    int32_t period_y;
    float per_area; // 1 / reach squared [1/m2]
    double reach;   // [m]
} amplify_nodes;

// Buffers of one worker: a row of cells of the window within one cell of the terrain.
typedef struct amplify_worker
{
    double* height; // [m]
    float* ripple;  // [m]
    float* tongue;  // [m]
    amplify_sums sums;
} amplify_worker;

typedef struct amplify_job
{
    wadi_context* context;
    wadi_terrain* terrain;
    const wadi_ground* ground;
    const amplify_kernels* kernels;
    wadi_amplify_params params;
    double ex, ey;     // unit vector along the regional wind, east and north
    double wavelength; // of ripples on flat ground [m]
    double* level;     // surface of the terrain's cells, continued into voids [m]
    amplify_wind wind;
    amplify_nodes nodes;
    amplify_area area;
    double* buffers; // memory of the workers
    amplify_worker* workers;
    float* out;
} amplify_job;

static inline double amplify_smooth(double t)
{
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

// ---- amplify_ground.c: the terrain between its cells -------------------------------------------

// The four cells around a position, with their weights.
typedef struct amplify_corners
{
    int64_t cells[4];
    double weights[4];
} amplify_corners;

amplify_corners wadi_amplify_corners(const amplify_job* job, amplify_place at);
// Cell of a column and a row from the north, wrapped or clamped beyond edges.
int64_t wadi_amplify_cell(const wadi_ground* ground, int32_t column, int32_t row);
wadi_result wadi_amplify_level_create(amplify_job* job);
double wadi_amplify_ground(const amplify_job* job, amplify_place at); // surface [m], smooth
double wadi_amplify_linear(const amplify_job* job, amplify_place at); // surface [m], bilinear
double wadi_amplify_sand(const amplify_job* job, amplify_place at);   // thickness [m]
double wadi_amplify_cover(const amplify_job* job, amplify_place at);
bool wadi_amplify_is_void(const amplify_job* job, amplify_place at);

// ---- amplify_wind.c: the wind at the ground ----------------------------------------------------

wadi_result wadi_amplify_wind_create(amplify_job* job);
void wadi_amplify_wind_destroy(amplify_job* job);
// Friction velocity over that on flat ground, and the direction across ripples.
double wadi_amplify_wind_at(const amplify_job* job, amplify_place at, amplify_place* along);
// Share of the stress on flat ground at which sand comes to rest.
double wadi_amplify_threshold(const amplify_job* job);

// ---- amplify_crest.c: edges below the cell -----------------------------------------------------

// Change of the slope over a cell of the terrain: the second derivatives times the cell's size.
typedef struct amplify_bend
{
    double xx;
    double yy;
    double xy;
} amplify_bend;

// The bends of 3 x 3 cells, from the south-west.
typedef struct amplify_bends
{
    amplify_bend at[9];
    bool sharp; // one of them is large
} amplify_bends;

amplify_bends wadi_amplify_bends(const amplify_job* job, int32_t column, int32_t row);
// Change of the surface at a position within the middle cell, where `here` is the smooth surface.
double wadi_amplify_crest(const amplify_job* job, const amplify_bends* bends, amplify_place at,
                          double here);

// ---- amplify_ripples.c -------------------------------------------------------------------------

wadi_result wadi_amplify_nodes_create(amplify_job* job);
// Heights of ripples on `count` cells from a column of the lattice on, mean 0 [m].
void wadi_amplify_ripple_row(const amplify_job* job, const amplify_worker* own, int64_t column,
                             int64_t row, int32_t count);

// ---- amplify_tongues.c -------------------------------------------------------------------------

// Heights of the sand tongues behind plants and stones on a row [m].
void wadi_amplify_tongue_row(const amplify_job* job, const amplify_worker* own, int64_t column,
                             int64_t row, int32_t count);

// ---- amplify_block.c ---------------------------------------------------------------------------

// Fill the window, one cell of the terrain after the other.
wadi_result wadi_amplify_blocks(amplify_job* job);
