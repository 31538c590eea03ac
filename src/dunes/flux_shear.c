// SPDX-License-Identifier: MIT
// Shear stress of the wind over the roof, and the load that it can carry (equations 3 to 7).
//
// The linear theory of turbulent flow over low hills (Jackson & Hunt 1975) gives the stress by
// dividing by the wave number. That is a sum over a pyramid of ever smoother copies of the roof,
// each at full resolution: fixed stencils, so that nothing depends on the place, any grid shape,
// and a quarter of the time of a Fourier transform.
#include "dunes/flux.h"

#include "core/internal.h"

#include <string.h>

// Ridge least squares of |k| sum_m b_m 2^m prod_{j<m} cos2(2^j k / 2) = 1 over wavelengths of 3 to
// 256 cells; the error is at most 12 % between 4 and 128.
static const float shear_weights[FLUX_LEVELS + 1] = {0.233f, 0.327f, 0.205f, 0.225f,
                                                     0.225f, 0.235f, 0.271f, 0.215f};

enum
{
    SHEAR_DEEP = 2 // scales from this one on turn the flux sideways
};

// One smoothing of a plane.
typedef struct shear_blur
{
    const flux* f;
    const float* from;
    float* to;
    int32_t spacing; // [cells]
    float side;
    float weight; // of the result in `sum`
    float* sum;   // a plane; NULL: none
    bool first;   // of what goes into the sums
} shear_blur;

static void shear_blur_row(const shear_blur* blur, int32_t y, float* wide)
{
    const flux* f = blur->f;
    const ptrdiff_t at = flux_at(f, y);
    const float centre = 1.0f - 2.0f * blur->side;
    const flux_across_row across = {f->ground->width,
                                    blur->from + flux_at(f, y - blur->spacing),
                                    blur->from + at,
                                    blur->from + flux_at(f, y + blur->spacing),
                                    blur->side,
                                    centre,
                                    wide};
    f->kernels->across(&across);
    flux_fill_margins(f, wide, blur->spacing);
    const flux_along_row along = {
        f->ground->width, wide,          blur->spacing, blur->side,
        centre,           blur->to + at, blur->weight,  blur->sum != NULL ? blur->sum + at : NULL};
    f->kernels->along(&along);
}

static void shear_blur_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const shear_blur* blur = user;
    const flux* f = blur->f;
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t at = flux_at(f, y);
        if (blur->first)
        {
            memset(f->shape + at, 0, (size_t)f->ground->width * sizeof *f->shape);
            memset(f->deep + at, 0, (size_t)f->ground->width * sizeof *f->deep);
        }
        shear_blur_row(blur, y, f->workers[worker].wide);
        flux_fill_margins(f, blur->to + at, 1);
    }
}

static void shear_run_blur(flux* f, shear_blur blur)
{
    blur.f = f;
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, shear_blur_rows, &blur);
}

// Smooth the roof over a physical length: taps of growing spacing until their variances add up.
static void shear_smooth(flux* f)
{
    const float* from = f->roof;
    float left = f->law.blur;
    for (int32_t spacing = 1, k = 0; left > 0.0f; spacing *= 2, k ^= 1)
    {
        const float square = (float)(spacing * spacing);
        const float wanted = 0.5f * left / square;
        const float side = wanted < 0.25f ? wanted : 0.25f;
        left = wanted <= 0.25f ? 0.0f : left - 2.0f * side * square;
        float* to = left > 0.0f ? f->swap[k] : f->smooth;
        shear_run_blur(f, (shear_blur){.from = from,
                                       .to = to,
                                       .spacing = spacing,
                                       .side = side,
                                       .weight = shear_weights[0],
                                       .sum = left > 0.0f ? NULL : f->shape,
                                       .first = left <= 0.0f});
        from = to;
    }
}

static void shear_pyramid(flux* f)
{
    const float* from = f->smooth;
    for (int32_t level = 0; level < FLUX_LEVELS; ++level)
    {
        float* to = f->swap[level % 2];
        shear_run_blur(f, (shear_blur){.from = from,
                                       .to = to,
                                       .spacing = 1 << level,
                                       .side = 0.25f,
                                       .weight = shear_weights[level + 1] * (float)(2 << level),
                                       .sum = level + 1 >= SHEAR_DEEP ? f->deep : f->shape});
        from = to;
    }
}

// ---- stress ----------------------------------------------------------------------------------

// The coarse scales count in the whole shape too.
static void shear_sum_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t at = flux_at(f, y);
        float* restrict shape = f->shape + at;
        const float* restrict deep = f->deep + at;
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            shape[x] += deep[x];
        }
        flux_fill_margins(f, shape, 1);
        flux_fill_margins(f, f->deep + at, 1);
    }
}

static void shear_stress_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t n = flux_at(f, y - 1);
        const ptrdiff_t c = flux_at(f, y);
        const ptrdiff_t s = flux_at(f, y + 1);
        const flux_shear_row row = {
            .count = f->ground->width,
            .law = &f->law.shear,
            .shape = {f->shape + n, f->shape + c, f->shape + s},
            .deep = {f->deep + n, f->deep + c, f->deep + s},
            .smooth = {f->smooth + n, f->smooth + c, f->smooth + s},
            .level = f->level + c,
            .roof = f->roof + c,
            .skin = f->reach + c,
            .ex = f->wind[0] + FLUX_MARGIN,
            .ey = f->wind[1] + FLUX_MARGIN,
            .strength = f->wind[2] + FLUX_MARGIN,
            .stress = f->stress + c,
            .drift = f->drift + c,
            .capacity = f->capacity + c,
        };
        f->kernels->shear(&row);
        flux_fill_margins(f, f->drift + c, 1);
    }
}

void flux_shear(flux* f)
{
    const int32_t height = f->ground->height;
    shear_smooth(f);
    shear_pyramid(f);
    wadi_parallel_rows(f->context, height, FLUX_GRAIN, shear_sum_rows, f);
    wadi_parallel_rows(f->context, height, FLUX_GRAIN, shear_stress_rows, f);
}
