// SPDX-License-Identifier: MIT
// Heights for windows of a grid, read from a file part by part.
#include "io/raster/formats.h"
#include "io/scene/scene_files.h"

#include <stdio.h>
#include <string.h>

enum
{
    WINDOW_BAND = 512 // rows, a multiple of the sides of blocks
};

static wadi_result window_path(const wadi_io_scene_files* files, const wadi_source* source,
                               char path[8192])
{
    const int length =
        snprintf(path, 8192, "%s%s", source->file[0] == '/' ? "" : files->folder, source->file);
    return length >= 0 && length < 8192 ? WADI_OK
                                        : wadi_context_fail(files->context, WADI_ERROR_ARGUMENT,
                                                            "the name of a file is too long");
}

// Values that whole files would stretch or scale by what they know of their range.
static bool window_is_plain(const wadi_source* source, const wadi_io_raster* raster)
{
    static const char* const types[] = {"Float32", "Float64", "Int16", "Int32"};
    bool known = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
    {
        known = known || strcmp(types[i], raster->type) == 0;
    }
    bool asked = false;
    for (int32_t i = 0; source->params != NULL && i < source->kind->fields->count; ++i)
    {
        asked = asked || wadi_field_get(&source->kind->fields->fields[i], source->params) != 0.0;
    }
    const char* unit = raster->read_unit;
    const bool metres = unit[0] == '\0' || strcmp(unit, "m") == 0 || strcmp(unit, "metre") == 0;
    return known && metres && !asked && strcmp(raster->format, "GTiff") == 0 &&
           strcmp(source->kind->name, "import") == 0;
}

static wadi_result window_head(wadi_io_scene_files* files, const wadi_source* source,
                               const char* path, wadi_io_raster* out)
{
    const wadi_io_part nothing = {0};
    *out = (wadi_io_raster){0};
    const wadi_result result = wadi_io_gdal_read_part(files->context, path, &nothing, out);
    if (result == WADI_OK && window_is_plain(source, out))
    {
        return WADI_OK;
    }
    wadi_io_raster_free(out);
    return result != WADI_OK
               ? result
               : wadi_context_fail(files->context, WADI_ERROR_FORMAT,
                                   "%s is not read in parts: windows need a GeoTIFF of heights in "
                                   "metres (Float32, Float64, Int16 or Int32) without keys such as "
                                   "scale; 'wadi convert IN OUT.tif --preset blender' makes one",
                                   path);
}

wadi_result wadi_io_scene_frame_only(void* user, const wadi_source* source, wadi_frame* out)
{
    wadi_io_scene_files* files = user;
    char path[8192];
    wadi_io_raster raster;
    wadi_result result = window_path(files, source, path);
    result = result == WADI_OK ? window_head(files, source, path, &raster) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    if (raster.georef.wkt == NULL || raster.geographic || !(raster.dx > 0.0) ||
        !(raster.dx == raster.dy))
    {
        wadi_io_raster_free(&raster);
        return wadi_context_fail(
            files->context, WADI_ERROR_FORMAT,
            "%s has to be resampled to square cells in metres, which needs all "
            "of it; do so with gdalwarp first",
            path);
    }
    wadi_io_grid_free(&files->grid);
    result = wadi_io_grid_of(files->context, &raster, &files->grid);
    wadi_io_raster_free(&raster);
    files->grid_file = source->file;
    *out = (wadi_frame){files->grid.width, files->grid.height, files->grid.cell, files->grid.georef,
                        NULL};
    return result;
}

// Length of a run of cells from `first` on, up to the end of the grid, and its begin in the grid.
static int32_t window_run(int32_t start, int32_t first, int32_t count, int32_t whole, int32_t* at)
{
    *at = (start + first + whole) % whole;
    const int32_t left = count - first;
    return left < whole - *at ? left : whole - *at;
}

static wadi_result window_band(const wadi_io_scene_files* files, const char* path,
                               const wadi_io_part* band, float* out, int32_t stride)
{
    wadi_io_raster raster = {0};
    const wadi_result result = wadi_io_gdal_read_part(files->context, path, band, &raster);
    for (int32_t y = 0; result == WADI_OK && y < band->height; ++y)
    {
        memcpy(out + (int64_t)y * stride, raster.values + (int64_t)y * band->width,
               (size_t)band->width * sizeof *out);
    }
    wadi_io_raster_free(&raster);
    return result;
}

// Read a part band by band, and ask between them whether to go on. Bands end between blocks of the
// file, so no block is unpacked twice.
static wadi_result window_part(const wadi_io_scene_files* files, const char* path,
                               const wadi_io_part* part, const wadi_frame* frame, float* out)
{
    wadi_io_part band = *part;
    wadi_result result = WADI_OK;
    for (int32_t y = 0; y < part->height && result == WADI_OK; y += band.height)
    {
        const int32_t left = part->height - y;
        band.y = part->y + y;
        band.height = WINDOW_BAND - band.y % WINDOW_BAND;
        band.height = band.height < left ? band.height : left;
        float* to = out + (int64_t)y * frame->width;
        result = wadi_progress(files->context, (double)y / part->height, "ground")
                     ? window_band(files, path, &band, to, frame->width)
                     : wadi_context_fail(files->context, WADI_ERROR_CANCELLED,
                                         "stopped while %s was read", path);
    }
    return result;
}

static wadi_result window_parts(const wadi_io_scene_files* files, const char* path,
                                const wadi_frame* frame, float* out)
{
    const wadi_partition* window = frame->window;
    wadi_io_part part;
    wadi_result result = WADI_OK;
    for (int32_t y = 0; y < frame->height && result == WADI_OK; y += part.height)
    {
        part.height = window_run(window->y - window->halo[WADI_SIDE_NORTH], y, frame->height,
                                 window->height, &part.y);
        for (int32_t x = 0; x < frame->width && result == WADI_OK; x += part.width)
        {
            part.width = window_run(window->x - window->halo[WADI_SIDE_WEST], x, frame->width,
                                    window->width, &part.x);
            result = window_part(files, path, &part, frame, out + (int64_t)y * frame->width + x);
        }
    }
    return result;
}

wadi_result wadi_io_scene_window(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out)
{
    wadi_io_scene_files* files = user;
    const wadi_partition* window = frame->window;
    char path[8192];
    wadi_io_raster head;
    wadi_result result = window_path(files, source, path);
    result = result == WADI_OK ? window_head(files, source, path, &head) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    const int32_t width = head.width;
    const int32_t height = head.height;
    wadi_io_raster_free(&head);
    return width == window->width && height == window->height
               ? window_parts(files, path, frame, out)
               : wadi_context_fail(files->context, WADI_ERROR_FORMAT,
                                   "%s has %d x %d cells, and the terrain %d x %d: in windows a "
                                   "file is not resampled; do so with wadi convert --size",
                                   path, width, height, window->width, window->height);
}
