// SPDX-License-Identifier: MIT
#include "maps/render/light.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "maps/render/palette.h"

#include <math.h>

enum
{
    LIGHT_GRAIN = 8, // rows of a block
    LIGHT_DIRECTIONS = 16,
    LIGHT_RINGS = 11
};

static const double light_degree = 57.29577951308232; // of one radian

typedef struct light_job
{
    render_relief* relief;
    const sunlight* light;
    const wadi_render_params* params;
    render_palette palette;

    // horizon samples: neighbours by direction and ring, and one over their distance
    int32_t step_x[LIGHT_DIRECTIONS][LIGHT_RINGS];
    int32_t step_y[LIGHT_DIRECTIONS][LIGHT_RINGS];
    float closeness[LIGHT_DIRECTIONS][LIGHT_RINGS];
} light_job;

sunlight wadi_light_of(const wadi_render_params* params)
{
    const double azimuth = params->sun_azimuth / light_degree;
    const double altitude = params->sun_altitude / light_degree;
    const double flat = wadi_cos(altitude);
    const double size = params->sun_size / light_degree;

    // a low sun is redder and its sky bluer
    const float low = 1.0f - smooth(5.0f, 50.0f, (float)params->sun_altitude);
    const rgb warmth = rgb_mix((rgb){1.0f, 0.95f, 0.87f}, (rgb){1.0f, 0.80f, 0.58f}, low);
    return (sunlight){
        .x = (float)(wadi_sin(azimuth) * flat),
        .y = (float)(-wadi_cos(azimuth) * flat),
        .z = (float)wadi_sin(altitude),
        .along_x = (float)wadi_sin(azimuth),
        .along_y = (float)-wadi_cos(azimuth),
        .rise = (float)(wadi_sin(altitude) / flat),
        .radius = (float)(0.5 * size / (flat * flat)),
        .sun = rgb_scale(warmth, 4.3f * (float)params->sun_light),
        .sky = rgb_scale((rgb){0.66f, 0.80f, 1.0f}, 1.15f * (float)params->sky_light),
    };
}

// Visible share of the sun's disc from a cell, by the smallest clearance over distance of the ray
// to its centre.
static float light_sun_seen(const render_relief* r, const sunlight* light, int32_t x, int32_t y)
{
    const float start = r->top[(ptrdiff_t)y * r->width + x];
    const float right = (float)(r->width - 1);
    const float bottom = (float)(r->height - 1);
    float clearance = light->radius;
    float s = 1.5f;
    for (;;)
    {
        const float px = (float)x + s * light->along_x;
        const float py = (float)y + s * light->along_y;
        const float ray = start + s * light->rise;
        if (px < 0.0f || px > right || py < 0.0f || py > bottom ||
            ray > r->high + s * light->radius)
        {
            break;
        }
        const relief_point p = relief_locate(r, px, py);
        const float gap = (ray - relief_read(r->top, &p)) / s;
        clearance = gap < clearance ? gap : clearance; // false for NaN: voids cast no shadow
        if (clearance < -light->radius)
        {
            return 0.0f;
        }

        // steps grow to 2 % of the distance, less than the width of the penumbra there
        s += s > 50.0f ? 0.02f * s : 1.0f;
    }
    return smooth(-light->radius, light->radius, clearance);
}

// Visible share of the sky from a level cell: the mean over directions of cos^2 of the horizon.
static float light_sky_seen(const light_job* job, int32_t x, int32_t y)
{
    const render_relief* r = job->relief;
    const float start = r->top[(ptrdiff_t)y * r->width + x];
    float seen = 0.0f;
    for (int32_t d = 0; d < LIGHT_DIRECTIONS; ++d)
    {
        float horizon = 0.0f;
        for (int32_t k = 0; k < LIGHT_RINGS; ++k)
        {
            const int32_t px = x + job->step_x[d][k];
            const int32_t py = y + job->step_y[d][k];
            if (px < 0 || px >= r->width || py < 0 || py >= r->height)
            {
                break;
            }
            const float rise = r->top[(ptrdiff_t)py * r->width + px] - start;
            const float tangent = rise * job->closeness[d][k];
            horizon = tangent > horizon ? tangent : horizon;
        }
        seen += 1.0f / (1.0f + horizon * horizon);
    }
    return seen / (float)LIGHT_DIRECTIONS;
}

static void light_lay_rings(light_job* job)
{
    static const float radius[LIGHT_RINGS] = {1.0f,  2.0f,  3.0f,  5.0f,  8.0f, 12.0f,
                                              18.0f, 27.0f, 41.0f, 62.0f, 93.0f};
    for (int32_t d = 0; d < LIGHT_DIRECTIONS; ++d)
    {
        // alternate rings are turned by half a step to avoid visible spokes
        for (int32_t k = 0; k < LIGHT_RINGS; ++k)
        {
            const double angle = 6.283185307179586 * ((double)d + 0.5 * (k & 1)) / LIGHT_DIRECTIONS;
            const double dx = floor((double)radius[k] * wadi_cos(angle) + 0.5);
            const double dy = floor((double)radius[k] * wadi_sin(angle) + 0.5);
            job->step_x[d][k] = (int32_t)dx;
            job->step_y[d][k] = (int32_t)dy;
            job->closeness[d][k] = (float)(1.0 / sqrt(dx * dx + dy * dy));
        }
    }
}

// Slope at a cell, by differences that are one-sided at voids and borders.
typedef struct light_slope
{
    float x;
    float y;
} light_slope;

static float light_difference(float before, float here, float after)
{
    const float back = isnan(before) ? 0.0f : here - before;
    const float ahead = isnan(after) ? 0.0f : after - here;
    const float sides = isnan(before) || isnan(after) ? 1.0f : 0.5f;
    return sides * (back + ahead);
}

static light_slope light_slope_at(const render_relief* r, int32_t x, int32_t y)
{
    const float* here = r->ground + (ptrdiff_t)y * r->width + x;
    const float west = x > 0 ? here[-1] : NAN;
    const float east = x + 1 < r->width ? here[1] : NAN;
    const float north = y > 0 ? here[-(ptrdiff_t)r->width] : NAN;
    const float south = y + 1 < r->height ? here[r->width] : NAN;
    return (light_slope){light_difference(west, *here, east),
                         light_difference(north, *here, south)};
}

static rgb light_cell(const light_job* job, int32_t x, int32_t y, float sun)
{
    const render_relief* r = job->relief;
    const sunlight* light = job->light;
    const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
    const light_slope g = light_slope_at(r, x, y);
    const float steepness = sqrtf(g.x * g.x + g.y * g.y);
    const float up = 1.0f / sqrtf(1.0f + steepness * steepness);
    const float facing = (light->z - g.x * light->x - g.y * light->y) * up;
    const float seen = light_sky_seen(job, x, y);
    const rgb ground = wadi_palette_ground(&job->palette, r, i, steepness / r->exaggeration);

    // light reflected by other slopes, warmer and a third as strong, replaces the hidden sky
    const float sky = seen * seen * (0.4f + 0.6f * up);
    const rgb bounce = rgb_scale(light->sun, 0.10f * (1.0f - seen) * (0.4f + 0.6f * sun));
    const rgb direct = rgb_scale(light->sun, sun * (facing > 0.0f ? facing : 0.0f));
    const rgb total = rgb_add(rgb_add(direct, rgb_scale(light->sky, sky)), bounce);
    return rgb_scale(rgb_times(ground, total), 0.3183099f);
}

static void light_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const light_job* job = user;
    render_relief* r = job->relief;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < r->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
            if (isnan(r->ground[i]))
            {
                continue;
            }
            r->sun[i] = light_sun_seen(r, job->light, x, y);
            r->lit[i] = light_cell(job, x, y, r->sun[i]);
        }
    }
}

wadi_result wadi_light_relief(render_relief* r, const sunlight* light,
                              const wadi_render_params* params)
{
    light_job job = {.relief = r, .light = light, .params = params};
    WADI_TRY(wadi_palette_create(r, params, &job.palette));
    light_lay_rings(&job);
    wadi_parallel_rows(r->context, r->height, LIGHT_GRAIN, light_rows, &job);
    return WADI_OK;
}
