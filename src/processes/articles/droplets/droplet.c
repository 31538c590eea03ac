// SPDX-License-Identifier: MIT
// Droplets from creation to maps. An advance runs rounds until the last droplet has ended: add new
// droplets, step all of them over frozen ground, then update the ground.
#include "processes/articles/droplets/droplet_kernels.h"
#include "processes/articles/droplets/droplet_state.h"

#include "core/dmath.h"
#include "processes/hydraulic/hydraulic_internal.h"

#include <math.h>
#include <string.h>

enum
{
    DROPLET_SORT_ROUNDS = 4,     // rounds between two sorts and samples of the pool
    DROPLET_LONGEST = 256,       // most steps of a round
    DROPLET_LAST_LONGEST = 512,  // the same when few droplets are left
    DROPLET_LAST_ROUNDS = 64,    // rounds after the last droplet, in which spilled matter settles
    DROPLET_DEFICIT = 5,         // a deficit over 1/5 of moved matter makes rounds limited,
    DROPLET_DEFICIT_SHORT = 50,  // and over 1/50 if rounds cannot be shorter
    DROPLET_LIMITED_ROUNDS = 4,  // number of limited rounds then, which have no deficit
    DROPLET_LIMITED_STEPS = 64,  // least steps of a limited round
    DROPLET_LIFE_LIMIT = 1000000 // steps
};

// Time step of the article's constants. Its capacity is a fall per step; division by this step
// makes it a fall per unit of time.
static const double droplet_published_step = 1.2;

// ---- creation -----------------------------------------------------------------------------------

static wadi_result droplet_check(wadi_context* context, const wadi_ground* ground,
                                 const wadi_hydraulic_params* params)
{
    // compared with the published step, erosion differs by 7 % at 1.8 and 17 % at 2.4
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
    return wadi_particle_bed_create(d->terrain, &d->bed);
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
    d->kernel = droplet_kernels_of(wadi_isa_best())->steps;
    d->places =
        (particle_places){wadi_terrain_seed(terrain), stream, ground->width, ground->height};
    d->per_year = params->droplets_per_cell * (double)ground->cells / default_years;
    d->water = (int64_t)(params->droplet_scale * ground->cell_size * WADI_UNITS_PER_METRE);
    d->span = params->droplet_span;
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

void wadi_droplet_use(wadi_droplets* d, wadi_isa isa)
{
    d->kernel = droplet_kernels_of(isa)->steps;
    wadi_particle_bed_use(d->bed, isa);
}

void wadi_droplets_destroy(void* user)
{
    wadi_droplets* d = user;
    if (d == NULL)
    {
        return;
    }
    wadi_particle_bed_destroy(d->bed);
    wadi_droplet_rain_free(d->context, &d->rain);
    wadi_free(d->context, d->pool);
    wadi_free(d->context, d->spare);
    wadi_free(d->context, d->tile_starts);
    wadi_free(d->context, d->momentum);
    wadi_free(d->context, d->passing);
    wadi_free(d->context, d);
}

// ---- advancing ----------------------------------------------------------------------------------

// Rounds are longer when few droplets are left, so that updates of the ground stay rare.
static int32_t droplet_round_steps(const wadi_droplets* d)
{
    const int32_t round = d->limited_rounds > 0 && d->round < DROPLET_LIMITED_STEPS
                              ? DROPLET_LIMITED_STEPS
                              : d->round;
    const int64_t even = (int64_t)round * d->capacity / d->live;
    const int64_t steps = even < DROPLET_LAST_LONGEST ? even : DROPLET_LAST_LONGEST;
    return (int32_t)(steps / DROPLET_STRIDE * DROPLET_STRIDE);
}

// Adapt the length of rounds: long ones are fast, short ones accurate. The measure is the deficit,
// the share of matter taken beyond the supply of the ground. At 0.5-1 %, 200 000 droplets on the
// article's noise erode, deposit and export the same as the serial reference to 1 %; at 2-6 % the
// difference is 20 %, and without a limit steep ground becomes unstable.
static void droplet_adapt_round(wadi_droplets* d)
{
    int64_t moved = 0;
    int64_t deficit = 0;
    for (int32_t w = 0; w < d->bed->worker_count; ++w)
    {
        moved += d->bed->workers[w].moved;
        deficit += d->bed->workers[w].deficit;
        d->bed->workers[w].moved = 0;
        d->bed->workers[w].deficit = 0;
    }
    if (d->limited_rounds > 0)
    {
        d->limited_rounds -= 1;
        return;
    }
    const bool shortest = d->round == DROPLET_STRIDE;
    d->limited_rounds = deficit > moved / (shortest ? DROPLET_DEFICIT_SHORT : DROPLET_DEFICIT)
                            ? DROPLET_LIMITED_ROUNDS
                            : 0;
    const int32_t next = deficit > moved / 100   ? d->round / 2 / DROPLET_STRIDE * DROPLET_STRIDE
                         : deficit < moved / 200 ? d->round + DROPLET_STRIDE
                                                 : d->round;
    d->round = next < DROPLET_STRIDE    ? DROPLET_STRIDE
               : next > DROPLET_LONGEST ? DROPLET_LONGEST
                                        : next;
}

// Run one round. In a limited round demands are computed first, and cells grant what they have.
static wadi_result droplet_step_round(wadi_droplets* d)
{
    d->limited = d->hard || d->limited_rounds > 0;
    const int32_t steps = droplet_round_steps(d);
    if (d->limited)
    {
        WADI_TRY(wadi_particle_bed_allocate_grants(d->bed));
        wadi_particle_bed_open_demands(d->bed);
        wadi_droplet_run_demands(d, steps);
        wadi_particle_bed_grant(d->bed);
    }
    wadi_droplet_run(d, steps);
    wadi_droplet_pool_compact(d);
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

// Run rounds until all `count` droplets have ended, or until an error.
static wadi_result droplet_rounds(wadi_droplets* d, int64_t count)
{
    wadi_result result = WADI_OK;
    int64_t waiting = count;
    for (wadi_droplet_pool_fill(d, &waiting); d->live > 0; wadi_droplet_pool_fill(d, &waiting))
    {
        if (d->work.batches % DROPLET_SORT_ROUNDS == 0)
        {
            wadi_droplet_pool_sort(d);
            wadi_droplet_pool_sample(d);
        }
        result = droplet_step_round(d);
        result = result == WADI_OK ? droplet_report(d, count, waiting) : result;
        if (result != WADI_OK)
        {
            waiting = 0;
            wadi_droplet_run_stop(d);
        }
        wadi_particle_bed_settle(d->bed);
        droplet_adapt_round(d);
    }
    return result;
}

// Let spilled matter settle. The remainder is kept for the next advance as transit in the ledger.
static void droplet_settle_spill(wadi_droplets* d)
{
    for (int32_t round = 0; round < DROPLET_LAST_ROUNDS && wadi_particle_bed_pending(d->bed) > 0;
         ++round)
    {
        wadi_particle_bed_settle(d->bed);
    }
}

// Sediment in droplets, and spilled sediment that has found no place [units x cells].
static int64_t droplet_load(const wadi_droplets* d)
{
    return wadi_particle_bed_pending(d->bed) + wadi_droplet_pool_load(d);
}

static void droplet_book(wadi_droplets* d, int64_t load_before)
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
    sum.transit[WADI_MATERIAL_SEDIMENT] = droplet_load(d) - load_before;
    wadi_terrain_book(d->terrain, "hydraulic", &sum);
}

static double droplet_step(const void* user)
{
    const wadi_droplets* d = user;
    return d->span;
}

// A step is long, so it may be stopped within: its droplets then end where they are.
wadi_result wadi_droplets_advance(void* user, const wadi_span* span)
{
    const double years = span->years;
    wadi_droplets* d = user;
    const int64_t load = droplet_load(d);
    wadi_hydraulic_note_rivers(d->terrain, "droplets", &d->noted);
    d->due += years * d->per_year;
    d->years += years;
    const int64_t count = (int64_t)d->due;
    d->due -= (double)count;
    d->hard = wadi_particle_bed_is_hard(d->bed);
    wadi_particle_bed_read(d->bed);
    const wadi_result result = droplet_rounds(d, count);
    droplet_settle_spill(d);
    droplet_book(d, load);
    return result;
}

// ---- results ------------------------------------------------------------------------------------

wadi_droplet_work wadi_droplets_work(const wadi_droplets* droplets)
{
    return droplets->work;
}

// No droplet is active between two steps.
static wadi_result droplet_archive(void* user, wadi_archive* archive)
{
    wadi_droplets* d = user;
    wadi_archive_f64(archive, &d->due, 1);
    wadi_archive_f64(archive, &d->years, 1);
    int64_t* const counts[] = {&d->spawned, &d->work.droplets, &d->work.steps, &d->work.useful,
                               &d->work.batches};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        wadi_archive_i64(archive, counts[i], 1);
    }
    wadi_archive_i32(archive, &d->round, 1);
    wadi_archive_i32(archive, &d->limited_rounds, 1);
    wadi_archive_grid(archive, d->momentum, sizeof *d->momentum, d->law.width, d->law.height);
    wadi_archive_grid(archive, d->passing, sizeof *d->passing, d->law.width, d->law.height);
    WADI_TRY(wadi_particle_bed_archive(d->bed, archive));
    WADI_CHECK(d->context,
               d->due >= 0.0 && d->due < 1.0 && d->round >= DROPLET_STRIDE &&
                   d->round <= DROPLET_LONGEST && d->limited_rounds <= DROPLET_LIMITED_ROUNDS,
               WADI_ERROR_FORMAT, "the saved rounds of droplets are out of range");
    return WADI_OK;
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

// ---- the model of the process -------------------------------------------------------------------

static wadi_result droplet_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                  void** out)
{
    wadi_droplets* droplets;
    WADI_TRY(wadi_droplets_create(terrain, params, HYDRAULIC_BATCH_YEARS, stream, &droplets));
    *out = droplets;
    return WADI_OK;
}

// Discharge map: the article's unit of rain is a droplet, so a number per year is a discharge.
static wadi_result droplet_map(void* user, int32_t index, float* out)
{
    const wadi_droplets* d = user;
    static const wadi_droplet_map of[HYDRAULIC_MAP_COUNT] = {
        [HYDRAULIC_MAP_DISCHARGE] = WADI_DROPLET_DISCHARGE,
        [HYDRAULIC_MAP_VELOCITY] = WADI_DROPLET_VELOCITY,
        [HYDRAULIC_MAP_WEAR] = WADI_DROPLET_WEAR,
        [HYDRAULIC_MAP_DEPOSIT] = WADI_DROPLET_DEPOSIT,
    };
    wadi_droplets_map(d, of[index], out);
    for (int64_t c = 0; index == HYDRAULIC_MAP_DISCHARGE && c < d->bed->ground->cells; ++c)
    {
        out[c] /= 31557600.0f; // per year to per second
    }
    return WADI_OK;
}

static void droplet_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    held[WADI_MATERIAL_SEDIMENT] = droplet_load(user);
}

static void droplet_settle(void* user)
{
    wadi_droplets* d = user;
    const int64_t load = droplet_load(d);
    wadi_tally* tally = &d->bed->workers[0].tally;
    particle_cell* cells = d->bed->workers[0].cells;
    for (int64_t i = 0; i < d->bed->ground->cells; ++i)
    {
        const int64_t matter = particle_matter(cells[i].sum);
        wadi_ground_put(d->bed->ground, i, (int32_t)matter, tally);
        cells[i].sum -= matter;
    }
    for (int32_t i = 0; i < d->live; ++i)
    {
        wadi_ground_put(d->bed->ground, d->pool[i].cell, d->pool[i].load, tally);
        d->pool[i].load = 0;
    }
    droplet_book(d, load);
}

static int32_t droplet_work(const void* user, wadi_work* rows)
{
    const wadi_droplets* d = user;
    const wadi_work all[] = {
        {"particles", (double)d->work.droplets},
        {"particle_steps", (double)d->work.useful},
        {"batches", (double)d->work.batches},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static wadi_result droplet_set_map(void* user, int32_t index, const float* rain)
{
    wadi_droplets* d = user;
    (void)index; // the rain map is the only input map
    return wadi_droplet_rain_set(d->context, &d->rain, d->law.width, d->law.height,
                                 d->bed->ground->valid, rain);
}

static int32_t droplet_figures(const void* user, wadi_figure* rows)
{
    const wadi_droplets* d = user;
    return wadi_hydraulic_figures(d->terrain, d->years, rows);
}

const wadi_model_api wadi_droplets_api = {
    .create = droplet_create,
    .step = droplet_step,
    .advance = wadi_droplets_advance,
    .settle = droplet_settle,
    .held = droplet_held,
    .destroy = wadi_droplets_destroy,
    .map = droplet_map,
    .set_map = droplet_set_map,
    .work = droplet_work,
    .figures = droplet_figures,
    .archive = droplet_archive,
};
