// SPDX-License-Identifier: MIT
// Surface conditions of the sand: plants, moisture, open water. They are read at the begin of a
// step and after plants have grown.
#include "processes/dunes/flux.h"

#include "core/internal.h"
#include "laws/sand/sand_skin.h"

#include <math.h>

static float skin_share(uint16_t share)
{
    return (float)share / 65535.0f;
}

// 16 times the cover [65535ths] in the neighbourhood of the cells of a row, with weights 1 2 1
// along both axes. The wind takes some metres to slow down over plants. Where plants grow by the
// cover of each cell alone, every plant stands on a heap of its own cell: it traps sand, which
// keeps its neighbours bare. A cover that is given and does not grow is taken as it is.
static void skin_cover_row(const flux* f, int32_t y, int32_t* restrict column, int32_t* cover)
{
    const int32_t width = f->ground->width;
    const uint16_t* restrict rows[3];
    for (int32_t k = 0; k < 3; ++k)
    {
        const ptrdiff_t row = flux_wrap(y + k - 1, f->ground->height, f->wrap_y);
        rows[k] = f->ground->vegetation + row * width;
    }
    for (int32_t x = 0; x < width; ++x)
    {
        column[x] = rows[0][x] + 2 * rows[1][x] + rows[2][x];
    }
    column[-1] = column[flux_wrap(-1, width, f->wrap_x)];
    column[width] = column[flux_wrap(width, width, f->wrap_x)];
    for (int32_t x = 0; x < width; ++x)
    {
        cover[x] = column[x - 1] + 2 * column[x] + column[x + 1];
    }
}

static void skin_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const float bare = (float)wadi_talus_tangent(f->params.repose);
    const float held = (float)wadi_talus_tangent(f->params.plant_repose);
    sand_skin_law law = SAND_SKIN_LAW_OF(&f->params);
    law.top = f->top;
    int32_t* around = f->workers[worker].moved[1];
    for (int32_t y = begin; y < end; ++y)
    {
        if (f->growing != NULL)
        {
            skin_cover_row(f, y, f->workers[worker].moved[0], around);
        }
        for (int32_t x = 0; x < f->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * f->ground->width + x;
            const float cover = skin_share(f->ground->vegetation[cell]);
            const sand_skin skin =
                f->growing == NULL
                    ? wadi_sand_skin(&law, f->ground, cell)
                    : wadi_sand_skin_under(&law, f->ground, cell, around[x] / (16.0 * 65535.0));
            f->skin[flux_at(f, y) + x] = skin.stress;
            if (f->bond_stride != 0)
            {
                f->bond[flux_at(f, y) + x] = skin.threshold;
            }
            if (f->plants != NULL)
            {
                f->plants[flux_at(f, y) + x] = (float)f->params.plant_height * cover;
                f->tangents[cell] = bare + cover * (held - bare);
            }
        }
    }
}

// What a scan of the ground looks for.
typedef struct skin_scan
{
    const flux* f;
    double most; // [units] between cells at a slope of 55 degrees
} skin_scan;

static void skin_read_surface(const flux* f, int32_t y, flux_worker* own, int32_t* restrict out)
{
    const int32_t* restrict sand = wadi_flux_sand_row(f, y, own);
    const int32_t* restrict rock = f->ground->bedrock + (int64_t)y * f->ground->width;
    for (int32_t x = 0; x < f->ground->width; ++x)
    {
        out[x] = rock[x] + sand[x];
    }
}

// Pairs of valid cells, `ahead` apart in the layer, that a face steeper than 55 degrees divides.
// Only rock can be so steep: sand rests below 45 degrees.
static int32_t skin_steep(const skin_scan* scan, const int32_t* restrict here,
                          const int32_t* restrict there, const uint8_t* restrict valid,
                          ptrdiff_t ahead, int32_t count)
{
    int32_t steep = 0;
    for (int32_t x = 0; x < count; ++x)
    {
        const double fall = fabs((double)here[x] - (double)there[x]);
        steep += fall > scan->most ? valid[x] & valid[x + ahead] : 0;
    }
    return steep > 0 ? 1 : 0;
}

static void skin_scan_row(const skin_scan* scan, int32_t y, const int32_t* here,
                          const int32_t* south, flux_found* found)
{
    const wadi_ground* ground = scan->f->ground;
    const int64_t first = (int64_t)y * ground->width;
    const uint8_t* restrict valid = ground->valid + first;
    const uint16_t* restrict cover = ground->vegetation + first;
    const uint16_t* restrict moisture = ground->moisture + first;
    int32_t low = found->low;
    int32_t high = found->high;
    uint32_t any = 0;
    uint32_t wet = 0;
    for (int32_t x = 0; x < ground->width; ++x)
    {
        const int32_t lower = here[x] < low ? here[x] : low;
        const int32_t higher = here[x] > high ? here[x] : high;
        low = valid[x] != 0 ? lower : low;
        high = valid[x] != 0 ? higher : high;
        any |= cover[x];
        wet |= moisture[x];
    }
    found->low = low;
    found->high = high;
    found->plants = found->plants || any != 0;
    found->moist = found->moist || wet != 0;
    const int32_t last = ground->width - 1;
    found->cliffs += skin_steep(scan, here, here + 1, valid, 1, last);
    if (scan->f->wrap_x)
    {
        found->cliffs += skin_steep(scan, here + last, here, valid + last, -last, 1);
    }
    if (south != NULL)
    {
        const ptrdiff_t ahead = flux_wrap(y + 1, ground->height, scan->f->wrap_y) - y;
        found->cliffs += skin_steep(scan, here, south, valid, ahead * ground->width, ground->width);
    }
}

static void skin_scan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const skin_scan* scan = user;
    const flux* f = scan->f;
    flux_worker* own = &f->workers[worker];
    skin_read_surface(f, begin, own, own->moved[begin & 1]);
    for (int32_t y = begin; y < end; ++y)
    {
        const bool ends = y + 1 == f->ground->height && !f->wrap_y;
        int32_t* south = ends ? NULL : own->moved[(y + 1) & 1];
        if (!ends)
        {
            skin_read_surface(f, (int32_t)flux_wrap(y + 1, f->ground->height, f->wrap_y), own,
                              south);
        }
        skin_scan_row(scan, y, own->moved[y & 1], south, &own->found);
    }
}

// Levels, plants, moisture and cliffs of the ground as it is.
static flux_found skin_look(flux* f)
{
    const double cell = f->ground->cell_size * WADI_UNITS_PER_METRE;
    const flux_found nothing = {INT32_MAX, INT32_MIN, false, false, 0};
    skin_scan scan = {f, 1.4281 * cell}; // the tangent of 55 degrees
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        f->workers[w].found = nothing;
    }
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, skin_scan_rows, &scan);
    flux_found all = nothing;
    for (int32_t w = 0; w < f->worker_count; ++w)
    {
        const flux_found* part = &f->workers[w].found;
        all.low = part->low < all.low ? part->low : all.low;
        all.high = part->high > all.high ? part->high : all.high;
        all.plants = all.plants || part->plants;
        all.moist = all.moist || part->moist;
        all.cliffs += part->cliffs;
    }
    return all;
}

// Planes for plants exist while there are any, or any can grow.
static wadi_result skin_use_plants(flux* f, bool used)
{
    const int64_t size = (int64_t)f->ground->height * f->stride;
    if (used && f->plants_plane == NULL)
    {
        WADI_ALLOC(f->context, f->plants_plane, size, "plants on dunes");
    }
    if (used && f->tangents_plane == NULL)
    {
        WADI_ALLOC(f->context, f->tangents_plane, f->ground->cells,
                   "angles of repose under plants");
    }
    f->plants = used ? f->plants_plane : NULL;
    f->tangents = used ? f->tangents_plane : NULL;
    return WADI_OK;
}

// A plane for thresholds exists while sand is moist.
static wadi_result skin_use_bond(flux* f, bool used)
{
    if (used && f->bond_plane == NULL)
    {
        WADI_ALLOC(f->context, f->bond_plane, (int64_t)f->ground->height * f->stride,
                   "moisture of dunes");
    }
    f->bond = used ? f->bond_plane : f->dry;
    f->bond_stride = used ? f->stride : 0;
    return WADI_OK;
}

// Planes for eddies exist while there are cliffs.
static wadi_result skin_use_cliffs(flux* f, bool used)
{
    const int64_t size = (int64_t)f->ground->height * f->stride;
    if (used && f->eddy == NULL)
    {
        WADI_TRY(wadi_flux_plane_create(f, &f->eddy, "eddies before cliffs"));
    }
    if (used && f->eddies == NULL)
    {
        WADI_ALLOC(f->context, f->eddies, f->ground->height, "eddies before cliffs");
    }
    if (used && f->shield_plane == NULL)
    {
        WADI_ALLOC(f->context, f->shield_plane, size, "eddies before cliffs");
    }
    f->shield = used ? f->shield_plane : NULL;
    f->reach = used ? f->shield : f->skin;
    return WADI_OK;
}

wadi_result wadi_flux_freeze(flux* f)
{
    const flux_found found = skin_look(f);
    // zero of heights: the middle of the relief. A float then resolves 0.1 mm in 1000 m
    f->base = (int32_t)(((int64_t)found.low + found.high) / 2);
    f->next_survey = f->steps;
    f->next_growth = f->steps + FLUX_SAMPLING + FLUX_SAMPLING / 2;
    WADI_TRY(skin_use_plants(f, f->growing != NULL || found.plants));
    WADI_TRY(skin_use_bond(f, found.moist || f->params.water_fringe > 0.0));
    WADI_TRY(skin_use_cliffs(f, f->params.echo > 0.0 && found.cliffs > 0));
    wadi_dunes_plants_read(f->growing, flux_aloft(f));
    wadi_flux_skin(f);
    wadi_flux_top_note(f);
    return WADI_OK;
}

void wadi_flux_skin(flux* f)
{
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, skin_rows, f);
}
