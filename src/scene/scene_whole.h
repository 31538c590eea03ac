// SPDX-License-Identifier: MIT
// Maps of the whole grid in the first window, for measures that a part of the grid does not give.
// Without windows the map of the caller is the whole.
#pragma once

#include "scene/scene_internal.h"

typedef struct scene_whole
{
    wadi_context* context; // of the measures
    const float* values;   // of the whole grid; NULL: another window has them
    int32_t width;         // of the whole grid [cells]
    int32_t height;
    wadi_context* window; // what follows is for windows of a grid
    wadi_context* own;
    float* gathered;
} scene_whole;

// Gather the owned cells of all windows. All windows call it; `values` must stay until it is
// closed, also after a failure.
wadi_result wadi_scene_whole_open(wadi_terrain* terrain, const float* values, scene_whole* whole);
void wadi_scene_whole_close(scene_whole* whole);

// A failure of a measure has its message in the context of the whole.
wadi_result wadi_scene_whole_pass(const scene_whole* whole, wadi_result result);

// Give all windows their part, with halos, of a map of the whole that the first one has.
wadi_result wadi_scene_whole_give(const scene_whole* whole, float* map, float* out);

// Give all windows a number of the first one.
wadi_result wadi_scene_whole_tell(const scene_whole* whole, double* value);
