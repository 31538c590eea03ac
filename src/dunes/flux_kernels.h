// SPDX-License-Identifier: MIT
// Row kernels of the flux mode, compiled once for each instruction set. All of them gather: a cell
// is computed from rows that nobody writes meanwhile, always by the same operations in the same
// order, so that neither threads nor the place on a torus can change a bit.
#pragma once

#include "core/isa.h"

#include <stddef.h>
#include <stdint.h>

// Heights in metres from units, and the roof: the ground with its plants, which shelter the wind.
typedef struct flux_level_row
{
    int32_t count;
    const int32_t* rock; // [units]
    const int32_t* sand; // [units]
    int32_t base;        // [units] level that heights are counted from
    float* level;        // [m]
    const float* plants; // [m] height; NULL: none
    float* roof;         // [m]
} flux_level_row;

// out = (1 - share) x near + share x far.
typedef struct flux_mix_row
{
    int32_t count;
    const float* near;
    const float* far;
    float share;
    float* out;
} flux_mix_row;

// out = max(here, what stands `shift` cells upwind in `from`, `drop` lower).
typedef struct flux_raise_row
{
    int32_t count;
    const float* here;
    const float* from; // readable as far as shift and one cell more
    ptrdiff_t shift;   // cells that the value comes from: x - shift
    ptrdiff_t beside;  // -1 or 1: the other cell of a value between two
    float share;       // of the other cell
    float drop;        // [m]
    float* out;
} flux_raise_row;

// The same where every cell has a wind of its own.
typedef struct flux_look_row
{
    int32_t count;
    int32_t row;
    const float* here;
    const float* from; // a plane, from its first cell on
    const float* ex;   // the wind
    const float* ey;
    int32_t stride; // of the plane
    int32_t height; // rows
    int32_t turn_x; // columns after which it goes round; 0: it ends
    int32_t turn_y;
    int32_t reach; // [cells] along the axis that a wind follows more; below 0: downwind
    float drop;    // in that many cells [m]
    float* out;
} flux_look_row;

// Weights of five cells in a row: a middle one, its neighbours and theirs.
typedef struct flux_taps
{
    float centre;
    float side;
    float outer;
} flux_taps;

// Smoothing across rows: out is the weighted sum of five rows, from the northernmost on.
typedef struct flux_across_row
{
    int32_t count;
    const float* from[5];
    flux_taps taps;
    float* out;
} flux_across_row;

// The same along a row, over cells that lie `spacing` apart; and sum += weight x out.
typedef struct flux_along_row
{
    int32_t count;
    const float* from;
    ptrdiff_t spacing;
    flux_taps taps;
    float* out;
    float weight;
    float* sum; // NULL: none
} flux_along_row;

// Constants of shear and saturation.
typedef struct flux_shear_law
{
    float gain;       // A / cell squared [1/m2]
    float lead;       // A B / cell [1/m]
    float cap;        // of the stress
    float threshold;  // of the stress
    float saturated;  // [units] of load per excess of stress
    float shelter;    // [1/m] 1 / thickness over which shelter cuts the wind
    float deflection; // d A / cell squared [1/m2]
} flux_shear_law;

// Stress, saturated load and drift across the wind of one row.
typedef struct flux_shear_row
{
    int32_t count;
    const flux_shear_law* law;
    const float* shape[3];  // north, here, south: potential of all scales [m2]
    const float* deep[3];   // of the coarse scales
    const float* smooth[3]; // the roof, smoothed [m]
    const float* level;     // [m]
    const float* roof;      // [m]
    const float* skin;      // share of the stress that reaches the sand
    const float* ex;        // the wind
    const float* ey;
    const float* strength; // stress on flat ground over that of the fastest wind
    float* stress;
    float* drift;
    int32_t* capacity; // [units]
} flux_shear_row;

// What a row of load gives forward and back along one axis.
typedef struct flux_parts_row
{
    int32_t count;
    const int32_t* load;
    const float* e; // share of the wind along the axis
    float path;     // [cells] of one pass
    float spread;   // variance of one pass [cells2]
    int32_t* forward;
    int32_t* back;
} flux_parts_row;

// out = load - forward - back + what comes from both neighbours.
typedef struct flux_gather_row
{
    int32_t count;
    const int32_t* load;
    const int32_t* forward;
    const int32_t* back;
    const int32_t* from_behind; // the forward part of the cell behind
    const int32_t* from_ahead;  // the back part of the cell ahead
    int32_t* out;
} flux_gather_row;

// The load adjusts to what the wind can carry.
typedef struct flux_settle_row
{
    int32_t count;
    const int32_t* capacity; // [units]
    const int32_t* sand;     // [units]
    float share;             // of the difference that a pass settles
    int32_t* load;           // [units] in and out
    int32_t* change;         // [units] of the sand
} flux_settle_row;

// Share of a cell's sand that each of creep, drift and eddy may take over one of its faces: ten
// such shares are less than all.
#define FLUX_MOST_ROLLS 0.09f

// Constants of creep.
typedef struct flux_creep_law
{
    float slope;  // creep / cell [1/m]
    float most;   // [units] load beyond which creep grows no more
    float amount; // passes x path: a load's share that crosses a face per unit of drive
} flux_creep_law;

// One side of a row of faces.
typedef struct flux_bank
{
    const float* level;  // [m]
    const float* sand;   // [units]
    const int32_t* load; // [units]
    const float* drift;
    const float* e; // of the wind, along the face
} flux_bank;

// Sand that creeps over the faces between a row of cells and their neighbours ahead.
typedef struct flux_creep_row
{
    int32_t count;
    const flux_creep_law* law;
    flux_bank near;
    flux_bank far;
    float turn;    // 1 or -1: the sign of drift along the axis
    int32_t* flux; // [units] from near to far
} flux_creep_row;

// Constants of abrasion.
typedef struct flux_wear_law
{
    float rate;     // rock per load that crosses a cell in a step
    float per_cell; // [1/m] 1 / cell
    float edge;     // how much more convex edges wear
    float cover;    // [1/units] 1 / thickness of sand that covers rock
} flux_wear_law;

// Rock that flying sand wears.
typedef struct flux_wear_row
{
    int32_t count;
    const flux_wear_law* law;
    const float* level[3]; // north, here, south [m]
    const int32_t* sand;   // [units]
    const int32_t* load;   // [units]
    const float* stress;
    const float* ex;
    const float* ey;
    float* due; // [units] added to
} flux_wear_row;

typedef struct flux_kernels
{
    void (*level)(const flux_level_row* row, float range[2]); // of the roof; widened
    void (*mix)(const flux_mix_row* row);
    void (*raise)(const flux_raise_row* row);
    void (*look)(const flux_look_row* row);
    void (*across)(const flux_across_row* row);
    void (*along)(const flux_along_row* row);
    void (*shear)(const flux_shear_row* row);
    void (*parts)(const flux_parts_row* row);
    void (*gather)(const flux_gather_row* row);
    void (*settle)(const flux_settle_row* row);
    void (*creep)(const flux_creep_row* row);
    float (*wear)(const flux_wear_row* row); // the largest that is due
} flux_kernels;

extern const flux_kernels flux_kernels_base;
#if defined(WADI_X86_KERNELS)
extern const flux_kernels flux_kernels_avx2;
extern const flux_kernels flux_kernels_avx512;
#endif

// The build for an instruction set; NULL when there is none. The bits are the same with each.
const flux_kernels* flux_kernels_of(wadi_isa isa);
