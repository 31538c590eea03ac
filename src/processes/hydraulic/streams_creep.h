// SPDX-License-Identifier: MIT
// Creep: one pass along lines (streams_creep.c), and shorter parts of it at walls
// (streams_creep_walls.c).
#pragma once

#include "processes/hydraulic/streams.h"

// Lines of one axis, whole or stretches of them.
typedef struct creep_sweep
{
    streams* s;
    bool along_x;
    int32_t lines;
    int32_t from;  // first cell of the lines
    int32_t count; // and their number
    bool wraps;
    bool begins;   // the first part of the step
    int32_t part;  // of `parts` at walls, in which faces at the ends pass their portions;
    int32_t parts; // 0: whole lines
    float most;    // [units] over a face
    const stream_kernels* kernels;
    creep_rates rates;
    const float* ease;    // share of the flux that the rock of a cell allows
    const int32_t* spare; // [units] what a cell can lose over one of its four faces
    int32_t* flux;        // result [units]: over the face after a cell
} creep_sweep;

// What part number `part` of `parts` passes of `flux`. All together pass the whole.
static inline int32_t wadi_creep_portion(int32_t flux, int32_t part, int32_t parts)
{
    const int64_t all = flux;
    return (int32_t)(all * (part + 1) / parts - all * part / parts);
}

// streams_creep.c. A sweep over whole lines in one of `parts` equal parts of the step.
creep_sweep wadi_creep_sweep(streams* s, bool along_x, int32_t parts);
// What cells of a run can lose, and which of them keep their level.
void wadi_creep_read_run(const streams* s, int32_t x, int32_t y, int32_t count);
// Fluxes along `lanes` lines from `first`, CREEP_LANES at most.
void wadi_creep_solve(const creep_sweep* sweep, int32_t first, int32_t lanes, int32_t worker);
// Add `change` of a run to the ground; a part of it joins the loads of streams.
void wadi_creep_change_run(streams* s, bool begins, int32_t x, int32_t y, int32_t count,
                           wadi_tally* tally);

// streams_creep_walls.c. Find the blocks around faces steeper than `steep` (a slope).
void wadi_creep_find_walls(streams* s, double steep);
// Their cells in row `y` do not change yet.
void wadi_creep_spare_walls(const streams* s, int32_t y);
// Move them: one of `parts` equal parts of the step, in `at_walls` shorter ones.
void wadi_creep_walls(streams* s, int32_t parts, int32_t at_walls);
