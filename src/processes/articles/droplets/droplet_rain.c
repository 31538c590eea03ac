// SPDX-License-Identifier: MIT
// The row comes from the sums of rows and the column from those within it, so places that are
// evenly spread stay so.
#include "processes/articles/droplets/droplet_rain.h"

#include "core/internal.h"

// A drop carries the same water everywhere; more than this [m/yr] is a mistake of units.
#define RAIN_MOST 1e8f

static wadi_result rain_check(wadi_context* context, const droplet_rain* rain, const uint8_t* valid,
                              const float* map, double* mean)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t c = 0; c < (int64_t)rain->width * rain->height; ++c)
    {
        const bool sound = valid[c] == 0 || (map[c] >= 0.0f && map[c] <= RAIN_MOST);
        WADI_CHECK(context, sound, WADI_ERROR_RANGE,
                   "rain at column %d, row %d is %g m/yr but must lie in [0, 1e8]",
                   (int32_t)(c % rain->width), (int32_t)(c / rain->width), (double)map[c]);
        sum += valid[c] != 0 ? (double)map[c] : 0.0;
        count += valid[c] != 0 ? 1 : 0;
    }
    *mean = count > 0 ? sum / (double)count : 0.0;
    return WADI_OK;
}

wadi_result wadi_droplet_rain_set(wadi_context* context, droplet_rain* rain, int32_t width,
                                  int32_t height, const uint8_t* valid, const float* map)
{
    double mean = 0.0;
    rain->width = width;
    rain->height = height;
    WADI_TRY(rain_check(context, rain, valid, map, &mean));
    if (rain->rows == NULL)
    {
        WADI_ALLOC(context, rain->rows, height, "the rain map");
    }
    if (rain->cells == NULL)
    {
        WADI_ALLOC(context, rain->cells, (int64_t)width * height, "the rain map");
    }
    double all = 0.0;
    for (int32_t y = 0; y < height; ++y)
    {
        double sum = 0.0;
        for (int64_t c = (int64_t)y * width; c < (int64_t)(y + 1) * width; ++c)
        {
            sum += valid[c] != 0 ? (double)map[c] : mean;
            rain->cells[c] = sum;
        }
        all += sum;
        rain->rows[y] = all;
    }
    return WADI_OK;
}

void wadi_droplet_rain_free(wadi_context* context, droplet_rain* rain)
{
    wadi_free(context, rain->rows);
    wadi_free(context, rain->cells);
}

// Where a share of the whole lies among sums, in elements; never in one that adds nothing.
static double rain_find(const double* sums, int32_t count, double share)
{
    const double wanted = share * sums[count - 1];
    int32_t low = 0;
    int32_t high = count - 1;
    while (low < high)
    {
        const int32_t middle = low + (high - low) / 2;
        const bool before = sums[middle] <= wanted;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    const double begin = low > 0 ? sums[low - 1] : 0.0;
    const double part = (wanted - begin) / (sums[low] - begin);
    return low + (part < 0.999999 ? part : 0.999999);
}

bool wadi_droplet_rain_place(const droplet_rain* rain, float* x, float* y)
{
    if (rain->rows[rain->height - 1] <= 0.0)
    {
        return false;
    }
    const double row = rain_find(rain->rows, rain->height, (double)*y / rain->height);
    const int32_t at = (int32_t)row;
    const double column =
        rain_find(rain->cells + (int64_t)at * rain->width, rain->width, (double)*x / rain->width);
    // a float may round up to the next cell
    const float last_y = (float)(at + 1) - (float)(at + 1) * 0x1p-23f;
    const float last_x = (float)((int32_t)column + 1) - (float)((int32_t)column + 1) * 0x1p-23f;
    *y = (float)row < last_y ? (float)row : last_y;
    *x = (float)column < last_x ? (float)column : last_x;
    return true;
}
