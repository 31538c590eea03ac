// SPDX-License-Identifier: MIT
// Streams with momentum. Friction stops water within L_m = depth / (2 C_f) (the decay length of
// Ikeda, Parker & Sawai 1981), so the slow direction of a stream is its direction averaged over
// L_m. The fast direction is averaged over half its width. Where they differ, the fast water runs
// along one bank: the outer bank.
//
// The difference of a long and a short average is a band-pass filter. Bends shorter than
// 2 pi sqrt(L_m width / 2), such as the stairs of the grid, decay; longer bends grow.
#include "processes/hydraulic/parcel_momentum.h"

#include "core/dmath.h"

#include <math.h>

#define MOMENTUM_COARSEST 10.0 // [m] larger cells exceed the decay length of most streams

static const double MOMENTUM_SECONDS_PER_YEAR = 31557600.0;

typedef struct momentum_job
{
    parcel_level* level;
    float cell;        // [m]
    float to_second;   // weights -> m3/s
    float least;       // [weights] discharge of the narrowest stream
    float friction;    // 2 C_f
    float slope_scale; // height units -> m/m over one cell
    float retreat;     // dt K_b (m3/yr per weight)^m in cells
    float m;
    float n;
} momentum_job;

// Mean displacement of a route, in cells.
static void momentum_route_step(parcel_route route, float* dx, float* dy)
{
    const int32_t a = route & 15;
    const int32_t b = route >> 4 & 15;
    const float part = (float)(route >> 8) / 256.0f;
    *dx = (float)parcel_dx[a] + part * (float)(parcel_dx[b] - parcel_dx[a]);
    *dy = (float)parcel_dy[a] + part * (float)(parcel_dy[b] - parcel_dy[a]);
}

// Share of its water that a stream sends in a direction.
static float momentum_share(parcel_route route, int32_t direction)
{
    const int32_t a = route & 15;
    const int32_t b = route >> 4 & 15;
    const float part = (float)(route >> 8) / 256.0f;
    return (a == direction ? 1.0f - part : 0.0f) + (b == direction ? part : 0.0f);
}

// ---- arriving ----------------------------------------------------------------------------

static parcel_arrival momentum_gather(const momentum_job* job, int64_t cell,
                                      const parcel_stream* here)
{
    const parcel_level* level = job->level;
    const ptrdiff_t s = level->stride;
    const ptrdiff_t step[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    parcel_arrival sum = {0};
    float water = level->rain != NULL ? (float)level->rain[cell] : (float)PARCEL_WEIGHT;
    for (int32_t d = 0; d < 8; ++d)
    {
        const parcel_stream* from = here - step[d];
        const float part = from->water * momentum_share(from->route, d);
        sum.slow_x += part * from->slow_x;
        sum.slow_y += part * from->slow_y;
        sum.fast_x += part * from->fast_x;
        sum.fast_y += part * from->fast_y;
        water += part; // rain falls without a direction
    }
    const float share = water > 0.0f ? 1.0f / water : 0.0f;
    return (parcel_arrival){sum.slow_x * share, sum.slow_y * share, sum.fast_x * share,
                            sum.fast_y * share};
}

static void momentum_gather_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const momentum_job* job = user;
    const parcel_level* level = job->level;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t row = (int64_t)y * level->width;
        const parcel_stream* stream = level->momentum->streams + parcel_padded_index(level, 0, y);
        for (int32_t x = 0; x < level->width; ++x)
        {
            if (level->discharge[row + x] >= job->least)
            {
                level->momentum->arrival[row + x] = momentum_gather(job, row + x, stream + x);
            }
        }
    }
}

// ---- leaving -----------------------------------------------------------------------------

// Slope along a route [units per cell], at least 1e-4 so that depths stay finite.
static float momentum_slope(const momentum_job* job, const int32_t* r, parcel_route route,
                            float length)
{
    const ptrdiff_t s = job->level->stride;
    const ptrdiff_t step[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    const float part = (float)(route >> 8) / 256.0f;
    const float fall = (1.0f - part) * (float)(r[0] - r[step[route & 15]]) +
                       part * (float)(r[0] - r[step[route >> 4 & 15]]);
    const float slope = job->slope_scale * fall / length;
    return slope > 1e-4f ? slope : 1e-4f;
}

// The outer bank lies on the side to which the slow direction points.
static void momentum_turn(parcel_stream* stream, float most)
{
    const float speed = sqrtf(stream->fast_x * stream->fast_x + stream->fast_y * stream->fast_y);
    if (!(speed > 0.0f))
    {
        return;
    }
    const float across =
        (stream->fast_x * stream->slow_y - stream->fast_y * stream->slow_x) / speed;
    const float side = across < 0.0f ? -1.0f : 1.0f;
    stream->out_x = side * -stream->fast_y / speed;
    stream->out_y = side * stream->fast_x / speed;
    stream->retreat = most * side * across;
}

// Averages of direction after `way` metres along the unit vector (tx, ty).
static void momentum_average(const momentum_job* job, const parcel_arrival* arrival, float way,
                             float width, float depth, float tx, float ty, parcel_stream* stream)
{
    const float slow = wadi_expf(-way * job->friction / depth);
    const float fast = wadi_expf(-way / (0.5f * width));
    stream->slow_x = slow * arrival->slow_x + (1.0f - slow) * tx;
    stream->slow_y = slow * arrival->slow_y + (1.0f - slow) * ty;
    stream->fast_x = fast * arrival->fast_x + (1.0f - fast) * tx;
    stream->fast_y = fast * arrival->fast_y + (1.0f - fast) * ty;
    stream->depth = depth * WADI_UNITS_PER_METRE;
}

static void momentum_leave(const momentum_job* job, int32_t x, int32_t y)
{
    const parcel_level* level = job->level;
    const int64_t cell = (int64_t)y * level->width + x;
    const int64_t padded = parcel_padded_index(level, x, y);
    const parcel_route route = level->route[cell];
    const float water = level->discharge[cell];
    parcel_stream* stream = &level->momentum->streams[padded];
    *stream = (parcel_stream){.water = water, .route = route};
    if (water < job->least || (route & 15) >= 8 || level->wet[cell] != 0)
    {
        return; // standing water loses its direction
    }
    float dx;
    float dy;
    momentum_route_step(route, &dx, &dy);
    const float length = sqrtf(dx * dx + dy * dy);
    const float slope = momentum_slope(job, level->route_surface + padded, route, length);

    // Manning's law as in the map of velocities: width 4 sqrt(q), n = 0.04
    const float q = water * job->to_second;
    const float depth = 0.0631f * wadi_powf(q / slope, 0.3f);
    momentum_average(job, &level->momentum->arrival[cell], length * job->cell, 4.0f * sqrtf(q),
                     depth, dx / length, dy / length, stream);

    // a cell crossed diagonally holds a longer stretch of bank
    const float retreat = job->retreat * wadi_powf(water, job->m) * wadi_powf(slope, job->n);
    momentum_turn(stream, length * (retreat < 1.0f ? retreat : 1.0f));
}

static void momentum_leave_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const momentum_job* job = user;
    parcel_momentum* momentum = job->level->momentum;
    for (int32_t y = begin; y < end; ++y)
    {
        const parcel_stream* stream = momentum->streams + parcel_padded_index(job->level, 0, y);
        momentum->turns[y] = 0;
        for (int32_t x = 0; x < job->level->width; ++x)
        {
            momentum_leave(job, x, y);
            momentum->turns[y] |= stream[x].retreat > 0.0f ? 1 : 0;
        }
    }
}

static momentum_job momentum_job_of(parcel_level* level)
{
    const wadi_hydraulic_params* p = level->params;
    momentum_job job = {.level = level, .cell = (float)level->cell};
    const double per_second = level->weight_m3 / MOMENTUM_SECONDS_PER_YEAR;
    // a stream narrower than a quarter of a cell bends within the cell
    const double least = level->cell * level->cell / 256.0;
    job.to_second = (float)per_second;
    job.least = per_second > 0.0 ? (float)(least / per_second) : INFINITY;
    job.friction = (float)(2.0 * p->friction);
    job.slope_scale = (float)(1.0 / (WADI_UNITS_PER_METRE * level->cell));
    job.retreat = (float)(level->dt * p->erodibility * p->bank_erodibility / level->cell *
                          wadi_pow(level->weight_m3, p->discharge_exponent));
    job.m = (float)p->discharge_exponent;
    job.n = (float)p->slope_exponent;
    return job;
}

void wadi_parcel_momentum_flow(parcel_level* level)
{
    if (level->momentum == NULL)
    {
        return;
    }
    momentum_job job = momentum_job_of(level);
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, momentum_gather_rows, &job);
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, momentum_leave_rows, &job);
    wadi_parcel_level_wrap(level, level->momentum->streams, sizeof *level->momentum->streams);
}

// ---- reading and life --------------------------------------------------------------------

void wadi_parcel_momentum_map(const parcel_level* level, float* east, float* north)
{
    const double per_second = level->weight_m3 / MOMENTUM_SECONDS_PER_YEAR;
    for (int32_t y = 0; y < level->height; ++y)
    {
        const parcel_stream* row = level->momentum->streams + parcel_padded_index(level, 0, y);
        for (int32_t x = 0; x < level->width; ++x)
        {
            const parcel_stream* stream = &row[x];
            const double q = (double)stream->water * per_second;
            const double depth = (double)stream->depth / WADI_UNITS_PER_METRE;
            const double flux = depth > 0.0 ? q * q / (4.0 * sqrt(q) * depth) : 0.0;
            const int64_t cell = (int64_t)y * level->width + x;
            east[cell] = (float)(flux * (double)stream->slow_x);
            north[cell] = (float)(-flux * (double)stream->slow_y);
        }
    }
}

bool wadi_parcel_momentum_applies(const wadi_hydraulic_params* params, double cell)
{
    return params->momentum && cell < MOMENTUM_COARSEST;
}

wadi_result wadi_parcel_momentum_create(parcel_level* level)
{
    if (!wadi_parcel_momentum_applies(level->params, level->cell))
    {
        return WADI_OK;
    }
    WADI_ALLOC(level->context, level->momentum, 1, "momentum");
    WADI_ALLOC(level->context, level->momentum->streams, level->padded, "momentum");
    WADI_ALLOC(level->context, level->momentum->banks, level->padded, "banks");
    WADI_ALLOC(level->context, level->momentum->arrival, level->cells, "momentum");
    WADI_ALLOC(level->context, level->momentum->turns, level->height, "momentum");
    return WADI_OK;
}

void wadi_parcel_momentum_destroy(parcel_level* level)
{
    if (level->momentum != NULL)
    {
        wadi_free(level->context, level->momentum->streams);
        wadi_free(level->context, level->momentum->banks);
        wadi_free(level->context, level->momentum->arrival);
        wadi_free(level->context, level->momentum->turns);
        wadi_free(level->context, level->momentum);
    }
}
