// SPDX-License-Identifier: MIT
// Row kernels of the flux model, compiled once for each instruction set. All of them gather: a cell
// is computed from rows that are not written meanwhile, by the same operations in the same order.
// Thus neither the threads nor the position on a torus change a bit.
#pragma once

#include "core/isa.h"

#include <stddef.h>
#include <stdint.h>

// Convert heights from units to metres, and add plants for the roof.
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

// out = max(here, value of `from` `shift` cells upwind - drop).
typedef struct flux_raise_row
{
    int32_t count;
    const float* here;
    const float* from; // readable shift + 1 cells beyond the ends
    ptrdiff_t shift;   // cell x reads cell x - shift
    ptrdiff_t beside;  // -1 or 1: offset to the second cell of the interpolation
    float share;       // weight of the second cell
    float drop;        // [m]
    float* out;
} flux_raise_row;

// The same for a wind that varies from cell to cell.
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
    int32_t turn_x; // period of a periodic grid [columns]; 0: not periodic
    int32_t turn_y;
    int32_t reach; // [cells] upwind along the major axis of the wind; below 0: downwind
    float drop;    // descent over `reach` cells [m]
    float* out;
} flux_look_row;

// Weights of a symmetric stencil of five cells.
typedef struct flux_taps
{
    float centre;
    float side;
    float outer;
} flux_taps;

// Smoothing across rows: out is the weighted sum of five rows, north to south.
typedef struct flux_across_row
{
    int32_t count;
    const float* from[5];
    flux_taps taps;
    float* out;
} flux_across_row;

// Smoothing along a row, over cells `spacing` apart; the result times `weight` is added to `sum`.
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
    float across;     // gain of oblique ridges over that of ridges across the wind
    float cap;        // largest stress over that on flat ground
    float threshold;  // stress threshold over the stress of the fastest wind
    float saturated;  // load per excess of stress [units]
    float shelter;    // 1 / depth of shelter at which the wind is 0 [1/m]
    float deflection; // d A / cell squared [1/m2]
    float exposure;   // stress per height above the neighbourhood [1/m]
} flux_shear_law;

// Stress, saturated load and drift across the wind of one row.
typedef struct flux_shear_row
{
    int32_t count;
    const flux_shear_law* law;
    const float* shape[3];  // north, here, south: potential of all scales [m2]
    const float* deep[3];   // potential of the coarse scales [m2]
    const float* smooth[3]; // the roof, smoothed [m]
    const float* level[3];  // [m]
    const float* roof;      // [m]
    const float* plants;    // [m] height
    const float* skin;      // share of the stress that reaches the ground
    const float* bond;      // threshold over that of dry sand
    const float* ex;        // the wind
    const float* ey;
    const float* strength; // stress on flat ground over that of the fastest wind
    float* stress;
    float* drift;
    int32_t* capacity; // [units]
} flux_shear_row;

// Outflow of a row of load along one axis, forward and backward.
typedef struct flux_parts_row
{
    int32_t count;
    const int32_t* load;
    const float* e; // component of the wind along the axis
    float path;     // displacement of one pass [cells]
    float spread;   // variance of one pass [cells2]
    int32_t* forward;
    int32_t* back;
} flux_parts_row;

// out = load - forward - back + inflow from both neighbours.
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

// Relaxation of the load towards the capacity; and the load that makes the sand creep: the mean
// over both passes of a step of the load that arrives.
typedef struct flux_settle_row
{
    int32_t count;
    const int32_t* capacity; // [units]
    const int32_t* lift;     // [units] up to which held sand is lifted; NULL: `capacity`
    const int32_t* supply;   // [units] of it that may be lifted
    const int32_t* sand;     // [units]
    float hard;              // excess of the capacity over bare rock, as a share of that over sand
    float cover;             // [1/units] 1 / thickness of sand that covers rock
    float share;             // relaxation in a pass
    int32_t* load;           // [units] in and out
    int32_t* change;         // [units] of the sand
    const float* skin;       // share of the stress that reaches the ground
    const float* bond;       // threshold over that of dry sand
    int32_t* arrived;        // [units]
    int32_t pass;            // 0 or 1
} flux_settle_row;

// Largest share of a cell's sand that creep, drift or an eddy may each move over one face. All of
// them over all faces are at most ten such shares, less than the whole.
#define FLUX_MOST_ROLLS 0.09f

// Constants of creep.
typedef struct flux_creep_law
{
    float slope;  // creep / cell [1/m]
    float most;   // load above which creep stops growing [units]
    float amount; // passes x path: share of the load that crosses a face per unit of slope
} flux_creep_law;

// One side of a row of faces.
typedef struct flux_bank
{
    const float* level;  // [m]
    const float* sand;   // [units]
    const int32_t* load; // [units]
    const float* drift;
    const float* e; // component of the wind along the face
} flux_bank;

// Creep over the faces between a row of cells (near) and its eastern or southern neighbours (far).
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
    float edge;     // extra wear of convex edges
    float cover;    // [1/units] 1 / thickness of sand that covers rock
    float above;    // [1/m] 1 / height over which the abrasion falls to a third; 0: no limit
} flux_wear_law;

enum
{
    FLUX_WEAR_CELLS = 64 // cells of a row that are skipped together where sand covers the rock
};

// Wear of rock by sand in the air.
typedef struct flux_wear_row
{
    int32_t count;
    const flux_wear_law* law;
    const float* level[3]; // north, here, south [m]
    const float* floor;    // lowest ground around, on which grains fly [m]
    const int32_t* sand;   // [units]
    const int32_t* load;   // [units]
    const float* stress;
    const float* ex;
    const float* ey;
    float* due; // worn rock is added here [units]
} flux_wear_row;

typedef struct flux_kernels
{
    void (*level)(const flux_level_row* row, float range[2]); // extends range by the roof
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
    float (*wear)(const flux_wear_row* row); // returns the largest `due` of bare rock
} flux_kernels;

WADI_ISA_KERNELS(flux_kernels)
