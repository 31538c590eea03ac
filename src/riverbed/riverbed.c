// SPDX-License-Identifier: MIT
// The process "riverbed": its descriptor, and which of its two models is at work.
#include "core/internal.h"
#include "process/solver.h"
#include "riverbed/graded.h"
#include "riverbed/riverbed_paper.h"
#include "terrain/ground.h"

#include <math.h>
#include <string.h>

#define RIVERBED_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

typedef struct riverbed_state
{
    wadi_terrain* terrain;
    wadi_graded* graded; // one of the two is there
    riverbed_paper* paper;
    double years;
} riverbed_state;

// ---- making ------------------------------------------------------------------------------

static void riverbed_destroy(void* user)
{
    riverbed_state* state = user;
    wadi_graded_destroy(state->graded);
    wadi_riverbed_paper_destroy(state->paper);
    wadi_free(wadi_terrain_context(state->terrain), state);
}

static wadi_result riverbed_set_emitters(riverbed_state* state, const riverbed_emitter* emitters,
                                         int32_t count)
{
    return state->graded != NULL ? wadi_graded_set_emitters(state->graded, emitters, count)
                                 : wadi_riverbed_paper_set_emitters(state->paper, emitters, count);
}

static wadi_result riverbed_create_model(riverbed_state* state, const wadi_riverbed_params* params,
                                         uint32_t stream)
{
    const double scale = wadi_riverbed_scale(state->terrain, params);
    const riverbed_emitter emitter = wadi_riverbed_emitter_on_side(state->terrain, params, scale);
    if (params->mode == WADI_RIVERBED_GRADED)
    {
        WADI_TRY(wadi_graded_create(state->terrain, params, stream, &state->graded));
    }
    else
    {
        WADI_TRY(wadi_riverbed_paper_create(state->terrain, params, stream, &state->paper));
    }
    return riverbed_set_emitters(state, &emitter, 1);
}

static wadi_result riverbed_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                   void** out)
{
    riverbed_state* state;
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "riverbed");
    state->terrain = terrain;
    const wadi_result result = riverbed_create_model(state, user_params, stream);
    if (result != WADI_OK)
    {
        riverbed_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

static bool riverbed_is_off(const wadi_ground* ground, const riverbed_emitter* e)
{
    return e->x < -0.5 || e->y < -0.5 || e->x > ground->width - 0.5 || e->y > ground->height - 0.5;
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
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < rows && result == WADI_OK; ++i)
    {
        emitters[i] =
            wadi_riverbed_emitter_of_row(state->terrain, values + i * RIVERBED_EMITTER_COLUMNS);
        if (riverbed_is_off(ground, &emitters[i]))
        {
            result = wadi_fail(
                context, WADI_ERROR_RANGE,
                "emitters, row %d lies off the terrain, which is %g by %g m: move it inside", i + 1,
                ground->width * ground->cell_size, ground->height * ground->cell_size);
        }
    }
    if (result == WADI_OK)
    {
        result = riverbed_set_emitters(state, emitters, rows);
    }
    wadi_free(context, emitters);
    return result;
}

static wadi_result riverbed_advance(void* user, double years)
{
    riverbed_state* state = user;
    const wadi_result result = state->graded != NULL
                                   ? wadi_graded_advance(state->graded, years)
                                   : wadi_riverbed_paper_advance(state->paper, years);
    state->years += result == WADI_OK || result == WADI_ERROR_CANCELLED ? years : 0.0;
    return result;
}

// ---- maps and reports --------------------------------------------------------------------

static const wadi_map_info riverbed_maps[RIVERBED_MAP_COUNT] = {
    [RIVERBED_MAP_WEAR] = {"wear", "m", "gross lowering since the start", false},
    [RIVERBED_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false},
    [RIVERBED_MAP_BED] = {"bed", "1", "1 in the middle of the bed, 0 on its banks and beyond",
                          false},
    [RIVERBED_MAP_LEVEL] = {"level", "m",
                            "elevation of bankfull water in the bed, of the surface "
                            "elsewhere",
                            false},
    [RIVERBED_MAP_DEPTH] = {"depth", "m", "of bankfull water over the bed", false},
    [RIVERBED_MAP_LOAD] = {"load", "m3", "matter that passes in a batch, in the bed", false},
    [RIVERBED_MAP_AGE] = {"age", "yr",
                          "time since the river last ran through the cell; 0 also "
                          "where it never did",
                          false},
};

static wadi_result riverbed_map(void* user, int32_t index, float* out)
{
    const riverbed_state* state = user;
    if (state->graded != NULL)
    {
        wadi_graded_map(state->graded, index, out);
        return WADI_OK;
    }
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int64_t* wear = wadi_riverbed_paper_wear(state->paper);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double units = index == RIVERBED_MAP_WEAR    ? (double)wear[c]
                             : index == RIVERBED_MAP_LEVEL ? wadi_ground_surface(ground, c)
                                                           : 0.0;
        out[c] = ground->valid[c] != 0 ? (float)(units / WADI_UNITS_PER_METRE) : NAN;
    }
    return WADI_OK;
}

static riverbed_work riverbed_work_of(const riverbed_state* state)
{
    return state->graded != NULL ? wadi_graded_work(state->graded)
                                 : wadi_riverbed_paper_work(state->paper);
}

static int32_t riverbed_work_rows(const void* user, wadi_work* out, int32_t capacity)
{
    const riverbed_work work = riverbed_work_of(user);
    const wadi_work rows[] = {
        {"particles", (double)work.particles},
        {"particle_steps", (double)work.steps},
    };
    for (int32_t i = 0; i < RIVERBED_COUNT(rows) && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return RIVERBED_COUNT(rows);
}

static int32_t riverbed_paper_figures(const riverbed_state* state, wadi_figure* rows)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int64_t* wear = wadi_riverbed_paper_wear(state->paper);
    int64_t deepest = 0;
    double sum = 0.0;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        deepest = wear[c] > deepest ? wear[c] : deepest;
        sum += (double)wear[c];
    }
    const double cell = ground->cell_size * ground->cell_size;
    const double removed = sum / WADI_UNITS_PER_METRE * cell;
    const double land = (double)wadi_terrain_valid_count(state->terrain) * cell * state->years;
    rows[0] = (wadi_figure){"years", "yr", state->years, WADI_FIGURE_SUM};
    // the water in the books is poured into the bed
    rows[1] = (wadi_figure){"rain", "m/yr", 0.0, WADI_FIGURE_MEAN};
    rows[2] = (wadi_figure){"denudation", "mm/kyr", land > 0.0 ? removed / land * 1e6 : 0.0,
                            WADI_FIGURE_MEAN};
    rows[3] =
        (wadi_figure){"deepest", "m", (double)deepest / WADI_UNITS_PER_METRE, WADI_FIGURE_STATE};
    rows[4] = (wadi_figure){"removed", "m3", removed, WADI_FIGURE_SUM};
    return 5;
}

static int32_t riverbed_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const riverbed_state* state = user;
    wadi_figure rows[GRADED_FIGURES];
    const int32_t count = state->graded != NULL
                              ? wadi_graded_figures(state->graded, state->years, rows)
                              : riverbed_paper_figures(state, rows);
    for (int32_t i = 0; i < count && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return count;
}

static uint64_t riverbed_hash(const void* user)
{
    const riverbed_state* state = user;
    return state->graded != NULL ? wadi_graded_hash(state->graded)
                                 : wadi_riverbed_paper_hash(state->paper);
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
    [RIVERBED_EMITTER_DISCHARGE] = {"discharge", "m3/s", 1e-3, 1e6},
};

static const wadi_table_info riverbed_tables[] = {
    {"emitters",
     "windows that rivers come from, in place of the one; x east and y north of the south-west. "
     "Graded rivers read x, y, width, azimuth and discharge, the paper's all but discharge",
     riverbed_emitter_columns, RIVERBED_EMITTER_COLUMNS},
};

static const wadi_preset_value riverbed_paper_values[] = {
    {"mode", WADI_RIVERBED_PAPER}, {"kappa", 1.0}, {"water", 0.0}};

static const wadi_preset riverbed_presets[] = {
    {"default", "a river at its grade: bends, bars, banks, a load that is carried", NULL, 0},
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
    .work = riverbed_work_rows,
    .figures = riverbed_figures,
    .hash = riverbed_hash,
};

const wadi_process wadi_riverbed_process = {
    .name = "riverbed",
    .doc = "Rivers that come in through a window on a side: particles circle as they go, cut their "
           "bed down to its grade, and lay their load down inside the bends; or the paper's, which "
           "only stamp the ground where it is soft.",
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
