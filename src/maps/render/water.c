// SPDX-License-Identifier: MIT
// The ground as it is seen: under water, and under the foam of a shore.
#include "maps/render/picture.h"
#include "maps/render/texture.h"

#include <math.h>

// Light reflected at the surface: 2 % at normal incidence, all of it at grazing incidence (Schlick
// 1994).
static float water_mirror(float cosine)
{
    const float m = 1.0f - clamp01(cosine);
    const float m2 = m * m;
    return 0.02f + 0.98f * m2 * m2 * m;
}

// The ground fades with depth [m], the sky is reflected at flat angles. `sun` is the visible share
// of it.
static rgb water_colour(rgb ground, float depth, float cosine, float sun, const sunlight* light,
                        const wadi_render_params* params)
{
    // red is absorbed four times as fast as blue; a few centimetres of water are nearly invisible
    const float d = depth / (float)params->water_clarity;
    const rgb through = {1.0f / (1.0f + 4.0f * d * (1.0f + 4.0f * d)),
                         1.0f / (1.0f + 1.6f * d * (1.0f + 1.6f * d)),
                         1.0f / (1.0f + d * (1.0f + d))};
    const rgb bright = rgb_add(rgb_scale(light->sun, 0.25f + 0.5f * sun), light->sky);
    const rgb body = rgb_scale(rgb_times((rgb){0.020f, 0.105f, 0.170f}, bright), 0.3183099f);
    const rgb below = {body.r + through.r * (ground.r - body.r),
                       body.g + through.g * (ground.g - body.g),
                       body.b + through.b * (ground.b - body.b)};
    const float mirror = water_mirror(cosine) * smooth(0.0f, 0.3f, depth);
    return rgb_mix(below, rgb_scale(light->sky, 0.85f), mirror);
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
    const float x = (float)(at->i00 % r->width) + at->w10 + at->w11;
    const float y = (float)(at->i00 / r->width) + at->w01 + at->w11;
    const float flat = smooth(0.002f, 0.012f, water / (distance * wide + 1e-6f) / r->exaggeration);
    return flat * smooth(1.8f, 0.3f, distance + 1.2f * texture_noise(x, y, 4.0f * wide, 5u) - 0.3f);
}

rgb wadi_picture_deep(float cosine, const sunlight* light, const wadi_render_params* params)
{
    const float deep = 20.0f * (float)params->water_clarity;
    return water_colour((rgb){0.0f, 0.0f, 0.0f}, deep, cosine, 1.0f, light, params);
}

rgb wadi_picture_ground(const render_relief* r, const relief_point* at, float cosine,
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
    const rgb colour = water_colour(lit, metres, cosine, sun, light, params);
    if (!r->has_sea || relief_read(r->top, at) > r->base + 0.01f)
    {
        return colour;
    }
    const rgb bright = rgb_add(rgb_scale(light->sun, 0.5f * sun), light->sky);
    return rgb_mix(colour, rgb_scale(bright, 0.25f),
                   0.55f * water_foam(r, at, water, params->width));
}
