// SPDX-License-Identifier: MIT
// Shear stress of the wind over the roof, and the transport capacity (equations 3 to 7).
//
// The linear theory of turbulent flow over low hills (Jackson & Hunt 1975) divides by the wave
// number. Here that is a weighted sum over a pyramid of increasingly smooth copies of the roof,
// each at full resolution. The stencils are fixed, so results do not depend on the position, any
// grid size works, and it takes a quarter of the time of a Fourier transform.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <string.h>

// Cubic B-spline taps, nearly isotropic at all scales. The weights b_m are the least-squares fit of
//     |k| sum_m b_m 2^m prod_{j<m} cos4(2^j kx / 2) cos4(2^j ky / 2) = 1
// over all directions and wavelengths of 3 cells to twice the longest spacing. The error is below
// 2 % from 4 cells on. With the three taps 1 2 1 it was 12 %, and 8 % more along the grid's axes,
// to which crests turned by up to 7 degrees.
//
// All scales have the same weight except the finest, which resolve single cells, and the three
// coarsest, which replace all coarser scales.
static const flux_taps shear_spline = {0.375f, 0.25f, 0.0625f};
static const float shear_finest[] = {0.415f, 0.422f, 0.327f, 0.334f, 0.330f};
static const float shear_middle = 0.328f;
static const float shear_coarsest[] = {0.327f, 0.333f, 0.318f};

enum
{
    SHEAR_DEEP = 2 // scales from this index on deflect the flux
};

static float shear_weight(int32_t scale, int32_t coarsest)
{
    const int32_t finest = (int32_t)(sizeof shear_finest / sizeof shear_finest[0]);
    return scale < finest          ? shear_finest[scale]
           : scale <= coarsest - 3 ? shear_middle
                                   : shear_coarsest[scale - (coarsest - 2)];
}

// One smoothing of a plane.
typedef struct shear_blur
{
    const flux* f;
    const float* from;
    float* to;
    int32_t spacing; // [cells]
    flux_taps taps;
    float weight; // of the result in `sum`
    float* sum;   // a plane; NULL: none
    bool first;   // clear the sums first
} shear_blur;

static void shear_blur_row(const shear_blur* blur, int32_t y, float* wide)
{
    const flux* f = blur->f;
    const ptrdiff_t at = flux_rim_at(f, y) - f->rim_x;
    const int32_t count = f->ground->width + 2 * f->rim_x;
    flux_across_row across = {.count = count, .taps = blur->taps, .out = wide - f->rim_x};
    for (int32_t k = 0; k < 5; ++k)
    {
        across.from[k] = blur->from + flux_rim_at(f, y + (k - 2) * blur->spacing) - f->rim_x;
    }
    f->kernels->across(&across);
    wadi_flux_mirror_margins(f, wide, 2 * blur->spacing);
    const flux_along_row along = {.count = count,
                                  .from = wide - f->rim_x,
                                  .spacing = blur->spacing,
                                  .taps = blur->taps,
                                  .out = blur->to + at,
                                  .weight = blur->weight,
                                  .sum = blur->sum != NULL ? blur->sum + at : NULL};
    f->kernels->along(&along);
}

// Ghost cells of a row; beyond other edges the rim is computed like the grid.
static void shear_wrap_margins(const flux* f, float* row)
{
    if (f->wrap_x)
    {
        wadi_flux_fill_margins(f, row, 1);
    }
}

static void shear_blur_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const shear_blur* blur = user;
    const flux* f = blur->f;
    const size_t bytes = (size_t)(f->ground->width + 2 * f->rim_x) * sizeof *f->shape;
    for (int32_t y = begin - f->rim_y; y < end - f->rim_y; ++y)
    {
        const ptrdiff_t at = flux_rim_at(f, y);
        if (blur->first)
        {
            memset(f->shape + at - f->rim_x, 0, bytes);
            memset(f->deep + at - f->rim_x, 0, bytes);
        }
        shear_blur_row(blur, y, f->workers[worker].wide);
        shear_wrap_margins(f, blur->to + at);
    }
}

static void shear_run_blur(flux* f, shear_blur blur)
{
    blur.f = f;
    wadi_parallel_rows(f->context, f->ground->height + 2 * f->rim_y, FLUX_GRAIN, shear_blur_rows,
                       &blur);
}

// Taps at a spacing that add at most *left to the variance [cells2]; *left is reduced by it. The
// taps of spacing 1 always remove the shortest wave, of two cells. When they did not, windward
// slopes under oblique winds grew checkerboards at 2 m per cell.
static flux_taps shear_smoothing(float* left, int32_t spacing)
{
    const float square = (float)(spacing * spacing);
    const float most = 0.5f * square;
    const float taken = *left < most ? *left : most;
    const float share = taken / square;
    *left = taken < *left ? *left - taken : 0.0f;
    if (spacing > 1)
    {
        return (flux_taps){1.0f - share, 0.5f * share, 0.0f};
    }
    const float outer = (share - 0.5f) / 8.0f;
    return (flux_taps){0.5f - 2.0f * outer, 0.25f, outer};
}

// Smooth the roof to the variance law.blur, with taps of increasing spacing.
static void shear_smooth(flux* f)
{
    const float* from = f->roof;
    float left = f->law.blur;
    for (int32_t spacing = 1, k = 0; spacing == 1 || left > 0.0f; spacing *= 2, k ^= 1)
    {
        const flux_taps taps = shear_smoothing(&left, spacing);
        float* to = left > 0.0f ? f->swap[k] : f->smooth;
        shear_run_blur(f, (shear_blur){.from = from,
                                       .to = to,
                                       .spacing = spacing,
                                       .taps = taps,
                                       .weight = shear_weight(0, f->levels),
                                       .sum = left > 0.0f ? NULL : f->shape,
                                       .first = left <= 0.0f});
        from = to;
    }
}

static void shear_pyramid(flux* f)
{
    const float* from = f->smooth;
    for (int32_t level = 0; level < f->levels; ++level)
    {
        float* to = f->swap[level % 2];
        shear_run_blur(
            f, (shear_blur){.from = from,
                            .to = to,
                            .spacing = 1 << level,
                            .taps = shear_spline,
                            .weight = shear_weight(level + 1, f->levels) * (float)(2 << level),
                            .sum = level + 1 >= SHEAR_DEEP ? f->deep : f->shape});
        from = to;
    }
}

// ---- stress ----------------------------------------------------------------------------------

// Add the potential of the coarse scales to that of all scales.
static void shear_sum_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin - f->rim_y; y < end - f->rim_y; ++y)
    {
        const ptrdiff_t at = flux_rim_at(f, y);
        float* restrict shape = f->shape + at;
        const float* restrict deep = f->deep + at;
        for (int32_t x = -f->rim_x; x < f->ground->width + f->rim_x; ++x)
        {
            shape[x] += deep[x];
        }
        shear_wrap_margins(f, shape);
        shear_wrap_margins(f, f->deep + at);
    }
}

static void shear_stress_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t n = flux_rim_at(f, y - 1);
        const ptrdiff_t c = flux_rim_at(f, y);
        const ptrdiff_t s = flux_rim_at(f, y + 1);
        const flux_shear_row row = {
            .count = f->ground->width,
            .law = &f->law.shear,
            .shape = {f->shape + n, f->shape + c, f->shape + s},
            .deep = {f->deep + n, f->deep + c, f->deep + s},
            .smooth = {f->smooth + n, f->smooth + c, f->smooth + s},
            .level = {f->level + n, f->level + c, f->level + s},
            .roof = f->roof + c,
            .plants = flux_plants_row(f, y),
            .skin = f->reach + c,
            .bond = flux_settling_row(f, y),
            .ex = flux_wind_row(f, FLUX_WIND_EAST, y),
            .ey = flux_wind_row(f, FLUX_WIND_SOUTH, y),
            .strength = wadi_flux_streamer_row(f, y, flux_wind_row(f, FLUX_WIND_STRENGTH, y),
                                               f->workers[worker].gusts),
            .stress = f->stress + c,
            .drift = f->drift + c,
            .capacity = f->capacity + c,
        };
        f->kernels->shear(&row);
        wadi_flux_top_bind(f, y);
        wadi_flux_fill_margins(f, f->drift + c, 1);
    }
}

void wadi_flux_shear(flux* f)
{
    const int32_t height = f->ground->height;
    wadi_flux_extend_roof(f);
    shear_smooth(f);
    shear_pyramid(f);
    wadi_parallel_rows(f->context, height + 2 * f->rim_y, FLUX_GRAIN, shear_sum_rows, f);
    wadi_flux_top_read(f);
    wadi_parallel_rows(f->context, height, FLUX_GRAIN, shear_stress_rows, f);
}
