// SPDX-License-Identifier: MIT
// Routes and rates of a stretch of one row. Included by parcel_kernel.c. Plain C without branches,
// so that compilers vectorise it; only + - * / and sqrt in a fixed order, so that every set gives
// the same bits.
#include "core/dmath.h"
#include "processes/hydraulic/parcel_kernels.h"

#include <math.h>

// Steepest descent over eight triangular facets (Tarboton 1997). A facet between an axis neighbour
// i and a diagonal neighbour j counts if the gradient lies within it, 0 < s2 < s1. Water then
// splits between them in the ratio s2 / s1, so that its mean displacement points down the
// gradient. Both are strictly lower, so routes have no loops.
static inline void parcel_routes_descent(const parcel_row* row, int32_t begin, int32_t n,
                                         float* restrict steepness, int32_t* restrict drop,
                                         int32_t* restrict code)
{
    const ptrdiff_t s = row->stride;
    const ptrdiff_t axis_step[4] = {1, s, -1, -s};
    const ptrdiff_t diagonal_step[4] = {s + 1, s - 1, -s - 1, -s + 1}; // between axis k and k + 1
    const int32_t* restrict r = row->route_surface + begin;

#pragma omp simd
    for (int32_t x = 0; x < n; ++x)
    {
        const int32_t here = r[x];
        int32_t lowest = here;
        float best = 0.0f;
        int32_t a = PARCEL_HOLD;
        int32_t b = PARCEL_HOLD;
        float share = 0.0f;
        for (int32_t k = 0; k < 4; ++k)
        {
            const int32_t to_axis = r[x + axis_step[k]];
            const int32_t to_diagonal = r[x + diagonal_step[k]];
            lowest = to_axis < lowest ? to_axis : lowest;
            lowest = to_diagonal < lowest ? to_diagonal : lowest;

            // single receivers: the axis neighbour or the diagonal neighbour
            const float fall = (float)(here - to_axis);
            const float fall_diagonal = (float)(here - to_diagonal);
            const float along = fall > 0.0f ? fall * fall : 0.0f;
            const bool take_axis = along > best;
            best = take_axis ? along : best;
            a = take_axis ? 2 * k : a;
            b = take_axis ? 2 * k : b;
            share = take_axis ? 0.0f : share;
            const float across = fall_diagonal > 0.0f ? 0.5f * fall_diagonal * fall_diagonal : 0.0f;
            const bool take_diagonal = across > best;
            best = take_diagonal ? across : best;
            a = take_diagonal ? 2 * k + 1 : a;
            b = take_diagonal ? 2 * k + 1 : b;
            share = take_diagonal ? 0.0f : share;
        }
        for (int32_t k = 0; k < 8; ++k)
        {
            // facet k: axis neighbour (k + 1) / 2 and the diagonal between axes k / 2 and k / 2 + 1
            const int32_t axis = ((k + 1) >> 1) & 3;
            const int32_t to_axis = r[x + axis_step[axis]];
            const int32_t to_diagonal = r[x + diagonal_step[k >> 1]];
            const float s1 = (float)(here - to_axis);
            const float s2 = (float)(to_axis - to_diagonal);
            const float slope = s1 * s1 + s2 * s2;
            const bool inside = s2 > 0.0f && s2 < s1 && slope > best;
            best = inside ? slope : best;
            a = inside ? 2 * axis : a;
            b = inside ? 2 * (k >> 1) + 1 : b;
            share = inside ? s2 / (s1 > 1.0f ? s1 : 1.0f) : share;
        }
        steepness[x] = sqrtf(best);
        drop[x] = here - lowest;
        code[x] = a | b << 4 | (int32_t)(share * 256.0f) << 8;
    }
}

// 1 - exp(-x) for x >= 0 without cancellation.
static inline float parcel_routes_saturate(float x)
{
    const float exact = 1.0f - wadi_expf(-x);
    return x < 0.01f ? x * (1.0f - 0.5f * x) : exact;
}

// Detachment E = K q^m S^n and deposition D = G (a / A) x load (Davy & Lague 2009), per batch and
// cell. A cell may lose a share of its drop only, which keeps it above its lowest neighbour.
static inline void parcel_routes_rates(const parcel_row* row, int32_t begin, int32_t n,
                                       const float* restrict steepness,
                                       const int32_t* restrict drop, bool linear)
{
    const parcel_rate_constants c = *row->constants;
    const int32_t* restrict r = row->route_surface + begin;
    const int32_t* restrict h = row->surface + begin;
    const int32_t* restrict loose = row->loose + begin;
    const float* restrict flow = row->flow + begin;
    float* restrict discharge = row->discharge + begin;
    float* restrict settle = row->settle + begin;
    int32_t* restrict pick = row->pick + begin;
    int32_t* restrict cap = row->cap + begin;

#pragma omp simd
    for (int32_t x = 0; x < n; ++x)
    {
        float q = discharge[x] + c.mean_rate * (flow[x] - discharge[x]);
        q = q > 1e-3f ? q : 1e-3f;
        discharge[x] = q;

        const int32_t depth = r[x] - h[x];
        const bool wet = depth > c.wet_depth;
        const float fall = (float)drop[x];
        const float slope = steepness[x] * c.slope_scale;
        const float slope_power = linear ? slope : wadi_powf(slope + 1e-20f, c.n);
        const float rock = c.pick_scale * wadi_powf(q, c.m) * slope_power;
        const float limit = c.incision_limit * fall + 1.0f;
        const float from_rock = limit * parcel_routes_saturate(rock / limit);
        const float from_loose = limit * parcel_routes_saturate(c.loose_factor * rock / limit);

        // loose matter first; rock erodes in the remaining time
        const float have = (float)loose[x];
        const float part = 1.0f - have / (from_loose + 1.0f);
        const float both = have + part * from_rock;
        float want = have < from_loose ? both : from_loose;
        want = want < limit ? want : limit;
        pick[x] = wet ? 0 : (int32_t)want;

        settle[x] = parcel_routes_saturate((wet ? c.lake_settling : c.settling) / q);
        const float share = c.lake_share * (float)depth;
        const float wet_cap = share < c.lake_cap ? share : c.lake_cap;
        cap[x] = (int32_t)(wet ? wet_cap : c.deposit_limit * fall);
    }
}

static inline void parcel_routes_store(const parcel_row* row, int32_t begin, int32_t n,
                                       const int32_t* restrict code)
{
    const int32_t* restrict r = row->route_surface + begin;
    const int32_t* restrict h = row->surface + begin;
    const int32_t wet_depth = row->constants->wet_depth;
    parcel_route* restrict route = row->route + begin;
    uint8_t* restrict wet = row->wet + begin;
    for (int32_t x = 0; x < n; ++x)
    {
        route[x] = (parcel_route)code[x];
        wet[x] = r[x] - h[x] > wet_depth ? 1 : 0;
    }
}

static void parcel_routes_kernel(const parcel_row* row)
{
    enum
    {
        CHUNK = 256 // cells: three rows and the buffers stay in L1
    };
    float steepness[CHUNK];
    int32_t drop[CHUNK];
    int32_t code[CHUNK];
    for (int32_t begin = 0; begin < row->count; begin += CHUNK)
    {
        const int32_t n = begin + CHUNK < row->count ? CHUNK : row->count - begin;
        parcel_routes_descent(row, begin, n, steepness, drop, code);
        if (row->constants->slope_is_linear)
        {
            parcel_routes_rates(row, begin, n, steepness, drop, true);
        }
        else
        {
            parcel_routes_rates(row, begin, n, steepness, drop, false);
        }
        parcel_routes_store(row, begin, n, code);
    }
}
