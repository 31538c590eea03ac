// SPDX-License-Identifier: MIT
// What a parcel is, the ground it reads and the law it follows. Shared by the kernels of all
// instruction sets and by the scalar paths. Lengths are cells, speeds are shares of the prevailing
// wind: a step is one cell of that wind. docs/theory/wind.md has the equations by number.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    SALTATION_LANES = 32,    // parcels that take their steps together: 16 take a fifth longer
    SALTATION_STRIDE = 4,    // steps of a call of the kernel
    SALTATION_SCALES = 3,    // pairs of slope memory and look-ahead
    SALTATION_LOAD_PART = 16 // loads are summed in this many units
};

// Sand laid down counts from this bit of a cell's sum on; below it, the load that passed.
#define SALTATION_LAID ((int64_t)1 << 32)

// Cap of the speed-up where it wears rock: with max_speedup all of a windward face would wear
// alike, and no tip more than a face.
#define SALTATION_FREE_SPEEDUP 3.0f

// Sand of a frozen cell that is no cell: void.
#define SALTATION_VOID (-1.0f)

// One parcel between two batches.
typedef struct saltation_parcel
{
    float x; // [cells] from the north-western corner
    float y;
    float z; // above the datum
    float u; // [prevailing wind]
    float v;
    float w;
    float memory[SALTATION_SCALES]; // slopes of the path behind
    int32_t load;                   // [units]
    int32_t left;                   // steps to the end of its life
    int32_t mute;                   // steps without exchange: its memories fill
    uint32_t id;                    // keys its random numbers
    uint32_t births;
} saltation_parcel;

// Constants of a batch.
typedef struct saltation_law
{
    float ex; // unit vector of the prevailing wind
    float ey;
    float fall;        // descent of a settled grain per path
    float back;        // share of the way back to the prevailing wind in a step
    float jitter;      // crosswind noise of a step, std / (unit of the noise)
    float layer;       // 1 / thickness of the saltation layer
    float max_slope;   // cap of any slope that the speed sees
    float max_speedup; // cap of the wind over dunes
    float remember[SALTATION_SCALES];
    float memory_gain[SALTATION_SCALES];
    float ahead_x[SALTATION_SCALES]; // where the look-ahead looks
    float ahead_y[SALTATION_SCALES];
    float ahead_slope[SALTATION_SCALES]; // 1 / distance
    float ahead_gain[SALTATION_SCALES];
    float threshold; // (threshold / wind)^2 of dry, bare sand
    float capacity;  // load per excess of squared speed [units]
    float adjust;    // share of the way to capacity in a step
    float settle;    // of that on the way down: 1 for sand, 0 for dust that stays aloft
    float lid;       // height above the ground that nothing rises over
    float take;      // most of a cell's frozen sand that a visit lifts
    float bare;      // sand below which a cell is rock [units]
    float hard_bed;  // capacity over rock, as a share
    float wear;      // of rock, per step [1]
    float fresh;     // load of a grain that carries nothing but itself [units]
    float edge_wear;
    float inflow;   // load at an upwind edge [units]
    int32_t finish; // steps before the end of a life in which the load settles
    float width;    // [cells]
    float height;
    float wrap_x; // width where the edges are periodic, else 0
    float wrap_y;
    int32_t stride;     // of the frozen arrays, which have a rim of one cell
    bool has_skin;      // `skin` has a word for each cell; else the first counts for all
    bool sampled;       // this batch
    uint32_t stream;    // of the random numbers
    uint32_t seed_low;  // of the terrain
    uint32_t seed_high; // of the terrain
} saltation_law;

// What a parcel reads of its cell, side by side in memory.
typedef struct saltation_bed
{
    float sand;  // loose matter [units], SALTATION_VOID in void cells
    float ahead; // what the ground ahead leaves of the wind: 1 where that is as high as here
} saltation_bed;

// Frozen ground, (height + 2) x (width + 2).
typedef struct saltation_ground
{
    const float* level; // surface above the datum [cells]
    const saltation_bed* bed;
    const int32_t* skin; // high half: threshold factor / 256, low half: share of the stress / 16384
} saltation_ground;

// What the maps are made of: sums over the steps of a batch that is sampled.
typedef struct saltation_sample
{
    int32_t load;   // [units / 16]
    int32_t flux_x; // load x speed [units / 16]
    int32_t flux_y;
    int32_t speed;    // of the wind near the ground [1/256 of the prevailing wind]
    int32_t contacts; // weight of the ground [1/256]
    int32_t along;    // speed along the prevailing wind [1/256]
    int32_t visits;
} saltation_sample;

// What a worker adds to, each with the rim of the frozen arrays.
typedef struct saltation_sums
{
    int64_t* sand; // high half: sand laid down [units], low half: load that passed [units / 16]
    int32_t* wear; // rock worn, as hardness 0 would give it [units]
    uint8_t* worn_rows; // 1: `wear` has something in that row of the terrain
    saltation_sample* samples;
} saltation_sums;

// Parcels in lock step, one array a member.
typedef struct saltation_lanes
{
    float x[SALTATION_LANES];
    float y[SALTATION_LANES];
    float z[SALTATION_LANES];
    float u[SALTATION_LANES];
    float v[SALTATION_LANES];
    float w[SALTATION_LANES];
    float memory[SALTATION_SCALES][SALTATION_LANES];
    int32_t load[SALTATION_LANES];
    int32_t left[SALTATION_LANES];
    int32_t mute[SALTATION_LANES];
    uint32_t id[SALTATION_LANES];
    int32_t active[SALTATION_LANES]; // 1: takes steps, 0: stopped at an edge or at its end
    int32_t steps[SALTATION_LANES];
    uint32_t word[SALTATION_STRIDE]
                 [SALTATION_LANES]; // random: a half for this stride, one for the next
} saltation_lanes;

// Take SALTATION_STRIDE steps on frozen ground.
typedef void saltation_fly_fn(const saltation_law* law, const saltation_ground* ground,
                              const saltation_sums* sums, saltation_lanes* lanes, uint32_t clock);

// Rows of the grid between two batches. All pointers are at the row's first cell; floats and sums
// have a rim of one cell.
typedef struct saltation_row
{
    int32_t count;
    ptrdiff_t stride;     // of level and rate
    const float* level;   // frozen surface [cells]
    int64_t* const* sums; // of each worker; cleared
    ptrdiff_t first;      // of the row in them
    int32_t workers;
    const int32_t* sand;
    uint32_t* passed; // load that passed, summed over batches [units / 16]
    int32_t* change;  // [units]
    float* rate;      // sand that creeps per fall to a neighbour [units / cell]
    float* later;     // rate that has to wait
    float* deposit;   // map: changes above 0 [units]; of voids it has no meaning
    float creep;      // rate per load that passed
    float max_rate;
} saltation_row;

// Settle what parcels did to a row: what the ground gives, and how fast it creeps. Returns what
// parcels hold that the ground never had [units x cells].
typedef int64_t saltation_settle_fn(const saltation_row* row);
// Add creep to `change`, from the rates of this row and those beside it, and that to the map.
typedef void saltation_creep_fn(const saltation_row* row);

// A row of the bed, from the levels of the ground ahead of it.
typedef struct saltation_ahead_row
{
    const saltation_law* law;
    int32_t count;
    const float* level;
    const float* far[SALTATION_SCALES]; // levels ahead of column 0 up to `count`, at a column's
    float part[SALTATION_SCALES];       // edge, and how far the wind looks into it
    const int32_t* sand;                // [units]
    saltation_bed* bed;
} saltation_ahead_row;

typedef void saltation_ahead_fn(const saltation_ahead_row* row);
// out = a + part x (b - a), `count` cells
typedef void saltation_blend_fn(const float* a, const float* b, float part, int32_t count,
                                float* out);

// Which of up to eight stretches of a row, WADI_TALUS_STRETCH cells each, have a cell that falls
// more steeply than `least`: bit b for stretch b.
typedef struct saltation_steep_row
{
    const float* level;
    ptrdiff_t stride;
    int32_t count;
    float least; // [1] tangent
} saltation_steep_row;

typedef uint8_t saltation_steep_fn(const saltation_steep_row* row);

// The kernels of one instruction set.
typedef struct saltation_kernels
{
    saltation_fly_fn* fly;
    saltation_blend_fn* blend;
    saltation_ahead_fn* ahead;
    saltation_settle_fn* settle;
    saltation_creep_fn* creep;
    saltation_steep_fn* steep;
} saltation_kernels;

extern const saltation_kernels saltation_kernels_base;
extern const saltation_kernels saltation_kernels_avx2;
extern const saltation_kernels saltation_kernels_avx512;
