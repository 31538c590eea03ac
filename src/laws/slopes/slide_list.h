// SPDX-License-Identifier: MIT
// Failures of a storm: what the trigger finds, and what a model of the motion starts from.
//
// Each failure has its own cells, time, water and strength. Cells of one failure touch along edges
// or corners. No cell is in two failures, but rims may share cells. Failures are in the order of
// their time; those of one time are in the order of their lowest cell number, so numbers do not
// depend on threads.
#pragma once

#include "core/internal.h"

// A cell of a failure.
typedef struct slide_cell
{
    int64_t cell;  // row-major, from the north-west
    int32_t depth; // vertical depth of the soil that failed, to its base [units]
    int32_t water; // vertical thickness of it below the water table [units], 0..depth
} slide_cell;

// Soil that failed together.
typedef struct slide_failure
{
    int32_t number; // 1, 2, ...: its name in reports and maps
    int64_t first;  // its cells: slide_list.cells[first .. first + count)
    int64_t count;
    int64_t rim;     // cells of its rim beyond the failed ones, which follow them in the list
    int64_t units;   // sum of the depths [units x cells]
    double time;     // of the failure, after the begin of the storm [s]
    double wetness;  // share of its soil below the water table, 0..1, weighted by depth
    double pressure; // mean pore pressure at its base [Pa]
    double friction; // mean tangent of the angle of friction at its base
    double slope;    // mean tangent of its surface
} slide_failure;

typedef struct slide_list
{
    slide_failure* failures;
    int32_t count;
    int64_t room;
    slide_cell* cells;
    int64_t cell_count;
    int64_t cell_room;
} slide_list;

// Empty lists are all zero. Frees the memory and empties the list.
void wadi_slide_list_destroy(wadi_context* context, slide_list* list);
// Add a failure without cells; its number and first cell are set. On failure the list is unchanged.
wadi_result wadi_slide_list_begin(wadi_context* context, slide_list* list, double time);
// Add a cell to the last failure.
wadi_result wadi_slide_list_add(wadi_context* context, slide_list* list, slide_cell cell);
