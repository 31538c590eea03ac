// SPDX-License-Identifier: MIT
// The row kernels themselves: included by airflow_kernels_*.c, one per instruction set.
#include "airflow/airflow_kernels.h"

#include <math.h>

// ---- smoothing ---------------------------------------------------------------------------------

// The cubic B-spline, 1 4 6 4 1 over 16.
static inline float kernel_spline(float a, float b, float c, float d, float e)
{
    return 0.375f * c + 0.25f * (b + d) + 0.0625f * (a + e);
}

static void kernel_across(const float* const rows[AIRFLOW_TAPS], int32_t count, float* restrict out)
{
    const float* restrict a = rows[0];
    const float* restrict b = rows[1];
    const float* restrict c = rows[2];
    const float* restrict d = rows[3];
    const float* restrict e = rows[4];
    for (int32_t i = 0; i < count; ++i)
    {
        out[i] = kernel_spline(a[i], b[i], c[i], d[i], e[i]);
    }
}

static void kernel_along(const float* restrict row, ptrdiff_t spacing, int32_t count,
                         float* restrict out)
{
    for (int32_t i = 0; i < count; ++i)
    {
        out[i] = kernel_spline(row[i - 2 * spacing], row[i - spacing], row[i], row[i + spacing],
                               row[i + 2 * spacing]);
    }
}

// ---- warping -----------------------------------------------------------------------------------

static inline float kernel_clamp(float value, float low, float high)
{
    value = value < low ? low : value;
    return value > high ? high : value;
}

// A wind that meets a slope head on, within this sine of straight, parts less and less: it has no
// side to turn to, and its neighbours turn to both. (10 degrees)
static const float kernel_head_on = 0.17364818f;

// What a scale makes of a wind along (ex, ey): less of it the steeper the ground, and a part along
// the contours on the side that it blows to. Slopes count up to 1, and a fifth of the wind goes
// straight on whatever stands in its way.
static inline void kernel_turn(const warp_row* r, int32_t scale, int32_t i, float pace, float* x,
                               float* y)
{
    const float gx = (r->here[scale][i + 1] - r->here[scale][i - 1]) * r->slope;
    const float gy = (r->south[scale][i] - r->north[scale][i]) * r->slope_y;
    const float slope = sqrtf(gx * gx + gy * gy);
    const float scarce = slope > 1e-12f ? slope : 1e-12f;
    const float tx = -gy / scarce;
    const float ty = gx / scarce;
    const float side = kernel_clamp((r->ex * tx + r->ey * ty) / kernel_head_on, -1.0f, 1.0f);
    const float less = slope < 0.8f ? slope : 0.8f;
    const float bound = slope < 1.0f ? slope : 1.0f;
    const float along = less * bound * side * r->turn[scale] * pace;
    *x += r->weight[scale] * ((1.0f - less) * r->ex + along * tx);
    *y += r->weight[scale] * ((1.0f - less) * r->ey + along * ty);
}

static float kernel_warp(const warp_row* row)
{
    const warp_row r = *row;
    float most = 0.0f;
#pragma omp simd reduction(max : most)
    for (int32_t i = 0; i < r.count; ++i)
    {
        const float gain = kernel_clamp(1.0f + r.speedup * r.height[i], r.least, r.most);
        float x = 0.0f;
        float y = 0.0f;
        kernel_turn(&r, 0, i, 1.0f / gain, &x, &y);
        kernel_turn(&r, 1, i, 1.0f / gain, &x, &y);
        const float to = r.speed * gain / sqrtf(x * x + y * y);
        r.x[i] = x * to;
        r.y[i] = y * to;
        const float cross = (x * r.ey - y * r.ex) * to / (r.speed * gain);
        const float turn = cross < 0.0f ? -cross : cross;
        most = turn > most ? turn : most;
    }
    return most;
}

// ---- shelter -----------------------------------------------------------------------------------

static inline float kernel_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float kernel_between(float near, float far, float share)
{
    return near + share * (far - near);
}

static void kernel_skyline(const skyline_row* row)
{
    const skyline_row r = *row;
    float* restrict begin = r.out.begin;
    float* restrict way = r.out.way;
    float* restrict full = r.out.full;
    for (int32_t i = 0; i < r.count; ++i)
    {
        const float seen = kernel_between(r.near.begin[i], r.far.begin[i], r.share) - r.fall_begin;
        const float to = kernel_between(r.near.way[i], r.far.way[i], r.share) + r.way;
        const float whole = kernel_between(r.near.full[i], r.far.full[i], r.share) - r.fall_full;
        begin[i] = kernel_larger(r.own.begin[i], seen);
        way[i] = seen > r.own.begin[i] ? to : r.own.way[i];
        full[i] = kernel_larger(r.own.full[i], whole);
    }
}

static void kernel_shelter(const skyline* sky, const float* restrict top, float span, int32_t count,
                           float* restrict out)
{
    const float* restrict begin = sky->begin;
    const float* restrict way = sky->way;
    const float* restrict full = sky->full;
    for (int32_t i = 0; i < count; ++i)
    {
        // what stands `way` off is seen at the tangent of the first angle and over / way more
        const float over = begin[i] - top[i];
        const float steeper = over > 0.0f ? over / (kernel_larger(way[i], 1e-6f) * span) : 0.0f;
        const float share = full[i] > top[i] ? 1.0f : steeper;
        out[i] = share < 1.0f ? share : 1.0f;
    }
}
