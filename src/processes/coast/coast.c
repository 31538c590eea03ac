// SPDX-License-Identifier: MIT
// The process "coast": waves cut cliffs and platforms and smooth the shelf.
#include <wadi/coast.h>

#include "core/dmath.h"
#include "core/internal.h"
#include "laws/slopes/talus.h"
#include "process/figure_row.h"
#include "processes/coast/coast_cut.h"
#include "processes/coast/coast_depths.h"
#include "terrain/sea.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

// Since the sea reached its present level.
#define COAST_DEFAULT_YEARS 7000.0

// Retreat in one step, in cells: a step cuts few cells one after the other (coast_cut.c).
#define COAST_PART 0.2

// A region without data that reaches the border is sea if this share of its shore stands at most so
// high above the level [m].
#define COAST_LOW 50.0f
#define COAST_LOW_SHARE 0.25

enum
{
    COAST_GRAIN = 16 // rows of a block
};

enum
{
    COAST_MAP_WEAR,
    COAST_MAP_DEPOSIT,
    COAST_MAP_WAVES,
    COAST_MAP_COUNT
};

typedef struct coast_state
{
    wadi_terrain* terrain;
    wadi_coast_params params;
    wadi_talus* talus;
    coast_waves waves;
    float* tangents;
    int32_t* taken;
    int32_t* coarse;
    int8_t* receiver;
    coast_spare* spare;
    int64_t* wear; // [units]
    int64_t* deposit;
    int32_t* queue;   // for the search of seas without data
    uint8_t* unknown; // 1: ground that was exactly at sea level at first
    bool surveyed;    // `unknown` is set
    double years;
    int64_t cells;
    wadi_tally* tallies; // by worker
} coast_state;

// ---- making ------------------------------------------------------------------------------

static void coast_destroy(void* user)
{
    coast_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_talus_destroy(state->talus);
    wadi_free(context, state->waves.kind);
    wadi_free(context, state->waves.loss);
    wadi_free(context, state->waves.rays);
    wadi_free(context, state->waves.power);
    wadi_free(context, state->waves.lines);
    wadi_free(context, state->tangents);
    wadi_free(context, state->taken);
    wadi_free(context, state->coarse);
    wadi_free(context, state->receiver);
    wadi_free(context, state->spare);
    wadi_free(context, state->wear);
    wadi_free(context, state->deposit);
    wadi_free(context, state->queue);
    wadi_free(context, state->unknown);
    wadi_free(context, state->tallies);
    wadi_free(context, state);
}

static wadi_result coast_allocate(coast_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int64_t n = ground->cells;
    const int32_t workers = wadi_context_workers(context);
    coast_waves* waves = &state->waves;
    waves->ground = ground;
    waves->params = &state->params;
    waves->longest = (ground->width > ground->height ? ground->width : ground->height) + 2;
    WADI_ALLOC(context, waves->kind, n, "coasts");
    WADI_ALLOC(context, waves->loss, n, "waves");
    WADI_ALLOC(context, waves->rays, n * COAST_DIRECTIONS, "waves");
    WADI_ALLOC(context, waves->power, n, "waves");
    WADI_ALLOC(context, waves->lines, (int64_t)workers * 2 * waves->longest, "waves");
    WADI_ALLOC(context, state->tangents, n, "slopes of a coast");
    WADI_ALLOC(context, state->taken, n, "cliffs");
    WADI_ALLOC(context, state->coarse, n, "cliffs");
    WADI_ALLOC(context, state->receiver, n, "cliffs");
    WADI_ALLOC(context, state->spare, 2 * n, "cliffs");
    WADI_ALLOC(context, state->wear, n, "maps of a coast");
    WADI_ALLOC(context, state->deposit, n, "maps of a coast");
    WADI_ALLOC(context, state->queue, n, "coasts");
    WADI_ALLOC(context, state->unknown, n, "coasts");
    WADI_ALLOC(context, state->tallies, workers, "books of a coast");
    return wadi_talus_create(context, ground->width, ground->height, state->params.cliff < 90.0,
                             &state->talus);
}

static void coast_note_dry(const wadi_terrain* terrain)
{
    double level;
    if (!wadi_terrain_sea_level(terrain, wadi_terrain_clock(terrain), &level))
    {
        wadi_log_line(wadi_terrain_context(terrain),
                      "coast: the terrain has no sea, so nothing happens: give it a sea_level, or "
                      "--sea to 'wadi erode'");
    }
    wadi_terrain_note_drowned(terrain, "coast", wadi_terrain_clock(terrain));
}

static wadi_result coast_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                void** out)
{
    (void)stream; // nothing is random
    const wadi_coast_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_CHECK(context, params->cliff >= params->repose, WADI_ERROR_RANGE,
               "cliff is %g degrees but must be at least repose, %g: rock holds steeper than its "
               "debris",
               params->cliff, params->repose);
    coast_state* state;
    WADI_ALLOC(context, state, 1, "a coast");
    state->terrain = terrain;
    state->params = *params;
    coast_note_dry(terrain);
    const wadi_result result = coast_allocate(state);
    if (result != WADI_OK)
    {
        coast_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- which cells are sea -----------------------------------------------------------------

static void coast_survey(coast_state* state)
{
    if (!state->surveyed)
    {
        wadi_coast_find_depthless(state->waves.ground, state->waves.level, state->queue,
                                  state->unknown);
    }
    state->surveyed = true;
}

static void coast_kind_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    coast_state* state = user;
    const coast_waves* waves = &state->waves;
    const wadi_ground* ground = waves->ground;
    for (int64_t i = (int64_t)begin * ground->width; i < (int64_t)end * ground->width; ++i)
    {
        const bool below = ground->valid[i] != 0 && wadi_ground_surface(ground, i) <= waves->level;
        waves->kind[i] = !below ? COAST_LAND : state->unknown[i] != 0 ? COAST_DEPTHS : COAST_SEA;
    }
}

// Add a cell without data to the sea, once.
static int64_t coast_flood_cell(coast_state* state, int64_t cell, int64_t count)
{
    const wadi_ground* ground = state->waves.ground;
    if (ground->valid[cell] == 0 && state->waves.kind[cell] == COAST_LAND)
    {
        state->waves.kind[cell] = COAST_DEPTHS;
        state->queue[count++] = (int32_t)cell;
    }
    return count;
}

// Ground beside a region without data, in visits.
typedef struct coast_shore
{
    int64_t all;
    int64_t low; // up to COAST_LOW above the level
} coast_shore;

// Visit a neighbour of a region: part of it, or its shore.
static int64_t coast_flood_beside(coast_state* state, int64_t cell, int64_t count,
                                  coast_shore* shore)
{
    if (state->waves.ground->valid[cell] == 0)
    {
        return coast_flood_cell(state, cell, count);
    }
    shore->all += 1;
    shore->low += coast_depth(&state->waves, cell) >= -COAST_LOW ? 1 : 0;
    return count;
}

// The region without data that holds a cell of the border, if that is new. It is sea if enough of
// its shore is low: a hole in a survey of mountains is not. Returns the end of the queue.
static int64_t coast_flood_region(coast_state* state, int64_t from, int64_t first)
{
    const int64_t width = state->waves.ground->width;
    const int64_t last = state->waves.ground->cells - width;
    coast_shore shore = {0};
    int64_t count = coast_flood_cell(state, from, first);
    for (int64_t next = first; next < count; ++next)
    {
        const int64_t cell = state->queue[next];
        const int64_t x = cell % width;
        count = x > 0 ? coast_flood_beside(state, cell - 1, count, &shore) : count;
        count = x + 1 < width ? coast_flood_beside(state, cell + 1, count, &shore) : count;
        count = cell >= width ? coast_flood_beside(state, cell - width, count, &shore) : count;
        count = cell < last ? coast_flood_beside(state, cell + width, count, &shore) : count;
    }
    const bool sea = (double)shore.low >= COAST_LOW_SHARE * (double)shore.all;
    for (int64_t i = first; i < count && !sea; ++i)
    {
        state->waves.kind[state->queue[i]] = COAST_HOLE;
    }
    return count;
}

// Regions without data that reach the border of the map may be sea; holes inside the land are not.
static void coast_flood_voids(coast_state* state)
{
    const wadi_ground* ground = state->waves.ground;
    const int64_t width = ground->width;
    int64_t count = 0;
    for (int64_t x = 0; x < width; ++x)
    {
        count = coast_flood_region(state, x, count);
        count = coast_flood_region(state, ground->cells - width + x, count);
    }
    for (int64_t row = 0; row < ground->cells; row += width)
    {
        count = coast_flood_region(state, row, count);
        count = coast_flood_region(state, row + width - 1, count);
    }
    for (int64_t i = 0; i < count; ++i)
    {
        uint8_t* kind = &state->waves.kind[state->queue[i]];
        *kind = *kind == COAST_HOLE ? COAST_LAND : *kind;
    }
}

// ---- advancing ---------------------------------------------------------------------------

// Loose matter comes to rest at the angle of repose on land and in deep or sheltered water, and at
// the slope of the shore where waves are strong; between, the logarithm of the slope is mixed.
static void coast_tangent_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const coast_state* state = user;
    const coast_waves* waves = &state->waves;
    const coast_spare* spare = coast_spare_after(state->spare, waves->ground->cells);
    const wadi_coast_params* p = &state->params;
    const float steep = (float)wadi_talus_tangent(p->repose);
    const float ratio = wadi_log2f((float)p->shore_slope / steep);
    const int64_t width = waves->ground->width;
    for (int64_t i = begin * width; i < end * width; ++i)
    {
        const bool cut = spare[i].time > 0.0f; // sea since this step
        float stir = 0.0f;
        if (cut || waves->kind[i] == COAST_SEA)
        {
            stir = sqrtf(cut ? spare[i].power : waves->power[i]) *
                   wadi_expf(-coast_depth(waves, i) / (float)p->wave_base);
        }
        state->tangents[i] = steep * wadi_exp2f(stir * ratio);
    }
}

static void coast_slide(coast_state* state, wadi_tally* tally)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = state->waves.ground;
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = state->params.repose;
    law.hysteresis = 0.05;
    law.rock_repose = state->params.cliff;
    law.tangents = state->tangents;
    law.worn = state->wear;
    law.laid = state->deposit;
    wadi_parallel_rows(context, ground->height, COAST_GRAIN, coast_tangent_rows, state);
    wadi_talus_touch_all(state->talus);
    (void)wadi_talus_relax(state->talus, ground, &law, state->params.sweeps, tally);
}

// What has slid into the sea of unknown depth sinks there, out of the map.
static void coast_sink_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const coast_state* state = user;
    const wadi_ground* ground = state->waves.ground;
    wadi_tally* tally = &state->tallies[worker];
    for (int64_t i = (int64_t)begin * ground->width; i < (int64_t)end * ground->width; ++i)
    {
        if (ground->valid[i] != 0 && state->waves.kind[i] == COAST_DEPTHS)
        {
            const int32_t above = wadi_ground_surface(ground, i) - state->waves.level;
            const int32_t sunk = above > 0 ? wadi_ground_take_loose(ground, i, above, tally) : 0;
            tally->out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_VOID] += sunk;
            state->wear[i] += sunk;
        }
    }
}

static void coast_book(coast_state* state, wadi_tally* tally)
{
    wadi_tally_collect(tally, state->tallies, wadi_terrain_context(state->terrain));
    wadi_terrain_book(state->terrain, "coast", tally);
}

static double coast_step(const void* user)
{
    const coast_state* state = user;
    const wadi_coast_params* p = &state->params;
    const double part = COAST_PART * state->waves.ground->cell_size;
    return p->retreat * p->max_step > part ? part / p->retreat : p->max_step;
}

// Fill kinds and waves for a year. False without a sea.
static bool coast_look(coast_state* state, double year)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    if (!wadi_terrain_sea_units(state->terrain, year, &state->waves.level))
    {
        return false;
    }
    coast_survey(state);
    wadi_parallel_rows(context, state->waves.ground->height, COAST_GRAIN, coast_kind_rows, state);
    if (!state->waves.ground->all_valid)
    {
        coast_flood_voids(state);
    }
    wadi_coast_blow(context, &state->waves);
    return true;
}

static wadi_result coast_advance(void* user, const wadi_span* span)
{
    coast_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    state->years += span->years;
    if (!coast_look(state, span->from + 0.5 * span->years))
    {
        return WADI_OK;
    }
    const coast_cut cut = {.waves = &state->waves,
                           .years = span->years,
                           .taken = state->taken,
                           .coarse = state->coarse,
                           .receiver = state->receiver,
                           .spare = state->spare,
                           .wear = state->wear,
                           .deposit = state->deposit,
                           .tallies = state->tallies};
    wadi_coast_cut(context, &cut);
    wadi_tally tally = {0};
    coast_slide(state, &tally);
    wadi_parallel_rows(context, state->waves.ground->height, COAST_GRAIN, coast_sink_rows, state);
    coast_book(state, &tally);
    state->cells += wadi_terrain_valid_count(state->terrain);
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

static const wadi_map_info coast_maps[COAST_MAP_COUNT] = {
    [COAST_MAP_WEAR] = {"wear", "m", "gross lowering since the start", false, 0},
    [COAST_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false, 0},
    [COAST_MAP_WAVES] = {"waves", "1", "power of waves now, 1: fully grown and unhindered", false,
                         0},
};

static wadi_result coast_map(void* user, int32_t index, float* out)
{
    coast_state* state = user;
    const wadi_ground* ground = state->waves.ground;
    const bool waves = index == COAST_MAP_WAVES;
    const bool sea =
        waves && state->surveyed && coast_look(state, wadi_terrain_clock(state->terrain));
    const int64_t* sums = index == COAST_MAP_WEAR ? state->wear : state->deposit;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const float sum = (float)((double)sums[i] / WADI_UNITS_PER_METRE);
        const float power = sea ? state->waves.power[i] : 0.0f;
        out[i] = ground->valid[i] == 0 ? NAN : (waves ? power : sum);
    }
    return WADI_OK;
}

static int32_t coast_work(const void* user, wadi_work* rows)
{
    const coast_state* state = user;
    rows[0] = (wadi_work){"cells", (double)state->cells};
    return 1;
}

static int32_t coast_figures(const void* user, wadi_figure* rows)
{
    const coast_state* state = user;
    wadi_ledger_row books[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger_of(state->terrain, "coast", books, WADI_MAX_MATERIALS);
    const double rock = 0.0 - books[WADI_MATERIAL_ROCK].converted;
    const wadi_figure all[] = {
        wadi_figure_of("years", state->years),
        wadi_figure_of("rock_worn", rock),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static wadi_result coast_archive(void* user, wadi_archive* archive)
{
    coast_state* state = user;
    const wadi_ground* ground = state->waves.ground;
    wadi_archive_f64(archive, &state->years, 1);
    wadi_archive_i64(archive, &state->cells, 1);
    wadi_archive_bool(archive, &state->surveyed);
    wadi_archive_grid(archive, state->unknown, 1, ground->width, ground->height);
    wadi_archive_grid(archive, state->wear, sizeof *state->wear, ground->width, ground->height);
    wadi_archive_grid(archive, state->deposit, sizeof *state->deposit, ground->width,
                      ground->height);
    return wadi_archive_result(archive);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset coast_presets[] = {
    {"default", "cliffs of soft rock under ocean waves", NULL, 0},
};

static const wadi_model_api coast_api = {
    .create = coast_create,
    .step = coast_step,
    .advance = coast_advance,
    .destroy = coast_destroy,
    .map = coast_map,
    .work = coast_work,
    .figures = coast_figures,
    .archive = coast_archive,
};

// clang-format off
static const wadi_figure_info coast_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"rock_worn", "m3", WADI_FIGURE_STATE, "rock that waves have worn, by all runs of the process", 0},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: always 1", 0},
};
// clang-format on

static const wadi_model coast_models[] = {
    {"rays", "Waves along straight rays; cliffs, platforms and the loose shelf.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), WADI_MODEL_GATHERS,
     &coast_api},
};

const wadi_process wadi_coast_process = {
    .name = "coast",
    .doc = "Waves cut cliffs and platforms at the shore of the terrain's sea, by the power that is "
           "left of them there, and smooth the loose matter of the shelf.",
    .fields = &wadi_coast_fields,
    .presets = coast_presets,
    .preset_count = WADI_COUNT(coast_presets),
    .maps = coast_maps,
    .map_count = COAST_MAP_COUNT,
    .figures = coast_figure_list,
    .figure_count = WADI_COUNT(coast_figure_list),
    .models = coast_models,
    .model_count = WADI_COUNT(coast_models),
    .default_years = COAST_DEFAULT_YEARS,
};
