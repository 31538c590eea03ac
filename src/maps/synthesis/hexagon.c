// SPDX-License-Identifier: MIT
// Subdivision of a triangular lattice (Mandelbrot in Peitgen & Saupe 1988, app. A; Musgrave 1988):
// a point at the centre of every triangle gives a lattice of 1 / sqrt 3 of the spacing, turned by
// 30 degrees. Two such steps give a third of the spacing and the first orientation again; they are
// done together.
//
// Point (q, r) lies at x = (q + r / 2) s, y = r s sqrt(3) / 2. Each row stores the columns that
// cover the grid: row r begins at q = q0 - floor(r / 2).
#include "maps/synthesis/hexagon.h"

#include "core/dmath.h"
#include "maps/synthesis/subdivision.h"

#include <math.h>

#define HEXAGON_ROW 0.86602540378443865 // height of a row in spacings

enum
{
    HEXAGON_GRAIN = 16, // rows of a block
    HEXAGON_LEVELS = 16
};

typedef struct hexagon_lattice
{
    int32_t q0;
    int32_t r0;
    int32_t width;
    int32_t height;
    double spacing; // [m]
    float* value;
} hexagon_lattice;

typedef struct hexagon_run
{
    const synthesis_grid* grid;
    int32_t level;
    float step;     // displacement in the first of the two steps
    float step_two; // in the second step
    hexagon_lattice coarse;
    hexagon_lattice fine;
} hexagon_run;

static int32_t hexagon_floor_div(int32_t a, int32_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static float* hexagon_at(const hexagon_lattice* at, int32_t q, int32_t r)
{
    const int32_t column = q - at->q0 + hexagon_floor_div(r, 2);
    return &at->value[(ptrdiff_t)(r - at->r0) * at->width + column];
}

static wadi_result hexagon_allocate(const synthesis_grid* grid, hexagon_lattice* at)
{
    const double x = grid->cell_size * grid->width / at->spacing;
    const double y = grid->cell_size * grid->height / (at->spacing * HEXAGON_ROW);
    at->q0 = -SUBDIVISION_MARGIN - 1;
    at->r0 = -SUBDIVISION_MARGIN;
    at->width = (int32_t)ceil(x) + 2 * SUBDIVISION_MARGIN + 3;
    at->height = (int32_t)ceil(y) + 2 * SUBDIVISION_MARGIN + 1;
    WADI_ALLOC(grid->context, at->value, (int64_t)at->width * at->height, "subdivided ground");
    return WADI_OK;
}

static float hexagon_noise(const hexagon_run* run, int32_t q, int32_t r)
{
    return subdivision_draw(run->grid->seed, run->level, q, r);
}

// First step: old points and the centres of their triangles.
static void hexagon_first_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const hexagon_run* run = user;
    const hexagon_lattice* f = &run->fine;
    const hexagon_lattice* c = &run->coarse;
    for (int32_t r = f->r0 + begin; r < f->r0 + end; ++r)
    {
        const int32_t q_begin = f->q0 - hexagon_floor_div(r, 2);
        for (int32_t q = q_begin; q < q_begin + f->width; ++q)
        {
            const int32_t cq = hexagon_floor_div(q, 3);
            const int32_t cr = hexagon_floor_div(r, 3);
            const int32_t third = q - 3 * cq;
            if (third != r - 3 * cr)
            {
                continue;
            }
            const int32_t down = third == 2 ? 1 : 0;
            *hexagon_at(f, q, r) = third == 0
                                       ? *hexagon_at(c, cq, cr)
                                       : (*hexagon_at(c, cq + down, cr + down) +
                                          *hexagon_at(c, cq + 1, cr) + *hexagon_at(c, cq, cr + 1)) /
                                                 3.0f +
                                             run->step * hexagon_noise(run, q, r);
        }
    }
}

// Second step: the centres of the triangles of the first. The outermost ring lacks neighbours and
// is skipped; the margin allows for it.
static void hexagon_second_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const hexagon_run* run = user;
    const hexagon_lattice* f = &run->fine;
    for (int32_t r = f->r0 + begin; r < f->r0 + end; ++r)
    {
        if (r == f->r0 || r == f->r0 + f->height - 1)
        {
            continue;
        }
        const int32_t q_begin = f->q0 - hexagon_floor_div(r, 2);
        for (int32_t q = q_begin + 1; q < q_begin + f->width - 1; ++q)
        {
            const int32_t rest = q - r - 3 * hexagon_floor_div(q - r, 3);
            if (rest != 0)
            {
                const int32_t s = rest == 1 ? 1 : -1;
                *hexagon_at(f, q, r) = (*hexagon_at(f, q - s, r) + *hexagon_at(f, q, r + s) +
                                        *hexagon_at(f, q + s, r - s)) /
                                           3.0f +
                                       run->step_two * hexagon_noise(run, q, r);
            }
        }
    }
}

static wadi_result hexagon_refine(hexagon_run* run)
{
    wadi_context* context = run->grid->context;
    wadi_free(context, run->coarse.value);
    run->coarse = run->fine;
    run->fine.value = NULL;
    run->fine.spacing /= 3.0;
    WADI_TRY(hexagon_allocate(run->grid, &run->fine));
    wadi_parallel_rows(context, run->fine.height, HEXAGON_GRAIN, hexagon_first_rows, run);
    wadi_parallel_rows(context, run->fine.height, HEXAGON_GRAIN, hexagon_second_rows, run);
    return WADI_OK;
}

// Interpolate at cell centres between the three points around.
static void hexagon_sample_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const hexagon_run* run = user;
    const hexagon_lattice* f = &run->fine;
    for (int32_t row = begin; row < end; ++row)
    {
        const double v = (row + 0.5) * run->grid->cell_size / (f->spacing * HEXAGON_ROW);
        const int32_t r = (int32_t)floor(v);
        for (int32_t column = 0; column < run->grid->width; ++column)
        {
            const double u = (column + 0.5) * run->grid->cell_size / f->spacing - 0.5 * v;
            const int32_t q = (int32_t)floor(u);
            const float a = (float)(u - q);
            const float b = (float)(v - r);
            const float east = *hexagon_at(f, q + 1, r);
            const float south = *hexagon_at(f, q, r + 1);
            run->grid->out[(ptrdiff_t)row * run->grid->width + column] =
                a + b <= 1.0f ? (1.0f - a - b) * *hexagon_at(f, q, r) + a * east + b * south
                              : (a + b - 1.0f) * *hexagon_at(f, q + 1, r + 1) + (1.0f - b) * east +
                                    (1.0f - a) * south;
        }
    }
}

static wadi_result hexagon_levels(hexagon_run* run, const wadi_subdivision_params* params)
{
    hexagon_lattice* f = &run->fine;
    f->spacing = params->wavelength;
    WADI_TRY(hexagon_allocate(run->grid, f));
    for (int32_t r = f->r0; r < f->r0 + f->height; ++r)
    {
        const int32_t q_begin = f->q0 - hexagon_floor_div(r, 2);
        for (int32_t q = q_begin; q < q_begin + f->width; ++q)
        {
            *hexagon_at(f, q, r) = hexagon_noise(run, q, r);
        }
    }
    const double shrink = wadi_pow(3.0, -0.5 * params->hurst);
    double step = 1.0;
    while (f->spacing > run->grid->cell_size && run->level < HEXAGON_LEVELS)
    {
        run->level += 1;
        run->step = (float)(step * shrink);
        run->step_two = (float)(step * shrink * shrink);
        step *= shrink * shrink;
        WADI_TRY(hexagon_refine(run));
    }
    wadi_parallel_rows(run->grid->context, run->grid->height, HEXAGON_GRAIN, hexagon_sample_rows,
                       run);
    return WADI_OK;
}

wadi_result wadi_hexagon_subdivide(const synthesis_grid* grid,
                                   const wadi_subdivision_params* params)
{
    hexagon_run run = {.grid = grid};
    const wadi_result result = hexagon_levels(&run, params);
    wadi_free(grid->context, run.coarse.value);
    wadi_free(grid->context, run.fine.value);
    return result;
}
