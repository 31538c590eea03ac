// SPDX-License-Identifier: MIT
// Slopes: their mean, steep and flat shares.
#include "maps/judge/land_forms_internal.h"

#include "core/radix_heap.h"

static double slopes_height(const land_grid* grid, int32_t x, int32_t y)
{
    return (double)grid->z[(int64_t)y * grid->width + x];
}

// Tangent of the slope by central differences, one-sided at the border; NaN beside voids.
// A void of one cell has the slope between its neighbours.
static double slopes_tangent(const land_grid* grid, int32_t x, int32_t y)
{
    const int32_t west = x > 0 ? x - 1 : x;
    const int32_t east = x < grid->width - 1 ? x + 1 : x;
    const int32_t north = y > 0 ? y - 1 : y;
    const int32_t south = y < grid->height - 1 ? y + 1 : y;
    const double gx =
        (slopes_height(grid, east, y) - slopes_height(grid, west, y)) / ((east - west) * grid->dx);
    const double gy = (slopes_height(grid, x, south) - slopes_height(grid, x, north)) /
                      ((south - north) * grid->dy);
    return sqrt(gx * gx + gy * gy);
}

typedef struct slopes_list
{
    uint64_t* tangent; // keys of floats, of cells with a slope
    uint64_t* spare;
    int64_t count;
} slopes_list;

static double slopes_at(const slopes_list* list, int64_t index)
{
    const uint32_t key = (uint32_t)(list->tangent[index] >> 32);
    return (double)wadi_float_of_bits(key & 0x7FFFFFFFu); // tangents are not negative
}

static void slopes_fill(const land_grid* grid, slopes_list* list, wadi_land_forms* out)
{
    double degrees = 0.0;
    double steep = 0.0;
    for (int32_t y = 0; y < grid->height; ++y)
    {
        for (int32_t x = 0; x < grid->width; ++x)
        {
            const double tangent = slopes_tangent(grid, x, y);
            if (isnan(tangent))
            {
                continue;
            }
            list->tangent[list->count++] = (uint64_t)wadi_radix_key((float)tangent) << 32;
            degrees += land_degree * wadi_atan2(tangent, 1.0);
            steep += tangent > 1.0 ? 1.0 : 0.0;
        }
    }
    out->slope = degrees / fmax(1.0, (double)list->count);
    out->steep = steep / fmax(1.0, (double)list->count);
}

// Share of slopes below a tenth of the median, or of a quarter of the mean if that is more.
static double slopes_flat(const slopes_list* list)
{
    const double median =
        0.5 * (slopes_at(list, (list->count - 1) / 2) + slopes_at(list, list->count / 2));
    double mean = 0.0;
    for (int64_t i = 0; i < list->count; ++i)
    {
        mean += slopes_at(list, i) / (double)list->count;
    }
    const double least = 0.1 * fmax(median, 0.25 * mean);
    int64_t below = 0;
    while (below < list->count && slopes_at(list, below) < least)
    {
        ++below;
    }
    return (double)below / (double)list->count;
}

static wadi_result slopes_measure(const land_grid* grid, slopes_list* list, wadi_land_forms* out)
{
    WADI_ALLOC(grid->context, list->tangent, grid->cells, "slopes");
    WADI_ALLOC(grid->context, list->spare, grid->cells, "slopes");
    slopes_fill(grid, list, out);
    WADI_CHECK(grid->context, list->count > 0, WADI_ERROR_RANGE,
               "no cell of %d x %d has data on all four sides; nothing can be measured",
               (int)grid->width, (int)grid->height);
    wadi_land_sort(list->tangent, list->spare, list->count);
    out->flat = slopes_flat(list);
    return WADI_OK;
}

wadi_result wadi_land_slopes(const land_grid* grid, wadi_land_forms* out)
{
    slopes_list list = {0};
    const wadi_result result = slopes_measure(grid, &list, out);
    wadi_free(grid->context, list.tangent);
    wadi_free(grid->context, list.spare);
    return result;
}
