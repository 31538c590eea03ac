// SPDX-License-Identifier: MIT
// The process "soil": rock becomes soil under its cover, soil creeps, and cliffs stay bare.
#include "core/random.h"
#include "laws/slopes/soil_law.h"
#include "process/figure_row.h"
#include "processes/soil/soil_state.h"
#include <wadi/archive.h>

#include <math.h>
#include <string.h>

#define SOIL_DEFAULT_YEARS 10000.0 // the time since the last glaciation

#define SOIL_MOST_PARTS 1e6 // of creep in a step

static const double soil_thin = 0.05; // soil thinner than this counts as bare rock [m]

// ---- making ------------------------------------------------------------------------------

static void soil_destroy(void* user)
{
    soil_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    void* const arrays[] = {state->surface, state->diffusivity, state->east,    state->south,
                            state->wanted,  state->taken,       state->laid,    state->fall,
                            state->maps[0], state->maps[1],     state->maps[2], state->out,
                            state->in,      state->tallies};
    for (int32_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(context, arrays[i]);
    }
    wadi_free(context, state);
}

static wadi_result soil_allocate(soil_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = state->ground;
    int32_t** const wholes[] = {&state->surface, &state->taken, &state->laid};
    for (int32_t i = 0; i < WADI_COUNT(wholes); ++i)
    {
        WADI_ALLOC(context, *wholes[i], ground->cells, "soil");
    }
    for (int i = 0; i < SOIL_MAP_COUNT; ++i)
    {
        WADI_ALLOC(context, state->maps[i], ground->cells, "maps of soil");
    }
    WADI_ALLOC(context, state->diffusivity, ground->cells, "soil");
    WADI_ALLOC(context, state->fall, ground->cells, "soil");
    WADI_ALLOC(context, state->wanted, ground->cells, "soil");
    WADI_ALLOC(context, state->east, ground->cells + ground->height, "soil");
    WADI_ALLOC(context, state->south, ground->cells + ground->width, "soil");
    WADI_ALLOC(context, state->out, ground->height, "books of soil");
    WADI_ALLOC(context, state->in, ground->height, "books of soil");
    WADI_ALLOC(context, state->tallies, wadi_context_workers(context), "books of soil");
    return WADI_OK;
}

// Mass of a material by its bulk volume [kg/m3].
static double soil_bulk_density(const wadi_terrain* terrain, int32_t row)
{
    const wadi_material* m = wadi_terrain_material(terrain, row);
    return m->density * (1.0 - m->porosity);
}

static wadi_result soil_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                               void** out)
{
    const wadi_soil_cover_params* params = user_params;
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    soil_state* state;
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "soil");
    state->terrain = terrain;
    state->ground = ground;
    state->params = *params;
    state->stream = stream;
    state->bulking = params->density_ratio > 0.0
                         ? params->density_ratio
                         : soil_bulk_density(terrain, WADI_MATERIAL_ROCK) /
                               soil_bulk_density(terrain, WADI_MATERIAL_SEDIMENT);
    const wadi_result result = soil_allocate(state);
    if (result != WADI_OK)
    {
        soil_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- the ground --------------------------------------------------------------------------

int64_t wadi_soil_neighbour(const wadi_ground* ground, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    int32_t nx = x + dx;
    int32_t ny = y + dy;
    if (ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC)
    {
        nx = nx < 0 ? nx + ground->width : nx >= ground->width ? nx - ground->width : nx;
    }
    if (ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        ny = ny < 0 ? ny + ground->height : ny >= ground->height ? ny - ground->height : ny;
    }
    const bool inside = nx >= 0 && ny >= 0 && nx < ground->width && ny < ground->height;
    const int64_t there = inside ? (int64_t)ny * ground->width + nx : -1;
    return inside && ground->valid[there] != 0 ? there : -1;
}

// Difference of the surface across a cell, over two cells or one [units per cell].
static double soil_difference(const soil_state* state, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    const int64_t here = (int64_t)y * state->ground->width + x;
    const int64_t before = wadi_soil_neighbour(state->ground, x, y, -dx, -dy);
    const int64_t after = wadi_soil_neighbour(state->ground, x, y, dx, dy);
    const double a = (double)state->surface[before >= 0 ? before : here];
    const double b = (double)state->surface[after >= 0 ? after : here];
    return before >= 0 && after >= 0 ? 0.5 * (b - a) : b - a;
}

double wadi_soil_slope(const soil_state* state, int32_t x, int32_t y)
{
    const double gx = soil_difference(state, x, y, 1, 0);
    const double gy = soil_difference(state, x, y, 0, 1);
    return sqrt(gx * gx + gy * gy) / (state->ground->cell_size * WADI_UNITS_PER_METRE);
}

double wadi_soil_descent(const soil_state* state, int32_t x, int32_t y, double* sum)
{
    static const int32_t sides[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const double here = (double)state->surface[(int64_t)y * state->ground->width + x];
    double falls[4];
    *sum = 0.0;
    for (int side = 0; side < 4; ++side)
    {
        const int64_t to = wadi_soil_neighbour(state->ground, x, y, sides[side][0], sides[side][1]);
        falls[side] = to >= 0 ? fmax(0.0, here - (double)state->surface[to]) : 0.0;
        *sum += falls[side];
    }
    const double along = fmax(falls[WADI_SIDE_EAST], falls[WADI_SIDE_WEST]);
    const double across = fmax(falls[WADI_SIDE_NORTH], falls[WADI_SIDE_SOUTH]);
    return sqrt(along * along + across * across) /
           (state->ground->cell_size * WADI_UNITS_PER_METRE);
}

static void soil_survey_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    soil_state* state = user;
    const int64_t width = state->ground->width;
    for (int64_t c = begin * width; c < end * width; ++c)
    {
        state->surface[c] = wadi_ground_surface(state->ground, c);
    }
}

void wadi_soil_survey(soil_state* state)
{
    wadi_parallel_rows(wadi_terrain_context(state->terrain), state->ground->height, SOIL_GRAIN,
                       soil_survey_rows, state);
}

static void soil_apply_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    soil_state* state = user;
    const int64_t width = state->ground->width;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = y * width;
        wadi_ground_exchange_row(state->ground, first, (int32_t)width, state->taken + first,
                                 state->laid + first, &state->tallies[worker]);
        for (int64_t c = first; c < first + width; ++c)
        {
            const int32_t change = state->laid[c] - state->taken[c];
            state->maps[SOIL_MAP_WEAR][c] += change < 0 ? -change : 0;
            state->maps[SOIL_MAP_DEPOSIT][c] += change > 0 ? change : 0;
        }
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            state->tallies[worker].out[WADI_MATERIAL_SEDIMENT][side] += state->out[y][side];
            state->out[y][side] = 0;
        }
        state->tallies[worker].in[WADI_MATERIAL_SEDIMENT] += state->in[y];
        state->in[y] = 0;
    }
}

void wadi_soil_apply(soil_state* state)
{
    wadi_parallel_rows(wadi_terrain_context(state->terrain), state->ground->height, SOIL_GRAIN,
                       soil_apply_rows, state);
}

// ---- production --------------------------------------------------------------------------

typedef struct soil_production
{
    soil_state* state;
    float gain; // production over the depth of cover
    uint32_t step;
} soil_production;

// Rock that becomes soil [units], rounded at random. Soil is `bulking` times as thick.
static int32_t soil_rock_consumed(const soil_production* job, int32_t x, int32_t y, float lot)
{
    const soil_state* state = job->state;
    const wadi_ground* ground = state->ground;
    const int64_t c = (int64_t)y * ground->width + x;
    const float scale = (float)(state->params.cover_depth * WADI_UNITS_PER_METRE);
    const float cover = (float)state->surface[c] - (float)ground->bedrock[c];
    const float slope = (float)wadi_soil_slope(state, x, y);
    const float z = job->gain * sqrtf(1.0f + slope * slope) * wadi_expf(-cover / scale);
    const float rock = scale * soil_log1p(z) / (float)state->bulking;
    const int64_t room = ground->bedrock[c] + (int64_t)WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    const int32_t units = (int32_t)fminf(rock + lot, 0x1p28f);
    return units < room ? units : (int32_t)(room > 0 ? room : 0);
}

static void soil_produce_cell(const soil_production* job, int32_t x, int32_t y, wadi_tally* tally)
{
    soil_state* state = job->state;
    const int64_t c = (int64_t)y * state->ground->width + x;
    const uint64_t number = (uint64_t)wadi_ground_number(state->ground, x, y);
    const wadi_philox dice =
        wadi_random(wadi_terrain_seed(state->terrain), state->stream, number, job->step);
    const int32_t rock = wadi_ground_take_rock(
        state->ground, c, soil_rock_consumed(job, x, y, wadi_unit_float(dice.v[0])), tally);
    const double soil = (double)rock * state->bulking + wadi_unit_double(dice.v[1], dice.v[2]);
    wadi_ground_put(state->ground, c, (int32_t)soil, tally);
    tally->in[WADI_MATERIAL_SEDIMENT] += (int32_t)soil - rock;
    state->maps[SOIL_MAP_PRODUCED][c] += (int32_t)soil;
}

static void soil_produce_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const soil_production* job = user;
    const wadi_ground* ground = job->state->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    for (int32_t y = begin > owned.y ? begin : owned.y; y < end && y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            if (ground->valid[(int64_t)y * ground->width + x] != 0)
            {
                soil_produce_cell(job, x, y, &job->state->tallies[worker]);
            }
        }
    }
}

static bool soil_produce(soil_state* state, const wadi_span* span)
{
    const wadi_soil_cover_params* p = &state->params;
    soil_production job = {state, (float)(p->production * 1e-3 * span->years / p->cover_depth),
                           (uint32_t)span->index};
    if (p->production > 0.0)
    {
        wadi_soil_survey(state);
        wadi_parallel_rows(wadi_terrain_context(state->terrain), state->ground->height, SOIL_GRAIN,
                           soil_produce_rows, &job);
        return wadi_ground_refresh(state->ground);
    }
    return true;
}

// ---- advancing ---------------------------------------------------------------------------

// A step has so many parts of creep at most, so that it stays stable.
static double soil_step(const void* user)
{
    const soil_state* state = user;
    return fmin(state->params.max_step, SOIL_MOST_PARTS * wadi_soil_creep_step(state));
}

static wadi_result soil_advance(void* user, const wadi_span* span)
{
    soil_state* state = user;
    bool goes_on = soil_produce(state, span);
    const int32_t parts = (int32_t)ceil(span->years / wadi_soil_creep_step(state));
    for (int32_t part = 0; part < parts && goes_on; ++part)
    {
        wadi_soil_creep(state, span->years / parts, (uint32_t)span->index, (uint32_t)part);
        goes_on = wadi_ground_refresh(state->ground);
    }
    if (!goes_on)
    {
        return wadi_partition_lost(wadi_terrain_context(state->terrain));
    }
    wadi_tally tally = {0};
    wadi_tally_collect(&tally, state->tallies, wadi_terrain_context(state->terrain));
    wadi_terrain_book(state->terrain, "soil", &tally);
    state->years += span->years;
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

static const wadi_map_info soil_maps[SOIL_MAP_COUNT] = {
    [SOIL_MAP_PRODUCED] = {"produced", "m", "thickness of soil made of rock since the start", false,
                           0},
    [SOIL_MAP_WEAR] = {"wear", "m", "gross lowering by creep and falls since the start", false, 0},
    [SOIL_MAP_DEPOSIT] = {"deposit", "m", "gross raising by creep and falls since the start", false,
                          0},
};

static wadi_result soil_map(void* user, int32_t index, float* out)
{
    const soil_state* state = user;
    for (int64_t i = 0; i < state->ground->cells; ++i)
    {
        const double metres = (double)state->maps[index][i] / WADI_UNITS_PER_METRE;
        out[i] = state->ground->valid[i] != 0 ? (float)metres : NAN;
    }
    return WADI_OK;
}

static int32_t soil_work(const void* user, wadi_work* rows)
{
    const soil_state* state = user;
    const wadi_work all[] = {
        {"cells", (double)state->cells},
        {"creep_steps", (double)state->parts},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// Sums over valid cells: of soil made, of its depth, of bare cells, and their number.
static void soil_sums(const soil_state* state, int64_t sums[4])
{
    const wadi_ground* ground = state->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    const double bare = soil_thin * WADI_UNITS_PER_METRE;
    memset(sums, 0, 4 * sizeof *sums);
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * ground->width + x;
            const int64_t one = ground->valid[c] != 0 ? 1 : 0;
            const int64_t units = (int64_t)wadi_ground_surface(ground, c) - ground->bedrock[c];
            sums[0] += one * state->maps[SOIL_MAP_PRODUCED][c];
            sums[1] += one * units;
            sums[2] += (double)units < bare ? one : 0;
            sums[3] += one;
        }
    }
    (void)wadi_partition_sum(ground->part, sums, 4);
}

static int32_t soil_figures(const void* user, wadi_figure* rows)
{
    const soil_state* state = user;
    int64_t sums[4];
    soil_sums(state, sums);
    const double produced = (double)sums[0];
    const double depth = (double)sums[1];
    const double thin = (double)sums[2];
    const double cells = (double)sums[3];
    const double mean = cells > 0.0 ? 1.0 / (cells * WADI_UNITS_PER_METRE) : 0.0;
    const wadi_figure all[] = {
        wadi_figure_of("years", state->years),
        wadi_figure_of("mean_production",
                       state->years > 0.0 ? produced * mean / state->years * 1e6 : 0.0),
        wadi_figure_of("mean_depth", depth * mean),
        wadi_figure_of("bare", cells > 0.0 ? thin / cells : 0.0),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static wadi_result soil_archive(void* user, wadi_archive* archive)
{
    soil_state* state = user;
    const wadi_ground* ground = state->ground;
    for (int i = 0; i < SOIL_MAP_COUNT; ++i)
    {
        wadi_archive_grid(archive, state->maps[i], sizeof *state->maps[i], ground->width,
                          ground->height);
    }
    wadi_archive_i64(archive, &state->cells, 1);
    wadi_archive_i64(archive, &state->parts, 1);
    wadi_archive_f64(archive, &state->years, 1);
    return wadi_archive_result(archive);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset soil_presets[] = {
    {"default", "temperate hills: 0.2 mm of soil a year from bare rock, creep of 50 cm2/yr", NULL,
     0},
};

static const wadi_model_api soil_api = {
    .create = soil_create,
    .step = soil_step,
    .advance = soil_advance,
    .destroy = soil_destroy,
    .map = soil_map,
    .work = soil_work,
    .figures = soil_figures,
    .archive = soil_archive,
};

// clang-format off
static const wadi_figure_info soil_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"mean_production", "mm/kyr", WADI_FIGURE_MEAN, "mean rock that becomes soil a year", 0},
    {"mean_depth", "m", WADI_FIGURE_STATE, "mean thickness of the loose layers", 0},
    {"bare", "1", WADI_FIGURE_STATE, "share of the cells with next to no soil", 0},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: always 1", 0},
};
// clang-format on

static const wadi_model soil_models[] = {
    {"fluxes", "Production, creep between neighbours, falls from cliffs, in fixed steps.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_HARDNESS) | WADI_LAYER_BIT(WADI_LAYER_WATER),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_WATER),
     WADI_MODEL_RANDOM | WADI_MODEL_WINDOWS | WADI_MODEL_UNDER_WATER, &soil_api},
};

const wadi_process wadi_soil_cover_process = {
    .name = "soil",
    .doc = "Soil in time: rock becomes soil, the slower the thicker the soil above it; soil creeps "
           "down slopes into hollows; cliffs stay bare.",
    .fields = &wadi_soil_cover_fields,
    .presets = soil_presets,
    .preset_count = WADI_COUNT(soil_presets),
    .maps = soil_maps,
    .map_count = SOIL_MAP_COUNT,
    .figures = soil_figure_list,
    .figure_count = WADI_COUNT(soil_figure_list),
    .models = soil_models,
    .model_count = WADI_COUNT(soil_models),
    .default_years = SOIL_DEFAULT_YEARS,
};
