// SPDX-License-Identifier: MIT
#include "io/scene/scene_files.h"

#include "io/points/grain_file.h"
#include "io/raster/stretch.h"
#include "io/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wadi_result wadi_io_scene_files_open(wadi_context* context, const char* path,
                                     wadi_io_scene_files* files)
{
    *files = (wadi_io_scene_files){.context = context};
    const char* slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof files->folder)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT, "the path of the scene is too long");
    }
    memcpy(files->folder, path, length);
    return WADI_OK;
}

void wadi_io_scene_files_close(wadi_io_scene_files* files)
{
    wadi_io_grid_free(&files->grid);
    wadi_io_scene_files_forget(files);
    for (int32_t i = 0; i < files->used_count; ++i)
    {
        free(files->used[i]);
    }
    free(files->used);
    files->used = NULL;
    files->used_count = 0;
}

void wadi_io_scene_files_forget(wadi_io_scene_files* files)
{
    for (int32_t i = 0; i < files->surface_count; ++i)
    {
        wadi_io_surface_free(&files->surfaces[i]);
    }
    free(files->grains);
    free(files->strengths);
    files->surface_count = 0;
    files->grains = NULL;
    files->strengths = NULL;
}

// Note that a file is read.
static wadi_result files_note(wadi_io_scene_files* files, const char* path)
{
    for (int32_t i = 0; i < files->used_count; ++i)
    {
        if (strcmp(files->used[i], path) == 0)
        {
            return WADI_OK;
        }
    }
    char** more = realloc(files->used, (size_t)(files->used_count + 1) * sizeof *more);
    char* copy = strdup(path);
    files->used = more != NULL ? more : files->used;
    if (more == NULL || copy == NULL)
    {
        free(copy);
        return wadi_context_fail(files->context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    }
    files->used[files->used_count++] = copy;
    return WADI_OK;
}

static wadi_result files_path(wadi_io_scene_files* files, const char* file, char* path, size_t size)
{
    const int length = snprintf(path, size, "%s%s", file[0] == '/' ? "" : files->folder, file);
    return length >= 0 && (size_t)length < size
               ? files_note(files, path)
               : wadi_context_fail(files->context, WADI_ERROR_ARGUMENT,
                                   "the name of a file is too long");
}

wadi_result wadi_io_scene_table(void* user, const char* file, const wadi_table_info* table,
                                double* out, int32_t capacity, int32_t* rows)
{
    wadi_io_scene_files* files = user;
    char path[8192];
    const wadi_result result = files_path(files, file, path, sizeof path);
    return result == WADI_OK ? wadi_io_table_read(files->context, path, table, out, capacity, rows)
                             : result;
}

wadi_result wadi_io_scene_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out)
{
    wadi_io_scene_files* files = user;
    char path[8192];
    wadi_result result = files_path(files, file, path, sizeof path);
    wadi_io_surface* surface = &files->surfaces[files->surface_count];
    if (result == WADI_OK)
    {
        result = wadi_io_surface_read(files->context, path, z_is_up ? WADI_IO_UP_Z : WADI_IO_UP_Y,
                                      surface);
    }
    if (result == WADI_OK)
    {
        files->surface_count += 1;
        *out = surface->mesh;
    }
    return result;
}

wadi_result wadi_io_scene_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out)
{
    wadi_io_scene_files* files = user;
    char path[8192];
    wadi_result result = files_path(files, file, path, sizeof path);
    if (result == WADI_OK)
    {
        result = wadi_io_grains_read(files->context, path, bodies, &files->grains,
                                     &files->strengths, &out->grain_count);
    }
    out->grains = files->grains;
    out->strengths = files->strengths;
    return result;
}

static wadi_result files_read(wadi_io_scene_files* files, const wadi_source* source,
                              const wadi_io_reading* reading, bool is_ground, wadi_io_raster* out)
{
    char path[8192];
    const wadi_result result = files_path(files, source->file, path, sizeof path);
    if (result != WADI_OK)
    {
        return result;
    }
    return wadi_io_raster_read_as(files->context, path, reading, is_ground, out);
}

static double files_get(const wadi_source* source, const char* name)
{
    const wadi_field* field = wadi_field_find(source->kind->fields, name);
    return source->params != NULL ? wadi_field_get(field, source->params) : 0.0;
}

static wadi_io_reading files_reading_of(const wadi_source* source)
{
    return (wadi_io_reading){.cell = files_get(source, "cell"),
                             .relief = files_get(source, "relief"),
                             .low = files_get(source, "min"),
                             .high = files_get(source, "max"),
                             .scale = files_get(source, "scale"),
                             .weighs = source->weighs};
}

wadi_result wadi_io_scene_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    wadi_io_scene_files* files = user;
    wadi_io_raster raster;
    const wadi_io_reading reading = files_reading_of(source);
    wadi_result result = files_read(files, source, &reading, true, &raster);
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_io_grid_free(&files->grid);
    files->grid = (wadi_io_grid){0};
    result = wadi_io_grid_of(files->context, &raster, &files->grid);
    wadi_io_raster_free(&raster);
    if (result == WADI_OK)
    {
        files->grid_file = source->file;
        *out = (wadi_frame){files->grid.width, files->grid.height, files->grid.cell,
                            files->grid.georef, NULL};
    }
    return result;
}

wadi_result wadi_io_scene_void_sides(void* user, const wadi_source* source, const wadi_frame* frame,
                                     uint8_t* out)
{
    (void)source; // its grid has just been read
    wadi_io_scene_files* files = user;
    return wadi_io_grid_sides(files->context, &files->grid, frame->width, frame->height,
                              &frame->georef, out);
}

// Resample through world coordinates; both grids are georeferenced.
static wadi_result files_warp(wadi_io_scene_files* files, const char* file,
                              const wadi_io_raster* raster, const wadi_frame* frame, float* out)
{
    const wadi_io_grid grid = {.width = frame->width,
                               .height = frame->height,
                               .cell = frame->cell_size,
                               .georef = frame->georef,
                               .raster_width = files->grid.raster_width,
                               .raster_height = files->grid.raster_height,
                               .raster_georef = files->grid.raster_georef};
    const wadi_result result = wadi_io_grid_read(files->context, raster, &grid, out);
    return result == WADI_OK
               ? wadi_io_grid_check_cover(files->context, file, raster, &grid, NULL, out)
               : result;
}

// Stretch the file's working grid over the terrain.
static wadi_result files_stretch(wadi_io_scene_files* files, const wadi_io_raster* raster,
                                 const wadi_frame* frame, float* out)
{
    wadi_io_grid grid = {0};
    wadi_result result = wadi_io_grid_of(files->context, raster, &grid);
    if (result != WADI_OK)
    {
        return result;
    }
    const bool same = grid.width == frame->width && grid.height == frame->height;
    const size_t cells = (size_t)grid.width * (size_t)grid.height;
    float* values = same ? out : malloc(cells * sizeof *values);
    result = values != NULL ? wadi_io_grid_read(files->context, raster, &grid, values)
                            : wadi_context_fail(files->context, WADI_ERROR_MEMORY,
                                                "out of memory for a file of %zu cells", cells);
    if (result == WADI_OK && !same)
    {
        wadi_io_stretch(values, grid.width, grid.height, out, frame->width, frame->height);
    }
    if (!same)
    {
        free(values);
    }
    wadi_io_grid_free(&grid);
    return result;
}

wadi_result wadi_io_scene_values(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out)
{
    wadi_io_scene_files* files = user;
    const bool is_grid_file =
        files->grid_file != NULL && strcmp(files->grid_file, source->file) == 0;

    wadi_io_raster raster;
    wadi_io_reading reading = files_reading_of(source);
    reading.quiet = true; // the grid has been read before
    wadi_result result = files_read(files, source, &reading, is_grid_file, &raster);
    if (result == WADI_ERROR_FORMAT)
    {
        // a file without a scale, such as a painted mask, covers the whole terrain
        reading.cell = frame->cell_size;
        result = files_read(files, source, &reading, false, &raster);
    }
    if (result != WADI_OK)
    {
        return result;
    }
    result = !is_grid_file && frame->georef.valid && raster.georef.valid
                 ? files_warp(files, source->file, &raster, frame, out)
                 : files_stretch(files, &raster, frame, out);
    wadi_io_raster_free(&raster);
    return result;
}
