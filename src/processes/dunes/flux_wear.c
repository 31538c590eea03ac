// SPDX-License-Identifier: MIT
// Sand in the air wears bare rock, which becomes sand in the same cell (equation 13). The wear of a
// step is far below a unit of height. It is summed in a float up to 1 mm, so that rounding after
// wadi_ground_take_rock() has applied the hardness loses at most a percent.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

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
            const int32_t dust = (int32_t)(f->params.dust * rock);
            wadi_ground_put(f->ground, cell, rock - dust, tally);
            tally->lost[WADI_MATERIAL_SEDIMENT] += dust;
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
            .floor = f->law.wear.above > 0.0f ? f->swap[0] + at : f->level + at,
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

// ---- the floor between ridges ------------------------------------------------------------------

typedef struct wear_stage
{
    const flux* f;
    const float* from;
    float* to;
    int32_t cells; // distance at which a stage looks
} wear_stage;

static float wear_lowest(const float* row, int32_t x, int32_t cells)
{
    return fminf(row[x - cells], row[x + cells]);
}

static void wear_stage_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const wear_stage* stage = user;
    const flux* f = stage->f;
    const float rise = (float)stage->cells * f->law.fall;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        const float* north = stage->from + flux_at(f, y - stage->cells);
        const float* here = stage->from + flux_at(f, y);
        const float* south = stage->from + flux_at(f, y + stage->cells);
        float* to = stage->to + flux_at(f, y);
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const float beside =
                fminf(fminf(north[x], south[x]), wear_lowest(here, x, stage->cells));
            const float corner =
                fminf(wear_lowest(north, x, stage->cells), wear_lowest(south, x, stage->cells));
            to[x] = fminf(here[x], fminf(beside + rise, corner + 1.41421356f * rise));
        }
        wadi_flux_fill_margins(f, to, FLUX_MARGIN);
    }
}

// The ground below the slopes of shelter_angle that rise from all lower ground up to 31 cells away:
// grains climb gentler slopes. By doubling, like the roof; into swap[0].
static void wear_find_floor(flux* f)
{
    for (int32_t y = 0; y < f->ground->height; ++y)
    {
        memcpy(f->swap[0] + flux_at(f, y), f->level + flux_at(f, y),
               (size_t)f->ground->width * sizeof *f->level);
        wadi_flux_fill_margins(f, f->swap[0] + flux_at(f, y), FLUX_MARGIN);
    }
    for (int32_t cells = 1; cells <= FLUX_MARGIN; cells *= 2)
    {
        wear_stage stage = {f, f->swap[0], f->swap[1], cells};
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, wear_stage_rows, &stage);
        f->swap[1] = f->swap[0];
        f->swap[0] = stage.to;
    }
}

void wadi_flux_wear(flux* f)
{
    if (f->due != NULL && f->law.wear.above > 0.0f)
    {
        wear_find_floor(f);
    }
    if (f->due != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, wear_rows, f);
    }
}
