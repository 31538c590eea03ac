// SPDX-License-Identifier: MIT
// A step: push, then move.
#include "granular/granular.h"

#include <float.h>

// ---- push --------------------------------------------------------------------------------

static void push_copy_one(const wadi_grains* grains, const double middle[3],
                          granular_scratch* scratch, int32_t local, int32_t place)
{
    const granular_body* body = &grains->bodies[place];
    float* near = scratch->near[local];
    scratch->bodies[local] = *body;
    if (grains->wet != NULL)
    {
        scratch->wet[local] = grains->wet[grains->ids[place]];
    }
    near[0] = (float)granular_nearest(body->x[0] - middle[0], grains->params.period_x,
                                      grains->inverse_period[0]);
    near[1] = (float)granular_nearest(body->x[1] - middle[1], grains->params.period_y,
                                      grains->inverse_period[1]);
    near[2] = (float)(body->x[2] - middle[2]);
    near[3] = (float)body->radius;
}

static void push_copy(const wadi_grains* grains, const granular_chunk* chunk,
                      granular_scratch* scratch)
{
    const int32_t own = chunk->end - chunk->begin;
    double middle[3]; // moves with what all have in common, so that floats stay short
    for (int c = 0; c < 3; ++c)
    {
        middle[c] = chunk->middle[c] + grains->reference[c];
    }
    for (int32_t k = 0; k < own; ++k)
    {
        push_copy_one(grains, middle, scratch, k, chunk->begin + k);
    }
    for (int32_t k = 0; k < chunk->halo_count; ++k)
    {
        push_copy_one(grains, middle, scratch, own + k, chunk->halo[k]);
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

typedef struct move_world
{
    double step;
    double unit; // [N]
    double gravity[3];
    double period[2];
    double calm_speed2;
    double calm_pull2;
    double wake_pull2; // four times the pull wakes a grain that sleeps
    int32_t sleep_at;
} move_world;

static move_world move_prepare(const wadi_grains* grains)
{
    const wadi_grains_params* p = &grains->params;
    const double pull2 = p->sleep_acceleration * p->sleep_acceleration;
    return (move_world){
        .step = grains->step,
        .unit = 1.0 / grains->scale,
        .gravity = {p->gravity_x, p->gravity_y, p->gravity_z},
        .period = {p->period_x, p->period_y},
        .calm_speed2 = p->sleep_speed * p->sleep_speed,
        .calm_pull2 = pull2,
        .wake_pull2 = 16.0 * pull2,
        .sleep_at = grains->sleep_at,
    };
}

// All that pushes a grain: sums of whole numbers, in any order.
static granular_row move_collect(const wadi_grains* grains, int32_t place)
{
    granular_row row = grains->own[place];
    for (int32_t k = grains->halo_start[place]; k < grains->halo_start[place + 1]; ++k)
    {
        const granular_row* other = &grains->halo_rows[grains->halo_slots[k]];
        for (int c = 0; c < 3; ++c)
        {
            row.force[c] += other->force[c];
            row.turn[c] += other->turn[c];
        }
    }
    return row;
}

// Acceleration and spin-up of a solid sphere.
static void move_accelerate(const wadi_grains* grains, const move_world* world, int32_t place,
                            double pull[3], double turn[3])
{
    const granular_body* body = &grains->bodies[place];
    const granular_row row = move_collect(grains, place);
    const double* outside = grains->forces != NULL ? grains->forces[grains->ids[place]] : NULL;
    const double per_unit = world->unit * body->inverse_mass;
    const double per_turn = 2.5 * per_unit / body->radius;
    for (int c = 0; c < 3; ++c)
    {
        pull[c] = (double)row.force[c] * per_unit + world->gravity[c];
        pull[c] += outside != NULL ? outside[c] * body->inverse_mass : 0.0;
        turn[c] = (double)row.turn[c] * per_turn;
    }
}

static double move_square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// Count calm steps. A grain that sleeps stays where it is until it is pulled hard; true: it sleeps.
static bool move_sleeps(granular_body* body, const move_world* world, const double pull[3],
                        const double turn[3])
{
    const double r2 = body->radius * body->radius;
    const double pulled2 = move_square(pull) + r2 * move_square(turn);
    if (body->calm >= world->sleep_at)
    {
        body->calm = pulled2 < world->wake_pull2 ? world->sleep_at : 0;
        return body->calm > 0;
    }
    // spin does not count: no friction stops a grain that only turns about the line to its one
    // contact
    const bool calm = move_square(body->v) < world->calm_speed2 && pulled2 < world->calm_pull2;
    body->calm = calm ? body->calm + 1 : 0;
    if (body->calm >= world->sleep_at)
    {
        memset(body->v, 0, sizeof body->v);
        memset(body->w, 0, sizeof body->w);
        return true;
    }
    return false;
}

static void move_drift(granular_body* body, const move_world* world)
{
    for (int c = 0; c < 3; ++c)
    {
        body->x[c] += world->step * body->v[c];
    }
    for (int c = 0; c < 2; ++c)
    {
        const double period = world->period[c];
        const double x = body->x[c];
        const double wrapped = x < 0.0 ? x + period : x >= period ? x - period : x;
        body->x[c] = period > 0.0 ? wrapped : x;
    }
}

// Leapfrog: a full kick, then a drift.
static void move_grain(wadi_grains* grains, const move_world* world, int32_t place)
{
    granular_body* body = &grains->bodies[place];
    if (body->inverse_mass > 0.0)
    {
        double pull[3];
        double turn[3];
        move_accelerate(grains, world, place, pull, turn);
        if (world->sleep_at < INT32_MAX && move_sleeps(body, world, pull, turn))
        {
            return;
        }
        for (int c = 0; c < 3; ++c)
        {
            body->v[c] += world->step * pull[c];
            body->w[c] += world->step * turn[c];
        }
    }
    move_drift(body, world);
}

// How far a grain has come since the list was built.
static void move_measure(const wadi_grains* grains, granular_chunk* chunk, int32_t place)
{
    const double periods[3] = {grains->params.period_x, grains->params.period_y, 0.0};
    const double inverses[3] = {grains->inverse_period[0], grains->inverse_period[1], 0.0};
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double came = granular_nearest(grains->bodies[place].x[c] - grains->built[place][c],
                                             periods[c], inverses[c]);
        const double strayed = came - grains->reference[c];
        square += strayed * strayed;
        chunk->moved[0][c] = came < chunk->moved[0][c] ? came : chunk->moved[0][c];
        chunk->moved[1][c] = came > chunk->moved[1][c] ? came : chunk->moved[1][c];
    }
    chunk->strayed2 = square > chunk->strayed2 ? square : chunk->strayed2;
}

static void move_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    granular_chunk* chunk = &grains->chunks[block];
    const move_world world = move_prepare(grains);
    for (int c = 0; c < 3; ++c)
    {
        chunk->moved[0][c] = DBL_MAX;
        chunk->moved[1][c] = -DBL_MAX;
    }
    chunk->strayed2 = 0.0;
    for (int32_t i = chunk->begin; i < chunk->end; ++i)
    {
        move_grain(grains, &world, i);
        move_measure(grains, chunk, i);
    }
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
    for (int c = 0; c < 3; ++c)
    {
        grains->reference[c] = 0.5 * (low[c] + high[c]);
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
        memcpy(grains->built[i], grains->bodies[i].x, sizeof grains->built[i]);
        grains->places[grains->ids[i]] = i;
    }
    memset(grains->reference, 0, sizeof grains->reference);
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
