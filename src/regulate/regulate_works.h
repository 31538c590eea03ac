// SPDX-License-Identifier: MIT
// Earthworks: what a design moves, and moving it.
//
// Across the channel a design is two lines: none of the ground may stand above the one (bed and
// sides, which go on up as the walls of a cutting), none below the other (bed, sides, crests of
// levees and their outer slopes). Ground between them stays as it is.
#pragma once

#include "channel/channel_axis.h"
#include "regulate/regulate_design.h"
#include "terrain/ground.h"

// A cell near the axis.
typedef struct works_cell
{
    int64_t cell;
    int32_t station;
    float along; // downstream of the station [m]
    float aside; // from the axis, to either hand [m]
} works_cell;

// What was moved [units].
typedef struct works_sums
{
    int64_t cut;
    int64_t fill;   // under the channel
    int64_t levee;  // beside it
    int64_t stuck;  // rock that cannot be cut stands above the plan
    int64_t beyond; // moved in the outermost cells that were looked at: more lies outside
} works_sums;

typedef struct regulate_works
{
    const wadi_regulate_params* params;
    const wadi_ground* ground;
    const channel_axis* axis;
    const double* terrain; // level of the ground at each station [m]
    double reach;          // [m] from the axis that cells are taken
    bool enters;           // over a border: the channel goes on up to it, at any slant
    bool leaves;
    works_cell* cells;
    int64_t count;
    works_sums* sums; // by block of cells
} regulate_works;

// Find the cells within `reach` of the axis; the members before `cells` are the caller's.
wadi_result wadi_regulate_works_create(wadi_context* context, regulate_works* works);
void wadi_regulate_works_free(wadi_context* context, regulate_works* works);

// Level of the bed at each station [m].
void wadi_regulate_works_bed(const regulate_works* works, const regulate_design* design,
                             double* bed);

// What building a design would move.
works_sums wadi_regulate_works_measure(wadi_context* context, const regulate_works* works,
                                       const regulate_design* design, const double* bed);

// What has been moved in each cell [units].
typedef struct works_marks
{
    int64_t* cut;
    int64_t* fill;
} works_marks;

// Build it. The tally books what lacks as brought in, a surplus as lost.
works_sums wadi_regulate_works_build(const regulate_works* works, const regulate_design* design,
                                     const double* bed, const works_marks* marks,
                                     wadi_tally* tally);

// Fill the channel to the design depth with water.
void wadi_regulate_works_pour(const regulate_works* works, const regulate_design* design,
                              const double* bed, wadi_tally* tally);
