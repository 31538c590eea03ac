// SPDX-License-Identifier: MIT
// Droplets from creation to maps. One advance is rounds of: bring in fresh droplets, let all take
// their steps on frozen ground, settle the ground; until the last one has ended.
#include "hydraulic/droplet_kernels.h"
#include "hydraulic/droplet_state.h"

#include "core/dmath.h"

#include <math.h>
#include <string.h>

enum
{
    DROPLET_SORT_ROUNDS = 4,     // rounds between two sorts and samples of the pool
    DROPLET_LONGEST = 256,       // most steps of a round
    DROPLET_LAST_LONGEST = 512,  // the same when few droplets are left
    DROPLET_LAST_ROUNDS = 64,    // in which spilled matter comes to rest after the last droplet
    DROPLET_UPROAR = 5,          // part of what moved that may be owed before droplets must ask,
    DROPLET_UNREST = 50,         // and when rounds are as short as can be
    DROPLET_CARE = 4,            // rounds for which they then do,
    DROPLET_CARE_STEPS = 64,     // of so many steps at least: then nothing is owed
    DROPLET_LIFE_LIMIT = 1000000 // steps
};

// The step that the article's constants belong to: its capacity is a fall per step, which this
// makes one per unit of time.
static const double droplet_published_step = 1.2;

static droplet_kernel_fn* const droplet_kernels[WADI_ISA_COUNT] = WADI_ISA_BUILDS(droplet_steps);

// ---- creation -----------------------------------------------------------------------------------

static wadi_result droplet_check(wadi_context* context, const wadi_ground* ground,
                                 const wadi_hydraulic_params* params)
{
    // against the published step, wear is 7 % off at 1.8 and 17 % at 2.4
    const double limit = 1.5 * droplet_published_step;
    WADI_CHECK(context, params->droplet_step <= limit, WADI_ERROR_RANGE,
               "droplet_step %g is above its stable limit of %g: from there on the wear depends on "
               "the step; lower it",
               params->droplet_step, limit);
    const double fastest = params->droplet_friction > params->droplet_deposition
                               ? params->droplet_friction
                               : params->droplet_deposition;
    WADI_CHECK(context, params->droplet_step * fastest <= 0.5, WADI_ERROR_RANGE,
               "droplet_step x the larger of droplet_friction and droplet_deposition is %g, above "
               "its stable limit of 0.5; lower one of them",
               params->droplet_step * fastest);
    const double shrink = params->droplet_step * params->droplet_evaporation;
    const double steps = -wadi_log(params->droplet_min_volume) / (shrink > 0.0 ? shrink : 1e-300);
    WADI_CHECK(context, steps <= DROPLET_LIFE_LIMIT, WADI_ERROR_RANGE,
               "a droplet would live for %g steps, more than %d; raise droplet_evaporation", steps,
               DROPLET_LIFE_LIMIT);
    WADI_CHECK(context, ground->cells <= (int64_t)1 << 30, WADI_ERROR_RANGE,
               "droplets run on grids of up to 2^30 cells, not %lld", (long long)ground->cells);
    return WADI_OK;
}

static droplet_law droplet_law_of(const wadi_ground* ground, const wadi_hydraulic_params* params)
{
    const double step = params->droplet_step;
    const double keep = 1.0 - step * params->droplet_evaporation;
    const double half = 0.5 / step;
    return (droplet_law){
        .step = (float)step,
        .drag = (float)(1.0 - step * params->droplet_friction),
        .rate = (float)(step * params->droplet_deposition),
        .gain = (float)(droplet_published_step / step),
        .reach = (float)(step / (1.0 - step * params->droplet_friction)),
        .keep = (float)keep,
        .grow = (float)(1.0 / keep),
        .pull = (float)(step / params->droplet_density) / PARTICLE_NORMAL_SCALE,
        .min_volume = (float)params->droplet_min_volume,
        .far2 = (float)(half * half),
        .burden = 1.0f,
        .rounding = 0.5f,
        .memory = 1.0f,
        .width = ground->width,
        .height = ground->height,
    };
}

static int32_t droplet_capacity(const wadi_ground* ground)
{
    const int64_t share = ground->cells / DROPLET_SHARE;
    return share > DROPLET_LANES ? (int32_t)share : DROPLET_LANES;
}

static wadi_result droplet_allocate(wadi_droplets* d)
{
    const int64_t tiles = ((int64_t)d->law.width / 32 + 1) * (d->law.height / 32 + 1);
    const int64_t cells = (int64_t)d->law.width * d->law.height;
    WADI_ALLOC(d->context, d->pool, d->capacity, "droplets");
    WADI_ALLOC(d->context, d->spare, d->capacity, "droplets");
    WADI_ALLOC(d->context, d->tile_starts, tiles + 1, "droplets by tile");
    WADI_ALLOC(d->context, d->momentum, cells, "the velocity map");
    WADI_ALLOC(d->context, d->passing, cells, "the velocity map");
    return particle_bed_create(d->terrain, &d->bed);
}

wadi_result wadi_droplets_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                 double default_years, uint32_t stream, wadi_droplets** out)
{
    *out = NULL;
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    WADI_TRY(droplet_check(context, ground, params));
    wadi_droplets* d;
    WADI_ALLOC(context, d, 1, "droplets");
    d->terrain = terrain;
    d->context = context;
    d->law = droplet_law_of(ground, params);
    d->kernel = droplet_kernels[wadi_isa_best()];
    d->places =
        (particle_places){wadi_terrain_seed(terrain), stream, ground->width, ground->height};
    d->per_year = params->droplets_per_cell * (double)ground->cells / default_years;
    d->water = (int64_t)(params->droplet_scale * ground->cell_size * WADI_UNITS_PER_METRE);
    d->capacity = droplet_capacity(ground);
    d->round = DROPLET_STRIDE;
    const wadi_result result = droplet_allocate(d);
    if (result != WADI_OK)
    {
        wadi_droplets_destroy(d);
        return result;
    }
    *out = d;
    return WADI_OK;
}

void droplet_use(wadi_droplets* d, wadi_isa isa)
{
    d->kernel = droplet_kernels[isa];
    particle_bed_use(d->bed, isa);
}

void wadi_droplets_destroy(wadi_droplets* d)
{
    if (d == NULL)
    {
        return;
    }
    particle_bed_destroy(d->bed);
    wadi_free(d->context, d->pool);
    wadi_free(d->context, d->spare);
    wadi_free(d->context, d->tile_starts);
    wadi_free(d->context, d->momentum);
    wadi_free(d->context, d->passing);
    wadi_free(d->context, d);
}

// ---- advancing ----------------------------------------------------------------------------------

// When few are left, rounds are longer, so that the ground is not settled for a handful of steps.
static int32_t droplet_round_steps(const wadi_droplets* d)
{
    const int32_t round =
        d->care > 0 && d->round < DROPLET_CARE_STEPS ? DROPLET_CARE_STEPS : d->round;
    const int64_t even = (int64_t)round * d->capacity / d->live;
    const int64_t steps = even < DROPLET_LAST_LONGEST ? even : DROPLET_LAST_LONGEST;
    return (int32_t)(steps / DROPLET_STRIDE * DROPLET_STRIDE);
}

// Long rounds are fast and short ones exact: the length follows the share of matter that was taken
// beyond what the ground could give. Kept near 0.5-1 %, 200 000 droplets on the article's noise
// erode, deposit and export what the serial reference does to 1 %; at 2-6 % it is 20 %, and without
// a limit steep ground blows up.
static void droplet_pace(wadi_droplets* d)
{
    int64_t moved = 0;
    int64_t owed = 0;
    for (int32_t w = 0; w < d->bed->worker_count; ++w)
    {
        moved += d->bed->workers[w].moved;
        owed += d->bed->workers[w].owed;
        d->bed->workers[w].moved = 0;
        d->bed->workers[w].owed = 0;
    }
    if (d->care > 0)
    {
        d->care -= 1;
        return;
    }
    const bool shortest = d->round == DROPLET_STRIDE;
    d->care = owed > moved / (shortest ? DROPLET_UNREST : DROPLET_UPROAR) ? DROPLET_CARE : 0;
    const int32_t next = owed > moved / 100   ? d->round / 2 / DROPLET_STRIDE * DROPLET_STRIDE
                         : owed < moved / 200 ? d->round + DROPLET_STRIDE
                                              : d->round;
    d->round = next < DROPLET_STRIDE    ? DROPLET_STRIDE
               : next > DROPLET_LONGEST ? DROPLET_LONGEST
                                        : next;
}

// Take the steps of one round. Droplets ask first where the ground may refuse.
static wadi_result droplet_step_round(wadi_droplets* d)
{
    d->asks = d->hard || d->care > 0;
    const int32_t steps = droplet_round_steps(d);
    d->law.rounding = d->asks ? 0.0f : 0.5f;
    d->law.memory = d->asks ? 0.0f : 1.0f;
    if (d->asks)
    {
        WADI_TRY(d->bed->shares == NULL ? particle_bed_allocate_demands(d->bed) : WADI_OK);
        droplet_run_ask(d, steps);
        particle_bed_share(d->bed);
    }
    droplet_run(d, steps);
    droplet_pool_compact(d);
    d->work.batches += 1;
    return WADI_OK;
}

static wadi_result droplet_report(const wadi_droplets* d, int64_t count, int64_t waiting)
{
    const double share = (double)(count - waiting - d->live) / (double)count;
    return wadi_progress(d->context, share, "droplets")
               ? WADI_OK
               : wadi_fail(d->context, WADI_ERROR_CANCELLED, "droplets were stopped");
}

// Rounds until all `count` droplets have ended, or it cannot go on.
static wadi_result droplet_rounds(wadi_droplets* d, int64_t count)
{
    wadi_result result = WADI_OK;
    int64_t waiting = count;
    for (droplet_pool_fill(d, &waiting); d->live > 0; droplet_pool_fill(d, &waiting))
    {
        if (d->work.batches % DROPLET_SORT_ROUNDS == 0)
        {
            droplet_pool_sort(d);
            droplet_pool_sample(d);
        }
        result = droplet_step_round(d);
        result = result == WADI_OK ? droplet_report(d, count, waiting) : result;
        if (result != WADI_OK)
        {
            waiting = 0;
            droplet_run_abandon(d);
        }
        particle_bed_settle(d->bed);
        droplet_pace(d);
    }
    return result;
}

// Let what has been spilled find its place. What has none after that waits for the next advance and
// stands in the ledger as transit.
static void droplet_rest(wadi_droplets* d)
{
    for (int32_t round = 0; round < DROPLET_LAST_ROUNDS && particle_bed_pending(d->bed) > 0;
         ++round)
    {
        particle_bed_settle(d->bed);
    }
}

static void droplet_book(wadi_droplets* d, int64_t pending_before)
{
    wadi_tally sum = {0};
    for (int32_t w = 0; w < d->bed->worker_count; ++w)
    {
        particle_worker* worker = &d->bed->workers[w];
        wadi_tally_add(&sum, &worker->tally);
        d->work.steps += worker->steps;
        d->work.useful += worker->useful;
        memset(&worker->tally, 0, sizeof worker->tally);
        worker->steps = 0;
        worker->useful = 0;
    }
    sum.transit[WADI_MATERIAL_SEDIMENT] =
        particle_bed_pending(d->bed) + droplet_pool_load(d) - pending_before;
    wadi_terrain_book(d->terrain, "hydraulic", &sum);
}

wadi_result wadi_droplets_advance(wadi_droplets* d, double years)
{
    const int64_t pending = particle_bed_pending(d->bed);
    d->due += years * d->per_year;
    d->years += years;
    const int64_t count = (int64_t)d->due;
    d->due -= (double)count;
    d->hard = particle_bed_is_hard(d->bed);
    particle_bed_read(d->bed);
    const wadi_result result = droplet_rounds(d, count);
    droplet_rest(d);
    droplet_book(d, pending);
    return result;
}

// ---- what came of it ----------------------------------------------------------------------------

wadi_droplet_work wadi_droplets_work(const wadi_droplets* droplets)
{
    return droplets->work;
}

uint64_t wadi_droplets_hash(const wadi_droplets* droplets)
{
    uint64_t due;
    memcpy(&due, &droplets->due, sizeof due);
    return due ^ ((uint64_t)droplets->spawned * 0x9E3779B97F4A7C15u);
}

static float droplet_map_value(const wadi_droplets* d, wadi_droplet_map map, int64_t cell)
{
    const double metre = 1.0 / WADI_UNITS_PER_METRE;
    const double area = d->bed->ground->cell_size * d->bed->ground->cell_size;
    const double drops = (double)d->bed->visits[cell] / DROPLET_WATER_PARTS;
    switch (map)
    {
    case WADI_DROPLET_DISCHARGE:
        return d->years > 0.0 ? (float)(drops * (double)d->water * metre * area / d->years) : 0.0f;
    case WADI_DROPLET_VELOCITY:
        return d->passing[cell] > 0.0f ? d->momentum[cell] / d->passing[cell] : 0.0f;
    case WADI_DROPLET_WEAR:
        return (float)((double)d->bed->wear[cell] * metre);
    case WADI_DROPLET_DEPOSIT:
    default:
        return (float)((double)d->bed->deposit[cell] * metre);
    }
}

void wadi_droplets_map(const wadi_droplets* droplets, wadi_droplet_map map, float* out)
{
    for (int64_t i = 0; i < droplets->bed->ground->cells; ++i)
    {
        out[i] = droplets->bed->ground->valid[i] != 0 ? droplet_map_value(droplets, map, i) : NAN;
    }
}
