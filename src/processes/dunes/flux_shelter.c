// SPDX-License-Identifier: MIT
// The roof: ground, plants, and the upper surface of the sheltered zone in the lee of each brink,
// which descends at shelter_angle (equations 1 and 2).
//
// It is the maximum over all cells upwind of their height less the descent from there, computed by
// doubling. A stage of k cells reads the result of the previous stages k cells upwind, so nine
// stages cover 511 cells. Each stage interpolates between two cells of one row or column, which
// smears less than a sweep from cell to cell.
#include "processes/dunes/flux.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

// ---- levels --------------------------------------------------------------------------------

static void shelter_level_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    flux_worker* own = &f->workers[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t at = flux_at(f, y);
        const flux_level_row row = {
            .count = f->ground->width,
            .rock = f->ground->bedrock + (int64_t)y * f->ground->width,
            .sand = wadi_flux_sand_row(f, y, own),
            .base = f->base,
            .level = f->level + at,
            .plants = f->plants != NULL ? f->plants + at : NULL,
            .roof = f->roof + at,
        };
        f->kernels->level(&row, own->range);
    }
}

// Compute level and roof of all cells; returns the relief of the roof [m].
static double shelter_levels(flux* f)
{
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        f->workers[w].range[0] = INFINITY;
        f->workers[w].range[1] = -INFINITY;
    }
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, shelter_level_rows, f);
    wadi_flux_fill_voids(f);
    wadi_flux_extend_level(f);
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        low = fminf(low, f->workers[w].range[0]);
        high = fmaxf(high, f->workers[w].range[1]);
    }
    return (double)high - (double)low;
}

// ---- stages --------------------------------------------------------------------------------

typedef struct shelter_stage
{
    const flux* f;
    const float* from;
    float* to;
    int32_t cells; // upwind distance along the major axis of the wind
    float step_x;  // offset per cell of that distance [cells]
    float step_y;
    float drop; // descent over (step_x, step_y) [m]
    float fall; // descent per cell of path [m]
    bool downwind;
} shelter_stage;

// Offset that a stage reads at: rows and columns, each with the fraction to the next.
typedef struct shelter_look
{
    int32_t row;
    float between_rows;
    int32_t shift;
    float between_columns;
} shelter_look;

static shelter_look shelter_look_from(const shelter_stage* stage, int32_t y)
{
    const double back_y = (double)y - (double)stage->cells * (double)stage->step_y;
    const double back_x = (double)stage->cells * (double)stage->step_x;
    const double row = floor(back_y);
    const double shift = floor(back_x);
    return (shelter_look){(int32_t)row, (float)(back_y - row), (int32_t)shift,
                          (float)(back_x - shift)};
}

static void shelter_stage_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const shelter_stage* stage = user;
    const flux* f = stage->f;
    float* wide = f->workers[worker].wide;
    for (int32_t y = begin; y < end; ++y)
    {
        const shelter_look look = shelter_look_from(stage, y);
        const flux_mix_row mix = {f->ground->width, stage->from + flux_at(f, look.row),
                                  stage->from + flux_at(f, look.row + 1), look.between_rows, wide};
        f->kernels->mix(&mix);
        wadi_flux_fill_margins(f, wide, stage->cells + 1);
        const flux_raise_row raise = {
            .count = f->ground->width,
            .here = stage->from + flux_at(f, y),
            .from = wide,
            .shift = look.shift,
            .beside = -1,
            .share = look.between_columns,
            .drop = (float)stage->cells * stage->drop,
            .out = stage->to + flux_at(f, y),
        };
        f->kernels->raise(&raise);
    }
}

// A stage with a wind that varies from cell to cell. Each stage follows the wind of its own cell,
// so the streamline is approximated by a polyline.
static void shelter_bent_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const shelter_stage* stage = user;
    const flux* f = stage->f;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        const flux_look_row look = {
            .count = f->ground->width,
            .row = y,
            .here = stage->from + flux_at(f, y),
            .from = stage->from + FLUX_MARGIN,
            .ex = flux_wind_row(f, FLUX_WIND_EAST, y),
            .ey = flux_wind_row(f, FLUX_WIND_SOUTH, y),
            .stride = (int32_t)f->stride,
            .height = f->ground->height,
            .turn_x = f->wrap_x ? f->ground->width : 0,
            .turn_y = f->wrap_y ? f->ground->height : 0,
            .reach = stage->downwind ? -stage->cells : stage->cells,
            .drop = (float)stage->cells * stage->fall,
            .out = stage->to + flux_at(f, y),
        };
        f->kernels->look(&look);
    }
}

// Largest useful distance of a stage [cells]; with a varying wind, at most the size of the grid.
static double shelter_longest(const flux* f, const shelter_stage* job, double relief)
{
    if (f->wind_stride == 0)
    {
        return relief / (double)job->drop;
    }
    const int32_t shorter =
        f->ground->width < f->ground->height ? f->ground->width : f->ground->height;
    return fmin(relief / (double)job->fall, shorter);
}

// Apply up to `most` stages to *plane; stages longer than the relief can shelter are skipped.
// *spare is scratch.
static void shelter_raise(flux* f, shelter_stage job, double relief, int32_t most, float** plane,
                          float** spare)
{
    const double longest = shelter_longest(f, &job, relief);
    for (int32_t stage = 0; stage < most && (double)((1 << stage) - 1) < longest; ++stage)
    {
        job.f = f;
        job.cells = 1 << stage;
        job.from = *plane;
        job.to = *spare;
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN,
                           f->wind_stride != 0 ? shelter_bent_rows : shelter_stage_rows, &job);
        *spare = *plane;
        *plane = job.to;
    }
}

// ---- cliffs --------------------------------------------------------------------------------

// Strength of the reversed eddy in front of cliffs; 0 for slopes below 55 degrees (equation 12).
static void shelter_cliff_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const float least = 0.125f * (float)(f->law.saturation * f->ground->cell_size);
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t at = flux_at(f, y);
        const float* restrict level = f->level + at;
        const float* restrict skin = f->skin + at;
        float* restrict eddy = f->eddy + at;
        float* restrict reach = f->shield + at;
        int32_t any = 0;
#pragma omp simd reduction(| : any)
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const float over = (eddy[x] - level[x] - least) / (2.0f * least);
            const float held = over < 0.0f ? 0.0f : over;
            eddy[x] = held < 1.0f ? held : 1.0f;
            reach[x] = skin[x] * (1.0f - eddy[x]);
            any |= eddy[x] > 0.0f ? 1 : 0;
        }
        f->eddies[y] = any != 0 ? 1 : 0;
        wadi_flux_fill_margins(f, f->eddy + at, 1);
    }
}

static void shelter_cliffs(flux* f, double relief)
{
    const size_t bytes = (size_t)f->ground->height * (size_t)f->stride * sizeof *f->eddy;
    memcpy(f->eddy, f->level, bytes);
    const shelter_stage job = {.step_x = -f->law.slope_x,
                               .step_y = -f->law.slope_y,
                               .drop = f->law.cliff_drop,
                               .fall = f->law.cliff_fall,
                               .downwind = true};
    shelter_raise(f, job, relief, FLUX_CLIFF_STAGES, &f->eddy, &f->swap[0]);
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, shelter_cliff_rows, f);
}

void wadi_flux_shelter(flux* f)
{
    const double relief = shelter_levels(f);
    if (f->shield != NULL)
    {
        shelter_cliffs(f, relief);
    }
    const shelter_stage job = {.step_x = f->law.slope_x,
                               .step_y = f->law.slope_y,
                               .drop = f->law.drop,
                               .fall = f->law.fall};
    shelter_raise(f, job, relief, FLUX_STAGES, &f->roof, &f->swap[0]);
}
