// SPDX-License-Identifier: MIT
// State and law of a droplet. The kernels of all instruction sets and the scalar paths share them,
// so that each equation exists once.
#pragma once

#include "lockstep/bed.h"

enum
{
    // droplets in lock step: four AVX-512 vectors, eight of AVX2. 32 lanes take 4 % longer in cache
    // and 7 % at 1024 x 1024, 16 lanes 25 %: latency of a step, with its cache miss, exceeds the
    // work
    DROPLET_LANES = 64,
    DROPLET_ALIGN = 64, // [bytes] of lanes: vectors across two cache lines took 15 % longer
    DROPLET_WATER_PARTS =
        16 // weight of a full droplet in the visits of a cell, which count water, not droplets
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
    float volume; // share of the initial volume
    float pull;   // step / (density x volume x PARTICLE_NORMAL_SCALE)
    float rest;   // transfer too small for a whole unit, for the next step
    int32_t load; // [units]
    int32_t cell; // current cell
} droplet;

// Constants of one run; see docs/theory/droplets.md.
typedef struct droplet_law
{
    float step;  // dt
    float drag;  // 1 - dt friction
    float rate;  // dt k
    float gain;  // published dt / dt: makes the capacity independent of the step
    float reach; // length of a step [cells] per unit of velocity after friction
    float keep;  // 1 - dt evaporation: volume per step
    float grow;  // 1 / keep
    float pull;  // of a fresh droplet
    float min_volume;
    float far2; // square of the speed that moves half a cell in a step
    int32_t width;
    int32_t height;
} droplet_law;

// Droplets in lock step, one array per member.
typedef struct droplet_lanes
{
    _Alignas(DROPLET_ALIGN) float x[DROPLET_LANES];
    float y[DROPLET_LANES];
    float u[DROPLET_LANES];
    float v[DROPLET_LANES];
    float volume[DROPLET_LANES];
    float pull[DROPLET_LANES];
    float rest[DROPLET_LANES];
    float level[DROPLET_LANES]; // of the ground at `cell`, with this droplet's changes
    float before_level[DROPLET_LANES];
    int32_t before[DROPLET_LANES]; // previous cell; -1: none
    int32_t normal[DROPLET_LANES];
    int32_t load[DROPLET_LANES];
    uint32_t grant[DROPLET_LANES]; // of `cell`; only in mode DROPLET_GRANTED
    int32_t cell[DROPLET_LANES];
    int32_t active[DROPLET_LANES];   // 1: takes steps, 0: ended or waiting at an edge
    int32_t crossing[DROPLET_LANES]; // 1: stepped over an edge or onto a cell without data
    int32_t steps[DROPLET_LANES];
    int32_t useful[DROPLET_LANES];
} droplet_lanes;

// A round runs once, or on limited ground twice (lockstep/grant.h).
typedef enum droplet_mode
{
    DROPLET_FREE,   // takes what it wants
    DROPLET_DEMAND, // first of two runs: sums up what empty droplets would take
    DROPLET_GRANTED // second: takes what the cells grant
} droplet_mode;

// Take `count` steps on frozen ground and add to the sums of cells. `grants` is read by
// DROPLET_GRANTED alone.
typedef void droplet_steps_fn(const droplet_law* law, particle_cell* cells, const uint32_t* grants,
                              droplet_mode mode, droplet_lanes* lanes, int32_t count);

// Transfer from the ground to the droplet [units]: the article's relaxation to the equilibrium,
// concentration times volume. It is at most half of the fall to the next cell; otherwise a step
// over many cells digs a pit at its start (the limit reduces erosion of the article's noise by
// 1.1 %).
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
