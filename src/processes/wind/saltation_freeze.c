// SPDX-License-Identifier: MIT
// Frozen copy of the ground that parcels read during a batch: levels as floats, with ghost cells.
// A ghost cell holds the level of the opposite edge if edges are periodic, else of its own edge.
// A void cell holds the level of the nearest valid cell.
#include "laws/sand/sand_skin.h"
#include "processes/wind/saltation_state.h"

#include <math.h>
#include <string.h>

// ---- voids --------------------------------------------------------------------------------------

static wadi_result freeze_create_fill(saltation* s)
{
    if (s->ground->all_valid)
    {
        return WADI_OK;
    }
    int32_t* queue;
    WADI_ALLOC(s->context, s->fill, s->ground->cells, "levels of voids");
    WADI_ALLOC(s->context, queue, s->ground->cells, "levels of voids");
    wadi_ground_nearest_valid(s->ground, s->fill, queue);
    wadi_free(s->context, queue);
    return WADI_OK;
}

// ---- skin ---------------------------------------------------------------------------------------

// Plants reduce the shear stress on the ground, pore water raises the threshold (equation 6), and
// open water or ice prevents lifting.
static int32_t freeze_skin_of(const saltation* s, int32_t x, int32_t y)
{
    const wadi_ground* ground = s->ground;
    const int64_t cell = (int64_t)y * ground->width + x;
    if (s->crowd == NULL && s->aims == NULL && s->params.water_fringe <= 0.0 &&
        ground->vegetation[cell] == 0 && ground->moisture[cell] == 0 && ground->water[cell] <= 0)
    {
        return SALTATION_PLAIN_SKIN;
    }
    sand_skin_law law = SAND_SKIN_LAW_OF(&s->params);
    law.top = s->top;
    const sand_skin skin = wadi_sand_skin(&law, ground, cell);
    const double wind = wadi_saltation_crowd_wind(s, x, y) * wadi_saltation_local_wind(s, cell);
    const double stress = wind * wind * (double)skin.stress;
    const double needed = (double)skin.threshold / (stress > 1e-3 ? stress : 1e-3);
    const int32_t factor = needed < 127.0 ? (int32_t)(needed * 256.0 + 0.5) : 127 * 256;
    const double share = stress * wadi_saltation_local_share(s, x, y) * 16384.0 + 0.5;
    return factor * 65536 + (int32_t)(share < 65535.0 ? share : 65535.0);
}

static void freeze_skin_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* row = s->skin + saltation_rim(s, y);
        bool varied = false;
        for (int32_t x = 0; x < s->ground->width; ++x)
        {
            row[x] = freeze_skin_of(s, x, y);
            varied = varied || row[x] != SALTATION_PLAIN_SKIN;
        }
        s->workers[worker].varied = s->workers[worker].varied || varied;
    }
}

void wadi_saltation_freeze_skin(saltation* s)
{
    wadi_parallel_rows(s->context, s->ground->height, SALTATION_GRAIN, freeze_skin_rows, s);
    s->skin[0] = SALTATION_PLAIN_SKIN;
    s->law.has_skin = false;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        s->law.has_skin = s->law.has_skin || s->workers[w].varied;
        s->workers[w].varied = false;
    }
}

// ---- levels -------------------------------------------------------------------------------------

// The lowest level; the middle of the relief if heights above the lowest level do not fit in 32
// bits (relief above 32 km).
static int32_t freeze_datum(const wadi_ground* ground)
{
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const int32_t surface = wadi_ground_surface(ground, cell);
        low = ground->valid[cell] != 0 && surface < low ? surface : low;
        high = ground->valid[cell] != 0 && surface > high ? surface : high;
    }
    const int64_t relief = (int64_t)high - low;
    return relief > INT32_MAX / 2 ? (int32_t)(low + relief / 2) : low;
}

wadi_result wadi_saltation_freeze_create(saltation* s)
{
    const wadi_ground* ground = s->ground;
    const int64_t rim = saltation_rim_cells(s);
    WADI_ALLOC(s->context, s->level, rim, "levels under the wind");
    WADI_ALLOC(s->context, s->rate, rim, "creep under the wind");
    WADI_ALLOC(s->context, s->skin, rim, "plants and moisture under the wind");
    if (ground->loose_count > 1)
    {
        WADI_ALLOC(s->context, s->stack, ground->cells, "loose layers under the wind");
    }
    WADI_TRY(freeze_create_fill(s));
    s->datum = freeze_datum(ground);
    return WADI_OK;
}

static void freeze_row(const saltation* s, int32_t y)
{
    const wadi_ground* ground = s->ground;
    const int64_t first = (int64_t)y * ground->width;
    const float to_cells = (float)(1.0 / (WADI_UNITS_PER_METRE * ground->cell_size));
    float* level = s->level + saltation_rim(s, y);
    const int32_t* rock = ground->bedrock + first;
    const int32_t* loose = ground->loose[0] + first;
    if (ground->loose_count == 1)
    {
#pragma omp simd
        for (int32_t x = 0; x < ground->width; ++x)
        {
            level[x] = (float)(rock[x] + loose[x] - s->datum) * to_cells;
        }
        return;
    }
    for (int32_t x = 0; x < ground->width; ++x)
    {
        level[x] = (float)(wadi_ground_surface(ground, first + x) - s->datum) * to_cells;
        s->stack[first + x] = wadi_ground_surface(ground, first + x) - rock[x];
    }
}

static void freeze_fill_row(const saltation* s, int32_t y)
{
    const wadi_ground* ground = s->ground;
    const float to_cells = (float)(1.0 / (WADI_UNITS_PER_METRE * ground->cell_size));
    for (int32_t x = 0; x < ground->width; ++x)
    {
        const int64_t cell = (int64_t)y * ground->width + x;
        if (ground->valid[cell] == 0)
        {
            const int32_t surface = wadi_ground_surface(ground, s->fill[cell]);
            s->level[saltation_rim(s, y) + x] = (float)(surface - s->datum) * to_cells;
        }
    }
}

static void freeze_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const saltation* s = user;
    const int32_t last = s->ground->width - 1;
    for (int32_t y = begin; y < end; ++y)
    {
        freeze_row(s, y);
        if (s->fill != NULL)
        {
            freeze_fill_row(s, y);
        }
        float* level = s->level + saltation_rim(s, y);
        level[-1] = s->law.wrap_x > 0.0f ? level[last] : level[0];
        level[last + 1] = s->law.wrap_x > 0.0f ? level[0] : level[last];
    }
}

void wadi_saltation_freeze(saltation* s)
{
    const int32_t height = s->ground->height;
    const size_t bytes = (size_t)s->law.stride * sizeof *s->level;
    wadi_parallel_rows(s->context, height, SALTATION_GRAIN, freeze_rows, s);
    const bool along = s->law.wrap_y > 0.0f;
    memcpy(s->level + saltation_rim(s, -1) - 1,
           s->level + saltation_rim(s, along ? height - 1 : 0) - 1, bytes);
    memcpy(s->level + saltation_rim(s, height) - 1,
           s->level + saltation_rim(s, along ? 0 : height - 1) - 1, bytes);
}

float wadi_saltation_freeze_level(const saltation* s, float x, float y)
{
    const int32_t column = (int32_t)(x + 0.5f);
    const int32_t row = (int32_t)(y + 0.5f);
    const float fx = x + 0.5f - (float)column;
    const float fy = y + 0.5f - (float)row;
    const float* north = s->level + (ptrdiff_t)row * s->law.stride + column;
    const float* south = north + s->law.stride;
    const float above = north[0] + fx * (north[1] - north[0]);
    const float below = south[0] + fx * (south[1] - south[0]);
    return above + fy * (below - above);
}
