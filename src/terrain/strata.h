// SPDX-License-Identifier: MIT
// Rock in beds: hardness by depth. A terrain without beds has none of this (ground->strata is
// NULL), and its verbs look no further than the layer of hardness.
//
// With beds, the layer of hardness holds that of the bed that lies open in each cell. The verbs
// keep it so: whatever lowers rock uncovers the bed below.
#pragma once

#include <wadi/terrain.h>

struct wadi_ground;

typedef struct wadi_strata
{
    int32_t count;
    int32_t bottom[WADI_MAX_STRATA];    // [units] of each bed, below `top`; the last goes on
    uint16_t hardness[WADI_MAX_STRATA]; // [1/65535]
    int32_t* top;                       // [units] elevation where the first bed begins
} wadi_strata;

// Rock that `amount`, what hardness 0 would give, brings out of a cell: through one bed after the
// other, each at its own hardness.
int32_t wadi_strata_yield(const struct wadi_ground* ground, int64_t cell, int32_t amount);

// Rock above the next bed of hardness 1.
int32_t wadi_strata_room(const struct wadi_ground* ground, int64_t cell);

// Give a terrain the same beds, with tops at 0 still to be set.
wadi_result wadi_strata_adopt(wadi_terrain* terrain, const wadi_strata* beds);

// Bring the layer of hardness up to date in a stretch of cells.
void wadi_strata_uncover(const struct wadi_ground* ground, int64_t first, int64_t count);
