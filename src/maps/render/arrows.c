// SPDX-License-Identifier: MIT
// Arrows of wind on a map, on a regular grid of pixels. Length is proportional to speed, relative
// to the strongest arrow. Arrows are dark with a pale rim, visible on any ground.
#include "maps/render/picture.h"

#include <math.h>

static const float arrow_half_width = 0.9f; // [pixels]
static const float arrow_rim = 1.4f;        // [pixels] beyond it
static const float arrow_head = 0.38f;      // of its length

typedef struct arrow_job
{
    const render_relief* relief;
    int32_t width; // of the picture [pixels]
    int32_t height;
    map_frame frame;
    float spacing;
    float strongest; // [m/s]
    rgb* pixels;
} arrow_job;

typedef struct arrow_point
{
    float x; // [pixels]
    float y;
} arrow_point;

// Wind at a point of the picture, y upwards; 0 outside the terrain and in voids.
static arrow_point arrow_wind(const arrow_job* job, float px, float py)
{
    const render_relief* r = job->relief;
    const float x = (px - job->frame.left) * job->frame.scale - 0.5f;
    const float y = (py - job->frame.top) * job->frame.scale - 0.5f;
    if (x < 0.0f || y < 0.0f || x > (float)(r->width - 1) || y > (float)(r->height - 1))
    {
        return (arrow_point){0.0f, 0.0f};
    }
    const relief_point at = relief_locate(r, x, y);
    const arrow_point wind = {relief_read(r->wind_east, &at), relief_read(r->wind_north, &at)};
    return isnan(wind.x) || isnan(wind.y) ? (arrow_point){0.0f, 0.0f} : wind;
}

static float arrow_distance(arrow_point p, arrow_point from, arrow_point to)
{
    const float dx = to.x - from.x;
    const float dy = to.y - from.y;
    const float squared = fmaxf(dx * dx + dy * dy, 1e-6f);
    const float along = clamp01(((p.x - from.x) * dx + (p.y - from.y) * dy) / squared);
    const float ox = p.x - from.x - along * dx;
    const float oy = p.y - from.y - along * dy;
    return sqrtf(ox * ox + oy * oy);
}

// Ends of the two strokes of the head.
static arrow_point arrow_barb(arrow_point tip, float dx, float dy, float side)
{
    const float back = 0.866f * arrow_head; // 30 degrees to either side
    const float off = 0.5f * arrow_head * side;
    return (arrow_point){tip.x - back * dx - off * dy, tip.y - back * dy + off * dx};
}

static void arrow_stroke(const arrow_job* job, arrow_point tail, arrow_point tip)
{
    static const rgb ink = {0.015f, 0.025f, 0.05f};
    static const rgb rim = {0.9f, 0.9f, 0.88f};
    const float dx = tip.x - tail.x;
    const float dy = tip.y - tail.y;
    const arrow_point barbs[2] = {arrow_barb(tip, dx, dy, 1.0f), arrow_barb(tip, dx, dy, -1.0f)};
    const float reach = fabsf(dx) + fabsf(dy) + 4.0f;
    const int32_t x0 = (int32_t)fmaxf(0.0f, tip.x - reach);
    const int32_t y0 = (int32_t)fmaxf(0.0f, tip.y - reach);
    const int32_t x1 = (int32_t)fminf((float)job->width, tip.x + reach);
    const int32_t y1 = (int32_t)fminf((float)job->height, tip.y + reach);
    for (int32_t y = y0; y < y1; ++y)
    {
        for (int32_t x = x0; x < x1; ++x)
        {
            const arrow_point p = {(float)x + 0.5f, (float)y + 0.5f};
            const float head =
                fminf(arrow_distance(p, barbs[0], tip), arrow_distance(p, barbs[1], tip));
            const float away = fminf(head, arrow_distance(p, tail, tip)) - arrow_half_width;
            rgb* pixel = &job->pixels[(ptrdiff_t)y * job->width + x];
            *pixel = rgb_mix(*pixel, rim, 0.45f * clamp01(arrow_rim - away));
            *pixel = rgb_mix(*pixel, ink, clamp01(0.5f - away));
        }
    }
}

static void arrow_draw(const arrow_job* job, float x, float y)
{
    const arrow_point wind = arrow_wind(job, x, y);
    const float longest = 0.5f * 0.95f * job->spacing / fmaxf(job->strongest, 1e-6f);
    const float dx = wind.x * longest;
    const float dy = -wind.y * longest;
    // no arrow for a calm
    if (dx * dx + dy * dy > 1.0f)
    {
        arrow_stroke(job, (arrow_point){x - dx, y - dy}, (arrow_point){x + dx, y + dy});
    }
}

static void arrow_each(arrow_job* job, bool measure)
{
    for (float y = 0.5f * job->spacing; y < (float)job->height; y += job->spacing)
    {
        for (float x = 0.5f * job->spacing; x < (float)job->width; x += job->spacing)
        {
            const arrow_point wind = arrow_wind(job, x, y);
            const float speed = sqrtf(wind.x * wind.x + wind.y * wind.y);
            job->strongest = measure ? fmaxf(job->strongest, speed) : job->strongest;
            if (!measure)
            {
                arrow_draw(job, x, y);
            }
        }
    }
}

void wadi_picture_arrows(const render_relief* r, const wadi_render_params* params, rgb* pixels)
{
    arrow_job job = {.relief = r,
                     .width = params->width,
                     .height = params->height,
                     .frame = wadi_picture_map_frame(r, params),
                     .spacing = (float)params->arrow_spacing,
                     .pixels = pixels};
    arrow_each(&job, true);
    arrow_each(&job, false);
}
