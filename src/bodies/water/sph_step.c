// SPDX-License-Identifier: MIT
// A step: forces, then motion.
#include "bodies/water/sph.h"

#include <float.h>

// ---- state -------------------------------------------------------------------------------

// Tait's equation with the usual exponent 7.
double wadi_sph_pressure(const wadi_sph* sph, double density)
{
    const double ratio = density / sph->params.density;
    const double ratio3 = ratio * ratio * ratio;
    return sph->stiffness * (ratio3 * ratio3 * ratio - 1.0);
}

// Among spheres a particle fills more space than its water, so the density of its water in space,
// by which pressure pushes, is less (Robinson, Ramaioli & Luding 2014). The limit keeps forces
// within their units (sph_law_create); clear water reaches half of it where a run stops. Suction
// needs none: at half the density at rest and the least porosity of 1/4 it is 9.1 c^2, and a pair
// of such particles stays below the 2^51 units of wadi_exact_round().
void wadi_sph_body_set_pressure(const wadi_sph* sph, sph_body* body, double porosity)
{
    const double c = sph->params.sound_speed;
    const double most = 2.2 * c * c;
    const double spread = body->rho * porosity;
    const double push = wadi_sph_pressure(sph, body->rho) / (spread * spread);
    body->push = push * sph->params.density < most ? push : most / sph->params.density;
}

// ---- push --------------------------------------------------------------------------------

static double push_share(const wadi_sph* sph, const sph_state* state)
{
    return state->drop != 0 ? 0.0 : (double)state->units / sph->full;
}

static void push_copy(const wadi_sph* sph, const sph_chunk* chunk, sph_scratch* scratch)
{
    const int32_t own = chunk->base.end - chunk->base.begin;
    memcpy(scratch->bodies, sph->bodies + chunk->base.begin, (size_t)own * sizeof *scratch->bodies);
    for (int32_t k = 0; k < chunk->base.halo_count; ++k)
    {
        scratch->bodies[own + k] = sph->bodies[chunk->base.halo[k]];
    }
    for (int32_t k = 0; sph->uneven && k < own + chunk->base.halo_count; ++k)
    {
        const int32_t place = wadi_chunk_place(&chunk->base, k);
        scratch->shares[k] = push_share(sph, &sph->states[place]);
    }
    memset(scratch->rows, 0, (size_t)(own + chunk->base.halo_count) * sizeof *scratch->rows);
}

static void push_chunk(int64_t block, int32_t worker, void* job)
{
    wadi_sph* sph = job;
    sph_chunk* chunk = sph_chunk_at(sph, block);
    sph_scratch* scratch = &sph->scratch[worker];
    const int32_t own = chunk->base.end - chunk->base.begin;
    push_copy(sph, chunk, scratch);
    const sph_work work = {
        .bodies = scratch->bodies,
        .shares = sph->uneven ? scratch->shares : NULL,
        .rows = scratch->rows,
        .first = chunk->base.rows,
        .others = chunk->others,
        .own = own,
        .law = sph->law,
    };
    sph->kernels->pairs(&work);
    wadi_sph_walls_add_forces(sph, chunk, scratch->rows);
    memcpy(sph->own + chunk->base.begin, scratch->rows, (size_t)own * sizeof *sph->own);
    wadi_list_send(&sph->list, &chunk->base, scratch->rows + own);
}

// ---- move --------------------------------------------------------------------------------

// Sums of whole numbers, in any order.
sph_row wadi_sph_sum_forces(const wadi_sph* sph, int32_t place)
{
    sph_row row = sph->own[place];
    const sph_row* halo = sph->list.halo_rows;
    for (int32_t k = sph->list.halo_start[place]; k < sph->list.halo_start[place + 1]; ++k)
    {
        const sph_row* other = &halo[sph->list.halo_slots[k]];
        for (int c = 0; c < 3; ++c)
        {
            row.force[c] = wadi_exact_plus(row.force[c], other->force[c]);
        }
        row.rate = wadi_exact_plus(row.rate, other->rate);
    }
    return row;
}

// Split a sum of rates into the rate and the number of neighbours counted in it.
static int32_t move_count(int64_t* rate)
{
    const int64_t met = wadi_exact_plus(*rate, SPH_MET / 2) >> 54;
    *rate = wadi_exact_minus(*rate, met * SPH_MET);
    return (int32_t)met;
}

static void move_wrap(const wadi_sph* sph, double x[3])
{
    for (int c = 0; c < 2; ++c)
    {
        const double period = sph->law.period[c];
        // a coordinate below 0 by less than a rounding error becomes the period itself, which is
        // set to 0
        const double up = x[c] < 0.0 ? x[c] + period : x[c];
        const double wrapped = up >= period ? up - period : up;
        x[c] = period > 0.0 ? wrapped : x[c];
    }
}

// Leapfrog: a full kick, then a drift. Pair forces use the velocity predicted by a second kick of
// the same size, so that forces are computed once per step, not twice.
static void move_particle(const wadi_sph* sph, int32_t place, sph_row row)
{
    sph_body* body = &sph->bodies[place];
    sph_state* state = &sph->states[place];
    const wadi_sph_params* p = &sph->params;
    const double gravity[3] = {p->gravity_x, p->gravity_y, p->gravity_z};
    const double per_unit =
        (double)sph->full / (sph->mass * (double)state->units * sph->force_scale);
    double ahead[3];
    for (int c = 0; c < 3; ++c)
    {
        const double kick = sph->step * ((double)row.force[c] * per_unit + gravity[c]);
        state->v[c] += kick;
        ahead[c] = state->v[c] + kick;
    }
    wadi_sph_walls_limit_velocity(sph, place, state->v, ahead);
    for (int c = 0; c < 3; ++c)
    {
        body->x[c] += sph->step * state->v[c];
        body->v[c] = ahead[c];
    }
    body->rho += sph->step * ((double)row.rate / sph->rate_scale);
    wadi_sph_body_set_pressure(sph, body, sph_porosity(state));
    move_wrap(sph, body->x);
}

static bool move_is_out(const wadi_sph* sph, const double x[3])
{
    bool out = false;
    for (int c = 0; c < 3; ++c)
    {
        out = out || x[c] < sph->low[c] || x[c] > sph->high[c];
    }
    return out;
}

static double move_square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// Squared displacement of a particle since the list was built.
static double move_strayed(const wadi_sph* sph, int32_t place)
{
    const double* x = sph->bodies[place].x;
    double came[3] = {0.0, 0.0, x[2] - sph->built[place][2]};
    for (int c = 0; c < 2; ++c)
    {
        came[c] = wadi_exact_nearest(x[c] - sph->built[place][c], sph->law.period[c],
                                     sph->law.inverse_period[c]);
    }
    return move_square(came);
}

static void move_measure(const wadi_sph* sph, sph_chunk* chunk, int32_t place)
{
    const sph_body* body = &sph->bodies[place];
    const double strayed2 = move_strayed(sph, place);
    const double fast2 = move_square(sph->states[place].v);
    chunk->strayed2 = strayed2 > chunk->strayed2 ? strayed2 : chunk->strayed2;
    chunk->fastest2 = fast2 > chunk->fastest2 ? fast2 : chunk->fastest2;
    chunk->lightest = body->rho < chunk->lightest ? body->rho : chunk->lightest;
    chunk->heaviest = body->rho > chunk->heaviest ? body->rho : chunk->heaviest;
    chunk->gone += move_is_out(sph, body->x);
}

static void move_chunk(int64_t block, int32_t worker, void* job)
{
    enum
    {
        ENOUGH = 2 // neighbours that turn a drop into water
    };
    (void)worker;
    wadi_sph* sph = job;
    sph_chunk* chunk = sph_chunk_at(sph, block);
    chunk->strayed2 = 0.0;
    chunk->fastest2 = 0.0;
    chunk->lightest = DBL_MAX;
    chunk->heaviest = 0.0;
    chunk->uneven = 0;
    chunk->gone = 0;
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        sph_row row = wadi_sph_sum_forces(sph, i);
        const int32_t met = move_count(&row.rate);
        sph_state* state = &sph->states[i];
        move_particle(sph, i, row);
        state->drop = met >= ENOUGH ? 0 : state->drop;
        chunk->uneven += state->drop != 0 || state->units != sph->full;
        move_measure(sph, chunk, i);
    }
}

// ---- after a step ------------------------------------------------------------------------

// Extremes and sums over all chunks.
static sph_chunk step_sum(const wadi_sph* sph)
{
    sph_chunk sum = {.lightest = DBL_MAX};
    for (int32_t c = 0; c < sph->list.chunk_count; ++c)
    {
        const sph_chunk* chunk = sph_chunk_at(sph, c);
        sum.strayed2 = chunk->strayed2 > sum.strayed2 ? chunk->strayed2 : sum.strayed2;
        sum.fastest2 = chunk->fastest2 > sum.fastest2 ? chunk->fastest2 : sum.fastest2;
        sum.lightest = chunk->lightest < sum.lightest ? chunk->lightest : sum.lightest;
        sum.heaviest = chunk->heaviest > sum.heaviest ? chunk->heaviest : sum.heaviest;
        sum.uneven += chunk->uneven;
        sum.gone += chunk->gone;
    }
    return sum;
}

// Particles beyond the bounds leave with their water.
static void step_let_out(wadi_sph* sph)
{
    for (int32_t i = 0; i < sph->count; ++i)
    {
        if (move_is_out(sph, sph->bodies[i].x))
        {
            sph->out += sph->states[i].units;
            sph->states[i].units = 0;
        }
    }
    wadi_sph_remove(sph);
}

static wadi_result step_check(wadi_sph* sph)
{
    const wadi_sph_params* p = &sph->params;
    const sph_chunk sum = step_sum(sph);
    sph->fastest = sqrt(sum.fastest2);
    sph->uneven = sum.uneven > 0;
    const double half = 0.5 * sph->skin;
    sph->stale = sph->stale || !(sum.strayed2 < half * half);
    // pair forces stay below 2^51 units within these (sph_law_create)
    const bool dense = sum.lightest > 0.5 * p->density && sum.heaviest < 1.5 * p->density;
    const double limit = wadi_sph_step_limit(sph);
    sph->failed = sph->count > 0 && !(dense && sph->step <= limit);
    WADI_CHECK(sph->context, sph->count == 0 || dense, WADI_ERROR_STATE,
               "the density of water has become %g to %g kg/m3 at %g s: water that starts so must "
               "be set apart, and water so fast (%g m/s) needs a higher sound_speed",
               sum.lightest, sum.heaviest, (double)sph->steps * sph->step, sph->fastest);
    WADI_CHECK(
        sph->context, sph->count == 0 || sph->step <= limit, WADI_ERROR_STATE,
        "water moves with %g m/s at %g s, where a step may take %g s at most, but step is %g "
        "s: make step smaller",
        sph->fastest, (double)sph->steps * sph->step, limit, sph->step);
    if (sum.gone > 0)
    {
        step_let_out(sph);
    }
    return WADI_OK;
}

void wadi_sph_remove(wadi_sph* sph)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < sph->count; ++i)
    {
        sph->list.moved[i] = sph->states[i].units > 0 ? kept : -1;
        if (sph->states[i].units > 0)
        {
            sph->bodies[kept] = sph->bodies[i];
            sph->states[kept] = sph->states[i];
            ++kept;
        }
    }
    int32_t line = 0;
    for (int32_t k = 0; k < sph->count; ++k)
    {
        const int32_t place = sph->list.moved[sph->line[k]];
        if (place >= 0)
        {
            sph->line[line++] = place;
        }
    }
    sph->stale = sph->stale || kept != sph->count;
    sph->count = kept;
}

// ---- advance -----------------------------------------------------------------------------

// A thin skin leaves fewer pairs out of reach in the list, but the list is built more often, each
// time at the cost of about two steps. It lasts skin / 2 / way steps, so the total cost is least
// near skin^2 = 4/3 x reach x way, where way is the displacement of the fastest particle in the
// current step.
static double step_skin(const wadi_sph* sph)
{
    const wadi_sph_params* p = &sph->params;
    const double most = p->skin * p->spacing;
    const double least = 0.25 * most;
    const double best = sqrt(4.0 / 3.0 * sph->reach * sph->fastest * sph->step);
    return best < least ? least : best < most ? best : most;
}

wadi_result wadi_sph_update_list(wadi_sph* sph)
{
    if (!sph->stale || sph->count == 0)
    {
        return WADI_OK;
    }
    sph->skin = step_skin(sph);
    wadi_sph_sort(sph);
    sph->met = false;
    WADI_TRY(wadi_list_build(&sph->list));
    WADI_TRY(wadi_sph_reserve_local(sph));
    wadi_sph_walls_find_beside(sph);
    sph->stale = false;
    sph->rebuilds += 1;
    return WADI_OK;
}

static wadi_result step_once(wadi_sph* sph)
{
    WADI_TRY(wadi_sph_rain_reserve(sph));
    WADI_TRY(wadi_sph_update_list(sph));
    if (sph->count > 0)
    {
        WADI_TRY(wadi_sph_spheres_take_room(sph));
        wadi_parallel_blocks(sph->context, sph->list.chunk_count, push_chunk, sph);
        wadi_sph_spheres_add_forces(sph);
        wadi_parallel_blocks(sph->context, sph->list.chunk_count, move_chunk, sph);
        wadi_sph_spheres_absorb(sph);
        WADI_TRY(step_check(sph));
    }
    wadi_sph_rain_add_drops(sph);
    sph->steps += 1;
    return WADI_OK;
}

wadi_result wadi_sph_advance(wadi_sph* sph, int64_t steps)
{
    enum
    {
        STEPS_BETWEEN_LOOKS = 64
    };
    WADI_CHECK(sph->context, steps >= 0, WADI_ERROR_ARGUMENT,
               "%lld steps were asked for; there must be 0 or more", (long long)steps);
    WADI_CHECK(sph->context, !sph->failed, WADI_ERROR_STATE,
               "a step of this water has failed: restore a saved state first");
    for (int64_t i = 0; i < steps; ++i)
    {
        WADI_TRY(step_once(sph));
        WADI_CHECK(sph->context,
                   (i + 1) % STEPS_BETWEEN_LOOKS != 0 ||
                       wadi_progress(sph->context, (double)(i + 1) / (double)steps, "water"),
                   WADI_ERROR_CANCELLED, "water was stopped after %lld steps of %g s",
                   (long long)sph->steps, sph->step);
    }
    return WADI_OK;
}
