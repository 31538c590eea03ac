// SPDX-License-Identifier: MIT
// Grains from creation to maps. One advance is batches of: bring in fresh grains, let all take
// their steps on frozen ground, settle the ground.
#include "processes/articles/wind_grains/grains.h"
#include "process/figure_row.h"

#include "core/dmath.h"
#include "processes/articles/wind_grains/grain_state.h"

#include <math.h>
#include <string.h>

enum
{
    GRAIN_SHARE = 64,  // cells to a grain of a full pool
    GRAIN_BATCH = 256, // steps of a batch with a full pool: 4 per cell; 1 lifts 1 % more
    // most steps, when few grains are under way: 250 grains cost 60 ms on 1024 x 1024, at 512 160
    // ms
    GRAIN_LAST_BATCH = 4096,
    GRAIN_STEP_BATCHES = 16, // batches with a full crowd of fresh grains in an automatic step
    GRAIN_PART_BITS = 20     // grains that are due are counted in parts of 2^-20
};

// Longest automatic step [yr].
static const double grain_longest_step = 100.0;

// The step that the article's constants belong to: what a grain lifts is a depth per step there,
// which this makes one per path.
static const double grain_published_step = 0.25;
// At this wind [m/s] a grain's wind is `grain_wind`.
static const double grain_published_wind = 10.0;

// ---- creation -----------------------------------------------------------------------------------

static wadi_result grain_check(wadi_context* context, const wadi_ground* ground,
                               const wadi_wind_params* params)
{
    const double limit = 2.0 * grain_published_step;
    WADI_CHECK(context, params->grain_step <= limit, WADI_ERROR_RANGE,
               "grain_step %g is above its stable limit of %g: from there on the wear depends on "
               "the step; lower it",
               params->grain_step, limit);
    WADI_CHECK(context, ground->cells <= (int64_t)1 << 28, WADI_ERROR_RANGE,
               "grains run on grids of up to 2^28 cells, not %lld", (long long)ground->cells);
    return WADI_OK;
}

static grain_law grain_law_of(const wadi_ground* ground, const wadi_wind_params* params)
{
    const double step = params->grain_step;
    const double unit = params->grain_scale * ground->cell_size * WADI_UNITS_PER_METRE;
    const double wind = params->grain_wind * params->speed / grain_published_wind;
    const wind_heading heading = wadi_wind_heading(params->direction);
    return (grain_law){
        .step = (float)step,
        .drive = (float)(0.1 * step),
        .gravity = (float)(0.01 * step),
        .rise = (float)(step * unit),
        .wind_x = heading.x * (float)wind,
        .wind_y = heading.y * (float)wind,
        .lift = (float)(grain_published_step * params->grain_suspension),
        .rub = (float)(grain_published_step * params->grain_abrasion),
        .mass = (float)params->grain_mass,
        .light = (float)(1.0 / unit),
        .fall = (float)(step * params->grain_suspension),
        .width = ground->width,
        .height = ground->height,
        .stride = ground->width + 2,
    };
}

static void grain_slope_of(grain_land* land, const wadi_wind_params* params)
{
    const double cell = land->ground->cell_size * WADI_UNITS_PER_METRE;
    land->slope.stable = (float)(params->grain_roughness * params->grain_scale * cell);
    land->slope.cells_per_unit = (float)(1.0 / cell);
    land->rate = (float)(params->grain_step * params->grain_settling);
}

static wadi_result grain_allocate_workers(wadi_grains* g)
{
    g->worker_count = wadi_context_workers(g->context);
    WADI_ALLOC(g->context, g->workers, g->worker_count, "workers of grains");
    for (int32_t w = 0; w < g->worker_count; ++w)
    {
        grain_sums* sums = &g->workers[w].sums;
        WADI_ALLOC(g->context, sums->cells, g->land.total, "what grains move");
        WADI_ALLOC(g->context, sums->rubs, g->land.total, "what grains rub off");
        WADI_ALLOC(g->context, sums->flags, g->land.chunks, "flags of chunks");
    }
    return WADI_OK;
}

static wadi_result grain_allocate(wadi_grains* g)
{
    WADI_TRY(wadi_grain_land_create(&g->land, g->terrain));
    WADI_TRY(grain_allocate_workers(g));
    const int64_t total = g->land.total;
    WADI_ALLOC(g->context, g->pool, g->capacity, "grains");
    WADI_ALLOC(g->context, g->spare, g->capacity, "grains");
    WADI_ALLOC(g->context, g->tile_starts, wadi_grain_pool_tiles(&g->law) + 1, "grains by tile");
    WADI_ALLOC(g->context, g->track, total, "the track map");
    WADI_ALLOC(g->context, g->samples, total, "the momentum map");
    WADI_ALLOC(g->context, g->speed, total, "the momentum map");
    WADI_ALLOC(g->context, g->flux_x, total, "the flux map");
    WADI_ALLOC(g->context, g->flux_y, total, "the flux map");
    WADI_ALLOC(g->context, g->airborne, total, "the airborne map");
    return WADI_OK;
}

static void grains_destroy(void* user)
{
    wadi_grains* g = user;
    wadi_grain_land_destroy(&g->land);
    for (int32_t w = 0; g->workers != NULL && w < g->worker_count; ++w)
    {
        wadi_free(g->context, g->workers[w].sums.cells);
        wadi_free(g->context, g->workers[w].sums.rubs);
        wadi_free(g->context, g->workers[w].sums.flags);
    }
    void* const owned[] = {g->workers, g->pool,  g->spare,  g->tile_starts, g->track,
                           g->samples, g->speed, g->flux_x, g->flux_y,      g->airborne};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(g->context, owned[i]);
    }
    wadi_free(g->context, g);
}

void wadi_grain_use(wadi_grains* g, wadi_isa isa)
{
    const grain_kernels* kernels = grain_kernels_of(isa);
    g->kernel = kernels->steps;
    g->land.cascade = kernels->cascade;
    g->land.freeze = kernels->freeze;
}

static int32_t grain_capacity(const wadi_ground* ground)
{
    const int64_t share = ground->cells / GRAIN_SHARE;
    return share > GRAIN_LANES ? (int32_t)share : GRAIN_LANES;
}

// Grains that blow in within a year: in proportion to the width of land across the wind.
static double grain_rate(const grain_law* law, const wadi_wind_params* params)
{
    const double pace = sqrt((double)(law->wind_x * law->wind_x + law->wind_y * law->wind_y));
    const double across =
        (fabs((double)law->wind_x) * law->height + fabs((double)law->wind_y) * law->width) / pace;
    return params->grains_per_cell * across / WIND_DEFAULT_YEARS;
}

static wadi_result grains_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                 void** out)
{
    const wadi_wind_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    *out = NULL;
    WADI_TRY(grain_check(context, ground, params));
    wadi_grains* g;
    WADI_ALLOC(context, g, 1, "grains");
    g->terrain = terrain;
    g->context = context;
    g->seed = wadi_terrain_seed(terrain);
    g->stream = stream;
    g->law = grain_law_of(ground, params);
    g->per_year = grain_rate(&g->law, params);
    g->step = params->step;
    g->capacity = grain_capacity(ground);
    wadi_grain_use(g, wadi_isa_best());
    const wadi_result result = grain_allocate(g);
    if (result != WADI_OK)
    {
        grains_destroy(g);
        return result;
    }
    grain_slope_of(&g->land, params);
    *out = g;
    return WADI_OK;
}

// ---- advancing ----------------------------------------------------------------------------------

// The shorter the pool, the longer the batch, so that the ground is not settled for a handful of
// steps.
static int32_t grain_batch_steps(const wadi_grains* g)
{
    const int64_t even = (int64_t)GRAIN_BATCH * g->capacity / g->live;
    return even < GRAIN_LAST_BATCH ? (int32_t)(even / GRAIN_STRIDE * GRAIN_STRIDE)
                                   : GRAIN_LAST_BATCH;
}

static void grain_clear_counts(wadi_grains* g)
{
    for (int32_t w = 0; w < g->worker_count; ++w)
    {
        grain_worker* worker = &g->workers[w];
        memset(worker->out, 0, sizeof worker->out);
        worker->steps = 0;
        worker->contacts = 0;
        worker->lifted = 0;
    }
}

// Add up what the workers did in an accepted batch.
static void grain_count(wadi_grains* g, int64_t load_before, wadi_tally* tally)
{
    int64_t lifted = 0;
    int64_t out = 0;
    for (int32_t w = 0; w < g->worker_count; ++w)
    {
        const grain_worker* worker = &g->workers[w];
        g->steps += worker->steps;
        g->contacts += worker->contacts;
        lifted += worker->lifted;
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            tally->out[WADI_MATERIAL_SEDIMENT][side] += worker->out[side];
            out += worker->out[side];
        }
    }
    g->lifted += lifted;
    g->laid += load_before + lifted - out - wadi_grain_pool_load(g);
}

static void grain_step_batch(wadi_grains* g, wadi_tally* tally)
{
    const int64_t load = wadi_grain_pool_load(g);
    const int32_t steps = grain_batch_steps(g);
    grain_clear_counts(g);
    wadi_grain_run(g, steps, false);
    if (!wadi_grain_land_plan(&g->land, g->workers, g->worker_count, false))
    {
        grain_clear_counts(g);
        wadi_grain_run(g, steps, true);
        (void)wadi_grain_land_plan(&g->land, g->workers, g->worker_count, true);
        g->again += 1;
    }
    wadi_grain_pool_swap(g);
    wadi_grain_pool_compact(g);
    grain_count(g, load, tally);
    wadi_grain_land_settle(&g->land, g->workers);
    wadi_grain_pool_sample(g, steps);
    g->batches += 1;
}

// The time in which grains for 16 batches come in.
static double grains_step(const void* user)
{
    const wadi_grains* g = user;
    const double grains = GRAIN_STEP_BATCHES * (double)wadi_grain_pool_crowd(&g->law);
    const double automatic =
        g->per_year * grain_longest_step > grains ? grains / g->per_year : grain_longest_step;
    return g->step > 0.0 ? g->step : automatic;
}

// Whole grains that are due after `years` more; parts of one wait for the next step.
static int64_t grain_count_due(wadi_grains* g, double years)
{
    const double parts = floor(years * g->per_year * (double)(1 << GRAIN_PART_BITS) + 0.5);
    g->due += (int64_t)(parts < 0x1p61 ? parts : 0x1p61);
    const int64_t count = g->due >> GRAIN_PART_BITS;
    g->due -= count << GRAIN_PART_BITS;
    return count;
}

static void grain_batches(wadi_grains* g, int64_t count, wadi_tally* tally)
{
    while (count > 0)
    {
        wadi_grain_pool_fill(g, &count);
        if (g->live > 0)
        {
            wadi_grain_pool_sort(g);
            grain_step_batch(g, tally);
        }
    }
}

static void grain_book(wadi_grains* g, wadi_tally* tally, int64_t load_before)
{
    for (int32_t w = 0; w < g->worker_count; ++w)
    {
        wadi_tally_add(tally, &g->workers[w].tally);
        memset(&g->workers[w].tally, 0, sizeof g->workers[w].tally);
    }
    tally->transit[WADI_MATERIAL_SEDIMENT] = wadi_grain_pool_load(g) - load_before;
    wadi_terrain_book(g->terrain, "wind", tally);
}

static wadi_result grains_advance(void* user, const wadi_span* span)
{
    wadi_grains* g = user;
    wadi_wind_note_bare(g->terrain);
    const int64_t load = wadi_grain_pool_load(g);
    wadi_tally tally = {0};
    const int64_t count = grain_count_due(g, span->years);
    g->years += span->years;
    if (count > 0)
    {
        wadi_grain_land_read(&g->land);
        grain_batches(g, count, &tally);
    }
    grain_book(g, &tally, load);
    return WADI_OK;
}

static void grains_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    held[WADI_MATERIAL_SEDIMENT] = wadi_grain_pool_load(user);
}

// Cell of the terrain under a grain.
static int64_t grain_cell_of(const wadi_grains* g, const grain* each)
{
    const int32_t x = each->cell % g->land.stride - 1;
    const int32_t y = each->cell / g->land.stride - 1;
    return (int64_t)y * g->land.ground->width + x;
}

static bool grain_any_flies(const wadi_grains* g)
{
    bool flies = false;
    for (int32_t i = 0; i < g->live && !flies; ++i)
    {
        flies = g->pool[i].state == GRAIN_FLIES;
    }
    return flies;
}

// Strew the loads of grains that have come round on a torus upwind of where they are.
static void grain_end_all(wadi_grains* g)
{
    g->laid += wadi_grain_pool_load(g);
    for (int32_t i = 0; i < g->live; ++i)
    {
        wadi_grain_edge_expire(g, &g->workers[0], &g->pool[i]);
    }
    (void)wadi_grain_land_plan(&g->land, g->workers, g->worker_count, true);
    wadi_grain_pool_compact(g);
    wadi_grain_land_settle(&g->land, g->workers);
}

// The end of a run: grains fly on until they leave, end at a wall or have come round.
static void grains_settle(void* user)
{
    wadi_grains* g = user;
    const int64_t load = wadi_grain_pool_load(g);
    wadi_tally tally = {0};
    if (g->live > 0)
    {
        wadi_grain_land_read(&g->land);
        while (grain_any_flies(g))
        {
            wadi_grain_pool_sort(g);
            grain_step_batch(g, &tally);
        }
        grain_end_all(g);
    }
    grain_book(g, &tally, load);
}

// ---- what came of it ----------------------------------------------------------------------------

static float grain_map_value(const wadi_grains* g, int32_t map, int64_t cell, int32_t at)
{
    const float metre = 1.0f / WADI_UNITS_PER_METRE;
    const float flux =
        g->years > 0.0 ? (float)(g->land.ground->cell_size / g->years) * metre : 0.0f;
    const float count = g->samples[at] > 0.0f ? g->samples[at] : 1.0f;
    const float wind = sqrtf(g->law.wind_x * g->law.wind_x + g->law.wind_y * g->law.wind_y);
    switch (map)
    {
    case WIND_MAP_TRACK:
        return g->track[at] / count;
    case WIND_MAP_FLUX_X:
        return g->flux_x[at] * flux;
    case WIND_MAP_FLUX_Y:
        return -g->flux_y[at] * flux;
    case WIND_MAP_MOMENTUM:
        return g->speed[at] / count / wind;
    case WIND_MAP_AIRBORNE:
        return g->airborne[at] * metre;
    case WIND_MAP_WEAR:
        return g->land.wear[cell] * metre;
    case WIND_MAP_DEPOSIT:
    default:
        return g->land.deposit[cell] * metre;
    }
}

// What each grain that waits for the next run holds, where it is.
static void grain_map_transit(const wadi_grains* g, float* out)
{
    const wadi_ground* ground = g->land.ground;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        out[i] = ground->valid[i] != 0 ? 0.0f : NAN;
    }
    for (int32_t i = 0; i < g->live; ++i)
    {
        const grain* each = &g->pool[i];
        out[grain_cell_of(g, each)] += (float)each->load / WADI_UNITS_PER_METRE;
    }
}

static wadi_result grains_map(void* user, int32_t index, float* out)
{
    const wadi_grains* g = user;
    const wadi_ground* ground = g->land.ground;
    if (index == WIND_MAP_TRANSIT)
    {
        grain_map_transit(g, out);
        return WADI_OK;
    }
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const int32_t at =
            grain_padded(&g->land, (int32_t)(i % ground->width), (int32_t)(i / ground->width));
        out[i] = ground->valid[i] != 0 ? grain_map_value(g, index, i, at) : NAN;
    }
    return WADI_OK;
}

static int32_t grains_work(const void* user, wadi_work* rows)
{
    const wadi_grains* g = user;
    const wadi_work all[] = {
        {"particles", (double)g->started},   {"particle_steps", (double)g->steps},
        {"contacts", (double)g->contacts},   {"batches", (double)g->batches},
        {"batches_again", (double)g->again},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static int32_t grains_figures(const void* user, wadi_figure* rows)
{
    const wadi_grains* g = user;
    const double cell = g->land.ground->cell_size;
    const double volume = cell * cell / WADI_UNITS_PER_METRE;
    const wadi_figure all[] = {
        wadi_figure_of("years", g->years),
        wadi_figure_of("lifted", (double)g->lifted * volume),
        wadi_figure_of("laid_down", (double)g->laid * volume),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

const wadi_model_api wadi_grains_api = {
    .create = grains_create,
    .step = grains_step,
    .advance = grains_advance,
    .settle = grains_settle,
    .held = grains_held,
    .destroy = grains_destroy,
    .map = grains_map,
    .work = grains_work,
    .figures = grains_figures,
    .archive = wadi_wind_grains_archive,
};
