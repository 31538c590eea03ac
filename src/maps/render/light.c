// SPDX-License-Identifier: MIT
#include "maps/render/light.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "maps/render/horizon.h"
#include "maps/render/light_kernels.h"
#include "maps/render/palette.h"

#include <math.h>

enum
{
    LIGHT_GRAIN = 8 // rows of a block
};

static const double light_degree = 57.29577951308232; // of one radian

typedef struct light_job
{
    render_relief* relief;
    const sunlight* light;
    const wadi_render_params* params;
    render_palette palette;
    render_horizon horizon;
    const light_kernels* kernels;
    light_slope* slopes;
    light_dome* domes;
    float* rises; // a row for each worker

    // direction of the present sweep, and the brightness of the sky there
    float along_x;
    float along_y;
    float weight;
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
        .sun = rgb_scale(warmth, 4.8f * (float)params->sun_light),
        .sky = rgb_scale((rgb){0.66f, 0.80f, 1.0f}, 1.1f * (float)params->sky_light),
    };
}

static float light_difference(float before, float here, float after)
{
    const float back = isnan(before) ? 0.0f : here - before;
    const float ahead = isnan(after) ? 0.0f : after - here;
    const float sides = isnan(before) || isnan(after) ? 1.0f : 0.5f;
    return sides * (back + ahead);
}

// By differences that are one-sided at voids and borders.
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

static void light_slope_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const light_job* job = user;
    const render_relief* r = job->relief;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < r->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
            job->slopes[i] = light_slope_at(r, x, y);
            job->domes[i] = (light_dome){0.0f, 0.0f};
        }
    }
}

static void light_sun_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const light_job* job = user;
    const sunlight* light = job->light;
    const int32_t width = job->relief->width;
    float* rises = job->rises + (ptrdiff_t)worker * width;
    for (int32_t y = begin; y < end; ++y)
    {
        float* sun = job->relief->sun + (ptrdiff_t)y * width;
        wadi_horizon_row(&job->horizon, y, rises);
        for (int32_t x = 0; x < width; ++x)
        {
            sun[x] = smooth(-light->radius, light->radius, light->rise - rises[x]);
        }
    }
}

static void light_sky_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const light_job* job = user;
    const int32_t width = job->relief->width;
    float* rises = job->rises + (ptrdiff_t)worker * width;
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t i = (ptrdiff_t)y * width;
        wadi_horizon_row(&job->horizon, y, rises);
        job->kernels->sky(&(light_sky_row){width, job->along_x, job->along_y, job->weight, rises,
                                           job->slopes + i, job->domes + i});
    }
}

// Light from all of the sky: directions between those of the grid and its diagonals.
static wadi_result light_sky(light_job* job)
{
    for (int32_t d = 0; d < LIGHT_DIRECTIONS; ++d)
    {
        const double angle = 6.283185307179586 * ((double)d + 0.5) / LIGHT_DIRECTIONS;
        job->along_x = (float)wadi_cos(angle);
        job->along_y = (float)wadi_sin(angle);

        // the sky is brighter on the side of the sun; a level cell has 1 in all
        const float side = job->along_x * job->light->along_x + job->along_y * job->light->along_y;
        job->weight = (2.0f / LIGHT_DIRECTIONS) * (1.0f + 0.35f * side);
        WADI_TRY(wadi_horizon_sweep(&job->horizon, job->along_x, job->along_y));
        wadi_parallel_rows(job->relief->context, job->relief->height, LIGHT_GRAIN, light_sky_rows,
                           job);
    }
    return WADI_OK;
}

static rgb light_cell(const light_job* job, int32_t x, int32_t y)
{
    const render_relief* r = job->relief;
    const sunlight* light = job->light;
    const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
    const light_slope g = job->slopes[i];
    const light_dome dome = job->domes[i];
    const float steepness = sqrtf(g.x * g.x + g.y * g.y);
    const float up = 1.0f / sqrtf(1.0f + steepness * steepness);
    const float facing = (light->z - g.x * light->x - g.y * light->y) * up;
    const rgb ground = wadi_palette_ground(&job->palette, r, x, y, g.x, g.y);

    // light reflected by other slopes, warmer and a third as strong, replaces the hidden sky
    const float sun = r->sun[i];
    const rgb bounce = rgb_scale(light->sun, 0.10f * (1.0f - dome.seen) * (0.4f + 0.6f * sun));
    const rgb direct = rgb_scale(light->sun, sun * (facing > 0.0f ? facing : 0.0f));
    const rgb sky = rgb_scale(light->sky, dome.glow * (0.35f + 0.65f * dome.seen));
    const rgb total = rgb_add(rgb_add(direct, sky), bounce);
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
            if (!isnan(r->ground[i]))
            {
                r->lit[i] = light_cell(job, x, y);
            }
        }
    }
}

static wadi_result light_fill(light_job* job)
{
    render_relief* r = job->relief;
    const size_t cells = (size_t)r->width * (size_t)r->height;
    WADI_ALLOC(r->context, job->slopes, cells, "the light of the picture");
    WADI_ALLOC(r->context, job->domes, cells, "the light of the picture");
    WADI_ALLOC(r->context, job->rises, (size_t)wadi_context_workers(r->context) * (size_t)r->width,
               "the light of the picture");
    WADI_TRY(wadi_palette_create(r, job->params, &job->palette));
    WADI_TRY(wadi_horizon_create(r, &job->horizon));
    wadi_parallel_rows(r->context, r->height, LIGHT_GRAIN, light_slope_rows, job);
    WADI_TRY(wadi_horizon_sweep(&job->horizon, job->light->along_x, job->light->along_y));
    wadi_parallel_rows(r->context, r->height, LIGHT_GRAIN, light_sun_rows, job);
    WADI_TRY(light_sky(job));
    wadi_parallel_rows(r->context, r->height, LIGHT_GRAIN, light_rows, job);
    return WADI_OK;
}

wadi_result wadi_light_relief(render_relief* r, const sunlight* light,
                              const wadi_render_params* params)
{
    light_job job = {.relief = r,
                     .light = light,
                     .params = params,
                     .horizon = {.relief = r},
                     .kernels = light_kernels_of(wadi_isa_best())};
    const wadi_result result = light_fill(&job);
    wadi_horizon_destroy(&job.horizon);
    wadi_free(r->context, job.slopes);
    wadi_free(r->context, job.domes);
    wadi_free(r->context, job.rises);
    return result;
}
