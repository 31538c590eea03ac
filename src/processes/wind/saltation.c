// SPDX-License-Identifier: MIT
#include "laws/wind/wind_drift.h"
#include "process/figure_row.h"
#include "processes/wind/saltation_state.h"

#include <math.h>
#include <string.h>

// Cells per feature at which a batch may be as long as batch_flux allows. With fewer cells dunes
// grow more slowly but start earlier from the parcels' noise, which grows with the batch: dunes of
// 14 cells became 13 % higher than dunes of 28, and 18 % lower with half the batch.
static const double saltation_fine_feature = 28.0;

// Longest automatic step [yr].
static const double saltation_longest_step = 100.0;

// ---- create and destroy -------------------------------------------------------------------------

static void saltation_destroy(void* user)
{
    saltation* s = user;
    for (int32_t w = 0; s->workers != NULL && w < s->worker_count; ++w)
    {
        wadi_free(s->context, s->workers[w].far);
        wadi_free(s->context, s->workers[w].spread.change);
        wadi_free(s->context, s->workers[w].spread.weight);
        wadi_free(s->context, s->workers[w].spread.west);
        wadi_free(s->context, s->workers[w].spread.south);
        wadi_free(s->context, s->workers[w].spread.flux);
        wadi_free(s->context, s->workers[w].sums.sand);
        wadi_free(s->context, s->workers[w].sums.wear);
        wadi_free(s->context, s->workers[w].sums.worn_rows);
        wadi_free(s->context, s->workers[w].sums.samples);
    }
    wadi_wind_course_destroy(&s->course, s->context);
    wadi_saltation_fleet_destroy(s);
    wadi_saltation_maps_destroy(s);
    wadi_talus_destroy(s->talus);
    wadi_sand_shore_destroy(s->shore);
    wadi_saltation_top_destroy(s);
    wadi_saltation_local_destroy(s);
    void* const owned[] = {s->workers, s->sums,  s->gates,    s->level,  s->bed, s->rate,
                           s->skin,    s->stack, s->fill,     s->change, s->due, s->later,
                           s->crowd,   s->count, s->tangents, s->spread};
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
        WADI_ALLOC(s->context, sums->sand, rim, "sand sums of the wind");
        WADI_ALLOC(s->context, sums->wear, rim, "wear sums of the wind");
        WADI_ALLOC(s->context, sums->worn_rows, s->ground->height, "wear sums of the wind");
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
    WADI_TRY(wadi_saltation_law_create(s));
    WADI_ALLOC(s->context, s->change, s->ground->cells, "changes by the wind");
    WADI_ALLOC(s->context, s->due, s->ground->cells, "creep by the wind");
    WADI_ALLOC(s->context, s->later, s->ground->cells, "creep by the wind");
    WADI_ALLOC(s->context, s->tangents, s->ground->cells, "angles of repose");
    WADI_TRY(saltation_create_workers(s));
    WADI_TRY(wadi_saltation_spread_create(s));
    WADI_TRY(wadi_saltation_freeze_create(s));
    WADI_TRY(saltation_course_create(s));
    WADI_TRY(wadi_saltation_ahead_create(s));
    WADI_TRY(wadi_saltation_maps_create(s));
    WADI_TRY(wadi_saltation_crowd_create(s));
    WADI_TRY(wadi_saltation_fleet_create(s));
    WADI_TRY(wadi_saltation_top_create(s));
    WADI_TRY(wadi_saltation_edge_create(s));
    const sand_shore_law shore = SAND_SHORE_LAW_OF(&s->params);
    WADI_TRY(wadi_sand_shore_create(s->terrain, &shore, &s->shore));
    return wadi_talus_create(s->context, s->ground->width, s->ground->height, false, &s->talus);
}

static wadi_result saltation_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                    void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const int64_t cells = wadi_terrain_ground(terrain)->cells;
    // a cell can have four gates, and gates are counted in 32 bits
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
    s->kernels = saltation_kernels_of(wadi_isa_best());
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

// ---- time step ----------------------------------------------------------------------------------

// Sand that passes each metre of width in the longest batch [m2].
static double saltation_batch_sand(const saltation* s)
{
    const double cell = s->ground->cell_size;
    const double share = s->feature / saltation_fine_feature;
    const double room = share < 1.0 ? sqrt(share) : 1.0;
    return room * s->params.batch_flux * cell * cell;
}

static double saltation_longest_window(const saltation* s)
{
    return s->crowd != NULL ? SALTATION_CROWD_WINDOW : SALTATION_WINDOW;
}

// A wind counts as calm if it carries no sand or stays below the threshold even on crests.
static bool saltation_is_calm(const saltation* s, double speed)
{
    return s->params.flux <= 0.0 || speed * s->params.max_speedup <= s->params.threshold;
}

static double saltation_flux(const saltation* s, double speed)
{
    return saltation_is_calm(s, speed) ? 0.0 : wadi_saltation_law_flux(s, speed);
}

// Mean flux over the calendar of an era [m2/yr], and the duration of its winds [yr].
static double saltation_mean_flux(const saltation* s, const wind_era* era, double* cycle)
{
    double sand = 0.0;
    *cycle = 0.0;
    for (int32_t i = era->first; i < era->first + era->count; ++i)
    {
        const wind_spell* spell = &s->course.spells[i];
        sand += saltation_flux(s, spell->speed) * spell->years;
        *cycle += spell->years;
    }
    return *cycle > 0.0 ? s->course.blowing * sand / *cycle : 0.0;
}

// The time in which one window of batches passes in the mean of the winds, cut so that the cycle of
// the winds is a whole number of steps, or the step a whole number of cycles: a spell that a step
// cuts takes a batch more.
static double saltation_automatic_step(const saltation* s)
{
    double flux = s->course.blowing * saltation_flux(s, s->course.one.speed);
    double cycle = 0.0;
    if (s->course.spells != NULL)
    {
        flux = 0.0;
        for (int32_t i = 0; i < s->course.era_count; ++i)
        {
            flux = fmax(flux, saltation_mean_flux(s, &s->course.eras[i], &cycle));
        }
    }
    const double window = saltation_longest_window(s) * saltation_batch_sand(s);
    const double step =
        flux * saltation_longest_step > window ? window / flux : saltation_longest_step;
    if (cycle <= 0.0)
    {
        return step;
    }
    return step < cycle ? cycle / ceil(cycle / step) : cycle * floor(step / cycle);
}

static double saltation_step(const void* user)
{
    const saltation* s = user;
    return s->params.step > 0.0 ? s->params.step : saltation_automatic_step(s);
}

// ---- advance ------------------------------------------------------------------------------------

// Before the first wind: spread parcels of all ages evenly over the grid.
static void saltation_spawn_all(saltation* s)
{
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        saltation_parcel* p = &s->fleet[i];
        p->id = (uint32_t)i;
        wadi_saltation_edge_spawn(s, p);
        const uint64_t lives = (uint64_t)(s->life / SALTATION_STEPS);
        const uint64_t gone = (uint64_t)(p->id * 0x9E3779B1u) * lives >> 32;
        p->left -= p->left < INT32_MAX ? (int32_t)gone * SALTATION_STEPS : 0;
    }
}

// Set the wind. If it has changed, list the gates again and reset the parcels' slope memories.
static void saltation_set_wind(saltation* s, const wind_spell* wind, double load)
{
    const bool first = s->heading < 0.0;
    const bool turned = s->heading != wind->direction || s->wind_speed != wind->speed;
    wadi_saltation_law_set(s, wind, load);
    s->heading = wind->direction;
    s->wind_speed = wind->speed;
    if (turned || s->air != NULL)
    {
        wadi_saltation_edge_list_gates(s);
    }
    if (first)
    {
        saltation_spawn_all(s);
    }
    else if (turned)
    {
        wadi_saltation_fleet_reset(s);
    }
}

static void saltation_batch(saltation* s, double years)
{
    wadi_saltation_edge_respawn(s);
    wadi_saltation_fleet_sort(s);
    wadi_saltation_ahead(s);
    wadi_saltation_flight(s);
    wadi_saltation_settle(s);
    wadi_saltation_freeze(s);
    wadi_saltation_top_age(s, years * s->calendar);
    if (s->params.water_fringe > 0.0 || wadi_sand_top_dries(s->top))
    {
        wadi_saltation_freeze_skin(s); // moisture changes with the level of the sand
    }
    s->window += years;
    ++s->batches;
}

// Run one batch. Samples are taken in the last batch of a window, then read; with the momentum
// feedback they are taken in every batch.
static void saltation_blow_batch(saltation* s, double years, bool last)
{
    s->law.sampled = last || s->crowd != NULL;
    saltation_batch(s, years);
    if (last)
    {
        wadi_saltation_maps_read(s);
    }
}

// Blow one wind in batches. The sand that passes in a batch is limited by batch_flux. `over` is the
// flux of the wind over the map, which local winds may exceed.
static void saltation_blow(saltation* s, const wind_spell* wind, double over)
{
    const double cell = s->ground->cell_size;
    const double flux = wadi_saltation_law_flux(s, wind->speed);
    const double longest = saltation_batch_sand(s) / flux;
    const double batches = fmax(1.0, ceil(wind->years / longest - 1e-6));
    const double years = wind->years / batches;
    const double visits = (double)s->fleet_size * SALTATION_STEPS / (double)s->ground->cells;
    const double longest_window = saltation_longest_window(s);
    const double window = ceil(batches / ceil(batches / longest_window));
    saltation_set_wind(s, wind, flux * years / (visits * cell));
    for (double i = 1.0; i <= batches; i += 1.0)
    {
        saltation_blow_batch(s, years, fmod(i, window) == 0.0 || i >= batches);
        s->passed += over * years;
        s->blown += years;
    }
}

static void saltation_book(saltation* s)
{
    wadi_tally tally = {0};
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        wadi_tally_add(&tally, &s->workers[w].tally);
        s->workers[w].tally = (wadi_tally){0};
    }
    const int64_t held = wadi_saltation_fleet_load(s);
    tally.transit[WADI_MATERIAL_SEDIMENT] = held - s->carried;
    s->carried = held;
    wadi_terrain_book(s->terrain, "wind", &tally);
}

// Dunes cut by the sea under a storm.
static void saltation_storm(saltation* s, const wind_spell* spell, double year)
{
    const sand_storm_wind storm = {spell->direction, spell->speed, spell->years, year};
    if (wadi_sand_storm_cut(s->shore, &storm, &s->workers[0].tally))
    {
        wadi_saltation_freeze_skin(s);
        wadi_saltation_freeze(s);
    }
}

// Blow a wind that lasts for `taken` years of the clock, with the local winds of `year`. Returns
// false if no sand moves.
static bool saltation_spell(saltation* s, const wind_spell* spell, double year, double taken)
{
    wind_spell fastest = *spell;
    fastest.speed = wadi_saltation_local_blow(s, spell, year);
    if (saltation_is_calm(s, fastest.speed))
    {
        return false;
    }
    if (s->air != NULL)
    {
        wadi_saltation_freeze_skin(s);
    }
    s->calendar = taken / spell->years;
    saltation_blow(s, &fastest, saltation_flux(s, spell->speed));
    return true;
}

// Blow the winds of a span in their order. A wind is cut where a local wind changes.
static void saltation_blow_all(saltation* s, const wadi_span* span)
{
    const double slack = fmin(WIND_COURSE_SLACK, 1e-6 * span->years);
    double gone = 0.0;
    wadi_wind_course_seek(&s->course, span->from);
    while (gone < span->years)
    {
        wind_spell spell;
        const double now = span->from + gone;
        const double steady = wadi_airflow_next_change(s->air, now) - now;
        const double most = fmin(span->years - gone, steady);
        const double taken = wadi_wind_course_next(&s->course, most, &spell);
        saltation_storm(s, &spell, now + 0.5 * taken);
        gone = span->years - gone - taken > slack ? gone + taken : span->years;
        if (spell.speed <= 0.0 || spell.years <= 0.0 ||
            !saltation_spell(s, &spell, now + 0.5 * taken, taken))
        {
            wadi_saltation_top_age(s, taken);
        }
    }
    s->years += span->years;
}

static wadi_result saltation_advance(void* user, const wadi_span* span)
{
    saltation* s = user;
    if (s->params.inflow <= 0.0 && s->params.shore_supply <= 0.0)
    {
        wadi_wind_note_bare(s->terrain);
    }
    if (wadi_terrain_valid_count(s->terrain) == 0)
    {
        s->years += span->years;
        return WADI_OK; // all cells are void
    }
    WADI_TRY(wadi_sand_shore_feed(s->shore, span->from, span->years, &s->workers[0].tally));
    // other processes may have changed the ground since the last call
    s->planted = wadi_talus_plant(s->ground, s->params.repose, s->params.plant_repose, s->tangents);
    wadi_saltation_top_note(s);
    if (s->air != NULL)
    {
        (void)wadi_airflow_survey(s->air);
    }
    wadi_saltation_freeze_skin(s);
    wadi_saltation_freeze(s);
    saltation_blow_all(s, span);
    saltation_book(s);
    return WADI_OK;
}

static void saltation_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const saltation* s = user;
    held[WADI_MATERIAL_SEDIMENT] = s->carried;
}

// Weight of a cell in what follows: its recent flux, or 1 where nothing has passed anywhere.
static double saltation_weight(const saltation* s, int64_t cell, bool passed)
{
    const double share = passed ? (double)s->means[cell].recent : 1.0;
    return s->ground->valid[cell] != 0 ? share : 0.0;
}

static double saltation_sum_weights(const saltation* s, bool passed)
{
    double sum = 0.0;
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        sum += saltation_weight(s, cell, passed);
    }
    return sum;
}

// Loads of parcels are deposited as the map of transit shows them: in proportion to the recent
// flux, since single parcels would leave spikes. Rounded sums along the cells lose no unit.
static void saltation_deposit_held(saltation* s)
{
    const double recent = saltation_sum_weights(s, true);
    const bool passed = recent > 0.0;
    const double all = passed ? recent : saltation_sum_weights(s, false);
    const int64_t held = wadi_saltation_fleet_load(s);
    int64_t laid = 0;
    double sum = 0.0;
    for (int64_t cell = 0; cell < s->ground->cells && laid < held; ++cell)
    {
        sum += saltation_weight(s, cell, passed);
        const int64_t due = sum >= all ? held : (int64_t)((double)held * (sum / all));
        wadi_ground_put(s->ground, cell, (int32_t)(due - laid), &s->workers[0].tally);
        laid = due;
    }
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        s->fleet[i].load = 0;
    }
}

// The end of a run: all sand comes to rest.
static void saltation_settle(void* user)
{
    saltation* s = user;
    saltation_deposit_held(s);
    if (s->params.closing && s->batches > 0)
    {
        s->planted =
            wadi_talus_plant(s->ground, s->params.repose, s->params.plant_repose, s->tangents);
        wadi_saltation_settle_finally(s);
    }
    saltation_book(s);
}

static wadi_result saltation_set_table(void* user, int32_t index, const double* values,
                                       int32_t rows)
{
    saltation* s = user;
    if (index >= WIND_TABLE_COUNT)
    {
        return wadi_saltation_local_set(s, index, values, rows);
    }
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
    wadi_saltation_maps_fill(user, index, out);
    return WADI_OK;
}

static wadi_result saltation_set_map(void* user, int32_t index, const float* values)
{
    saltation* s = user;
    return wadi_sand_top_set(s->context, s->top, (sand_top_map)(index - WIND_MAP_TOP), values);
}

static int32_t saltation_work(const void* user, wadi_work* rows)
{
    const saltation* s = user;
    int64_t steps = 0;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        steps += s->workers[w].steps;
    }
    const wadi_work all[] = {
        {"particles", (double)s->fleet_size},
        {"particle_steps", (double)steps},
        {"batches", (double)s->batches},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static int32_t saltation_figures(const void* user, wadi_figure* rows)
{
    const saltation* s = user;
    const wadi_figure all[] = {
        wadi_figure_of("years", s->years),
        wadi_figure_of("wind_hours", s->blown * 8766.0),
        wadi_figure_of("sand_passed", s->passed),
        wadi_figure_of("feature_size", s->feature * s->ground->cell_size),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

const wadi_model_api wadi_saltation_api = {
    .create = saltation_create,
    .step = saltation_step,
    .advance = saltation_advance,
    .settle = saltation_settle,
    .held = saltation_held,
    .destroy = saltation_destroy,
    .map = saltation_map,
    .set_map = saltation_set_map,
    .set_table = saltation_set_table,
    .work = saltation_work,
    .figures = saltation_figures,
    .archive = wadi_saltation_archive,
};
