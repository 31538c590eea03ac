// SPDX-License-Identifier: MIT
// The process "riverbed": its descriptor, and the rounds in which particles run.
#include "core/internal.h"
#include "process/solver.h"
#include "riverbed/riverbed_cut.h"

#include <math.h>
#include <string.h>

#define RIVERBED_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

enum
{
    RIVERBED_ROUND = 4096 // paths in memory at a time: 240 kB
};

enum
{
    RIVERBED_MAP_WEAR,
    RIVERBED_MAP_COUNT
};

typedef struct riverbed_state
{
    wadi_terrain* terrain;
    wadi_riverbed_params params;
    double scale; // the paper's cell in cells of the terrain
    uint32_t stream;
    riverbed_emitter* emitters;
    int32_t emitter_count;
    riverbed_orbit orbit;
    riverbed_tiles tiles;
    riverbed_path* paths;
    int64_t* wear;       // [units]
    wadi_tally* tallies; // by worker
    double* lowest;      // by tile
    double years;
    int64_t particles;
    int64_t steps;
} riverbed_state;

// ---- making ------------------------------------------------------------------------------

static void riverbed_destroy(void* user)
{
    riverbed_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_riverbed_tiles_destroy(context, &state->tiles);
    wadi_free(context, state->orbit.turns);
    wadi_free(context, state->emitters);
    wadi_free(context, state->paths);
    wadi_free(context, state->wear);
    wadi_free(context, state->tallies);
    wadi_free(context, state->lowest);
    wadi_free(context, state);
}

static wadi_result riverbed_allocate(riverbed_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const double size = state->params.size * state->scale;
    WADI_TRY(wadi_riverbed_orbit_create(context, state->terrain, &state->params, state->scale,
                                        &state->orbit));
    WADI_TRY(wadi_riverbed_tiles_create(context, ground, size, &state->tiles));
    WADI_ALLOC(context, state->paths, RIVERBED_ROUND, "paths of river particles");
    WADI_ALLOC(context, state->wear, ground->cells, "wear of riverbeds");
    WADI_ALLOC(context, state->tallies, wadi_context_workers(context), "books of riverbeds");
    WADI_ALLOC(context, state->lowest, (int64_t)state->tiles.columns * state->tiles.rows,
               "depths of riverbeds");
    WADI_ALLOC(context, state->emitters, 1, "an emitter");
    state->emitter_count = 1;
    state->emitters[0] =
        wadi_riverbed_emitter_on_side(state->terrain, &state->params, state->scale);
    return WADI_OK;
}

static wadi_result riverbed_check(wadi_context* context, const riverbed_state* state)
{
    const double size = state->params.size * state->scale;
    WADI_CHECK(context, size >= 0.5 && size <= 512.0, WADI_ERROR_RANGE,
               "size is %g of the terrain's cells, expected 0.5 to 512: change size (now %g) or "
               "paper_cell (now %g m)",
               size, state->params.size, state->params.paper_cell);
    return WADI_OK;
}

static wadi_result riverbed_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                   void** out)
{
    const wadi_riverbed_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    const double cell = wadi_terrain_cell_size(terrain);
    riverbed_state* state;
    WADI_ALLOC(context, state, 1, "riverbed");
    state->terrain = terrain;
    state->params = *params;
    state->scale = params->paper_cell > 0.0 ? params->paper_cell / cell : 1.0;
    state->stream = stream;
    wadi_result result = riverbed_check(context, state);
    if (result == WADI_OK)
    {
        result = riverbed_allocate(state);
    }
    if (result != WADI_OK)
    {
        riverbed_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// Windows from a table, in place of the one.
static wadi_result riverbed_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    riverbed_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    (void)index; // there is one table
    riverbed_emitter* emitters;
    WADI_ALLOC(context, emitters, rows, "emitters");
    for (int32_t i = 0; i < rows; ++i)
    {
        emitters[i] =
            wadi_riverbed_emitter_of_row(state->terrain, values + i * RIVERBED_EMITTER_COLUMNS);
        const riverbed_emitter* e = &emitters[i];
        if (e->x < -0.5 || e->y < -0.5 || e->x > ground->width - 0.5 || e->y > ground->height - 0.5)
        {
            wadi_free(context, emitters);
            return wadi_fail(context, WADI_ERROR_RANGE,
                             "emitters, row %d lies off the terrain, which is %g by %g m", i + 1,
                             ground->width * ground->cell_size, ground->height * ground->cell_size);
        }
    }
    wadi_free(context, state->emitters);
    state->emitters = emitters;
    state->emitter_count = rows;
    return WADI_OK;
}

// ---- a round -----------------------------------------------------------------------------

typedef struct riverbed_due
{
    riverbed_state* state;
    int32_t emitter;
    int64_t first;
} riverbed_due;

static void riverbed_start_one(int64_t block, int32_t worker, void* user)
{
    const riverbed_due* due = user;
    const riverbed_state* state = due->state;
    (void)worker;
    const riverbed_start start = wadi_riverbed_emitter_start(
        &state->emitters[due->emitter], &state->params, wadi_terrain_seed(state->terrain),
        state->stream, due->emitter, due->first + block);
    state->paths[block] = wadi_riverbed_path_of(&state->orbit, &start, &state->params,
                                                wadi_terrain_ground_const(state->terrain));
}

// Let `count` particles out of an emitter and sum up their stamps.
static void riverbed_round(riverbed_state* state, int32_t emitter, int32_t count)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    riverbed_due due = {state, emitter, state->emitters[emitter].emitted};
    wadi_parallel_blocks(context, count, riverbed_start_one, &due);
    wadi_riverbed_tiles_stamp(context, &state->tiles, &state->orbit, state->paths, count);
    state->emitters[emitter].emitted += count;
    state->particles += count;
    for (int32_t i = 0; i < count; ++i)
    {
        state->steps += state->paths[i].steps;
    }
}

static riverbed_cut riverbed_cut_of(riverbed_state* state)
{
    return (riverbed_cut){
        .ground = wadi_terrain_ground_const(state->terrain),
        .params = &state->params,
        .tiles = &state->tiles,
        .scale = state->scale,
        .wear = state->wear,
        .tallies = state->tallies,
        .lowest = state->lowest,
    };
}

// Take back the particles whose cuts were refused.
static void riverbed_forget(riverbed_state* state, const riverbed_cut* cut)
{
    wadi_riverbed_cut_clear(cut);
    for (int32_t i = 0; i < state->emitter_count; ++i)
    {
        state->emitters[i].emitted = state->emitters[i].kept;
    }
}

// Cut what the rounds so far have stamped, or refuse all of it: then it has not come out either.
static wadi_result riverbed_commit(riverbed_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const riverbed_cut cut = riverbed_cut_of(state);
    const wadi_result result = wadi_riverbed_cut_check(context, &cut);
    if (result != WADI_OK)
    {
        riverbed_forget(state, &cut);
        return result;
    }
    wadi_tally sum = {0};
    wadi_riverbed_cut_apply(context, &cut);
    for (int32_t worker = 0; worker < wadi_context_workers(context); ++worker)
    {
        wadi_tally_add(&sum, &state->tallies[worker]);
        state->tallies[worker] = (wadi_tally){0};
    }
    wadi_terrain_book(state->terrain, "riverbed", &sum);
    for (int32_t i = 0; i < state->emitter_count; ++i)
    {
        state->emitters[i].kept = state->emitters[i].emitted;
    }
    return WADI_OK;
}

// ---- advancing ---------------------------------------------------------------------------

// Particles that are due of one emitter, in rounds. Those that never collide need no ground: they
// are cut all at once by the caller. Those that do see what the round before them has cut.
static wadi_result riverbed_emit(riverbed_state* state, int32_t emitter, double share,
                                 bool* goes_on)
{
    const bool sees = state->params.collision == WADI_RIVERBED_CLIMB;
    const int32_t most = sees ? state->params.together : RIVERBED_ROUND;
    int64_t due = wadi_riverbed_emitter_due(&state->emitters[emitter], state->years);
    while (due > 0 && *goes_on)
    {
        const int32_t count = due < most ? (int32_t)due : most;
        riverbed_round(state, emitter, count);
        due -= count;
        if (sees)
        {
            WADI_TRY(riverbed_commit(state));
        }
        *goes_on = wadi_progress(wadi_terrain_context(state->terrain), share, "riverbed");
    }
    return WADI_OK;
}

static wadi_result riverbed_advance(void* user, double years)
{
    riverbed_state* state = user;
    bool goes_on = true;
    wadi_result result = WADI_OK;
    state->years += years;
    for (int32_t i = 0; i < state->emitter_count && goes_on && result == WADI_OK; ++i)
    {
        result = riverbed_emit(state, i, (i + 1.0) / state->emitter_count, &goes_on);
    }
    if (result == WADI_OK)
    {
        result = riverbed_commit(state);
    }
    if (result != WADI_OK)
    {
        state->years -= years;
        return result;
    }
    WADI_CHECK(wadi_terrain_context(state->terrain), goes_on, WADI_ERROR_CANCELLED,
               "stopped after %.0f river particles", (double)state->particles);
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

static const wadi_map_info riverbed_maps[RIVERBED_MAP_COUNT] = {
    [RIVERBED_MAP_WEAR] = {"wear", "m", "lowering since the start", false},
};

static wadi_result riverbed_map(void* user, int32_t index, float* out)
{
    const riverbed_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    (void)index; // there is one map
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] =
            ground->valid[c] != 0 ? (float)state->wear[c] * (1.0f / WADI_UNITS_PER_METRE) : NAN;
    }
    return WADI_OK;
}

static int32_t riverbed_work(const void* user, wadi_work* out, int32_t capacity)
{
    const riverbed_state* state = user;
    const wadi_work rows[] = {
        {"particles", (double)state->particles},
        {"particle_steps", (double)state->steps},
    };
    for (int32_t i = 0; i < RIVERBED_COUNT(rows) && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return RIVERBED_COUNT(rows);
}

static int32_t riverbed_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const riverbed_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    int64_t deepest = 0;
    double sum = 0.0;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        deepest = state->wear[c] > deepest ? state->wear[c] : deepest;
        sum += (double)state->wear[c];
    }
    const double cell = ground->cell_size * ground->cell_size;
    const double removed = sum / WADI_UNITS_PER_METRE * cell;
    const double land = (double)wadi_terrain_valid_count(state->terrain) * cell * state->years;
    const wadi_figure rows[] = {
        {"years", "yr", state->years, WADI_FIGURE_SUM},
        {"rain", "m/yr", 0.0, WADI_FIGURE_MEAN}, // the water in the books is poured into the bed
        {"denudation", "mm/kyr", land > 0.0 ? removed / land * 1e6 : 0.0, WADI_FIGURE_MEAN},
        {"deepest", "m", (double)deepest / WADI_UNITS_PER_METRE, WADI_FIGURE_STATE},
        {"removed", "m3", removed, WADI_FIGURE_SUM},
    };
    for (int32_t i = 0; i < RIVERBED_COUNT(rows) && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return RIVERBED_COUNT(rows);
}

// What comes next depends on how many have come out.
static uint64_t riverbed_hash(const void* user)
{
    const riverbed_state* state = user;
    uint64_t hash;
    memcpy(&hash, &state->years, sizeof hash);
    for (int32_t i = 0; i < state->emitter_count; ++i)
    {
        hash = (hash ^ (uint64_t)state->emitters[i].emitted) * UINT64_C(1099511628211);
    }
    return hash;
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_column riverbed_emitter_columns[RIVERBED_EMITTER_COLUMNS] = {
    [RIVERBED_EMITTER_X] = {"x", "m", -1e9, 1e9},
    [RIVERBED_EMITTER_Y] = {"y", "m", -1e9, 1e9},
    [RIVERBED_EMITTER_WIDTH] = {"width", "m", 0.0, 1e7},
    [RIVERBED_EMITTER_AZIMUTH] = {"azimuth", "degree", -360.0, 360.0},
    [RIVERBED_EMITTER_SPREAD] = {"spread", "degree", 0.0, 180.0},
    [RIVERBED_EMITTER_QUANTITY] = {"quantity", "1", 0.0, 1e7},
    [RIVERBED_EMITTER_RATE] = {"rate", "1/yr", 0.0, 1e9},
};

static const wadi_table_info riverbed_tables[] = {
    {"emitters", "windows of particles, in place of the one; x east and y north of the south-west",
     riverbed_emitter_columns, RIVERBED_EMITTER_COLUMNS},
};

static const wadi_preset_value riverbed_paper_values[] = {{"kappa", 1.0}};

static const wadi_preset riverbed_presets[] = {
    {"default", "the paper's particles, in beds of metres", NULL, 0},
    {"paper", "Eq 2 to the letter: a stamp is a hemisphere in metres, and beds are deep",
     riverbed_paper_values, RIVERBED_COUNT(riverbed_paper_values)},
};

static const wadi_layer riverbed_reads[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                            WADI_LAYER_WATER, WADI_LAYER_HARDNESS};
static const wadi_layer riverbed_writes[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                             WADI_LAYER_WATER};

static const wadi_solver_api riverbed_api = {
    .create = riverbed_create,
    .advance = riverbed_advance,
    .destroy = riverbed_destroy,
    .map = riverbed_map,
    .set_table = riverbed_set_table,
    .work = riverbed_work,
    .figures = riverbed_figures,
    .hash = riverbed_hash,
};

const wadi_process wadi_riverbed_process = {
    .name = "riverbed",
    .doc =
        "Riverbeds drawn by rolling particles: they leave a window, circle as they go, and stamp "
        "the ground where it is soft.",
    .fields = &wadi_riverbed_fields,
    .presets = riverbed_presets,
    .preset_count = RIVERBED_COUNT(riverbed_presets),
    .maps = riverbed_maps,
    .map_count = RIVERBED_MAP_COUNT,
    .tables = riverbed_tables,
    .table_count = RIVERBED_COUNT(riverbed_tables),
    .reads = riverbed_reads,
    .read_count = RIVERBED_COUNT(riverbed_reads),
    .writes = riverbed_writes,
    .write_count = RIVERBED_COUNT(riverbed_writes),
    .default_years = 1.0,
    .api = &riverbed_api,
};
