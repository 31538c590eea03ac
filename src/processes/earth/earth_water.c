// SPDX-License-Identifier: MIT
#include "processes/earth/earth_water.h"

#include <math.h>
#include <string.h>

static const double WATER_DENSITY = 1000.0; // of pore water [kg/m3]
static const double WATER_MM_PER_HOUR = 1e-3 / 3600.0;

enum
{
    WATER_STEPS = 4 // steps of particles in an exchange, if the step of the soil allows it
};

// ---- the clock ---------------------------------------------------------------------------

// Make one of the two steps, of grains and of particles, a multiple of the other. An exchange is a
// whole number of both.
static wadi_result water_set_clock(wadi_earth_water* water, const wadi_earth_state* state,
                                   wadi_sph_params* sph)
{
    // a quarter below the default step of particles: stable for splashes up to two thirds of the
    // speed of sound
    const double most = 0.15 * sph->smoothing * sph->spacing / sph->sound_speed;
    sph->step = sph->step > 0.0 ? sph->step : most;
    water->steps = WATER_STEPS;
    if (state->world != NULL)
    {
        const double grain = wadi_grains_step(wadi_wet_grains_solid(state->world));
        const double times = grain < sph->step ? floor(sph->step / grain) : 1.0;
        const double parts = grain < sph->step ? 1.0 : ceil(grain / sph->step);
        WADI_CHECK(water->context, parts <= 1e6, WADI_ERROR_RANGE,
                   "step of water is %g s, but a step of soil takes %g s: make step larger, or 0",
                   sph->step, grain);
        sph->step = times * grain / parts;
        const double longest = state->params.exchange / sph->step * (1.0 + 1e-9);
        const double whole = parts * floor((longest < WATER_STEPS ? longest : WATER_STEPS) / parts);
        water->steps = (int64_t)(whole > parts ? whole : parts);
        WADI_CHECK(
            water->context, (double)water->steps <= longest, WADI_ERROR_RANGE,
            "water takes steps of %g s, but exchange is %g s: make exchange at least as long "
            "as %g s, or step smaller",
            sph->step, state->params.exchange, (double)water->steps * sph->step);
    }
    water->exchange = (double)water->steps * sph->step;
    WADI_CHECK(water->context, state->world == NULL || state->params.water_step >= water->exchange,
               WADI_ERROR_RANGE,
               "water_step is %g s, but water as particles takes turns of %g s: make water_step "
               "at least as long",
               state->params.water_step, water->exchange);
    return WADI_OK;
}

static wadi_result water_check(wadi_context* context, const wadi_earth_state* state,
                               const wadi_water* water)
{
    WADI_CHECK(context, state->params.acceleration == 1.0, WADI_ERROR_ARGUMENT,
               "acceleration is %g but must be 1 where water moves as particles: it has one clock "
               "with what it pushes",
               state->params.acceleration);
    WADI_CHECK(context, water->sph.density == WATER_DENSITY || !water->params.soak,
               WADI_ERROR_ARGUMENT, "water has %g kg/m3 but must have %g where soil drinks it",
               water->sph.density, WATER_DENSITY);
    WADI_CHECK(context, state->world != NULL || water->block_count > 0, WADI_ERROR_ARGUMENT,
               "there is neither soil nor a block of water: give one");
    return WADI_OK;
}

// ---- ground and sides --------------------------------------------------------------------

static wadi_result water_lay_ground(wadi_earth_water* water, const wadi_earth_state* state)
{
    const wadi_terrain* terrain = state->terrain;
    const wadi_sph_ground ground = {.heights = state->ground,
                                    .width = wadi_terrain_width(terrain),
                                    .height = wadi_terrain_height(terrain),
                                    .cell_size = wadi_terrain_cell_size(terrain),
                                    .drag = water->params.drag};
    return wadi_sph_set_ground(water->sph, &ground);
}

// Closed sides are walls, water leaves over open sides, and other sides are periodic.
static wadi_result water_close_sides(wadi_earth_water* water, const wadi_terrain* terrain)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double size[2] = {cell * wadi_terrain_width(terrain),
                            cell * wadi_terrain_height(terrain)};
    static const wadi_side sides[2][2] = {{WADI_SIDE_WEST, WADI_SIDE_EAST},
                                          {WADI_SIDE_SOUTH, WADI_SIDE_NORTH}};
    const double far = 1e9;
    double bounds[2][3] = {{-far, -far, -far}, {far, far, far}};
    for (int axis = 0; axis < 2; ++axis)
    {
        for (int end = 0; end < 2; ++end)
        {
            const wadi_edge edge = wadi_terrain_edge(terrain, sides[axis][end]);
            const double at = end == 0 ? 0.0 : size[axis];
            wadi_sph_wall wall = {.drag = 0.0};
            wall.point[axis] = at;
            wall.normal[axis] = end == 0 ? 1.0 : -1.0;
            int32_t number;
            if (edge == WADI_EDGE_CLOSED)
            {
                WADI_TRY(wadi_sph_add_wall(water->sph, &wall, &number));
            }
            bounds[end][axis] = edge == WADI_EDGE_OPEN ? at : bounds[end][axis];
        }
    }
    return wadi_sph_set_bounds(water->sph, bounds[0], bounds[1]);
}

static void water_plan_rain(wadi_earth_water* water, const wadi_earth_state* state)
{
    const wadi_water_params* p = &water->params;
    const wadi_terrain* terrain = state->terrain;
    const double cell = wadi_terrain_cell_size(terrain);
    const bool all[2] = {p->rain_west == 0.0 && p->rain_east == 0.0,
                         p->rain_south == 0.0 && p->rain_north == 0.0};
    water->rain = (wadi_sph_rain){
        .low = {p->rain_west, p->rain_south},
        .high = {all[0] ? cell * wadi_terrain_width(terrain) : p->rain_east,
                 all[1] ? cell * wadi_terrain_height(terrain) : p->rain_north},
        .height = p->rain_height,
        .rate = p->rain_rate * WATER_MM_PER_HOUR,
        .velocity = {0.0, 0.0, -p->rain_speed},
        .seed = wadi_terrain_seed(terrain) ^ state->stream,
    };
}

// ---- soil in it --------------------------------------------------------------------------

static wadi_result water_allocate_soil(wadi_earth_water* water, const wadi_earth_state* state)
{
    wadi_context* context = water->context;
    const int32_t count = state->count;
    water->count = count;
    WADI_ALLOC(context, water->grains, count, "grains in water");
    WADI_ALLOC(context, water->pores, count, "grains in water");
    WADI_ALLOC(context, water->saturation, count, "grains in water");
    WADI_ALLOC(context, water->spheres, count, "grains in water");
    WADI_ALLOC(context, water->touches, count, "grains in water");
    WADI_ALLOC(context, water->drunk, count, "grains in water");
    WADI_ALLOC(context, water->speed, count, "grains in water");
    WADI_ALLOC(context, water->taken, count, "grains in water");
    wadi_grains_read(wadi_wet_grains_solid(state->world), water->grains);
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_grain* grain = &water->grains[i];
        const double solid = 4.18879020478639098 * grain->radius * grain->radius * grain->radius;
        const double porosity = state->materials[grain->material].soil.porosity;
        water->pores[i] = solid * porosity / (1.0 - porosity);
    }
    const double unit = wadi_sph_account(water->sph).unit;
    const double fine = wadi_seepage_account(wadi_wet_grains_water(state->world)).unit;
    WADI_CHECK(
        context, unit >= fine, WADI_ERROR_RANGE,
        "particles of water are counted in %g m3 and the water in so much soil in %g m3: make "
        "spacing larger",
        unit, fine);
    return WADI_OK;
}

// Give the current grains to the particles. The free pore volume is reduced by a rounding error, so
// that all absorbed water fits.
static wadi_result water_place_soil(wadi_earth_water* water, const wadi_earth_state* state)
{
    wadi_grains_read(wadi_wet_grains_solid(state->world), water->grains);
    wadi_seepage_saturation(wadi_wet_grains_water(state->world), water->saturation);
    for (int32_t i = 0; i < water->count; ++i)
    {
        const wadi_grain* grain = &water->grains[i];
        const double room = water->pores[i] * (1.0 - 1e-9 - water->saturation[i]);
        wadi_sph_sphere* sphere = &water->spheres[i];
        *sphere = (wadi_sph_sphere){.radius = grain->radius,
                                    .room = water->params.soak && room > 0.0 ? room : 0.0,
                                    .tight = water->params.soak};
        memcpy(sphere->position, grain->position, sizeof sphere->position);
        memcpy(sphere->velocity, grain->velocity, sizeof sphere->velocity);
    }
    return wadi_sph_set_spheres(water->sph, water->spheres, water->count);
}

// ---- making ------------------------------------------------------------------------------

static wadi_result water_create_particles(wadi_earth_water* water, const wadi_earth_state* state)
{
    WADI_TRY(wadi_sph_create(water->context, &water->particles, &water->sph));
    WADI_TRY(water_lay_ground(water, state));
    WADI_TRY(water_close_sides(water, state->terrain));
    water_plan_rain(water, state);
    return state->world != NULL ? water_allocate_soil(water, state) : WADI_OK;
}

static wadi_result water_build(wadi_earth_water* water, const wadi_earth_state* state,
                               const wadi_water* from)
{
    water->params = from->params;
    water->particles = from->sph;
    WADI_TRY(water_set_clock(water, state, &water->particles));
    water->particles.period_x = wadi_earth_period(state->terrain, 0);
    water->particles.period_y = wadi_earth_period(state->terrain, 1);
    WADI_TRY(water_create_particles(water, state));
    // grains are there before the water, which fills the pores between them
    WADI_TRY(state->world != NULL ? water_place_soil(water, state) : WADI_OK);
    for (int32_t i = 0; i < from->block_count; ++i)
    {
        WADI_TRY(wadi_sph_fill(water->sph, from->blocks[i].low, from->blocks[i].high, NULL));
    }
    return WADI_OK;
}

wadi_result wadi_earth_water_create(wadi_earth_state* state, const wadi_water* from)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_TRY(water_check(context, state, from));
    wadi_earth_water* water;
    WADI_ALLOC(context, water, 1, "water");
    water->context = context;
    const wadi_result result = water_build(water, state, from);
    if (result != WADI_OK)
    {
        wadi_earth_water_destroy(water);
        return result;
    }
    state->water = water;
    return WADI_OK;
}

// A change of parameters may have changed the step of the grains.
static wadi_result water_check_clock(const wadi_earth_water* water, const wadi_earth_state* state)
{
    if (state->world == NULL)
    {
        return WADI_OK;
    }
    const double grain = wadi_grains_step(wadi_wet_grains_solid(state->world));
    const double steps = water->exchange / grain;
    WADI_CHECK(water->context, fabs(steps - floor(steps + 0.5)) < 1e-6 * steps, WADI_ERROR_ARGUMENT,
               "water as particles takes turns of %g s with the soil, which are no whole number of "
               "steps of %g s: leave step as it was",
               water->exchange, grain);
    return WADI_OK;
}

wadi_result wadi_earth_water_archive(wadi_earth_state* state, wadi_archive* archive)
{
    const bool reads = wadi_archive_is_reading(archive);
    wadi_context* context = wadi_terrain_context(state->terrain);
    if (reads)
    {
        WADI_ALLOC(context, state->water, 1, "water");
        state->water->context = context;
        state->water->params = wadi_water_params_default();
        state->water->particles = wadi_sph_params_default();
    }
    wadi_earth_water* water = state->water;
    WADI_TRY(wadi_archive_fields(archive, &wadi_water_fields, &water->params));
    WADI_TRY(wadi_archive_fields(archive, &wadi_sph_fields, &water->particles));
    wadi_archive_f64(archive, &water->exchange, 1);
    wadi_archive_i64(archive, &water->steps, 1);
    wadi_archive_i64(archive, &water->passed, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(context, water->exchange > 0.0 && water->steps > 0 && water->passed >= 0,
               WADI_ERROR_FORMAT, "the saved clock of the water is out of range");
    if (reads)
    {
        WADI_TRY(water_check_clock(water, state));
        WADI_TRY(water_create_particles(water, state));
    }
    return wadi_sph_archive(water->sph, archive);
}

void wadi_earth_water_destroy(wadi_earth_water* water)
{
    if (water == NULL)
    {
        return;
    }
    wadi_context* context = water->context;
    wadi_sph_destroy(water->sph);
    wadi_free(context, water->grains);
    wadi_free(context, water->pores);
    wadi_free(context, water->saturation);
    wadi_free(context, water->spheres);
    wadi_free(context, water->touches);
    wadi_free(context, water->drunk);
    wadi_free(context, water->speed);
    wadi_free(context, water->taken);
    wadi_free(context, water);
}

// ---- exchange ----------------------------------------------------------------------------

static wadi_result water_rain(wadi_earth_water* water)
{
    const bool rains = water->params.rain_rate > 0.0;
    const double now = (double)water->passed * water->exchange;
    const bool is_on = now >= water->params.rain_from && now < water->params.rain_until;
    return wadi_sph_set_rain(water->sph, rains && is_on ? &water->rain : NULL);
}

// Move absorbed water into the pores, with its momentum.
static wadi_result water_give(wadi_earth_water* water, const wadi_earth_state* state)
{
    for (int32_t i = 0; i < water->count; ++i)
    {
        const wadi_sph_touch* touch = &water->touches[i];
        water->drunk[i] = touch->drunk;
        for (int c = 0; c < 3; ++c)
        {
            const double mass = WATER_DENSITY * touch->drunk;
            water->speed[i][c] = mass > 0.0 ? touch->brought[c] / mass : 0.0;
        }
    }
    WADI_TRY(wadi_wet_grains_give(state->world, water->drunk, (const double(*)[3])water->speed,
                                  water->taken));
    for (int32_t i = 0; i < water->count; ++i)
    {
        WADI_CHECK(water->context, water->taken[i] == water->drunk[i], WADI_ERROR_STATE,
                   "grain %d drank %.17g m3 of water but its pores took %.17g m3", i,
                   water->drunk[i], water->taken[i]);
    }
    return WADI_OK;
}

static wadi_result water_push(const wadi_earth_water* water, const wadi_earth_state* state)
{
    for (int32_t i = 0; i < water->count; ++i)
    {
        const wadi_sph_touch* touch = &water->touches[i];
        double force[3];
        for (int c = 0; c < 3; ++c)
        {
            force[c] = (touch->impulse[c] - touch->brought[c]) / water->exchange;
        }
        WADI_TRY(wadi_grains_set_force(wadi_wet_grains_solid(state->world), i, force));
    }
    return WADI_OK;
}

wadi_result wadi_earth_water_pass(wadi_earth_state* state)
{
    wadi_earth_water* water = state->water;
    WADI_TRY(water_rain(water));
    if (state->world == NULL)
    {
        WADI_TRY(wadi_sph_advance(water->sph, water->steps));
        water->passed += 1;
        return WADI_OK;
    }
    WADI_TRY(water_place_soil(water, state));
    WADI_TRY(wadi_sph_advance(water->sph, water->steps));
    wadi_sph_read_touches(water->sph, water->touches);
    WADI_TRY(water_give(water, state));
    WADI_TRY(water_push(water, state));
    double passed;
    WADI_TRY(wadi_wet_grains_turn(state->world, water->exchange, &passed));
    water->passed += 1;
    return WADI_OK;
}

int64_t wadi_earth_water_residual(const wadi_earth_state* state)
{
    const wadi_sph_books books = wadi_sph_account(state->water->sph);
    double given = 0.0;
    if (state->world != NULL)
    {
        given = wadi_seepage_account(wadi_wet_grains_water(state->world)).given;
    }
    return books.residual + (int64_t)((books.drunk - given) / books.unit);
}
