// SPDX-License-Identifier: MIT
// One sweep along parallel lines for each direction. A line keeps the upper hull of the ground that
// it has passed, on a stack: the horizon is the tangent from the next point to the hull, and points
// below that tangent are never seen again. So a cell costs a few steps at any distance of view
// (Timonen & Westerholm 2010). Lines lie between cells; heights and horizons are interpolated.
#include "maps/render/horizon.h"

#include "core/internal.h"

#include <math.h>

enum
{
    HORIZON_BLOCK = 16 // lines walked side by side: neighbours in memory
};

static const float horizon_none = -1e6f; // tangent where nothing stands before the sky

typedef struct horizon_point
{
    float along; // [cells], from the far end of the line
    float height;
} horizon_point;

typedef struct horizon_job
{
    render_horizon* to;
    horizon_point* hulls; // one stack for each line of a block, for each worker
    int32_t steps;
    int32_t across;   // cells across the lines
    bool towards_end; // the view goes to higher steps
    float length;     // of a step [cells]
} horizon_job;

// Height of the ground on a line, between two cells; NaN outside.
static inline float horizon_ground(const horizon_job* job, int32_t step, int32_t at, float part)
{
    const render_relief* r = job->to->relief;
    if (at < -1 || at >= job->across)
    {
        return NAN;
    }
    const int32_t a = at < 0 ? 0 : at;
    const int32_t b = at + 1 < job->across ? at + 1 : at;
    const ptrdiff_t width = r->width;
    const float za = job->to->steps_down ? r->top[step * width + a] : r->top[a * width + step];
    const float zb = job->to->steps_down ? r->top[step * width + b] : r->top[b * width + step];
    return za + part * (zb - za);
}

// Tangent from `p` to the hull, which loses the points below that tangent and gains `p`.
static inline float horizon_push(horizon_point* hull, int32_t* count, horizon_point p)
{
    int32_t n = *count;
    float rise = horizon_none;
    while (n > 0)
    {
        const horizon_point q = hull[n - 1];
        const float next = (q.height - p.height) / (p.along - q.along);
        if (next < rise)
        {
            break;
        }
        rise = next;
        n -= 1;
    }
    n += rise > horizon_none ? 1 : 0; // the point of the tangent stays
    hull[n] = p;
    *count = n + 1;
    return rise;
}

static void horizon_walk_block(const horizon_job* job, int32_t first, int32_t count,
                               horizon_point* hulls)
{
    const render_horizon* to = job->to;
    int32_t sizes[HORIZON_BLOCK] = {0};
    for (int32_t k = 0; k < job->steps; ++k)
    {
        const int32_t step = job->towards_end ? job->steps - 1 - k : k;
        const float along = (float)k * job->length;
        const int32_t shift = to->whole[step] + to->first_line;
        float* rise = to->rise + step * to->step_stride;
        for (int32_t line = 0; line < count; ++line)
        {
            const float z = horizon_ground(job, step, first + line + shift, to->part[step]);
            float* out = &rise[(first + line) * to->line_stride];
            *out = isnan(z) ? horizon_none
                            : horizon_push(hulls + (ptrdiff_t)line * job->steps, &sizes[line],
                                           (horizon_point){along, z});
        }
    }
}

static void horizon_lines(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const horizon_job* job = user;
    horizon_point* hulls = job->hulls + (ptrdiff_t)worker * HORIZON_BLOCK * job->steps;
    for (int32_t block = begin; block < end; ++block)
    {
        const int32_t first = block * HORIZON_BLOCK;
        const int32_t left = job->to->lines - first;
        horizon_walk_block(job, first, left < HORIZON_BLOCK ? left : HORIZON_BLOCK, hulls);
    }
}

// Where lines lie at each step, and how many there are.
static void horizon_lay_lines(render_horizon* h, int32_t steps, int32_t across, float slope)
{
    int32_t least = 0;
    int32_t most = 0;
    for (int32_t step = 0; step < steps; ++step)
    {
        const float shift = slope * (float)step;
        const float whole = floorf(shift);
        h->whole[step] = (int32_t)whole;
        h->part[step] = shift - whole;
        least = h->whole[step] < least ? h->whole[step] : least;
        most = h->whole[step] > most ? h->whole[step] : most;
    }
    h->first_line = -most - 1;
    h->lines = across - least - h->first_line;
    h->line_stride = h->steps_down ? 1 : steps;
    h->step_stride = h->steps_down ? h->lines : 1;
}

wadi_result wadi_horizon_sweep(render_horizon* h, float x, float y)
{
    const render_relief* r = h->relief;
    h->steps_down = fabsf(y) > fabsf(x);
    const float slope = h->steps_down ? x / y : y / x;
    horizon_job job = {.to = h,
                       .steps = h->steps_down ? r->height : r->width,
                       .across = h->steps_down ? r->width : r->height,
                       .towards_end = (h->steps_down ? y : x) > 0.0f,
                       .length = sqrtf(1.0f + slope * slope)};
    horizon_lay_lines(h, job.steps, job.across, slope);
    const size_t points = (size_t)job.steps * HORIZON_BLOCK;
    WADI_ALLOC(r->context, job.hulls, points * (size_t)wadi_context_workers(r->context),
               "the horizon of the picture");
    const int32_t blocks = (h->lines + HORIZON_BLOCK - 1) / HORIZON_BLOCK;
    wadi_parallel_rows(r->context, blocks, 1, horizon_lines, &job);
    wadi_free(r->context, job.hulls);
    return WADI_OK;
}

void wadi_horizon_row(const render_horizon* h, int32_t y, float* out)
{
    const int32_t width = h->relief->width;
    if (h->steps_down)
    {
        const float share = h->part[y];
        const float* rise = h->rise + y * h->step_stride - h->whole[y] - h->first_line;
        for (int32_t x = 0; x < width; ++x)
        {
            out[x] = rise[x] + share * (rise[x - 1] - rise[x]);
        }
        return;
    }
    for (int32_t x = 0; x < width; ++x)
    {
        const ptrdiff_t line = y - h->whole[x] - h->first_line;
        const float* rise = h->rise + line * h->line_stride + x;
        out[x] = rise[0] + h->part[x] * (rise[-h->line_stride] - rise[0]);
    }
}

wadi_result wadi_horizon_create(const render_relief* r, render_horizon* out)
{
    // lines at 45 degrees shift by as many cells as they have steps
    const size_t longest = (size_t)(r->width > r->height ? r->width : r->height);
    const size_t lines = (size_t)r->width + (size_t)r->height + 4;
    *out = (render_horizon){.relief = r};
    WADI_ALLOC(r->context, out->rise, lines * longest, "the horizon of the picture");
    WADI_ALLOC(r->context, out->whole, longest, "the horizon of the picture");
    WADI_ALLOC(r->context, out->part, longest, "the horizon of the picture");
    return WADI_OK;
}

void wadi_horizon_destroy(render_horizon* h)
{
    wadi_free(h->relief->context, h->rise);
    wadi_free(h->relief->context, h->whole);
    wadi_free(h->relief->context, h->part);
    *h = (render_horizon){0};
}
