// SPDX-License-Identifier: MIT
// Shelter. A skyline falls downwind from every obstacle at a fixed angle, and cells below it are
// sheltered. Two skylines are kept, for the angles where shelter begins and where it is complete.
//
// A skyline is a running maximum along the wind, computed by doubling: level k looks 2^k cells
// upwind,
//     E <- max(E(p), E(p - 2^k s) - 2^k |s| tan angle).
// After k levels it covers 2^k - 1 cells upwind and, from an initial level of half a step, the
// points half-way between. A step s is one cell along the main axis of the wind and lies between
// two cells across it, so the direction is exact at every azimuth, and a skyline is interpolated
// once per level at most, not at every cell as in a sweep. No pass depends on order: shifting the
// ground along periodic edges shifts the skyline.
//
// Where relief deflects the wind, each cell looks upwind along its own wind, and from there along
// the wind at that point: a polyline in place of the streamline.
#include "laws/wind/airflow_window.h"
#include "laws/wind/wind_heading.h"

#include <math.h>
#include <string.h>

// [m] height of no obstacle
static const float lee_nothing = -1e30f;

// Offsets from a cell to the two upwind cells between which the wind comes from.
typedef struct lee_step
{
    int32_t dx0, dy0;
    int32_t dx1, dy1;
    float share; // of the second
    float way;   // [m]
} lee_step;

typedef struct lee_job
{
    wadi_airflow* flow;
    const skyline* from;
    const skyline* to;
    wadi_owned area; // the cells of a level
    int32_t reach;   // [cells] along the wind's main axis
    float begin;     // tangents of the two angles
    float full;
    lee_step straight; // of all cells
} lee_job;

// Step of `reach` whole cells along the main axis of a wind along (wx, wy).
static lee_step lee_step_of(const lee_job* job, float wx, float wy)
{
    const float ax = fabsf(wx);
    const float ay = fabsf(wy);
    const bool along_x = ax >= ay;
    const float larger = along_x ? ax : ay;
    const int32_t main = (along_x ? wx : wy) > 0.0f ? -job->reach : job->reach;
    const float off = (float)main * (along_x ? wy / wx : wx / wy);
    const int32_t side = (int32_t)floorf(off);
    const float length = sqrtf(ax * ax + ay * ay) / larger;
    return (lee_step){.dx0 = along_x ? main : side,
                      .dy0 = along_x ? side : main,
                      .dx1 = along_x ? main : side + 1,
                      .dy1 = along_x ? side + 1 : main,
                      .share = off - (float)side,
                      .way = (float)job->reach * (float)job->flow->ground->cell_size * length};
}

// ---- where it begins ---------------------------------------------------------------------------

// Tops of a row with a halo of one cell; beyond an open edge the edge is repeated.
static void lee_read(const wadi_airflow* flow, int32_t y, float* out)
{
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    const int32_t inside = y < 0 ? 0 : y < height ? y : height - 1;
    wadi_airflow_tops(flow, flow->wrap_y ? (y + height) % height : inside, out);
    out[-1] = flow->wrap_x ? out[width - 1] : out[0];
    out[width] = flow->wrap_x ? out[0] : out[width - 1];
}

// Initial skyline, which covers half a step upwind. Without it sand that is rough from cell to cell
// shelters itself along the axes, where a whole step is one cell, and hardly at 45 degrees, where
// it is 1.4: dunes of slabs were a tenth narrower there.
static void lee_glance_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const lee_job* job = user;
    wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    lee_read(flow, begin - 1, airflow_scratch(flow, worker, (begin + 2) % 3));
    lee_read(flow, begin, airflow_scratch(flow, worker, begin % 3));
    for (int32_t y = begin; y < end; ++y)
    {
        lee_read(flow, y + 1, airflow_scratch(flow, worker, (y + 1) % 3));
        const int64_t first = (int64_t)y * width;
        const glance_row row = {.count = width,
                                .x = flow->x + first,
                                .y = flow->y + first,
                                .here = airflow_scratch(flow, worker, y % 3),
                                .north = airflow_scratch(flow, worker, (y + 2) % 3),
                                .south = airflow_scratch(flow, worker, (y + 1) % 3),
                                .cell = (float)flow->ground->cell_size,
                                .begin = job->begin,
                                .full = job->full,
                                .out = airflow_skyline_at(job->to, first)};
        flow->kernels->glance(&row);
        if (!flow->tops_given)
        {
            wadi_airflow_range(row.here, width, &flow->rows[y]);
        }
    }
}

// ---- one direction -----------------------------------------------------------------------------

static void lee_copy(const float* from, int32_t count, float* out)
{
    memcpy(out, from, (size_t)count * sizeof *out);
}

static void lee_blank(int32_t begin, int32_t end, float* out)
{
    for (int32_t x = begin; x < end; ++x)
    {
        out[x] = lee_nothing;
    }
}

// Rotate a row with periodic ends: out[x] = row[x + dx].
static void lee_rotate(const float* row, int32_t width, int32_t dx, float* out)
{
    const int32_t shift = (dx % width + width) % width;
    lee_copy(row + shift, width - shift, out);
    lee_copy(row, shift, out + width - shift);
}

static int32_t lee_clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

// The columns of the job's area of a shifted row: out[x - area.x] = row[x + dx].
static void lee_shift(const lee_job* job, const float* row, int32_t dx, float* out)
{
    const int32_t width = job->flow->ground->width;
    const wadi_owned* area = &job->area;
    if (job->flow->wrap_x)
    {
        lee_rotate(row, width, dx, out);
        return;
    }
    const int32_t begin = lee_clamp(-dx, area->x, area->end_x);
    const int32_t end = lee_clamp(width - dx, area->x, area->end_x);
    lee_blank(0, begin - area->x, out);
    lee_copy(row + begin + dx, end - begin, out + begin - area->x);
    lee_blank(end - area->x, area->end_x - area->x, out);
}

// Are the columns of the job's area on the grid after a shift?
static bool lee_is_inside(const lee_job* job, int32_t dx)
{
    return !job->flow->wrap_x && job->area.x + dx >= 0 &&
           job->area.end_x + dx <= job->flow->ground->width;
}

// Skyline at offset (dx, dy) from the cells of row `y` in the job's area; `buffer` holds three
// rows.
static skyline lee_seen(const lee_job* job, int32_t y, int32_t dx, int32_t dy, float* buffer)
{
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    const int32_t row = flow->wrap_y ? ((y + dy) % height + height) % height : y + dy;
    const skyline out = {buffer, buffer + width, buffer + 2 * (ptrdiff_t)width};
    if (row < 0 || row >= height)
    {
        lee_blank(0, 3 * width, buffer);
        return out;
    }
    if (lee_is_inside(job, dx))
    {
        return airflow_skyline_at(job->from, (int64_t)row * width + job->area.x + dx);
    }
    const skyline from = airflow_skyline_at(job->from, (int64_t)row * width);
    lee_shift(job, from.begin, dx, out.begin);
    lee_shift(job, from.way, dx, out.way);
    lee_shift(job, from.full, dx, out.full);
    return out;
}

static void lee_straight_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const lee_job* job = user;
    const lee_step* step = &job->straight;
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    float* buffer = flow->shifted + AIRFLOW_SHIFTED * (int64_t)worker * width;
    for (int32_t y = job->area.y + begin; y < job->area.y + end; ++y)
    {
        const int64_t first = (int64_t)y * width + job->area.x;
        const skyline_row row = {
            .count = job->area.end_x - job->area.x,
            .own = airflow_skyline_at(job->from, first),
            .near = lee_seen(job, y, step->dx0, step->dy0, buffer),
            .far = lee_seen(job, y, step->dx1, step->dy1, buffer + 3 * (ptrdiff_t)width),
            .share = step->share,
            .fall_begin = job->begin * step->way,
            .fall_full = job->full * step->way,
            .way = step->way,
            .out = airflow_skyline_at(job->to, first)};
        flow->kernels->skyline(&row);
    }
}

// ---- many directions ---------------------------------------------------------------------------

static void lee_bent_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const lee_job* job = user;
    const wadi_airflow* flow = job->flow;
    const wadi_ground* ground = flow->ground;
    for (int32_t y = job->area.y + begin; y < job->area.y + end; ++y)
    {
        const int64_t first = (int64_t)y * ground->width;
        const trace_row row = {.x = flow->x + first,
                               .y = flow->y + first,
                               .row = y,
                               .width = ground->width,
                               .height = ground->height,
                               .turn_x = flow->wrap_x ? ground->width : 0,
                               .turn_y = flow->wrap_y ? ground->height : 0,
                               .reach = job->reach,
                               .cell = (float)ground->cell_size,
                               .begin = job->begin,
                               .full = job->full,
                               .from = *job->from,
                               .own = airflow_skyline_at(job->from, first),
                               .out = airflow_skyline_at(job->to, first)};
        flow->kernels->trace(&row);
    }
}

// ---- all levels --------------------------------------------------------------------------------

// Longest shelter of the tops of the grid [cells].
static double lee_longest(const wadi_airflow* flow)
{
    if (flow->tops_given)
    {
        return flow->lee;
    }
    float low = 1e30f;
    float high = -1e30f;
    for (int32_t y = 0; y < flow->ground->height; ++y)
    {
        low = fminf(low, flow->rows[y].low);
        high = fmaxf(high, flow->rows[y].high);
    }
    return wadi_airflow_lee_longest(flow, low, high);
}

typedef struct lee_end
{
    wadi_airflow* flow;
    const skyline* sky;
    float span; // difference of the tangents of the two angles
    wadi_owned kept;
} lee_end;

static void lee_end_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const lee_end* job = user;
    wadi_airflow* flow = job->flow;
    const wadi_owned* kept = &job->kept;
    float* top = airflow_scratch(flow, worker, 0);
    for (int32_t y = kept->y + begin; y < kept->y + end; ++y)
    {
        const int64_t first = (int64_t)y * flow->ground->width + kept->x;
        const skyline sky = airflow_skyline_at(job->sky, first);
        wadi_airflow_tops(flow, y, top);
        flow->kernels->shelter(&sky, top + kept->x, job->span, kept->end_x - kept->x,
                               flow->shelter + first);
    }
}

// The cells whose shelter is wanted.
static wadi_owned lee_kept(const wadi_airflow* flow)
{
    return flow->tops_given ? flow->kept
                            : (wadi_owned){0, 0, flow->ground->width, flow->ground->height};
}

// The cells that a level must compute: those at which later levels look from the kept ones.
static wadi_owned lee_area(const lee_job* job, double longest)
{
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    const wadi_owned kept = lee_kept(flow);
    int32_t margin[WADI_SIDE_COUNT];
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        margin[side] = wadi_airflow_lee_margin(&flow->upwind, (wadi_side)side,
                                               2 * (int64_t)job->reach, longest);
    }
    return (wadi_owned){.x = lee_clamp(kept.x - margin[WADI_SIDE_WEST], 0, width),
                        .y = lee_clamp(kept.y - margin[WADI_SIDE_NORTH], 0, height),
                        .end_x = lee_clamp(kept.end_x + margin[WADI_SIDE_EAST], 0, width),
                        .end_y = lee_clamp(kept.end_y + margin[WADI_SIDE_SOUTH], 0, height)};
}

// All levels of the doubling, from skyline[0]; returns the index of the final one.
static int32_t lee_double(lee_job* job, const wind_heading* to)
{
    wadi_airflow* flow = job->flow;
    const bool straight = wadi_airflow_lee_is_straight(flow);
    const double longest = lee_longest(flow);
    int32_t now = 0;
    for (job->reach = 1; job->reach <= longest; job->reach *= 2, now = 1 - now)
    {
        job->from = &flow->skyline[now];
        job->to = &flow->skyline[1 - now];
        job->straight = lee_step_of(job, to->x, to->y);
        job->area = lee_area(job, longest);
        wadi_parallel_rows(flow->context, job->area.end_y - job->area.y, AIRFLOW_GRAIN,
                           straight ? lee_straight_rows : lee_bent_rows, job);
    }
    return now;
}

wadi_result wadi_airflow_lee(wadi_airflow* flow, double direction)
{
    if (flow->window != NULL)
    {
        return wadi_airflow_window_lee(flow, direction);
    }
    const wind_heading to = wadi_wind_heading(direction);
    lee_job job = {.flow = flow,
                   .to = &flow->skyline[0],
                   .begin = (float)wadi_airflow_tangent(flow->law.lee_begin),
                   .full = (float)wadi_airflow_tangent(flow->law.lee_full)};
    wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN, lee_glance_rows, &job);
    const int32_t last = lee_double(&job, &to);
    const wadi_owned kept = lee_kept(flow);
    lee_end end = {flow, &flow->skyline[last], job.full - job.begin, kept};
    wadi_parallel_rows(flow->context, kept.end_y - kept.y, AIRFLOW_GRAIN, lee_end_rows, &end);
    return WADI_OK;
}
