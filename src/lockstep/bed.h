// SPDX-License-Identifier: MIT
// The ground as particles see it. During a round particles run over a frozen surface and add
// erosion and deposition to an integer sum per cell; then the ground is changed. Integer sums
// commute, so the bits do not depend on threads, lanes or the order of particles.
//
// A process has its own particles, law and kernel. One round of it:
//     wadi_particle_bed_open_demands  only on limited ground: a first run then subtracts demands
//     wadi_particle_bed_grant         from `sum`, and this makes grants of them (grant.h)
//     (its own kernel)                reads its worker's `cells`, adds particle_entry() to `sum`
//     wadi_particle_bed_settle        changes the ground, freezes it again
#pragma once

#include "core/internal.h"
#include "core/isa.h"
#include "terrain/ground.h"

#include <wadi/archive.h>

enum
{
    // low bits of a cell's sum that hold matter [units]; the rest counts visits
    PARTICLE_MATTER_BITS = 40
};

// Packed normals are int16 pairs. No component of the articles' normal exceeds 0.583.
#define PARTICLE_NORMAL_SCALE (32767.0f / 0.6f)
// Packed normal of a cell without data.
#define PARTICLE_NORMAL_VOID INT32_MIN
// Level of a missing cell: beyond an edge, or without data.
#define PARTICLE_MISSING INT32_MIN

// A cell as a particle sees it. The members read on arrival lie beside the sum written on
// departure, so a step waits for one cache line instead of two.
typedef struct particle_cell
{
    float level;    // frozen surface above the datum [units]
    int32_t normal; // horizontal part, x in the low half, y in the high half, PARTICLE_NORMAL_SCALE
    int64_t sum;    // of particle_entry() over this round; in a first run, minus the demand
} particle_cell;

// Sums of one worker, merged after the round.
typedef struct particle_worker
{
    particle_cell* cells; // (height x width)
    wadi_tally tally;
    int64_t steps;
    int64_t useful;  // steps that moved at least half a cell or exchanged matter
    int64_t moved;   // |changes| of this round [units x cells]
    int64_t deficit; // part of it that the cell itself could not lose
} particle_worker;

typedef struct bed_kernels bed_kernels;

typedef struct particle_bed
{
    wadi_context* context;
    wadi_ground* ground;
    const bed_kernels* kernels;
    particle_worker* workers;
    int32_t worker_count;
    int32_t* levels;  // surface [units], (height + 2) x (width + 2): a rim around the grid
    int32_t datum;    // [units] zero of the frozen levels
    int32_t* changes; // of this round [units]
    // In chunks that spill: + excess for the neighbours, - deficit taken from them. Between the two
    // runs of a round both arrays hold the sums of the cells, then this one their grants.
    int32_t* spills;
    uint8_t* spill_flags;         // one per chunk
    uint16_t* effective_hardness; // a row per worker, for ground with beds; NULL otherwise
    float* visits;                // number since creation
    float* wear;                  // [units] net erosion of each round, summed since creation
    float* deposit;               // [units] net deposition likewise
} particle_bed;

wadi_result wadi_particle_bed_create(wadi_terrain* terrain, particle_bed** out);
void wadi_particle_bed_destroy(particle_bed* bed); // NULL is allowed
// Select the kernels of an instruction set instead of the best; the bits are the same.
void wadi_particle_bed_use(particle_bed* bed, wadi_isa isa);

// Read the ground again, which others may have changed, and freeze it.
void wadi_particle_bed_read(particle_bed* bed);
// After a round: apply the sums to the ground within its limits and freeze it again. Matter that
// does not fit stays in the sums.
void wadi_particle_bed_settle(particle_bed* bed);
// Matter left in the sums [units x cells].
int64_t wadi_particle_bed_pending(const particle_bed* bed);

// List the state that a later step depends on, between two rounds.
wadi_result wadi_particle_bed_archive(particle_bed* bed, wadi_archive* archive);

// True for ground with limits: rock with hardness, or loose matter on it. There a round runs twice,
// by the rule of grant.h.
bool wadi_particle_bed_is_hard(const particle_bed* bed);
wadi_result wadi_particle_bed_allocate_grants(particle_bed* bed); // before the first such round
void wadi_particle_bed_open_demands(particle_bed* bed); // puts the sums aside for the demands
void wadi_particle_bed_grant(particle_bed* bed);        // demands -> grants; the sums come back

// Grants of the cells, until the ground settles.
static inline uint32_t* particle_bed_grants(const particle_bed* bed)
{
    return (uint32_t*)bed->spills;
}

// Levels of row `row` in [-1, height]; columns -1 and width are valid too.
static inline int32_t* particle_bed_levels(const particle_bed* bed, int32_t row)
{
    return bed->levels + (int64_t)(row + 1) * (bed->ground->width + 2) + 1;
}

// Entry of a cell's sum: matter taken by a particle [units], and visits.
static inline int64_t particle_entry(int32_t taken, int32_t visits)
{
    return ((int64_t)visits << PARTICLE_MATTER_BITS) - taken;
}

// Net deposition in a cell's sum [units].
static inline int64_t particle_matter(int64_t sum)
{
    return (int64_t)((uint64_t)sum << (64 - PARTICLE_MATTER_BITS)) >> (64 - PARTICLE_MATTER_BITS);
}

// Visits in a cell's sum: negative matter has borrowed one from them.
static inline int32_t particle_visits(int64_t sum)
{
    return (int32_t)((sum + ((int64_t)1 << (PARTICLE_MATTER_BITS - 1))) >> PARTICLE_MATTER_BITS);
}
