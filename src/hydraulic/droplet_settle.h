// SPDX-License-Identifier: MIT
// The ground after a round, in four passes over rows, each of which reads what the one before
// wrote: plan, spill, change, freeze.
#pragma once

#include "hydraulic/droplet_state.h"

enum
{
    DROPLET_GRAIN = 16 // rows a block
};

static inline int32_t droplet_chunks(const wadi_droplets* droplets)
{
    return (droplets->ground->width - 1) / DROPLET_CHUNK + 1;
}

// One flag a chunk of a row: does anything spill there?
static inline uint8_t* droplet_spill_flags(const wadi_droplets* droplets, int32_t row)
{
    return droplets->spill_flags + (int64_t)row * droplet_chunks(droplets);
}

// Cell index of neighbour k in [0, 8), across periodic edges; -1 when there is none. And its level;
// DROPLET_MISSING when there is none.
int64_t droplet_neighbour(const wadi_droplets* droplets, int32_t x, int32_t y, int32_t k);
int32_t droplet_neighbour_level(const wadi_droplets* droplets, int32_t x, int32_t y, int32_t k);

void droplet_plan(wadi_droplets* droplets);
void droplet_spill(wadi_droplets* droplets);
void droplet_change(wadi_droplets* droplets);
void droplet_freeze(wadi_droplets* droplets);
