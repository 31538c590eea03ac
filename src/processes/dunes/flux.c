// SPDX-License-Identifier: MIT
#include "processes/dunes/flux.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

// ---- create and destroy --------------------------------------------------------------------

static void flux_destroy(void* user)
{
    flux* f = user;
    for (int32_t w = 0; f->workers != NULL && w < f->worker_count; ++w)
    {
        wadi_free(f->context, f->workers[w].floats);
        wadi_free(f->context, f->workers[w].ints);
    }
    wadi_wind_course_destroy(&f->course, f->context);
    wadi_airflow_destroy(f->air);
    wadi_flux_streamers_destroy(f);
    wadi_dunes_plants_destroy(f->growing);
    wadi_sand_shore_destroy(f->shore);
    wadi_sand_top_destroy(f->top);
    wadi_talus_destroy(f->talus);
    float* const planes[] = {f->level,   f->roof,   f->smooth, f->shape, f->deep, f->swap[0],
                             f->swap[1], f->stress, f->drift,  f->skin,  f->eddy};
    for (size_t i = 0; i < sizeof planes / sizeof planes[0]; ++i)
    {
        wadi_flux_plane_destroy(f, planes[i]);
    }
    void* const owned[] = {
        f->shield_plane, f->wind[0],   f->wind[1],  f->wind[2],   f->capacity,  f->load,
        f->next_load,    f->arrived,   f->change,   f->fill,      f->inner,     f->due,
        f->plants_plane, f->wear,      f->workers,  f->passed[0], f->passed[1], f->tangents_plane,
        f->bond_plane,   f->dry,       f->open,     f->lift,      f->supply,    f->grips,
        f->eddies,       f->entry[0],  f->entry[1], f->entry[2],  f->entry[3],  f->relief[0],
        f->relief[1],    f->relief[2], f->relief[3]};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(f->context, owned[i]);
    }
    wadi_free(f->context, f);
}

// Margin of a wide row on either side: the taps of the coarsest level, or the longest stage of the
// shelter plus one cell.
static ptrdiff_t flux_reach(const flux* f)
{
    const ptrdiff_t taps = ((ptrdiff_t)1 << f->levels) + FLUX_RIM;
    const ptrdiff_t stage = ((ptrdiff_t)1 << (FLUX_STAGES - 1)) + FLUX_MARGIN;
    return taps > stage ? taps : stage;
}

static wadi_result flux_create_worker(flux* f, flux_worker* own)
{
    int32_t** const rows[] = {&own->faces[0], &own->faces[1], &own->faces[2], &own->row,
                              &own->along[0], &own->along[1], &own->moved[0], &own->moved[1],
                              &own->moved[2], &own->parts[0], &own->parts[1], &own->parts[2],
                              &own->parts[3], &own->parts[4], &own->parts[5], &own->change,
                              &own->stack};
    const ptrdiff_t count = (ptrdiff_t)(sizeof rows / sizeof rows[0]);
    WADI_ALLOC(f->context, own->ints, count * f->stride, "rows of sand");
    WADI_ALLOC(f->context, own->floats, 2 * flux_reach(f) + 4 * f->stride, "rows of wind");
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        *rows[i] = own->ints + i * f->stride + FLUX_MARGIN;
    }
    own->bank[0] = own->floats + FLUX_MARGIN;
    own->bank[1] = own->bank[0] + f->stride;
    own->gusts = own->bank[1] + f->stride;
    own->wide = own->gusts + f->stride + flux_reach(f);
    return WADI_OK;
}

static wadi_result flux_create_workers(flux* f)
{
    f->worker_count = wadi_context_workers(f->context);
    WADI_ALLOC(f->context, f->workers, f->worker_count, "rows of dunes");
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        WADI_TRY(flux_create_worker(f, &f->workers[w]));
    }
    return WADI_OK;
}

static wadi_result flux_create_planes(flux* f)
{
    float** const floats[] = {&f->level, &f->roof,    &f->smooth,  &f->shape,  &f->deep,
                              &f->skin,  &f->swap[0], &f->swap[1], &f->stress, &f->drift};
    int32_t** const ints[] = {&f->capacity, &f->load, &f->next_load, &f->arrived};
    const int64_t size = (int64_t)f->ground->height * f->stride;
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; ++i)
    {
        WADI_TRY(wadi_flux_plane_create(f, floats[i], "wind over dunes"));
    }
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; ++i)
    {
        WADI_ALLOC(f->context, *ints[i], size, "sand in the air");
    }
    WADI_ALLOC(f->context, f->dry, f->stride, "moisture of dunes");
    WADI_ALLOC(f->context, f->open, f->stride, "plants on dunes");
    for (ptrdiff_t x = 0; x < f->stride; ++x)
    {
        f->dry[x] = 1.0f;
    }
    f->bond = f->dry;
    if (f->params.abrasion > 0.0)
    {
        WADI_ALLOC(f->context, f->due, size, "worn rock");
    }
    WADI_ALLOC(f->context, f->change, f->ground->cells, "creeping sand");
    return WADI_OK;
}

static wadi_result flux_create_parts(flux* f)
{
    wadi_flux_fade_create(f);
    WADI_TRY(wadi_flux_law_create(f));
    WADI_TRY(wadi_dunes_course_create(&f->course, f->context, &f->params));
    WADI_TRY(flux_create_planes(f));
    WADI_TRY(flux_create_workers(f));
    WADI_TRY(wadi_flux_streamers_create(f));
    WADI_TRY(wadi_flux_inflow_create(f));
    WADI_TRY(wadi_flux_wind_create(f));
    WADI_TRY(wadi_flux_top_create(f));
    WADI_TRY(wadi_dunes_plants_create(f->terrain, &f->params, &f->growing));
    const sand_shore_law shore = SAND_SHORE_LAW_OF(&f->params);
    WADI_TRY(wadi_sand_shore_create(f->terrain, &shore, &f->shore));
    WADI_TRY(wadi_flux_fill_create(f));
    WADI_TRY(wadi_flux_maps_create(f));
    return wadi_talus_create(f->context, f->ground->width, f->ground->height, false, &f->talus);
}

// Number of levels. The coarsest level resolves waves of 2^(levels + 1) cells; longer waves than
// the grid do not exist.
static int32_t flux_levels(const wadi_ground* ground)
{
    const int32_t longest = ground->width > ground->height ? ground->width : ground->height;
    int32_t levels = FLUX_FEWEST_LEVELS;
    while (levels < FLUX_MOST_LEVELS && longest > 2 << levels)
    {
        ++levels;
    }
    return levels;
}

static wadi_result flux_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                               void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    flux* f;
    WADI_ALLOC(context, f, 1, "dunes");
    f->terrain = terrain;
    f->context = context;
    f->ground = wadi_terrain_ground(terrain);
    f->params = *(const wadi_dunes_params*)params;
    f->stream = stream;
    f->kernels = flux_kernels_of(wadi_isa_best());
    f->levels = flux_levels(f->ground);
    f->stride = (2 * FLUX_MARGIN + f->ground->width + 15) / 16 * 16;
    f->wrap_x = f->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    f->wrap_y = f->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    f->rim_x = f->wrap_x ? 0 : FLUX_RIM;
    f->rim_y = f->wrap_y ? 0 : FLUX_RIM;
    const wadi_result result = flux_create_parts(f);
    if (result != WADI_OK)
    {
        flux_destroy(f);
        return result;
    }
    *out = f;
    return WADI_OK;
}

// ---- advance -------------------------------------------------------------------------------

static wadi_talus_law flux_slip_faces(const flux* f)
{
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = f->params.repose;
    law.share = 0.5; // slopes are always close to repose
    law.tangents = f->tangents;
    return law;
}

static void flux_step(flux* f, double years)
{
    const wadi_talus_law law = flux_slip_faces(f);
    if (f->params.water_fringe > 0.0 || wadi_sand_top_dries(f->top))
    {
        wadi_flux_skin(f); // moisture changes with the level of the sand
    }
    wadi_stage(f->context, "shelter");
    wadi_flux_shelter(f);
    wadi_stage(f->context, "shear");
    wadi_flux_streamers_blow(f);
    wadi_flux_shear(f);
    wadi_flux_inflow_read(f);
    wadi_stage(f->context, "flux");
    wadi_flux_carry(f);
    wadi_stage(f->context, "wear");
    wadi_flux_wear(f);
    wadi_stage(f->context, "creep");
    wadi_flux_creep(f);
    wadi_stage(f->context, "slides");
    wadi_talus_touch_all(f->talus);
    f->sweeps +=
        wadi_talus_relax(f->talus, f->ground, &law, WADI_TALUS_FIXPOINT, &f->workers[0].tally);
    wadi_stage(f->context, NULL);
    wadi_flux_top_age(f, years, true);
    f->unsampled += years;
    ++f->steps;
}

// More short steps than a whole number by less than this share of one are rounding.
#define FLUX_SLACK 1e-6

// Largest growth of plants between two updates, as a share of their full height.
static const double flux_most_grown = 0.1;

// Grow plants for the time since their last update.
static void flux_grow(flux* f)
{
    if (f->growing != NULL && f->ungrown > 0.0)
    {
        // on the whole grid, where no window fails
        (void)wadi_dunes_plants_grow(f->growing, flux_aloft(f), f->ungrown);
        wadi_flux_skin(f);
        f->ungrown = 0.0;
        f->next_growth = f->steps + FLUX_SAMPLING;
    }
}

// Take `steps` short steps, then sample the maps.
static void flux_stretch(flux* f, double steps, double years, double saturated)
{
    for (double i = 0.0; i < steps; i += 1.0)
    {
        flux_step(f, years);
        f->blown += years;
        f->sand_passed += saturated * years;
        f->ungrown += years * f->calendar;
        if (f->steps >= f->next_growth || f->ungrown * f->params.plant_growth > flux_most_grown)
        {
            flux_grow(f);
        }
    }
    wadi_flux_maps_sample(f);
}

// Blow one wind in short steps of equal length. The sand that passes in one is limited by
// step_flux. The wind over the ground is updated after about FLUX_SAMPLING of them.
static wadi_result flux_blow(flux* f, const wind_spell* wind)
{
    WADI_TRY(wadi_flux_wind_blow(f, wind));
    const double longest = wadi_flux_law_longest(f, f->fastest);
    if (longest == HUGE_VAL)
    {
        f->ungrown += wind->years * f->calendar;
        wadi_flux_top_age(f, wind->years * f->calendar, false);
        return WADI_OK;
    }
    const double steps = fmax(1.0, ceil(wind->years / longest - FLUX_SLACK));
    const double stretches = fmax(1.0, floor(steps / FLUX_SAMPLING + 0.5));
    const double most = ceil(steps / stretches);
    const double years = wind->years / steps;
    wadi_flux_law_set(f, wind, years);
    for (double i = 0.0; i < steps; i += most)
    {
        if (i > 0.0)
        {
            WADI_TRY(wadi_flux_wind_blow(f, wind));
        }
        const double saturated = wadi_flux_law_saturated(f, wind->speed);
        flux_stretch(f, fmin(most, steps - i), years, saturated);
    }
    return WADI_OK;
}

// Dunes cut by the sea under a storm. The cut changes the sand under the wind and its plants.
static void flux_storm(flux* f, const wind_spell* wind)
{
    const sand_storm_wind storm = {wind->direction, wind->speed, wind->years, f->middle};
    if (wadi_sand_storm_cut(f->shore, &storm, &f->workers[0].tally))
    {
        wadi_dunes_plants_read(f->growing, flux_aloft(f));
        wadi_flux_skin(f);
    }
}

// Blow the winds of a step in their order. A wind is split where a local wind changes.
static wadi_result flux_blow_all(flux* f, const wadi_span* span)
{
    double gone = 0.0;
    wadi_wind_course_seek(&f->course, span->from);
    while (gone < span->years)
    {
        wind_spell wind;
        const double now = span->from + gone;
        const double left = span->years - gone;
        const double steady = wadi_airflow_next_change(f->air, now) - now;
        const double taken = wadi_wind_course_next(&f->course, fmin(left, steady), &wind);
        // shorter rests are rounding: the next step blows them
        gone = left - taken > fmin(WIND_COURSE_SLACK, 1e-6 * left) ? gone + taken : span->years;
        f->middle = now + 0.5 * taken;
        flux_storm(f, &wind);
        if (wind.years > 0.0 && wind.speed > 0.0)
        {
            f->calendar = taken / wind.years;
            WADI_TRY(flux_blow(f, &wind));
        }
        else
        {
            f->ungrown += taken;
            wadi_flux_top_age(f, taken, false);
        }
    }
    flux_grow(f);
    return WADI_OK;
}

static int64_t flux_load_sum(const flux* f)
{
    int64_t sum = 0;
    for (int32_t y = 0; y < f->ground->height; ++y)
    {
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            sum += f->load[flux_at(f, y) + x];
        }
    }
    return sum;
}

static void flux_book(flux* f)
{
    wadi_tally tally = {0};
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        wadi_tally_add(&tally, &f->workers[w].tally);
        f->workers[w].tally = (wadi_tally){0};
    }
    const int64_t held = flux_load_sum(f);
    tally.transit[WADI_MATERIAL_SEDIMENT] = held - f->carried;
    f->carried = held;
    wadi_terrain_book(f->terrain, "dunes", &tally);
}

static double flux_step_years(const void* user)
{
    return wadi_flux_law_step(user);
}

static wadi_result flux_advance(void* user, const wadi_span* span)
{
    flux* f = user;
    if (span->index == 0)
    {
        wadi_dunes_note_bare(f->terrain, &f->params);
    }
    f->years += span->years;
    if (wadi_terrain_valid_count(f->terrain) == 0)
    {
        return WADI_OK; // all cells are void
    }
    WADI_TRY(wadi_sand_shore_feed(f->shore, span->from, span->years, &f->workers[0].tally));
    if (f->growing != NULL)
    {
        wadi_sand_shore_clear(f->shore);
    }
    WADI_TRY(wadi_flux_freeze(f));
    const wadi_result result = flux_blow_all(f, span);
    flux_book(f);
    return result;
}

// A cell with less sand is bare to the eye, and to `wadi judge dunes`.
#define FLUX_BARE (WADI_UNITS_PER_METRE / 20)

static bool flux_is_bare(const flux* f, int64_t cell)
{
    return wadi_ground_surface(f->ground, cell) - f->ground->bedrock[cell] < FLUX_BARE;
}

static int64_t flux_sand(const flux* f, int64_t cell)
{
    return wadi_ground_surface(f->ground, cell) - f->ground->bedrock[cell];
}

static int32_t* flux_load_of(const flux* f, int64_t cell)
{
    const int32_t y = (int32_t)(cell / f->ground->width);
    return &f->load[flux_at(f, y) + cell % f->ground->width];
}

// Load over bare rock and sand of the dunes.
static void flux_sum_up(const flux* f, int64_t* over_rock, int64_t* in_dunes)
{
    for (int64_t cell = 0; cell < f->ground->cells; ++cell)
    {
        if (flux_is_bare(f, cell))
        {
            *over_rock += *flux_load_of(f, cell);
        }
        else
        {
            *in_dunes += flux_sand(f, cell);
        }
    }
}

// Lay the load down; returns how much of the load over rock the dunes got. It is the sand that
// passes in a step, and over rock it goes on until it meets a dune: laid where it is, it hides the
// rock between barchans under 7 cm of sand. It is shared out in proportion to the thickness of the
// dunes, which keeps their forms.
static int64_t flux_lay_load(flux* f, wadi_tally* tally)
{
    __extension__ typedef __int128 wide;
    int64_t over_rock = 0;
    int64_t in_dunes = 0;
    flux_sum_up(f, &over_rock, &in_dunes);
    int64_t passed = 0; // sand of the dunes so far
    int64_t shared = 0; // of the load over rock
    for (int64_t cell = 0; cell < f->ground->cells; ++cell)
    {
        int32_t* load = flux_load_of(f, cell);
        const bool goes_on = in_dunes > 0 && flux_is_bare(f, cell);
        int32_t amount = goes_on ? 0 : *load;
        if (!goes_on && in_dunes > 0)
        {
            passed += flux_sand(f, cell);
            const int64_t share = (int64_t)((wide)over_rock * passed / in_dunes);
            amount += (int32_t)(share - shared);
            shared = share;
        }
        wadi_ground_put(f->ground, cell, amount, tally);
        *load = 0;
    }
    return shared;
}

// The load comes down, and dunes that grow by it slide.
static void flux_settle(void* user)
{
    flux* f = user;
    wadi_tally* tally = &f->workers[0].tally;
    const int64_t shared = flux_lay_load(f, tally);
    // without memory for plants, slopes stay too steep until the next step
    if (shared > 0 && wadi_flux_freeze(f) == WADI_OK)
    {
        const wadi_talus_law law = flux_slip_faces(f);
        wadi_talus_touch_all(f->talus);
        wadi_talus_relax(f->talus, f->ground, &law, WADI_TALUS_FIXPOINT, tally);
    }
    flux_book(f);
}

static void flux_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const flux* f = user;
    held[WADI_MATERIAL_SEDIMENT] = f->carried;
}

static wadi_result flux_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    flux* f = user;
    return index < WIND_TABLE_COUNT
               ? wadi_dunes_course_table(&f->course, f->context, &f->params, index, values, rows)
               : wadi_flux_wind_set_table(f, index, values, rows);
}

// ---- reports -------------------------------------------------------------------------------

static wadi_result flux_map(void* user, int32_t index, float* out)
{
    wadi_flux_maps_fill(user, index, out);
    return WADI_OK;
}

static wadi_result flux_set_map(void* user, int32_t index, const float* values)
{
    const flux* f = user;
    return wadi_sand_top_set(f->context, f->top, (sand_top_map)(index - DUNES_MAP_TOP), values);
}

static int32_t flux_work(const void* user, wadi_work* rows)
{
    const flux* f = user;
    const wadi_work all[] = {
        {"steps", (double)f->steps},
        {"cells", (double)f->steps * (double)f->ground->cells},
        {"sweeps", (double)f->sweeps},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static int32_t flux_figures(const void* user, wadi_figure* rows)
{
    const flux* f = user;
    const wadi_figure all[] = {
        {"years", "yr", f->years, WADI_FIGURE_SUM},
        {"wind_hours", "h", f->blown * 8766.0, WADI_FIGURE_SUM},
        {"sand_passed", "m2", f->sand_passed, WADI_FIGURE_SUM},
        {"saturation_length", "m", f->law.saturation * f->ground->cell_size, WADI_FIGURE_STATE},
        {"acceleration", "1", 1.0, WADI_FIGURE_STATE},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

const wadi_model_api wadi_dunes_flux_api = {
    .create = flux_create,
    .step = flux_step_years,
    .advance = flux_advance,
    .settle = flux_settle,
    .held = flux_held,
    .destroy = flux_destroy,
    .map = flux_map,
    .set_map = flux_set_map,
    .set_table = flux_set_table,
    .work = flux_work,
    .figures = flux_figures,
    .archive = wadi_flux_archive,
};
