// SPDX-License-Identifier: MIT
// Sand that rolls downslope and crosswind, in proportion to the load above it (equations 10 and
// 11). Both cells beside a face compute the same integer flux.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

// Sand of row y as floats. They are exact up to 256 m; for thicker sand the limit that uses them
// is never reached.
static void creep_read_bank(const flux* f, int32_t y, float* bank, flux_worker* own)
{
    const int32_t row = (int32_t)flux_wrap(y, f->ground->height, f->wrap_y);
    const int32_t* restrict sand = wadi_flux_sand_row(f, row, own);
    for (int32_t x = 0; x < f->ground->width; ++x)
    {
        bank[x] = (float)sand[x];
    }
    for (int32_t x = 0; f->top != NULL && x < f->ground->width; ++x)
    {
        bank[x] *= wadi_sand_top_loose(f->top, (int64_t)row * f->ground->width + x);
    }
    wadi_flux_fill_margins(f, bank, 1);
}

static flux_bank creep_bank(const flux* f, int32_t y, const float* sand, int32_t axis)
{
    const ptrdiff_t at = flux_at(f, y);
    return (flux_bank){f->level + at, sand, f->arrived + at, f->drift + at,
                       flux_wind_row(f, 1 - axis, y)};
}

static flux_bank creep_beside(flux_bank bank, ptrdiff_t by)
{
    return (flux_bank){bank.level + by, bank.sand + by, bank.load + by, bank.drift + by,
                       bank.e + by};
}

// Eddies at cliffs on one side of a row of faces.
typedef struct creep_eddies
{
    const float* share;
    const float* strength; // of the wind
    const float* e;        // of the wind, across the faces
} creep_eddies;

static creep_eddies creep_eddies_at(const flux* f, int32_t y, int32_t axis, ptrdiff_t by)
{
    return (creep_eddies){f->eddy + flux_at(f, y) + by,
                          flux_wind_row(f, FLUX_WIND_STRENGTH, y) + by,
                          flux_wind_row(f, axis, y) + by};
}

// Sand that the eddy of cell x moves upwind over a face.
static int32_t creep_back(const flux* f, creep_eddies eddies, const float* sand, int32_t x, float e)
{
    const float amount = f->law.echo * eddies.share[x] * eddies.strength[x] * fabsf(e);
    const float most = FLUX_MOST_ROLLS * sand[x];
    return (int32_t)(amount < most ? amount : most);
}

// True if an eddy blows in row y or, over faces to the south, in the next one.
static bool creep_has_eddies(const flux* f, int32_t y, int32_t rows)
{
    const ptrdiff_t row = flux_wrap(y, f->ground->height, f->wrap_y);
    const ptrdiff_t next = flux_wrap(y + rows - 1, f->ground->height, f->wrap_y);
    return f->shield != NULL && (f->eddies[row] | f->eddies[next]) != 0;
}

// Add the eddies' flux over faces: sand moves from the cell downwind of a face to the cell upwind.
static void creep_echo(const flux* f, const flux_creep_row* row, creep_eddies near,
                       creep_eddies far)
{
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float e = 0.5f * (near.e[x] + far.e[x]);
        row->flux[x] += e < 0.0f ? creep_back(f, near, row->near.sand, x, e)
                                 : -creep_back(f, far, row->far.sand, x, e);
    }
}

// Creep over the east faces of row y; faces[-1] is the face west of the first cell.
static void creep_east(const flux* f, int32_t y, const float* sand, int32_t* faces)
{
    const int32_t width = f->ground->width;
    const flux_bank here = creep_bank(f, y, sand, 0);
    // drift acts along the wind turned to the left, whose x component is minus the wind's y
    const flux_creep_row row = {width + 1, &f->law.creep, creep_beside(here, -1),
                                here,      -1.0f,         faces - 1};
    f->kernels->creep(&row);
    if (creep_has_eddies(f, y, 1))
    {
        creep_echo(f, &row, creep_eddies_at(f, y, FLUX_WIND_EAST, -1),
                   creep_eddies_at(f, y, FLUX_WIND_EAST, 0));
    }
    if (!f->wrap_x)
    {
        faces[-1] = 0;
        faces[width - 1] = 0;
    }
}

// Creep over the faces between rows y and y + 1.
static void creep_south(const flux* f, int32_t y, const float* near, const float* far,
                        int32_t* faces)
{
    if (!f->wrap_y && (y < 0 || y + 1 >= f->ground->height))
    {
        memset(faces, 0, (size_t)f->ground->width * sizeof *faces);
        return;
    }
    const flux_creep_row row = {f->ground->width,
                                &f->law.creep,
                                creep_bank(f, y, near, 1),
                                creep_bank(f, y + 1, far, 1),
                                1.0f,
                                faces};
    f->kernels->creep(&row);
    if (creep_has_eddies(f, y, 2))
    {
        creep_echo(f, &row, creep_eddies_at(f, y, FLUX_WIND_SOUTH, 0),
                   creep_eddies_at(f, y + 1, FLUX_WIND_SOUTH, 0));
    }
}

static void creep_sum(const flux* f, int32_t y, const int32_t* east, const int32_t* north,
                      const int32_t* south)
{
    int32_t* restrict change = f->change + (int64_t)y * f->ground->width;
    for (int32_t x = 0; x < f->ground->width; ++x)
    {
        change[x] = (east[x - 1] - east[x]) + (north[x] - south[x]);
    }
}

static void creep_plan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    flux_worker* own = &f->workers[worker];
    creep_read_bank(f, begin - 1, own->bank[0], own);
    creep_read_bank(f, begin, own->bank[1], own);
    creep_south(f, begin - 1, own->bank[0], own->bank[1], own->faces[1]);
    for (int32_t y = begin, k = 1; y < end; ++y, k ^= 1)
    {
        const int32_t north = 1 + (y - begin) % 2;
        creep_east(f, y, own->bank[k], own->faces[0]);
        creep_read_bank(f, y + 1, own->bank[k ^ 1], own);
        creep_south(f, y, own->bank[k], own->bank[k ^ 1], own->faces[3 - north]);
        creep_sum(f, y, own->faces[0], own->faces[north], own->faces[3 - north]);
    }
}

static void creep_apply_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const int32_t width = f->ground->width;
    wadi_tally* tally = &f->workers[worker].tally;
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* change = f->change + (int64_t)y * width;
        wadi_flux_leave_voids(f, y, change, tally);
        wadi_ground_change_row(f->ground, (int64_t)y * width, width, change, tally);
    }
}

void wadi_flux_creep(flux* f)
{
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, creep_plan_rows, f);
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, creep_apply_rows, f);
}
