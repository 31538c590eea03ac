// SPDX-License-Identifier: MIT
#include "cli/commands/convert_gradient.h"

#include "cli/csv.h"

#include <math.h>
#include <stdlib.h>

enum
{
    GRADIENT_COLUMNS = 4
};

static const wadi_column gradient_columns[GRADIENT_COLUMNS] = {
    {"value", "1", -1e30, 1e30},
    {"r", "1", 0.0, 255.0},
    {"g", "1", 0.0, 255.0},
    {"b", "1", 0.0, 255.0},
};

static const wadi_table_info gradient_table = {.name = "gradient",
                                               .doc = "colours of values",
                                               .columns = gradient_columns,
                                               .column_count = GRADIENT_COLUMNS};

static cli_status gradient_check(const double* rows, int32_t count, const char* table)
{
    if (count < 2)
    {
        return cli_fail(CLI_USAGE, "%s has %d rows; a gradient needs two or more", table, count);
    }
    for (int32_t i = 0; i < count * GRADIENT_COLUMNS; ++i)
    {
        const wadi_column* column = &gradient_columns[i % GRADIENT_COLUMNS];
        if (!(rows[i] >= column->min && rows[i] <= column->max))
        {
            return cli_fail(CLI_USAGE, "%s: %s = %g is outside %g to %g", table, column->name,
                            rows[i], column->min, column->max);
        }
    }
    for (int32_t i = 1; i < count; ++i)
    {
        const double before = rows[(i - 1) * GRADIENT_COLUMNS];
        const double value = rows[i * GRADIENT_COLUMNS];
        if (!(value > before))
        {
            return cli_fail(CLI_USAGE, "%s: the value %g follows %g; sort the rows by value", table,
                            value, before);
        }
    }
    return CLI_DONE;
}

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

static cli_status gradient_draw(wadi_context* context, const wadi_io_raster* raster,
                                const double* rows, int32_t count, const char* path)
{
    const int64_t cells = (int64_t)raster->width * raster->height;
    uint8_t* rgb = malloc((size_t)cells * 3);
    if (rgb == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the picture");
    }
    for (int64_t i = 0; i < cells; ++i)
    {
        rgb[3 * i] = rgb[3 * i + 1] = rgb[3 * i + 2] = 255;
        if (!isnan(raster->values[i]))
        {
            gradient_colour(rows, count, (double)raster->values[i], rgb + 3 * i);
        }
    }
    const cli_status status =
        cli_check(context, wadi_io_picture_write_tagged(context, rgb, raster->width, raster->height,
                                                        raster->tags, path));
    free(rgb);
    return status;
}

cli_status cli_gradient_write(wadi_context* context, const wadi_io_raster* raster,
                              const char* table, const char* path)
{
    int32_t count = 0;
    double* rows = NULL;
    CLI_TRY(cli_csv_read(context, table, &gradient_table, &rows, &count));
    cli_status status = gradient_check(rows, count, table);
    status = status == CLI_DONE ? gradient_draw(context, raster, rows, count, path) : status;
    free(rows);
    return status;
}
