// SPDX-License-Identifier: MIT
#include "maps/render/sky.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    SKY_GRAIN = 8, // rows of a block
    SKY_LAST = 8   // cells along the longer side of the last level
};

typedef struct sky_job
{
    render_sky* sky;
    int32_t level;
    float* rises; // a row for each worker
} sky_job;

// Distances at which the ground is read: the samples of a level begin where those of the level
// below end.
static const float sky_first[] = {1.0f, 2.0f, 3.0f, 4.0f, 5.4f, 7.6f};
static const float sky_others[] = {2.6f, 3.4f, 4.4f, 5.8f, 7.6f};

// Row `y` of a map of horizons in one direction.
static light_horizons sky_horizons(const sky_level* level, int32_t direction, int32_t y)
{
    const ptrdiff_t i = ((ptrdiff_t)direction * level->height + y) * level->width;
    return (light_horizons){level->horizons.lift + i, level->horizons.near + i};
}

static void sky_row_of(const render_sky* sky, int32_t level, int32_t direction, int32_t y,
                       int32_t worker, float* out)
{
    const sky_level* here = &sky->levels[level];
    const light_horizons none = {NULL, NULL};
    sky->kernels->rise(&(light_rise_row){
        .heights = here->heights,
        .width = here->width,
        .height = here->height,
        .y = y,
        .along_x = sky->along_x[direction],
        .along_y = sky->along_y[direction],
        .distances = level == 0 ? sky_first : sky_others,
        .samples = (int32_t)(level == 0 ? sizeof sky_first : sizeof sky_others) / 4,
        .cell = (float)(1 << (2 * level)),
        .coarse = level + 1 < sky->count ? sky_horizons(here + 1, direction, 0) : none,
        .here = level > 0 ? sky_horizons(here, direction, y) : none,
        .scratch = sky->scratch + (ptrdiff_t)worker * light_scratch(sky->levels[0].width),
        .out = out});
}

void wadi_sky_row(const render_sky* sky, int32_t direction, int32_t y, int32_t worker, float* out)
{
    sky_row_of(sky, 0, direction, y, worker, out);
}

static void sky_rise_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const sky_job* job = user;
    const sky_level* level = &job->sky->levels[job->level];
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t k = 0; k < LIGHT_DIRECTIONS; ++k)
        {
            sky_row_of(job->sky, job->level, k, y, worker,
                       job->rises + (ptrdiff_t)worker * level->width);
        }
    }
}

// Mean of up to 4 x 4 cells; NaN if all are void.
static float sky_mean(const sky_level* below, int32_t x, int32_t y)
{
    float sum = 0.0f;
    float count = 0.0f;
    for (int32_t j = y; j < y + LIGHT_COARSER && j < below->height; ++j)
    {
        for (int32_t i = x; i < x + LIGHT_COARSER && i < below->width; ++i)
        {
            const float z = below->heights[(ptrdiff_t)j * below->width + i];
            sum += isnan(z) ? 0.0f : z;
            count += isnan(z) ? 0.0f : 1.0f;
        }
    }
    return count > 0.0f ? sum / count : NAN;
}

static void sky_mean_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const sky_job* job = user;
    const sky_level* level = &job->sky->levels[job->level];
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            level->heights[(ptrdiff_t)y * level->width + x] =
                sky_mean(level - 1, LIGHT_COARSER * x, LIGHT_COARSER * y);
        }
    }
}

static wadi_result sky_allocate(render_sky* sky)
{
    for (int32_t i = 1; i < sky->count; ++i)
    {
        sky_level* level = &sky->levels[i];
        const size_t cells = (size_t)level->width * (size_t)level->height;
        WADI_ALLOC(sky->context, level->heights, cells, "the sky of the picture");
        const size_t all = cells * LIGHT_DIRECTIONS;
        WADI_ALLOC(sky->context, level->horizons.lift, all, "the sky of the picture");
        WADI_ALLOC(sky->context, level->horizons.near, all, "the sky of the picture");
    }
    const size_t row = (size_t)light_scratch(sky->levels[0].width);
    WADI_ALLOC(sky->context, sky->scratch, row * (size_t)wadi_context_workers(sky->context),
               "the sky of the picture");
    return WADI_OK;
}

static void sky_lay_levels(render_sky* sky)
{
    sky->count = 1;
    for (const sky_level* below = sky->levels;
         (below->width > SKY_LAST || below->height > SKY_LAST) && sky->count < SKY_LEVELS; ++below)
    {
        sky->levels[sky->count++] = (sky_level){.width = light_coarser(below->width),
                                                .height = light_coarser(below->height)};
    }
}

// Directions between those of the grid and its diagonals.
static void sky_lay_directions(render_sky* sky)
{
    for (int32_t k = 0; k < LIGHT_DIRECTIONS; ++k)
    {
        const double angle = 6.283185307179586 * ((double)k + 0.5) / LIGHT_DIRECTIONS;
        sky->along_x[k] = (float)wadi_cos(angle);
        sky->along_y[k] = (float)wadi_sin(angle);
    }
}

wadi_result wadi_sky_create(const render_relief* r, const light_kernels* kernels, render_sky* out)
{
    *out = (render_sky){.context = r->context, .kernels = kernels};
    out->levels[0] = (sky_level){.width = r->width, .height = r->height, .heights = r->top};
    sky_lay_levels(out);
    sky_lay_directions(out);
    WADI_TRY(sky_allocate(out));
    sky_job job = {.sky = out};
    WADI_ALLOC(r->context, job.rises, (size_t)r->width * (size_t)wadi_context_workers(r->context),
               "the sky of the picture");
    for (job.level = 1; job.level < out->count; ++job.level)
    {
        wadi_parallel_rows(r->context, out->levels[job.level].height, SKY_GRAIN, sky_mean_rows,
                           &job);
    }
    for (job.level = out->count - 1; job.level > 0; --job.level)
    {
        wadi_parallel_rows(r->context, out->levels[job.level].height, SKY_GRAIN, sky_rise_rows,
                           &job);
    }
    wadi_free(r->context, job.rises);
    return WADI_OK;
}

void wadi_sky_destroy(render_sky* sky)
{
    for (int32_t i = 1; i < sky->count; ++i)
    {
        wadi_free(sky->context, sky->levels[i].heights);
        wadi_free(sky->context, sky->levels[i].horizons.lift);
        wadi_free(sky->context, sky->levels[i].horizons.near);
    }
    wadi_free(sky->context, sky->scratch);
    *sky = (render_sky){0};
}
