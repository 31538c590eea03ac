// SPDX-License-Identifier: MIT
// What a droplet is and the law it follows. Shared by the kernels of all
// instruction sets and by the scalar paths, so that there is one form of every equation.
#pragma once

#include "particle/bed.h"

enum
{
    // droplets that take their steps together: four AVX-512 vectors, eight of AVX2. 32 lanes take 4
    // % longer in cache and 7 % at 1024 x 1024, 16 a quarter: a step's chain of operations, with a
    // cache miss in it, is longer than the work
    DROPLET_LANES = 64,
    DROPLET_WATER_PARTS =
        16 // visits that a full droplet counts for: a map of water, not of droplets
};

// Largest load [units]: keeps load and exchange in 31 bits on any ground (15 km of rock a cell).
#define DROPLET_LOAD_LIMIT 1.0e9f

// One droplet between two rounds.
typedef struct droplet
{
    float x; // [cells]
    float y;
    float u; // [cells per unit of time]
    float v;
    float volume; // share of what it started with
    float pull;   // step / (density x volume x PARTICLE_NORMAL_SCALE)
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
    float burden;   // 1; 0: demand as if the droplet were empty (see droplet_run_ask)
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

// Take `count` steps on frozen ground, adding to the sums of cells; or, where `demands` are given,
// to them. `shares` says how much of a demand each cell can meet; NULL: all of it.
typedef void droplet_kernel_fn(const droplet_law* law, particle_cell* cells, const float* shares,
                               int64_t* demands, droplet_lanes* lanes, int32_t count);

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
