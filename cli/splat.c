// SPDX-License-Identifier: MIT
#include "cli/splat.h"

#include <math.h>
#include <stdlib.h>

// Shares of 255 in whole numbers: rounded down, and what is missing goes to the largest remainders,
// of equal ones to the first.
static void splat_share(const double* weights, int32_t count, uint8_t* out)
{
    double sum = 0.0;
    double rest[WADI_MAX_SPLAT];
    int32_t left = 255;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += weights[i];
    }
    for (int32_t i = 0; i < count; ++i)
    {
        const double share = sum > 0.0 ? weights[i] / sum * 255.0 : i == 0 ? 255.0 : 0.0;
        const double whole = fmin(floor(share), (double)left);
        out[i] = (uint8_t)whole;
        rest[i] = share - whole;
        left -= (int32_t)whole;
    }
    for (; left > 0; --left)
    {
        int32_t most = 0;
        for (int32_t i = 1; i < count; ++i)
        {
            most = rest[i] > rest[most] ? i : most;
        }
        out[most] = (uint8_t)(out[most] + 1);
        rest[most] -= 1.0;
    }
}

static void splat_paint(const float* const* maps, int32_t count, int64_t cells, int32_t channels,
                        uint8_t* out)
{
    for (int64_t i = 0; i < cells; ++i)
    {
        double weights[WADI_MAX_SPLAT];
        for (int32_t k = 0; k < count; ++k)
        {
            const float value = maps[k][i];
            weights[k] = value > 0.0f ? (double)value : 0.0;
        }
        splat_share(weights, count, out + i * channels);
    }
}

wadi_result cli_splat_draw(wadi_context* context, const float* const* maps, int32_t count,
                           const wadi_io_raster* picture, const char* path)
{
    const int32_t channels = count > 3 ? 4 : 3;
    const int64_t cells = (int64_t)picture->width * picture->height;
    uint8_t* pixels = calloc((size_t)cells, (size_t)channels * sizeof *pixels);
    if (pixels == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for the picture");
    }
    splat_paint(maps, count, cells, channels, pixels);
    const wadi_io_pixels image = {.values = pixels,
                                  .width = picture->width,
                                  .height = picture->height,
                                  .channels = channels,
                                  .level = 6,
                                  .tags = picture->tags};
    const wadi_result result = wadi_io_pixels_write(context, &image, path);
    free(pixels);
    return result;
}
