// SPDX-License-Identifier: MIT
// Slabs in the air, many in lock step: all of a flock have struck the ground equally often. Whether
// one bounces is a matter of chance, so slab after slab every second branch is guessed wrong; a
// flock draws, hops and strikes in loops without branches, of which the compiler makes vectors, and
// only those that go on are kept.
#pragma once

#include "core/isa.h"
#include "processes/articles/slabs/slab_state.h"

enum
{
    SLAB_FLOCK = 256,
    SLAB_FLOCK_WORDS = 4
};

typedef struct slab_flock
{
    int32_t count;
    uint32_t purpose;           // of their random words
    uint32_t round;             // of words
    int32_t drawn;              // words of this round that are used
    int32_t start[SLAB_FLOCK];  // cell that keys the words
    int32_t cell[SLAB_FLOCK];   // where it last touched ground
    int32_t to[SLAB_FLOCK];     // where it comes down next; -1: off the grid
    int32_t amount[SLAB_FLOCK]; // [units]
    float x[SLAB_FLOCK];        // [cells]
    float y[SLAB_FLOCK];
    float along[SLAB_FLOCK]; // how the next hop strays from its mean, -1 to 1 of the spread
    float across[SLAB_FLOCK];
    uint32_t word[SLAB_FLOCK_WORDS][SLAB_FLOCK];
    int32_t bounces[SLAB_FLOCK]; // 1: it goes on, 0: it rests
} slab_flock;

// What keys the words of all slabs of a step.
typedef struct slab_flock_key
{
    uint32_t seed_low;
    uint32_t seed_high;
    uint32_t stream;
    uint32_t step;
} slab_flock_key;

typedef struct slab_flock_kernels
{
    // Random words of the flock's round, all unused.
    void (*draw)(slab_flock* flock, const slab_flock_key* key);
    // Each somewhere over its cell in a grid so wide, by the first two words.
    void (*depart)(slab_flock* flock, int32_t width);
    // One hop each with the wind of its cell, which fills `to`; how many leave the grid.
    int32_t (*hop)(slab_flock* flock, const slab_site* sites, float spread, int32_t width,
                   int32_t height);
    // Does each bounce where it is? The flock's next word says, and how its next hop strays.
    void (*strike)(slab_flock* flock, const slab_site* sites);
} slab_flock_kernels;

WADI_ISA_KERNELS(slab_flock_kernels)

// Slabs that start in `count` cells with amounts given, somewhere over them.
void wadi_slab_flock_depart(const slab_bed* bed, slab_flock* flock, enum slab_purpose purpose);

// Let those of the flock go on that `bounces` says.
void wadi_slab_flock_keep(slab_flock* flock);

// One hop. What leaves the terrain is booked; what meets a void lies down before it.
void wadi_slab_flock_hop(const slab_bed* bed, slab_flock* flock, wadi_tally* tally);

// They strike the ground of their cells: each comes to rest, or bounces and flies on until it does
// or leaves the terrain.
void wadi_slab_flock_land(const slab_bed* bed, slab_flock* flock, wadi_tally* tally);
