// SPDX-License-Identifier: MIT
// Slabs in the air, up to SLAB_FLOCK in lock step. All slabs of a flock have struck the ground
// equally often. A flock draws random words, hops and strikes in loops without branches, which the
// compiler vectorises; after each strike the slabs that came to rest are removed. One slab after
// another would be slower, because the processor mispredicts whether a slab bounces.
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
    uint32_t purpose;           // of the random words
    uint32_t round;             // number of draws so far; each draws SLAB_FLOCK_WORDS words
    int32_t drawn;              // words of this draw that are used
    uint32_t start[SLAB_FLOCK]; // number in the whole grid of the cell where the slab was lifted;
                                // key of its random words
    int32_t cell[SLAB_FLOCK];   // cell that the slab last touched
    int32_t to[SLAB_FLOCK];     // cell of its next landing; -1: off the arrays
    int32_t amount[SLAB_FLOCK]; // [units]
    float x[SLAB_FLOCK];        // [cells] of the whole grid
    float y[SLAB_FLOCK];
    float along[SLAB_FLOCK]; // deviation of the next hop from its mean, -1 to 1 times the spread
    float across[SLAB_FLOCK];
    uint32_t word[SLAB_FLOCK_WORDS][SLAB_FLOCK];
    int32_t bounces[SLAB_FLOCK]; // 1: the slab goes on, 0: it rests
} slab_flock;

// Key of the random words of all slabs of a step.
typedef struct slab_flock_key
{
    uint32_t seed_low;
    uint32_t seed_high;
    uint32_t stream;
    uint32_t step;
} slab_flock_key;

typedef struct slab_flock_kernels
{
    // Draw new random words for all slabs.
    void (*draw)(slab_flock* flock, const slab_flock_key* key);
    // Place each slab at random within its cell, by its first two words.
    void (*depart)(slab_flock* flock, const slab_field* field);
    // Move each slab by one hop with the wind of its cell, and set `to`. Returns how many left the
    // arrays.
    int32_t (*hop)(slab_flock* flock, const slab_site* sites, float spread,
                   const slab_field* field);
    // Set `bounces`, and the deviations of the next hop, from the next word of each slab.
    void (*strike)(slab_flock* flock, const slab_site* sites);
} slab_flock_kernels;

WADI_ISA_KERNELS(slab_flock_kernels)

// Place new slabs at random within their cells. `count`, `start`, `cell` and `amount` are set.
void wadi_slab_flock_depart(const slab_bed* bed, slab_flock* flock, enum slab_purpose purpose);

// Draw the random words of the flock's round.
void wadi_slab_flock_draw(const slab_bed* bed, slab_flock* flock);

// Is the cell of the arrays a void? Then the sand falls into it, which is booked.
bool wadi_slab_flock_falls(const slab_bed* bed, int32_t cell, int32_t amount, wadi_tally* tally);

// Remove the slabs that do not bounce.
void wadi_slab_flock_keep(slab_flock* flock);

// One hop. Sand that leaves the terrain or falls into a void is booked.
void wadi_slab_flock_hop(const slab_bed* bed, slab_flock* flock, wadi_tally* tally);

// Let all slabs strike the ground, bounce and hop until each has come to rest or left the terrain.
void wadi_slab_flock_land(const slab_bed* bed, slab_flock* flock, wadi_tally* tally);
