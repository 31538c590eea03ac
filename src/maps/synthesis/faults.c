// SPDX-License-Identifier: MIT
// Faulting: random straight faults form a Poisson process of lines, and their sum has the spectrum
// of Brownian terrain, k^-3 (Mandelbrot 1975). A step is constant along a row except at the columns
// where the fault crosses, so a row costs one addition per fault and one per cell.
#include "maps/synthesis/faults.h"

#include "core/dmath.h"
#include "core/random.h"
#include "maps/synthesis/blur.h"

#include <math.h>

enum
{
    FAULTS_STREAM = 0x4661756C,
    FAULTS_GRAIN = 8 // rows of a block
};

typedef struct faults_fault
{
    double x; // line: unit normal; circle: centre [m]
    double y;
    double reach;    // line: distance from the corner along the normal; circle: radius [m]
    int64_t upthrow; // [1 / FAULTS_UNIT]
} faults_fault;

typedef struct faults_job
{
    const synthesis_grid* grid;
    const faults_layout* layout;
    faults_fault* faults;
    int64_t* change; // a row per worker: step added from a column onwards
} faults_job;

// First column with its centre beyond x.
static int32_t faults_column(const synthesis_grid* grid, double x)
{
    const double column = floor(x / grid->cell_size - 0.5) + 1.0;
    return (int32_t)fmin((double)grid->width, fmax(0.0, column));
}

static void faults_cross_line(const faults_job* job, const faults_fault* f, double y,
                              int64_t* change)
{
    // the normal points to the upthrown side
    const double rest = f->y * y - f->reach;
    if (f->x == 0.0)
    {
        change[0] += rest > 0.0 ? f->upthrow : -f->upthrow;
        return;
    }
    const int64_t east = f->x > 0.0 ? f->upthrow : -f->upthrow;
    change[0] -= east;
    change[faults_column(job->grid, -rest / f->x)] += 2 * east;
}

static void faults_cross_circle(const faults_job* job, const faults_fault* f, double x, double y,
                                int64_t* change)
{
    const double square = f->reach * f->reach - y * y;
    if (square > 0.0)
    {
        const double half = sqrt(square);
        change[faults_column(job->grid, x - half)] += f->upthrow;
        change[faults_column(job->grid, x + half)] -= f->upthrow;
    }
}

// A circle and, on a tile, those of its eight images that reach into it.
static void faults_cross_circles(const faults_job* job, const faults_fault* f, double y,
                                 int64_t* change)
{
    const double width = job->grid->width * job->grid->cell_size;
    const double height = job->grid->height * job->grid->cell_size;
    const int images = job->layout->tileable ? 1 : 0;
    for (int v = -images; v <= images; ++v)
    {
        for (int u = -images; u <= images; ++u)
        {
            faults_cross_circle(job, f, f->x + u * width, y - (f->y + v * height), change);
        }
    }
}

static void faults_step_row(const faults_job* job, int32_t row, int64_t* change)
{
    const synthesis_grid* grid = job->grid;
    const double y = (row + 0.5) * grid->cell_size;
    for (int32_t i = 0; i <= grid->width; ++i)
    {
        change[i] = 0;
    }
    for (int32_t i = 0; i < job->layout->count; ++i)
    {
        if (job->layout->kind == WADI_FAULTS_LINES)
        {
            faults_cross_line(job, &job->faults[i], y, change);
        }
        else
        {
            faults_cross_circles(job, &job->faults[i], y, change);
        }
    }
    int64_t sum = 0;
    for (int32_t i = 0; i < grid->width; ++i)
    {
        sum += change[i];
        grid->out[(ptrdiff_t)row * grid->width + i] = (float)((double)sum / FAULTS_UNIT);
    }
}

// Throws sgn(t) |t|^(H - 1/2) at distance t give terrain of Hurst exponent H (Voss 1985).
static void faults_power_row(const faults_job* job, int32_t row)
{
    const synthesis_grid* grid = job->grid;
    const float power = (float)(job->layout->hurst - 0.5);
    const float cell = (float)grid->cell_size;
    const float y = ((float)row + 0.5f) * cell;
    float* out = grid->out + (ptrdiff_t)row * grid->width;
    for (int32_t i = 0; i < grid->width; ++i)
    {
        out[i] = 0.0f;
    }
    for (int32_t f = 0; f < job->layout->count; ++f)
    {
        const faults_fault* fault = &job->faults[f];
        const float upthrow = (float)fault->upthrow / FAULTS_UNIT;
        const float rest = (float)(fault->y * (double)y - fault->reach);
        const float slope = (float)fault->x * cell;
        for (int32_t i = 0; i < grid->width; ++i)
        {
            const float t = slope * ((float)i + 0.5f) + rest;
            const float size = wadi_powf(t < 0.0f ? 1e-9f - t : 1e-9f + t, power);
            out[i] += upthrow * (t < 0.0f ? -size : size);
        }
    }
}

static void faults_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const faults_job* job = user;
    const bool steps = job->layout->kind == WADI_FAULTS_CIRCLES || job->layout->hurst == 0.5;
    for (int32_t row = begin; row < end; ++row)
    {
        if (steps)
        {
            faults_step_row(job, row, job->change + (ptrdiff_t)worker * (job->grid->width + 1));
        }
        else
        {
            faults_power_row(job, row);
        }
    }
}

// ---- placement ---------------------------------------------------------------------------

// A random line within half a diagonal of the centre, so that it may cross the extent.
static void faults_place_line(const synthesis_grid* grid, wadi_philox random, faults_fault* fault)
{
    const double half_x = 0.5 * grid->width * grid->cell_size;
    const double half_y = 0.5 * grid->height * grid->cell_size;
    const double radius = sqrt(half_x * half_x + half_y * half_y);
    const double angle = 6.283185307179586 * wadi_unit_double(random.v[0], 0);
    fault->x = wadi_cos(angle);
    fault->y = wadi_sin(angle);
    fault->reach = fault->x * half_x + fault->y * half_y +
                   radius * (2.0 * wadi_unit_double(random.v[1], 0) - 1.0);
}

// A random circle, whose centre may lie up to the largest radius outside the extent.
static void faults_place_circle(const synthesis_grid* grid, const faults_layout* layout,
                                wadi_philox random, double radius_draw, faults_fault* fault)
{
    const double beyond = layout->tileable ? 0.0 : layout->radius_max;
    const double width = grid->width * grid->cell_size + 2.0 * beyond;
    const double height = grid->height * grid->cell_size + 2.0 * beyond;
    fault->x = width * wadi_unit_double(random.v[0], 0) - beyond;
    fault->y = height * wadi_unit_double(random.v[1], 0) - beyond;
    fault->reach = layout->radius_min + (layout->radius_max - layout->radius_min) * radius_draw;
}

static void faults_place(const synthesis_grid* grid, const faults_layout* layout, int32_t index,
                         faults_fault* fault)
{
    const wadi_philox random = wadi_random(grid->seed, FAULTS_STREAM, (uint64_t)index, 0);
    const double age = layout->count > 1 ? (double)index / (layout->count - 1) : 0.0;

    // throws vary by half, so that sums rarely coincide and classes have equal area
    const double size = 0.5 + wadi_unit_double(random.v[3], 0);
    if (layout->kind == WADI_FAULTS_LINES)
    {
        faults_place_line(grid, random, fault);
        fault->upthrow = (int64_t)(FAULTS_UNIT * size * (1.0 - layout->decay * age));
        return;
    }
    faults_place_circle(grid, layout, random, wadi_unit_double(random.v[2], 0), fault);
    const bool sinks = (random.v[2] & 1u) != 0;
    fault->upthrow = (int64_t)(FAULTS_UNIT * size * (1.0 - layout->decay * age)) * (sinks ? -1 : 1);
}

static wadi_result faults_check(const synthesis_grid* grid, const faults_layout* layout)
{
    WADI_CHECK(grid->context, !layout->tileable || layout->kind == WADI_FAULTS_CIRCLES,
               WADI_ERROR_ARGUMENT,
               "straight faults cannot be tileable; remove tileable or use circles");
    WADI_CHECK(grid->context, layout->radius_min <= layout->radius_max, WADI_ERROR_RANGE,
               "radius_min %g m is above radius_max %g m", layout->radius_min, layout->radius_max);
    const double extent = grid->cell_size * fmin(grid->width, grid->height);
    WADI_CHECK(grid->context, !layout->tileable || layout->radius_max <= extent, WADI_ERROR_RANGE,
               "radius_max %g m is above the side of the tile, %g m", layout->radius_max, extent);
    return WADI_OK;
}

static wadi_result faults_run(faults_job* job)
{
    const synthesis_grid* grid = job->grid;
    const int64_t workers = wadi_context_workers(grid->context);
    WADI_ALLOC(grid->context, job->faults, job->layout->count, "faults");
    WADI_ALLOC(grid->context, job->change, workers * (grid->width + 1), "rows of faults");
    for (int32_t i = 0; i < job->layout->count; ++i)
    {
        faults_place(grid, job->layout, i, &job->faults[i]);
    }
    wadi_parallel_rows(grid->context, grid->height, FAULTS_GRAIN, faults_rows, job);
    return WADI_OK;
}

wadi_result wadi_faults_sum(const synthesis_grid* grid, const faults_layout* layout)
{
    WADI_TRY(faults_check(grid, layout));
    faults_job job = {.grid = grid, .layout = layout};
    const wadi_result result = faults_run(&job);
    wadi_free(grid->context, job.change);
    wadi_free(grid->context, job.faults);
    return result;
}

wadi_result wadi_faults_fill(const synthesis_grid* grid, const void* params)
{
    const wadi_faults_params* p = params;
    const faults_layout layout = {p->kind,       p->count,      p->hurst,   p->decay,
                                  p->radius_min, p->radius_max, p->tileable};
    WADI_TRY(wadi_faults_sum(grid, &layout));
    WADI_TRY(wadi_synthesis_blur(grid, p->smoothing / grid->cell_size, p->tileable));
    wadi_synthesis_scale(grid, p->base, p->relief);
    return WADI_OK;
}
