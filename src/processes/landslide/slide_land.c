// SPDX-License-Identifier: MIT
// The ground that a slide runs over: the surface less the soil cut out, with one ghost cell on each
// side. Ghost cells are periodic or copy the edge cell. A void has the height of the nearest valid
// cell.
#include "processes/landslide/landslide_internal.h"

// Wrap or clamp a column or row to the terrain.
static int32_t land_fold(int32_t at, int32_t count, bool wraps)
{
    if (wraps)
    {
        return (at % count + count) % count;
    }
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

int64_t wadi_slide_land_cell(const wadi_ground* ground, int32_t column, int32_t row)
{
    const int32_t x =
        land_fold(column, ground->width, ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC);
    const int32_t y =
        land_fold(row, ground->height, ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC);
    return (int64_t)y * ground->width + x;
}

int64_t wadi_slide_land_neighbour(const wadi_ground* ground, int64_t cell, int k)
{
    const int32_t column = (int32_t)(cell % ground->width) + k % 3 - 1;
    const int32_t row = (int32_t)(cell / ground->width) + k / 3 - 1;
    const bool wraps_across = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_along = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const bool inside = (wraps_across || (column >= 0 && column < ground->width)) &&
                        (wraps_along || (row >= 0 && row < ground->height));
    return inside ? wadi_slide_land_cell(ground, column, row) : -1;
}

// Height of the floor below the grains at a cell [units].
static int32_t land_floor(const slide* s, const wadi_ground* ground, int32_t cell)
{
    const int32_t worn = s->worn != NULL ? s->worn[cell] : 0;
    return wadi_ground_surface(ground, cell) - s->source->soil[cell] - s->source->rock[cell] - worn;
}

bool wadi_slide_land_wear(slide* s)
{
    bool changed = false;
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    slide_land* land = &s->land;
    for (int32_t row = 0; row < land->height; ++row)
    {
        for (int32_t column = 0; column < land->width; ++column)
        {
            const int32_t near = land->source[wadi_slide_land_cell(ground, column - 1, row - 1)];
            const int32_t floor = near < 0 ? 0 : land_floor(s, ground, near);
            const float height = (float)floor / WADI_UNITS_PER_METRE;
            float* at = &land->floor[(int64_t)row * land->width + column];
            changed = changed || height < *at || height > *at;
            *at = height;
        }
    }
    return changed;
}

static void land_deepen(slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    slide_land* land = &s->land;
    for (int32_t row = 0; row < land->height; ++row)
    {
        for (int32_t column = 0; column < land->width; ++column)
        {
            const int32_t near = land->source[wadi_slide_land_cell(ground, column - 1, row - 1)];
            const int32_t cut = near < 0 ? 0 : s->source->soil[near] + s->source->rock[near];
            land->depth[(int64_t)row * land->width + column] = (float)cut / WADI_UNITS_PER_METRE;
        }
    }
}

wadi_result wadi_slide_land_create(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    slide_land* land = &s->land;
    land->width = ground->width + 2;
    land->height = ground->height + 2;
    land->cell = ground->cell_size;
    const size_t cells = (size_t)land->width * (size_t)land->height;
    WADI_ALLOC(context, land->floor, cells, "ground of a slide");
    WADI_ALLOC(context, land->depth, cells, "ground of a slide");
    WADI_ALLOC(context, land->source, ground->cells, "ground of a slide");
    int32_t* queue;
    WADI_ALLOC(context, queue, ground->cells, "ground of a slide");
    wadi_ground_nearest_valid(ground, land->source, queue);
    wadi_free(context, queue);
    (void)wadi_slide_land_wear(s);
    land_deepen(s);
    return WADI_OK;
}

void wadi_slide_land_destroy(wadi_context* context, slide_land* land)
{
    wadi_free(context, land->floor);
    wadi_free(context, land->depth);
    wadi_free(context, land->source);
}

wadi_facets wadi_slide_land_facets(const slide_land* land, float* heights)
{
    return (wadi_facets){.heights = heights,
                         .width = land->width,
                         .height = land->height,
                         .cell_size = land->cell,
                         .west = -land->cell,
                         .south = -land->cell};
}
