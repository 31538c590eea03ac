// SPDX-License-Identifier: MIT
// Rock in beds: hardness by depth. On a terrain without beds ground->strata is NULL and hardness
// comes from the layer of hardness alone.
//
// With beds, the layer of hardness holds the hardness of the exposed bed of each cell. The verbs
// update it whenever they lower rock.
#pragma once

#include <wadi/terrain.h>

struct wadi_ground;

typedef struct wadi_strata
{
    int32_t count;
    int32_t bottom[WADI_MAX_STRATA];    // [units] of each bed, below `top`; the last has none
    uint16_t hardness[WADI_MAX_STRATA]; // [1/65535]
    int32_t* top;                       // [units] elevation where the first bed begins
} wadi_strata;

// Rock eroded from a cell where rock of hardness 0 would lose `amount`: bed by bed, each with its
// own hardness.
int32_t wadi_strata_yield(const struct wadi_ground* ground, int64_t cell, int32_t amount);

// Rock above the next bed of hardness 1.
int32_t wadi_strata_erodible(const struct wadi_ground* ground, int64_t cell);

// Give a terrain a copy of `beds` whose tops are still 0.
wadi_result wadi_strata_adopt(wadi_terrain* terrain, const wadi_strata* beds);

// Update the layer of hardness of `count` cells from `first`.
void wadi_strata_update_hardness(const struct wadi_ground* ground, int64_t first, int64_t count);
