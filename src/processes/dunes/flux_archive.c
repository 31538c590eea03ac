// SPDX-License-Identifier: MIT
// The state of the flux model between two steps: sand in the air, worn rock that is still due,
// plants, and what maps and figures report. Short steps, the wind and the surface of the sand are
// computed anew in each step.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <string.h>

// Thickest load that is read [units]: 4096 m.
#define ARCHIVE_MOST_LOAD (1 << 28)
#define ARCHIVE_MOST_STEPS (INT64_C(1) << 60)

// Archive a plane of values of 4 bytes without its margins; `change` is scratch between steps.
// NULL: the values are of no use under these parameters.
static void archive_plane(flux* f, wadi_archive* archive, void* plane)
{
    const int32_t width = f->ground->width;
    const int32_t height = f->ground->height;
    int32_t* values = plane;
    for (int32_t y = 0; values != NULL && y < height; ++y)
    {
        memcpy(f->change + (int64_t)y * width, values + flux_at(f, y),
               (size_t)width * sizeof *values);
    }
    wadi_archive_grid(archive, f->change, 4, width, height);
    for (int32_t y = 0; values != NULL && wadi_archive_is_reading(archive) && y < height; ++y)
    {
        memcpy(values + flux_at(f, y), f->change + (int64_t)y * width,
               (size_t)width * sizeof *values);
    }
}

// Check a load that has been read, and count it as held.
static wadi_result archive_take_load(flux* f)
{
    f->carried = 0;
    for (int32_t y = 0; y < f->ground->height; ++y)
    {
        int32_t* load = f->load + flux_at(f, y);
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            WADI_CHECK(f->context, load[x] >= 0 && load[x] <= ARCHIVE_MOST_LOAD, WADI_ERROR_FORMAT,
                       "the saved state of dunes has a load of %d units in the air of cell "
                       "(%d, %d); expected 0 to %d",
                       (int)load[x], (int)x, (int)y, ARCHIVE_MOST_LOAD);
            f->carried += load[x];
        }
        wadi_flux_fill_load_margins(f, load);
    }
    return WADI_OK;
}

static wadi_result archive_take_due(const flux* f)
{
    for (int32_t y = 0; f->due != NULL && y < f->ground->height; ++y)
    {
        const float* due = f->due + flux_at(f, y);
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            WADI_CHECK(f->context, due[x] >= 0.0f && due[x] < 1e9f, WADI_ERROR_FORMAT,
                       "the saved state of dunes has %g units of worn rock due in cell (%d, %d)",
                       (double)due[x], (int)x, (int)y);
        }
    }
    return WADI_OK;
}

// What only the maps report.
static void archive_maps(flux* f, wadi_archive* archive)
{
    const int32_t width = f->ground->width;
    const int32_t height = f->ground->height;
    wadi_archive_grid(archive, f->passed[0], 4, width, height);
    wadi_archive_grid(archive, f->passed[1], 4, width, height);
    wadi_archive_grid(archive, f->wear, 4, width, height);
    archive_plane(f, archive, f->level);
    archive_plane(f, archive, f->roof);
    archive_plane(f, archive, f->stress);
    wadi_archive_f64(archive, &f->law.fastest, 1);
    wadi_archive_f32(archive, &f->law.shear.shelter, 1);
}

wadi_result wadi_flux_archive(void* user, wadi_archive* archive)
{
    flux* f = user;
    bool wears = f->due != NULL;
    WADI_TRY(wadi_archive_part(archive, "flux", 1));
    WADI_TRY(wadi_archive_count(archive, &f->steps, ARCHIVE_MOST_STEPS, "steps of dunes"));
    WADI_TRY(wadi_archive_count(archive, &f->sweeps, ARCHIVE_MOST_STEPS, "sweeps of slip faces"));
    wadi_archive_f64(archive, &f->years, 1);
    wadi_archive_f64(archive, &f->blown, 1);
    wadi_archive_f64(archive, &f->sand_passed, 1);
    archive_plane(f, archive, f->load);
    wadi_archive_bool(archive, &wears);
    if (wears)
    {
        archive_plane(f, archive, f->due);
    }
    WADI_TRY(wadi_sand_top_archive(f->top, archive, f->ground));
    archive_maps(f, archive);
    WADI_TRY(wadi_dunes_plants_archive(f->growing, archive, f->ground));
    if (wadi_archive_is_reading(archive))
    {
        WADI_TRY(archive_take_load(f));
        WADI_TRY(archive_take_due(f));
    }
    return wadi_archive_result(archive);
}
