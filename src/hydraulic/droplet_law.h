// SPDX-License-Identifier: MIT
// What a droplet is, the ground it reads and the law it follows. Shared by the kernels of all
// instruction sets and by the scalar paths, so that there is one form of every equation.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum
{
    // droplets that take their steps together: two AVX-512 vectors, four of AVX2. 16 lanes take a
    // fifth longer: a step's chain of operations is longer than the work in it
    DROPLET_LANES = 32,
    // low bits of a cell's sum that hold matter [units]; the rest counts water [1/16 droplet]
    DROPLET_MATTER_BITS = 40,
    DROPLET_WATER_PARTS = 16,
    DROPLET_CHUNK = 64,           // cells of a row that are planned together
    DROPLET_TILE = 255,           // columns that are frozen together: with one more, whole vectors
    DROPLET_SPILL_MOST = 1 << 30, // units that a cell spills in a round at most; more waits
    DROPLET_NORMAL_VOID = INT32_MIN // packed normal of a cell without data
};

// Largest load [units]: keeps load and exchange in 31 bits on any ground (15 km of rock a cell).
#define DROPLET_LOAD_LIMIT 1.0e9f

// Packed normals are int16 pairs; no component of the article's normal exceeds 0.583.
#define DROPLET_NORMAL_SCALE (32767.0f / 0.6f)

// Frozen ground: one cell's surface and the horizontal part of its normal, in one cache line.
typedef struct droplet_ground
{
    float level;    // surface above the datum [units]
    int32_t normal; // x in the low half, y in the high half, DROPLET_NORMAL_SCALE
} droplet_ground;

// One droplet between two rounds.
typedef struct droplet
{
    float x; // [cells]
    float y;
    float u; // [cells per unit of time]
    float v;
    float volume; // share of what it started with
    float pull;   // step / (density x volume x DROPLET_NORMAL_SCALE)
    float rest;   // exchange that was too small for a whole unit
    int32_t load; // [units]
    int32_t cell; // where it stands
} droplet;

// Constants of one run; see docs/theory/droplets.md.
typedef struct droplet_law
{
    float step;  // dt
    float drag;  // 1 - dt friction
    float rate;  // dt k
    float gain;  // published dt / dt: makes the capacity independent of the step
    float reach; // cells that a step goes, per pace after friction
    float keep;  // 1 - dt evaporation
    float grow;  // 1 / keep
    float pull;  // of a fresh droplet
    float min_volume;
    float far2;     // square of the speed that moves half a cell in a step
    float burden;   // 1; 0: demand as if the droplet were empty (see droplet_demand.c)
    float rounding; // of what is taken, before the fraction is cut off
    float memory;   // 1: fractions, and what it did to the last two cells, stay with the droplet
    int32_t width;
    int32_t height;
} droplet_law;

// Droplets in lock step, one array a member.
typedef struct droplet_lanes
{
    float x[DROPLET_LANES];
    float y[DROPLET_LANES];
    float u[DROPLET_LANES];
    float v[DROPLET_LANES];
    float volume[DROPLET_LANES];
    float pull[DROPLET_LANES];
    float rest[DROPLET_LANES];
    float level[DROPLET_LANES]; // of the ground at `cell`, with what this droplet did to it
    float before_level[DROPLET_LANES];
    int32_t before[DROPLET_LANES]; // cell that it came from, -1: none
    int32_t normal[DROPLET_LANES];
    int32_t load[DROPLET_LANES];
    int32_t cell[DROPLET_LANES];
    int32_t active[DROPLET_LANES];   // 1: takes steps, 0: ended or waiting at an edge
    int32_t crossing[DROPLET_LANES]; // 1: stepped over an edge or onto a cell without data
    int32_t steps[DROPLET_LANES];
    int32_t useful[DROPLET_LANES];
} droplet_lanes;

// Take `count` steps on frozen ground, adding to `sums`. `shares` says how much of a demand each
// cell can meet; NULL: all of it.
typedef void droplet_kernel_fn(const droplet_law* law, const droplet_ground* ground,
                               const float* shares, int64_t* sums, droplet_lanes* lanes,
                               int32_t count);

// A tile of ground to freeze: normals and float levels from padded levels, of which one row and
// column around the tile is read.
typedef struct droplet_freeze_tile
{
    const int32_t* levels; // of the first cell
    ptrdiff_t stride;      // [cells]
    int32_t rows;
    int32_t columns; // at most DROPLET_TILE
    int32_t datum;
    float cells_per_unit;
    droplet_ground* out;
    ptrdiff_t out_stride;
} droplet_freeze_tile;

typedef void droplet_freeze_fn(const droplet_freeze_tile* tile);

// One row of a plan. Levels are padded: -1 and width may be read.
typedef struct droplet_plan_rows
{
    const int32_t* north; // levels
    const int32_t* own;
    const int32_t* south;
    int64_t* sums;    // in: what droplets moved; out: matter that has to wait
    float* flow;      // water is added
    int32_t* changes; // out
    int32_t* spills;  // out: + excess, - debt
} droplet_plan_rows;

// Plan up to DROPLET_CHUNK cells of a row: each may go to its lowest or highest neighbour and
// `slack` half units beyond. Returns 0 when nothing spills.
typedef int32_t droplet_plan_fn(const droplet_plan_rows* rows, int32_t begin, int32_t count,
                                int32_t slack);

// Level of a cell that is not there: beyond an edge, or without data.
#define DROPLET_MISSING INT32_MIN

typedef struct droplet_isa
{
    const char* name;
    droplet_kernel_fn* kernel;
    droplet_freeze_fn* freeze;
    droplet_plan_fn* plan;
} droplet_isa;

// The best of what this processor has, or one by name ("base", "avx2", "avx512"; NULL when it is
// not there).
const droplet_isa* droplet_isa_best(void);
const droplet_isa* droplet_isa_named(const char* name);

// What a droplet gains [units] of the ground it leaves: the article's mass transfer towards the
// equilibrium, its concentration times volume. It takes at most half of the fall to the next cell
// on its way: a step of many cells would dig a pit where it starts (1.1 % less wear on the
// article's noise).
static inline float droplet_exchange(const droplet_law* law, float volume, float pace, float fall,
                                     float load)
{
    const float downhill = fall > 0.0f ? fall : 0.0f;
    const float full = volume * volume * pace * law->gain * downhill;
    const float equal = full < DROPLET_LOAD_LIMIT ? full : DROPLET_LOAD_LIMIT;
    const float want = law->rate * (equal - load);
    const float cells = pace * law->reach;
    const float most = 0.5f * downhill / (cells > 1.0f ? cells : 1.0f);
    return want < most ? want : most;
}

// Nearest whole number, halves away from zero.
static inline int32_t droplet_round(float amount)
{
    return (int32_t)(amount + (amount < 0.0f ? -0.5f : 0.5f));
}

// Matter in a cell's sum.
static inline int64_t droplet_matter(int64_t sum)
{
    return (int64_t)((uint64_t)sum << (64 - DROPLET_MATTER_BITS)) >> (64 - DROPLET_MATTER_BITS);
}

// Water in a cell's sum: matter below zero borrows one from it.
static inline int32_t droplet_water(int64_t sum)
{
    return (int32_t)((sum + ((int64_t)1 << (DROPLET_MATTER_BITS - 1))) >> DROPLET_MATTER_BITS);
}

// Entry of a cell's sum: what the droplet took, and the water that it brought along.
static inline int64_t droplet_entry(int32_t taken, int32_t water)
{
    return ((int64_t)water << DROPLET_MATTER_BITS) - taken;
}
