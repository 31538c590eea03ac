// SPDX-License-Identifier: MIT
// The default model of the process "riverbed": rivers that swing about an axis which the ground
// lays, cut their beds down to a grade, carry what they cut, and lay it down inside their bends.
//
// At first the land is smoothed (graded_land.c), and an axis laid down the cost of the way to the
// outlet (graded_steer.c, graded_axis.c). A batch is one course of each river and the particles
// that ride on it:
//
//     course     where the river runs now          graded_course.c
//     profile    level, width, depth along it      graded_profile.c
//     corridor   cells beside it, in its own       graded_corridor.c
//                coordinates
//     wear       particles ask, cells give         graded_wear.c
//     load       what was given is carried down    graded_load.c
//                the river and laid down
//     banks      what stands too steep slides      graded_banks.c
//
// In the end the bed is freed of pits and filled with water (graded_finish.c).
//
// What a cell gives follows from sums of whole numbers over all particles, and goes into the load
// at the cell's own place along the river: neither the order of particles nor threads matter.
#pragma once

#include "riverbed/riverbed_emitter.h"

#include <wadi/process.h>

// Indices of the process's maps.
enum
{
    RIVERBED_MAP_WEAR,
    RIVERBED_MAP_DEPOSIT,
    RIVERBED_MAP_BED,
    RIVERBED_MAP_LEVEL,
    RIVERBED_MAP_DEPTH,
    RIVERBED_MAP_LOAD,
    RIVERBED_MAP_AGE,
    RIVERBED_MAP_COUNT
};

enum
{
    GRADED_FIGURES = 8
};

typedef struct wadi_graded wadi_graded;

wadi_result wadi_graded_create(wadi_terrain* terrain, const wadi_riverbed_params* params,
                               uint32_t stream, wadi_graded** out);
void wadi_graded_destroy(wadi_graded* graded); // NULL is allowed

// Where rivers come from; copied. They start anew from the land as it is at the next advance.
wadi_result wadi_graded_set_emitters(wadi_graded* graded, const riverbed_emitter* emitters,
                                     int32_t count);
wadi_result wadi_graded_advance(wadi_graded* graded, double years);

void wadi_graded_map(const wadi_graded* graded, int32_t index, float* out);
riverbed_work wadi_graded_work(const wadi_graded* graded);
int32_t wadi_graded_figures(const wadi_graded* graded, double years,
                            wadi_figure rows[GRADED_FIGURES]);
uint64_t wadi_graded_hash(const wadi_graded* graded);
