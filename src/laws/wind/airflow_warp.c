// SPDX-License-Identifier: MIT
// The regional wind, accelerated with height and deflected along the contours of smoothed ground.
//
// Where the article is open, it is read as follows. Height is relative to the mean ground,
// otherwise a plain at 1000 m would have six times the wind. The turning speeds (30 and 5) are in
// m/s, so a storm crosses hills that a breeze flows around. The smoothed slope is capped at 1. The
// deflected wind keeps its speed.
#include "laws/wind/airflow_internal.h"
#include "laws/wind/wind_heading.h"

#include <string.h>

enum
{
    WARP_LANES = 16 // cells of the longest vector
};

typedef struct warp_job
{
    wadi_airflow* flow;
    float* x;
    float* y;
    warp_row row; // members shared by all rows
} warp_job;

// Index of the row beside `y`; beyond an open edge, `y` itself.
static int32_t warp_beside(const wadi_airflow* flow, int32_t y, int32_t step)
{
    const int32_t height = flow->ground->height;
    const int32_t to = y + step;
    return to >= 0 && to < height ? to : flow->wrap_y ? (to + height) % height : y;
}

// A row with a halo of one cell, extrapolated linearly at open edges for centred differences.
static const float* warp_extended(const wadi_airflow* flow, const float* row, float* out)
{
    const int32_t last = flow->ground->width - 1;
    memcpy(out, row, (size_t)flow->ground->width * sizeof *out);
    const float before = last > 0 ? row[1] : row[0];
    const float after = last > 0 ? row[last - 1] : row[0];
    out[-1] = flow->wrap_x ? row[last] : 2.0f * row[0] - before;
    out[last + 1] = flow->wrap_x ? row[0] : 2.0f * row[last] - after;
    return out;
}

// A row in whole vectors: the last one computes some cells again, which takes less time than to
// compute the rest one by one. In a window of 186 cells those are 10 in each row.
static float warp_row_of(const wadi_airflow* flow, const warp_row* row)
{
    const int32_t rest = row->count % WARP_LANES;
    if (rest == 0 || row->count < WARP_LANES)
    {
        return flow->kernels->warp(row);
    }
    const int32_t skip = row->count - WARP_LANES;
    warp_row first = *row;
    warp_row last = *row;
    first.count = row->count - rest;
    last.count = WARP_LANES;
    for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
    {
        last.here[s] += skip;
        last.north[s] += skip;
        last.south[s] += skip;
    }
    last.height += skip;
    last.x += skip;
    last.y += skip;
    const float turned[] = {flow->kernels->warp(&first), flow->kernels->warp(&last)};
    return turned[0] > turned[1] ? turned[0] : turned[1];
}

static void warp_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const warp_job* job = user;
    wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    for (int32_t y = begin; y < end; ++y)
    {
        flow->rows[y].turned = 0.0f;
        if (y < owned.y || y >= owned.end_y)
        {
            continue;
        }
        const int64_t first = (int64_t)y * width + owned.x;
        const int32_t north = warp_beside(flow, y, -1);
        const int32_t south = warp_beside(flow, y, 1);
        warp_row row = job->row;
        for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
        {
            const float* smooth = flow->smooth[s];
            const float* here = smooth + (int64_t)y * width;
            row.here[s] = warp_extended(flow, here, airflow_scratch(flow, worker, s)) + owned.x;
            row.north[s] = smooth + (int64_t)north * width + owned.x;
            row.south[s] = smooth + (int64_t)south * width + owned.x;
        }
        row.slope_y = north == y || south == y ? 2.0f * row.slope : row.slope;
        row.height = flow->height + first;
        row.x = job->x + first;
        row.y = job->y + first;
        flow->rows[y].turned = warp_row_of(flow, &row);
    }
}

float wadi_airflow_warp(wadi_airflow* flow, const airflow_wind* wind, float* x, float* y)
{
    const airflow_law* law = &flow->law;
    const wind_heading to = wadi_wind_heading(wind->direction);
    const double pace = law->warp / wind->speed;
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    warp_job job = {
        .flow = flow,
        .x = x,
        .y = y,
        .row = {
            .count = owned.end_x - owned.x,
            .weight = {(float)law->warp_wide_share, (float)(1.0 - law->warp_wide_share)},
            .turn = {(float)(law->warp_wide_turn * pace), (float)(law->warp_narrow_turn * pace)},
            .slope = (float)(0.5 / flow->ground->cell_size),
            .ex = to.x,
            .ey = to.y,
            .speed = (float)wind->speed,
            .speedup = (float)law->speedup,
            .least = (float)(1.0 / law->speedup_limit),
            .most = (float)law->speedup_limit}};
    wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN, warp_rows, &job);
    float turned = 0.0f;
    for (int32_t row = 0; row < flow->ground->height; ++row)
    {
        turned = flow->rows[row].turned > turned ? flow->rows[row].turned : turned;
    }
    return turned;
}
