// SPDX-License-Identifier: MIT
// Droplets with momentum: the particles of the article (preset "paper"), with conserved mass and in
// batches. docs/theory/droplets.md has the equations and the interpretation of the article.
//
// All droplets of a batch read the ground frozen at the start of the batch and add integers to
// accumulators, so results do not depend on threads or vector width.
#pragma once

#include "terrain/ground.h"

#include <wadi/hydraulic.h>

typedef struct wadi_droplets wadi_droplets;

// Bind droplets to a terrain. Parameters have been checked against the field table; fails when the
// step exceeds the stable limit. `droplets_per_cell` refers to `default_years`; `stream` is a key
// of the random numbers.
wadi_result wadi_droplets_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                 double default_years, uint32_t stream, wadi_droplets** out);
void wadi_droplets_destroy(void* droplets); // a wadi_droplets; NULL is allowed

// Run years x droplets_per_cell x cells / default_years droplets to their end. A fraction of a
// droplet is kept for the next step. Books matter as "hydraulic".
wadi_result wadi_droplets_advance(void* droplets, const wadi_span* span); // a wadi_droplets

// Maps since creation, one float a cell, NaN in void cells.
typedef enum wadi_droplet_map
{
    WADI_DROPLET_DISCHARGE, // water that passed through the cell [m3/yr]
    WADI_DROPLET_VELOCITY,  // mean speed of the water that passed [cells per unit of time]
    WADI_DROPLET_WEAR,      // net erosion of each batch, summed [m]
    WADI_DROPLET_DEPOSIT    // net deposition of each batch, summed [m]
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
