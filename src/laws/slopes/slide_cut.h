// SPDX-License-Identifier: MIT
// The part of a grid that gains most by moving: the set C of cells that maximises
//     sum over i in C of drive_i - sum over i in C, j not in C of resistance_ij .
// It is a minimum cut of the grid's graph, and exact. Of several such sets it is the smallest,
// which is unique: with whole numbers no order of work can change it. If no set gains, C is empty.
// Each connected part of C gains by itself.
#pragma once

#include "core/internal.h"

enum
{
    SLIDE_CUT_SIDES = 8 // neighbours of a cell: east, south-east, south, ..., north-east
};

// Resistance of the ground between `cell`, which moves, and each neighbour, which stands; 0 where
// there is no neighbour. At most 2^50.
typedef void slide_cut_rim_fn(const void* user, int64_t cell, int64_t rim[SLIDE_CUT_SIDES]);

typedef struct slide_cut slide_cut;

// Room for grids of this size; `wraps`: from west to east, and from north to south.
wadi_result wadi_slide_cut_create(wadi_context* context, int32_t width, int32_t height,
                                  const bool wraps[2], slide_cut** out);
void wadi_slide_cut_destroy(slide_cut* cut); // NULL is allowed

// Find C. `drive` by cell, at most 2^50 either way. `*cells` are its cells in ascending order,
// valid until the next call.
wadi_result wadi_slide_cut_find(slide_cut* cut, const int64_t* drive, slide_cut_rim_fn* rim,
                                const void* user, const int32_t** cells, int64_t* count);

// Neighbour of a cell by side, or -1.
int64_t wadi_slide_cut_neighbour(const slide_cut* cut, int64_t cell, int side);
