// SPDX-License-Identifier: MIT
// Forces of a chunk: contacts, bonds, bridges and walls, added to its rows and to those of its
// halo.
#include "bodies/grains/granular.h"

static void forces_copy(const wadi_grains* grains, const granular_chunk* chunk,
                        granular_scratch* scratch)
{
    const int32_t own = chunk->base.end - chunk->base.begin;
    granular_copy_work work = {
        .from = grains->bodies + chunk->base.begin,
        .count = own,
        .near = scratch->near,
        .kind = grains->bodies[chunk->base.begin].kind,
        .period = {grains->params.period_x, grains->params.period_y},
        .inverse_period = {grains->list.inverse_period[0], grains->list.inverse_period[1]},
    };
    for (int c = 0; c < 3; ++c)
    {
        // the origin moves with the displacement common to all grains, so that floats stay small
        work.middle[c] = chunk->middle[c] + grains->reference[c];
    }
    grains->kernels->copy(&work);
    work.from = grains->bodies;
    work.places = chunk->base.halo;
    work.count = chunk->base.halo_count;
    work.bodies = scratch->bodies;
    work.near += own;
    grains->kernels->copy(&work);
    scratch->mixed = work.mixed;
    scratch->calmest = work.calmest;
    for (int32_t k = 0; grains->wet != NULL && k < own + chunk->base.halo_count; ++k)
    {
        scratch->wet[k] = grains->wet[grains->ids[wadi_chunk_place(&chunk->base, k)]];
    }
    memset(scratch->rows, 0, (size_t)(own + chunk->base.halo_count) * sizeof *scratch->rows);
}

static granular_work forces_work(const wadi_grains* grains, const granular_chunk* chunk,
                                 const granular_scratch* scratch)
{
    const float period_x = chunk->wraps[0] ? (float)grains->params.period_x : 0.0f;
    const float period_y = chunk->wraps[1] ? (float)grains->params.period_y : 0.0f;
    return (granular_work){
        .bodies = grains->bodies + chunk->base.begin,
        .halo = scratch->bodies,
        .own = chunk->base.end - chunk->base.begin,
        .mixed = scratch->mixed,
        .sleeper = scratch->calmest >= grains->sleep_at,
        .near = (const float(*)[4])scratch->near,
        .rows = scratch->rows,
        .wet = grains->wet != NULL ? scratch->wet : NULL,
        .pairs = chunk->pairs,
        .pair_count = chunk->base.pair_count,
        .touching = chunk->touching,
        .slip_count = chunk->slip_count,
        .found = scratch->found,
        .memory = scratch->memory,
        .born = scratch->born,
        .now = scratch->now,
        .contacts = grains->contacts,
        .kinds = grains->kinds,
        .hertz = grains->params.law == WADI_GRAIN_LAW_HERTZ,
        .band = chunk->band,
        .near_period = {period_x, period_y},
        .near_inverse = {period_x > 0.0f ? 1.0f / period_x : 0.0f,
                         period_y > 0.0f ? 1.0f / period_y : 0.0f},
        .period = {grains->params.period_x, grains->params.period_y},
        .inverse_period = {grains->list.inverse_period[0], grains->list.inverse_period[1]},
        .step = grains->step,
        .scale = grains->scale,
        .sleep_at = grains->sleep_at,
    };
}

// A new contact: its springs are not stretched yet.
static void forces_begin(const wadi_grains* grains, granular_chunk* chunk,
                         const granular_work* work, int32_t p, int32_t at)
{
    const granular_body* a = &work->bodies[chunk->pairs[p].i];
    const granular_body* b = granular_work_body(work, chunk->pairs[p].j);
    const granular_contact* law = &grains->contacts[a->kind * grains->kinds + b->kind];
    const double damping = granular_damping(law, work->hertz, a->inverse_mass + b->inverse_mass);
    chunk->slips[at] = (granular_slip){{0.0, 0.0, 0.0}, damping};
    if (chunk->rolls != NULL)
    {
        chunk->rolls[at] = (granular_roll){{0.0, 0.0, 0.0}, 0.0};
    }
}

// Find contacts and add their forces; false: there is no room for the state of new ones.
static bool forces_contacts(const wadi_grains* grains, granular_chunk* chunk, granular_work* work)
{
    grains->kernels->find(work);
    const int32_t born = work->born_count;
    if (!wadi_granular_slips_make_room(chunk, born))
    {
        return false;
    }
    for (int32_t b = 0; b < born; ++b)
    {
        forces_begin(grains, chunk, work, work->born[b], chunk->slip_first + chunk->slip_count + b);
    }
    work->slips = chunk->slips + chunk->slip_first;
    work->rolls = grains->rolls ? chunk->rolls + chunk->slip_first : NULL;
    chunk->slip_first -= born;
    chunk->slip_count = work->found_count;
    work->kept = chunk->slips + chunk->slip_first;
    work->kept_rolls = grains->rolls ? chunk->rolls + chunk->slip_first : NULL;
    grains->kernels->contacts(work);
    const int32_t groups = (chunk->base.pair_count + GRANULAR_GROUP - 1) / GRANULAR_GROUP;
    if (groups > 0)
    {
        memcpy(chunk->touching, work->now, (size_t)groups * sizeof *chunk->touching);
    }
    return true;
}

// Add the forces on the grains of `touches` to those on wall w, with which a grain has one contact,
// or take them from there. Before and after the contacts are computed: the difference is the wall's
// part.
static void forces_press(granular_chunk* chunk, const granular_scratch* scratch, int32_t w,
                         int32_t count, bool adds)
{
    for (int32_t k = 0; k < count; ++k)
    {
        const granular_row* row = &scratch->rows[scratch->touches[k].grain];
        for (int c = 0; c < 3; ++c)
        {
            int64_t* sum = &chunk->pressed[w][c];
            *sum =
                adds ? wadi_exact_plus(*sum, row->force[c]) : wadi_exact_minus(*sum, row->force[c]);
        }
    }
}

static void forces_walls(wadi_grains* grains, granular_chunk* chunk, granular_scratch* scratch,
                         granular_work* work)
{
    memset(chunk->pressed, 0, sizeof chunk->pressed);
    for (uint32_t left = grains->present; left != 0; left &= left - 1)
    {
        const int32_t w = __builtin_ctz(left);
        const int32_t count = wadi_granular_wall_find(grains, w, chunk, scratch->touches);
        forces_press(chunk, scratch, w, count, true);
        grains->kernels->touches(work, scratch->touches, count);
        forces_press(chunk, scratch, w, count, false);
        chunk->settled = chunk->settled && !(count > 0 && scratch->touches[0].moves);
    }
}

static void forces_bonds(wadi_grains* grains, granular_chunk* chunk, granular_work* work)
{
    const int32_t first = grains->bond_start[chunk->base.begin];
    granular_bonds_work bonds = {
        .bonds = grains->bonds != NULL ? grains->bonds + first : NULL,
        .count = grains->bond_start[chunk->base.end] - first,
        .begin = chunk->base.begin,
        .cements = grains->cements,
    };
    if (bonds.count > 0)
    {
        grains->kernels->bonds(work, &bonds);
    }
    chunk->broken = bonds.broken;
    if (bonds.broken > 0)
    {
        wadi_granular_bonds_to_pairs(grains, chunk);
    }
}

static bool forces_all_sleep(const wadi_grains* grains, const granular_chunk* chunk)
{
    bool sleep = grains->sleep_at < INT32_MAX;
    for (int32_t i = chunk->base.begin; i < chunk->base.end && sleep; ++i)
    {
        sleep = grains->bodies[i].calm >= grains->sleep_at;
    }
    for (int32_t k = 0; k < chunk->base.halo_count && sleep; ++k)
    {
        sleep = grains->bodies[chunk->base.halo[k]].calm >= grains->sleep_at;
    }
    return sleep;
}

void wadi_granular_invalidate_forces(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_chunk_at(grains, c)->settled = false;
    }
}

bool wadi_granular_compute_forces(wadi_grains* grains, granular_chunk* chunk,
                                  granular_scratch* scratch)
{
    chunk->slip_wanted = 0; // may be set by a step that ran out of memory
    scratch->fresh = false;
    const bool sleeps = forces_all_sleep(grains, chunk);
    if (sleeps && chunk->settled)
    {
        chunk->broken =
            0; // forces between sleeping grains do not change: the rows still contain them
        return true;
    }
    forces_copy(grains, chunk, scratch);
    granular_work work = forces_work(grains, chunk, scratch);
    if (!forces_contacts(grains, chunk, &work))
    {
        return false;
    }
    wadi_granular_bridges_add_forces(grains, chunk, &work);
    forces_bonds(grains, chunk, &work);
    chunk->settled = sleeps && chunk->broken == 0; // broken bonds are pairs from the next step on
    forces_walls(grains, chunk, scratch, &work);
    if (grains->mesh_count > 0)
    {
        wadi_granular_meshes_add_forces(grains, chunk, scratch, &work);
        chunk->settled = chunk->settled && !chunk->beside_moving;
    }
    const int32_t own = chunk->base.end - chunk->base.begin;
    wadi_list_send(&grains->list, &chunk->base, scratch->rows + own);
    scratch->fresh = true;
    chunk->peak = work.peak;
    chunk->touches = work.touches;
    return true;
}

void wadi_granular_keep_rows(wadi_grains* grains, const granular_chunk* chunk,
                             const granular_scratch* scratch)
{
    const int32_t own = chunk->base.end - chunk->base.begin;
    if (scratch->fresh)
    {
        memcpy(grains->kept + chunk->base.begin, scratch->rows,
               (size_t)own * sizeof *scratch->rows);
    }
}
