// SPDX-License-Identifier: MIT
#include "cli/commands/convert_splat.h"

#include "cli/session.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SPLAT_MOST = 4
};

// Shares of 255 in whole numbers: rounded down, and what is missing goes to the largest remainders,
// of equal ones to the first.
static void splat_share(const double* weights, int32_t count, uint8_t* out)
{
    double sum = 0.0;
    double rest[SPLAT_MOST];
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

static void splat_paint(const wadi_io_raster* maps, int32_t count, int32_t channels, uint8_t* out)
{
    const int64_t cells = (int64_t)maps[0].width * maps[0].height;
    for (int64_t i = 0; i < cells; ++i)
    {
        double weights[SPLAT_MOST];
        for (int32_t k = 0; k < count; ++k)
        {
            const float value = maps[k].values[i];
            weights[k] = value > 0.0f ? (double)value : 0.0;
        }
        splat_share(weights, count, out + i * channels);
    }
}

static cli_status splat_read(wadi_context* context, const char* path, const wadi_io_raster* first,
                             wadi_io_raster* out)
{
    const wadi_io_reading reading = {.weighs = true};
    CLI_TRY(cli_check(context, wadi_io_raster_read_as(context, path, &reading, false, out)));
    return out->width == first->width && out->height == first->height
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "%s has %d x %d cells, but the first map has %d x %d", path,
                          out->width, out->height, first->width, first->height);
}

static cli_status splat_draw(wadi_context* context, const wadi_io_raster* maps, int32_t count,
                             const char* path)
{
    const int32_t channels = count > 3 ? 4 : 3;
    uint8_t* pixels =
        calloc((size_t)maps[0].width * (size_t)maps[0].height, (size_t)channels * sizeof *pixels);
    if (pixels == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the picture");
    }
    splat_paint(maps, count, channels, pixels);
    const wadi_io_pixels picture = {.values = pixels,
                                    .width = maps[0].width,
                                    .height = maps[0].height,
                                    .channels = channels,
                                    .level = 6,
                                    .tags = maps[0].tags};
    const cli_status status = cli_check(context, wadi_io_pixels_write(context, &picture, path));
    free(pixels);
    return status;
}

cli_status cli_splat_write(wadi_context* context, const wadi_io_raster* raster,
                           const cli_list* files, const char* path)
{
    wadi_io_raster maps[SPLAT_MOST] = {*raster};
    cli_status status = CLI_DONE;
    for (int32_t i = 0; i < files->count && status == CLI_DONE; ++i)
    {
        status = splat_read(context, files->items[i], raster, &maps[i + 1]);
    }
    if (status == CLI_DONE)
    {
        status = splat_draw(context, maps, files->count + 1, path);
    }
    for (int32_t i = 1; i < SPLAT_MOST; ++i)
    {
        wadi_io_raster_free(&maps[i]);
    }
    return status;
}
