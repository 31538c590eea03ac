// SPDX-License-Identifier: MIT
#include "maps/render/grain_view.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    VIEW_GRAIN = 64 // rows of a block
};

typedef struct view_job
{
    grain_view* view;
    const grain_ball* balls;
    int32_t count;
} view_job;

grain_view wadi_grain_view_from(double azimuth, double elevation, int32_t width, int32_t height)
{
    const double degree = 57.29577951308232; // of one radian
    const float sa = (float)wadi_sin(azimuth / degree);
    const float ca = (float)wadi_cos(azimuth / degree);
    const float se = (float)wadi_sin(elevation / degree);
    const float ce = (float)wadi_cos(elevation / degree);
    return (grain_view){.forward = {-sa * ce, -ca * ce, -se},
                        .right = {-ca, sa, 0.0f},
                        .down = {sa * se, ca * se, -ce},
                        .scale = 1.0f,
                        .width = width,
                        .height = height};
}

void wadi_grain_view_fit(grain_view* view, vec3 low, vec3 high, float fill)
{
    const vec3 middle = vec3_add(low, vec3_add(high, low, -1.0f), 0.5f);
    const vec3 half = vec3_add((vec3){0.0f, 0.0f, 0.0f}, vec3_add(high, low, -1.0f), 0.5f);
    const float across = fabsf(view->right.x) * half.x + fabsf(view->right.y) * half.y;
    const float along =
        fabsf(view->down.x) * half.x + fabsf(view->down.y) * half.y + fabsf(view->down.z) * half.z;
    const float x = 0.5f * fill * (float)view->width / across;
    const float y = 0.5f * fill * (float)view->height / along;
    view->middle = middle;
    view->scale = x < y ? x : y;
}

// Draw a row of a ball that stands at `at`, from column `left` to `right`.
static void view_draw_row(grain_view* view, const grain_ball* ball, int32_t number, vec3 at,
                          int32_t y, float left, float right)
{
    const float dy = ((float)y + 0.5f - at.y) / view->scale;
    const float chord2 = ball->radius * ball->radius - dy * dy;
    for (int32_t x = left > 0.0f ? (int32_t)left : 0;
         x < view->width && (float)x <= right && chord2 > 0.0f; ++x)
    {
        const float dx = ((float)x + 0.5f - at.x) / view->scale;
        const float rise2 = chord2 - dx * dx;
        const ptrdiff_t i = (ptrdiff_t)y * view->width + x;
        const float depth = rise2 >= 0.0f ? at.z - sqrtf(rise2) : INFINITY;
        if (depth < view->depth[i])
        {
            view->depth[i] = depth;
            if (view->ball != NULL)
            {
                view->ball[i] = number;
            }
        }
    }
}

// Draw the part of a ball that lies in rows [begin, end).
static void view_draw_ball(grain_view* view, const grain_ball* ball, int32_t number, int32_t begin,
                           int32_t end)
{
    const vec3 at = grain_view_project(view, ball->middle);
    const float r = ball->radius * view->scale;
    if (!(at.y + r > (float)begin && at.y - r < (float)end && at.x + r > 0.0f &&
          at.x - r < (float)view->width))
    {
        return;
    }
    const float top = at.y - r - 1.0f;
    for (int32_t y = top > (float)begin ? (int32_t)top : begin;
         y < end && (float)(y - 1) <= at.y + r; ++y)
    {
        view_draw_row(view, ball, number, at, y, at.x - r - 1.0f, at.x + r);
    }
}

// Balls in order: of two at the same depth the first is visible.
static void view_draw_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const view_job* job = data;
    grain_view* view = job->view;
    for (ptrdiff_t i = (ptrdiff_t)begin * view->width; i < (ptrdiff_t)end * view->width; ++i)
    {
        view->depth[i] = INFINITY;
        if (view->ball != NULL)
        {
            view->ball[i] = -1;
        }
    }
    for (int32_t i = 0; i < job->count; ++i)
    {
        view_draw_ball(view, &job->balls[i], i, begin, end);
    }
}

void wadi_grain_view_draw(wadi_context* context, grain_view* view, const grain_ball* balls,
                          int32_t count)
{
    view_job job = {.view = view, .balls = balls, .count = count};
    wadi_parallel_rows(context, view->height, VIEW_GRAIN, view_draw_rows, &job);
}
