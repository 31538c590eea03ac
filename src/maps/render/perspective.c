// SPDX-License-Identifier: MIT
// The perspective view of the block: camera rays, a few per pixel.
#include "core/internal.h"
#include "maps/render/beam.h"
#include "maps/render/cast_kernels.h"
#include "maps/render/detail.h"
#include "maps/render/footprint.h"
#include "maps/render/palette.h"
#include "maps/render/picture.h"
#include "maps/render/texture.h"

#include <math.h>

enum
{
    PERSPECTIVE_TILE = 8 // rows of a block, and columns that share a beam
};

typedef struct render_perspective
{
    const render_relief* relief;
    const sunlight* light;
    const wadi_render_params* params;
    render_caster caster;
    render_camera camera;
    render_palette palette;
    render_footprint footprint;
    float bottom;  // of the block [cells]
    float horizon; // sine of the altitude where the sky begins
    rgb haze;      // colour of distance
    rgb blue;      // colour of air near by
    rgb zenith;    // of the sky behind a block
    rgb clear;     // of the sky above a landscape
    rgb* first;    // one sample for each pixel
    float* grain;  // share of light of each pixel, from what is smaller than cells
    rgb* pixels;
} render_perspective;

// Open sky in a direction: haze at the horizon to blue above.
static rgb perspective_open_sky(const render_perspective* p, float dz)
{
    return rgb_mix(p->haze, p->clear, smooth(-0.03f, 0.2f, dz - p->horizon));
}

// Colour of the ground where a ray ends; `mirrored` is for water there.
static rgb perspective_ground(const render_perspective* p, const render_ray* ray,
                              const cast_hit* hit, rgb mirrored)
{
    const relief_point at = relief_locate_in(p->relief, hit->patch_x, hit->patch_y, hit->x, hit->y);
    const water_view view = {-ray->dz, mirrored};
    return wadi_picture_ground(p->relief, &at, &view, p->light, p->params);
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

// Share of the light of the ground that air on the way to the camera takes.
static float perspective_haze(const render_perspective* p, float t)
{
    const float range = clamp01((t - p->camera.near) / (p->camera.far - p->camera.near));
    return (float)p->params->fog * range * (0.15f + 0.85f * range);
}

// Air between the camera and the ground takes light away and adds its own: blue over short ways,
// that of the haze over long ones.
static rgb perspective_air(const render_perspective* p, float t, rgb colour)
{
    const float share = perspective_haze(p, t);
    return rgb_mix(colour, rgb_mix(p->blue, p->haze, smooth(0.1f, 0.8f, share)), share);
}

// The sea goes on beyond the map, and ends in haze.
static rgb perspective_open_sea(const render_perspective* p, const render_ray* ray)
{
    const float t = (p->relief->base - ray->z) / ray->dz;
    const float x = ray->x + t * ray->dx;
    const float y = ray->y + t * ray->dy;
    const water_view view = {-ray->dz, perspective_open_sky(p, -ray->dz)};
    const rgb water = wadi_picture_deep(p->relief, x, y, &view, p->light, p->params);
    const float far = smooth(p->camera.far, 4.0f * p->camera.far, t);
    return rgb_mix(perspective_air(p, t, water), p->haze, far);
}

// Sky from haze at the horizon to blue above, and the table under the block.
static rgb perspective_sky(const render_perspective* p, const render_ray* ray, float share)
{
    if (!p->params->base && p->relief->has_sea && ray->dz < 0.0f)
    {
        return perspective_open_sea(p, ray);
    }
    if (!p->params->base)
    {
        return perspective_open_sky(p, ray->dz);
    }
    const rgb colour = rgb_mix(p->zenith, p->haze, smooth(0.0f, 0.9f, share));
    if (ray->dz >= 0.0f)
    {
        return colour;
    }

    // a soft shadow around the base of the block, as wide as a twelfth of its length
    const float t = (p->bottom - ray->z) / ray->dz;
    const float x = ray->x + t * ray->dx;
    const float y = ray->y + t * ray->dy;
    const render_relief* r = p->relief;
    const float longest = fmaxf(r->east - r->west, r->south - r->north);
    const float away = wadi_footprint_away(&p->footprint, x, y) * 12.0f / longest;
    return rgb_scale(colour, 1.0f - 0.45f / ((1.0f + away) * (1.0f + away)));
}

// Points of the picture whose rays are cast together; each is added to its pixel.
typedef struct perspective_batch
{
    cast_rays cast;
    float depth;             // along the camera's axis up to which all rays are in air
    float y[CAST_LANES];     // of the point [pixels]
    float share[CAST_LANES]; // 0, or the factor of the pixel's sum after its last point
    rgb* to[CAST_LANES];
    float* grain[CAST_LANES]; // of the pixel, or NULL
} perspective_batch;

// Rays that water mirrors, and the light that they bring to each ray of a batch.
typedef struct perspective_mirrors
{
    cast_rays cast;
    int32_t lane[CAST_LANES]; // of the batch
    rgb light[CAST_LANES];    // by lanes of the batch
} perspective_mirrors;

// Small waves tilt the surface at random, which blurs what it mirrors.
static render_ray perspective_mirror_ray(const render_ray* ray, const cast_hit* hit)
{
    const float u = 7.0f * hit->x + 4096.0f;
    const float v = 7.0f * hit->y + 4096.0f;
    const float nx = 0.03f * (texture_noise(u, v, 1.0f, 10u) - 0.5f);
    const float ny = 0.03f * (texture_noise(u, v, 1.0f, 11u) - 0.5f);
    const float twice = 2.0f * (ray->dx * nx + ray->dy * ny + ray->dz);
    const float dx = ray->dx - twice * nx;
    const float dy = ray->dy - twice * ny;
    const float up = fmaxf(ray->dz - twice, 0.01f);
    const float scale = 1.0f / sqrtf(dx * dx + dy * dy + up * up);
    return (render_ray){hit->x, hit->y, hit->z + 0.01f, scale * dx, scale * dy, scale * up};
}

// Does a ray end at water that mirrors more than a trace of the light?
static bool perspective_is_mirrored(const render_perspective* p, const render_ray* ray,
                                    const cast_hit* hit)
{
    if (hit->kind != CAST_GROUND || p->relief->water == NULL ||
        wadi_picture_mirror(-ray->dz) < 0.035f)
    {
        return false;
    }
    const relief_point at = relief_locate_in(p->relief, hit->patch_x, hit->patch_y, hit->x, hit->y);
    return relief_read(p->relief->water, &at) > 0.0f;
}

// What a mirrored ray meets. Water there mirrors the sky.
static rgb perspective_mirror_light(const render_perspective* p, const render_ray* ray,
                                    const cast_hit* hit, float before)
{
    const rgb sky = perspective_open_sky(p, ray->dz);
    return hit->kind != CAST_GROUND
               ? sky
               : perspective_air(p, before + hit->t, perspective_ground(p, ray, hit, sky));
}

static void perspective_mirror(const render_perspective* p, const cast_rays* cast,
                               perspective_mirrors* mirrors)
{
    mirrors->cast.count = 0;
    for (int32_t i = 0; i < cast->count; ++i)
    {
        const render_ray* ray = &cast->rays[i];
        mirrors->light[i] = perspective_open_sky(p, -ray->dz);
        if (perspective_is_mirrored(p, ray, &cast->hits[i]))
        {
            const int32_t k = mirrors->cast.count++;
            mirrors->cast.rays[k] = perspective_mirror_ray(ray, &cast->hits[i]);
            mirrors->cast.start[k] = 0.0f;
            mirrors->lane[k] = i;
        }
    }
    if (mirrors->cast.count > 0)
    {
        wadi_cast_rays(&p->caster, &mirrors->cast, p->bottom);
    }
    for (int32_t k = 0; k < mirrors->cast.count; ++k)
    {
        const int32_t i = mirrors->lane[k];
        mirrors->light[i] = perspective_mirror_light(p, &mirrors->cast.rays[k],
                                                     &mirrors->cast.hits[k], cast->hits[i].t);
    }
}

// Toned colour at a point of the picture.
static rgb perspective_shade(const render_perspective* p, const render_ray* ray,
                             const cast_hit* hit, float py, rgb mirrored)
{
    if (hit->kind == CAST_MISS || (hit->kind == CAST_SIDE && !p->params->base))
    {
        return rgb_tone(perspective_sky(p, ray, py / (float)p->camera.height));
    }
    const rgb colour = hit->kind == CAST_GROUND ? perspective_ground(p, ray, hit, mirrored)
                                                : perspective_side(p, ray, hit);
    return rgb_tone(perspective_air(p, hit->t, colour));
}

// Detail of the ground in a pixel, seen through air. Its waves are wider than pixels, so that one
// ray is enough, and it asks for no more rays.
static float perspective_grain(const render_perspective* p, const cast_hit* hit)
{
    const render_relief* r = p->relief;
    if (hit->kind != CAST_GROUND)
    {
        return 1.0f;
    }
    const relief_point at = relief_locate_in(r, hit->patch_x, hit->patch_y, hit->x, hit->y);
    if (r->water != NULL && relief_read(r->water, &at) > 0.0f)
    {
        return 1.0f;
    }
    const float pixel = 2.0f * p->camera.spread * hit->t / (float)p->camera.width; // [cells]
    const float detail = wadi_picture_detail(r, &at, hit->x, hit->y, pixel, p->light);
    return 1.0f + (detail - 1.0f) * (1.0f - perspective_haze(p, hit->t));
}

static void perspective_flush(const render_perspective* p, perspective_batch* batch)
{
    cast_rays* cast = &batch->cast;
    if (batch->depth < p->camera.far)
    {
        wadi_cast_rays(&p->caster, cast, p->bottom);
    }
    perspective_mirrors mirrors;
    perspective_mirror(p, cast, &mirrors);
    for (int32_t i = 0; i < cast->count; ++i)
    {
        rgb* to = batch->to[i];
        *to = rgb_add(*to, perspective_shade(p, &cast->rays[i], &cast->hits[i], batch->y[i],
                                             mirrors.light[i]));
        *to = batch->share[i] > 0.0f ? rgb_scale(*to, batch->share[i]) : *to;
        if (batch->grain[i] != NULL)
        {
            *batch->grain[i] = perspective_grain(p, &cast->hits[i]);
        }
    }
    cast->count = 0;
}

// Add a ray through a point of the picture to a pixel; `share`, `grain`: see perspective_batch.
static void perspective_add(const render_perspective* p, perspective_batch* batch, float px,
                            float py, float share, rgb* to, float* grain)
{
    const int32_t lane = batch->cast.count++;
    const render_ray ray = wadi_camera_ray(&p->camera, px, py);
    batch->cast.rays[lane] = ray;
    batch->cast.start[lane] = wadi_camera_distance(&p->camera, &ray, batch->depth);
    batch->y[lane] = py;
    batch->share[lane] = share;
    batch->to[lane] = to;
    batch->grain[lane] = grain;
    if (batch->cast.count == CAST_LANES)
    {
        perspective_flush(p, batch);
    }
}

// Mean of an odd number of rays, of which the middle one is known. Each has a row and a column of
// its own, on a lattice turned against the picture: edges of any direction are as smooth as with
// the square of so many rays on a grid.
static void perspective_pixel(const render_perspective* p, perspective_batch* batch, int32_t x,
                              int32_t y, int32_t rays, rgb* to)
{
    const float step = 1.0f / (float)rays;
    const float mean = step * p->grain[to - p->pixels];
    for (int32_t i = 0; i < rays; ++i)
    {
        const int32_t middle = rays / 2;
        const int32_t row = (2 * (i - middle) + middle + 2 * rays) % rays;
        if (i != middle)
        {
            perspective_add(p, batch, (float)x + ((float)i + 0.5f) * step,
                            (float)y + ((float)row + 0.5f) * step, i + 1 == rays ? mean : 0.0f, to,
                            NULL);
        }
    }
}

// Call `paint` for the tiles of some rows.
typedef void perspective_paint(const render_perspective* p, int32_t x0, int32_t y0, int32_t x1,
                               int32_t y1, float depth);

static void perspective_tiles(const render_perspective* p, int32_t begin, int32_t end,
                              perspective_paint* paint)
{
    for (int32_t x0 = 0; x0 < p->camera.width; x0 += PERSPECTIVE_TILE)
    {
        const int32_t right = x0 + PERSPECTIVE_TILE;
        const int32_t x1 = right < p->camera.width ? right : p->camera.width;
        const beam_window window = {(float)x0, (float)begin, (float)x1, (float)end};
        paint(p, x0, begin, x1, end, wadi_beam_depth(&p->caster, &p->camera, window));
    }
}

// One ray for each pixel, through its middle.
static void perspective_paint_first(const render_perspective* p, int32_t x0, int32_t y0, int32_t x1,
                                    int32_t y1, float depth)
{
    perspective_batch batch = {.cast = {.count = 0}, .depth = depth};
    for (int32_t y = y0; y < y1; ++y)
    {
        for (int32_t x = x0; x < x1; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * p->camera.width + x;
            p->first[i] = (rgb){0.0f, 0.0f, 0.0f};
            perspective_add(p, &batch, (float)x + 0.5f, (float)y + 0.5f, 1.0f, &p->first[i],
                            &p->grain[i]);
        }
    }
    perspective_flush(p, &batch);
}

static float perspective_difference(rgb a, rgb b)
{
    const float red = fabsf(a.r - b.r);
    const float green = fabsf(a.g - b.g);
    const float blue = fabsf(a.b - b.b);
    const float change = cast_most(cast_most(red, green), blue);
    return change / (0.012f + 0.05f * (a.g + b.g));
}

// How much a pixel differs from one of its eight neighbours; 1 is hardly visible.
static float perspective_roughness(const render_perspective* p, int32_t x, int32_t y)
{
    const int32_t width = p->camera.width;
    const rgb* here = p->first + (ptrdiff_t)y * width + x;
    float most = 0.0f;
    for (int32_t j = y > 0 ? -1 : 0; j <= (y + 1 < p->camera.height ? 1 : 0); ++j)
    {
        for (int32_t i = x > 0 ? -1 : 0; i <= (x + 1 < width ? 1 : 0); ++i)
        {
            const float rough = perspective_difference(*here, here[(ptrdiff_t)j * width + i]);
            most = rough > most ? rough : most;
        }
    }
    return most;
}

// More rays for the pixels that need them: 2 n - 1 at edges, half as many in between.
static void perspective_paint_rough(const render_perspective* p, int32_t x0, int32_t y0, int32_t x1,
                                    int32_t y1, float depth)
{
    const int32_t most = p->params->samples;
    perspective_batch batch = {.cast = {.count = 0}, .depth = depth};
    for (int32_t y = y0; y < y1; ++y)
    {
        for (int32_t x = x0; x < x1; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * p->camera.width + x;
            const float rough = most > 1 ? perspective_roughness(p, x, y) : 0.0f;
            const int32_t n = rough < 1.0f ? 1 : (rough < 2.5f ? (most + 1) / 2 : most);
            p->pixels[i] = n == 1 ? rgb_scale(p->first[i], p->grain[i]) : p->first[i];
            perspective_pixel(p, &batch, x, y, 2 * n - 1, &p->pixels[i]);
        }
    }
    perspective_flush(p, &batch);
}

static void perspective_first_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    perspective_tiles(user, begin, end, perspective_paint_first);
}

static void perspective_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    perspective_tiles(user, begin, end, perspective_paint_rough);
}

static wadi_result perspective_trace(render_perspective* p)
{
    const int32_t height = p->params->height;
    WADI_TRY(wadi_palette_create(p->relief, p->params, &p->palette));
    WADI_TRY(wadi_caster_create(p->relief, &p->caster));
    WADI_TRY(wadi_footprint_create(p->relief, &p->footprint));
    WADI_ALLOC(p->relief->context, p->first, (size_t)p->params->width * (size_t)height,
               "the picture");
    WADI_ALLOC(p->relief->context, p->grain, (size_t)p->params->width * (size_t)height,
               "the picture");
    wadi_parallel_rows(p->relief->context, height, PERSPECTIVE_TILE, perspective_first_rows, p);
    wadi_parallel_rows(p->relief->context, height, PERSPECTIVE_TILE, perspective_rows, p);
    return WADI_OK;
}

// The sea goes on to the horizon; land ends at the border of the map, and the sky begins there.
static float perspective_horizon(const render_perspective* p)
{
    const render_relief* r = p->relief;
    const float above = p->camera.eye.z - r->base;
    return r->has_sea || above <= 0.0f
               ? 0.0f
               : -above / sqrtf(above * above + p->camera.far * p->camera.far);
}

wadi_result wadi_picture_perspective(const render_relief* r, const sunlight* light,
                                     const wadi_render_params* params, rgb* pixels)
{
    const float longest = fmaxf(r->east - r->west, r->south - r->north) + 1.0f;
    const float evening = 1.0f - smooth(2.0f, 22.0f, (float)params->sun_altitude); // or morning
    render_perspective p = {
        .relief = r,
        .light = light,
        .params = params,
        .bottom = r->low - (params->base ? 0.07f * longest : 0.0f),
        .haze = rgb_mix(wadi_rgb_of_hex(0xE3E7EA), wadi_rgb_of_hex(0xE8B894), evening),
        .blue = rgb_mix(wadi_rgb_of_hex(0xA9BED6), wadi_rgb_of_hex(0x8C8FA8), evening),
        .zenith = rgb_mix(wadi_rgb_of_hex(0xA9BFD3), wadi_rgb_of_hex(0x5B6F94), evening),
        .clear = rgb_mix(wadi_rgb_of_hex(0x87A9D0), wadi_rgb_of_hex(0x5B6F94), evening),
        .pixels = pixels};
    p.camera = wadi_camera_frame(r, p.bottom, params);
    p.horizon = perspective_horizon(&p);
    p.caster.relief = r;
    const wadi_result result = perspective_trace(&p);
    wadi_caster_destroy(&p.caster);
    wadi_footprint_destroy(r, &p.footprint);
    wadi_free(r->context, p.first);
    wadi_free(r->context, p.grain);
    return result;
}
