// SPDX-License-Identifier: MIT
#include "core/float_order.h"
#include "laws/wind/airflow_kernels.h"

#include <math.h>
#include <stdbool.h>

// ---- heights -----------------------------------------------------------------------------------

static void kernel_tops(const float* restrict height, const uint16_t* restrict plants,
                        const uint8_t* restrict valid, float metres, int32_t count,
                        float* restrict out)
{
    const float each = metres / 65535.0f;
    for (int32_t i = 0; i < count; ++i)
    {
        // a void casts no shelter
        out[i] = height[i] + each * (float)plants[i] - (valid[i] != 0 ? 0.0f : 1e30f);
    }
}

// ---- smoothing ---------------------------------------------------------------------------------

static inline float kernel_taps(const smooth_taps* t, float a, float b, float c, float d, float e)
{
    return t->middle * c + t->near * (b + d) + t->far * (a + e);
}

static void kernel_across(const float* const rows[AIRFLOW_TAPS], smooth_taps taps, int32_t count,
                          float* restrict out)
{
    const float* restrict a = rows[0];
    const float* restrict b = rows[1];
    const float* restrict c = rows[2];
    const float* restrict d = rows[3];
    const float* restrict e = rows[4];
    for (int32_t i = 0; i < count; ++i)
    {
        out[i] = kernel_taps(&taps, a[i], b[i], c[i], d[i], e[i]);
    }
}

static void kernel_along(const float* restrict row, smooth_taps taps, ptrdiff_t spacing,
                         int32_t count, float* restrict out)
{
    for (int32_t i = 0; i < count; ++i)
    {
        out[i] = kernel_taps(&taps, row[i - 2 * spacing], row[i - spacing], row[i],
                             row[i + spacing], row[i + 2 * spacing]);
    }
}

// ---- warping -----------------------------------------------------------------------------------

static inline float kernel_clamp(float value, float low, float high)
{
    value = value < low ? low : value;
    return value > high ? high : value;
}

// Sine of 10 degrees. Within this angle of the slope's direction the deflection fades to zero: a
// wind that meets a slope head on has no preferred side.
static const float kernel_head_on = 0.17364818f;

// Contribution of one scale to a wind along (ex, ey): the steeper the ground, the more of the wind
// is replaced by a part along the contours, to the side it already tends to. The slope is capped at
// 1, and at least a fifth of the wind keeps its direction.
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
    int32_t most = 0; // in the order of floats
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
        const int32_t turn = wadi_order_of_float(cross < 0.0f ? -cross : cross);
        most = turn > most ? turn : most;
    }
    return wadi_float_of_order(most);
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

// Height half a step upwind of cell `i`: the mean of a square of four cell centres that contains
// the cell itself and its upwind neighbour along the wind's main axis.
static inline float kernel_half_step(const glance_row* r, int32_t i, float* way)
{
    const float ax = r->x[i] < 0.0f ? -r->x[i] : r->x[i];
    const float ay = r->y[i] < 0.0f ? -r->y[i] : r->y[i];
    const bool from_east = r->x[i] < 0.0f;
    const bool from_north = r->y[i] > 0.0f;
    const bool along_x = ax >= ay;
    const float larger = kernel_larger(along_x ? ax : ay, 1e-30f);
    const float off = 0.5f * (along_x ? ay : ax) / larger;
    const float in_row = from_east ? r->here[i + 1] : r->here[i - 1];
    const float in_column = from_north ? r->north[i] : r->south[i];
    const float northern = from_east ? r->north[i + 1] : r->north[i - 1];
    const float southern = from_east ? r->south[i + 1] : r->south[i - 1];
    const float corner = from_north ? northern : southern;
    const float near = kernel_between(r->here[i], along_x ? in_column : in_row, off);
    const float far = kernel_between(along_x ? in_row : in_column, corner, off);
    *way = 0.5f * sqrtf(ax * ax + ay * ay) / larger * r->cell;
    return 0.5f * (near + far);
}

static void kernel_glance(const glance_row* row)
{
    const glance_row r = *row;
#pragma omp simd
    for (int32_t i = 0; i < r.count; ++i)
    {
        float way;
        const float own = r.here[i];
        const float top = kernel_half_step(&r, i, &way);
        const float seen = top - r.begin * way;
        r.out.begin[i] = kernel_larger(own, seen);
        r.out.way[i] = seen > own ? way : 0.0f;
        r.out.full[i] = kernel_larger(own, top - r.full * way);
    }
}

static void kernel_skyline(const skyline_row* row)
{
    const skyline_row r = *row;
#pragma omp simd
    for (int32_t i = 0; i < r.count; ++i)
    {
        const float own = r.own.begin[i];
        const float own_way = r.own.way[i];
        const float seen = kernel_between(r.near.begin[i], r.far.begin[i], r.share) - r.fall_begin;
        const float way = kernel_between(r.near.way[i], r.far.way[i], r.share) + r.way;
        const float whole = kernel_between(r.near.full[i], r.far.full[i], r.share) - r.fall_full;
        r.out.begin[i] = kernel_larger(own, seen);
        r.out.way[i] = seen > own ? way : own_way;
        r.out.full[i] = kernel_larger(r.own.full[i], whole);
    }
}

// Upwind positions of a span of cells: the two cells between which their wind comes from.
enum
{
    TRACE_SPAN = 256
};
typedef struct trace_span
{
    int32_t first;
    int32_t count;
    int32_t near_x[TRACE_SPAN];
    int32_t near_y[TRACE_SPAN];
    int32_t far_x[TRACE_SPAN];
    int32_t far_y[TRACE_SPAN];
    int32_t near[TRACE_SPAN]; // index in the grid
    int32_t far[TRACE_SPAN];
    float share[TRACE_SPAN]; // of the far one
    float way[TRACE_SPAN];   // [m]
} trace_span;

// The step is a whole number of cells along the main axis of the wind and lies between two cells
// across it. Returns true if all positions are on the grid.
static bool kernel_aim(const trace_row* row, trace_span* span)
{
    const trace_row r = *row;
    int32_t beyond = 0; // negative: a position is off the grid
#pragma omp simd reduction(| : beyond)
    for (int32_t i = 0; i < span->count; ++i)
    {
        const int32_t column = span->first + i;
        const float x = r.x[column];
        const float y = r.y[column];
        const float ax = x < 0.0f ? -x : x;
        const float ay = y < 0.0f ? -y : y;
        const bool along_x = ax >= ay;
        const float major = along_x ? x : y;
        const float minor = along_x ? y : x;
        const float larger = kernel_larger(along_x ? ax : ay, 1e-30f);
        const float scale = (float)r.reach / larger;
        const float off = -minor * scale;
        const int32_t towards = (int32_t)off;
        const int32_t side = off < (float)towards ? towards - 1 : towards; // a floor
        const int32_t main = major > 0.0f ? -r.reach : r.reach;
        const int32_t near_x = column + (along_x ? main : side);
        const int32_t near_y = r.row + (along_x ? side : main);
        const int32_t far_x = near_x + (along_x ? 0 : 1);
        const int32_t far_y = near_y + (along_x ? 1 : 0);
        beyond |= near_x | near_y | (r.width - 1 - far_x) | (r.height - 1 - far_y);
        span->near_x[i] = near_x;
        span->near_y[i] = near_y;
        span->far_x[i] = far_x;
        span->far_y[i] = far_y;
        span->share[i] = off - (float)side;
        span->way[i] = sqrtf(ax * ax + ay * ay) * scale * r.cell;
    }
    return beyond >= 0;
}

// Wrap positions into [0, count) with period `turn`. With turn = 0 positions off the grid become
// -1.
static void kernel_wrap(int32_t* restrict places, int32_t span, int32_t count, int32_t turn)
{
    const float per_turn = 1.0f / (float)count;
    for (int32_t i = 0; i < span; ++i)
    {
        // rounding of the quotient may be off by one turn, never by two
        const int32_t near = places[i] - turn * (int32_t)((float)places[i] * per_turn);
        const int32_t low = near < 0 ? near + turn : near;
        const int32_t back = low >= count ? low - turn : low;
        places[i] = back < count ? back : -1;
    }
}

// Grid index of each position. Positions off the grid get the index of the cell itself, which never
// shelters itself.
static void kernel_index(const trace_row* row, trace_span* span)
{
    const int32_t width = row->width;
    const int32_t here = row->row * width + span->first;
    for (int32_t i = 0; i < span->count; ++i)
    {
        const int32_t near = span->near_y[i] * width + span->near_x[i];
        const int32_t far = span->far_y[i] * width + span->far_x[i];
        const int32_t sign = span->near_x[i] | span->near_y[i] | span->far_x[i] | span->far_y[i];
        span->near[i] = sign < 0 ? here + i : near;
        span->far[i] = sign < 0 ? here + i : far;
    }
}

static void kernel_update(const trace_row* row, const trace_span* span)
{
    const trace_row r = *row;
    const skyline own = r.own;
    const skyline out = r.out;
    const float* begin = r.from.begin;
    const float* way = r.from.way;
    const float* full = r.from.full;
#pragma omp simd
    for (int32_t i = 0; i < span->count; ++i)
    {
        const int32_t at = span->first + i;
        const int32_t near = span->near[i];
        const int32_t far = span->far[i];
        const float share = span->share[i];
        const float own_begin = own.begin[at];
        const float own_way = own.way[at];
        const float seen = kernel_between(begin[near], begin[far], share) - r.begin * span->way[i];
        const float to = kernel_between(way[near], way[far], share) + span->way[i];
        const float whole = kernel_between(full[near], full[far], share) - r.full * span->way[i];
        out.begin[at] = kernel_larger(own_begin, seen);
        out.way[at] = seen > own_begin ? to : own_way;
        out.full[at] = kernel_larger(own.full[at], whole);
    }
}

static void kernel_wrap_all(const trace_row* row, trace_span* span)
{
    kernel_wrap(span->near_x, span->count, row->width, row->turn_x);
    kernel_wrap(span->far_x, span->count, row->width, row->turn_x);
    kernel_wrap(span->near_y, span->count, row->height, row->turn_y);
    kernel_wrap(span->far_y, span->count, row->height, row->turn_y);
}

static void kernel_trace(const trace_row* row)
{
    trace_span span;
    for (int32_t x = 0; x < row->width; x += TRACE_SPAN)
    {
        span.first = x;
        span.count = row->width - x < TRACE_SPAN ? row->width - x : TRACE_SPAN;
        if (!kernel_aim(row, &span))
        {
            kernel_wrap_all(row, &span);
        }
        kernel_index(row, &span);
        kernel_update(row, &span);
    }
}

static void kernel_shelter(const skyline* sky, const float* restrict top, float span, int32_t count,
                           float* restrict out)
{
    const float* restrict begin = sky->begin;
    const float* restrict way = sky->way;
    const float* restrict full = sky->full;
#pragma omp simd
    for (int32_t i = 0; i < count; ++i)
    {
        // the obstacle at distance `way` has the tangent of the first angle plus over / way
        const float over = begin[i] - top[i];
        const float steeper = over > 0.0f ? over / (kernel_larger(way[i], 1e-6f) * span) : 0.0f;
        const float share = full[i] > top[i] ? 1.0f : steeper;
        out[i] = share < 1.0f ? share : 1.0f;
    }
}

const airflow_kernels WADI_ISA_BUILD(airflow_kernels) = {
    .tops = kernel_tops,
    .across = kernel_across,
    .along = kernel_along,
    .warp = kernel_warp,
    .glance = kernel_glance,
    .skyline = kernel_skyline,
    .trace = kernel_trace,
    .shelter = kernel_shelter,
};
