// SPDX-License-Identifier: MIT
#include "processes/landslide/slide_deep.h"

#include "core/dmath.h"

#include <wadi/stability.h>

#include <math.h>
#include <string.h>

static const double deep_gravity = 9.81;
static const double deep_water = 1000.0;      // [kg/m3]
static const double deep_cells = 6.0;         // shortest chord, in cells
static const double deep_share = 1.0 / 3.0;   // longest chord, of the shorter side of the map
static const int32_t deep_thinnest = 1 << 10; // of a cell that fails [units]

static double deep_tangent(double degrees)
{
    const double angle = degrees * 0.017453292519943295;
    return wadi_sin(angle) / wadi_cos(angle);
}

// ---- ground ------------------------------------------------------------------------------

static double deep_wetness(const slide_deep* deep, int64_t cell)
{
    const wadi_ground* ground = wadi_terrain_ground_const(deep->terrain);
    return fmax((double)ground->moisture[cell] / 65535.0, deep->params->wetness);
}

static double deep_weight(const wadi_material* m, double wetness)
{
    return deep_gravity * ((1.0 - m->porosity) * m->density + m->porosity * wetness * deep_water);
}

// Mean weight of the loose layers, and the strength of the lowest.
static void deep_soil(const slide_deep* deep, int64_t cell, double wetness, rupture_column* out)
{
    const wadi_ground* ground = wadi_terrain_ground_const(deep->terrain);
    double weight = 0.0;
    double sum = 0.0;
    for (int32_t l = ground->loose_count - 1; l >= 0; --l)
    {
        const double units = (double)ground->loose[l][cell];
        const wadi_material* m = wadi_terrain_material(deep->terrain, ground->material[l]);
        if (units > 0.0)
        {
            weight += units * deep_weight(m, wetness);
            sum += units;
            out->soil_cohesion = (float)m->cohesion;
            out->soil_tangent = (float)deep_tangent(m->friction_angle);
        }
    }
    out->soil_weight = (float)(sum > 0.0 ? weight / sum : 0.0);
}

// Sediment of a block is its broken rock. What lies below the surface that bared it is whole.
static void deep_break(const slide_deep* deep, rupture_column* column)
{
    const double left = deep->params->residual;
    column->soil_cohesion = (float)(left * deep->params->rock_cohesion);
    column->soil_tangent = (float)(left * deep_tangent(deep->params->rock_friction));
}

static void deep_column(slide_deep* deep, int64_t cell)
{
    const wadi_ground* ground = wadi_terrain_ground_const(deep->terrain);
    rupture_column* column = &deep->columns[cell];
    *column = (rupture_column){.top = NAN};
    if (ground->valid[cell] == 0)
    {
        return;
    }
    const int32_t soil = deep->lowers ? deep->source->soil[cell] : 0;
    const int32_t rock = deep->lowers ? deep->source->rock[cell] : 0;
    const double surface = (double)wadi_ground_surface(ground, cell);
    const double loose = surface - (double)ground->bedrock[cell];
    const double soft = (1.0 - (double)ground->hardness[cell] / 65535.0) * ground->rock_softness;
    column->top = (float)((surface - soil - rock) / WADI_UNITS_PER_METRE);
    column->soil = (float)((loose - soil) / WADI_UNITS_PER_METRE);
    column->rock_cohesion = soft > 0.0 ? (float)(deep->params->rock_cohesion / soft) : INFINITY;
    deep_soil(deep, cell, deep_wetness(deep, cell), column);
    const int32_t limit = wadi_slide_source_limit(deep->region, ground, cell);
    const int32_t moved = deep->source->soil[cell] + deep->source->rock[cell];
    const bool has_moved = deep->lowers ? moved > 0 : deep->turns[cell] > deep->params->secondary;
    const double most = loose + (double)wadi_ground_erodible_rock(ground, cell);
    const double deepest = has_moved ? 0.0 : fmin((double)limit, most);
    column->deepest = (float)(deepest / WADI_UNITS_PER_METRE);
    if (deep->turns[cell] > 0 && !has_moved)
    {
        deep_break(deep, column);
    }
}

// Pore pressure of water that flows along the slope.
static void deep_pressure(slide_deep* deep, int32_t column, int32_t row)
{
    const rupture_land* land = &deep->land;
    const int64_t cell = wadi_rupture_cell(land, column, row);
    double tangent2 = 0.0;
    for (int k = 0; k < 2; ++k)
    {
        const int64_t on = wadi_rupture_cell(land, column + (k == 0), row + (k == 1));
        const int64_t back = wadi_rupture_cell(land, column - (k == 0), row - (k == 1));
        const double here = (double)land->columns[cell].top;
        const double a = on >= 0 ? (double)land->columns[on].top : (double)NAN;
        const double b = back >= 0 ? (double)land->columns[back].top : (double)NAN;
        const double rise = !isnan(a) && !isnan(b) ? 0.5 * (a - b)
                            : !isnan(a)            ? a - here
                            : !isnan(b)            ? here - b
                                                   : 0.0;
        tangent2 += rise * rise / (land->cell * land->cell);
    }
    deep->columns[cell].water =
        (float)(deep_gravity * deep_water * deep_wetness(deep, cell) / (1.0 + tangent2));
}

// Read a box of cells, which may lie beyond the map.
static void deep_read(slide_deep* deep, const int32_t box[4])
{
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int32_t row = box[1] - pass; row <= box[3] + pass; ++row)
        {
            for (int32_t column = box[0] - pass; column <= box[2] + pass; ++column)
            {
                const int64_t cell = wadi_rupture_cell(&deep->land, column, row);
                if (cell >= 0 && pass == 0)
                {
                    deep_column(deep, cell);
                }
                else if (cell >= 0 && !isnan(deep->columns[cell].top))
                {
                    deep_pressure(deep, column, row);
                }
            }
        }
    }
}

typedef enum deep_pass
{
    DEEP_KEEP,    // the columns as they are
    DEEP_COMPARE, // with those that were kept
    DEEP_FORGET
} deep_pass;

static void deep_mark_cell(slide_deep* deep, int64_t cell, deep_pass pass)
{
    const rupture_column* now = &deep->columns[cell];
    if (pass == DEEP_KEEP)
    {
        deep->earlier[cell] = *now;
    }
    const bool differs = memcmp(now, &deep->earlier[cell], sizeof *now) != 0;
    deep->changed[cell] = pass == DEEP_COMPARE && differs ? 1 : 0;
}

// Go over a box and the cells beside it, whose water may change with its slope.
static void deep_mark(slide_deep* deep, const int32_t box[4], deep_pass pass)
{
    for (int32_t row = box[1] - 1; row <= box[3] + 1; ++row)
    {
        for (int32_t column = box[0] - 1; column <= box[2] + 1; ++column)
        {
            const int64_t cell = wadi_rupture_cell(&deep->land, column, row);
            if (cell >= 0)
            {
                deep_mark_cell(deep, cell, pass);
            }
        }
    }
}

void wadi_slide_deep_follow(slide_deep* deep, double reach)
{
    int32_t box[4];
    (void)wadi_rupture_box(&deep->land, &deep->surface, box);
    const int32_t more = (int32_t)ceil(reach / deep->land.cell) + 2;
    for (int k = 0; k < 4; ++k)
    {
        box[k] += k < 2 ? -more : more;
    }
    deep_mark(deep, box, DEEP_KEEP);
    deep_read(deep, box);
    deep_mark(deep, box, DEEP_COMPARE);
    wadi_rupture_search_update(deep->search, box, deep->changed);
    deep_mark(deep, box, DEEP_FORGET);
}

// ---- search ------------------------------------------------------------------------------

// Shortest and longest chord [m].
static void deep_lengths(const wadi_terrain* terrain, const wadi_landslide_params* p,
                         double lengths[2])
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const int32_t side = ground->width < ground->height ? ground->width : ground->height;
    const double most = deep_share * side * ground->cell_size;
    const double wanted = sqrt(4.0 / 3.141592653589793 * p->min_area / p->breadth);
    lengths[0] = fmax(deep_cells * ground->cell_size, wanted);
    lengths[1] = p->length > 0.0 ? fmin(p->length, most) : most;
}

void wadi_slide_deep_note(const wadi_terrain* terrain, const wadi_landslide_params* params)
{
    double lengths[2];
    deep_lengths(terrain, params, lengths);
    if (lengths[0] > lengths[1])
    {
        wadi_log_line(
            wadi_terrain_context(terrain),
            "landslide: no rupture surface is tried, since the shortest, by six cells or "
            "min_area, is %.3g m and the longest, by length or a third of the map, %.3g m",
            lengths[0], lengths[1]);
    }
}

static wadi_result deep_search(slide_deep* deep)
{
    double lengths[2];
    deep_lengths(deep->terrain, deep->params, lengths);
    return wadi_rupture_search_create(wadi_terrain_context(deep->terrain), &deep->land,
                                      deep->params->min_area, lengths[0], lengths[1],
                                      &deep->search);
}

wadi_result wadi_slide_deep_create(wadi_terrain* terrain, const slide_region* region,
                                   slide_source* source, bool lowers, slide_deep* out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const wadi_landslide_params* p = region->params;
    const wadi_material* rock = wadi_terrain_material(terrain, WADI_MATERIAL_ROCK);
    *out = (slide_deep){
        .terrain = terrain, .params = p, .region = region, .source = source, .lowers = lowers};
    WADI_ALLOC(context, out->columns, ground->cells, "ground of deep slides");
    WADI_ALLOC(context, out->earlier, ground->cells, "ground of deep slides");
    WADI_ALLOC(context, out->changed, ground->cells, "ground of deep slides");
    WADI_ALLOC(context, out->turns, ground->cells, "ground of deep slides");
    WADI_ALLOC(context, out->cells, ground->cells, "cells of deep slides");
    out->land = (rupture_land){
        .columns = out->columns,
        .width = ground->width,
        .height = ground->height,
        .cell = ground->cell_size,
        .wraps = {ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
                  ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC},
        .rock_weight = deep_weight(rock, p->wetness),
        .rock_tangent = deep_tangent(p->rock_friction),
        .shaking = p->shaking,
        .narrow = 1.0 / p->breadth,
    };
    memset(source->soil, 0, (size_t)ground->cells * sizeof *source->soil);
    memset(source->rock, 0, (size_t)ground->cells * sizeof *source->rock);
    const int32_t all[4] = {0, 0, ground->width - 1, ground->height - 1};
    deep_read(out, all);
    return deep_search(out);
}

void wadi_slide_deep_destroy(slide_deep* deep)
{
    wadi_context* context = wadi_terrain_context(deep->terrain);
    wadi_rupture_search_destroy(deep->search);
    wadi_free(context, deep->columns);
    wadi_free(context, deep->earlier);
    wadi_free(context, deep->changed);
    wadi_free(context, deep->turns);
    wadi_free(context, deep->cells);
}

// The cells that the surface cuts, and how deep, below its rim less than a cell.
static void deep_cut(slide_deep* deep)
{
    int32_t box[4];
    (void)wadi_rupture_box(&deep->land, &deep->surface, box);
    deep->count = 0;
    for (int32_t row = box[1]; row <= box[3]; ++row)
    {
        for (int32_t column = box[0]; column <= box[2]; ++column)
        {
            const int64_t cell = wadi_rupture_cell(&deep->land, column, row);
            if (cell < 0 || isnan(deep->columns[cell].top))
            {
                continue;
            }
            const double most = (double)deep->columns[cell].deepest;
            const double depth = wadi_rupture_depth(&deep->land, &deep->surface, column, row);
            const int32_t units = (int32_t)(fmin(depth, most) * WADI_UNITS_PER_METRE);
            const double wet = deep_wetness(deep, cell);
            if (units >= deep_thinnest)
            {
                deep->cells[deep->count] = (slide_cell){cell, units, (int32_t)(wet * units)};
                ++deep->count;
            }
        }
    }
}

bool wadi_slide_deep_next(slide_deep* deep)
{
    if (deep->source->list.count == SLIDE_DEEP_MOST)
    {
        wadi_log_line(wadi_terrain_context(deep->terrain),
                      "landslide: %d deep failures in a step, others wait for the next: the rock "
                      "may be too weak for its relief, see rock_cohesion",
                      SLIDE_DEEP_MOST);
        return false;
    }
    while (wadi_rupture_search_next(deep->search, &deep->surface, &deep->moments))
    {
        deep_cut(deep);
        if (deep->count > 0)
        {
            return true;
        }
        wadi_rupture_search_skip(deep->search);
    }
    return false;
}

double wadi_slide_deep_fresh(const slide_deep* deep)
{
    int64_t fresh = 0;
    int64_t all = 0;
    for (int64_t k = 0; k < deep->count; ++k)
    {
        const slide_cell* s = &deep->cells[k];
        const double soil = (double)deep->columns[s->cell].soil * WADI_UNITS_PER_METRE;
        const int32_t loose = soil < (double)s->depth ? (int32_t)soil : s->depth;
        fresh += deep->turns[s->cell] == 0 ? s->depth : s->depth - loose;
        all += s->depth;
    }
    return all > 0 ? (double)fresh / (double)all : 1.0;
}

bool wadi_slide_deep_is_secondary(const slide_deep* deep)
{
    int64_t turned = 0;
    for (int64_t k = 0; k < deep->count; ++k)
    {
        turned += deep->turns[deep->cells[k].cell] > 0 ? 1 : 0;
    }
    return 2 * turned > deep->count;
}

wadi_result wadi_slide_deep_keep(slide_deep* deep)
{
    wadi_context* context = wadi_terrain_context(deep->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(deep->terrain);
    slide_source* source = deep->source;
    slide_list* list = &source->list;
    WADI_TRY(wadi_slide_list_begin(context, list, 0.0));
    double water = 0.0;
    for (int64_t k = 0; k < deep->count; ++k)
    {
        WADI_TRY(wadi_slide_list_add(context, list, deep->cells[k]));
        water += (double)deep->cells[k].water;
    }
    for (int64_t k = 0; k < deep->count; ++k)
    {
        const slide_cell* s = &deep->cells[k];
        const int32_t have = wadi_ground_surface(ground, s->cell) - ground->bedrock[s->cell] -
                             (deep->lowers ? source->soil[s->cell] : 0);
        const int32_t soil = s->depth < have ? s->depth : have;
        source->soil[s->cell] += soil;
        source->rock[s->cell] += s->depth - soil;
        deep->turns[s->cell] += 1;
    }
    slide_failure* last = &list->failures[list->count - 1];
    last->wetness = last->units > 0 ? water / (double)last->units : 0.0;
    source->areas += 1;
    source->largest = last->count > source->largest ? last->count : source->largest;
    return WADI_OK;
}

// ---- all failures ------------------------------------------------------------------------

static void deep_mean_wetness(slide_source* source)
{
    double water = 0.0;
    double units = 0.0;
    for (int32_t i = 0; i < source->list.count; ++i)
    {
        const slide_failure* f = &source->list.failures[i];
        water += f->wetness * (double)f->units;
        units += (double)f->units;
    }
    source->wetness = units > 0.0 ? water / units : 0.0;
}

wadi_result wadi_slide_deep(wadi_terrain* terrain, const slide_region* region, slide_source* source)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    slide_deep deep;
    WADI_ALLOC(context, source->stability, ground->cells, "stability");
    wadi_result result = wadi_slide_deep_create(terrain, region, source, true, &deep);
    if (result == WADI_OK)
    {
        wadi_rupture_search_map(deep.search, (float)WADI_STABILITY_MOST, source->stability);
    }
    while (result == WADI_OK && wadi_slide_deep_next(&deep))
    {
        result = wadi_slide_deep_keep(&deep);
        wadi_slide_deep_follow(&deep, 0.0);
    }
    deep_mean_wetness(source);
    wadi_slide_deep_destroy(&deep);
    return result;
}
