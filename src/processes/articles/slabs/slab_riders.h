// SPDX-License-Identifier: MIT
// Slabs in windows of a grid. A slab flies on over the halo, where it finds the sites that the
// owners have surveyed; what it lays down there is added to the owners' cells at the end. Beyond
// the halo it is handed on to the owner of the cell below it, as a rider, and all windows go on
// until none has riders left. Sums are whole numbers, so their order does not count.
#pragma once

#include "processes/articles/slabs/slab_flock.h"

// For a ground in a window; else bed->riders stays NULL. All windows call it.
wadi_result wadi_slab_riders_create(slab_bed* bed);
void wadi_slab_riders_destroy(slab_bed* bed);

// The cell of the arrays at a place of the whole grid; -1: they hold none.
int32_t wadi_slab_riders_cell(const slab_bed* bed, float x, float y);
// Hand on slab `i` of a flock. Threads may call it at once.
void wadi_slab_riders_add(const slab_bed* bed, const slab_flock* flock, int32_t i);

// Let the slabs of all rows fly, in blocks of `grain` rows, each at most one from a cell.
wadi_result wadi_slab_riders_fly(slab_bed* bed, int32_t grain, wadi_rows_fn* rows);
// Let the riders of all windows fly on, until none is left.
wadi_result wadi_slab_riders_go(const slab_bed* bed);
// Fetch the sites of the halo, after a survey.
wadi_result wadi_slab_riders_sites(const slab_bed* bed);
// Add what was laid down in the halo to its owners.
wadi_result wadi_slab_riders_land(const slab_bed* bed);
// Fetch the ground of the halo, and what struck it.
wadi_result wadi_slab_riders_struck(const slab_bed* bed);
// Fetch the ground of the halo.
wadi_result wadi_slab_riders_ground(const slab_bed* bed);
