// SPDX-License-Identifier: MIT
// A step, and the lists it needs.
#include "bodies/grains/granular.h"

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
    STEP_SWAP(granular_chunk*, list.chunks, before);
    STEP_SWAP(granular_bond*, bonds, sorted_bonds);
    STEP_SWAP(int32_t, bond_count, sorted_bond_count);
#undef STEP_SWAP
}

wadi_result wadi_granular_update_list(wadi_grains* grains)
{
    if (!grains->stale)
    {
        return WADI_OK;
    }
    if (grains->count == 0)
    {
        grains->list.chunk_count = 0; // all grains have gone
        return WADI_OK;
    }
    wadi_granular_sort(grains);
    wadi_granular_bonds_sort(grains);
    step_swap(grains);
    wadi_result result = wadi_granular_list_build(grains);
    result = result == WADI_OK ? wadi_granular_carry_contacts(grains) : result;
    if (result != WADI_OK)
    {
        step_swap(grains);
        return result;
    }
    wadi_granular_walls_sort(grains);
    grains->kept = (granular_row*)(void*)grains->sorted; // the old order is done with
    grains->built = (granular_origin*)(void*)(grains->kept + grains->room);
    memset(grains->kept, 0, (size_t)grains->count * sizeof *grains->kept);
    for (int32_t i = 0; i < grains->count; ++i)
    {
        grains->built[i] = (granular_origin){{0.0}};
        memcpy(grains->built[i].x, grains->bodies[i].x, sizeof grains->bodies[i].x);
        grains->places[grains->ids[i]] = i;
    }
    wadi_granular_walls_find_near(grains);
    WADI_TRY(wadi_granular_meshes_find_near(grains));
    memset(grains->reference, 0, sizeof grains->reference);
    grains->wandered2 = 0.0;
    grains->stale = false;
    grains->rebuilds += 1;
    return WADI_OK;
}

// ---- advance -----------------------------------------------------------------------------

// Forces on walls: whole units, so that their sum does not depend on chunks.
static void step_press_walls(wadi_grains* grains)
{
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        int64_t* pressed = grains->walls[w].pressed;
        memset(pressed, 0, sizeof grains->walls[w].pressed);
        for (int32_t k = 0; k < grains->list.chunk_count; ++k)
        {
            const granular_chunk* chunk = granular_chunk_at(grains, k);
            for (int c = 0; c < 3; ++c)
            {
                pressed[c] = wadi_exact_plus(pressed[c], chunk->pressed[w][c]);
            }
        }
    }
}

static wadi_result step_check(wadi_grains* grains)
{
    double peak = 0.0;
    grains->touches = 0;
    grains->bridges = 0;
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        const granular_chunk* chunk = granular_chunk_at(grains, c);
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

// One chunk that adds forces to this one is done. After the last of them the grains can be moved:
// no chunk reads their old positions any more.
static void step_finish_force(wadi_grains* grains, int32_t chunk)
{
    if (atomic_fetch_sub_explicit(&grains->waits[chunk], 1, memory_order_acq_rel) == 1)
    {
        wadi_granular_integrate(grains, granular_chunk_at(grains, chunk), NULL);
    }
}

// The chunk's own forces are known. If all chunks that touch it are done before it, as in most
// steps of one thread, its grains move by the rows of the scratch memory, without a copy; unless
// the rows are read later: of grains that sleep, of clumps and of plates.
static void step_finish_own(wadi_grains* grains, int32_t number, const granular_scratch* scratch)
{
    granular_chunk* chunk = granular_chunk_at(grains, number);
    const bool last = atomic_load_explicit(&grains->waits[number], memory_order_acquire) == 1;
    const bool kept = chunk->settled || grains->clumps != NULL || grains->keeps_rows;
    if (last && !kept && scratch->fresh)
    {
        atomic_store_explicit(&grains->waits[number], 0, memory_order_relaxed);
        wadi_granular_integrate(grains, chunk, scratch->rows);
        return;
    }
    wadi_granular_keep_rows(grains, chunk, scratch);
    step_finish_force(grains, number);
}

static void step_chunk(int64_t block, int32_t worker, void* job)
{
    wadi_grains* grains = job;
    const granular_chunk* chunk = granular_chunk_at(grains, block);
    granular_scratch* scratch = &grains->scratch[worker];
    if (!wadi_granular_compute_forces(grains, granular_chunk_at(grains, block), scratch))
    {
        return;
    }
    for (int32_t k = 0; k < chunk->after_count; ++k)
    {
        step_finish_force(grains, grains->after[chunk->after_first + k]);
    }
    step_finish_own(grains, (int32_t)block, scratch);
}

// Chunks without room for new contacts get it here, outside of the parallel loop, and are repeated.
static wadi_result step_retry(wadi_grains* grains)
{
    grains->failed = true; // without memory, a part of the step is missing
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_chunk* chunk = granular_chunk_at(grains, c);
        if (chunk->slip_wanted > 0)
        {
            WADI_TRY(wadi_granular_slips_reserve(grains, chunk, chunk->slip_wanted));
            step_chunk(c, 0, grains);
        }
    }
    grains->failed = false;
    return WADI_OK;
}

// Forces and motion in one pass: most chunks are moved right after their forces are known, while
// they are in the cache. In two passes, motion took 31 % of a step of 130 000 grains that fall, and
// takes 15 %.
static wadi_result step_pass(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        atomic_store_explicit(&grains->waits[c], granular_chunk_at(grains, c)->awaited,
                              memory_order_relaxed);
    }
    wadi_parallel_blocks(grains->context, grains->list.chunk_count, step_chunk, grains);
    WADI_TRY(step_retry(grains));
    if (grains->clumps != NULL)
    {
        wadi_granular_clumps_move(grains);
    }
    wadi_granular_check_skin(grains);
    return WADI_OK;
}

static wadi_result step_once(wadi_grains* grains)
{
    WADI_TRY(wadi_granular_flow(grains));
    wadi_granular_meshes_pose(grains);
    grains->stale = wadi_granular_meshes_strayed(grains) || grains->stale;
    wadi_granular_meshes_creep(grains);
    WADI_TRY(wadi_granular_update_list(grains));
    WADI_TRY(step_pass(grains));
    wadi_granular_meshes_collect(grains);
    WADI_TRY(step_check(grains));
    step_press_walls(grains);
    grains->steps += 1;
    return WADI_OK;
}

static wadi_result step_check_state(const wadi_grains* grains)
{
    WADI_CHECK(grains->context, !grains->failed, WADI_ERROR_STATE,
               "a step of these grains has failed: restore a saved state first");
    return WADI_OK;
}

wadi_result wadi_granular_step(wadi_grains* grains)
{
    WADI_TRY(step_check_state(grains));
    return step_once(grains);
}

wadi_result wadi_grains_advance(wadi_grains* grains, int64_t steps)
{
    enum
    {
        STEPS_BETWEEN_LOOKS = 64
    };
    WADI_CHECK(grains->context, steps >= 0, WADI_ERROR_ARGUMENT,
               "%lld steps were asked for; there must be 0 or more", (long long)steps);
    WADI_TRY(step_check_state(grains));
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
