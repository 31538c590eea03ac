// SPDX-License-Identifier: MIT
// The ground that a slide runs over: layers less what is cut out of them, one cell wider on each
// side. Over a periodic edge the other side follows, else the last cell goes on; voids are as high
// as the nearest cell with data.
#include "landslide/landslide_internal.h"

typedef struct land_job
{
    const slide* s;
    const wadi_ground* ground;
    const int32_t* source; // by cell, the nearest with data
} land_job;

// Column or row of the terrain for one that may lie beyond it.
static int32_t land_fold(int32_t at, int32_t count, bool wraps)
{
    if (wraps)
    {
        return (at % count + count) % count;
    }
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

int64_t slide_land_cell(const wadi_ground* ground, int32_t column, int32_t row)
{
    const int32_t x =
        land_fold(column, ground->width, ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC);
    const int32_t y =
        land_fold(row, ground->height, ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC);
    return (int64_t)y * ground->width + x;
}

int64_t slide_land_neighbour(const wadi_ground* ground, int64_t cell, int k)
{
    const int32_t column = (int32_t)(cell % ground->width) + k % 3 - 1;
    const int32_t row = (int32_t)(cell / ground->width) + k / 3 - 1;
    const bool wraps_across = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_along = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const bool inside = (wraps_across || (column >= 0 && column < ground->width)) &&
                        (wraps_along || (row >= 0 && row < ground->height));
    return inside ? slide_land_cell(ground, column, row) : -1;
}

static void land_fill_row(const land_job* job, int32_t row)
{
    const slide_land* land = &job->s->land;
    const wadi_ground* ground = job->ground;
    for (int32_t column = 0; column < land->width; ++column)
    {
        const int64_t near = job->source[slide_land_cell(ground, column - 1, row - 1)];
        const int64_t to = (int64_t)row * land->width + column;
        const int32_t cut = near < 0 ? 0 : job->s->source->soil[near] + job->s->source->rock[near];
        const int32_t top = near < 0 ? 0 : wadi_ground_surface(ground, near);
        land->floor[to] = (float)(top - cut) / WADI_UNITS_PER_METRE;
        land->depth[to] = (float)cut / WADI_UNITS_PER_METRE;
    }
}

wadi_result slide_land_create(slide* s)
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
    int32_t* source;
    WADI_ALLOC(context, source, 2 * ground->cells, "ground of a slide");
    wadi_ground_reach_voids(ground, source, source + ground->cells);
    const land_job job = {s, ground, source};
    for (int32_t row = 0; row < land->height; ++row)
    {
        land_fill_row(&job, row);
    }
    wadi_free(context, source);
    return WADI_OK;
}

wadi_facets slide_land_facets(const slide_land* land, float* heights)
{
    return (wadi_facets){.heights = heights,
                         .width = land->width,
                         .height = land->height,
                         .cell_size = land->cell,
                         .west = -land->cell,
                         .south = -land->cell};
}
