// SPDX-License-Identifier: MIT
// The map view, and the inset map of a picture.
#include "core/internal.h"
#include "maps/render/overlay.h"
#include "maps/render/picture.h"

#include <math.h>

enum
{
    MAP_GRAIN = 16 // rows of a block
};

// A rectangle of the picture that shows all of the relief.
typedef struct map_job
{
    const render_relief* relief;
    const sunlight* light;
    const wadi_render_params* params;
    overlay_scale overlay; // inset only
    rgb paper;
    float left, top; // of the rectangle [pixels]
    float scale;     // cells per pixel
    int32_t points;  // of a pixel along each axis that no edge crosses
    int32_t x0, y0;  // pixels to paint
    int32_t x1;
    rgb* pixels;
} map_job;

typedef rgb map_sample_fn(const map_job* job, const relief_point* at);

static rgb map_ground(const map_job* job, const relief_point* at)
{
    const water_view from_above = {1.0f, rgb_scale(job->light->sky, 0.85f)};
    return wadi_picture_ground(job->relief, at, &from_above, job->light, job->params);
}

// The ramp, shaded by the relief so that the terrain is recognisable.
static rgb map_overlay(const map_job* job, const relief_point* at)
{
    const render_relief* r = job->relief;
    const float value = relief_read(r->overlay, at);
    if (isnan(value))
    {
        return job->paper;
    }
    const rgb ink = wadi_rgb_ramp(job->overlay.ramp, wadi_overlay_share(&job->overlay, value));
    return rgb_scale(ink, 0.75f + 0.25f * relief_read(r->sun, at));
}

// Colour at a point of the picture: paper outside the terrain and in voids.
static rgb map_sample(const map_job* job, map_sample_fn* sample, float px, float py)
{
    const render_relief* r = job->relief;
    const float x = (px - job->left) * job->scale - 0.5f;
    const float y = (py - job->top) * job->scale - 0.5f;
    if (x < -0.5f || y < -0.5f || x > (float)r->width - 0.5f || y > (float)r->height - 0.5f)
    {
        return job->paper;
    }
    const relief_point at = relief_locate(r, x, y);
    return isnan(relief_read(r->ground, &at)) ? job->paper : sample(job, &at);
}

// Does the shore of water, or the border of the map, cross the pixel around a point?
static bool map_has_edge(const map_job* job, float px, float py)
{
    const render_relief* r = job->relief;
    const float x = (px - job->left) * job->scale - 0.5f;
    const float y = (py - job->top) * job->scale - 0.5f;
    if (x < 0.5f || y < 0.5f || x > (float)r->width - 1.5f || y > (float)r->height - 1.5f)
    {
        return true;
    }
    const relief_point at = relief_locate(r, x, y);
    const float* w = r->water;
    const int32_t wet = w == NULL ? 0
                                  : (w[at.i00] > 0.0f ? 1 : 0) + (w[at.i10] > 0.0f ? 1 : 0) +
                                        (w[at.i01] > 0.0f ? 1 : 0) + (w[at.i11] > 0.0f ? 1 : 0);
    return wet % 4 != 0;
}

// Points of a pixel along each axis.
static int32_t map_points(const map_job* job, float px, float py)
{
    const int32_t most = job->params->samples;
    return job->points >= most || map_has_edge(job, px, py) ? most : job->points;
}

static rgb map_pixel(const map_job* job, map_sample_fn* sample, int32_t x, int32_t y)
{
    const int32_t n = map_points(job, (float)x + 0.5f, (float)y + 0.5f);
    const float step = 1.0f / (float)n;
    rgb sum = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < n * n; ++i)
    {
        const float px = (float)x + ((float)(i % n) + 0.5f) * step;
        const float py = (float)y + ((float)(i / n) + 0.5f) * step;
        sum = rgb_add(sum, rgb_tone(map_sample(job, sample, px, py)));
    }
    return rgb_scale(sum, step * step);
}

static void map_paint(const map_job* job, map_sample_fn* sample, int32_t begin, int32_t end)
{
    for (int32_t y = begin + job->y0; y < end + job->y0; ++y)
    {
        for (int32_t x = job->x0; x < job->x1; ++x)
        {
            job->pixels[(ptrdiff_t)y * job->params->width + x] = map_pixel(job, sample, x, y);
        }
    }
}

// Colours are smooth between cells: one point for each cell that a pixel covers is enough where
// there is no edge.
static int32_t map_smooth_points(float scale)
{
    return (int32_t)ceilf(scale);
}

static void map_ground_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    map_paint(user, map_ground, begin, end);
}

static void map_overlay_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    map_paint(user, map_overlay, begin, end);
}

map_frame wadi_picture_map_frame(const render_relief* r, const wadi_render_params* params)
{
    const float sx = (float)r->width / (float)params->width;
    const float sy = (float)r->height / (float)params->height;
    const float scale = fmaxf(sx, sy);
    return (map_frame){0.5f * ((float)params->width - (float)r->width / scale),
                       0.5f * ((float)params->height - (float)r->height / scale), scale};
}

wadi_result wadi_picture_map(const render_relief* r, const sunlight* light,
                             const wadi_render_params* params, rgb* pixels)
{
    const map_frame frame = wadi_picture_map_frame(r, params);
    map_job job = {.relief = r,
                   .light = light,
                   .params = params,
                   .paper = wadi_rgb_of_hex(0xE3E7EA),
                   .left = frame.left,
                   .top = frame.top,
                   .scale = frame.scale,
                   .points = map_smooth_points(frame.scale),
                   .x1 = params->width,
                   .pixels = pixels};
    wadi_parallel_rows(r->context, params->height, MAP_GRAIN, map_ground_rows, &job);
    return WADI_OK;
}

wadi_result wadi_picture_inset(const render_relief* r, const wadi_render_params* params,
                               rgb* pixels)
{
    // a third of the picture's height, with a frame of paper
    const int32_t side = params->height / 3;
    const int32_t margin = 1 + params->height / 60;
    const int32_t longest = r->width > r->height ? r->width : r->height;
    const float scale = (float)longest / (float)side;
    const int32_t width = (int32_t)((float)r->width / scale);
    const int32_t height = (int32_t)((float)r->height / scale);
    const int32_t frame = 1 + params->height / 360;
    const int32_t left = params->width - margin - width;
    if (left < frame || width < 1 || height < 1)
    {
        return WADI_OK; // no room
    }
    map_job job = {.relief = r,
                   .params = params,
                   .paper = wadi_rgb_of_hex(0xF4F4F2),
                   .left = (float)left,
                   .top = (float)margin,
                   .scale = scale,
                   .points = map_smooth_points(scale),
                   .x0 = left - frame,
                   .y0 = margin - frame,
                   .x1 = left + width + frame,
                   .pixels = pixels};
    WADI_TRY(wadi_overlay_scale_create(r, params, &job.overlay));
    wadi_parallel_rows(r->context, height + 2 * frame, MAP_GRAIN, map_overlay_rows, &job);
    return WADI_OK;
}
