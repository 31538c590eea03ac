// SPDX-License-Identifier: MIT
// Eq 3: from sums of stamps to lower ground. All cells are looked at before the first is cut, so a
// bed that would go through the floor of the heights is refused whole.
#pragma once

#include "riverbed/riverbed_tiles.h"

typedef struct riverbed_cut
{
    const wadi_ground* ground;
    const wadi_riverbed_params* params;
    riverbed_tiles* tiles;
    double scale;        // the paper's cell in cells
    int64_t* wear;       // [units] since the start, by cell
    wadi_tally* tallies; // by worker
    double* lowest;      // [units] scratch, by tile
} riverbed_cut;

// Can the sums be cut? WADI_ERROR_RANGE names the depth and a kappa that fits.
wadi_result wadi_riverbed_cut_check(wadi_context* context, const riverbed_cut* cut);

// Cut what has been checked, fill the bed with water where that is asked for, and clear the sums.
void wadi_riverbed_cut_apply(wadi_context* context, const riverbed_cut* cut);

// Forget the sums.
void wadi_riverbed_cut_clear(const riverbed_cut* cut);
