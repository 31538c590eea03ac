// SPDX-License-Identifier: MIT
// Maps of the flux model.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <math.h>

wadi_result wadi_flux_maps_create(flux* f)
{
    WADI_ALLOC(f->context, f->passed[0], f->ground->cells, "flux of sand");
    WADI_ALLOC(f->context, f->passed[1], f->ground->cells, "flux of sand");
    WADI_ALLOC(f->context, f->wear, f->ground->cells, "worn rock");
    return WADI_OK;
}

static void maps_sample_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const int32_t width = f->ground->width;
    const float flux_of = (float)(f->law.per_load * f->unsampled);
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        const int32_t* restrict load = f->load + flux_at(f, y);
        const float* restrict ex = flux_wind_row(f, FLUX_WIND_EAST, y);
        const float* restrict ey = flux_wind_row(f, FLUX_WIND_SOUTH, y);
        float* restrict east = f->passed[0] + (int64_t)y * width;
        float* restrict south = f->passed[1] + (int64_t)y * width;
#pragma omp simd
        for (int32_t x = 0; x < width; ++x)
        {
            const float passes = flux_of * (float)load[x];
            east[x] += passes * ex[x];
            south[x] += passes * ey[x];
        }
    }
}

void wadi_flux_maps_sample(flux* f)
{
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, maps_sample_rows, f);
    f->unsampled = 0.0;
}

static double maps_per_year(const flux* f)
{
    return f->years > 0.0 ? 1.0 / f->years : 0.0;
}

static double maps_value(const flux* f, int32_t index, int32_t x, int32_t y)
{
    const int64_t cell = (int64_t)y * f->ground->width + x;
    const ptrdiff_t at = flux_at(f, y) + x;
    switch (index)
    {
    case DUNES_MAP_FLUX_X:
        return maps_per_year(f) * (double)f->passed[0][cell];
    case DUNES_MAP_FLUX_Y:
        return -maps_per_year(f) * (double)f->passed[1][cell];
    case DUNES_MAP_WIND:
        return f->law.fastest * sqrt((double)f->stress[at]);
    case DUNES_MAP_SHELTER:
    {
        const float lull = 1.0f - f->law.shear.shelter * (f->roof[at] - f->level[at]);
        return 1.0 - (lull > 0.0f ? (double)lull : 0.0);
    }
    case DUNES_MAP_AIRBORNE:
        return (double)f->load[at] / WADI_UNITS_PER_METRE;
    case DUNES_MAP_WEAR:
        return (double)f->wear[cell] / WADI_UNITS_PER_METRE;
    default:
        return (double)wadi_sand_top_value(f->top, (sand_top_map)(index - DUNES_MAP_TOP), cell);
    }
}

void wadi_flux_maps_fill(const flux* f, int32_t index, float* out)
{
    const wadi_ground* ground = f->ground;
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            out[cell] = ground->valid[cell] != 0 ? (float)maps_value(f, index, x, y) : NAN;
        }
    }
}
