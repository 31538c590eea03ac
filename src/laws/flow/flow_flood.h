// SPDX-License-Identifier: MIT
// Priority flood with a tilt over integer heights: the surface on which water flows.
//
// Arrays named padded have one cell more on each side, and rows of width + 2 elements.
#pragma once

#include "core/internal.h"

// Height of a padded cell to which no water flows.
#define FLOW_WALL INT32_MAX

typedef struct wadi_flow_flood wadi_flow_flood;

typedef struct wadi_flow_flood_def
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    bool wraps_x; // periodic edges
    bool wraps_y;
    const uint8_t* valid; // one per cell: 0 where there is no ground
    void* room;           // wadi_flow_flood_room() bytes of the caller for the work of a run, which
                          // may be used otherwise between runs; NULL: the flood has its own
} wadi_flow_flood_def;

typedef struct wadi_flow_flood_job
{
    const int32_t* surface;  // padded [units] h >= 0; ghosts across periodic edges are up to date
    const uint32_t* outlets; // padded indices of cells where R = h; at least one
    int64_t outlet_count;
    int32_t rise_axis; // [units] tilt between cells along an axis, >= 0. Without a tilt R is the
    int32_t rise_diagonal; // level of standing water; with one each cell has a lower neighbour
    int32_t* out;          // padded [units] R; its ghosts are left to the caller
} wadi_flow_flood_job;

size_t wadi_flow_flood_room(int32_t width, int32_t height);
wadi_result wadi_flow_flood_create(const wadi_flow_flood_def* def, wadi_flow_flood** out);
void wadi_flow_flood_destroy(wadi_flow_flood* flood);
// The result is unique, so it does not depend on the order of the work or on threads.
wadi_result wadi_flow_flood_run(wadi_flow_flood* flood, const wadi_flow_flood_job* job);
