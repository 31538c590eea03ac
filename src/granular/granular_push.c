// SPDX-License-Identifier: MIT
// What pushes the grains of a chunk: contacts, bonds, bridges and walls, added up in its rows and
// in those of its halo.
#include "granular/granular.h"

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
        .inverse_period = {grains->inverse_period[0], grains->inverse_period[1]},
        .step = grains->step,
        .scale = grains->scale,
        .sleep_at = grains->sleep_at,
    };
}

// A contact is born: no spring is stretched yet.
static void push_begin(const wadi_grains* grains, granular_chunk* chunk, const granular_work* work,
                       int32_t p, int32_t at)
{
    const granular_body* a = &work->bodies[chunk->pairs[p].i];
    const granular_body* b = &work->bodies[chunk->pairs[p].j];
    const granular_contact* law = &grains->contacts[a->kind * grains->kinds + b->kind];
    const double damping = granular_damping(law, work->hertz, a->inverse_mass + b->inverse_mass);
    chunk->slips[at] = (granular_slip){{0.0, 0.0, 0.0}, damping};
    if (chunk->rolls != NULL)
    {
        chunk->rolls[at] = (granular_roll){{0.0, 0.0, 0.0}, 0.0};
    }
}

// Who touches, and what that does to them; false: there is no room for what they remember.
static bool push_contacts(const wadi_grains* grains, granular_chunk* chunk, granular_work* work)
{
    grains->kernels->find(work);
    const int32_t born = work->born_count;
    if (!granular_slips_open(chunk, born))
    {
        return false;
    }
    for (int32_t b = 0; b < born; ++b)
    {
        push_begin(grains, chunk, work, work->born[b], chunk->slip_first + chunk->slip_count + b);
    }
    work->slips = chunk->slips + chunk->slip_first;
    work->rolls = grains->rolls ? chunk->rolls + chunk->slip_first : NULL;
    chunk->slip_first -= born;
    chunk->slip_count = work->found_count;
    work->kept = chunk->slips + chunk->slip_first;
    work->kept_rolls = grains->rolls ? chunk->rolls + chunk->slip_first : NULL;
    grains->kernels->contacts(work);
    const int32_t groups = (chunk->pair_count + GRANULAR_GROUP - 1) / GRANULAR_GROUP;
    memcpy(chunk->touching, work->now, (size_t)groups * sizeof *chunk->touching);
    return true;
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

bool granular_push(wadi_grains* grains, granular_chunk* chunk, granular_scratch* scratch)
{
    chunk->slip_wanted = 0; // a step that ran out of memory may have left it
    const bool sleeps = push_all_sleep(grains, chunk);
    if (sleeps && chunk->settled)
    {
        chunk->broken = 0; // forces between sleepers stay as they are: the rows hold them still
        return true;
    }
    push_copy(grains, chunk, scratch);
    granular_work work = push_work(grains, chunk, scratch);
    if (!push_contacts(grains, chunk, &work))
    {
        return false;
    }
    granular_bridges_push(grains, chunk, &work);
    push_bonds(grains, chunk, &work);
    chunk->settled = sleeps && chunk->broken == 0; // what broke is a pair from the next step on
    push_walls(grains, chunk, scratch, &work);
    const int32_t own = chunk->end - chunk->begin;
    for (int32_t i = 0; i < own; ++i)
    {
        grains->traces[chunk->begin + i].own = scratch->rows[i];
    }
    if (chunk->halo_count > 0)
    {
        memcpy(grains->halo_rows + chunk->halo_first, scratch->rows + own,
               (size_t)chunk->halo_count * sizeof *grains->halo_rows);
    }
    chunk->peak = work.peak;
    chunk->touches = work.touches;
    return true;
}
