// SPDX-License-Identifier: MIT
// Soil and weathered rock that are cut out of a region.
#include "processes/landslide/landslide_internal.h"

static int32_t source_units(double metres)
{
    return (int32_t)(metres * WADI_UNITS_PER_METRE + 0.5);
}

int32_t wadi_slide_source_limit(const slide_region* region, const wadi_ground* ground, int64_t cell)
{
    const double x = ((double)(cell % ground->width) + 0.5) * ground->cell_size;
    const double y =
        ((double)(ground->height - 1 - cell / ground->width) + 0.5) * ground->cell_size;
    if (ground->valid[cell] == 0 || !wadi_slide_region_holds(region, x, y))
    {
        return 0;
    }
    const double most = region->params->depth;
    const int32_t limit = most > 0.0 ? source_units(most) : INT32_MAX;
    if (region->depth == NULL)
    {
        return limit;
    }
    const double given = (double)region->depth[cell];
    const double deep = given < 0.0 ? -given : given; // surveys give the change, below 0
    const int32_t narrow = deep > 0.0 ? source_units(deep) : 0;
    return narrow < limit ? narrow : limit;
}

static void source_take_cell(slide_source* source, const slide_region* region,
                             const wadi_ground* ground, int64_t cell)
{
    const int32_t limit = wadi_slide_source_limit(region, ground, cell);
    const int32_t soil = wadi_ground_surface(ground, cell) - ground->bedrock[cell];
    source->soil[cell] = soil < limit ? soil : limit;

    // the yield is 0 at hardness 1
    const int32_t left = limit - source->soil[cell];
    const int32_t deepest = source_units(region->params->rock_depth);
    const int32_t yields =
        left > 0 && deepest > 0 ? wadi_ground_rock_yield(ground, cell, deepest) : 0;
    source->rock[cell] = yields < left ? yields : left;
}

wadi_result wadi_slide_source_create(wadi_terrain* terrain, const slide_region* region,
                                     slide_source* out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    WADI_ALLOC(context, out->soil, ground->cells, "soil that may slide");
    WADI_ALLOC(context, out->rock, ground->cells, "rock that may slide");
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        source_take_cell(out, region, ground, cell);
    }
    return WADI_OK;
}

void wadi_slide_source_destroy(wadi_context* context, slide_source* source)
{
    wadi_free(context, source->soil);
    wadi_free(context, source->rock);
    wadi_free(context, source->stability);
    wadi_slide_list_destroy(context, &source->list);
    *source = (slide_source){0};
}

void wadi_slide_source_sum(const wadi_ground* ground, slide_source* source)
{
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const int32_t units = source->soil[cell] + source->rock[cell];
        source->cells += units > 0 ? 1 : 0;
        source->units += units;
        source->deepest = units > source->deepest ? units : source->deepest;
    }
}
