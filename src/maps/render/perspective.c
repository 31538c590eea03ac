// SPDX-License-Identifier: MIT
// The perspective view of the block: camera rays, a few per pixel.
#include "core/internal.h"
#include "maps/render/camera.h"
#include "maps/render/palette.h"
#include "maps/render/picture.h"

#include <math.h>

enum
{
    PERSPECTIVE_GRAIN = 8 // rows of a block
};

typedef struct render_perspective
{
    const render_relief* relief;
    const sunlight* light;
    const wadi_render_params* params;
    render_caster caster;
    render_camera camera;
    render_palette palette;
    float bottom; // of the block [cells]
    rgb haze;     // colour of distance
    rgb zenith;   // of the sky
    rgb* pixels;
} render_perspective;

// Light reflected at the surface: 2 % at normal incidence, all of it at grazing incidence (Schlick
// 1994).
static float water_mirror(float cosine)
{
    const float m = 1.0f - clamp01(cosine);
    const float m2 = m * m;
    return 0.02f + 0.98f * m2 * m2 * m;
}

rgb wadi_picture_water(rgb ground, float depth, float cosine, float sun, const sunlight* light,
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

static rgb perspective_ground(const render_perspective* p, const render_ray* ray,
                              const cast_hit* hit)
{
    const render_relief* r = p->relief;
    const relief_point at = relief_locate_in(r, hit->patch_x, hit->patch_y, hit->x, hit->y);
    const rgb lit = relief_read_rgb(r->lit, &at);
    const float water = r->water != NULL ? relief_read(r->water, &at) : 0.0f;
    if (water <= 0.0f)
    {
        return lit;
    }
    const float metres = water * r->cell / r->exaggeration;
    const float sun = relief_read(r->sun, &at);
    return wadi_picture_water(lit, metres, -ray->dz, sun, p->light, p->params);
}

// Side of the block: water, then loose matter, then rock.
static rgb perspective_side(const render_perspective* p, const render_ray* ray, const cast_hit* hit)
{
    const render_relief* r = p->relief;
    const relief_point at = relief_locate_in(r, hit->patch_x, hit->patch_y, hit->x, hit->y);
    const float ground = relief_read(r->ground, &at);
    const float loose = r->sediment != NULL ? relief_read(r->sediment, &at) : 0.0f;
    const float below = ground - hit->z;
    rgb colour = {0.030f, 0.150f, 0.230f};
    if (below > 0.0f)
    {
        colour = below < loose ? rgb_scale(p->palette.loose, 0.8f)
                               : wadi_palette_rock(&p->palette, r, hit->z);
    }

    // the side faces the camera along one axis
    const float nx = hit->axis == 0 ? (ray->dx > 0.0f ? -1.0f : 1.0f) : 0.0f;
    const float ny = hit->axis == 1 ? (ray->dy > 0.0f ? -1.0f : 1.0f) : 0.0f;
    const float facing = nx * p->light->x + ny * p->light->y;
    const rgb direct = rgb_scale(p->light->sun, facing > 0.0f ? facing : 0.0f);
    const float height = clamp01((hit->z - p->bottom) / (r->high - p->bottom));
    const rgb sky = rgb_scale(rgb_mix(p->light->sky, p->light->sun, 0.3f), 0.35f + 0.45f * height);
    return rgb_scale(rgb_times(colour, rgb_add(direct, sky)), 0.3183099f);
}

// Sky from haze at the horizon to blue above, and the table under the block.
static rgb perspective_sky(const render_perspective* p, const render_ray* ray, float share)
{
    rgb colour = rgb_mix(p->zenith, p->haze, smooth(0.0f, 0.9f, share));
    if (!p->params->base || ray->dz >= 0.0f)
    {
        return colour;
    }

    // a soft shadow around the base of the block, as wide as a twelfth of its length
    const float t = (p->bottom - ray->z) / ray->dz;
    const float x = ray->x + t * ray->dx;
    const float y = ray->y + t * ray->dy;
    const float right = (float)(p->relief->width - 1);
    const float bottom = (float)(p->relief->height - 1);
    const float ox = fmaxf(0.0f, fmaxf(-x, x - right));
    const float oy = fmaxf(0.0f, fmaxf(-y, y - bottom));
    const float away = sqrtf(ox * ox + oy * oy) * 12.0f / fmaxf(right, bottom);
    return rgb_scale(colour, 1.0f - 0.45f / ((1.0f + away) * (1.0f + away)));
}

static rgb perspective_sample(const render_perspective* p, float px, float py)
{
    const render_ray ray = wadi_camera_ray(&p->camera, px, py);
    const cast_hit hit = wadi_cast_ray(&p->caster, &ray, p->bottom);
    if (hit.kind == CAST_MISS || (hit.kind == CAST_SIDE && !p->params->base))
    {
        return perspective_sky(p, &ray, py / (float)p->camera.height);
    }
    const rgb colour = hit.kind == CAST_GROUND ? perspective_ground(p, &ray, &hit)
                                               : perspective_side(p, &ray, &hit);
    const float range = (hit.t - p->camera.near) / (p->camera.far - p->camera.near);
    return rgb_mix(colour, p->haze, (float)p->params->fog * clamp01(range) * clamp01(range));
}

static void perspective_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const render_perspective* p = user;
    const int32_t n = p->params->samples;
    const float step = 1.0f / (float)n;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < p->camera.width; ++x)
        {
            rgb sum = {0.0f, 0.0f, 0.0f};
            for (int32_t i = 0; i < n * n; ++i)
            {
                const float px = (float)x + ((float)(i % n) + 0.5f) * step;
                const float py = (float)y + ((float)(i / n) + 0.5f) * step;
                sum = rgb_add(sum, wadi_rgb_tone(perspective_sample(p, px, py)));
            }
            p->pixels[(ptrdiff_t)y * p->camera.width + x] = rgb_scale(sum, step * step);
        }
    }
}

wadi_result wadi_picture_perspective(const render_relief* r, const sunlight* light,
                                     const wadi_render_params* params, rgb* pixels)
{
    const float longest = (float)(r->width > r->height ? r->width : r->height);
    render_perspective p = {.relief = r,
                            .light = light,
                            .params = params,
                            .bottom = r->low - (params->base ? 0.07f * longest : 0.0f),
                            .haze = wadi_rgb_of_hex(0xE3E7EA),
                            .zenith = wadi_rgb_of_hex(0xA9BFD3),
                            .pixels = pixels};
    p.camera = wadi_camera_frame(r, p.bottom, params);
    WADI_TRY(wadi_palette_create(r, params, &p.palette));
    WADI_TRY(wadi_caster_create(r, &p.caster));
    wadi_parallel_rows(r->context, params->height, PERSPECTIVE_GRAIN, perspective_rows, &p);
    wadi_caster_destroy(&p.caster);
    return WADI_OK;
}
