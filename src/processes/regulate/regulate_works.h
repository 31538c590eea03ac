// SPDX-License-Identifier: MIT
// Earthworks: measure and build a design.
//
// Across the channel a design consists of two lines. Ground above the upper one (bed and sides,
// which continue upwards as walls of a cutting) is cut. Ground below the lower one (bed, sides,
// crests and outer slopes of levees) is filled. Ground between them does not change.
#pragma once

#include "laws/channels/channel_axis.h"
#include "processes/regulate/regulate_design.h"
#include "terrain/ground.h"

// A cell near the axis.
typedef struct works_cell
{
    int64_t cell;
    int32_t station;
    float along; // distance downstream of the station [m]
    float aside; // distance from the axis, to either side [m]
} works_cell;

// Volumes of earthworks [units].
typedef struct works_sums
{
    int64_t cut;
    int64_t fill;   // under the channel
    int64_t levee;  // beside the channel
    int64_t stuck;  // rock above the plan that cannot be cut
    int64_t beyond; // moved in the outermost cells: the corridor is too narrow
    int64_t spoil;  // surplus that lies beside the levees
} works_sums;

// The greatest change of a cell [units], up or down.
typedef struct works_peak
{
    int64_t cell;
    int32_t change;
} works_peak;

// Where a design rises and cuts most.
typedef struct works_peaks
{
    works_peak fill;
    works_peak cut;
} works_peaks;

typedef struct regulate_works
{
    const wadi_regulate_params* params;
    const wadi_ground* ground;
    const channel_axis* axis;
    const double* terrain; // level of the ground at each station [m]
    double reach;          // half-width of the corridor [m]
    bool enters;           // over a border: the channel extends up to it, even obliquely
    bool leaves;           // likewise
    works_cell* cells;
    int64_t count;
    works_sums* sums; // by block of cells
} regulate_works;

// Find the cells within `reach` of the axis. The caller sets the members before `cells`.
wadi_result wadi_regulate_works_create(wadi_context* context, regulate_works* works);
void wadi_regulate_works_free(wadi_context* context, regulate_works* works);

// Level of the bed at each station [m].
void wadi_regulate_works_bed(const regulate_works* works, const regulate_design* design,
                             double* bed);

// Compute the earthworks of a design.
works_sums wadi_regulate_works_measure(wadi_context* context, const regulate_works* works,
                                       const regulate_design* design, const double* bed);

// Earthworks by cell [units].
typedef struct works_marks
{
    int64_t* cut;
    int64_t* fill;
} works_marks;

// Build the design. The tally books a deficit of material as brought in and a surplus as lost.
works_sums wadi_regulate_works_build(const regulate_works* works, const regulate_design* design,
                                     const double* bed, const works_marks* marks,
                                     works_peaks* peaks, wadi_tally* tally);

// Spread the surplus of a tally beside the levees, evenly, and book it there; what finds no room is
// hauled away. Returns how much lies there [units].
int64_t wadi_regulate_works_spoil(const regulate_works* works, const regulate_design* design,
                                  const double* bed, const works_marks* marks, wadi_tally* tally);

// Fill the channel to the design depth with water.
void wadi_regulate_works_pour(const regulate_works* works, const regulate_design* design,
                              const double* bed, wadi_tally* tally);
