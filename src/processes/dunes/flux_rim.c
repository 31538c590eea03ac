// SPDX-License-Identifier: MIT
// The land that is assumed beyond open and closed edges and in voids.
//
// The slope at an edge goes on into a rim and fades, and the rim is mirrored. Smoothing keeps a
// mirrored field mirrored, so every scale of the pyramid is an exact convolution. Fields held level
// beyond the edge do not stay level, which drew lines 1, 2, 4 ... 128 cells from each edge.
#include "processes/dunes/flux.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

static const double rim_fade = 8.0; // [cells] over which the slope fades

wadi_result wadi_flux_plane_create(const flux* f, float** plane, const char* what)
{
    float* memory;
    const int64_t rows = (int64_t)f->ground->height + 2 * f->rim_y;
    WADI_ALLOC(f->context, memory, rows * f->stride, what);
    *plane = memory + f->rim_y * f->stride;
    return WADI_OK;
}

void wadi_flux_plane_destroy(const flux* f, float* plane)
{
    if (plane != NULL)
    {
        wadi_free(f->context, plane - f->rim_y * f->stride);
    }
}

void wadi_flux_fade_create(flux* f)
{
    for (int32_t i = 0; i <= FLUX_RIM; ++i)
    {
        f->fade[i] = (float)wadi_exp(-(double)i / rim_fade);
    }
}

void wadi_flux_mirror_margins(const flux* f, float* row, int32_t reach)
{
    float* first = row - f->rim_x;
    const int32_t count = f->ground->width + 2 * f->rim_x;
    // ghost cells already written are read again, so short rows are mirrored repeatedly
    for (int32_t i = 1; f->wrap_x && i <= reach; ++i)
    {
        first[-i] = first[count - i];
        first[count - 1 + i] = first[i - 1];
    }
    for (int32_t i = 1; !f->wrap_x && i <= reach; ++i)
    {
        first[-i] = first[i - 1];
        first[count - 1 + i] = first[count - i];
    }
}

static int32_t rim_inside(int32_t i, int32_t count)
{
    return i < count ? i : count - 1;
}

static void rim_extend_columns(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const int32_t last = f->ground->width - 1;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        float* row = f->roof + flux_at(f, y);
        for (int32_t i = 1; i <= f->rim_x; ++i)
        {
            const int32_t at = rim_inside(i, last + 1);
            row[-i] = row[0] + (row[0] - row[at]) * f->fade[i];
            row[last + i] = row[last] + (row[last] - row[last - at]) * f->fade[i];
        }
    }
}

static void rim_extend_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const int32_t height = f->ground->height;
    (void)worker;
    for (int32_t k = begin; k < end; ++k)
    {
        const bool north = k < f->rim_y;
        const int32_t i = 1 + k % f->rim_y;
        const int32_t at = rim_inside(i, height);
        const float* edge = f->roof + flux_at(f, north ? 0 : height - 1);
        const float* inner = f->roof + flux_at(f, north ? at : height - 1 - at);
        float* out = f->roof + flux_rim_at(f, north ? -i : height - 1 + i);
        for (int32_t x = -f->rim_x; x < f->ground->width + f->rim_x; ++x)
        {
            out[x] = edge[x] + (edge[x] - inner[x]) * f->fade[i];
        }
    }
}

// ---- land in voids -------------------------------------------------------------------------

// Distance of a void cell from the nearest valid cell [cells], rounded.
static int32_t rim_distance(const flux* f, int64_t cell)
{
    const wadi_ground_way way = wadi_ground_way_to(f->ground, cell, f->fill[cell]);
    const double x = way.x;
    const double y = way.y;
    return (int32_t)(sqrt(x * x + y * y) + 0.5);
}

static float rim_value(const flux* f, const float* plane, int32_t cell)
{
    return plane[flux_at(f, cell / f->ground->width) + cell % f->ground->width];
}

// Continue a plane into voids along the slope at the nearest ground, as beyond edges. `level`: only
// into cells beside the ground, without fading.
static void rim_void_row(const flux* f, int32_t y, float* plane, bool level)
{
    const int64_t first = (int64_t)y * f->ground->width;
    for (int32_t x = 0; x < f->ground->width; ++x)
    {
        const int64_t cell = first + x;
        const int32_t far = f->ground->valid[cell] != 0 ? 0 : rim_distance(f, cell);
        const bool beside = far == 1;
        if (level ? beside : far > 0)
        {
            const float near = rim_value(f, plane, f->fill[cell]);
            const float fade = level ? 1.0f : f->fade[far < FLUX_RIM ? far : FLUX_RIM];
            plane[flux_at(f, y) + x] = near + (near - rim_value(f, plane, f->inner[cell])) * fade;
        }
    }
}

static void rim_void_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        rim_void_row(f, y, f->roof, false);
    }
}

static void rim_void_level_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        rim_void_row(f, y, f->level, true);
    }
}

static void rim_fill_voids(flux* f, wadi_rows_fn* rows)
{
    if (f->fill != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, rows, f);
    }
}

// ---- level ---------------------------------------------------------------------------------

// Beyond an edge the ground goes on with the slope between the last two cells, so that the
// curvature of an edge cell across the edge is 0.
static void rim_extend_level_row(const flux* f, float* row)
{
    const int32_t width = f->ground->width;
    const int32_t next = rim_inside(1, width);
    row[-1] = f->wrap_x ? row[width - 1] : 2.0f * row[0] - row[next];
    row[width] = f->wrap_x ? row[0] : 2.0f * row[width - 1] - row[width - 1 - next];
}

void wadi_flux_extend_level(flux* f)
{
    rim_fill_voids(f, rim_void_level_rows);
    const int32_t height = f->ground->height;
    for (int32_t y = 0; y < height; ++y)
    {
        rim_extend_level_row(f, f->level + flux_at(f, y));
    }
    const int32_t next = rim_inside(1, height);
    for (int32_t x = -1; !f->wrap_y && x <= f->ground->width; ++x)
    {
        const float* level = f->level + FLUX_MARGIN + x;
        float* north = f->level + flux_rim_at(f, -1) + x;
        float* south = f->level + flux_rim_at(f, height) + x;
        *north = 2.0f * level[0] - level[next * f->stride];
        *south = 2.0f * level[(height - 1) * f->stride] - level[(height - 1 - next) * f->stride];
    }
}

void wadi_flux_extend_roof(flux* f)
{
    rim_fill_voids(f, rim_void_rows);
    wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, rim_extend_columns, f);
    wadi_parallel_rows(f->context, 2 * f->rim_y, FLUX_GRAIN, rim_extend_rows, f);
}
