// SPDX-License-Identifier: MIT
// Types of the saltation model: parcels, the ground they read and the constants of a batch. Shared
// by the kernels of all instruction sets and the scalar code. Lengths are cells, speeds are shares
// of the prevailing wind, which moves one cell per step. Equation numbers: docs/theory/wind.md.
#pragma once

#include "core/isa.h"
#include "laws/sand/sand_top.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    SALTATION_LANES = 32,    // parcels in lock step; with 16 a batch takes a fifth longer
    SALTATION_STRIDE = 4,    // steps per kernel call
    SALTATION_SCALES = 3,    // pairs of slope memory and look-ahead
    SALTATION_LOAD_PART = 16 // [units] loads are divided by this before they are summed
};

// A cell's sum holds sand laid down in the bits from this one on, and the load passed below it.
#define SALTATION_LAID ((int64_t)1 << 32)

// Cap of the speed-up in the wear of rock. The lower cap max_speedup would wear a whole windward
// face evenly, and tips no faster than faces.
#define SALTATION_FREE_SPEEDUP 3.0f

// Value of saltation_bed.sand in void cells.
#define SALTATION_VOID (-1.0f)

// State of a parcel between two batches.
typedef struct saltation_parcel
{
    float x; // [cells] from the north-western corner
    float y;
    float z; // above the datum
    float u; // [prevailing wind]
    float v;
    float w;
    float memory[SALTATION_SCALES]; // running means of the slope along the path
    int32_t load;                   // [units]
    int32_t left;                   // steps to the end of its life
    int32_t warmup;                 // steps without exchange, until its memories have settled
    uint32_t id;                    // keys its random numbers
    uint32_t births;
} saltation_parcel;

// Constants of a batch.
typedef struct saltation_law
{
    float ex; // unit vector of the prevailing wind
    float ey;
    float fall;        // settling speed
    float back;        // relaxation towards the prevailing wind per step
    float jitter;      // crosswind noise of a step, std / (unit of the noise)
    float layer;       // 1 / thickness of the saltation layer
    float max_slope;   // cap of slopes in the speed-up
    float max_speedup; // cap of the wind over dunes
    float remember[SALTATION_SCALES];
    float memory_gain[SALTATION_SCALES];
    float ahead_x[SALTATION_SCALES]; // offset of the look-ahead [cells]
    float ahead_y[SALTATION_SCALES];
    float ahead_slope[SALTATION_SCALES]; // 1 / distance
    float ahead_gain[SALTATION_SCALES];
    float threshold; // (threshold / wind)^2 of dry, bare sand
    float capacity;  // load per excess of squared speed [units]
    float adjust;    // relaxation of the load towards the capacity per step
    float settle;    // factor of that for deposition: 1 for sand, 0 for dust that stays aloft
    float lid;       // largest height of a parcel above the ground
    float take;      // largest share of a cell's frozen sand that a visit lifts
    float bare;      // sand below which a cell is rock [units]
    float hard_bed;  // capacity over rock over that over sand
    float wear;      // rate of rock wear per step [1]
    float fresh;     // load of an empty parcel in the wear of rock [units]
    float edge_wear;
    float inflow;   // load at an upwind edge [units]
    int32_t finish; // steps before the end of a life in which the load settles
    float width;    // [cells]
    float height;
    float wrap_x; // width where the edges are periodic, else 0
    float wrap_y;
    int32_t stride;     // of the frozen arrays, which have a rim of one ghost cell
    bool has_skin;      // `skin` varies by cell; else its first word holds for all
    bool has_aim;       // the wind varies by cell
    bool has_grip;      // crusts or coarse grains hold sand
    bool sampled;       // this batch is sampled for the maps
    uint32_t stream;    // of the random numbers
    uint32_t seed_low;  // of the terrain
    uint32_t seed_high; // of the terrain
} saltation_law;

// Values of a cell that a parcel reads together.
typedef struct saltation_bed
{
    float sand;  // loose matter [units], SALTATION_VOID in void cells
    float ahead; // wind factor of the ground ahead: 1 if that is level, below 1 if it rises
} saltation_bed;

// Unit vector along the wind of a cell.
typedef struct saltation_aim
{
    float ex; // to the east
    float ey; // to the south
} saltation_aim;

// Frozen ground, (height + 2) x (width + 2).
typedef struct saltation_ground
{
    const float* level; // surface above the datum [cells]
    const saltation_bed* bed;
    const int32_t* skin; // high half: threshold factor / 256, low half: share of the stress / 16384
    const saltation_aim* aim; // of local winds; read if law.has_aim
    const sand_grip* grip;    // of crusts and coarse grains; read if law.has_grip
} saltation_ground;

// Sums over the steps of a sampled batch, for the maps.
typedef struct saltation_sample
{
    int32_t load;   // [units / 16]
    int32_t flux_x; // load x speed [units / 16]
    int32_t flux_y;
    int32_t speed;    // of the wind near the ground [1/256 of the prevailing wind]
    int32_t contacts; // ground contact: 1 on the ground, 0 above the layer [1/256]
    int32_t along;    // speed along the prevailing wind [1/256]
    int32_t visits;
} saltation_sample;

// Sums of one worker, with the rim of the frozen arrays.
typedef struct saltation_sums
{
    int64_t* sand; // high half: sand laid down [units], low half: load that passed [units / 16]
    int32_t* wear; // rock worn, before hardness is applied [units]
    uint8_t* worn_rows; // 1: `wear` is not zero in that row of the terrain
    saltation_sample* samples;
} saltation_sums;

// Parcels in lock step, one array per member.
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
    int32_t warmup[SALTATION_LANES];
    uint32_t id[SALTATION_LANES];
    int32_t active[SALTATION_LANES]; // 1: takes steps, 0: stopped at an edge or over a void
    int32_t steps[SALTATION_LANES];
    uint32_t word[SALTATION_STRIDE]
                 [SALTATION_LANES]; // random: 16 bits for this stride, 16 for the next
} saltation_lanes;

// Take SALTATION_STRIDE steps on frozen ground.
typedef void saltation_fly_fn(const saltation_law* law, const saltation_ground* ground,
                              const saltation_sums* sums, saltation_lanes* lanes, uint32_t clock);

// A row of the grid between two batches. All pointers are at the row's first cell; floats and sums
// have a rim of one ghost cell.
typedef struct saltation_row
{
    int32_t count;
    ptrdiff_t stride;     // of level and rate
    const float* level;   // frozen surface [cells]
    int64_t* const* sums; // of each worker; the settle kernel clears them
    ptrdiff_t first;      // index of the row in `sums`
    int32_t workers;
    const int32_t* sand;
    uint32_t* passed;       // load that passed, summed over batches [units / 16]
    int32_t* change;        // [units]
    float* due;             // creep of the cells alone, before the mean over neighbours and limits
    const float* due_north; // of the rows beside this one
    const float* due_south;
    float* mean;    // buffer, with a cell more at both ends
    bool wraps;     // columns are periodic
    float* rate;    // sand that creeps per height difference to a neighbour [units / cell]
    float* later;   // rate above the stable limit, delayed to the next batch
    float* deposit; // map: sum of positive changes [units]; undefined in voids
    float creep;    // rate per load that passed
    float max_rate;
} saltation_row;

// Compute the change of a row by the parcels, limited by its sand, and the creep due. Returns the
// excess: sand that parcels lifted beyond the cells' supply [units x cells].
typedef int64_t saltation_settle_fn(const saltation_row* row);
// Rates of creep before limits: the mean of the creep due over neighbours.
typedef void saltation_even_fn(const saltation_row* row);
// Limit the rates of creep by stability and by the sand that `change` leaves.
typedef void saltation_limit_fn(const saltation_row* row);
// Add the creep between this row and its neighbours to `change`, and gains to the deposit map.
typedef void saltation_creep_fn(const saltation_row* row);

// A row whose changes are spread.
typedef struct saltation_weigh_row
{
    const saltation_law* law;
    int32_t count;
    ptrdiff_t stride; // of level
    const float* level;
    const int32_t* sand;      // [units]
    float steepness;          // 1 / downward slope at which the weight is 0
    float thin;               // sand below which the weight is 0 [units]
    const saltation_aim* aim; // NULL: the wind of `law`
    float* weight;            // out: 0 to 1; -1 on thin sand
} saltation_weigh_row;

typedef struct saltation_spread_cells
{
    int32_t* change;     // [units]
    const int32_t* sand; // [units]
    const float* level;  // [cells]
    float* weight;       // below 0: nothing is spread
    float* west;         // weights of the faces to the west of the cells, and of one face more
    float* south;        // weights of the faces to the south
    float levelness;     // 1 / difference in level at which nothing is spread along a slip face
} saltation_spread_cells;

typedef void saltation_weigh_fn(const saltation_weigh_row* row);
typedef void saltation_spread_west_fn(const saltation_spread_cells* row, int32_t count, bool wraps);
typedef void saltation_spread_south_fn(const saltation_spread_cells* a,
                                       const saltation_spread_cells* b, int32_t count);
typedef void saltation_spread_along_fn(const saltation_spread_cells* row, int32_t count,
                                       int32_t* flux);
typedef void saltation_spread_across_fn(const saltation_spread_cells* a,
                                        const saltation_spread_cells* b, int32_t count,
                                        int32_t* flux);
typedef void saltation_spread_add_fn(const int32_t* in, const int32_t* out, int32_t count,
                                     int32_t* change);

// A row of the bed, computed from the levels ahead of it.
typedef struct saltation_ahead_row
{
    const saltation_law* law;
    int32_t count;
    const float* level;
    const float* far[SALTATION_SCALES]; // levels ahead of columns 0 to `count`
    float part[SALTATION_SCALES];       // fraction between two columns of `far`
    const int32_t* sand;                // [units]
    saltation_bed* bed;
} saltation_ahead_row;

typedef void saltation_ahead_fn(const saltation_ahead_row* row);
// out = a + part x (b - a), `count` cells
typedef void saltation_blend_fn(const float* a, const float* b, float part, int32_t count,
                                float* out);

// Find steep stretches among up to eight of WADI_TALUS_STRETCH cells in a row. Bit b is set if a
// cell of stretch b has a downward slope above `least`.
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
    saltation_even_fn* even;
    saltation_limit_fn* limit;
    saltation_weigh_fn* weigh;
    saltation_spread_west_fn* spread_west;
    saltation_spread_south_fn* spread_south;
    saltation_spread_along_fn* spread_along;
    saltation_spread_across_fn* spread_across;
    saltation_spread_add_fn* spread_add;
    saltation_creep_fn* creep;
    saltation_steep_fn* steep;
} saltation_kernels;

WADI_ISA_KERNELS(saltation_kernels)
