// SPDX-License-Identifier: MIT
// What waves take from cliffs and platforms in one step, and where it goes.
#pragma once

#include "processes/coast/coast_waves.h"

// Of a cell of land that waves cut away before the end of the step.
typedef struct coast_spare
{
    float time;  // share of the step that is left then; 0: it is not cut away
    float power; // of the waves there
} coast_spare;

enum
{
    COAST_PASSES = 3 // a step cuts so many cells one after the other, and the first
};

// `spare` after all passes.
static inline const coast_spare* coast_spare_after(const coast_spare* spare, int64_t cells)
{
    return spare + (COAST_PASSES % 2 == 1 ? cells : 0);
}

typedef struct coast_cut
{
    const coast_waves* waves;
    double years;
    int32_t* taken;     // [units] of each cell
    int32_t* coarse;    // [units] of it, what stays on the ground
    int8_t* receiver;   // of what a cell loses: 0 to 7 for a neighbour, -1 for none
    coast_spare* spare; // work: of each cell, and the same again
    int64_t* wear;      // [units], added to
    int64_t* deposit;
    wadi_tally* tallies; // by worker
    int32_t pass;        // work
} coast_cut;

// Compute `taken` and `receiver` from the ground, then move the matter.
void wadi_coast_cut(wadi_context* context, const coast_cut* cut);
