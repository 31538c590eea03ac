// SPDX-License-Identifier: MIT
// The ground as it is seen: under water, and under the foam of a shore.
#include "maps/render/picture.h"
#include "maps/render/texture.h"

#include <math.h>

static float water_x(const render_relief* r, const relief_point* at)
{
    return (float)(at->i00 % r->width) + at->w10 + at->w11;
}

static float water_y(const render_relief* r, const relief_point* at)
{
    return (float)(at->i00 / r->width) + at->w01 + at->w11;
}

// Light reflected at the surface: 2 % at normal incidence, all of it at grazing incidence (Schlick
// 1994).
float wadi_picture_mirror(float cosine)
{
    const float m = 1.0f - clamp01(cosine);
    const float m2 = m * m;
    return 0.02f + 0.98f * m2 * m2 * m;
}

// How rough the wind makes the water at a point [cells], -1 to 1: patches, and lanes along a wind.
// Smooth water of one colour looks like paint.
static float water_ruffle(const render_relief* r, float x, float y)
{
    const float length = (float)r->width / 50.0f;
    const float u = x + 64.0f * (float)r->width; // noise is for positive places, the sea goes on
    const float v = y + 64.0f * (float)r->width;
    const float lanes = texture_noise(u + 0.6f * v, 3.0f * v - 0.9f * u, length, 8u);
    const float patches = texture_noise(u, v, 3.0f * length, 9u);
    return lanes + patches - 1.0f;
}

// The ground fades with depth [m], sky and land are mirrored at flat angles, and more of the sky by
// rough water (`ruffle`). `sun` is the visible share of it.
static rgb water_colour(rgb ground, float depth, const water_view* view, float sun, float ruffle,
                        const sunlight* light, const wadi_render_params* params)
{
    // red is absorbed four times as fast as blue; a few centimetres of water are nearly invisible
    const float d = depth / (float)params->water_clarity;
    const rgb through = {1.0f / (1.0f + 4.0f * d * (1.0f + 4.0f * d)),
                         1.0f / (1.0f + 1.6f * d * (1.0f + 1.6f * d)),
                         1.0f / (1.0f + d * (1.0f + d))};
    const rgb bright = rgb_add(rgb_scale(light->sun, 0.25f + 0.5f * sun), light->sky);
    const rgb body = rgb_scale(rgb_times((rgb){0.007f, 0.048f, 0.074f}, bright), 0.3183099f);
    const rgb below = {body.r + through.r * (ground.r - body.r),
                       body.g + through.g * (ground.g - body.g),
                       body.b + through.b * (ground.b - body.b)};
    const float calm = wadi_picture_mirror(view->cosine);
    const float rough = calm * (1.0f + 0.3f * ruffle) + 0.025f * (1.0f + ruffle);
    const float mirror = rough * smooth(0.0f, 0.3f, depth);
    return rgb_mix(below, view->mirrored, mirror);
}

// Do waves come as far as a point [cells]? Between the middles of cells of the land.
static float water_waves(const render_relief* r, float x, float y)
{
    const int32_t width = r->width / r->refined;
    const int32_t height = r->height / r->refined;
    const float cells = (float)r->refined;
    const float u = clamp((x + 0.5f) / cells - 0.5f, 0.0f, (float)(width - 1));
    const float v = clamp((y + 0.5f) / cells - 0.5f, 0.0f, (float)(height - 1));
    const int32_t column = (int32_t)fminf(u, (float)(width - 2));
    const int32_t row = (int32_t)fminf(v, (float)(height - 2));
    const uint8_t* at = r->surf + (ptrdiff_t)row * width + column;
    const float s = u - (float)column;
    const float t = v - (float)row;
    return (1.0f - t) * ((1.0f - s) * (float)at[0] + s * (float)at[1]) +
           t * ((1.0f - s) * (float)at[width] + s * (float)at[width + 1]);
}

// Surf at the shore of a sea: a broken line a cell wide. The distance to the shore is the depth
// over its gradient.
static float water_foam(const render_relief* r, const relief_point* at, float water, int32_t pixels)
{
    const float* w = r->water;
    const float gx = 0.5f * (w[at->i10] + w[at->i11] - w[at->i00] - w[at->i01]);
    const float gy = 0.5f * (w[at->i01] + w[at->i11] - w[at->i00] - w[at->i10]);
    const float wide = fmaxf(1.0f, (float)r->width / (float)pixels);
    const float distance = water / (sqrtf(gx * gx + gy * gy) + 1e-6f) / wide;
    if (!(distance < 2.0f))
    {
        return 0.0f;
    }
    const float x = water_x(r, at);
    const float y = water_y(r, at);
    const float flat = smooth(0.002f, 0.012f, water / (distance * wide + 1e-6f) / r->exaggeration);
    return water_waves(r, x, y) * flat *
           smooth(1.8f, 0.3f, distance + 1.2f * texture_noise(x, y, 4.0f * wide, 5u) - 0.3f);
}

rgb wadi_picture_deep(const render_relief* r, float x, float y, const water_view* view,
                      const sunlight* light, const wadi_render_params* params)
{
    const float deep = 20.0f * (float)params->water_clarity;
    const float ruffle = water_ruffle(r, x, y);
    return water_colour((rgb){0.0f, 0.0f, 0.0f}, deep, view, 1.0f, ruffle, light, params);
}

rgb wadi_picture_ground(const render_relief* r, const relief_point* at, const water_view* view,
                        const sunlight* light, const wadi_render_params* params)
{
    const rgb lit = relief_read_rgb(r->lit, at);
    const float water = r->water != NULL ? relief_read(r->water, at) : 0.0f;
    if (water <= 0.0f)
    {
        return lit;
    }
    const float metres = water * r->cell / r->exaggeration;
    const float sun = relief_read(r->sun, at);
    const float ruffle = water_ruffle(r, water_x(r, at), water_y(r, at));
    const rgb colour = water_colour(lit, metres, view, sun, ruffle, light, params);
    if (!r->has_sea || relief_read(r->top, at) > r->base + 0.01f)
    {
        return colour;
    }
    const rgb bright = rgb_add(rgb_scale(light->sun, 0.5f * sun), light->sky);
    return rgb_mix(colour, rgb_scale(bright, 0.25f),
                   0.55f * water_foam(r, at, water, params->width));
}
