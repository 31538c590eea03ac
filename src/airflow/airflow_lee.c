// SPDX-License-Identifier: MIT
// Shelter: a skyline falls downwind from everything that stands out, and what lies below it has
// less wind. Two skylines are kept, at the angles where shelter begins and where it is whole.
//
// The skyline is a running maximum along the wind, made by doubling: level k looks 2^k cells
// upwind,
//     E <- max(E(p), E(p - 2^k s) - 2^k |s| tan angle),
// so that after k levels 2^k - 1 cells upwind have been seen. A step s is one cell along the axis
// that the wind follows more, and between two cells along the other: the direction is exact at
// every azimuth, and a skyline is interpolated at most once a level, not at every cell of its way
// as in a sweep. Nothing has an order, so a rolled torus gives a rolled skyline.
//
// Where relief turns the wind, each cell looks upwind along its own wind, and from where that lands
// along the wind there: a broken line in place of the streamline.
#include "airflow/airflow_internal.h"
#include "airflow/wind_heading.h"
#include "core/dmath.h"

#include <math.h>
#include <string.h>

// [m] Nothing stands there.
static const float lee_nothing = -1e30f;

// A turn that shifts no shelter by a cell over 57 of them: one direction will do.
static const float lee_straight = 0.0174524f; // sine of a degree

// From a cell to the two upwind between which a wind comes from.
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
    int32_t reach; // [cells] along the wind's main axis
    float begin;   // tangents of the two angles
    float full;
    lee_step straight; // of all cells
} lee_job;

static double lee_tangent(double degrees)
{
    const double angle = degrees * (3.14159265358979323846 / 180.0);
    return wadi_sin(angle) / wadi_cos(angle);
}

// Along the axis that a wind along (wx, wy) follows more it is `reach` whole cells.
static inline lee_step lee_step_of(const lee_job* job, float wx, float wy)
{
    const float ax = fabsf(wx);
    const float ay = fabsf(wy);
    const bool along_x = ax >= ay;
    const float larger = along_x ? ax : ay;
    const int32_t main = (along_x ? wx : wy) > 0.0f ? -job->reach : job->reach;
    const float off = (float)main * (along_x ? wy / wx : wx / wy);
    const int32_t side = (int32_t)(off + 65536.0f) - 65536; // a floor: off lies within the grid
    const float length = sqrtf(ax * ax + ay * ay) / larger;
    return (lee_step){.dx0 = along_x ? main : side,
                      .dy0 = along_x ? side : main,
                      .dx1 = along_x ? main : side + 1,
                      .dy1 = along_x ? side + 1 : main,
                      .share = off - (float)side,
                      .way = (float)job->reach * (float)job->flow->ground->cell_size * length};
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

// A row whose place x is place x + dx of another.
static void lee_shift(const wadi_airflow* flow, const float* row, int32_t dx, float* out)
{
    const int32_t width = flow->ground->width;
    if (flow->wrap_x)
    {
        const int32_t shift = (dx % width + width) % width;
        lee_copy(row + shift, width - shift, out);
        lee_copy(row, shift, out + width - shift);
        return;
    }
    const int32_t shift = dx < -width ? -width : dx > width ? width : dx;
    const int32_t begin = shift < 0 ? -shift : 0;
    const int32_t end = shift < 0 ? width : width - shift;
    lee_blank(0, begin, out);
    lee_copy(row + begin + shift, end - begin, out + begin);
    lee_blank(end, width, out);
}

// What stands (dx, dy) from the cells of row `y`; `room` takes three rows.
static skyline lee_seen(const lee_job* job, int32_t y, int32_t dx, int32_t dy, float* room)
{
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    const int32_t row = flow->wrap_y ? ((y + dy) % height + height) % height : y + dy;
    const skyline out = {room, room + width, room + 2 * (ptrdiff_t)width};
    if (row < 0 || row >= height)
    {
        lee_blank(0, 3 * width, room);
        return out;
    }
    const skyline from = airflow_skyline_at(job->from, (int64_t)row * width);
    lee_shift(flow, from.begin, dx, out.begin);
    lee_shift(flow, from.way, dx, out.way);
    lee_shift(flow, from.full, dx, out.full);
    return out;
}

static void lee_straight_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const lee_job* job = user;
    const lee_step* step = &job->straight;
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    float* room = flow->shifted + AIRFLOW_SHIFTED * (int64_t)worker * width;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * width;
        const skyline_row row = {
            .count = width,
            .own = airflow_skyline_at(job->from, first),
            .near = lee_seen(job, y, step->dx0, step->dy0, room),
            .far = lee_seen(job, y, step->dx1, step->dy1, room + 3 * (ptrdiff_t)width),
            .share = step->share,
            .fall_begin = job->begin * step->way,
            .fall_full = job->full * step->way,
            .way = step->way,
            .out = airflow_skyline_at(job->to, first)};
        flow->kernels->skyline(&row);
    }
}

// ---- many directions ---------------------------------------------------------------------------

static inline int32_t lee_wrap(int32_t index, int32_t count)
{
    // one turn is the usual case, and spares the division
    index = index < 0 ? index + count : index >= count ? index - count : index;
    return index >= 0 && index < count ? index : (index % count + count) % count;
}

// The cell at (x, y), or -1.
static inline int64_t lee_cell(const wadi_airflow* flow, int32_t x, int32_t y)
{
    const wadi_ground* ground = flow->ground;
    x = flow->wrap_x ? lee_wrap(x, ground->width) : x;
    y = flow->wrap_y ? lee_wrap(y, ground->height) : y;
    const bool inside = x >= 0 && x < ground->width && y >= 0 && y < ground->height;
    return inside ? (int64_t)y * ground->width + x : -1;
}

static inline float lee_between(const float* values, int64_t near, int64_t far, float share)
{
    return values[near] + share * (values[far] - values[near]);
}

static inline void lee_look(const lee_job* job, int32_t x, int32_t y, int64_t cell)
{
    const wadi_airflow* flow = job->flow;
    const skyline* from = job->from;
    const skyline* to = job->to;
    const lee_step step = lee_step_of(job, flow->x[cell], flow->y[cell]);
    const int64_t near = lee_cell(flow, x + step.dx0, y + step.dy0);
    const int64_t far = lee_cell(flow, x + step.dx1, y + step.dy1);
    const bool inside = near >= 0 && far >= 0;
    const float seen = inside
                           ? lee_between(from->begin, near, far, step.share) - job->begin * step.way
                           : lee_nothing;
    const float full = inside
                           ? lee_between(from->full, near, far, step.share) - job->full * step.way
                           : lee_nothing;
    const bool higher = seen > from->begin[cell];
    to->begin[cell] = higher ? seen : from->begin[cell];
    to->way[cell] =
        higher ? lee_between(from->way, near, far, step.share) + step.way : from->way[cell];
    to->full[cell] = full > from->full[cell] ? full : from->full[cell];
}

static void lee_bent_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const lee_job* job = user;
    const int32_t width = job->flow->ground->width;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            lee_look(job, x, y, (int64_t)y * width + x);
        }
    }
}

// ---- all levels --------------------------------------------------------------------------------

// How far the highest skyline reaches before it is below the lowest ground, and no farther than the
// grid does [cells].
static double lee_longest(const wadi_airflow* flow)
{
    float low = 1e30f;
    float high = -1e30f;
    for (int32_t y = 0; y < flow->ground->height; ++y)
    {
        low = fminf(low, flow->rows[y].low);
        high = fmaxf(high, flow->rows[y].high);
    }
    const double cells =
        (double)(high - low) / (lee_tangent(flow->law.lee_begin) * flow->ground->cell_size);
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    const double longest = width > height ? width : height;
    return cells < longest ? cells : longest;
}

typedef struct lee_end
{
    wadi_airflow* flow;
    const skyline* sky;
    float span; // difference of the tangents of the two angles
} lee_end;

static void lee_end_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const lee_end* job = user;
    wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    float* top = airflow_scratch(flow, worker, 0);
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * width;
        const skyline sky = airflow_skyline_at(job->sky, first);
        airflow_tops(flow, y, top);
        flow->kernels->shelter(&sky, top, job->span, width, flow->shelter + first);
    }
}

void airflow_lee(wadi_airflow* flow, double direction, float turned)
{
    const bool straight = turned < lee_straight;
    const wind_heading to = wadi_wind_heading(direction);
    const double longest = lee_longest(flow);
    const float begin = (float)lee_tangent(flow->law.lee_begin);
    const float full = (float)lee_tangent(flow->law.lee_full);
    int32_t now = 0;
    for (int32_t reach = 1; reach <= longest; reach *= 2, now = 1 - now)
    {
        lee_job job = {.flow = flow,
                       .from = &flow->skyline[now],
                       .to = &flow->skyline[1 - now],
                       .reach = reach,
                       .begin = begin,
                       .full = full};
        job.straight = lee_step_of(&job, to.x, to.y);
        wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN,
                           straight ? lee_straight_rows : lee_bent_rows, &job);
    }
    lee_end end = {flow, &flow->skyline[now], full - begin};
    wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN, lee_end_rows, &end);
}
