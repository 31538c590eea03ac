// SPDX-License-Identifier: MIT
// What waves take from cliffs and platforms in one step, and where it goes.
#pragma once

#include "processes/coast/coast_waves.h"

typedef struct coast_cut
{
    const coast_waves* waves;
    double years;
    int32_t* taken;   // [units] of each cell
    int8_t* receiver; // of what a cell loses: 0 to 7 for a neighbour, -1 for none
    int64_t* wear;    // [units], added to
    int64_t* deposit;
    wadi_tally* tallies; // by worker
} coast_cut;

// Compute `taken` and `receiver` from the ground, then move the matter.
void wadi_coast_cut(wadi_context* context, const coast_cut* cut);
