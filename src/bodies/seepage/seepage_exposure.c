// SPDX-License-Identifier: MIT
// Area of each node exposed to the sky (rain falls on it) or to the base. Nodes are squares
// as wide as a cube of their room, on a grid of pixels of a quarter of the narrowest.
#include "bodies/seepage/seepage.h"

typedef struct exposure_map
{
    double low[2];
    double pixel; // [m]
    int32_t size[2];
    double* height;
    int32_t* node; // -1: none
} exposure_map;

static const double exposure_nearest = -1e300;

// Pixels whose middles lie within half a width of x, along one axis.
static void exposure_range(const exposure_map* map, int axis, double x, double wide,
                           int32_t range[2])
{
    const double begin = ceil((x - 0.5 * wide - map->low[axis]) / map->pixel - 0.5);
    const double end = ceil((x + 0.5 * wide - map->low[axis]) / map->pixel - 0.5);
    range[0] = begin > 0.0 ? (int32_t)begin : 0;
    range[1] = end < map->size[axis] ? (int32_t)end : map->size[axis];
}

static void exposure_at(exposure_map* map, const double position[3], double wide, double way,
                        int32_t node)
{
    int32_t x[2];
    int32_t y[2];
    exposure_range(map, 0, position[0], wide, x);
    exposure_range(map, 1, position[1], wide, y);
    for (int32_t j = y[0]; j < y[1]; ++j)
    {
        for (int32_t i = x[0]; i < x[1]; ++i)
        {
            const ptrdiff_t at = (ptrdiff_t)j * map->size[0] + i;
            if (way * position[2] > map->height[at])
            {
                map->height[at] = way * position[2];
                map->node[at] = node;
            }
        }
    }
}

static wadi_result exposure_lay(wadi_context* context, const wadi_seepage* seepage,
                                const double (*positions)[3], exposure_map* map)
{
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    double narrow = (double)INFINITY;
    map->low[0] = (double)INFINITY;
    map->low[1] = (double)INFINITY;
    for (int32_t i = 0; i < seepage->count; ++i)
    {
        narrow = seepage->wide[i] < narrow ? seepage->wide[i] : narrow;
        for (int a = 0; a < 2; ++a)
        {
            const double x = positions[i][a];
            map->low[a] = fmin(map->low[a], x - 0.5 * seepage->wide[i]);
            high[a] = fmax(high[a], x + 0.5 * seepage->wide[i]);
        }
    }
    // Grains of all sizes and wide worlds: about 2^26 pixels at most, fewer where nodes are few. A
    // world as long as it is thin has hardly any area, so its length counts too. A node narrower
    // than a pixel that holds no middle of one has no area.
    const double wide = high[0] - map->low[0];
    const double tall = high[1] - map->low[1];
    const double most = fmin(0x1p26, 0x1p20 + 0x1p10 * seepage->count);
    const double long_pixel = 2.0 * fmax(wide, tall) / most;
    map->pixel = fmax(0.25 * narrow, fmax(sqrt(wide * tall / most), long_pixel));
    for (int a = 0; a < 2; ++a)
    {
        map->size[a] = (int32_t)ceil((high[a] - map->low[a]) / map->pixel - 1e-6);
    }
    const int64_t pixels = (int64_t)map->size[0] * map->size[1];
    WADI_ALLOC(context, map->height, pixels, "the sky");
    WADI_ALLOC(context, map->node, pixels, "the sky");
    for (int64_t i = 0; i < pixels; ++i)
    {
        map->height[i] = exposure_nearest;
        map->node[i] = -1;
    }
    return WADI_OK;
}

wadi_result wadi_seepage_find_exposure(wadi_context* context, const wadi_seepage* seepage,
                                       const double (*positions)[3], double way, double* area)
{
    exposure_map map = {.pixel = 0.0};
    const wadi_result result = exposure_lay(context, seepage, positions, &map);
    for (int32_t i = 0; i < seepage->count && result == WADI_OK; ++i)
    {
        area[i] = 0.0;
        exposure_at(&map, positions[i], seepage->wide[i], way, i);
    }
    const int64_t pixels = result == WADI_OK ? (int64_t)map.size[0] * map.size[1] : 0;
    for (int64_t i = 0; i < pixels; ++i)
    {
        if (map.node[i] >= 0)
        {
            area[map.node[i]] += map.pixel * map.pixel;
        }
    }
    wadi_free(context, map.height);
    wadi_free(context, map.node);
    return result;
}
