// SPDX-License-Identifier: MIT
// Reading particles, books and summaries.
#include "bodies/water/sph.h"
#include "core/dmath.h"

int32_t wadi_sph_count(const wadi_sph* sph)
{
    return sph->count;
}

static double read_volume(const wadi_sph* sph, int64_t units)
{
    return sph->unit * (double)units;
}

void wadi_sph_read(const wadi_sph* sph, wadi_sph_particle* out)
{
    for (int32_t k = 0; k < sph->count; ++k)
    {
        const sph_body* body = &sph->bodies[sph->line[k]];
        const sph_state* state = &sph->states[sph->line[k]];
        wadi_sph_particle* particle = &out[k];
        memcpy(particle->position, body->x, sizeof body->x);
        memcpy(particle->velocity, state->v, sizeof state->v);
        particle->pressure = wadi_sph_pressure(sph, body->rho);
        particle->volume = read_volume(sph, state->units);
        particle->id = state->id;
        particle->drop = state->drop != 0;
    }
}

int32_t wadi_sph_read_grains(const wadi_sph* sph, wadi_grain* out, int32_t capacity)
{
    for (int32_t k = 0; k < sph->count && k < capacity; ++k)
    {
        const sph_body* body = &sph->bodies[sph->line[k]];
        const sph_state* state = &sph->states[sph->line[k]];
        const double volume = read_volume(sph, state->units);
        out[k] = (wadi_grain){.radius = wadi_pow(0.238732414637843 * volume, 1.0 / 3.0), // 3 / 4 pi
                              .wetness = 1.0,
                              .material = WADI_GRAIN_WATER};
        memcpy(out[k].position, body->x, sizeof body->x);
        memcpy(out[k].velocity, state->v, sizeof state->v);
    }
    return sph->count;
}

static int64_t read_units(const wadi_sph* sph)
{
    int64_t units = 0;
    for (int32_t i = 0; i < sph->count; ++i)
    {
        units += sph->states[i].units;
    }
    return units;
}

wadi_sph_books wadi_sph_account(const wadi_sph* sph)
{
    const int64_t now = read_units(sph);
    return (wadi_sph_books){
        .added = read_volume(sph, sph->added),
        .rain = read_volume(sph, sph->rained),
        .now = read_volume(sph, now),
        .out = read_volume(sph, sph->out),
        .drunk = read_volume(sph, sph->drunk),
        .residual = sph->added + sph->rained - now - sph->out - sph->drunk,
        .unit = read_volume(sph, 1),
    };
}

// Particles within reach of those of a chunk, counted from both sides; the list still holds them.
static int64_t read_neighbours(const wadi_sph* sph, const sph_chunk* chunk)
{
    int64_t count = 0;
    const int32_t own = chunk->base.end - chunk->base.begin;
    for (int32_t i = 0; i < own; ++i)
    {
        const double* a = sph->bodies[chunk->base.begin + i].x;
        for (int32_t p = chunk->base.rows[i]; p < chunk->base.rows[i + 1]; ++p)
        {
            const int32_t j = chunk->others[p];
            const int32_t place = wadi_chunk_place(&chunk->base, j);
            double square = 0.0;
            for (int c = 0; c < 3; ++c)
            {
                const double d = a[c] - sph->bodies[place].x[c];
                const double nearest =
                    c < 2 ? wadi_exact_nearest(d, sph->law.period[c], sph->law.inverse_period[c])
                          : d;
                square += nearest * nearest;
            }
            count += j != i && square < sph->reach * sph->reach ? 2 : 0;
        }
    }
    return count;
}

static void read_add(wadi_sph_summary* sum, const wadi_sph* sph, int32_t place)
{
    const sph_state* state = &sph->states[place];
    const double mass = sph->mass * state->units / sph->full;
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        sum->momentum[c] += mass * state->v[c];
        square += state->v[c] * state->v[c];
    }
    const double squeezed = fabs(sph->bodies[place].rho / sph->params.density - 1.0);
    sum->kinetic += 0.5 * mass * square;
    sum->speed = sqrt(square) > sum->speed ? sqrt(square) : sum->speed;
    sum->compression = squeezed > sum->compression ? squeezed : sum->compression;
    sum->drops += state->drop;
}

wadi_sph_summary wadi_sph_summarize(const wadi_sph* sph)
{
    wadi_sph_summary sum = {
        .time = (double)sph->steps * sph->step,
        .steps = sph->steps,
        .step = sph->step,
        .rebuilds = sph->rebuilds,
    };
    for (int32_t k = 0; k < sph->count; ++k)
    {
        read_add(&sum, sph, sph->line[k]);
    }
    int64_t neighbours = 0;
    for (int32_t c = 0; !sph->stale && c < sph->list.chunk_count; ++c)
    {
        neighbours += read_neighbours(sph, sph_chunk_at(sph, c));
    }
    sum.neighbours = sph->count > 0 ? (double)neighbours / (double)sph->count : 0.0;
    return sum;
}
