// SPDX-License-Identifier: MIT
#include "cli/convert_cut.h"

#include "cli/message.h"
#include "cli/output.h"
#include "cli/session.h"

#include "io/raster/warp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- options ------------------------------------------------------------------------------------

// N or WxH, each from 1 to 65536.
static cli_status cut_pair(const char* option, const char* text, int32_t out[2])
{
    char* end = NULL;
    const long across = strtol(text, &end, 10);
    const long down = *end == 'x' ? strtol(end + 1, &end, 10) : across;
    if (end == text || *end != '\0' || across < 1 || across > 65536 || down < 1 || down > 65536)
    {
        return cli_fail(CLI_USAGE, "--%s '%s' is no number of cells; expected N or NxM, to 65536",
                        option, text);
    }
    out[0] = (int32_t)across;
    out[1] = (int32_t)down;
    return CLI_DONE;
}

static cli_status cut_crop(const char* text, cli_cut* out)
{
    char* end = NULL;
    const long x = strtol(text, &end, 10);
    const long y = *end == ',' ? strtol(end + 1, &end, 10) : -1;
    if (*end != ',' || x < 0 || y < 0 || x > 65536 || y > 65536)
    {
        return cli_fail(CLI_USAGE, "--crop '%s' is no part; expected X,Y,WxH such as 0,0,512x512",
                        text);
    }
    out->x = (int32_t)x;
    out->y = (int32_t)y;
    return cut_pair("crop", end + 1, out->crop);
}

static cli_status cut_overlap(const char* text, int32_t* out)
{
    char* end = NULL;
    const long cells = strtol(text, &end, 10);
    *out = (int32_t)(cells >= 0 && cells <= 4096 ? cells : 0);
    return end != text && *end == '\0' && cells >= 0 && cells <= 4096
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "--overlap '%s' is no number of cells from 0 to 4096", text);
}

cli_status cli_cut_read(const cli_cut_options* options, cli_cut* out)
{
    *out = (cli_cut){0};
    CLI_TRY(options->crop != NULL ? cut_crop(options->crop, out) : CLI_DONE);
    CLI_TRY(options->size != NULL ? cut_pair("size", options->size, out->size) : CLI_DONE);
    CLI_TRY(options->tiles != NULL ? cut_pair("tiles", options->tiles, out->tiles) : CLI_DONE);
    CLI_TRY(options->overlap != NULL ? cut_overlap(options->overlap, &out->overlap) : CLI_DONE);
    CLI_TRY(options->stitch != NULL ? cut_pair("stitch", options->stitch, out->stitch) : CLI_DONE);
    if (options->stitch != NULL && options->tiles != NULL)
    {
        return cli_fail(CLI_USAGE, "--stitch reads tiles and --tiles writes them; convert twice");
    }
    return options->overlap != NULL && options->tiles == NULL && options->stitch == NULL
               ? cli_fail(CLI_USAGE, "--overlap goes with --tiles or --stitch")
               : CLI_DONE;
}

// ---- checks -------------------------------------------------------------------------------------

// Cells of one tile along an axis; 0 if the tiles do not fit.
static int32_t cut_tile(int32_t cells, int32_t tiles, int32_t overlap)
{
    const int32_t own = cells - overlap;
    return own >= tiles && own % tiles == 0 ? own / tiles + overlap : 0;
}

cli_status cli_cut_check(const cli_cut* cut, const wadi_io_raster* raster)
{
    if (cut->crop[0] > 0 &&
        (cut->x + cut->crop[0] > raster->width || cut->y + cut->crop[1] > raster->height))
    {
        return cli_fail(CLI_USAGE, "--crop leaves the file, which has %d x %d cells", raster->width,
                        raster->height);
    }
    const int32_t whole[2] = {cut->crop[0] > 0 ? cut->crop[0] : raster->width,
                              cut->crop[0] > 0 ? cut->crop[1] : raster->height};
    for (int i = 0; i < 2; ++i)
    {
        const int32_t cells = cut->size[0] > 0 ? cut->size[i] : whole[i];
        if (cut->size[0] > 0 && (cells < 2 || whole[i] < 2))
        {
            return cli_fail(CLI_USAGE, "--size needs 2 cells or more in each direction, in the "
                                       "file too");
        }
        if (cut->tiles[0] > 0 && cut_tile(cells, cut->tiles[i], cut->overlap) == 0)
        {
            const int32_t fits =
                (int32_t)fmax(1.0, floor((double)(cells - cut->overlap) / cut->tiles[i] + 0.5));
            return cli_fail(
                CLI_USAGE, "%d cells cannot be cut into %d tiles that share %d; give --size %d",
                cells, cut->tiles[i], cut->overlap, fits * cut->tiles[i] + cut->overlap);
        }
    }
    return CLI_DONE;
}

// ---- parts --------------------------------------------------------------------------------------

void cli_georef_shift(wadi_georef* georef, int32_t x, int32_t y)
{
    double* a = georef->affine;
    a[0] += x * a[1] + y * a[2];
    a[3] += x * a[4] + y * a[5];
}

// Cells from column x and row y on; `values` may be those of the raster.
static void cut_part(const wadi_io_raster* raster, int32_t x, int32_t y, wadi_io_raster* out)
{
    for (int32_t row = 0; row < out->height; ++row)
    {
        memmove(out->values + (int64_t)row * out->width,
                raster->values + (int64_t)(y + row) * raster->width + x,
                (size_t)out->width * sizeof *out->values);
    }
    cli_georef_shift(&out->georef, x, y);
}

void cli_cut_crop(const cli_cut* cut, wadi_io_raster* raster)
{
    if (cut->crop[0] > 0)
    {
        const wadi_io_raster whole = *raster;
        raster->width = cut->crop[0];
        raster->height = cut->crop[1];
        cut_part(&whole, cut->x, cut->y, raster);
    }
}

wadi_result cli_cut_resize(wadi_context* context, const wadi_io_raster* raster, int32_t width,
                           int32_t height, wadi_io_raster* out)
{
    const double x = (raster->width - 1.0) / (width - 1.0);
    const double y = (raster->height - 1.0) / (height - 1.0);
    const wadi_georef from = {.valid = true, .affine = {0, 1, 0, 0, 0, -1}, .wkt = ""};
    const wadi_georef to = {
        .valid = true, .affine = {0.5 - 0.5 * x, x, 0, 0.5 * y - 0.5, 0, -y}, .wkt = ""};
    const wadi_io_frame source = {raster->width, raster->height, &from};
    const wadi_io_frame target = {width, height, &to};
    double* a = out->georef.affine;
    out->width = width;
    out->height = height;
    out->dx = raster->dx * x;
    out->dy = raster->dy * y;
    a[0] += 0.5 * a[1] * (1.0 - x);
    a[3] += 0.5 * a[5] * (1.0 - y);
    a[1] *= x;
    a[5] *= y;
    return wadi_io_warp(context, &source, raster->values, &target, out->values);
}

// One range for the integers of all tiles, so that their seams meet.
static void cut_measure(wadi_io_raster* raster)
{
    double low = (double)INFINITY;
    double high = -(double)INFINITY;
    for (int64_t i = 0; i < (int64_t)raster->width * raster->height; ++i)
    {
        const double value = (double)raster->values[i];
        low = isnan(value) ? low : fmin(low, value);
        high = isnan(value) ? high : fmax(high, value);
        raster->has_nodata = raster->has_nodata || isnan(value);
    }
    raster->low = low < high ? low : 0.0;
    raster->high = low < high ? high : 0.0;
}

void cli_cut_tile_name(const char* path, int32_t x, int32_t y, char* out, size_t size)
{
    const char* dot = strrchr(path, '.');
    const int stem = dot != NULL ? (int)(dot - path) : (int)strlen(path);
    (void)snprintf(out, size, "%.*s_x%d_y%d%s", stem, path, x, y, path + stem);
}

static cli_status cut_write_tile(wadi_context* context, const cli_cut* cut,
                                 const wadi_io_raster* raster, wadi_io_raster* tile, int32_t x,
                                 int32_t y, const char* path)
{
    char name[4096];
    cli_cut_tile_name(path, x, y, name, sizeof name);
    tile->georef = raster->georef;
    cut_part(raster, x * (tile->width - cut->overlap), y * (tile->height - cut->overlap), tile);
    CLI_TRY(cli_output_check(name));
    return cli_check(context, wadi_io_raster_write(context, tile, name));
}

static cli_status cut_write_tiles(wadi_context* context, const cli_cut* cut, wadi_io_raster* raster,
                                  const char* path)
{
    cut_measure(raster);
    wadi_io_raster tile = *raster;
    tile.width = cut_tile(raster->width, cut->tiles[0], cut->overlap);
    tile.height = cut_tile(raster->height, cut->tiles[1], cut->overlap);
    tile.values = malloc((size_t)tile.width * (size_t)tile.height * sizeof *tile.values);
    cli_status status =
        tile.values != NULL ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory for a tile");
    for (int32_t i = 0; i < cut->tiles[0] * cut->tiles[1] && status == CLI_DONE; ++i)
    {
        status =
            cut_write_tile(context, cut, raster, &tile, i % cut->tiles[0], i / cut->tiles[0], path);
    }
    free(tile.values);
    return status;
}

cli_status cli_cut_write(wadi_context* context, const cli_cut* cut, const wadi_io_raster* raster,
                         const char* path)
{
    wadi_io_raster sized = *raster;
    float* values = NULL;
    cli_status status = CLI_DONE;
    if (cut->size[0] > 0)
    {
        values = malloc((size_t)cut->size[0] * (size_t)cut->size[1] * sizeof *values);
        sized.values = values;
        status = values == NULL ? cli_fail(CLI_FAILED, "out of memory for %d x %d cells",
                                           cut->size[0], cut->size[1])
                                : cli_check(context, cli_cut_resize(context, raster, cut->size[0],
                                                                    cut->size[1], &sized));
    }
    if (status == CLI_DONE)
    {
        status = cut->tiles[0] > 0
                     ? cut_write_tiles(context, cut, &sized, path)
                     : cli_check(context, wadi_io_raster_write(context, &sized, path));
    }
    free(values);
    return status;
}
