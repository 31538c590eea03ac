// SPDX-License-Identifier: MIT
// Start "storm": the soil of the region in a storm (laws/slopes/storm.h), and the slides in it.
#include "core/dmath.h"
#include "core/random.h"
#include "laws/slopes/storm.h"
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static storm_law slide_storm_law(const wadi_landslide_params* params)
{
    const double angle = params->soil_friction * 0.017453292519943295;
    storm_law law = wadi_storm_law_default();
    law.friction = wadi_sin(angle) / wadi_cos(angle);
    law.cohesion = params->soil_cohesion;
    law.roots = params->cohesion;
    law.conductivity = params->conductivity;
    return law;
}

// Slides that a search finds have failed since the last one: spread their hours in their order.
static void slide_storm_spread(slide_list* list, uint64_t seed, uint32_t number, double search)
{
    for (int32_t i = 0; i < list->count;)
    {
        const double end = list->failures[i].time;
        int32_t last = i;
        while (last < list->count && list->failures[last].time <= end)
        {
            ++last;
        }
        const double part = search / (double)(last - i);
        for (int32_t k = i; k < last; ++k)
        {
            slide_failure* f = &list->failures[k];
            const double u = wadi_unit_double(
                wadi_random(seed, number, (uint64_t)f->number, 0x484f5552u).v[0], 0);
            f->time = end - search + part * ((double)(k - i) + 0.5 + 0.5 * u);
        }
        i = last;
    }
}

// What failed moves, with the weathered rock below it where all soil goes; all else stands.
static void slide_storm_keep(const wadi_ground* ground, const int32_t* all, slide_source* source)
{
    const slide_list* list = &source->list;
    memset(source->soil, 0, (size_t)ground->cells * sizeof *source->soil);
    double water = 0.0;
    double units = 0.0;
    for (int32_t i = 0; i < list->count; ++i)
    {
        const slide_failure* f = &list->failures[i];
        source->largest = f->count > source->largest ? f->count : source->largest;
        water += f->wetness * (double)f->units;
        units += (double)f->units;
    }
    for (int64_t k = 0; k < list->cell_count; ++k)
    {
        source->soil[list->cells[k].cell] += list->cells[k].depth;
    }
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        source->rock[c] = source->soil[c] > 0 && source->soil[c] == all[c] ? source->rock[c] : 0;
    }
    source->areas = list->count;
    source->wetness = units > 0.0 ? water / units : 0.0;
}

static wadi_result slide_storm_run(wadi_context* context, const wadi_field2d* field, uint64_t seed,
                                   const wadi_landslide_params* params, uint32_t number,
                                   slide_source* source)
{
    const storm_law law = slide_storm_law(params);
    const double seconds = params->duration * 3600.0;
    const storm_rain rain = {params->rain / 3.6e6, seconds, seconds, number};
    const size_t bytes = (size_t)field->width * (size_t)field->height * sizeof *source->soil;
    storm_land* land;
    storm_books books;
    WADI_TRY(wadi_storm_create(context, field, seed, &law, &land));
    memcpy(wadi_storm_soil(land), source->soil, bytes);
    const wadi_result result = wadi_storm_run(land, &rain, &source->list, &books);
    const double searches = fmax(1.0, ceil(seconds / law.step));
    slide_storm_spread(&source->list, seed, number, seconds / searches);
    wadi_storm_destroy(land);
    return result;
}

static wadi_result slide_storm_find(wadi_terrain* terrain, const wadi_landslide_params* params,
                                    uint32_t number, slide_source* source)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    wadi_view surface;
    WADI_TRY(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &surface));
    wadi_field2d field = {.heights = surface.data,
                          .width = surface.width,
                          .height = surface.height,
                          .stride = surface.stride,
                          .dx = ground->cell_size,
                          .dy = ground->cell_size};
    memcpy(field.edges, ground->edges, sizeof field.edges);
    const wadi_result result = slide_storm_run(wadi_terrain_context(terrain), &field,
                                               wadi_terrain_seed(terrain), params, number, source);
    const wadi_result released = wadi_terrain_release(terrain, WADI_LAYER_SURFACE);
    return result != WADI_OK ? result : released;
}

wadi_result wadi_slide_storm(wadi_terrain* terrain, const wadi_landslide_params* params,
                             uint32_t number, slide_source* source)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    int32_t* all;
    WADI_ALLOC(context, all, ground->cells, "soil in a storm");
    memcpy(all, source->soil, (size_t)ground->cells * sizeof *all);
    wadi_result result = slide_storm_find(terrain, params, number, source);
    if (result == WADI_OK)
    {
        result = wadi_slide_rim(context, ground, all, &source->list);
    }
    if (result == WADI_OK)
    {
        slide_storm_keep(ground, all, source);
    }
    wadi_free(context, all);
    return result;
}
