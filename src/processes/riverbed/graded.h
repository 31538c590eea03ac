// SPDX-License-Identifier: MIT
// The default model of the process "riverbed": rivers that meander around an axis. They incise
// their beds to a graded profile, transport the load, and deposit it on point bars.
//
// First the land is smoothed (graded_land.c), and each river gets an axis along its least-cost
// route to the outlet (graded_steer.c, graded_axis.c). A batch is one course of each river and
// the particles that move along it:
//
//     course     centre line of the river          graded_course.c
//     profile    level, width, depth along it      graded_profile.c
//     corridor   cells beside it, in coordinates   graded_corridor.c
//                along and across the river
//     wear       particles erode cells             graded_wear.c
//     load       eroded matter is transported      graded_load.c
//                downstream and deposited
//     banks      steep banks slide                 graded_banks.c
//
// At the end pits in the bed are filled, and the bed gets its water (graded_finish.c).
//
// The erosion of a cell is a sum of integers over all particles, and joins the load at the cell's
// own place along the river. So neither the order of particles nor threads matter.
#pragma once

#include "processes/riverbed/riverbed_emitter.h"

#include <wadi/model.h>

typedef struct wadi_graded wadi_graded;

wadi_result wadi_graded_create(wadi_terrain* terrain, const wadi_riverbed_params* params,
                               uint32_t stream, wadi_graded** out);
void wadi_graded_destroy(void* graded); // a wadi_graded; NULL is allowed

// Set the emitters; copied. The next advance creates the rivers, from the land at that time.
wadi_result wadi_graded_set_emitters(wadi_graded* graded, const riverbed_emitter* emitters,
                                     int32_t count);
wadi_result wadi_graded_advance(void* graded, const wadi_span* span); // a wadi_graded

// The other functions of the model, on a wadi_graded (graded_report.c).
wadi_result wadi_graded_map(void* graded, int32_t index, float* out);
int32_t wadi_graded_work(const void* graded, wadi_work* rows);
int32_t wadi_graded_figures(const void* graded, wadi_figure* rows);
