// SPDX-License-Identifier: MIT
// Sand in the air wears bare rock, which becomes sand in the same cell (equation 13). The wear of a
// step is far below a unit of height. It is summed in a float up to 1 mm, so that rounding after
// wadi_ground_take_rock() has applied the hardness loses at most a percent.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <math.h>

static const float wear_least = 64.0f; // [units] smallest amount removed: 1 mm

static void wear_take_row(const flux* f, int32_t y, float* due, wadi_tally* tally)
{
    for (int32_t x = 0; x < f->ground->width; ++x)
    {
        const int64_t cell = (int64_t)y * f->ground->width + x;
        if (due[x] >= wear_least)
        {
            const float whole = floorf(due[x]);
            const int32_t rock = wadi_ground_take_rock(f->ground, cell, (int32_t)whole, tally);
            wadi_ground_put(f->ground, cell, rock, tally);
            f->wear[cell] += (float)rock;
            due[x] -= whole;
        }
    }
}

static void wear_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    flux_worker* own = &f->workers[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        const ptrdiff_t at = flux_at(f, y);
        const flux_wear_row row = {
            .count = f->ground->width,
            .law = &f->law.wear,
            .level = {f->level + flux_rim_at(f, y - 1), f->level + at,
                      f->level + flux_rim_at(f, y + 1)},
            .sand = wadi_flux_sand_row(f, y, own),
            .load = f->load + at,
            .stress = f->stress + at,
            .ex = flux_wind_row(f, FLUX_WIND_EAST, y),
            .ey = flux_wind_row(f, FLUX_WIND_SOUTH, y),
            .due = f->due + at,
        };
        if (f->kernels->wear(&row) >= wear_least)
        {
            wear_take_row(f, y, f->due + at, &own->tally);
        }
    }
}

void wadi_flux_wear(flux* f)
{
    if (f->due != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, wear_rows, f);
    }
}
