// SPDX-License-Identifier: MIT
#include "io/raster/rows.h"

#include "io/raster/formats.h"
#include "io/raster/gdal_session.h"
#include "io/raster/geo.h"
#include "io/raster/heights.h"
#include "io/raster/true_cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// GDAL keeps blocks of files in memory, 5 % of the machine's by default.
static const GIntBig rows_cache = 64 << 20;

static wadi_result rows_check_header(wadi_context* context, const char* path, double cell,
                                     wadi_io_raster* header)
{
    if (header->is_picture)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has a palette, so its numbers are colours and no heights; "
                                 "export it as grey, with 16 bits",
                                 path);
    }
    if (header->dx > 0.0 && cell > 0.0 && cell != header->dx)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "%s has a cell size of %g %s already; leave --cell out", path,
                                 header->dx, header->geographic ? "degrees" : "m");
    }
    if (header->dx == 0.0 && cell == 0.0)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s does not state its cell size; give --cell, such as --cell 10m",
                                 path);
    }
    if (header->dx == 0.0)
    {
        header->dx = cell;
        header->dy = cell;
    }
    return WADI_OK;
}

// Heights in feet are turned into metres, so the mark of the file could be a height.
static wadi_result rows_note_unit(wadi_context* context, wadi_io_rows* rows)
{
    rows->metres = wadi_io_heights_unit(rows->header.read_unit);
    if (rows->metres == 1.0)
    {
        return WADI_OK;
    }
    wadi_log_line(context, "%s gives its heights in '%s'; they are turned into metres", rows->path,
                  rows->header.read_unit);
    rows->header.nodata = (double)NAN;
    (void)snprintf(rows->header.read_unit, sizeof rows->header.read_unit, "m");
    return wadi_io_raster_drop_vertical(context, &rows->header);
}

wadi_result wadi_io_rows_open(wadi_context* context, const char* path,
                              const wadi_io_reading* reading, wadi_io_rows* out)
{
    *out = (wadi_io_rows){.path = path, .metres = 1.0, .reads = true};
    const wadi_io_format* format = wadi_io_format_of(path);
    if (format->scaleless || format->read != wadi_io_gdal_read)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s: %s files cannot be read by rows; convert it to .tif first",
                                 path, format->name);
    }
    wadi_result result = wadi_io_gdal_need(context);
    if (result == WADI_OK)
    {
        GDALSetCacheMax64(rows_cache);
        result = wadi_io_gdal_open_rows(context, path, out);
    }
    result = result == WADI_OK ? rows_note_unit(context, out) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_io_true_cell_note(context, path, &out->header);
    return rows_check_header(context, path, reading->cell, &out->header);
}

// A number that is no height: out of range, or a mark of no data in feet, which metres hide.
static wadi_result rows_fail_height(wadi_context* context, const wadi_io_rows* rows, int64_t x,
                                    int64_t y, double value)
{
    return wadi_context_fail(context, WADI_ERROR_RANGE,
                             "%s: the height at column %lld, row %lld is %g%s, outside +-%g%s; "
                             "mark such cells as nodata",
                             rows->path, (long long)x, (long long)y, value,
                             rows->metres != 1.0 ? " of its unit" : " m", WADI_HEIGHT_LIMIT,
                             rows->metres != 1.0 ? "" : " m");
}

wadi_result wadi_io_rows_read(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                              int32_t count, float* values)
{
    const wadi_result result = wadi_io_gdal_read_rows(context, rows, y, count, values);
    const int32_t width = rows->header.width;
    for (int64_t i = 0; result == WADI_OK && i < (int64_t)width * count; ++i)
    {
        const double value = (double)values[i];
        values[i] = rows->metres != 1.0 ? (float)(rows->metres * value) : values[i];
        const bool is_mark = value < -WADI_HEIGHT_LIMIT && wadi_io_heights_is_foot(rows->metres);
        if (is_mark || fabsf(values[i]) > (float)WADI_HEIGHT_LIMIT)
        {
            return rows_fail_height(context, rows, i % width, y + i / width, value);
        }
    }
    return result;
}

wadi_result wadi_io_rows_create(wadi_context* context, const char* path,
                                const wadi_io_raster* header, wadi_io_rows* out)
{
    *out = (wadi_io_rows){.header = *header};
    const wadi_result result = wadi_io_gdal_need(context);
    return result == WADI_OK ? wadi_io_tiff_create_rows(context, path, out) : result;
}

wadi_result wadi_io_rows_write(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                               int32_t count, float* values)
{
    return wadi_io_tiff_write_rows(context, rows, y, count, values);
}

wadi_result wadi_io_rows_finish(wadi_context* context, wadi_io_rows* rows)
{
    return wadi_io_tiff_finish_rows(context, rows);
}

void wadi_io_rows_close(wadi_io_rows* rows)
{
    if (rows->dataset != NULL)
    {
        wadi_io_gdal gdal;
        wadi_io_gdal_enter(&gdal); // a file that is given up may complain
        GDALClose(rows->dataset);
        wadi_io_gdal_leave();
        rows->dataset = NULL;
    }
    if (rows->reads)
    {
        wadi_io_raster_free(&rows->header);
    }
}
