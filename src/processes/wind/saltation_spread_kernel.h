// SPDX-License-Identifier: MIT
// Row kernels of saltation_spread.c. saltation_kernel.c includes them, once per instruction set.
//
// A flux between two cells is computed once, in whole units, and subtracted from one cell and added
// to the other, so the sum of the changes is exact.
#include "processes/wind/saltation_law.h"

static inline float spread_low(float a, float b)
{
    return a < b ? a : b;
}

// Weight of each cell: 0 on slip faces, 1 on sand that is level or rises downwind, -1 on thin sand.
static void saltation_weigh_kernel(const saltation_weigh_row* row)
{
    const ptrdiff_t s = row->stride;
    const float* restrict h = row->level;
    float* restrict weight = row->weight;
    const saltation_aim* restrict aims = row->aim;
    const saltation_aim all = {row->law->ex, row->law->ey};
    const bool local = aims != NULL;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const saltation_aim aim = local ? aims[x] : all;
        const float along_x = 0.5f * row->steepness * aim.ex;
        const float along_y = 0.5f * row->steepness * aim.ey;
        const float rise = along_x * (h[x + 1] - h[x - 1]) + along_y * (h[x + s] - h[x - s]);
        const float high = rise + 1.0f > 0.0f ? rise + 1.0f : 0.0f;
        const float held = high < 1.0f ? high : 1.0f;
        weight[x] = (float)row->sand[x] >= row->thin ? held : -1.0f;
    }
}

// Weight of the face between two cells, for a pass of 1 2 1: that of the lower cell, or more if
// they are level.
static inline float spread_weight(const saltation_spread_cells* a, const saltation_spread_cells* b,
                                  ptrdiff_t i, ptrdiff_t j)
{
    const float own = spread_low(a->weight[i], b->weight[j]);
    const float drop = a->level[i] - b->level[j];
    const float flat = 1.0f - a->levelness * (drop > 0.0f ? drop : -drop);
    const float weight = own > flat ? own : flat;
    return own >= 0.0f && weight > 0.0f ? 0.25f * weight : 0.0f;
}

// Weights of the faces to the west of the cells of a row, `count` + 1.
static void saltation_spread_west_kernel(const saltation_spread_cells* row, int32_t count,
                                         bool wraps)
{
    float* restrict west = row->west;
    const float around = wraps ? spread_weight(row, row, count - 1, 0) : 0.0f;
    west[0] = around;
    west[count] = around;
#pragma omp simd
    for (int32_t x = 1; x < count; ++x)
    {
        west[x] = spread_weight(row, row, x - 1, x);
    }
}

// Weights of the faces between row a and row b, to the south of it.
static void saltation_spread_south_kernel(const saltation_spread_cells* a,
                                          const saltation_spread_cells* b, int32_t count)
{
    float* restrict south = a->south;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        south[x] = spread_weight(a, b, x, x);
    }
}

// The sand that a cell can give to one neighbour: a quarter of what is left after this batch.
static inline float spread_room(int32_t sand, int32_t change)
{
    return 0.25f * (float)(sand + (change < 0 ? change : 0));
}

// Flux from cell a to cell b over a face: its weight times the difference of the changes.
static inline int32_t spread_flux(const saltation_spread_cells* a, const saltation_spread_cells* b,
                                  float weight, ptrdiff_t i, ptrdiff_t j)
{
    const float even = weight * ((float)a->change[i] - (float)b->change[j]);
    const float most = spread_room(a->sand[i], a->change[i]);
    const float least = -spread_room(b->sand[j], b->change[j]);
    const float held = even < most ? even : most;
    return (int32_t)(held > least ? held : least);
}

// Fluxes from row a to row b.
static void saltation_spread_across_kernel(const saltation_spread_cells* a,
                                           const saltation_spread_cells* b, int32_t count,
                                           int32_t* restrict flux)
{
    const float* restrict south = a->south;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        flux[x] = spread_flux(a, b, south[x], x, x);
    }
}

// Add the fluxes that come in and subtract those that go out.
static void saltation_spread_add_kernel(const int32_t* restrict in, const int32_t* restrict out,
                                        int32_t count, int32_t* restrict change)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        change[x] += in[x] - out[x];
    }
}

// One pass along a row. flux[x] goes from cell x - 1 to cell x; there are count + 1 of them.
static void saltation_spread_along_kernel(const saltation_spread_cells* row, int32_t count,
                                          int32_t* restrict flux)
{
    const float* restrict west = row->west;
    const int32_t around = spread_flux(row, row, west[0], count - 1, 0);
    flux[0] = around;
    flux[count] = around;
#pragma omp simd
    for (int32_t x = 1; x < count; ++x)
    {
        flux[x] = spread_flux(row, row, west[x], x - 1, x);
    }
    saltation_spread_add_kernel(flux, flux + 1, count, row->change);
}
