// SPDX-License-Identifier: MIT
// A step: push, then move.
#include "granular/granular.h"

#include <float.h>

// ---- push --------------------------------------------------------------------------------

static void push_copy(const wadi_grains* grains, const granular_chunk* chunk,
                      granular_scratch* scratch)
{
    const int32_t own = chunk->end - chunk->begin;
    granular_copy_work work = {
        .from = grains->bodies + chunk->begin,
        .count = own,
        .bodies = scratch->bodies,
        .near = scratch->near,
        .period = {grains->params.period_x, grains->params.period_y},
        .inverse_period = {grains->inverse_period[0], grains->inverse_period[1]},
    };
    for (int c = 0; c < 3; ++c)
    {
        // moves with what all grains have in common, so that floats stay short
        work.middle[c] = chunk->middle[c] + grains->reference[c];
    }
    grains->kernels->copy(&work);
    work.from = grains->bodies;
    work.places = chunk->halo;
    work.count = chunk->halo_count;
    work.bodies += own;
    work.near += own;
    grains->kernels->copy(&work);
    for (int32_t k = 0; grains->wet != NULL && k < own + chunk->halo_count; ++k)
    {
        scratch->wet[k] = grains->wet[grains->ids[granular_place(chunk, k)]];
    }
    memset(scratch->rows, 0, (size_t)(own + chunk->halo_count) * sizeof *scratch->rows);
}

static granular_work push_work(const wadi_grains* grains, const granular_chunk* chunk,
                               const granular_scratch* scratch)
{
    const float period_x = chunk->wraps[0] ? (float)grains->params.period_x : 0.0f;
    const float period_y = chunk->wraps[1] ? (float)grains->params.period_y : 0.0f;
    return (granular_work){
        .bodies = scratch->bodies,
        .near = (const float(*)[4])scratch->near,
        .rows = scratch->rows,
        .wet = grains->wet != NULL ? scratch->wet : NULL,
        .pairs = chunk->pairs,
        .pair_count = chunk->pair_count,
        .touching = chunk->touching,
        .slips = chunk->slips,
        .rolls = chunk->rolls,
        .found = scratch->found,
        .contacts = grains->contacts,
        .kinds = grains->kinds,
        .hertz = grains->params.law == WADI_GRAIN_LAW_HERTZ,
        .band = chunk->band,
        .near_period = {period_x, period_y},
        .near_inverse = {period_x > 0.0f ? 1.0f / period_x : 0.0f,
                         period_y > 0.0f ? 1.0f / period_y : 0.0f},
        .period = {grains->params.period_x, grains->params.period_y},
        .inverse_period = {grains->inverse_period[0], grains->inverse_period[1]},
        .step = grains->step,
        .scale = grains->scale,
        .sleep_at = grains->sleep_at,
    };
}

static void push_walls(wadi_grains* grains, const granular_chunk* chunk, granular_scratch* scratch,
                       granular_work* work)
{
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        if (grains->walls[w].present)
        {
            const int32_t count = granular_wall_find(grains, w, chunk, scratch->touches);
            grains->kernels->touches(work, scratch->touches, count);
        }
    }
}

static void push_bonds(wadi_grains* grains, granular_chunk* chunk, granular_work* work)
{
    const int32_t first = grains->bond_start[chunk->begin];
    granular_bonds_work bonds = {
        .bonds = grains->bonds != NULL ? grains->bonds + first : NULL,
        .count = grains->bond_start[chunk->end] - first,
        .begin = chunk->begin,
        .cements = grains->cements,
    };
    if (bonds.count > 0)
    {
        grains->kernels->bonds(work, &bonds);
    }
    chunk->broken = bonds.broken;
    if (bonds.broken > 0)
    {
        granular_bonds_release(grains, chunk);
    }
}

static bool push_all_sleep(const wadi_grains* grains, const granular_chunk* chunk)
{
    bool sleep = grains->sleep_at < INT32_MAX;
    for (int32_t i = chunk->begin; i < chunk->end && sleep; ++i)
    {
        sleep = grains->bodies[i].calm >= grains->sleep_at;
    }
    for (int32_t k = 0; k < chunk->halo_count && sleep; ++k)
    {
        sleep = grains->bodies[chunk->halo[k]].calm >= grains->sleep_at;
    }
    return sleep;
}

void granular_unsettle(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        grains->chunks[c].settled = false;
    }
}

static void push_chunk(int64_t block, int32_t worker, void* job)
{
    wadi_grains* grains = job;
    granular_chunk* chunk = &grains->chunks[block];
    const bool sleeps = push_all_sleep(grains, chunk);
    if (sleeps && chunk->settled)
    {
        chunk->broken = 0; // forces between sleepers stay as they are: the rows hold them still
        return;
    }
    granular_scratch* scratch = &grains->scratch[worker];
    push_copy(grains, chunk, scratch);
    granular_work work = push_work(grains, chunk, scratch);
    grains->kernels->contacts(&work);
    granular_bridges_push(grains, chunk, &work);
    push_bonds(grains, chunk, &work);
    chunk->settled = sleeps && chunk->broken == 0; // what broke is a pair from the next step on
    push_walls(grains, chunk, scratch, &work);
    const int32_t own = chunk->end - chunk->begin;
    memcpy(grains->own + chunk->begin, scratch->rows, (size_t)own * sizeof *grains->own);
    if (chunk->halo_count > 0)
    {
        memcpy(grains->halo_rows + chunk->halo_first, scratch->rows + own,
               (size_t)chunk->halo_count * sizeof *grains->halo_rows);
    }
    chunk->peak = work.peak;
    chunk->touches = work.touches;
}

void granular_push(wadi_grains* grains)
{
    wadi_parallel_blocks(grains->context, grains->chunk_count, push_chunk, grains);
}

// ---- move --------------------------------------------------------------------------------

static granular_move_work move_work(const wadi_grains* grains, const granular_chunk* chunk)
{
    const wadi_grains_params* p = &grains->params;
    const double pull2 = p->sleep_acceleration * p->sleep_acceleration;
    return (granular_move_work){
        .bodies = grains->bodies,
        .begin = chunk->begin,
        .end = chunk->end,
        .own = grains->own,
        .halo_start = grains->halo_start,
        .halo_slots = grains->halo_slots,
        .halo_rows = grains->halo_rows,
        .forces = (const double(*)[3])grains->forces,
        .wet = grains->wet,
        .ids = grains->ids,
        .built = (const double(*)[4])grains->built,
        .step = grains->step,
        .unit = 1.0 / grains->scale,
        .gravity = {p->gravity_x, p->gravity_y, p->gravity_z},
        .period = {p->period_x, p->period_y},
        .inverse_period = {grains->inverse_period[0], grains->inverse_period[1]},
        .reference = {grains->reference[0], grains->reference[1], grains->reference[2]},
        .calm_speed2 = p->sleep_speed * p->sleep_speed,
        .calm_pull2 = pull2,
        .wake_pull2 = 16.0 * pull2, // four times the pull
        .sleep_at = grains->sleep_at,
    };
}

static void move_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    granular_chunk* chunk = &grains->chunks[block];
    granular_move_work work = move_work(grains, chunk);
    grains->kernels->move(&work);
    memcpy(chunk->moved[0], work.low, sizeof chunk->moved[0]);
    memcpy(chunk->moved[1], work.high, sizeof chunk->moved[1]);
    chunk->strayed2 = work.strayed2;
}

// The list holds while no grain has strayed by half the skin from what all have in common: the
// middle of the box of displacements in the step before, so that a falling pile needs no new list.
static void move_judge(wadi_grains* grains)
{
    const double half = grains->params.skin * grains->largest; // of skin x diameter
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    double high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    double strayed2 = 0.0;
    for (int32_t k = 0; k < grains->chunk_count; ++k)
    {
        const granular_chunk* chunk = &grains->chunks[k];
        strayed2 = chunk->strayed2 > strayed2 ? chunk->strayed2 : strayed2;
        for (int c = 0; c < 3; ++c)
        {
            low[c] = chunk->moved[0][c] < low[c] ? chunk->moved[0][c] : low[c];
            high[c] = chunk->moved[1][c] > high[c] ? chunk->moved[1][c] : high[c];
        }
    }
    grains->stale = !(strayed2 < half * half);
    grains->wandered2 = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        grains->reference[c] = 0.5 * (low[c] + high[c]);
        const double far = high[c] > -low[c] ? high[c] : -low[c];
        grains->wandered2 += far * far;
    }
}

void granular_move(wadi_grains* grains)
{
    wadi_parallel_blocks(grains->context, grains->chunk_count, move_chunk, grains);
    move_judge(grains);
}

// ---- lists -------------------------------------------------------------------------------

static void step_swap(wadi_grains* grains)
{
#define STEP_SWAP(type, a, b)                                                                      \
    do                                                                                             \
    {                                                                                              \
        type const swapped = grains->a;                                                            \
        grains->a = grains->b;                                                                     \
        grains->b = swapped;                                                                       \
    } while (0)
    STEP_SWAP(granular_body*, bodies, sorted);
    STEP_SWAP(int32_t*, ids, sorted_ids);
    STEP_SWAP(uint32_t*, leaning, sorted_leaning);
    STEP_SWAP(granular_chunk*, chunks, before);
    STEP_SWAP(granular_bond*, bonds, sorted_bonds);
    STEP_SWAP(int32_t, bond_count, sorted_bond_count);
#undef STEP_SWAP
}

wadi_result granular_refresh(wadi_grains* grains)
{
    if (!grains->stale)
    {
        return WADI_OK;
    }
    granular_sort(grains);
    granular_bonds_sort(grains);
    step_swap(grains);
    const wadi_result result = granular_list_build(grains);
    if (result != WADI_OK)
    {
        step_swap(grains);
        return result;
    }
    granular_carry(grains);
    granular_walls_sort(grains);
    for (int32_t i = 0; i < grains->count; ++i)
    {
        memcpy(grains->built[i], grains->bodies[i].x, sizeof grains->bodies[i].x);
        grains->places[grains->ids[i]] = i;
    }
    granular_walls_meet(grains);
    memset(grains->reference, 0, sizeof grains->reference);
    grains->wandered2 = 0.0;
    grains->stale = false;
    grains->rebuilds += 1;
    return WADI_OK;
}

// ---- advance -----------------------------------------------------------------------------

static wadi_result step_check(wadi_grains* grains)
{
    double peak = 0.0;
    grains->touches = 0;
    grains->bridges = 0;
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        const granular_chunk* chunk = &grains->chunks[c];
        peak = chunk->peak > peak ? chunk->peak : peak;
        grains->touches += chunk->touches;
        grains->bridges += chunk->bridges;
        grains->broken += chunk->broken;
    }
    grains->failed = peak > grains->cap;
    WADI_CHECK(grains->context, !grains->failed, WADI_ERROR_STATE,
               "two grains push each other with %g N at %g s, as if one lay inside the other (%g N "
               "at most): grains that start so must be set apart, and ones that come so fast need "
               "stiffer contacts",
               peak, (double)grains->steps * grains->step, grains->cap);
    return WADI_OK;
}

static wadi_result step_once(wadi_grains* grains)
{
    WADI_TRY(granular_refresh(grains));
    granular_push(grains);
    WADI_TRY(step_check(grains));
    granular_move(grains);
    grains->steps += 1;
    return WADI_OK;
}

wadi_result wadi_grains_advance(wadi_grains* grains, int64_t steps)
{
    enum
    {
        STEPS_BETWEEN_LOOKS = 64
    };
    WADI_CHECK(grains->context, steps >= 0, WADI_ERROR_ARGUMENT,
               "%lld steps were asked for; there must be 0 or more", (long long)steps);
    WADI_CHECK(grains->context, !grains->failed, WADI_ERROR_STATE,
               "a step of these grains has failed: restore a saved state first");
    for (int64_t i = 0; i < steps; ++i)
    {
        WADI_TRY(step_once(grains));
        WADI_CHECK(grains->context,
                   i % STEPS_BETWEEN_LOOKS != 0 ||
                       wadi_progress(grains->context, (double)(i + 1) / (double)steps, "grains"),
                   WADI_ERROR_CANCELLED, "grains were stopped after %lld steps of %g s",
                   (long long)grains->steps, grains->step);
    }
    return WADI_OK;
}
