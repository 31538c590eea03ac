// SPDX-License-Identifier: MIT
#include "maps/render/light.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "maps/render/horizon.h"
#include "maps/render/palette.h"
#include "maps/render/sky.h"

#include <math.h>

enum
{
    LIGHT_GRAIN = 8 // rows of a block
};

static const double light_degree = 57.29577951308232; // of one radian

// Rows of numbers that a worker keeps for the row of cells that it lights.
typedef enum light_part
{
    LIGHT_SLOPE_X,
    LIGHT_SLOPE_Y,
    LIGHT_UP, // cosine of the slope
    LIGHT_RISE,
    LIGHT_GLOW,
    LIGHT_SEEN,
    LIGHT_BROAD,
    LIGHT_FINE,
    LIGHT_CRACK,
    LIGHT_STRATUM,
    LIGHT_PARTS
} light_part;

typedef struct light_job
{
    render_relief* relief;
    const sunlight* light;
    const wadi_render_params* params;
    const light_kernels* kernels;
    render_palette palette;
    render_horizon horizon; // towards the sun
    render_sky sky;
    float weight[LIGHT_DIRECTIONS]; // brightness of the sky
    float* parts;                   // LIGHT_PARTS rows for each worker
} light_job;

sunlight wadi_light_of(const wadi_render_params* params)
{
    const double azimuth = params->sun_azimuth / light_degree;
    const double altitude = params->sun_altitude / light_degree;
    const double flat = wadi_cos(altitude);
    const double size = params->sun_size / light_degree;

    // a low sun is redder and its sky bluer
    const float low = 1.0f - smooth(5.0f, 50.0f, (float)params->sun_altitude);
    const float evening = 1.0f - smooth(2.0f, 22.0f, (float)params->sun_altitude);
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
        .sky = rgb_scale((rgb){0.66f, 0.80f, 1.0f},
                         1.1f * (1.0f - 0.45f * evening) * (float)params->sky_light),
    };
}

static float light_difference(float before, float here, float after)
{
    const float back = isnan(before) ? 0.0f : here - before;
    const float ahead = isnan(after) ? 0.0f : after - here;
    const float sides = isnan(before) || isnan(after) ? 1.0f : 0.5f;
    return sides * (back + ahead);
}

// Slopes by differences that are one-sided at voids and borders.
static void light_row_slopes(const light_job* job, int32_t y, float* const parts[])
{
    const render_relief* r = job->relief;
    const float* row = r->ground + (ptrdiff_t)y * r->width;
    for (int32_t x = 0; x < r->width; ++x)
    {
        const float* here = row + x;
        const float west = x > 0 ? here[-1] : NAN;
        const float east = x + 1 < r->width ? here[1] : NAN;
        const float north = y > 0 ? here[-(ptrdiff_t)r->width] : NAN;
        const float south = y + 1 < r->height ? here[r->width] : NAN;
        const float gx = light_difference(west, *here, east);
        const float gy = light_difference(north, *here, south);
        parts[LIGHT_SLOPE_X][x] = gx;
        parts[LIGHT_SLOPE_Y][x] = gy;
        parts[LIGHT_UP][x] = 1.0f / sqrtf(1.0f + gx * gx + gy * gy);
    }
}

static void light_row_sun(const light_job* job, int32_t y, float* rises)
{
    const sunlight* light = job->light;
    const int32_t width = job->relief->width;
    float* sun = job->relief->sun + (ptrdiff_t)y * width;
    wadi_horizon_row(&job->horizon, y, rises);
    for (int32_t x = 0; x < width; ++x)
    {
        sun[x] = smooth(-light->radius, light->radius, light->rise - rises[x]);
    }
}

// Light from all of the sky.
static void light_row_of_sky(const light_job* job, int32_t y, int32_t worker, float* const parts[])
{
    const int32_t width = job->relief->width;
    for (int32_t x = 0; x < width; ++x)
    {
        parts[LIGHT_GLOW][x] = 0.0f;
        parts[LIGHT_SEEN][x] = 0.0f;
    }
    for (int32_t k = 0; k < LIGHT_DIRECTIONS; ++k)
    {
        wadi_sky_row(&job->sky, k, y, worker, parts[LIGHT_RISE]);
        job->kernels->sky(&(light_sky_row){width, job->sky.along_x[k], job->sky.along_y[k],
                                           job->weight[k], parts[LIGHT_RISE], parts[LIGHT_SLOPE_X],
                                           parts[LIGHT_SLOPE_Y], parts[LIGHT_UP], parts[LIGHT_GLOW],
                                           parts[LIGHT_SEEN]});
    }
}

// Colour of a cell under its light. Its roughness is kept for what is smaller than cells.
static rgb light_cell(const light_job* job, int32_t x, int32_t y, float* const parts[])
{
    const render_relief* r = job->relief;
    const sunlight* light = job->light;
    const float gx = parts[LIGHT_SLOPE_X][x];
    const float gy = parts[LIGHT_SLOPE_Y][x];
    const float glow = parts[LIGHT_GLOW][x];
    const float seen = parts[LIGHT_SEEN][x];
    const float facing = (light->z - gx * light->x - gy * light->y) * parts[LIGHT_UP][x];
    const palette_ground ground = wadi_palette_ground(
        &job->palette, r,
        &(palette_cell){x, y, gx, gy, parts[LIGHT_BROAD][x], parts[LIGHT_FINE][x],
                        parts[LIGHT_CRACK][x], parts[LIGHT_STRATUM][x]});

    // light reflected by other slopes, warmer and a third as strong, replaces the hidden sky
    const float sun = r->sun[(ptrdiff_t)y * r->width + x];
    const rgb bounce = rgb_scale(light->sun, 0.10f * (1.0f - seen) * (0.4f + 0.6f * sun));
    const rgb direct = rgb_scale(light->sun, sun * (facing > 0.0f ? facing : 0.0f));
    const rgb sky = rgb_scale(light->sky, glow * (0.35f + 0.65f * seen));
    const rgb total = rgb_add(rgb_add(direct, sky), bounce);
    r->rough[(ptrdiff_t)y * r->width + x] = (uint8_t)(255.0f * clamp01(ground.rough) + 0.5f);
    return rgb_scale(rgb_times(ground.colour, total), 0.3183099f);
}

static void light_row_cells(const light_job* job, int32_t y, float* const parts[])
{
    render_relief* r = job->relief;
    for (int32_t x = 0; x < r->width; ++x)
    {
        const ptrdiff_t i = (ptrdiff_t)y * r->width + x;
        if (!isnan(r->ground[i]))
        {
            r->lit[i] = light_cell(job, x, y, parts);
        }
    }
}

// Rock has marks in the palette of mountains; other palettes do not read them.
static void light_row_crags(const light_job* job, int32_t y, float* const parts[])
{
    const render_relief* r = job->relief;
    if (job->palette.kind == WADI_RENDER_ALPINE)
    {
        job->kernels->crags(
            &(light_crag_row){r->width, y, job->palette.bed, r->ground + (ptrdiff_t)y * r->width,
                              parts[LIGHT_SLOPE_X], parts[LIGHT_SLOPE_Y], parts[LIGHT_BROAD],
                              parts[LIGHT_CRACK], parts[LIGHT_STRATUM]});
    }
}

static void light_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const light_job* job = user;
    const int32_t width = job->relief->width;
    float* parts[LIGHT_PARTS];
    for (int32_t part = 0; part < LIGHT_PARTS; ++part)
    {
        parts[part] = job->parts + ((ptrdiff_t)worker * LIGHT_PARTS + part) * width;
    }
    for (int32_t y = begin; y < end; ++y)
    {
        light_row_slopes(job, y, parts);
        light_row_sun(job, y, parts[LIGHT_RISE]);
        light_row_of_sky(job, y, worker, parts);
        job->kernels->noise(&(light_noise_row){width, 0, y, parts[LIGHT_BROAD], parts[LIGHT_FINE],
                                               parts[LIGHT_RISE]});
        light_row_crags(job, y, parts);
        light_row_cells(job, y, parts);
    }
}

// The sky is brighter on the side of the sun; a level cell has 1 in all.
static void light_weigh_sky(light_job* job)
{
    for (int32_t k = 0; k < LIGHT_DIRECTIONS; ++k)
    {
        const float side =
            job->sky.along_x[k] * job->light->along_x + job->sky.along_y[k] * job->light->along_y;
        job->weight[k] = (2.0f / LIGHT_DIRECTIONS) * (1.0f + 0.35f * side);
    }
}

static wadi_result light_fill(light_job* job)
{
    render_relief* r = job->relief;
    const size_t parts = (size_t)wadi_context_workers(r->context) * LIGHT_PARTS;
    WADI_ALLOC(r->context, job->parts, parts * (size_t)r->width, "the light of the picture");
    WADI_TRY(wadi_palette_create(r, job->params, &job->palette));
    WADI_TRY(wadi_horizon_create(r, &job->horizon));
    WADI_TRY(wadi_horizon_sweep(&job->horizon, job->light->along_x, job->light->along_y));
    WADI_TRY(wadi_sky_create(r, job->kernels, &job->sky));
    light_weigh_sky(job);
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
                     .sky = {.context = r->context},
                     .kernels = light_kernels_of(wadi_isa_best())};
    const wadi_result result = light_fill(&job);
    wadi_horizon_destroy(&job.horizon);
    wadi_sky_destroy(&job.sky);
    wadi_free(r->context, job.parts);
    return result;
}
