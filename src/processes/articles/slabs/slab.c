// SPDX-License-Identifier: MIT
// Model "slab" of the process "dunes". A step of the solver holds about SLAB_SURVEY short steps; in
// a short step a slab leaves every cell. A short step is cut into turns.
#include "core/internal.h"
#include "laws/sand/sand_flux.h"
#include "laws/sand/sand_shore.h"
#include "laws/wind/airflow_rows.h"
#include "process/figure_row.h"
#include "processes/articles/slabs/slab_cliff.h"
#include "processes/articles/slabs/slab_creep.h"
#include "processes/articles/slabs/slab_flock.h"
#include "processes/articles/slabs/slab_riders.h"
#include "processes/dunes/dunes_internal.h"
#include "processes/dunes/dunes_plants.h"

#include <math.h>
#include <string.h>

// The wind for which the parameter `flux` is given [m/s].
#define SLAB_FLUX_WIND 10.0

// Smallest thickness of rock removed at once [units], 1 mm.
#define SLAB_WEAR_UNITS 64.0

enum
{
    // Short steps between two looks at the relief that turns the wind, and two updates of plants:
    // dunes move 2 m in them, its narrow radius is 50 m.
    SLAB_SURVEY = 10,
    // Cells that slabs may fly: what a row of so many lays down in one cell is a whole number yet.
    SLAB_FARTHEST = 1024
};

// The strongest wind of a table [m/s].
#define SLAB_STORM 60.0

// The longest time that can be owed [yr], of flux 1e-5 and less.
#define SLAB_MOST_OWED 1e5

// The longest step [yr] that is not given.
#define SLAB_LONGEST 100.0

typedef struct slab_state
{
    wadi_terrain* terrain;
    wadi_dunes_params params;
    slab_bed bed;
    wind_course course;
    wadi_airflow* airflow;
    wadi_talus* talus;
    float* tangents;       // of repose by cover
    const float* planted;  // the same; NULL: nothing grows
    sand_shore* shore;     // NULL: waves bring no sand
    dunes_plants* growing; // NULL: cover is as given
    double step;           // [yr] of wind in which a slab leaves every cell
    double owed;           // [yr] that no short step has spent yet
    double years;
    double middle; // of the wind that blows [yr of the terrain's clock]
    double blown;  // [yr] of wind
    double passed; // [m2] of sand that the saturated flux takes past a metre in that time
    double speed;  // of the last wind [m/s]
    int64_t sweeps;
} slab_state;

// ---- making ------------------------------------------------------------------------------

static void slab_destroy(void* user)
{
    slab_state* state = user;
    slab_bed* bed = &state->bed;
    wadi_free(bed->context, bed->sites);
    wadi_free(bed->context, bed->landings);
    wadi_free(bed->context, bed->struck);
    wadi_free(bed->context, bed->flow_x);
    wadi_free(bed->context, bed->flow_y);
    wadi_free(bed->context, bed->worn);
    wadi_free(bed->context, bed->tallies);
    wadi_free(bed->context, bed->back);
    wadi_free(bed->context, state->tangents);
    wadi_wind_course_destroy(&state->course, bed->context);
    wadi_airflow_destroy(state->airflow);
    wadi_airflow_destroy(bed->behind);
    wadi_dunes_plants_destroy(state->growing);
    wadi_sand_top_destroy(bed->top);
    wadi_free(bed->context, bed->passed);
    wadi_sand_shore_destroy(state->shore);
    wadi_slab_creep_destroy(bed);
    wadi_slab_riders_destroy(bed);
    wadi_talus_destroy(state->talus);
    wadi_free(bed->context, state);
}

static airflow_law slab_airflow_law(const wadi_dunes_params* p)
{
    return (airflow_law)AIRFLOW_LAW_OF(p);
}

static wadi_result slab_allocate(slab_state* state)
{
    slab_bed* bed = &state->bed;
    const int64_t cells = bed->ground->cells;
    WADI_ALLOC(bed->context, bed->sites, cells, "slabs");
    WADI_ALLOC(bed->context, bed->landings, cells, "slabs");
    WADI_ALLOC(bed->context, bed->struck, cells, "slabs");
    WADI_ALLOC(bed->context, bed->flow_x, cells, "flux of sand");
    WADI_ALLOC(bed->context, bed->flow_y, cells, "flux of sand");
    WADI_ALLOC(bed->context, bed->worn, cells, "worn rock");
    WADI_ALLOC(bed->context, bed->tallies, wadi_context_workers(bed->context), "books of sand");
    WADI_ALLOC(bed->context, state->tangents, cells, "angles of repose");
    const airflow_law law = slab_airflow_law(&state->params);
    WADI_TRY(wadi_airflow_create(state->terrain, &law, bed->stream, &state->airflow));
    WADI_TRY(wadi_dunes_course_create(&state->course, bed->context, &state->params));
    WADI_TRY(wadi_dunes_plants_create(state->terrain, &state->params, &state->growing));
    const sand_shore_law shore = SAND_SHORE_LAW_OF(&state->params);
    WADI_TRY(wadi_sand_shore_create(state->terrain, &shore, &state->shore));
    const sand_top_law top = SAND_TOP_LAW_OF(&state->params);
    WADI_TRY(wadi_slab_top_create(bed, state->terrain, &top));
    WADI_TRY(wadi_slab_creep_create(bed));
    WADI_TRY(wadi_slab_riders_create(bed));
    return wadi_talus_create(bed->context, bed->ground->width, bed->ground->height, false,
                             &state->talus);
}

// A slab leaves every cell in each step: as often as the flux asks for, which is what leaves an
// area in a year times how far it gets, hop / settle_sand. [yr] of wind
static double slab_step_years(const wadi_dunes_params* p)
{
    const double hop = p->slab_hop * SLAB_FLUX_WIND / p->slab_wind;
    return p->slab_thickness * hop / (p->slab_settle_sand * p->flux);
}

// Rock worn in a short step at most [units].
static double slab_most_wear(const slab_state* state)
{
    const wadi_dunes_params* p = &state->params;
    return p->slab_wear * 1e-3 * p->slab_wear_gain * state->step * WADI_UNITS_PER_METRE;
}

// Constants of all steps.
static slab_law slab_law_of(const slab_state* state)
{
    const wadi_dunes_params* p = &state->params;
    const double cell = state->bed.ground->cell_size;
    const double slab = p->slab_thickness * WADI_UNITS_PER_METRE;
    // over rock under the saturated flux, (1 - f) / f slabs bounce in each cell and step
    const double bounced = slab * (1.0 - p->slab_settle_rock) / p->slab_settle_rock;
    return (slab_law){
        .hop = (float)(p->slab_hop / cell / p->slab_wind),
        .spread = (float)p->slab_spread,
        .threshold = (float)p->threshold,
        .skin = SAND_SKIN_LAW_OF(p),
        .common = p->slab_law == WADI_DUNES_SLAB_COMMON,
        .slab = (int32_t)(slab + 0.5),
        .settle_sand = (float)p->slab_settle_sand,
        .settle_rock = (float)p->slab_settle_rock,
        .creep = (float)(p->slab_reptation / (cell * cell * WADI_UNITS_PER_METRE)),
        .wear = (float)(1.0 / (bounced * p->slab_wind)),
        .bare_depth = (int32_t)(p->slab_bare_depth * WADI_UNITS_PER_METRE),
        .turns = (uint32_t)p->slab_turns,
    };
}

static wadi_result slab_check_hop(const wadi_terrain* terrain, const wadi_dunes_params* params)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double cells = params->slab_hop * SLAB_STORM / params->slab_wind / cell;
    WADI_CHECK(wadi_terrain_context(terrain), cells <= SLAB_FARTHEST, WADI_ERROR_RANGE,
               "a slab_hop of %g m in a slab_wind of %g m/s takes slabs over %.0f cells of %g m in "
               "one of %g m/s; up to %d can be: hop less far, or take larger cells",
               params->slab_hop, params->slab_wind, cells, cell, SLAB_STORM, SLAB_FARTHEST);
    return WADI_OK;
}

static wadi_result slab_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                               void** out)
{
    const wadi_dunes_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_TRY(slab_check_hop(terrain, params));
    slab_state* state;
    WADI_ALLOC(context, state, 1, "slabs");
    state->terrain = terrain;
    state->params = *params;
    state->bed = (slab_bed){.context = context,
                            .ground = wadi_terrain_ground(terrain),
                            .seed = wadi_terrain_seed(terrain),
                            .stream = stream,
                            .flock = slab_flock_kernels_of(wadi_isa_best())};
    const wadi_result result = slab_allocate(state);
    if (result != WADI_OK)
    {
        slab_destroy(state);
        return result;
    }
    state->step = slab_step_years(params);
    state->bed.law = slab_law_of(state);
    state->bed.law.skin.top = state->bed.top;
    state->bed.air = wadi_airflow_view(state->airflow);
    *out = state;
    return WADI_OK;
}

// ---- one step ----------------------------------------------------------------------------

static void slab_slide(slab_state* state)
{
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = state->params.repose;
    law.tangents = state->planted;
    law.share = 0.5; // the sand is never far from rest
    law.leaves_ghosts = true;
    wadi_talus_touch_all(state->talus);
    state->sweeps += wadi_talus_relax(state->talus, state->bed.ground, &law, WADI_TALUS_FIXPOINT,
                                      &state->bed.tallies[0]);
}

// Saturated flux of a wind [m2/yr].
static double slab_flux(const slab_state* state, double speed)
{
    const wadi_dunes_params* p = &state->params;
    const float square = (float)(speed * speed);
    const float needed = (float)(p->threshold * p->threshold);
    return state->bed.law.common ? p->flux * (double)wadi_sand_relative(square, needed)
                                 : p->flux * speed / SLAB_FLUX_WIND;
}

// Thickness that leaves a flat, bare cell in a short step, over slab_thickness: the flux over the
// length of a hop.
static double slab_thickness(const slab_state* state, double speed)
{
    return slab_flux(state, speed) / (state->params.flux * speed / SLAB_FLUX_WIND);
}

// Parts of a short step in which slabs leave: with thicker slabs, strong winds would make rough
// ground, which shelters itself.
static int32_t slab_parts(const slab_state* state, double speed)
{
    return (int32_t)fmax(1.0, ceil(slab_thickness(state, speed) - 1e-6));
}

// Numbers of one part of a short step under a wind.
static void slab_set_part(slab_state* state, double speed)
{
    const wadi_dunes_params* p = &state->params;
    const double parts = slab_parts(state, speed);
    const double share = slab_thickness(state, speed) / parts;
    const double sand = p->slab_thickness * WADI_UNITS_PER_METRE / p->slab_settle_sand;
    slab_law* law = &state->bed.law;
    law->gain = (float)(SLAB_FLUX_WIND / (p->slab_settle_sand * parts));
    law->inflow = (int32_t)(p->inflow * sand * share + 0.5);
    law->speed = (float)speed;
    law->inflow_gain = (float)(p->inflow * sand * SLAB_FLUX_WIND / parts);
    const double wear = slab_most_wear(state) / parts;
    law->wear_limit = (float)wear;
    law->wear_seldom = wear >= SLAB_WEAR_UNITS ? 1 : 1 + (uint32_t)(SLAB_WEAR_UNITS / (wear + 1.0));
}

static wadi_result slab_blow(slab_state* state, const wind_spell* wind)
{
    slab_bed* bed = &state->bed;
    slab_set_part(state, wind->speed);
    const airflow_wind aloft = {wind->direction, wind->speed, state->middle};
    WADI_TRY(wadi_airflow_blow(state->airflow, &aloft));
    WADI_TRY(wadi_slab_cliff_blow(bed, &aloft));
    bed->air = wadi_airflow_view(state->airflow);
    state->speed = wind->speed;
    return WADI_OK;
}

static void slab_look_at_plants(slab_state* state)
{
    state->planted = wadi_talus_plant(state->bed.ground, state->params.repose,
                                      state->params.plant_repose, state->tangents);
}

static wadi_result slab_grow(slab_state* state, double years)
{
    if (state->growing == NULL)
    {
        return WADI_OK;
    }
    const wadi_ground* ground = state->bed.ground;
    void* const layers[] = {ground->vegetation};
    const int32_t bytes[] = {(int32_t)sizeof *ground->vegetation};
    if (!wadi_dunes_plants_grow(state->growing, (dunes_aloft){0}, years) ||
        !wadi_partition_get(ground->part, layers, bytes, 1))
    {
        return wadi_partition_lost(state->bed.context);
    }
    slab_look_at_plants(state);
    return WADI_OK;
}

// All slabs leave, fly and come to rest. What the wind brings over open edges comes in the first
// turn, so that it is drawn once in a step.
static wadi_result slab_flights(slab_bed* bed)
{
    wadi_stage(bed->context, "flights");
    wadi_slab_survey(bed);
    WADI_TRY(wadi_slab_riders_sites(bed));
    WADI_TRY(wadi_slab_fly(bed));
    WADI_TRY(bed->law.turn == 0 ? wadi_slab_flow_in(bed) : WADI_OK);
    WADI_TRY(wadi_slab_riders_go(bed));
    return wadi_slab_riders_land(bed);
}

// The slabs of those cells whose turn it is.
static wadi_result slab_turn(slab_state* state, const wind_spell* wind, uint32_t turn)
{
    slab_bed* bed = &state->bed;
    bed->law.turn = turn;
    wadi_stage(bed->context, "wind");
    WADI_TRY(slab_blow(state, wind));
    WADI_TRY(slab_flights(bed));
    wadi_stage(bed->context, "landings");
    wadi_slab_settle(bed);
    wadi_stage(bed->context, "creep");
    WADI_TRY(wadi_slab_riders_struck(bed));
    wadi_slab_creep_roll(bed);
    WADI_TRY(wadi_slab_riders_ground(bed));
    wadi_stage(bed->context, "slides");
    slab_slide(state);
    wadi_stage(bed->context, NULL);
    return WADI_OK;
}

static wadi_result slab_short_step(slab_state* state, const wind_spell* wind)
{
    slab_bed* bed = &state->bed;
    for (int32_t parts = slab_parts(state, wind->speed); parts > 0; --parts)
    {
        for (uint32_t turn = 0; turn < bed->law.turns; ++turn)
        {
            WADI_TRY(slab_turn(state, wind, turn));
        }
        bed->law.index += 1;
    }
    state->blown += state->step;
    state->passed += slab_flux(state, wind->speed) * state->step;
    return WADI_OK;
}

static void slab_book(slab_state* state)
{
    wadi_tally tally = {0};
    wadi_tally_collect(&tally, state->bed.tallies, state->bed.context);
    wadi_terrain_book(state->terrain, "dunes", &tally);
}

// Years of the clock in which a slab leaves every cell. The winds of a table never stop.
static double slab_short_years(const slab_state* state)
{
    return state->step / state->course.blowing;
}

static double slab_step(const void* user)
{
    const slab_state* state = user;
    const double own = state->params.flux > 0.0 ? SLAB_SURVEY * slab_short_years(state) : 1.0;
    return state->params.step > 0.0 ? state->params.step : fmin(own, SLAB_LONGEST);
}

// Blow the winds of a step. Short steps are whole, so that slabs are: what a step is too short for
// is owed to the next. Each takes the wind that blows in its middle: of winds of an hour, one in
// many is drawn.
static wadi_result slab_blow_all(slab_state* state, const wadi_span* span)
{
    const double each = slab_short_years(state);
    const double owed = state->owed;
    const double steps = floor((owed + span->years) / each + 1e-6);
    double lived = 0.0; // by plants
    for (int64_t i = 0; (double)i < steps; ++i)
    {
        wind_spell wind;
        state->middle = span->from + ((double)i + 0.5) * each - owed;
        wadi_wind_course_seek(&state->course, state->middle);
        (void)wadi_wind_course_next(&state->course, each, &wind);
        if (i % SLAB_SURVEY == 0)
        {
            WADI_TRY(wadi_airflow_survey(state->airflow));
        }
        WADI_TRY(wind.speed > 0.0 ? slab_short_step(state, &wind) : WADI_OK);
        WADI_TRY(wadi_slab_top_age(&state->bed, each));
        if ((i + 1) % SLAB_SURVEY == 0 && lived + SLAB_SURVEY * each < span->years)
        {
            WADI_TRY(slab_grow(state, SLAB_SURVEY * each));
            lived += SLAB_SURVEY * each;
        }
    }
    state->owed = fmax(0.0, owed + span->years - steps * each);
    return slab_grow(state, span->years - lived);
}

static wadi_result slab_advance(void* user, const wadi_span* span)
{
    slab_state* state = user;
    if (span->index == 0)
    {
        wadi_dunes_note_bare(state->terrain, &state->params);
    }
    state->years += span->years;
    if (wadi_terrain_valid_count(state->terrain) == 0 || state->params.flux == 0.0)
    {
        return WADI_OK; // nothing to blow over, or nothing that blows
    }
    WADI_TRY(wadi_slab_cliff_look(&state->bed, state->terrain));
    WADI_TRY(wadi_sand_shore_feed(state->shore, span->from, span->years, &state->bed.tallies[0]));
    if (state->growing != NULL)
    {
        wadi_sand_shore_clear(state->shore);
    }
    wadi_dunes_plants_read(state->growing, (dunes_aloft){0});
    slab_look_at_plants(state);
    wadi_slab_top_note(&state->bed);
    const wadi_result result = slab_blow_all(state, span);
    slab_book(state);
    WADI_TRY(result);
    return wadi_slab_riders_ground(&state->bed); // slides have left the halo as it was
}

static wadi_result slab_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    slab_state* state = user;
    if (index == AIRFLOW_TABLE_LOCAL_WINDS)
    {
        WADI_TRY(wadi_slab_cliff_place(&state->bed, values, rows));
    }
    return index < WIND_TABLE_COUNT ? wadi_dunes_course_table(&state->course, state->bed.context,
                                                              &state->params, index, values, rows)
                                    : wadi_airflow_set_table(state->airflow, index, values, rows);
}

// ---- reports -----------------------------------------------------------------------------

static wadi_result slab_map(void* user, int32_t index, float* out)
{
    const slab_state* state = user;
    const slab_bed* bed = &state->bed;
    const double flux =
        state->blown > 0.0 ? bed->ground->cell_size / WADI_UNITS_PER_METRE / state->years : 0.0;
    for (int64_t cell = 0; cell < bed->ground->cells; ++cell)
    {
        const float open = 1.0f - bed->air.shelter[cell];
        const float wind =
            sqrtf(bed->air.x[cell] * bed->air.x[cell] + bed->air.y[cell] * bed->air.y[cell]);
        const float values[DUNES_MAP_TOP] = {
            [DUNES_MAP_FLUX_X] = (float)((double)bed->flow_x[cell] * flux),
            [DUNES_MAP_FLUX_Y] = (float)(-(double)bed->flow_y[cell] * flux),
            [DUNES_MAP_WIND] = state->speed > 0.0 ? wind * open / (float)state->speed : 0.0f,
            [DUNES_MAP_SHELTER] = bed->air.shelter[cell],
            [DUNES_MAP_WEAR] = (float)((double)bed->worn[cell] / WADI_UNITS_PER_METRE),
        };
        const float value =
            index < DUNES_MAP_TOP
                ? values[index]
                : wadi_sand_top_value(bed->top, (sand_top_map)(index - DUNES_MAP_TOP), cell);
        out[cell] = bed->ground->valid[cell] != 0 ? value : NAN;
    }
    return WADI_OK;
}

static wadi_result slab_set_map(void* user, int32_t index, const float* values)
{
    const slab_state* state = user;
    return wadi_sand_top_set(state->bed.context, state->bed.top,
                             (sand_top_map)(index - DUNES_MAP_TOP), values);
}

static int32_t slab_work(const void* user, wadi_work* rows)
{
    const slab_state* state = user;
    const wadi_work all[] = {
        {"steps", (double)state->bed.law.index},
        {"sweeps", (double)state->sweeps},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static int32_t slab_figures(const void* user, wadi_figure* rows)
{
    const slab_state* state = user;
    const wadi_figure all[] = {
        wadi_figure_of("years", state->years),
        wadi_figure_of("wind_hours", state->blown * 8766.0),
        wadi_figure_of("sand_passed", state->passed),
        wadi_figure_of("slab_step", state->step * 365.25),
        wadi_figure_of("acceleration", state->params.slab_wear_gain),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// Short steps, plants, the top of the sand and what maps and figures report. All else is made anew
// in each step.
static wadi_result slab_archive(void* user, wadi_archive* archive)
{
    slab_state* state = user;
    slab_bed* bed = &state->bed;
    const int32_t width = bed->ground->width;
    const int32_t height = bed->ground->height;
    WADI_TRY(wadi_archive_part(archive, "slabs", 1));
    WADI_TRY(wadi_archive_count(archive, &state->sweeps, INT64_MAX >> 1, "sweeps of slip faces"));
    wadi_archive_u32(archive, &bed->law.index, 1);
    wadi_archive_f64(archive, &state->owed, 1);
    WADI_CHECK(bed->context, state->owed >= 0.0 && state->owed <= SLAB_MOST_OWED, WADI_ERROR_FORMAT,
               "the saved state of slabs owes %g yr of wind; expected 0 to %g", state->owed,
               SLAB_MOST_OWED);
    wadi_archive_f64(archive, &state->years, 1);
    wadi_archive_f64(archive, &state->blown, 1);
    wadi_archive_f64(archive, &state->passed, 1);
    wadi_archive_f64(archive, &state->speed, 1);
    wadi_archive_grid(archive, bed->flow_x, 4, width, height);
    wadi_archive_grid(archive, bed->flow_y, 4, width, height);
    wadi_archive_grid(archive, bed->worn, 8, width, height);
    WADI_TRY(wadi_airflow_archive(state->airflow, archive));
    WADI_TRY(wadi_sand_top_archive(bed->top, archive, bed->ground));
    return wadi_dunes_plants_archive(state->growing, archive, bed->ground);
}

const wadi_model_api wadi_dunes_slab_api = {
    .create = slab_create,
    .step = slab_step,
    .advance = slab_advance,
    .destroy = slab_destroy,
    .map = slab_map,
    .set_map = slab_set_map,
    .set_table = slab_set_table,
    .work = slab_work,
    .figures = slab_figures,
    .archive = slab_archive,
};
