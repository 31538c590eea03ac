// SPDX-License-Identifier: MIT
// The paper's model: rounds of particles whose stamps are summed and cut.
#include "riverbed/riverbed_paper.h"

#include "core/internal.h"
#include "riverbed/riverbed_cut.h"

#include <string.h>

enum
{
    PAPER_ROUND = 4096 // paths in memory at a time: 240 kB
};

struct riverbed_paper
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
};

// ---- making ------------------------------------------------------------------------------

void wadi_riverbed_paper_destroy(riverbed_paper* paper)
{
    if (paper == NULL)
    {
        return;
    }
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

wadi_result wadi_riverbed_paper_create(wadi_terrain* terrain, const wadi_riverbed_params* params,
                                       uint32_t stream, riverbed_paper** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    riverbed_paper* paper;
    WADI_ALLOC(context, paper, 1, "riverbed");
    paper->terrain = terrain;
    paper->params = *params;
    paper->scale = wadi_riverbed_scale(terrain, params);
    paper->stream = stream;
    wadi_result result = paper_check(context, paper);
    if (result == WADI_OK)
    {
        result = paper_allocate(paper);
    }
    if (result != WADI_OK)
    {
        wadi_riverbed_paper_destroy(paper);
        return result;
    }
    *out = paper;
    return WADI_OK;
}

wadi_result wadi_riverbed_paper_set_emitters(riverbed_paper* paper,
                                             const riverbed_emitter* emitters, int32_t count)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    riverbed_emitter* copy;
    WADI_ALLOC(context, copy, count, "emitters");
    memcpy(copy, emitters, (size_t)count * sizeof *copy);
    wadi_free(context, paper->emitters);
    paper->emitters = copy;
    paper->emitter_count = count;
    return WADI_OK;
}

// ---- a round -----------------------------------------------------------------------------

typedef struct paper_due
{
    riverbed_paper* paper;
    int32_t emitter;
    int64_t first;
} paper_due;

static void paper_start_one(int64_t block, int32_t worker, void* user)
{
    const paper_due* due = user;
    const riverbed_paper* paper = due->paper;
    (void)worker;
    const riverbed_start start = wadi_riverbed_emitter_start(
        &paper->emitters[due->emitter], &paper->params, wadi_terrain_seed(paper->terrain),
        paper->stream, due->emitter, due->first + block);
    paper->paths[block] = wadi_riverbed_path_of(&paper->orbit, &start, &paper->params,
                                                wadi_terrain_ground_const(paper->terrain));
}

// Let `count` particles out of an emitter and sum up their stamps.
static void paper_round(riverbed_paper* paper, int32_t emitter, int32_t count)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    paper_due due = {paper, emitter, paper->emitters[emitter].emitted};
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

// Take back the particles whose cuts were refused.
static void paper_forget(riverbed_paper* paper, const riverbed_cut* cut)
{
    wadi_riverbed_cut_clear(cut);
    for (int32_t i = 0; i < paper->emitter_count; ++i)
    {
        paper->emitters[i].emitted = paper->emitters[i].kept;
    }
}

// Cut what the rounds so far have stamped, or refuse all of it: then it has not come out either.
static wadi_result paper_commit(riverbed_paper* paper)
{
    wadi_context* context = wadi_terrain_context(paper->terrain);
    const riverbed_cut cut = paper_cut_of(paper);
    const wadi_result result = wadi_riverbed_cut_check(context, &cut);
    if (result != WADI_OK)
    {
        paper_forget(paper, &cut);
        return result;
    }
    wadi_tally sum = {0};
    wadi_riverbed_cut_apply(context, &cut);
    for (int32_t worker = 0; worker < wadi_context_workers(context); ++worker)
    {
        wadi_tally_add(&sum, &paper->tallies[worker]);
        paper->tallies[worker] = (wadi_tally){0};
    }
    wadi_terrain_book(paper->terrain, "riverbed", &sum);
    for (int32_t i = 0; i < paper->emitter_count; ++i)
    {
        paper->emitters[i].kept = paper->emitters[i].emitted;
    }
    return WADI_OK;
}

// ---- advancing ---------------------------------------------------------------------------

// Particles that are due of one emitter, in rounds. Those that never collide need no ground: they
// are cut all at once by the caller. Those that do see what the round before them has cut.
static wadi_result paper_emit(riverbed_paper* paper, int32_t emitter, double share, bool* goes_on)
{
    const bool sees = paper->params.collision == WADI_RIVERBED_CLIMB;
    const int32_t most = sees ? paper->params.together : PAPER_ROUND;
    int64_t due = wadi_riverbed_emitter_due(&paper->emitters[emitter], paper->years);
    while (due > 0 && *goes_on)
    {
        const int32_t count = due < most ? (int32_t)due : most;
        paper_round(paper, emitter, count);
        due -= count;
        if (sees)
        {
            WADI_TRY(paper_commit(paper));
        }
        *goes_on = wadi_progress(wadi_terrain_context(paper->terrain), share, "riverbed");
    }
    return WADI_OK;
}

wadi_result wadi_riverbed_paper_advance(riverbed_paper* paper, double years)
{
    bool goes_on = true;
    wadi_result result = WADI_OK;
    paper->years += years;
    for (int32_t i = 0; i < paper->emitter_count && goes_on && result == WADI_OK; ++i)
    {
        result = paper_emit(paper, i, (i + 1.0) / paper->emitter_count, &goes_on);
    }
    if (result == WADI_OK)
    {
        result = paper_commit(paper);
    }
    if (result != WADI_OK)
    {
        paper->years -= years;
        return result;
    }
    WADI_CHECK(wadi_terrain_context(paper->terrain), goes_on, WADI_ERROR_CANCELLED,
               "stopped after %.0f river particles", (double)paper->particles);
    return WADI_OK;
}

// ---- reports -----------------------------------------------------------------------------

const int64_t* wadi_riverbed_paper_wear(const riverbed_paper* paper)
{
    return paper->wear;
}

riverbed_work wadi_riverbed_paper_work(const riverbed_paper* paper)
{
    return (riverbed_work){paper->particles, paper->steps};
}

// What comes next depends on how many have come out.
uint64_t wadi_riverbed_paper_hash(const riverbed_paper* paper)
{
    uint64_t hash;
    memcpy(&hash, &paper->years, sizeof hash);
    for (int32_t i = 0; i < paper->emitter_count; ++i)
    {
        hash = (hash ^ (uint64_t)paper->emitters[i].emitted) * UINT64_C(1099511628211);
    }
    return hash;
}
