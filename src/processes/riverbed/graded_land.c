// SPDX-License-Identifier: MIT
#include "processes/riverbed/graded_land.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

enum
{
    LAND_STRIP = 16, // rows that are blurred together; their results are adjacent in memory
    LAND_PASSES = 3  // box filters in turn approximate a Gaussian
};

// ---- reading -----------------------------------------------------------------------------

// Softness of the bed. Rock under one depth of loose matter has no effect: the bed is alluvial.
static float land_soft(const wadi_ground* ground, int64_t cell, double depth)
{
    const double rock = (65535 - ground->hardness[cell]) / 65535.0 * ground->rock_softness;
    const double loose = (double)(wadi_ground_surface(ground, cell) - ground->bedrock[cell]);
    const double cover = fmin(1.0, loose / (depth * WADI_UNITS_PER_METRE));
    return (float)(cover + (1.0 - cover) * rock);
}

// Fill void cells with the value of the cell before them, or of the first valid one after.
static void land_mend_row(const wadi_ground* ground, int32_t y, float* map)
{
    const uint8_t* valid = ground->valid + (int64_t)y * ground->width;
    float* row = map + (int64_t)y * ground->width;
    int32_t first = 0;
    while (first < ground->width && valid[first] == 0)
    {
        ++first;
    }
    float value = first < ground->width ? row[first] : y > 0 ? row[-ground->width] : 0.0f;
    for (int32_t x = 0; x < ground->width; ++x)
    {
        value = valid[x] != 0 ? row[x] : value;
        row[x] = value;
    }
}

static void land_read(const wadi_ground* ground, double depth, float* heights, float* soft)
{
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            heights[cell] = (float)wadi_ground_surface(ground, cell) / WADI_UNITS_PER_METRE;
            soft[cell] = land_soft(ground, cell, depth);
        }
        if (!ground->all_valid)
        {
            land_mend_row(ground, y, heights);
            land_mend_row(ground, y, soft);
        }
    }
}

// ---- blurring ----------------------------------------------------------------------------

typedef struct land_pass
{
    const float* in;
    float* out; // transposed
    int32_t width;
    int32_t height;
    int32_t reach; // cells to either hand
} land_pass;

// Box filter along a strip of rows; cells beyond the ends of a row are left out.
static void land_blur_strip(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const land_pass* pass = user;
    const int32_t reach = pass->reach;
    double sum[LAND_STRIP] = {0.0};
    (void)worker;
    int32_t from = 0;
    int32_t to = 0;
    for (int32_t x = 0; x < pass->width; ++x)
    {
        for (; to < pass->width && to <= x + reach; ++to)
        {
            for (int32_t y = begin; y < end; ++y)
            {
                sum[y - begin] += (double)pass->in[(int64_t)y * pass->width + to];
            }
        }
        for (; from < x - reach; ++from)
        {
            for (int32_t y = begin; y < end; ++y)
            {
                sum[y - begin] -= (double)pass->in[(int64_t)y * pass->width + from];
            }
        }
        const double share = 1.0 / (to - from);
        for (int32_t y = begin; y < end; ++y)
        {
            pass->out[(int64_t)x * pass->height + y] = (float)(share * sum[y - begin]);
        }
    }
}

// Blur `in` into `out` with `other` as scratch; half widths are in cells.
static void land_blur(wadi_context* context, const graded_land* land, double half, const float* in,
                      float* out, float* other)
{
    const int32_t reach = (int32_t)(half + 0.5);
    land_pass pass = {in, other, land->width, land->height, reach};
    for (int i = 0; i < 2 * LAND_PASSES; ++i)
    {
        wadi_parallel_rows(context, pass.height, LAND_STRIP, land_blur_strip, &pass);
        const int32_t width = pass.width;
        pass.width = pass.height;
        pass.height = width;
        pass.in = i % 2 == 0 ? other : out;
        pass.out = i % 2 == 0 ? out : other;
    }
}

static wadi_result land_fill(wadi_context* context, const wadi_ground* ground, double width,
                             double depth, graded_land* land, float* scratch[3])
{
    for (int i = 0; i < 3; ++i)
    {
        WADI_ALLOC(context, scratch[i], ground->cells, "smooth land");
    }
    const double cells = width / ground->cell_size;
    land_read(ground, depth, scratch[0], scratch[1]);
    land_blur(context, land, cells, scratch[0], land->broad, scratch[2]);
    land_blur(context, land, cells, scratch[1], land->broad_soft, scratch[2]);
    land_blur(context, land, 0.35 * cells, scratch[0], land->near, scratch[2]);
    land_blur(context, land, 0.3 * cells, scratch[1], land->near_soft, scratch[2]);
    return WADI_OK;
}

wadi_result wadi_graded_land_create(wadi_context* context, const wadi_ground* ground, double width,
                                    double depth, graded_land* out)
{
    float* scratch[3] = {NULL, NULL, NULL};
    out->width = ground->width;
    out->height = ground->height;
    WADI_ALLOC(context, out->broad, ground->cells, "smooth land");
    WADI_ALLOC(context, out->broad_soft, ground->cells, "smooth land");
    WADI_ALLOC(context, out->near, ground->cells, "smooth land");
    WADI_ALLOC(context, out->near_soft, ground->cells, "smooth land");
    const wadi_result result = land_fill(context, ground, width, depth, out, scratch);
    for (int i = 0; i < 3; ++i)
    {
        wadi_free(context, scratch[i]);
    }
    return result;
}

void wadi_graded_land_destroy(wadi_context* context, graded_land* land)
{
    wadi_free(context, land->broad);
    wadi_free(context, land->broad_soft);
    wadi_free(context, land->near);
    wadi_free(context, land->near_soft);
    *land = (graded_land){0};
}

// ---- sampling ----------------------------------------------------------------------------

double wadi_graded_land_at(const graded_land* land, const float* map, riverbed_point p)
{
    const double x = fmax(0.0, fmin(p.x, land->width - 1.0));
    const double y = fmax(0.0, fmin(p.y, land->height - 1.0));
    const int32_t x0 = (int32_t)x;
    const int32_t y0 = (int32_t)y;
    const int32_t x1 = x0 + 1 < land->width ? x0 + 1 : x0;
    const int32_t y1 = y0 + 1 < land->height ? y0 + 1 : y0;
    const float* north = map + (int64_t)y0 * land->width;
    const float* south = map + (int64_t)y1 * land->width;
    const double fx = x - x0;
    const double fy = y - y0;
    const double top = (double)north[x0] + fx * ((double)north[x1] - (double)north[x0]);
    const double low = (double)south[x0] + fx * ((double)south[x1] - (double)south[x0]);
    return top + fy * (low - top);
}
