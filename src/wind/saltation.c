// SPDX-License-Identifier: MIT
#include "airflow/wind_drift.h"
#include "wind/saltation_state.h"

#include <math.h>
#include <string.h>

static const saltation_kernels* const saltation_builds[WADI_ISA_COUNT] =
    WADI_ISA_BUILDS(&saltation_kernels);

// Cells to a feature from which on a batch may be as long as batch_flux allows. Of fewer cells
// dunes grow more slowly, but the parcels' noise starts them sooner, the more so the longer a
// batch: of 14 cells they were 13 % higher than of 28, and with half the batch 18 % lower.
static const double saltation_fine_feature = 28.0;

// ---- create and destroy -------------------------------------------------------------------------

static void saltation_destroy(void* user)
{
    saltation* s = user;
    for (int32_t w = 0; s->workers != NULL && w < s->worker_count; ++w)
    {
        wadi_free(s->context, s->workers[w].far);
        wadi_free(s->context, s->workers[w].sums.sand);
        wadi_free(s->context, s->workers[w].sums.wear);
        wadi_free(s->context, s->workers[w].sums.worn_rows);
        wadi_free(s->context, s->workers[w].sums.samples);
    }
    wadi_wind_course_destroy(&s->course, s->context);
    saltation_fleet_destroy(s);
    saltation_maps_destroy(s);
    wadi_talus_destroy(s->talus);
    void* const owned[] = {s->workers, s->sums,  s->gates, s->level,   s->bed,
                           s->rate,    s->skin,  s->stack, s->fill,    s->change,
                           s->later,   s->crowd, s->count, s->tangents};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(s->context, owned[i]);
    }
    wadi_free(s->context, s);
}

static wadi_result saltation_create_workers(saltation* s)
{
    const int64_t rim = saltation_rim_cells(s);
    s->worker_count = wadi_context_workers(s->context);
    WADI_ALLOC(s->context, s->workers, s->worker_count, "workers of the wind");
    WADI_ALLOC(s->context, s->sums, s->worker_count, "workers of the wind");
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        saltation_sums* sums = &s->workers[w].sums;
        WADI_ALLOC(s->context, sums->sand, rim, "what the wind moves");
        WADI_ALLOC(s->context, sums->wear, rim, "what the wind wears");
        WADI_ALLOC(s->context, sums->worn_rows, s->ground->height, "what the wind wears");
        WADI_ALLOC(s->context, sums->samples, rim, "samples of the wind");
        s->sums[w] = sums->sand;
    }
    return WADI_OK;
}

static wind_prevailing saltation_prevailing(const wadi_wind_params* p)
{
    return (wind_prevailing){p->regime, p->direction, p->speed, p->blowing, p->cycle};
}

static wadi_result saltation_course_create(saltation* s)
{
    const wind_prevailing prevailing = saltation_prevailing(&s->params);
    return wadi_wind_course_regime(&s->course, s->context, &prevailing);
}

static wadi_result saltation_create_parts(saltation* s)
{
    WADI_TRY(saltation_law_create(s));
    WADI_ALLOC(s->context, s->change, s->ground->cells, "changes by the wind");
    WADI_ALLOC(s->context, s->later, s->ground->cells, "creep by the wind");
    WADI_ALLOC(s->context, s->tangents, s->ground->cells, "angles of repose");
    WADI_TRY(saltation_create_workers(s));
    WADI_TRY(saltation_freeze_create(s));
    WADI_TRY(saltation_course_create(s));
    WADI_TRY(saltation_ahead_create(s));
    WADI_TRY(saltation_maps_create(s));
    WADI_TRY(saltation_crowd_create(s));
    WADI_TRY(saltation_fleet_create(s));
    WADI_TRY(saltation_edge_create(s));
    return wadi_talus_create(s->context, s->ground->width, s->ground->height, false, &s->talus);
}

static wadi_result saltation_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                    void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const int64_t cells = wadi_terrain_ground(terrain)->cells;
    // each cell can have four gates, and 32 bits count them
    WADI_CHECK(context, cells <= (int64_t)1 << 28, WADI_ERROR_RANGE,
               "wind blows over grids of up to 2^28 cells, not %lld; split the map or take coarser "
               "cells",
               (long long)cells);
    saltation* s;
    WADI_ALLOC(context, s, 1, "saltation");
    s->terrain = terrain;
    s->context = context;
    s->ground = wadi_terrain_ground(terrain);
    s->params = *(const wadi_wind_params*)params;
    s->kernels = saltation_builds[wadi_isa_best()];
    s->stream = stream;
    s->heading = -1.0;
    const wadi_result result = saltation_create_parts(s);
    if (result != WADI_OK)
    {
        saltation_destroy(s);
        return result;
    }
    *out = s;
    return WADI_OK;
}

// ---- advance ------------------------------------------------------------------------------------

// The first wind: parcels are born all over the grid, at all ages.
static void saltation_begin(saltation* s)
{
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        saltation_parcel* p = &s->fleet[i];
        p->id = (uint32_t)i;
        saltation_edge_bear(s, p);
        const uint64_t lives = (uint64_t)(s->life / SALTATION_STEPS);
        const uint64_t gone = (uint64_t)(p->id * 0x9E3779B1u) * lives >> 32;
        p->left -= p->left < INT32_MAX ? (int32_t)gone * SALTATION_STEPS : 0;
    }
}

// Turn to a wind. Parcels forget the path they came by.
static void saltation_turn(saltation* s, const wind_spell* wind, double load)
{
    const bool first = s->heading < 0.0;
    const bool turned = s->heading != wind->direction || s->gust != wind->speed;
    saltation_law_set(s, wind, load);
    s->heading = wind->direction;
    s->gust = wind->speed;
    if (turned)
    {
        saltation_edge_turn(s);
    }
    if (first)
    {
        saltation_begin(s);
    }
    else if (turned)
    {
        saltation_fleet_turn(s);
    }
}

static void saltation_batch(saltation* s, double years)
{
    saltation_edge_renew(s);
    saltation_fleet_sort(s);
    saltation_ahead(s);
    saltation_flight(s);
    saltation_settle(s);
    saltation_freeze(s);
    s->window += years;
    ++s->batches;
}

// A stretch of an advance, as shares of it: for the progress hook.
typedef struct saltation_stretch
{
    double begin;
    double end;
} saltation_stretch;

static wadi_result saltation_report(const saltation* s, double share)
{
    WADI_CHECK(s->context, wadi_progress(s->context, share, "wind"), WADI_ERROR_CANCELLED,
               "wind was stopped when %.1f %% of the time had passed", 100.0 * share);
    return WADI_OK;
}

// One batch of a wind; the last of each window is sampled, and read. What feeds back on the wind is
// sampled in all.
static void saltation_blow_batch(saltation* s, double years, bool last)
{
    s->law.sampled = last || s->crowd != NULL;
    saltation_batch(s, years);
    if (last)
    {
        saltation_maps_read(s);
    }
}

// Let one wind blow, in batches that each let as much sand pass as the grid can take.
static wadi_result saltation_blow(saltation* s, const wind_spell* wind, saltation_stretch stretch)
{
    const double cell = s->ground->cell_size;
    const double flux = saltation_law_flux(s, wind->speed);
    const double share = s->feature / saltation_fine_feature;
    const double room = share < 1.0 ? sqrt(share) : 1.0;
    const double longest = room * s->params.batch_flux * cell * cell / flux;
    const double batches = ceil(wind->years / longest);
    const double years = wind->years / batches;
    const double visits = (double)s->fleet_size * SALTATION_STEPS / (double)s->ground->cells;
    const double longest_window = s->crowd != NULL ? SALTATION_CROWD_WINDOW : SALTATION_WINDOW;
    const double window = ceil(batches / ceil(batches / longest_window));
    saltation_turn(s, wind, flux * years / (visits * cell));
    for (double i = 1.0; i <= batches; i += 1.0)
    {
        saltation_blow_batch(s, years, fmod(i, window) == 0.0 || i >= batches);
        s->passed += flux * years;
        s->blown += years;
        const wadi_result result =
            saltation_report(s, stretch.begin + (stretch.end - stretch.begin) * i / batches);
        if (result != WADI_OK)
        {
            saltation_maps_read(s);
            return result;
        }
    }
    return WADI_OK;
}

static void saltation_book(saltation* s)
{
    wadi_tally tally = {0};
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        wadi_tally_add(&tally, &s->workers[w].tally);
        s->workers[w].tally = (wadi_tally){0};
    }
    const int64_t held = saltation_fleet_load(s);
    tally.transit[WADI_MATERIAL_SEDIMENT] = held - s->carried;
    s->carried = held;
    wadi_terrain_book(s->terrain, "wind", &tally);
}

// Winds that carry nothing, or are too weak to lift sand even on crests, are as good as calms.
static bool saltation_is_calm(const saltation* s, const wind_spell* spell)
{
    return spell->years <= 0.0 || s->params.flux <= 0.0 ||
           spell->speed * s->params.max_speedup <= s->params.threshold;
}

// The winds of `years`, one after the other.
static wadi_result saltation_blow_all(saltation* s, double years)
{
    double gone = 0.0;
    while (gone < years)
    {
        wind_spell spell;
        const double taken = wadi_wind_course_next(&s->course, years - gone, &spell);
        const double begin = gone / years;
        gone = years - gone - taken > 1e-12 * years ? gone + taken : years;
        s->years += taken;
        if (!saltation_is_calm(s, &spell))
        {
            WADI_TRY(saltation_blow(s, &spell, (saltation_stretch){begin, gone / years}));
        }
        WADI_TRY(saltation_report(s, gone / years));
    }
    return WADI_OK;
}

static wadi_result saltation_advance(void* user, double years)
{
    saltation* s = user;
    if (wadi_terrain_valid_count(s->terrain) == 0)
    {
        s->years += years;
        return WADI_OK; // all void: nothing to blow over
    }
    // others may have changed the ground since the last call
    s->planted = wadi_talus_plant(s->ground, s->params.repose, s->params.plant_repose, s->tangents);
    saltation_freeze_skin(s);
    saltation_freeze(s);
    const wadi_result result = saltation_blow_all(s, years);
    if (s->params.closing)
    {
        saltation_settle_finally(s);
    }
    saltation_book(s);
    return result;
}

static wadi_result saltation_set_table(void* user, int32_t index, const double* values,
                                       int32_t rows)
{
    saltation* s = user;
    const wadi_wind_params params = wadi_wind_params_default();
    const wind_prevailing given = saltation_prevailing(&s->params);
    const wind_prevailing by_default = saltation_prevailing(&params);
    WADI_TRY(wadi_wind_course_check_table(s->context, index, &given, &by_default));
    const double gain = wadi_wind_gain(s->params.anemometer, s->params.roughness);
    return wadi_wind_course_table(&s->course, s->context, index, values, rows, s->params.cycle,
                                  gain);
}

// ---- reports ------------------------------------------------------------------------------------

static wadi_result saltation_map(void* user, int32_t index, float* out)
{
    saltation_maps_fill(user, index, out);
    return WADI_OK;
}

static int32_t saltation_work(const void* user, wadi_work* out, int32_t capacity)
{
    const saltation* s = user;
    int64_t steps = 0;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        steps += s->workers[w].steps;
    }
    const wadi_work rows[] = {
        {"particles", (double)s->fleet_size},
        {"particle_steps", (double)steps},
        {"batches", (double)s->batches},
    };
    for (int32_t i = 0; i < 3 && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return 3;
}

static int32_t saltation_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const saltation* s = user;
    const wadi_figure rows[] = {
        {"years", "yr", s->years, WADI_FIGURE_SUM},
        {"wind_hours", "h", s->blown * 8766.0, WADI_FIGURE_SUM},
        {"sand_passed", "m2", s->passed, WADI_FIGURE_SUM},
        {"feature_size", "m", s->feature * s->ground->cell_size, WADI_FIGURE_STATE},
        {"acceleration", "1", 1.0, WADI_FIGURE_STATE},
    };
    for (int32_t i = 0; i < 5 && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return 5;
}

static uint64_t saltation_mix(uint64_t hash, uint64_t word)
{
    const uint64_t mixed = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u;
}

// Every member, bit by bit: what it leaves out could differ unseen.
static uint64_t saltation_hash_parcel(const saltation_parcel* p)
{
    uint32_t words[sizeof *p / sizeof(uint32_t)];
    memcpy(words, p, sizeof words);
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    {
        hash = saltation_mix(hash, words[i]);
    }
    return hash;
}

// Creep that waits. Debts are repaid by the end of a batch.
static uint64_t saltation_hash_later(const saltation* s)
{
    uint64_t hash = 0;
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        uint32_t word;
        memcpy(&word, &s->later[cell], sizeof word);
        // most cells have none
        hash = word != 0 ? saltation_mix(hash, (uint64_t)cell << 32 | word) : hash;
    }
    return hash;
}

static uint64_t saltation_hash(const void* user)
{
    const saltation* s = user;
    uint64_t hash = s->clock + wadi_wind_course_hash(&s->course);
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        // a sum: the order in memory is of no account
        hash += saltation_hash_parcel(&s->fleet[i]);
    }
    return saltation_mix(hash, saltation_hash_later(s));
}

const wadi_solver_api wadi_saltation_api = {
    .create = saltation_create,
    .advance = saltation_advance,
    .destroy = saltation_destroy,
    .map = saltation_map,
    .set_table = saltation_set_table,
    .work = saltation_work,
    .figures = saltation_figures,
    .hash = saltation_hash,
};
