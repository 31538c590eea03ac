// SPDX-License-Identifier: MIT
// The model of the paper: rounds of particles whose stamps are summed and cut.
#include "core/internal.h"
#include "process/figure_row.h"
#include "processes/articles/stamps/riverbed_cut.h"
#include "processes/riverbed/riverbed_internal.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

enum
{
    PAPER_ROUND = 4096 // paths in memory at a time: 240 kB
};

typedef struct riverbed_paper
{
    wadi_terrain* terrain;
    wadi_riverbed_params params;
    double scale; // cell of the paper, in cells of the terrain
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
} riverbed_paper;

// ---- making ------------------------------------------------------------------------------

static void paper_destroy(void* user)
{
    riverbed_paper* paper = user;
    wadi_context* context = wadi_terrain_context(paper->terrain);
    wadi_riverbed_tiles_destroy(context, &paper->tiles);
    wadi_free(context, paper->orbit.turns);
    wadi_free(context, paper->emitters);
    wadi_free(context, paper->paths);
    wadi_free(context, paper->wear);
    wadi_free(context, paper->tallies);
    wadi_free(context, paper->lowest);
    wadi_free(context, paper);
}

static wadi_result paper_allocate(riverbed_paper* paper)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(paper->terrain);
    const double size = paper->params.size * paper->scale;
    WADI_TRY(wadi_riverbed_orbit_create(context, paper->terrain, &paper->params, paper->scale,
                                        &paper->orbit));
    WADI_TRY(wadi_riverbed_tiles_create(context, ground, size, &paper->tiles));
    WADI_ALLOC(context, paper->paths, PAPER_ROUND, "paths of river particles");
    WADI_ALLOC(context, paper->wear, ground->cells, "wear of riverbeds");
    WADI_ALLOC(context, paper->tallies, wadi_context_workers(context), "books of riverbeds");
    WADI_ALLOC(context, paper->lowest, (int64_t)paper->tiles.columns * paper->tiles.rows,
               "depths of riverbeds");
    return WADI_OK;
}

static wadi_result paper_check(wadi_context* context, const riverbed_paper* paper)
{
    const double size = paper->params.size * paper->scale;
    WADI_CHECK(context, size >= 0.5 && size <= 512.0, WADI_ERROR_RANGE,
               "size is %g of the terrain's cells, expected 0.5 to 512: change size (now %g) or "
               "paper_cell (now %g m)",
               size, paper->params.size, paper->params.paper_cell);
    return WADI_OK;
}

// Set the emitters; copied.
static wadi_result paper_set_emitters(riverbed_paper* paper, const riverbed_emitter* emitters,
                                      int32_t count)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    WADI_TRY(wadi_riverbed_emitters_copy(context, emitters, count, &paper->emitters));
    paper->emitter_count = count;
    return WADI_OK;
}

static wadi_result paper_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                void** out)
{
    const wadi_riverbed_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    riverbed_paper* paper;
    WADI_ALLOC(context, paper, 1, "riverbed");
    paper->terrain = terrain;
    paper->params = *params;
    paper->scale = wadi_riverbed_scale(terrain, params);
    paper->stream = stream;
    const riverbed_emitter emitter = wadi_riverbed_emitter_on_side(terrain, params, paper->scale);
    wadi_result result = paper_check(context, paper);
    result = result == WADI_OK ? paper_allocate(paper) : result;
    result = result == WADI_OK ? paper_set_emitters(paper, &emitter, 1) : result;
    if (result != WADI_OK)
    {
        paper_destroy(paper);
        return result;
    }
    *out = paper;
    return WADI_OK;
}

// The model's only table is that of emitters.
static wadi_result paper_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    riverbed_paper* paper = user;
    (void)index;
    riverbed_emitter* emitters;
    WADI_TRY(wadi_riverbed_emitters_of_table(paper->terrain, values, rows, &emitters));
    const wadi_result result = paper_set_emitters(paper, emitters, rows);
    wadi_free(wadi_terrain_context(paper->terrain), emitters);
    return result;
}

// ---- a round -----------------------------------------------------------------------------

typedef struct paper_task
{
    riverbed_paper* paper;
    int32_t emitter;
    int64_t first;
} paper_task;

static void paper_start_one(int64_t block, int32_t worker, void* user)
{
    const paper_task* due = user;
    const riverbed_paper* paper = due->paper;
    (void)worker;
    const riverbed_start start = wadi_riverbed_emitter_start(
        &paper->emitters[due->emitter], &paper->params, wadi_terrain_seed(paper->terrain),
        paper->stream, due->emitter, due->first + block);
    paper->paths[block] = wadi_riverbed_path_of(&paper->orbit, &start, &paper->params,
                                                wadi_terrain_ground_const(paper->terrain));
}

// Emit `count` particles from an emitter and sum their stamps.
static void paper_round(riverbed_paper* paper, int32_t emitter, int32_t count)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    paper_task due = {paper, emitter, paper->emitters[emitter].emitted};
    wadi_parallel_blocks(context, count, paper_start_one, &due);
    wadi_riverbed_tiles_stamp(context, &paper->tiles, &paper->orbit, paper->paths, count);
    paper->emitters[emitter].emitted += count;
    paper->particles += count;
    for (int32_t i = 0; i < count; ++i)
    {
        paper->steps += paper->paths[i].steps;
    }
}

static riverbed_cut paper_cut_of(riverbed_paper* paper)
{
    return (riverbed_cut){
        .ground = wadi_terrain_ground_const(paper->terrain),
        .params = &paper->params,
        .tiles = &paper->tiles,
        .scale = paper->scale,
        .wear = paper->wear,
        .tallies = paper->tallies,
        .lowest = paper->lowest,
    };
}

// Undo the particles whose cuts were refused.
static void paper_undo(riverbed_paper* paper, const riverbed_cut* cut)
{
    wadi_riverbed_cut_clear(cut);
    for (int32_t i = 0; i < paper->emitter_count; ++i)
    {
        paper->emitters[i].emitted = paper->emitters[i].kept;
    }
}

// Cut the stamps of the rounds so far, or refuse all and undo their particles.
static wadi_result paper_commit(riverbed_paper* paper)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    const riverbed_cut cut = paper_cut_of(paper);
    const wadi_result result = wadi_riverbed_cut_check(context, &cut);
    if (result != WADI_OK)
    {
        paper_undo(paper, &cut);
        return result;
    }
    wadi_tally sum = {0};
    wadi_riverbed_cut_apply(context, &cut);
    wadi_tally_collect(&sum, paper->tallies, context);
    wadi_terrain_book(paper->terrain, "riverbed", &sum);
    for (int32_t i = 0; i < paper->emitter_count; ++i)
    {
        paper->emitters[i].kept = paper->emitters[i].emitted;
    }
    return WADI_OK;
}

// ---- advancing ---------------------------------------------------------------------------

static double paper_step(const void* user)
{
    const riverbed_paper* paper = user;
    return paper->params.max_step > 0.0 ? paper->params.max_step : 1.0;
}

// Emit the particles due from one emitter, in rounds. Particles that never collide do not depend on
// the ground, so the caller cuts them all at once. Others see the cuts of the round before.
static wadi_result paper_emit(riverbed_paper* paper, int32_t emitter)
{
    const bool sees = paper->params.collision == WADI_RIVERBED_CLIMB;
    const int32_t most = sees ? paper->params.together : PAPER_ROUND;
    int64_t due = wadi_riverbed_emitter_due(&paper->emitters[emitter], paper->years);
    while (due > 0)
    {
        const int32_t count = due < most ? (int32_t)due : most;
        paper_round(paper, emitter, count);
        due -= count;
        if (sees)
        {
            WADI_TRY(paper_commit(paper));
        }
    }
    return WADI_OK;
}

static wadi_result paper_advance(void* user, const wadi_span* span)
{
    riverbed_paper* paper = user;
    const double before = paper->years;
    wadi_result result = WADI_OK;
    paper->years += span->years;
    for (int32_t i = 0; i < paper->emitter_count && result == WADI_OK; ++i)
    {
        result = paper_emit(paper, i);
    }
    result = result == WADI_OK ? paper_commit(paper) : result;
    paper->years = result == WADI_OK ? paper->years : before;
    return result;
}

// ---- reports -----------------------------------------------------------------------------

static wadi_result paper_map(void* user, int32_t index, float* out)
{
    const riverbed_paper* paper = user;
    const wadi_ground* ground = wadi_terrain_ground_const(paper->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double units =
            index == RIVERBED_MAP_WEAR ? (double)paper->wear[c] : wadi_ground_surface(ground, c);
        out[c] = ground->valid[c] != 0 ? (float)(units / WADI_UNITS_PER_METRE) : NAN;
    }
    return WADI_OK;
}

static int32_t paper_work(const void* user, wadi_work* rows)
{
    const riverbed_paper* paper = user;
    rows[0] = (wadi_work){"particles", (double)paper->particles};
    rows[1] = (wadi_work){"particle_steps", (double)paper->steps};
    return 2;
}

static int32_t paper_figures(const void* user, wadi_figure* rows)
{
    const riverbed_paper* paper = user;
    const wadi_ground* ground = wadi_terrain_ground_const(paper->terrain);
    int64_t deepest = 0;
    double sum = 0.0;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        deepest = paper->wear[c] > deepest ? paper->wear[c] : deepest;
        sum += (double)paper->wear[c];
    }
    const double cell = ground->cell_size * ground->cell_size;
    const double removed = sum / WADI_UNITS_PER_METRE * cell;
    const double land = (double)wadi_terrain_valid_count(paper->terrain) * cell * paper->years;
    const wadi_figure all[] = {
        wadi_figure_of("years", paper->years),
        wadi_figure_of("denudation", land > 0.0 ? removed / land * 1e6 : 0.0),
        wadi_figure_of("deepest", (double)deepest / WADI_UNITS_PER_METRE),
        wadi_figure_of("removed", removed),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// The number of particles that each emitter has emitted. A change to another number of emitters is
// refused: it is not known which of them goes on.
static wadi_result paper_archive(void* user, wadi_archive* archive)
{
    riverbed_paper* paper = user;
    const wadi_ground* ground = wadi_terrain_ground_const(paper->terrain);
    WADI_TRY(wadi_archive_same(archive, paper->emitter_count, "the number of emitters"));
    for (int32_t i = 0; i < paper->emitter_count; ++i)
    {
        wadi_archive_i64(archive, &paper->emitters[i].emitted, 1);
        WADI_CHECK(wadi_archive_context(archive), paper->emitters[i].emitted >= 0,
                   WADI_ERROR_FORMAT, "an emitter of the saved state has emitted %lld particles",
                   (long long)paper->emitters[i].emitted);
        paper->emitters[i].kept = paper->emitters[i].emitted;
    }
    wadi_archive_grid(archive, paper->wear, sizeof *paper->wear, ground->width, ground->height);
    wadi_archive_f64(archive, &paper->years, 1);
    wadi_archive_i64(archive, &paper->particles, 1);
    wadi_archive_i64(archive, &paper->steps, 1);
    return wadi_archive_result(archive);
}

const wadi_model_api wadi_riverbed_paper_api = {
    .create = paper_create,
    .step = paper_step,
    .advance = paper_advance,
    .destroy = paper_destroy,
    .map = paper_map,
    .set_table = paper_set_table,
    .work = paper_work,
    .figures = paper_figures,
    .archive = paper_archive,
};
