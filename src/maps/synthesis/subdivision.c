// SPDX-License-Identifier: MIT
// Subdivision of a square lattice: each level halves the spacing, interpolates the coarser lattice
// and displaces the new points by a random number of their position.
//
// Classic programs start from the corners of an array of 2^n + 1 cells, so another size gives
// another terrain. Here the lattice covers the plane, and each level stores only the points that
// the next one needs: a smaller grid is a crop of a larger one, and cells may have any size.
#include "maps/synthesis/subdivision.h"

#include "core/dmath.h"
#include "maps/synthesis/generator.h"
#include "maps/synthesis/hexagon.h"

#include <math.h>

enum
{
    SUBDIVISION_GRAIN = 16, // rows of a block
    SUBDIVISION_LEVELS = 24
};

// Points (i0 .. i0 + width) x (j0 .. j0 + height) of a lattice over the plane.
typedef struct subdivision_lattice
{
    int32_t i0;
    int32_t j0;
    int32_t width;
    int32_t height;
    double origin_x; // of point 0 [m]
    double origin_y;
    double dx; // spacing [m]
    double dy;
    int32_t period_x; // points; 0: not periodic
    int32_t period_y;
    float* value;
} subdivision_lattice;

typedef struct subdivision_run
{
    const synthesis_grid* grid;
    wadi_subdivision_params params;
    int32_t level;
    float step; // displacement at this level
    float half; // displacement of the second half step
    subdivision_lattice coarse;
    subdivision_lattice fine;
} subdivision_run;

static int32_t subdivision_wrap(int32_t i, int32_t period)
{
    return period == 0 ? i : ((i % period) + period) % period;
}

static float subdivision_noise(const subdivision_run* run, const subdivision_lattice* at, int32_t i,
                               int32_t j)
{
    return subdivision_draw(run->grid->seed, run->level, subdivision_wrap(i, at->period_x),
                            subdivision_wrap(j, at->period_y));
}

static float subdivision_at(const subdivision_lattice* at, int32_t i, int32_t j)
{
    return at->value[(ptrdiff_t)(j - at->j0) * at->width + (i - at->i0)];
}

// Allocate a level: the points around the grid and a margin.
static wadi_result subdivision_allocate(const synthesis_grid* grid, subdivision_lattice* at)
{
    const double x = grid->cell_size * grid->width;
    const double y = grid->cell_size * grid->height;
    at->i0 = (int32_t)floor(-at->origin_x / at->dx) - SUBDIVISION_MARGIN;
    at->j0 = (int32_t)floor(-at->origin_y / at->dy) - SUBDIVISION_MARGIN;
    at->width = (int32_t)ceil((x - at->origin_x) / at->dx) + SUBDIVISION_MARGIN + 1 - at->i0;
    at->height = (int32_t)ceil((y - at->origin_y) / at->dy) + SUBDIVISION_MARGIN + 1 - at->j0;
    WADI_ALLOC(grid->context, at->value, (int64_t)at->width * at->height, "subdivided ground");
    return WADI_OK;
}

static wadi_result subdivision_start(subdivision_run* run)
{
    const synthesis_grid* grid = run->grid;
    subdivision_lattice* at = &run->fine;
    *at = (subdivision_lattice){.dx = run->params.wavelength, .dy = run->params.wavelength};
    if (run->params.tileable)
    {
        const double x = grid->cell_size * grid->width;
        const double y = grid->cell_size * grid->height;
        at->period_x = (int32_t)fmax(1.0, floor(x / at->dx + 0.5));
        at->period_y = (int32_t)fmax(1.0, floor(y / at->dy + 0.5));
        at->dx = x / at->period_x;
        at->dy = y / at->period_y;
    }
    WADI_TRY(subdivision_allocate(grid, at));
    for (int32_t j = 0; j < at->height; ++j)
    {
        for (int32_t i = 0; i < at->width; ++i)
        {
            at->value[(ptrdiff_t)j * at->width + i] =
                subdivision_noise(run, at, at->i0 + i, at->j0 + j);
        }
    }
    return WADI_OK;
}

// ---- interpolation -----------------------------------------------------------------------

// Value of a point of the finer lattice from the coarser one.
typedef float subdivision_rule(const subdivision_run* run, int32_t i, int32_t j);

static float subdivision_square_mean(const subdivision_lattice* c, int32_t i, int32_t j)
{
    return 0.25f * ((subdivision_at(c, i, j) + subdivision_at(c, i + 1, j)) +
                    (subdivision_at(c, i, j + 1) + subdivision_at(c, i + 1, j + 1)));
}

static float subdivision_midpoint(const subdivision_run* run, int32_t i, int32_t j)
{
    const subdivision_lattice* c = &run->coarse;
    const int32_t ci = i >> 1;
    const int32_t cj = j >> 1;
    const bool new_i = (i & 1) != 0;
    const bool new_j = (j & 1) != 0;
    if (!new_i && !new_j)
    {
        return subdivision_at(c, ci, cj);
    }
    const float mean = new_i && new_j
                           ? subdivision_square_mean(c, ci, cj)
                           : 0.5f * (subdivision_at(c, ci, cj) +
                                     subdivision_at(c, new_i ? ci + 1 : ci, new_j ? cj + 1 : cj));
    return mean + run->step * subdivision_noise(run, &run->fine, i, j);
}

// First half of diamond-square: the centres, from which the edges follow.
static float subdivision_centre(const subdivision_run* run, int32_t i, int32_t j)
{
    if ((i & 1) == 0 || (j & 1) == 0)
    {
        return (i & 1) == (j & 1) ? subdivision_at(&run->coarse, i >> 1, j >> 1) : 0.0f;
    }
    return subdivision_square_mean(&run->coarse, i >> 1, j >> 1) +
           run->step * subdivision_noise(run, &run->fine, i, j);
}

// Miller's square-square: no point of the coarser lattice is kept, so none is visible.
static float subdivision_quarter(const subdivision_run* run, int32_t i, int32_t j)
{
    const subdivision_lattice* c = &run->coarse;
    const int32_t ci = i >> 1;
    const int32_t cj = j >> 1;
    const float near = (i & 1) == 0 ? 0.75f : 0.25f;
    const float top =
        near * subdivision_at(c, ci, cj) + (1.0f - near) * subdivision_at(c, ci + 1, cj);
    const float bottom =
        near * subdivision_at(c, ci, cj + 1) + (1.0f - near) * subdivision_at(c, ci + 1, cj + 1);
    const float first = (j & 1) == 0 ? 0.75f : 0.25f;
    return first * top + (1.0f - first) * bottom +
           run->step * subdivision_noise(run, &run->fine, i, j);
}

static subdivision_rule* const subdivision_rules[] = {
    [WADI_SUBDIVISION_MIDPOINT] = subdivision_midpoint,
    [WADI_SUBDIVISION_DIAMOND_SQUARE] = subdivision_centre,
    [WADI_SUBDIVISION_SQUARE_SQUARE] = subdivision_quarter,
};

static void subdivision_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const subdivision_run* run = user;
    const subdivision_lattice* f = &run->fine;
    subdivision_rule* rule = subdivision_rules[run->params.kind];
    for (int32_t j = begin; j < end; ++j)
    {
        for (int32_t i = 0; i < f->width; ++i)
        {
            f->value[(ptrdiff_t)j * f->width + i] = rule(run, f->i0 + i, f->j0 + j);
        }
    }
}

// Second half of diamond-square. The outermost ring lacks neighbours; the margin allows for it.
static void subdivision_edge_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const subdivision_run* run = user;
    const subdivision_lattice* f = &run->fine;
    for (int32_t j = begin; j < end; ++j)
    {
        for (int32_t i = 1; j > 0 && j + 1 < f->height && i + 1 < f->width; ++i)
        {
            const int32_t gi = f->i0 + i;
            const int32_t gj = f->j0 + j;
            if (((gi ^ gj) & 1) != 0)
            {
                float* v = &f->value[(ptrdiff_t)j * f->width + i];
                *v = 0.25f * ((v[-1] + v[1]) + (v[-f->width] + v[f->width])) +
                     run->half * subdivision_noise(run, f, gi, gj);
            }
        }
    }
}

// ---- levels ------------------------------------------------------------------------------

static wadi_result subdivision_refine(subdivision_run* run)
{
    wadi_context* context = run->grid->context;
    wadi_free(context, run->coarse.value);
    run->coarse = run->fine;
    subdivision_lattice* f = &run->fine;
    f->value = NULL;
    f->dx *= 0.5;
    f->dy *= 0.5;
    f->period_x *= 2;
    f->period_y *= 2;
    if (run->params.kind == WADI_SUBDIVISION_SQUARE_SQUARE)
    {
        f->origin_x += 0.5 * f->dx;
        f->origin_y += 0.5 * f->dy;
    }
    WADI_TRY(subdivision_allocate(run->grid, f));
    wadi_parallel_rows(context, f->height, SUBDIVISION_GRAIN, subdivision_rows, run);
    if (run->params.kind == WADI_SUBDIVISION_DIAMOND_SQUARE)
    {
        wadi_parallel_rows(context, f->height, SUBDIVISION_GRAIN, subdivision_edge_rows, run);
    }
    return WADI_OK;
}

// Interpolate at cell centres between the four points around.
static void subdivision_sample_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const subdivision_run* run = user;
    const subdivision_lattice* f = &run->fine;
    for (int32_t row = begin; row < end; ++row)
    {
        const double v = ((row + 0.5) * run->grid->cell_size - f->origin_y) / f->dy;
        const int32_t j = (int32_t)floor(v);
        const float b = (float)(v - j);
        for (int32_t column = 0; column < run->grid->width; ++column)
        {
            const double u = ((column + 0.5) * run->grid->cell_size - f->origin_x) / f->dx;
            const int32_t i = (int32_t)floor(u);
            const float a = (float)(u - i);
            const float top =
                (1.0f - a) * subdivision_at(f, i, j) + a * subdivision_at(f, i + 1, j);
            const float bottom =
                (1.0f - a) * subdivision_at(f, i, j + 1) + a * subdivision_at(f, i + 1, j + 1);
            run->grid->out[(ptrdiff_t)row * run->grid->width + column] =
                (1.0f - b) * top + b * bottom;
        }
    }
}

static wadi_result subdivision_squares(subdivision_run* run)
{
    const double shrink = wadi_pow(2.0, -run->params.hurst);
    WADI_TRY(subdivision_start(run));
    double step = 1.0;
    while (fmax(run->fine.dx, run->fine.dy) > run->grid->cell_size &&
           run->level < SUBDIVISION_LEVELS)
    {
        step *= shrink;
        run->level += 1;
        run->step = (float)step;
        run->half = (float)(step * sqrt(shrink));
        WADI_TRY(subdivision_refine(run));
    }
    wadi_parallel_rows(run->grid->context, run->grid->height, SUBDIVISION_GRAIN,
                       subdivision_sample_rows, run);
    return WADI_OK;
}

wadi_result wadi_subdivision_fill(const synthesis_grid* grid, const void* params)
{
    subdivision_run run = {.grid = grid, .params = *(const wadi_subdivision_params*)params};
    const bool hexagons = run.params.kind == WADI_SUBDIVISION_HEXAGON;
    WADI_CHECK(grid->context, !hexagons || !run.params.tileable, WADI_ERROR_ARGUMENT,
               "hexagons cannot be tileable; remove tileable or use square_square");
    const double extent = grid->cell_size * fmax(grid->width, grid->height);
    WADI_CHECK(grid->context, run.params.wavelength >= 1e-6 * extent, WADI_ERROR_RANGE,
               "wavelength %g m is below a millionth of the extent of %g m; give a longer one",
               run.params.wavelength, extent);
    const wadi_result result =
        hexagons ? wadi_hexagon_subdivide(grid, &run.params) : subdivision_squares(&run);
    wadi_free(grid->context, run.coarse.value);
    wadi_free(grid->context, run.fine.value);
    if (result == WADI_OK)
    {
        wadi_synthesis_scale(grid, run.params.base, run.params.relief);
    }
    return result;
}
