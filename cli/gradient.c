// SPDX-License-Identifier: MIT
#include "cli/gradient.h"

#include "cli/csv.h"
#include "cli/session.h"

#include <wadi/scene.h>

#include <math.h>
#include <stdlib.h>

enum
{
    GRADIENT_COLUMNS = 4
};

// Mix the colours of the two rows about a value, by halving the interval between them.
static void gradient_colour(const double* rows, int32_t count, double value, uint8_t rgb[3])
{
    int32_t below = 0;
    int32_t above = count - 1;
    while (above - below > 1)
    {
        const int32_t middle = (below + above) / 2;
        *(rows[middle * GRADIENT_COLUMNS] <= value ? &below : &above) = middle;
    }
    const double* a = rows + below * GRADIENT_COLUMNS;
    const double* b = rows + above * GRADIENT_COLUMNS;
    const double share = fmin(fmax((value - a[0]) / (b[0] - a[0]), 0.0), 1.0);
    for (int i = 0; i < 3; ++i)
    {
        rgb[i] = (uint8_t)(a[i + 1] + share * (b[i + 1] - a[i + 1]) + 0.5);
    }
}

wadi_result cli_gradient_draw(wadi_context* context, const wadi_io_raster* raster,
                              const double* rows, int32_t count, const char* path)
{
    const int64_t cells = (int64_t)raster->width * raster->height;
    uint8_t* rgb = malloc((size_t)cells * 3);
    if (rgb == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for the picture");
    }
    for (int64_t i = 0; i < cells; ++i)
    {
        rgb[3 * i] = rgb[3 * i + 1] = rgb[3 * i + 2] = 255;
        if (!isnan(raster->values[i]))
        {
            gradient_colour(rows, count, (double)raster->values[i], rgb + 3 * i);
        }
    }
    const wadi_result result = wadi_io_picture_write_tagged(context, rgb, raster->width,
                                                            raster->height, raster->tags, path);
    free(rgb);
    return result;
}

cli_status cli_gradient_write(wadi_context* context, const wadi_io_raster* raster,
                              const char* table, const char* path)
{
    int32_t count = 0;
    double* rows = NULL;
    CLI_TRY(cli_csv_read(context, table, &wadi_gradient_table, &rows, &count));
    cli_status status = cli_check_usage(context, wadi_gradient_check(context, rows, count));
    status = status == CLI_DONE
                 ? cli_check(context, cli_gradient_draw(context, raster, rows, count, path))
                 : status;
    free(rows);
    return status;
}
