// SPDX-License-Identifier: MIT
// Surface conditions of the sand: plants, moisture, open water. They are read once per advance and
// after plants have grown.
#include "processes/dunes/flux.h"

#include "core/internal.h"

#include <math.h>

static float skin_share(uint16_t share)
{
    return (float)share / 65535.0f;
}

// Share of the shear stress that acts on dry sand. Plants reduce the stress, moisture raises the
// threshold, and open water or ice prevents lifting.
static float skin_of(const flux* f, int64_t cell)
{
    const wadi_ground* ground = f->ground;
    const float drag = 1.0f + (float)f->params.plant_drag * skin_share(ground->vegetation[cell]);
    const float bond = 1.0f + (float)f->params.wet_gain * sqrtf(skin_share(ground->moisture[cell]));
    return ground->water[cell] > 0 ? 0.0f : 1.0f / (drag * (bond * bond));
}

static void skin_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const float bare = (float)wadi_talus_tangent(f->params.repose);
    const float held = (float)wadi_talus_tangent(f->params.plant_repose);
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * f->ground->width + x;
            const float cover = skin_share(f->ground->vegetation[cell]);
            f->skin[flux_at(f, y) + x] = skin_of(f, cell);
            if (f->plants != NULL)
            {
                f->plants[flux_at(f, y) + x] = (float)f->params.plant_height * cover;
                f->tangents[cell] = bare + cover * (held - bare);
            }
        }
    }
}

static bool skin_has_plants(const wadi_ground* ground)
{
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        if (ground->vegetation[cell] != 0)
        {
            return true;
        }
    }
    return false;
}

static wadi_result skin_allocate_plants(flux* f)
{
    const int64_t size = (int64_t)f->ground->height * f->stride;
    if (f->tangents != NULL || (f->growing == NULL && !skin_has_plants(f->ground)))
    {
        return WADI_OK;
    }
    if (f->plants == NULL)
    {
        WADI_ALLOC(f->context, f->plants, size, "plants on dunes");
    }
    WADI_ALLOC(f->context, f->tangents, f->ground->cells, "angles of repose under plants");
    return WADI_OK;
}

// Zero of heights: the middle of the relief. A float then resolves 0.1 mm in 1000 m.
static int32_t skin_base(const wadi_ground* ground)
{
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        if (ground->valid[cell] != 0)
        {
            const int32_t surface = wadi_ground_surface(ground, cell);
            low = surface < low ? surface : low;
            high = surface > high ? surface : high;
        }
    }
    return (int32_t)(((int64_t)low + high) / 2);
}

// Is a face of the cell steeper than 55 degrees? Only rock can be: sand rests below 45 degrees.
static bool skin_is_steep(const flux* f, int32_t x, int32_t y)
{
    const wadi_ground* ground = f->ground;
    const int64_t cell = (int64_t)y * ground->width + x;
    const double most = 1.4281 * ground->cell_size * WADI_UNITS_PER_METRE; // 55 degrees
    const int32_t here = wadi_ground_surface(ground, cell);
    const bool has_east = x + 1 < ground->width && ground->valid[cell + 1] != 0;
    const bool has_south = y + 1 < ground->height && ground->valid[cell + ground->width] != 0;
    const int32_t east = has_east ? wadi_ground_surface(ground, cell + 1) : here;
    const int32_t south = has_south ? wadi_ground_surface(ground, cell + ground->width) : here;
    return fabs((double)here - east) > most || fabs((double)here - south) > most;
}

static bool skin_finds_cliffs(const flux* f)
{
    for (int32_t y = 0; y < f->ground->height; ++y)
    {
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            if (f->ground->valid[(int64_t)y * f->ground->width + x] != 0 && skin_is_steep(f, x, y))
            {
                return true;
            }
        }
    }
    return false;
}

// Allocate the planes for eddies at cliffs when the first cliff exists.
static wadi_result skin_allocate_cliffs(flux* f)
{
    const int64_t size = (int64_t)f->ground->height * f->stride;
    if (f->shield != NULL || f->params.echo <= 0.0 || !skin_finds_cliffs(f))
    {
        f->reach = f->shield != NULL ? f->shield : f->skin;
        return WADI_OK;
    }
    if (f->eddy == NULL)
    {
        WADI_ALLOC(f->context, f->eddy, size, "eddies before cliffs");
    }
    WADI_ALLOC(f->context, f->shield, size, "eddies before cliffs");
    f->reach = f->shield;
    return WADI_OK;
}

wadi_result wadi_flux_freeze(flux* f)
{
    f->base = skin_base(f->ground);
    f->next_survey = f->steps;
    WADI_TRY(skin_allocate_plants(f));
    WADI_TRY(skin_allocate_cliffs(f));
    wadi_dunes_plants_read(f->growing, flux_aloft(f));
    wadi_flux_skin(f);
    return WADI_OK;
}

void wadi_flux_skin(flux* f)
{
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, skin_rows, f);
}
