// SPDX-License-Identifier: MIT
// Common part of all formats: choice by extension, scale, and checks of elevations.
#include "io/raster/raster.h"

#include "io/libraries/gdal_functions.h"
#include "io/libraries/netcdf_functions.h"
#include "io/raster/formats.h"
#include "io/raster/heights.h"
#include "io/raster/true_cell.h"
#include "io/replace.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const wadi_io_format raster_formats[] = {
    {"tif", "GeoTIFF", false, false, wadi_io_gdal_read, wadi_io_tiff_write},
    {"tiff", "GeoTIFF", false, false, wadi_io_gdal_read, wadi_io_tiff_write},
    {"asc", "ASC", false, false, wadi_io_gdal_read, wadi_io_asc_write},
    {"nc", "NetCDF", false, false, wadi_io_gdal_read, wadi_io_netcdf_write},
    {"hgt", "HGT", false, false, wadi_io_gdal_read, NULL},
    {"png", "PNG16", true, true, wadi_io_gdal_read, wadi_io_png_write},
    {"r16", "R16", true, true, wadi_io_raw16_read, wadi_io_raw16_write},
    {"raw", "R16", true, true, wadi_io_raw16_read, wadi_io_raw16_write},
    {"r8", "R8", true, true, wadi_io_raw8_read, NULL},
    {"r32", "R32", false, true, wadi_io_raw32_read, wadi_io_raw32_write},
    {"exr", "EXR", false, true, wadi_io_exr_read, wadi_io_exr_write},
    {"obj", "OBJ", false, false, wadi_io_gdal_read, wadi_io_obj_write},
    {"ply", "PLY", false, false, wadi_io_gdal_read, wadi_io_ply_write},
    {"glb", "glTF", false, false, wadi_io_gdal_read, wadi_io_glb_write},
};

// Files with any other extension: GDAL detects the format when reading; writing is refused.
static const wadi_io_format raster_other = {"", "raster", false, false, wadi_io_gdal_read, NULL};

const wadi_io_format* wadi_io_format_of(const char* path)
{
    char file[4096];
    const char* name;
    wadi_io_variable_of(path, file, &name);
    const char* dot = strrchr(name[0] != '\0' ? file : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof raster_formats / sizeof raster_formats[0]; ++i)
    {
        if (strcasecmp(raster_formats[i].extension, dot + 1) == 0)
        {
            return &raster_formats[i];
        }
    }
    return &raster_other;
}

// True if the file is too small for its cells. A header may claim 2^32 cells in a hundred bytes;
// compressed elevations need more than 0.001 bytes a cell.
static bool raster_is_truncated(const char* path, int64_t cells)
{
    struct stat status;
    return cells > 1 << 24 && stat(path, &status) == 0 && cells / 1000 > status.st_size;
}

wadi_result wadi_io_raster_allocate(wadi_context* context, const char* path, int64_t width,
                                    int64_t height, wadi_io_raster* out)
{
    if (width < 1 || height < 1 || width > 65536 || height > 65536)
    {
        return wadi_context_fail(context, WADI_ERROR_RANGE,
                                 "%s has %lld x %lld cells; 1 to 65536 either way are possible",
                                 path, (long long)width, (long long)height);
    }
    if (raster_is_truncated(path, width * height))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s claims %lld x %lld cells but is far too small for them; is it "
                                 "cut short?",
                                 path, (long long)width, (long long)height);
    }
    out->values = malloc((size_t)(width * height) * sizeof *out->values);
    if (out->values == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY,
                                 "out of memory: %s has %lld x %lld cells", path, (long long)width,
                                 (long long)height);
    }
    out->width = (int32_t)width;
    out->height = (int32_t)height;
    return WADI_OK;
}

void wadi_io_raster_free(wadi_io_raster* raster)
{
    free(raster->values);
    // strdup() memory; the member is const for readers only
    free((char*)(uintptr_t)raster->georef.wkt);
    *raster = (wadi_io_raster){0};
}

void wadi_io_variable_of(const char* path, char file[4096], const char** name)
{
    const char* colon = strrchr(path, ':');
    const size_t length = colon != NULL ? (size_t)(colon - path) : 0;
    const bool has_name = length > 4 && length < 4096 &&
                          (strncmp(colon - 3, ".nc", 3) == 0 || strncmp(colon - 4, ".exr", 4) == 0);
    *name = has_name ? colon + 1 : "";
    (void)snprintf(file, 4096, "%.*s", has_name ? (int)length : 4095, path);
}

static wadi_result raster_check_file(wadi_context* context, const char* name)
{
    struct stat status;
    char path[4096];
    const char* variable;
    wadi_io_variable_of(name, path, &variable);
    if (stat(path, &status) != 0)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot read %s: %s", path,
                                 strerror(errno));
    }
    return S_ISDIR(status.st_mode)
               ? wadi_context_fail(context, WADI_ERROR_IO,
                                   "%s is a folder; give the name of a raster file", path)
               : WADI_OK;
}

// What the caller and a sidecar say of one file.
typedef struct raster_wish
{
    const char* path;
    wadi_io_reading reading; // of the caller
    const wadi_io_sidecar* sidecar;
    bool is_ground;
} raster_wish;

// Cells that the sidecar marks as nodata, cell size and georeference of the sidecar.
static wadi_result raster_apply_sidecar(wadi_context* context, const raster_wish* wish,
                                        wadi_io_raster* raster)
{
    const wadi_io_sidecar* sidecar = wish->sidecar;
    const int64_t cells = sidecar->has_nodata ? (int64_t)raster->width * raster->height : 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        raster->values[i] = (double)raster->values[i] == sidecar->nodata ? NAN : raster->values[i];
    }
    const double cell =
        sidecar->extent > 0.0 ? sidecar->extent / raster->width : sidecar->heights.cell;
    if (wadi_io_format_of(wish->path)->scaleless || raster->dx == 0.0)
    {
        raster->dx = cell;
        raster->dy = cell;
    }
    else if (cell > 0.0 && fabs(cell - raster->dx) > 1e-6 * cell)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has a cell size of %g %s, but its sidecar says %g m; leave it "
                                 "out of the sidecar",
                                 wish->path, raster->dx, raster->geographic ? "degrees" : "m",
                                 cell);
    }
    if (sidecar->georef.valid)
    {
        raster->georef.valid = true;
        memcpy(raster->georef.affine, sidecar->georef.affine, sizeof raster->georef.affine);
    }
    return WADI_OK;
}

// Check or set the cell size. Elevations need one from the file or the caller; other maps may take
// that of the terrain.
static wadi_result raster_apply_cell(wadi_context* context, const raster_wish* wish,
                                     wadi_io_raster* raster)
{
    const double cell = wish->reading.cell;
    if (raster->dx > 0.0 && cell > 0.0 && cell != raster->dx)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "%s has a cell size of %g %s already; leave --cell out",
                                 wish->path, raster->dx, raster->geographic ? "degrees" : "m");
    }
    if (raster->dx == 0.0 && cell == 0.0 && wish->is_ground)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s does not state its cell size; give --cell, such as --cell 10m "
                                 "('import: {file: NAME, cell: 10 m}' in a scene), or a sidecar "
                                 "%s.json",
                                 wish->path, wish->path);
    }
    if (raster->dx == 0.0)
    {
        raster->dx = cell;
        raster->dy = cell;
    }
    return WADI_OK;
}

// True if values have their meaning from the sidecar. What another program says counts for
// elevations without a unit: integers, or floats from 0 to 1.
static bool raster_has_sidecar_heights(const raster_wish* wish, const wadi_io_raster* raster)
{
    const wadi_io_sidecar* sidecar = wish->sidecar;
    return sidecar != NULL && sidecar->has_heights &&
           (sidecar->foreign[0] == '\0' ||
            (wish->is_ground && raster->step == 0.0 && wadi_io_heights_are_bare(raster)));
}

// Turn values into heights as the caller says, or else the sidecar.
static wadi_result raster_apply_heights(wadi_context* context, const raster_wish* wish,
                                        wadi_io_raster* raster)
{
    const bool by_caller = wadi_io_heights_are_told(&wish->reading);
    if (!by_caller && !raster_has_sidecar_heights(wish, raster))
    {
        const wadi_io_reading shares = {.relief = 1.0};
        const bool bare =
            raster->step == 0.0 && strcmp(raster->type, "Float32") != 0 &&
            (strcmp(raster->format, "PNG") == 0 || strcmp(raster->format, "R16") == 0);
        return wish->reading.weighs && bare
                   ? wadi_io_heights_apply(context, wish->path, &shares, raster)
               : wish->is_ground
                   ? wadi_io_heights_to_metres(context, wish->path, wish->reading.quiet, raster)
                   : WADI_OK;
    }
    const wadi_io_reading* heights = by_caller ? &wish->reading : &wish->sidecar->heights;
    const wadi_result result = wadi_io_heights_check(context, heights);
    if (result == WADI_OK && by_caller && raster->step != 0.0)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "%s states the unit of its values itself; leave relief, min, max "
                                 "and scale out",
                                 wish->path);
    }
    if (!by_caller && wish->sidecar->foreign[0] != '\0' && !wish->reading.quiet)
    {
        wadi_log_line(context, "%s: cells of %.6g m and %g m of relief, as %s says", wish->path,
                      raster->dx, heights->relief, wish->sidecar->foreign);
    }
    if (result != WADI_OK)
    {
        return result;
    }
    const wadi_result applied = wadi_io_heights_apply(context, wish->path, heights, raster);
    if (by_caller || wish->sidecar->foreign[0] != '\0')
    {
        return applied;
    }
    memcpy(raster->read_unit, wish->sidecar->read_unit, sizeof raster->read_unit);
    // `wadi convert` hands on the feet of a file: its numbers are then feet, with the unit beside
    return applied == WADI_OK && wish->is_ground
               ? wadi_io_heights_to_metres(context, wish->path, wish->reading.quiet, raster)
               : applied;
}

static wadi_result raster_apply_wish(wadi_context* context, const raster_wish* wish,
                                     wadi_io_raster* raster)
{
    const wadi_io_sidecar* sidecar = wish->sidecar;
    const bool yields = sidecar != NULL && sidecar->foreign[0] != '\0' &&
                        (wish->reading.cell > 0.0 || raster->dx > 0.0);
    wadi_result result = WADI_OK;
    if (sidecar != NULL && !yields)
    {
        result = raster_apply_sidecar(context, wish, raster);
    }
    result = result == WADI_OK ? raster_apply_cell(context, wish, raster) : result;
    return result == WADI_OK ? raster_apply_heights(context, wish, raster) : result;
}

// Fail because a value cannot be a height in metres.
static wadi_result raster_fail_height(wadi_context* context, const char* path,
                                      const wadi_io_raster* raster, int64_t cell)
{
    const double value = (double)raster->values[cell];
    if (raster->step == 0.0 && value > 0.0 && value <= 4294967295.0 &&
        (strncmp(raster->type, "UInt", 4) == 0 ||
         (strcmp(raster->type, "Int32") == 0 && !raster->georef.valid)))
    {
        float highest = raster->values[cell];
        for (int64_t i = cell; i < (int64_t)raster->width * raster->height; ++i)
        {
            highest = fmaxf(highest, raster->values[i]);
        }
        return wadi_context_fail(context, WADI_ERROR_RANGE,
                                 "%s holds integers up to %.10g, which are no metres; say what "
                                 "they are: --relief 1800m (height of their whole range), --min "
                                 "and --max, or --scale 0.1m (height of one)",
                                 path, (double)highest);
    }
    return wadi_context_fail(context, WADI_ERROR_RANGE,
                             "%s: the height at column %lld, row %lld is %g m, outside "
                             "+-%g m; mark such cells as nodata",
                             path, (long long)(cell % raster->width),
                             (long long)(cell / raster->width), value, WADI_HEIGHT_LIMIT);
}

// Check that some cells have data and all heights are in range.
static wadi_result raster_check_ground(wadi_context* context, const char* path,
                                       const wadi_io_raster* raster)
{
    int64_t found = 0;
    const int64_t cells = (int64_t)raster->width * raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        const float value = raster->values[i];
        found += isnan(value) ? 0 : 1;
        if (fabsf(value) > (float)WADI_HEIGHT_LIMIT)
        {
            return raster_fail_height(context, path, raster, i);
        }
    }
    if (found == 0)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has no cell with data; check its nodata value", path);
    }
    if (raster->is_picture)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has a palette, so its numbers are colours and no heights; "
                                 "export it as grey, with 16 bits",
                                 path);
    }
    return wadi_io_heights_check_marks(context, path, raster);
}

// A sidecar of another size is of another picture, so its cells and heights are too.
static wadi_result raster_check_sidecar(wadi_context* context, const raster_wish* wish,
                                        const wadi_io_raster* raster)
{
    const wadi_io_sidecar* sidecar = wish->sidecar;
    const bool agrees = sidecar == NULL || sidecar->foreign[0] != '\0' ||
                        ((sidecar->width == 0 || sidecar->width == raster->width) &&
                         (sidecar->height == 0 || sidecar->height == raster->height));
    char file[4096];
    const char* variable;
    wadi_io_variable_of(wish->path, file, &variable);
    return agrees ? WADI_OK
                  : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                      "%s has %d x %d cells, but its sidecar %s.json says %d x %d; "
                                      "correct or remove the sidecar",
                                      wish->path, raster->width, raster->height, file,
                                      sidecar->width, sidecar->height);
}

static void raster_note_ground(wadi_context* context, const raster_wish* wish,
                               const wadi_io_raster* raster)
{
    wadi_io_heights_note(context, wish->path, raster);
    wadi_io_true_cell_note(context, wish->path, raster);
}

// Numbers of a map stay as they are where another program says what heights it wrote: it does not
// say which of its files they are in.
static void raster_note_map(wadi_context* context, const raster_wish* wish,
                            const wadi_io_raster* raster)
{
    const wadi_io_sidecar* sidecar = wish->sidecar;
    const bool by_caller = wadi_io_heights_are_told(&wish->reading);
    const bool is_foreign = sidecar != NULL && sidecar->foreign[0] != '\0';
    if (is_foreign && !by_caller && sidecar->has_heights && raster->step == 0.0 &&
        wadi_io_heights_are_bare(raster))
    {
        wadi_log_line(context,
                      "%s keeps its numbers; %s says that heights have %g m of relief: if this "
                      "file holds heights, convert it with --relief %gm",
                      wish->path, sidecar->foreign, sidecar->heights.relief,
                      sidecar->heights.relief);
    }
    else if (wish->reading.doubts && !raster->georef.valid && (by_caller || raster->step == 0.0))
    {
        wadi_io_heights_note(context, wish->path, raster);
    }
}

// Read values, and turn them into heights and a place on Earth.
static wadi_result raster_read_wish(wadi_context* context, const raster_wish* wish,
                                    wadi_io_raster* out)
{
    const char* path = wish->path;
    wadi_result result = wadi_io_format_of(path)->read(context, path, wish->sidecar, out);
    result = result == WADI_OK ? raster_check_sidecar(context, wish, out) : result;
    result = result == WADI_OK ? raster_apply_wish(context, wish, out) : result;
    if (result == WADI_OK && wish->is_ground)
    {
        result = raster_check_ground(context, path, out);
    }
    if (result == WADI_OK && wish->is_ground && out->read_unit[0] == '\0')
    {
        (void)snprintf(out->read_unit, sizeof out->read_unit, "m");
    }
    if (result == WADI_OK && !wish->reading.quiet && !wish->reading.weighs)
    {
        (wish->is_ground ? raster_note_ground : raster_note_map)(context, wish, out);
    }
    return result;
}

static wadi_result raster_read(wadi_context* context, const char* path,
                               const wadi_io_reading* reading, bool is_ground, wadi_io_raster* out)
{
    wadi_io_sidecar sidecar;
    bool found = false;
    char file[4096];
    const char* variable;
    wadi_io_variable_of(path, file, &variable);
    wadi_result result = raster_check_file(context, path);
    if (result == WADI_OK)
    {
        result = wadi_io_sidecar_read(context, file, &sidecar, &found);
    }
    if (result != WADI_OK)
    {
        return result;
    }
    const raster_wish wish = {.path = path,
                              .reading = *reading,
                              .sidecar = found ? &sidecar : NULL,
                              .is_ground = is_ground};
    result = raster_read_wish(context, &wish, out);
    if (found && result == WADI_OK)
    {
        // ownership of the text moves to the raster
        out->georef.wkt = out->georef.wkt != NULL ? out->georef.wkt : sidecar.georef.wkt;
        sidecar.georef.wkt = out->georef.wkt == sidecar.georef.wkt ? NULL : sidecar.georef.wkt;
    }
    if (found)
    {
        wadi_io_sidecar_free(&sidecar);
    }
    return result;
}

wadi_result wadi_io_raster_read_as(wadi_context* context, const char* path,
                                   const wadi_io_reading* reading, bool is_ground,
                                   wadi_io_raster* out)
{
    *out = (wadi_io_raster){0};
    wadi_result result = raster_read(context, path, reading, is_ground, out);
    if (result == WADI_OK && out->georef.wkt == NULL)
    {
        out->georef.wkt = strdup("");
        result = out->georef.wkt != NULL
                     ? WADI_OK
                     : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    }
    if (result != WADI_OK)
    {
        wadi_io_raster_free(out);
    }
    return result;
}

wadi_result wadi_io_raster_read(wadi_context* context, const char* path, double cell,
                                bool is_ground, wadi_io_raster* out)
{
    const wadi_io_reading reading = {.cell = cell};
    return wadi_io_raster_read_as(context, path, &reading, is_ground, out);
}

wadi_result wadi_io_raster_check_writable(wadi_context* context, const char* path)
{
    char file[4096];
    const char* name;
    wadi_io_variable_of(path, file, &name);
    if (wadi_io_format_of(path)->write != NULL && name[0] == '\0')
    {
        return WADI_OK;
    }
    return wadi_context_fail(context, WADI_ERROR_UNKNOWN,
                             "%s: cannot write this format; name the file .tif, .asc, .nc, .png, "
                             ".r16, .r32, .exr, .obj, .ply or .glb",
                             path);
}

wadi_result wadi_io_raster_load_writer(wadi_context* context, const char* path)
{
    const wadi_io_format* format = wadi_io_format_of(path);
    const bool is_netcdf = format->write == wadi_io_netcdf_write;
    const bool is_gdal =
        is_netcdf || format->write == wadi_io_tiff_write || format->write == wadi_io_asc_write;
    const wadi_result result = is_gdal ? wadi_io_gdal_need(context) : WADI_OK;
    return result == WADI_OK && is_netcdf ? wadi_io_netcdf_need(context) : result;
}

static wadi_result raster_write(wadi_context* context, const wadi_io_raster* raster,
                                const wadi_io_format* format, const char* path)
{
    const wadi_io_sidecar sidecar = wadi_io_sidecar_for(raster, format->integers);
    const wadi_result result = format->write(context, raster, &sidecar, path);
    return result == WADI_OK && format->scaleless
               ? wadi_io_sidecar_write(context, &sidecar, sidecar.bits == 8 ? "PNG8" : format->name,
                                       path)
               : result;
}

// Formats without a scale can only store square cells in metres.
static wadi_result raster_check_cells(wadi_context* context, const wadi_io_raster* raster,
                                      const char* path)
{
    const wadi_io_format* format = wadi_io_format_of(path);
    const bool square = !raster->geographic && fabs(raster->dx - raster->dy) <= 1e-6 * raster->dx;
    if (!(raster->dx > 0.0) && !format->scaleless && strcmp(format->name, "GeoTIFF") != 0)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "cannot write %s: it needs the size of the cells, which the input "
                                 "does not state; give --cell, such as --cell 10m",
                                 path);
    }
    return square || !format->scaleless
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "cannot write %s: %s stores square cells in metres only; use "
                                   "--grid working (erode), --preset (convert) or a .tif",
                                   path, format->name);
}

wadi_result wadi_io_raster_write(wadi_context* context, const wadi_io_raster* raster,
                                 const char* path)
{
    wadi_result result = wadi_io_raster_check_writable(context, path);
    result = result == WADI_OK ? raster_check_cells(context, raster, path) : result;
    wadi_io_replacement replacement;
    result = result == WADI_OK ? wadi_io_replace_begin(context, path, &replacement) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    result = raster_write(context, raster, wadi_io_format_of(path), replacement.path);
    if (result != WADI_OK)
    {
        return wadi_io_replace_abort(context, &replacement, result);
    }
    return wadi_io_replace_commit(context, &replacement);
}

wadi_result wadi_io_quantise(wadi_context* context, const wadi_io_raster* raster,
                             const wadi_io_sidecar* sidecar, uint16_t** out)
{
    const int64_t cells = (int64_t)raster->width * raster->height;
    const double top = wadi_io_sidecar_top(sidecar);
    *out = malloc((size_t)cells * sizeof **out);
    if (*out == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for 16-bit heights");
    }
    for (int64_t i = 0; i < cells; ++i)
    {
        const double value = ((double)raster->values[i] - sidecar->offset) / sidecar->scale;
        (*out)[i] = isnan(value)   ? (uint16_t)sidecar->nodata
                    : value <= 0.0 ? 0
                    : value >= top ? (uint16_t)top
                                   : (uint16_t)(value + 0.5);
    }
    return WADI_OK;
}
