// SPDX-License-Identifier: MIT
// What a grain is and the law it follows: docs/theory/wind-grains.md has the equations. Shared by
// the kernels of all instruction sets and by the scalar paths.
#pragma once

#include "lockstep/bed.h"
#include "lockstep/grant.h"

enum
{
    GRAIN_LANES = 32,     // grains that take their steps together: two AVX-512 vectors
    GRAIN_CHUNK_BITS = 6, // cells are looked after in chunks of 64
    GRAIN_CHUNK = 1 << GRAIN_CHUNK_BITS,
    GRAIN_BARE = -1, // `sand` of a cell of bare rock
    GRAIN_VOID = -2  // `sand` of a cell without data
};

// Most that a grain takes or lays down in a step [units]: keeps sums of a batch in 31 bits.
#define GRAIN_MOST 4194304.0f

// One grain between two batches. Horizontal lengths in cells, heights in units.
typedef struct grain
{
    float x;
    float y;
    float z;      // above the datum [units]
    float u;      // [cells per unit of time]
    float v;      //
    float w;      // upwards [article's heights per unit of time]
    float rest;   // lift that was too small for a whole unit
    float fallen; // deposition, likewise
    float dust;   // rock rubbed off, likewise
    int32_t load; // [units]
    int32_t cell; // where it stands (padded index)
    int32_t age;  // [steps]
    int32_t state;
} grain;

enum
{
    GRAIN_FLIES,
    GRAIN_ENDED,
    GRAIN_PARKED // has come round on a torus and waits until the next grain is due
};

// Frozen ground: one cell, in one cache line. Kernels read it as four words.
typedef struct grain_cell
{
    float level;  // surface above the datum [units]
    float lean_x; // gradient of the surface [1]
    float lean_y;
    int32_t sand; // most that one visit may take [units], GRAIN_BARE or GRAIN_VOID
} grain_cell;

// Constants of one run.
typedef struct grain_law
{
    float step;    // dt
    float drive;   // 0.1 dt: share of the way back to the prevailing wind
    float gravity; // dt g
    float rise;    // units that a speed of 1 upwards climbs in a step
    float wind_x;  // prevailing wind [cells per unit of time]
    float wind_y;
    float lift;  // units taken per speed and unit of depth
    float rub;   // units of rock rubbed off per speed, unit of depth and mass of the grain
    float mass;  // of a grain without load
    float light; // mass of a unit of load
    float fall;  // share of its load that a flying grain lays down in a step
    int32_t width;
    int32_t height;
    int32_t stride; // of padded arrays: width + 2
} grain_law;

// Grains in lock step, one array a member.
typedef struct grain_lanes
{
    float x[GRAIN_LANES];
    float y[GRAIN_LANES];
    float z[GRAIN_LANES];
    float u[GRAIN_LANES];
    float v[GRAIN_LANES];
    float w[GRAIN_LANES];
    float rest[GRAIN_LANES];
    float fallen[GRAIN_LANES];
    float dust[GRAIN_LANES];
    float level[GRAIN_LANES]; // of the cell where it stands
    float lean_x[GRAIN_LANES];
    float lean_y[GRAIN_LANES];
    int32_t sand[GRAIN_LANES];
    int32_t load[GRAIN_LANES];
    int32_t cell[GRAIN_LANES];
    int32_t laid[GRAIN_LANES];   // half of the last drop, for the cell where it stands now [units]
    int32_t stirs[GRAIN_LANES];  // 1: that cell cascades once more
    int32_t active[GRAIN_LANES]; // 1: takes steps
    int32_t crossing[GRAIN_LANES]; // 1: stopped by an edge or a cell without data
    int32_t steps[GRAIN_LANES];
    int32_t contacts[GRAIN_LANES];
    int32_t lifted[GRAIN_LANES]; // gross, in this batch [units]
} grain_lanes;

// Sums of one cell, in one cache line.
typedef struct grain_sum
{
    int64_t moved;  // particle_entry() of sand, visits counting cascades
    int64_t demand; // sand demanded in the first run of a batch [units]; in the second: the grant
} grain_sum;

// Sums of the grains of one worker, by padded cell.
typedef struct grain_sums
{
    grain_sum* cells;
    int32_t* rubs;  // rock rubbed off [units]
    uint8_t* flags; // of chunks that were visited
} grain_sums;

// Take `count` steps on frozen ground. `granted`: by the grants in `sums`; the first run of a batch
// takes all.
typedef void grain_steps_fn(const grain_law* law, const grain_cell* cells, const grain_sums* sums,
                            bool granted, grain_lanes* lanes, int32_t count);
