// SPDX-License-Identifier: MIT
// Life, steps, maps and books of the model "alluvial".
#include "processes/hydraulic/alluvial.h"

#include "core/dmath.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

enum
{
    ALLUVIAL_DETOUR = 6,    // a parcel is lost after so many lengths of the map
    ALLUVIAL_LONGEST = 8192 // nodes of a path, at most
};

// ---- life --------------------------------------------------------------------------------

void wadi_alluvial_destroy(alluvial* a)
{
    void* const arrays[] = {
        a->level,     a->east,       a->south,  a->coarse,  a->wear,   a->deposit, a->surfaces,
        a->kinds,     a->gates,      a->offers, a->flows,   a->narrow, a->speeds,  a->passed,
        a->grants,    a->visits,     a->sums,   a->stencil, a->inflow, a->fleet,   a->nodes,
        a->over_east, a->over_south, a->rivers, a->tallies, a->kept,   a->visited, a->rims,
        a->scarce,    a->latest,     a->cliffs};
    for (int32_t w = 0; w < a->workers; ++w)
    {
        wadi_free(a->context, a->visits != NULL ? a->visits[w] : NULL);
        wadi_free(a->context, a->sums != NULL ? a->sums[w] : NULL);
        wadi_free(a->context, a->latest != NULL ? a->latest[w] : NULL);
    }
    for (size_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(a->context, arrays[i]);
    }
    wadi_free(a->context, a);
}

static void alluvial_destroy(void* user)
{
    wadi_alluvial_destroy(user);
}

static wadi_result alluvial_allocate_sums(alluvial* a)
{
    a->workers = wadi_context_workers(a->context);
    WADI_ALLOC(a->context, a->visits, a->workers, "visits of cells");
    WADI_ALLOC(a->context, a->sums, a->workers, "sums of cells");
    WADI_ALLOC(a->context, a->latest, a->workers, "lost parcels");
    WADI_ALLOC(a->context, a->tallies, a->workers, "books");
    for (int32_t w = 0; w < a->workers; ++w)
    {
        WADI_ALLOC(a->context, a->visits[w], a->cells, "visits of cells");
        WADI_ALLOC(a->context, a->sums[w], a->cells, "sums of cells");
        WADI_ALLOC(a->context, a->latest[w], a->cells, "lost parcels");
    }
    return WADI_OK;
}

static wadi_result alluvial_allocate(alluvial* a)
{
    const int64_t padded = (int64_t)a->stride * (a->height + 2 * ALLUVIAL_PAD);
    int32_t** const words[] = {&a->level, &a->wear, &a->deposit, &a->over_east, &a->over_south};
    for (size_t i = 0; i < WADI_COUNT(words); ++i)
    {
        WADI_ALLOC(a->context, *words[i], a->cells, "water on plains");
    }
    WADI_ALLOC(a->context, a->east, a->cells, "flow");
    WADI_ALLOC(a->context, a->south, a->cells, "flow");
    WADI_ALLOC(a->context, a->coarse, a->cells, "grains");
    WADI_ALLOC(a->context, a->gates, a->cells, "mouths of rivers");
    WADI_ALLOC(a->context, a->cliffs, a->cells, "cliffs");
    WADI_ALLOC(a->context, a->offers, a->cells, "offers of cells");
    WADI_ALLOC(a->context, a->passed, a->cells, "load of cells");
    WADI_ALLOC(a->context, a->grants, a->cells, "load of cells");
    WADI_ALLOC(a->context, a->visited, a->height, "visitors of rows");
    WADI_ALLOC(a->context, a->scarce, a->height, "load of rows");
    WADI_ALLOC(a->context, a->surfaces, padded, "water on plains");
    WADI_ALLOC(a->context, a->flows, padded, "water on plains");
    WADI_ALLOC(a->context, a->narrow, padded, "water on plains");
    WADI_ALLOC(a->context, a->speeds, padded, "water on plains");
    WADI_ALLOC(a->context, a->kinds, padded, "water on plains");
    const int32_t longer = a->width > a->height ? a->width : a->height;
    WADI_ALLOC(a->context, a->rims, (int64_t)WADI_SIDE_COUNT * longer, "edges of plains");
    WADI_ALLOC(a->context, a->stencil, ALLUVIAL_STENCIL, "directions");
    return alluvial_allocate_sums(a);
}

// Rings of eight candidates, each turned a little further than the last.
static void alluvial_fill_stencil(float* stencil)
{
    for (int32_t t = 0; t < ALLUVIAL_TURNS; ++t)
    {
        for (int32_t i = 0; i < ALLUVIAL_WAYS; ++i)
        {
            const double eighth = i + (double)t / ALLUVIAL_TURNS;
            const double angle = eighth * (6.28318530717958648 / ALLUVIAL_WAYS);
            float* ring = stencil + (ptrdiff_t)t * 2 * ALLUVIAL_WAYS;
            ring[i] = ALLUVIAL_STRIDE * (float)wadi_cos(angle);
            ring[ALLUVIAL_WAYS + i] = ALLUVIAL_STRIDE * (float)wadi_sin(angle);
        }
    }
}

// Water that seeps into the ground along the way of a parcel.
static wadi_result alluvial_fill_kept(alluvial* a)
{
    if (a->params.infiltration > 0.0)
    {
        WADI_ALLOC(a->context, a->kept, a->longest + 1, "water of floods");
        // beyond 1000 nothing is left, and the way begins with all water
        const double move = fmin((double)ALLUVIAL_STRIDE * a->cell / a->params.infiltration, 1e3);
        for (int32_t k = 0; k <= a->longest; ++k)
        {
            a->kept[k] = (float)wadi_exp(-k * move);
        }
    }
    return WADI_OK;
}

static wadi_result alluvial_init(alluvial* a)
{
    WADI_TRY(alluvial_allocate(a));
    WADI_TRY(alluvial_fill_kept(a));
    alluvial_fill_stencil(a->stencil);
    const uint16_t sorted = (uint16_t)(ALLUVIAL_SORTED * (1.0 - a->params.fine_share) + 0.5);
    for (int64_t c = 0; c < a->cells; ++c)
    {
        a->level[c] = wadi_ground_surface(a->ground, c);
        a->coarse[c] = sorted;
    }
    return WADI_OK;
}

static void alluvial_set_walk(alluvial* a)
{
    a->walk = (alluvial_walk){
        .surfaces = a->surfaces,
        .flows = a->flows,
        .speeds = a->speeds,
        .kinds = a->kinds,
        .stencil = a->stencil,
        .stride = a->stride,
        .width = a->width,
        .height = a->height,
        .wraps_x = a->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = a->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
        .depth_power = (float)a->params.depth_power,
        .focus = a->params.focus,
        .noise = (float)(1e-3 * a->cell),
        .share = (float)a->params.gathering,
        .gather = (float)(sqrt(a->cell) / a->params.channel_width),
    };
}

wadi_result wadi_alluvial_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                 uint32_t stream, alluvial** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    alluvial* a;
    WADI_ALLOC(context, a, 1, "water on plains");
    a->terrain = terrain;
    a->context = context;
    a->ground = wadi_terrain_ground(terrain);
    a->params = *params;
    a->stream = stream;
    a->seed = wadi_terrain_seed(terrain);
    a->width = a->ground->width;
    a->height = a->ground->height;
    a->stride = a->width + 2 * ALLUVIAL_PAD;
    a->cells = a->ground->cells;
    a->cell = a->ground->cell_size;
    const int32_t longer = a->width > a->height ? a->width : a->height;
    a->longest =
        longer < ALLUVIAL_LONGEST / ALLUVIAL_DETOUR ? ALLUVIAL_DETOUR * longer : ALLUVIAL_LONGEST;
    const wadi_result result = alluvial_init(a);
    if (result != WADI_OK)
    {
        alluvial_destroy(a);
        return result;
    }
    alluvial_set_walk(a);
    *out = a;
    return WADI_OK;
}

static wadi_result alluvial_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                   void** out)
{
    alluvial* a = NULL;
    WADI_TRY(wadi_alluvial_create(terrain, params, stream, &a));
    *out = a;
    return WADI_OK;
}

// ---- a step ------------------------------------------------------------------------------

static double alluvial_step(const void* user)
{
    return ((const alluvial*)user)->params.flood_step;
}

// The lowest ground is the datum, so that levels are good as floats.
static void alluvial_set_datum(alluvial* a)
{
    int32_t low = INT32_MAX;
    for (int32_t y = a->box.north; y < a->box.south; ++y)
    {
        const int64_t row = (int64_t)y * a->width;
        for (int64_t c = row + a->box.west; c < row + a->box.east; ++c)
        {
            const int32_t h = wadi_ground_surface(a->ground, c);
            low = a->ground->valid[c] != 0 && h < low ? h : low;
        }
    }
    a->datum = low != INT32_MAX ? low : 0;
}

static void alluvial_read(alluvial* a, double year)
{
    double level = 0.0;
    a->has_sea = wadi_terrain_sea_level(a->terrain, year, &level);
    a->sea = a->has_sea ? (int32_t)(level * WADI_UNITS_PER_METRE) : 0;
}

static void alluvial_collect(alluvial* a)
{
    for (int32_t w = 0; w < a->workers; ++w)
    {
        wadi_tally_add(&a->tally, &a->tallies[w]);
        a->tallies[w] = (wadi_tally){0};
    }
}

static void alluvial_round(alluvial* a, int64_t round)
{
    wadi_alluvial_freeze(a);
    wadi_alluvial_flood(a, round);
    wadi_alluvial_offer(a);
    wadi_alluvial_feed(a);
    wadi_alluvial_exchange(a);
    wadi_alluvial_apply(a);
    wadi_alluvial_roll(a);
    a->rounds += 1;
}

static int64_t alluvial_sum(const int64_t* carry)
{
    return carry[ALLUVIAL_COARSE] + carry[ALLUVIAL_FINE];
}

static void alluvial_note_dry(alluvial* a)
{
    if (a->river_count == 0 && !a->noted_dry)
    {
        a->noted_dry = true;
        wadi_log_line(a->context,
                      "hydraulic: model 'alluvial' has no rain, only the rivers of the table "
                      "inflow, and there are none, so nothing happens");
    }
}

static wadi_result alluvial_advance(void* user, const wadi_span* span)
{
    alluvial* a = user;
    wadi_hydraulic_note_rivers(a->terrain, "alluvial", &a->noted_rivers);
    alluvial_note_dry(a);
    alluvial_read(a, span->from + 0.5 * span->years);
    WADI_TRY(wadi_alluvial_read_rivers(a, span));
    a->years += span->years;
    if (a->river_count > 0 || alluvial_sum(a->carry) > 0)
    {
        wadi_alluvial_run(a);
    }
    return WADI_OK;
}

void wadi_alluvial_run(alluvial* a)
{
    wadi_alluvial_set_box(a);
    alluvial_set_datum(a);
    wadi_alluvial_mark(a);
    wadi_alluvial_read_edges(a);
    wadi_alluvial_swell(a);
    wadi_stage(a->context, "floods");
    for (int64_t round = 0; round < a->steps; ++round)
    {
        alluvial_round(a, round);
    }
    wadi_stage(a->context, NULL);
    alluvial_collect(a);
    wadi_terrain_book(a->terrain, "hydraulic", &a->tally);
    a->tally = (wadi_tally){0};
}

// ---- matter in transit -------------------------------------------------------------------

static void alluvial_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const alluvial* a = user;
    int64_t sum = alluvial_sum(a->carry);
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        sum += alluvial_sum(a->rivers[i].carry);
    }
    held[WADI_MATERIAL_SEDIMENT] = sum;
}

// Does a cell belong to the mouth of a river? Of -1: to any mouth.
static bool settle_is_mouth(const alluvial* a, int64_t c, int32_t river)
{
    const double x = (double)(c % a->width) + 0.5;
    const double y = (double)(c / a->width) + 0.5;
    return a->gates[c] != 0 && a->ground->valid[c] != 0 &&
           (river < 0 || wadi_alluvial_nearest(a, x, y) == river);
}

int64_t wadi_alluvial_settle_cell(alluvial* a, int64_t c, int64_t amount)
{
    const int64_t room = wadi_alluvial_room(a, c);
    const int64_t part = amount < room ? amount : room;
    int32_t* water = &a->ground->water[c];
    const int32_t displaced = *water < part ? *water : (int32_t)part;
    wadi_ground_put(a->ground, c, (int32_t)part, &a->tally);
    // lakes keep their level; steps do so as well, but loads settle after them
    *water -= displaced;
    a->tally.lost[WADI_MATERIAL_WATER] += displaced;
    return part;
}

// A little on each cell of a mouth; what has no room there on the other cells, from north to south.
// What finds no mouth stays.
static void settle_load(alluvial* a, int32_t river, int64_t* carry)
{
    const int64_t sum = alluvial_sum(carry);
    int64_t rest = sum;
    int64_t mouths = 0;
    for (int64_t c = 0; c < a->cells && rest > 0; ++c)
    {
        mouths += settle_is_mouth(a, c, river) ? 1 : 0;
    }
    if (mouths == 0)
    {
        return;
    }
    for (int64_t c = 0; c < a->cells && mouths > 0; ++c)
    {
        if (settle_is_mouth(a, c, river))
        {
            rest -= wadi_alluvial_settle_cell(a, c, rest / mouths);
            mouths -= 1;
        }
    }
    for (int64_t c = 0; c < a->cells && rest > 0; ++c)
    {
        rest -= a->ground->valid[c] != 0 ? wadi_alluvial_settle_cell(a, c, rest) : 0;
    }
    a->tally.transit[WADI_MATERIAL_SEDIMENT] -= sum - rest;
    carry[ALLUVIAL_COARSE] = rest;
    carry[ALLUVIAL_FINE] = 0;
}

// The load of lost parcels lies down where their river enters; where two rivers share a cell, that
// of the second lies down in all mouths.
static void alluvial_settle(void* user)
{
    alluvial* a = user;
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        settle_load(a, i, a->rivers[i].carry);
        settle_load(a, -1, a->rivers[i].carry);
    }
    settle_load(a, -1, a->carry);
    wadi_terrain_book(a->terrain, "hydraulic", &a->tally);
    a->tally = (wadi_tally){0};
}

// ---- maps and figures --------------------------------------------------------------------

static float alluvial_map_value(const alluvial* a, int32_t map, int64_t c)
{
    const float flow = sqrtf(a->east[c] * a->east[c] + a->south[c] * a->south[c]);
    const int64_t deep = (int64_t)a->level[c] - wadi_ground_surface(a->ground, c);
    const float depth = (float)deep * (float)(1.0 / WADI_UNITS_PER_METRE);
    switch (map)
    {
    case HYDRAULIC_MAP_DISCHARGE:
        return flow * (float)a->cell;
    case HYDRAULIC_MAP_VELOCITY:
        return flow / (depth > 0.05f ? depth : 0.05f);
    case HYDRAULIC_MAP_WEAR:
        return (float)a->wear[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_DEPOSIT:
        return (float)a->deposit[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_FLOOD_DEPTH:
        return depth > 0.0f ? depth : 0.0f;
    default:
        return (float)a->coarse[c] * (1.0f / ALLUVIAL_SORTED);
    }
}

static wadi_result alluvial_map(void* user, int32_t index, float* out)
{
    const alluvial* a = user;
    for (int64_t c = 0; c < a->cells; ++c)
    {
        out[c] = a->ground->valid[c] != 0 ? alluvial_map_value(a, index, c) : NAN;
    }
    return WADI_OK;
}

static int32_t alluvial_work(const void* user, wadi_work* rows)
{
    const alluvial* a = user;
    rows[0] = (wadi_work){"rounds", (double)a->rounds};
    rows[1] = (wadi_work){"parcels", a->parcels};
    rows[2] = (wadi_work){"moves", a->moves};
    rows[3] = (wadi_work){"lost", a->lost};
    return 4;
}

static int32_t alluvial_figures(const void* user, wadi_figure* rows)
{
    const alluvial* a = user;
    const int32_t count = wadi_hydraulic_figures(a->terrain, a->years, rows);
    return count + wadi_alluvial_water_figures(a, rows + count);
}

// Most load that a lost parcel, or a river, holds in a saved state [units x cells].
static const int64_t alluvial_most_load = (int64_t)1 << 50;
static const double alluvial_most_swing = 20.0; // of unit variance
static const int64_t alluvial_last_round = (int64_t)1 << 62;

static bool alluvial_is_load(const int64_t* carry)
{
    return carry[ALLUVIAL_COARSE] >= 0 && carry[ALLUVIAL_COARSE] <= alluvial_most_load &&
           carry[ALLUVIAL_FINE] >= 0 && carry[ALLUVIAL_FINE] <= alluvial_most_load;
}

bool wadi_alluvial_is_sound(const alluvial* a)
{
    bool sound = a->rounds >= 0 && a->rounds <= alluvial_last_round && alluvial_is_load(a->carry) &&
                 wadi_alluvial_is_water(a);
    for (int32_t i = 0; i < a->river_count && sound; ++i)
    {
        const alluvial_river* river = &a->rivers[i];
        sound = fabs(river->swing) <= alluvial_most_swing && alluvial_is_load(river->carry);
    }
    return sound;
}

static wadi_result alluvial_archive(void* user, wadi_archive* archive)
{
    alluvial* a = user;
    void* const maps[] = {a->level, a->east, a->south, a->wear, a->deposit};
    for (size_t i = 0; i < WADI_COUNT(maps); ++i)
    {
        wadi_archive_grid(archive, maps[i], 4, a->width, a->height);
    }
    wadi_archive_grid(archive, a->coarse, 2, a->width, a->height);
    wadi_archive_u8(archive, a->gates, a->cells);
    WADI_TRY(wadi_archive_same(archive, a->river_count, "rivers"));
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        wadi_archive_f64(archive, &a->rivers[i].swing, 1);
        wadi_archive_i64(archive, a->rivers[i].carry, ALLUVIAL_GRAINS);
    }
    wadi_archive_i64(archive, &a->rounds, 1);
    wadi_archive_i64(archive, a->carry, ALLUVIAL_GRAINS);
    wadi_archive_f64(archive, &a->years, 1);
    wadi_archive_f64(archive, &a->until, 1);
    wadi_archive_bool(archive, &a->started);
    wadi_archive_i64(archive, a->water, ALLUVIAL_WATERS);
    wadi_archive_f64(archive, &a->moves, 1);
    wadi_archive_f64(archive, &a->parcels, 1);
    wadi_archive_f64(archive, &a->lost, 1);
    WADI_TRY(wadi_archive_result(archive));
    if (!wadi_archive_is_reading(archive))
    {
        return WADI_OK;
    }
    WADI_CHECK(a->context, wadi_alluvial_is_sound(a), WADI_ERROR_FORMAT,
               "the saved floods of rivers are out of range");
    return wadi_hydraulic_check_sums(a->terrain, a->wear, a->deposit);
}

const wadi_model_api wadi_alluvial_api = {
    .create = alluvial_create,
    .step = alluvial_step,
    .advance = alluvial_advance,
    .settle = alluvial_settle,
    .held = alluvial_held,
    .destroy = alluvial_destroy,
    .map = alluvial_map,
    .set_table = wadi_alluvial_set_table,
    .work = alluvial_work,
    .figures = alluvial_figures,
    .archive = alluvial_archive,
};
