// SPDX-License-Identifier: MIT
// Create a world of water and add water to it.
#include "bodies/water/sph.h"

#include "core/dmath.h"

#include <float.h>

// ---- law ---------------------------------------------------------------------------------

// Largest power of two with which `bound` stays below 2^bits.
static double law_scale(double bound, int bits)
{
    double scale = 1.0;
    const double most = (double)(INT64_C(1) << bits);
    while (scale * bound >= most)
    {
        scale *= 0.5;
    }
    while (2.0 * scale * bound < most)
    {
        scale *= 2.0;
    }
    return scale;
}

// Units of force and of the rate of density. They are so coarse that the force between two
// particles is below 2^50 units, as long as density is within 50 % of that at rest and speeds are
// below that of sound; step_judge stops a run where they are not. Then pressure over squared
// density is below 2.3 c^2 / rho, viscosity below 10 c^2 / rho, and (1 - r/2h)^3 r below 0.211 h.
// The unit of the rate is 2^7 times as coarse, so that the sum over hundreds of neighbours stays
// below half of SPH_MET.
static void sph_law_create(wadi_sph* sph)
{
    const wadi_sph_params* p = &sph->params;
    const double pi = 3.14159265358979323846;
    const double c = p->sound_speed;
    const double h = p->smoothing * p->spacing;
    const double h5 = h * h * h * h * h;
    const double kernel = 5.0 * 21.0 / (16.0 * pi * h5);
    sph->h = h;
    sph->reach = 2.0 * h;
    const double volume = p->spacing * p->spacing * p->spacing;
    sph->unit = 1.0 / law_scale(volume, SPH_UNIT_BITS);
    sph->full = (int32_t)(volume / sph->unit + 0.5);
    sph->mass = p->density * sph->unit * (double)sph->full;
    sph->stiffness = c * c * p->density / 7.0;
    const double force = kernel * sph->mass * sph->mass;
    const double rate = kernel * sph->mass;
    sph->force_scale = law_scale(force * 0.211 * h * 15.0 * c * c / p->density, 50);
    sph->rate_scale = law_scale(rate * 3.0 * h * c, 43);
    const double still = p->density / (c * c);
    sph->law = (sph_law){
        .inverse_reach = 0.5 / h,
        .force = force * sph->force_scale,
        .rate = rate * sph->rate_scale,
        .drag = p->viscosity * c * h / p->density,
        .spread = 2.0 * p->diffusion * h * c / p->density,
        .eta2 = 0.01 * h * h,
        .weight = {still * p->gravity_x, still * p->gravity_y, still * p->gravity_z},
        .period = {p->period_x, p->period_y},
        .inverse_period = {p->period_x > 0.0 ? 1.0 / p->period_x : 0.0,
                           p->period_y > 0.0 ? 1.0 / p->period_y : 0.0},
    };
}

double wadi_sph_sound_speed(double depth)
{
    return 20.0 * sqrt(9.81 * depth);
}

double wadi_sph_step_limit(const wadi_sph* sph)
{
    return 0.25 * sph->h / (sph->params.sound_speed + sph->fastest);
}

static wadi_result sph_check_step(const wadi_sph* sph)
{
    const double limit = wadi_sph_step_limit(sph);
    WADI_CHECK(sph->context, sph->step <= limit, WADI_ERROR_RANGE,
               "step is %g s but may be %g s at most, 0.25 x smoothing length / sound_speed: make "
               "it smaller, or 0",
               sph->step, limit);
    return WADI_OK;
}

static wadi_result sph_check_period(const wadi_sph* sph)
{
    const double least = 2.0 * (sph->reach + sph->params.skin * sph->params.spacing);
    for (int c = 0; c < 2; ++c)
    {
        const double period = sph->law.period[c];
        WADI_CHECK(sph->context, period == 0.0 || period >= least, WADI_ERROR_RANGE,
                   "period_%c is %g m but must be at least %g m, four smoothing lengths and a "
                   "skin, or 0",
                   "xy"[c], period, least);
    }
    return WADI_OK;
}

// ---- making ------------------------------------------------------------------------------

static wadi_result sph_build(wadi_sph* sph)
{
    sph_law_create(sph);
    sph->list = (wadi_list){
        .context = sph->context,
        .kind = &wadi_sph_list_kind,
        .owner = sph,
        .period = {sph->law.period[0], sph->law.period[1]},
        .inverse_period = {sph->law.inverse_period[0], sph->law.inverse_period[1]},
        .chunk_length = sph->params.chunk,
    };
    const double step = sph->params.step;
    sph->step = step > 0.0 ? step : 0.2 * sph->h / sph->params.sound_speed;
    WADI_TRY(sph_check_step(sph));
    WADI_TRY(sph_check_period(sph));
    WADI_TRY(wadi_list_create(&sph->list));
    WADI_ALLOC(sph->context, sph->scratch, sph->list.workers, "workers");
    return WADI_OK;
}

wadi_result wadi_sph_create(wadi_context* context, const wadi_sph_params* params, wadi_sph** out)
{
    *out = NULL;
    WADI_TRY(wadi_fields_check(context, &wadi_sph_fields, params));
    wadi_sph* sph;
    WADI_ALLOC(context, sph, 1, "water");
    sph->context = context;
    sph->params = *params;
    sph->kernels = sph_kernels_of(wadi_isa_best());
    sph->stale = true;
    for (int c = 0; c < 3; ++c)
    {
        sph->low[c] = -DBL_MAX;
        sph->high[c] = DBL_MAX;
    }
    const wadi_result result = sph_build(sph);
    if (result != WADI_OK)
    {
        wadi_sph_destroy(sph);
        return result;
    }
    *out = sph;
    return WADI_OK;
}

void wadi_sph_destroy(wadi_sph* sph)
{
    if (sph == NULL)
    {
        return;
    }
    wadi_context* context = sph->context;
    wadi_sph_memory_free(sph);
    wadi_free(context, sph);
}

wadi_result wadi_sph_set_bounds(wadi_sph* sph, const double low[3], const double high[3])
{
    for (int c = 0; c < 3; ++c)
    {
        WADI_CHECK(
            sph->context, low[c] < high[c], WADI_ERROR_ARGUMENT,
            "the bounds of water run from %g to %g m along %c; the first must be the smaller",
            low[c], high[c], "xyz"[c]);
    }
    memcpy(sph->low, low, sizeof sph->low);
    memcpy(sph->high, high, sizeof sph->high);
    return WADI_OK;
}

// ---- adding water ------------------------------------------------------------------------

void wadi_sph_append(wadi_sph* sph, const sph_body* body, const double v[3], bool drop)
{
    const int32_t place = sph->count;
    sph->bodies[place] = *body;
    sph->states[place] = (sph_state){
        .v = {v[0], v[1], v[2]}, .id = sph->next_id, .units = sph->full, .drop = drop ? 1 : 0};
    sph->line[place] = place;
    sph->count += 1;
    sph->next_id += 1;
    sph->stale = true;
    sph->uneven = sph->uneven || drop;
}

static wadi_result sph_check_particle(const wadi_sph* sph, const wadi_sph_particle* particle,
                                      int32_t number)
{
    wadi_context* context = sph->context;
    bool finite = isfinite(particle->pressure);
    for (int c = 0; c < 3; ++c)
    {
        finite = finite && isfinite(particle->position[c]) && isfinite(particle->velocity[c]);
    }
    WADI_CHECK(context, finite, WADI_ERROR_RANGE,
               "particle %d has a position, velocity or pressure that is no number", number);
    const double most = 2.0 * sph->stiffness;
    WADI_CHECK(context, fabs(particle->pressure) < most && particle->pressure > -0.5 * most / 2.0,
               WADI_ERROR_RANGE,
               "particle %d is under %g Pa, more than water of this sound_speed bears (%g Pa)",
               number, particle->pressure, most);
    for (int c = 0; c < 2; ++c)
    {
        const double period = sph->law.period[c];
        const double x = particle->position[c];
        WADI_CHECK(context, period == 0.0 || (x >= 0.0 && x < period), WADI_ERROR_RANGE,
                   "particle %d lies at %g m, outside of the world's period, 0 to %g", number, x,
                   period);
    }
    return WADI_OK;
}

static sph_body sph_body_of(const wadi_sph* sph, const wadi_sph_particle* particle)
{
    sph_body body = {.rho = sph->params.density};
    if (particle->pressure != 0.0)
    {
        body.rho *= wadi_pow(1.0 + particle->pressure / sph->stiffness, 1.0 / 7.0);
    }
    memcpy(body.x, particle->position, sizeof body.x);
    memcpy(body.v, particle->velocity, sizeof body.v);
    wadi_sph_body_set_pressure(sph, &body, 1.0);
    return body;
}

wadi_result wadi_sph_add(wadi_sph* sph, const wadi_sph_particle* particles, int32_t count)
{
    WADI_CHECK(sph->context, count >= 0, WADI_ERROR_ARGUMENT,
               "%d particles were to be added; there must be 0 or more", count);
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(sph_check_particle(sph, &particles[i], i));
    }
    WADI_TRY(wadi_sph_reserve(sph, (int64_t)sph->count + count));
    for (int32_t i = 0; i < count; ++i)
    {
        const sph_body body = sph_body_of(sph, &particles[i]);
        wadi_sph_append(sph, &body, particles[i].velocity, false);
    }
    sph->added += (int64_t)count * sph->full;
    return WADI_OK;
}

// Particle i of a box of n[0] x n[1] x n[2] at rest.
static wadi_sph_particle sph_particle_of(const wadi_sph* sph, const double low[3],
                                         const int64_t n[3], int64_t i)
{
    const wadi_sph_params* p = &sph->params;
    const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    wadi_sph_particle particle = {.pressure = 0.0};
    for (int c = 0; c < 3; ++c)
    {
        particle.position[c] = low[c] + p->spacing * ((double)at[c] + 0.5);
    }
    const double above = low[2] + p->spacing * (double)n[2] - particle.position[2];
    particle.pressure = p->gravity_z < 0.0 ? -p->density * p->gravity_z * above : 0.0;
    return particle;
}

// Number of particles along each axis of a box.
static wadi_result sph_count_box(const wadi_sph* sph, const double low[3], const double high[3],
                                 int64_t n[3])
{
    const wadi_sph_params* p = &sph->params;
    double total = 1.0;
    for (int c = 0; c < 3; ++c)
    {
        const double fit = (high[c] - low[c]) / p->spacing + 0.5;
        WADI_CHECK(sph->context, fit >= 1.0 && fit < 1e8, WADI_ERROR_ARGUMENT,
                   "a box from %g to %g m along %c holds no particle of %g m, or more than 1e8",
                   low[c], high[c], "xyz"[c], p -> spacing);
        n[c] = (int64_t)fit;
        total *= (double)n[c];
    }
    WADI_CHECK(sph->context, total < 1e8, WADI_ERROR_ARGUMENT,
               "a box of %g particles is more than the 1e8 there can be: make spacing larger",
               total);
    return WADI_OK;
}

// The spheres around the particle that was added last leave it so much less water.
static void sph_leave_room(wadi_sph* sph, int32_t solid)
{
    sph_body* body = &sph->bodies[sph->count - 1];
    sph_state* state = &sph->states[sph->count - 1];
    const int32_t less = (int32_t)(0x1p-30 * (double)sph->full * (double)solid);
    state->solid = solid;
    state->units -= less;
    sph->added -= less;
    sph->uneven = sph->uneven || less > 0;
    sph->crowded = sph->crowded || solid > 0;
    wadi_sph_body_set_pressure(sph, body, sph_porosity(state));
}

wadi_result wadi_sph_fill(wadi_sph* sph, const double low[3], const double high[3], int32_t* out)
{
    int64_t n[3];
    if (out != NULL)
    {
        *out = 0;
    }
    WADI_TRY(sph_count_box(sph, low, high, n));
    // all or nothing: particles in the corners have the extreme positions and pressures
    const int64_t most = n[0] * n[1] * n[2];
    const wadi_sph_particle corners[2] = {sph_particle_of(sph, low, n, 0),
                                          sph_particle_of(sph, low, n, most - 1)};
    WADI_TRY(sph_check_particle(sph, &corners[0], 0));
    WADI_TRY(sph_check_particle(sph, &corners[1], (int32_t)most - 1));
    WADI_TRY(wadi_sph_reserve(sph, sph->count + most));
    int32_t* solid = NULL;
    if (sph->sphere_count > 0)
    {
        WADI_ALLOC(sph->context, solid, most, "room of spheres in water");
        wadi_sph_room_in_box(sph, low, n, solid);
    }
    for (int64_t i = 0; i < most; ++i)
    {
        const wadi_sph_particle particle = sph_particle_of(sph, low, n, i);
        const sph_body body = sph_body_of(sph, &particle);
        wadi_sph_append(sph, &body, particle.velocity, false);
        sph->added += sph->full;
        if (solid != NULL)
        {
            sph_leave_room(sph, solid[i]);
        }
    }
    wadi_free(sph->context, solid);
    if (out != NULL)
    {
        *out = (int32_t)most;
    }
    return WADI_OK;
}
