// SPDX-License-Identifier: MIT
// Droplets with momentum: the article's particles ("paper" preset), mass-closed and in batches.
// docs/theory/droplets.md has the equations and how each reading was found.
//
// All droplets of a batch read the ground frozen at the batch's start and add integers to
// accumulators, so neither threads nor vector width can change a bit.
#pragma once

#include "terrain/ground.h"

#include <wadi/hydraulic.h>

typedef struct wadi_droplets wadi_droplets;

// Bind droplets to a terrain. The params have been checked against the field table; what only this
// model knows (a step beyond its stable limit) is refused here. `default_years` is the duration
// that `droplets_per_cell` belongs to; `stream` keys the random numbers.
wadi_result wadi_droplets_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                 double default_years, uint32_t stream, wadi_droplets** out);
void wadi_droplets_destroy(wadi_droplets* droplets); // NULL is allowed

// Let years x droplets_per_cell x cells / default_years droplets run to their ends; a fraction of
// a droplet waits for the next call. Books under "hydraulic".
wadi_result wadi_droplets_advance(wadi_droplets* droplets, double years);

// Maps since creation, one float a cell, NaN in void cells.
typedef enum wadi_droplet_map
{
    WADI_DROPLET_DISCHARGE, // water that passed through the cell [m3/yr]
    WADI_DROPLET_VELOCITY,  // mean speed of the water that passed [cells per unit of time]
    WADI_DROPLET_WEAR,      // ground taken, net per batch [m]
    WADI_DROPLET_DEPOSIT    // ground laid down, net per batch [m]
} wadi_droplet_map;
void wadi_droplets_map(const wadi_droplets* droplets, wadi_droplet_map map, float* out);

typedef struct wadi_droplet_work
{
    int64_t droplets;
    int64_t steps;  // all
    int64_t useful; // steps that moved at least half a cell or exchanged matter
    int64_t batches;
} wadi_droplet_work;
wadi_droplet_work wadi_droplets_work(const wadi_droplets* droplets);

// What the state hash must know: equal only if the next droplet is the same one.
uint64_t wadi_droplets_hash(const wadi_droplets* droplets);
