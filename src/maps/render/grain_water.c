// SPDX-License-Identifier: MIT
#include "maps/render/grain_water.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

enum
{
    WATER_PIXELS = 5, // of a radius: enough for a surface, and few to smooth
    WATER_REACH = 6,  // pixels of the window, to each side
    WATER_ROUNDS = 3,
    WATER_OUTLINE = 4, // the same window for outlines; wider ones lose single drops
    WATER_GRAIN = 16   // rows of a block
};

// Particles a little wider than their spacing leave no gaps.
static const float water_wide = 1.3F;
// Surfaces farther apart than so many radii are not smoothed into one.
static const float water_apart = 8.0F;

typedef struct water_job
{
    const grain_water* water;
    const float* from;
    float* to;
    ptrdiff_t next; // to the next pixel of the window
    int32_t reach;
    float apart; // [m]; INFINITY: all are counted
} water_job;

// Mean of the known depths of a window along one axis, at pixel `at` of `length` of its line.
static float water_mean(const water_job* job, const float* from, int32_t at, int32_t length)
{
    float sum = 0.0F;
    float count = 0.0F;
    const int32_t first = at < job->reach ? -at : -job->reach;
    const int32_t last = at + job->reach >= length ? length - 1 - at : job->reach;
    for (int32_t d = first; d <= last; ++d)
    {
        const float z = from[d * job->next];
        const bool near = !(fabsf(z - *from) > job->apart) || *from == INFINITY;
        const float counts = z < INFINITY && near ? 1.0F : 0.0F;
        sum += counts > 0.0F ? z : 0.0F;
        count += counts;
    }
    return count > 0.0F ? sum / count : INFINITY;
}

static void water_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const water_job* job = data;
    const grain_view* view = &job->water->view;
    const bool along = job->next == 1;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < view->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * view->width + x;
            job->to[i] =
                water_mean(job, job->from + i, along ? x : y, along ? view->width : view->height);
        }
    }
}

// Smooth a map along rows and columns; `work` is scratch of its size.
static void water_smooth(wadi_context* context, const grain_water* water, float* map, float* work,
                         int32_t reach, float apart)
{
    for (int32_t round = 0; round < WATER_ROUNDS; ++round)
    {
        water_job job = {water, map, work, 1, reach, apart};
        wadi_parallel_rows(context, water->view.height, WATER_GRAIN, water_rows, &job);
        job = (water_job){water, work, map, water->view.width, reach, apart};
        wadi_parallel_rows(context, water->view.height, WATER_GRAIN, water_rows, &job);
    }
}

typedef struct water_depths
{
    const grain_water* water;
    const grain_ball* balls;
    int32_t count;
} water_depths;

// Add the chords of a ball that stands at `at` to a row.
static void water_thicken_row(const grain_water* water, const grain_ball* ball, vec3 at, int32_t y)
{
    const grain_view* view = &water->view;
    const float dy = ((float)y + 0.5F - at.y) / view->scale;
    const float chord2 = ball->radius * ball->radius - dy * dy;
    const float wide = chord2 > 0.0F ? sqrtf(chord2) * view->scale : 0.0F;
    const float last = fminf(at.x + wide, (float)view->width);
    for (int32_t x = at.x > wide ? (int32_t)(at.x - wide) : 0; (float)x < last; ++x)
    {
        const float dx = ((float)x + 0.5F - at.x) / view->scale;
        const float rise2 = chord2 - dx * dx;
        water->thick[(ptrdiff_t)y * view->width + x] += rise2 > 0.0F ? 2.0F * sqrtf(rise2) : 0.0F;
    }
}

// Balls in order, so that sums do not depend on threads.
static void water_thicken_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const water_depths* job = data;
    const grain_view* view = &job->water->view;
    memset(job->water->thick + (ptrdiff_t)begin * view->width, 0,
           (size_t)(end - begin) * (size_t)view->width * sizeof *job->water->thick);
    for (int32_t i = 0; i < job->count; ++i)
    {
        const vec3 at = grain_view_project(view, job->balls[i].middle);
        const float r = job->balls[i].radius * view->scale;
        const float first = fmaxf(at.y - r, (float)begin);
        const float last = fminf(at.y + r, (float)end);
        for (int32_t y = first < last ? (int32_t)first : end; (float)y < last; ++y)
        {
            water_thicken_row(job->water, &job->balls[i], at, y);
        }
    }
}

static void water_draw(wadi_context* context, grain_water* water, grain_ball* balls, int32_t count,
                       float* work)
{
    grain_view* front = &water->view;
    const ptrdiff_t pixels = (ptrdiff_t)front->width * front->height;
    wadi_grain_view_draw(context, front, balls, count);
    water_depths job = {water, balls, count};
    wadi_parallel_rows(context, front->height, WATER_GRAIN, water_thicken_rows, &job);
    for (ptrdiff_t i = 0; i < pixels; ++i)
    {
        water->share[i] = front->depth[i] < INFINITY ? 1.0F : 0.0F;
    }
    const float apart = water_apart * water->radius;
    water_smooth(context, water, water->share, work, WATER_OUTLINE, INFINITY);
    water_smooth(context, water, front->depth, work, WATER_REACH, apart);
    water_smooth(context, water, water->thick, work, WATER_OUTLINE, INFINITY);
}

static float water_radius(const grain_ball* balls, int32_t count)
{
    float sum = 0.0F;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += balls[i].radius;
    }
    return sum / (float)count;
}

wadi_result wadi_grain_water_find(wadi_context* context, const grain_view* camera,
                                  const grain_ball* balls, int32_t count, grain_water* out)
{
    const float radius = water_radius(balls, count);
    const float wanted = radius * camera->scale / WATER_PIXELS;
    const int32_t parts = wanted > 1.0F ? (int32_t)wanted : 1;
    *out = (grain_water){.view = *camera, .radius = radius};
    out->view.scale = camera->scale / (float)parts;
    out->view.width = camera->width / parts + 1;
    out->view.height = camera->height / parts + 1;
    out->view.ball = NULL;
    out->view.depth = NULL;
    const int64_t pixels = (int64_t)out->view.width * out->view.height;
    WADI_ALLOC(context, out->view.depth, pixels, "water of a picture");
    WADI_ALLOC(context, out->thick, pixels, "water of a picture");
    WADI_ALLOC(context, out->share, pixels, "water of a picture");
    float* work = wadi_alloc(context, (size_t)pixels, sizeof *work);
    grain_ball* wide = wadi_alloc(context, (size_t)count, sizeof *wide);
    const bool enough = work != NULL && wide != NULL;
    for (int32_t i = 0; i < count && enough; ++i)
    {
        wide[i] = (grain_ball){balls[i].middle, water_wide * balls[i].radius};
    }
    if (enough)
    {
        water_draw(context, out, wide, count, work);
    }
    wadi_free(context, work);
    wadi_free(context, wide);
    return enough ? WADI_OK
                  : wadi_fail_memory(context, (size_t)pixels * sizeof *work, "water of a picture");
}

void wadi_grain_water_free(wadi_context* context, grain_water* water)
{
    wadi_free(context, water->view.depth);
    wadi_free(context, water->thick);
    wadi_free(context, water->share);
}

// Value of a map between pixels, over those that are known; INFINITY if none is.
static float water_value(const grain_water* water, const float* map, float x, float y)
{
    const grain_view* v = &water->view;
    const float cx = fminf(fmaxf(x - 0.5F, 0.0F), (float)v->width - 1.001F);
    const float cy = fminf(fmaxf(y - 0.5F, 0.0F), (float)v->height - 1.001F);
    const int32_t ix = (int32_t)cx;
    const int32_t iy = (int32_t)cy;
    float sum = 0.0F;
    float weights = 0.0F;
    for (int32_t k = 0; k < 4; ++k)
    {
        const int32_t kx = ix + (k & 1) < v->width ? ix + (k & 1) : ix;
        const int32_t ky = iy + (k >> 1) < v->height ? iy + (k >> 1) : iy;
        const float wx = (k & 1) != 0 ? cx - (float)ix : 1.0F - (cx - (float)ix);
        const float wy = (k >> 1) != 0 ? cy - (float)iy : 1.0F - (cy - (float)iy);
        const float z = map[(ptrdiff_t)ky * v->width + kx];
        const float weight = z < INFINITY ? wx * wy : 0.0F;
        sum += weight > 0.0F ? weight * z : 0.0F;
        weights += weight;
    }
    return weights > 0.0F ? sum / weights : INFINITY;
}

// Slope of the depth along one axis of the picture [m/m]. Where water far behind begins beside a
// point it is that on the side of its own water, and 0 on the step: slopes across are pale rims. A
// step is steeper than the water on both of its sides, as a surface at a low angle is not.
// Drops that touch in the picture, one behind the other, are joined by a crease, which would mirror
// the sun in a dash: `creased` tells of it. A surface at a low angle goes on as steep on both
// sides.
static float water_slope(const grain_water* water, float x, float y, float dx, float dy,
                         bool* creased)
{
    float at[5];
    for (int32_t k = 0; k < 5; ++k)
    {
        at[k] =
            water_value(water, water->view.depth, x + (float)(k - 2) * dx, y + (float)(k - 2) * dy);
    }
    const float before = at[2] - at[1];
    const float after = at[3] - at[2];
    const float less = fabsf(before) < fabsf(after) ? before : after;
    const float beyond[2] = {fabsf(at[1] - at[0]), fabsf(at[4] - at[3])};
    const float beside =
        fmaxf(beyond[0] < INFINITY ? beyond[0] : 0.0F, beyond[1] < INFINITY ? beyond[1] : 0.0F);
    const bool step = !(fabsf(before) < water->radius && fabsf(after) < water->radius);
    const float slope = (step ? less : 0.5F * (before + after)) * water->view.scale;
    const bool slopes = fabsf(less) < fmaxf(0.4F * water->radius, 1.2F * beside);
    const float change = fabsf(after - before);
    const float more = fmaxf(fabsf(before), fabsf(after));
    *creased = *creased || (step && change < INFINITY && !(slopes && change < 0.5F * more));
    return slopes ? slope : 0.0F;
}

bool wadi_grain_water_at(const grain_water* water, const grain_view* camera, float px, float py,
                         grain_water_hit* hit)
{
    const grain_view* v = &water->view;
    const float parts = camera->scale / v->scale;
    const float x = (px - 0.5F * (float)camera->width) / parts + 0.5F * (float)v->width;
    const float y = (py - 0.5F * (float)camera->height) / parts + 0.5F * (float)v->height;
    const float depth = water_value(water, v->depth, x, y);
    if (!(water_value(water, water->share, x, y) > 0.5F) || depth == INFINITY)
    {
        return false;
    }
    bool creased = false;
    const float sx = water_slope(water, x, y, 1.0F, 0.0F, &creased);
    const float sy = water_slope(water, x, y, 0.0F, 1.0F, &creased);
    vec3 normal = vec3_add((vec3){0.0F, 0.0F, 0.0F}, v->forward, -1.0F);
    normal = vec3_add(normal, v->right, sx);
    normal = vec3_add(normal, v->down, sy);
    const float size = 1.0F / sqrtf(vec3_dot(normal, normal));
    *hit = (grain_water_hit){.depth = depth,
                             .thick = water_value(water, water->thick, x, y),
                             .mirrors = creased ? 0.0F : 1.0F,
                             .normal = vec3_add((vec3){0.0F, 0.0F, 0.0F}, normal, size)};
    return true;
}
