// SPDX-License-Identifier: MIT
// Start "deep": the ground as the search for rupture surfaces sees it (laws/slopes/rupture.h), and
// the failures that it finds. Ground that has failed does not fail again in
// the same step, or `secondary` times.
#pragma once

#include "laws/slopes/rupture.h"
#include "processes/landslide/landslide_internal.h"

enum
{
    SLIDE_DEEP_MOST = 256 // failures in a step
};

typedef struct slide_deep
{
    wadi_terrain* terrain;
    const wadi_landslide_params* params;
    const slide_region* region;
    slide_source* source;
    bool lowers; // what the source holds has left the ground
    rupture_column* columns;
    rupture_column* earlier; // before the ground changed
    uint8_t* changed;        // by cell, since the search looked
    uint8_t* turns;          // by cell, blocks of model "slump" that it was part of in this step
    rupture_land land;
    rupture_search* search;

    // the failure found last
    rupture_surface surface;
    rupture_moments moments;
    slide_cell* cells; // room for all
    int64_t count;
} slide_deep;

wadi_result wadi_slide_deep_create(wadi_terrain* terrain, const slide_region* region,
                                   slide_source* source, bool lowers, slide_deep* out);
void wadi_slide_deep_destroy(slide_deep* deep);
// Find the weakest surface below 1, and the cells that it cuts. Returns false if all stands.
bool wadi_slide_deep_next(slide_deep* deep);
// Share of the failure that no block has broken before, by volume.
double wadi_slide_deep_fresh(const slide_deep* deep);
// More than half of its area was part of another block.
bool wadi_slide_deep_is_secondary(const slide_deep* deep);
// Add the failure to the source and to its list.
wadi_result wadi_slide_deep_keep(slide_deep* deep);
// The ground around the failure has changed, up to `reach` metres beyond it.
void wadi_slide_deep_follow(slide_deep* deep, double reach);
