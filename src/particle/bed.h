// SPDX-License-Identifier: MIT
// The ground as particles meet it. They run over a surface frozen at the start of a round and add
// what they take and lay down to a sum of integers per cell; then the ground settles. Integer sums
// commute, so neither threads, nor lanes, nor the order of particles can change a bit.
//
// A process owns its particles, their law and their kernel; a round of it is
//     particle_bed_share   only where the ground may refuse: after a run in which particles ask
//     (its own kernel)     reads `frozen`, adds particle_entry() to its worker's `sums`
//     particle_bed_settle  changes the ground, freezes it again
#pragma once

#include "core/internal.h"
#include "core/isa.h"
#include "terrain/ground.h"

enum
{
    // low bits of a cell's sum that hold matter [units]; the rest counts visits
    PARTICLE_MATTER_BITS = 40
};

// Packed normals are int16 pairs; no component of the articles' normal exceeds 0.583.
#define PARTICLE_NORMAL_SCALE (32767.0f / 0.6f)
// Packed normal of a cell without data.
#define PARTICLE_NORMAL_VOID INT32_MIN
// Level of a cell that is not there: beyond an edge, or without data.
#define PARTICLE_MISSING INT32_MIN

// A cell as a particle meets it: what is read when it comes lies beside what is added when it goes,
// so that a step waits for one cache line, not for two.
typedef struct particle_cell
{
    float level;    // frozen surface above the datum [units]
    int32_t normal; // horizontal part, x in the low half, y in the high half, PARTICLE_NORMAL_SCALE
    int64_t sum;    // particle_entry() of what particles did here in this round
} particle_cell;

// What one worker adds to; merged after the round.
typedef struct particle_worker
{
    particle_cell* cells; // (height x width)
    int64_t* demands;     // sums of a round in which particles only ask; NULL before the first
    wadi_tally tally;
    int64_t steps;
    int64_t useful; // steps that moved at least half a cell or exchanged matter
    int64_t moved;  // |changes| of this round [units x cells]
    int64_t owed;   // of them, beyond what the cell could give
} particle_worker;

typedef struct bed_kernels bed_kernels;

typedef struct particle_bed
{
    wadi_context* context;
    wadi_ground* ground;
    const bed_kernels* kernels;
    particle_worker* workers;
    int32_t worker_count;
    int32_t* levels;         // surface [units], (height + 2) x (width + 2): a rim around the grid
    int32_t datum;           // [units] that frozen levels count from
    int32_t* changes;        // of this round [units]
    int32_t* spills;         // + excess that flows off, - debt that the neighbours pay
    uint8_t* spill_flags;    // one a chunk
    float* shares;           // of a demand that a cell can meet; NULL before the first such round
    uint16_t* seen_hardness; // rows for each worker, of ground in beds; NULL otherwise
    float* visits;           // counted in sums, since creation
    float* wear;             // [units] taken, net per round, since creation
    float* deposit;          // [units] laid down likewise
} particle_bed;

wadi_result particle_bed_create(wadi_terrain* terrain, particle_bed** out);
void particle_bed_destroy(particle_bed* bed); // NULL is allowed
// Kernels of one instruction set that runs here, instead of the best: the bits are the same.
void particle_bed_use(particle_bed* bed, wadi_isa isa);

// Read and freeze the ground as it stands: others may have changed it since.
void particle_bed_read(particle_bed* bed);
// After a round: change the ground by the sums, within what it allows, and freeze it again. What
// has no place yet stays in the sums.
void particle_bed_settle(particle_bed* bed);
// Matter that waits in the sums [units x cells].
int64_t particle_bed_pending(const particle_bed* bed);

// Ground that may refuse (rock with hardness, or loose matter on it): there particles first ask,
// adding to `demands` what they would take, and then each takes floor(want x share).
bool particle_bed_is_hard(const particle_bed* bed);
wadi_result particle_bed_allocate_demands(particle_bed* bed); // before the first asking
void particle_bed_share(particle_bed* bed);                   // demands -> shares; empties them

// Levels of row `row` in [-1, height]; columns -1 and width may be read.
static inline int32_t* particle_bed_levels(const particle_bed* bed, int32_t row)
{
    return bed->levels + (int64_t)(row + 1) * (bed->ground->width + 2) + 1;
}

// Entry of a cell's sum: what a particle took [units], and visits.
static inline int64_t particle_entry(int32_t taken, int32_t visits)
{
    return ((int64_t)visits << PARTICLE_MATTER_BITS) - taken;
}

// Matter in a cell's sum: what it has got.
static inline int64_t particle_matter(int64_t sum)
{
    return (int64_t)((uint64_t)sum << (64 - PARTICLE_MATTER_BITS)) >> (64 - PARTICLE_MATTER_BITS);
}

// Visits in a cell's sum: matter below zero borrows one from them.
static inline int32_t particle_visits(int64_t sum)
{
    return (int32_t)((sum + ((int64_t)1 << (PARTICLE_MATTER_BITS - 1))) >> PARTICLE_MATTER_BITS);
}
