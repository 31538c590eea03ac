// SPDX-License-Identifier: MIT
// Eq 3: lower the ground by the sums of stamps. All cells are checked before the first is cut, so a
// bed below the limit of heights is refused as a whole.
#pragma once

#include "processes/articles/stamps/riverbed_tiles.h"

typedef struct riverbed_cut
{
    const wadi_ground* ground;
    const wadi_riverbed_params* params;
    riverbed_tiles* tiles;
    double scale;        // cell of the paper, in cells of the terrain
    int64_t* wear;       // [units] since the start, by cell
    wadi_tally* tallies; // by worker
    double* lowest;      // [units] scratch, by tile
} riverbed_cut;

// Check the depth of the cut. WADI_ERROR_RANGE: the message names the depth and the parameters.
wadi_result wadi_riverbed_cut_check(wadi_context* context, const riverbed_cut* cut);

// Cut after the check, fill the bed with water if `water` is set, and clear the sums.
void wadi_riverbed_cut_apply(wadi_context* context, const riverbed_cut* cut);

// Clear the sums without a cut.
void wadi_riverbed_cut_clear(const riverbed_cut* cut);
