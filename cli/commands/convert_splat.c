// SPDX-License-Identifier: MIT
#include "cli/commands/convert_splat.h"

#include "cli/session.h"
#include "cli/splat.h"

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

cli_status cli_splat_write(wadi_context* context, const wadi_io_raster* raster,
                           const cli_list* files, const char* path)
{
    wadi_io_raster maps[WADI_MAX_SPLAT] = {*raster};
    cli_status status = CLI_DONE;
    for (int32_t i = 0; i < files->count && status == CLI_DONE; ++i)
    {
        status = splat_read(context, files->items[i], raster, &maps[i + 1]);
    }
    if (status == CLI_DONE)
    {
        const float* values[WADI_MAX_SPLAT];
        for (int32_t i = 0; i <= files->count; ++i)
        {
            values[i] = maps[i].values;
        }
        status =
            cli_check(context, cli_splat_draw(context, values, files->count + 1, raster, path));
    }
    for (int32_t i = 1; i < WADI_MAX_SPLAT; ++i)
    {
        wadi_io_raster_free(&maps[i]);
    }
    return status;
}
