// SPDX-License-Identifier: MIT
// Outputs of a run in windows: one file by its rows, or a tile of each window.
#include "cli/run_windows_job.h"

#include "cli/tile_name.h"

#include "io/raster/tiff_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_windows_path(const windows_job* job, const char* file, char path[2 * PATH_MAX])
{
    (void)snprintf(path, (size_t)2 * PATH_MAX, "%s/%s", job->folder, file);
}

bool cli_windows_is_tiff(const char* file)
{
    const char* dot = strrchr(file, '.');
    return dot != NULL && (strcmp(dot, ".tif") == 0 || strcmp(dot, ".tiff") == 0);
}

// Copy the rows [first, first + rows) of the whole grid that a window owns, one after the other.
static int64_t windows_pack(const wadi_partition* part, const float* values, int32_t first,
                            int32_t rows, float* out)
{
    const int32_t width =
        part->halo[WADI_SIDE_WEST] + part->owned_width + part->halo[WADI_SIDE_EAST];
    int64_t count = 0;
    for (int32_t y = first; y < first + rows; ++y)
    {
        if (y >= part->y && y < part->y + part->owned_height)
        {
            const int64_t row = y - part->y + part->halo[WADI_SIDE_NORTH];
            memcpy(out + count, values + row * width + part->halo[WADI_SIDE_WEST],
                   (size_t)part->owned_width * sizeof *out);
            count += part->owned_width;
        }
    }
    return count;
}

// Put together rows of the whole grid from those of all windows.
static void windows_unpack(const windows_job* job, const wadi_part* parts, int32_t rows,
                           float* band)
{
    for (int32_t i = 0; i < job->def.columns * job->def.rows; ++i)
    {
        wadi_partition part;
        (void)wadi_windows_partition(job->session.context, &job->def, i, &part);
        const int64_t row = (int64_t)part.owned_width * (int64_t)sizeof(float);
        for (int32_t y = 0; y < rows && (y + 1) * row <= parts[i].size; ++y)
        {
            memcpy(band + (int64_t)y * part.width + part.x,
                   (const unsigned char*)parts[i].bytes + y * row, (size_t)row);
        }
    }
}

// Hand all rows to window 0, which writes them to `file`; the others have none. Windows are cut
// between bands.
static wadi_result windows_send(windows_window* window, const float* values, float* band,
                                wadi_io_tiff_rows* file)
{
    const windows_job* job = window->job;
    const wadi_partition* part = wadi_context_partition(window->part.context);
    wadi_part* parts = calloc((size_t)part->count, sizeof *parts);
    wadi_result result = parts != NULL ? WADI_OK : WADI_ERROR_MEMORY;
    for (int32_t first = 0; first < part->height && result == WADI_OK; first += WADI_PARTITION_TILE)
    {
        const int32_t left = part->height - first;
        const int32_t rows = left < WADI_PARTITION_TILE ? left : WADI_PARTITION_TILE;
        const int64_t count = windows_pack(part, values, first, rows, band);
        for (int32_t i = 0; i < part->count; ++i)
        {
            parts[i] =
                (wadi_part){i == 0 ? band : NULL, i == 0 ? count * (int64_t)sizeof *band : 0};
        }
        if (!part->send(parts, part->user))
        {
            result = wadi_context_fail(window->part.context, WADI_ERROR_CANCELLED,
                                       "another window failed");
        }
        else if (file != NULL)
        {
            windows_unpack(job, parts, rows, band);
            result = cli_scene_part_pass(&window->part, wadi_io_tiff_rows_add(file, band, rows));
        }
    }
    free(parts);
    return result;
}

static const char* windows_name_of(const windows_window* window, const wadi_quantity* quantity,
                                   char name[64])
{
    if (quantity->process != NULL)
    {
        (void)snprintf(name, 64, "%s.%s", quantity->process->name, quantity->map);
    }
    else
    {
        (void)snprintf(name, 64, "%s",
                       quantity->is_derived ? wadi_derived_name(quantity->derived)
                                            : wadi_terrain_layer_name(wadi_run_terrain(window->run),
                                                                      quantity->layer));
    }
    return name;
}

static wadi_result windows_write_file(windows_window* window, const wadi_output* output,
                                      const float* values, float* band, const char* path)
{
    windows_job* job = window->job;
    char name[64];
    const wadi_io_raster raster = {.width = job->def.width,
                                   .height = job->def.height,
                                   .dx = job->open.frame.cell_size,
                                   .dy = job->open.frame.cell_size,
                                   .georef = job->open.frame.georef,
                                   .name = windows_name_of(window, &output->quantity, name),
                                   .unit = wadi_quantity_unit(&output->quantity),
                                   .tags = &job->open.tags};
    wadi_io_tiff_rows file;
    wadi_result result = cli_scene_part_pass(
        &window->part, wadi_io_tiff_rows_begin(job->session.context, &raster, path, &file));
    if (result != WADI_OK)
    {
        return result;
    }
    result = windows_send(window, values, band, &file);
    return cli_scene_part_pass(&window->part, wadi_io_tiff_rows_end(&file, result));
}

// The file of a window of an output in named tiles.
void cli_windows_tile_path(const windows_job* job, const char* file, int32_t index,
                           char path[2 * PATH_MAX])
{
    char name[PATH_MAX];
    cli_tile_name(file, index % job->def.columns, index / job->def.columns, name, sizeof name);
    cli_windows_path(job, name, path);
}

// A window writes its own cells.
static wadi_result windows_write_tile(const windows_window* window, const wadi_output* output,
                                      const float* values)
{
    windows_job* job = window->job;
    const wadi_partition* part = wadi_context_partition(window->part.context);
    char name[64];
    char path[2 * PATH_MAX];
    cli_windows_tile_path(job, output->file, window->index, path);
    wadi_io_raster raster = {
        .width = part->owned_width,
        .height = part->owned_height,
        .values = malloc((size_t)part->owned_width * (size_t)part->owned_height * sizeof *values),
        .dx = job->open.frame.cell_size,
        .dy = job->open.frame.cell_size,
        .georef = cli_tile_georef(&job->open.frame, part->x, part->y),
        .name = windows_name_of(window, &output->quantity, name),
        .unit = wadi_quantity_unit(&output->quantity),
        .tags = &job->open.tags};
    if (raster.values == NULL)
    {
        return wadi_context_fail(window->part.context, WADI_ERROR_MEMORY, "out of memory for %s",
                                 path);
    }
    (void)windows_pack(part, values, part->y, part->owned_height, raster.values);
    const wadi_result result = cli_scene_part_pass(
        &window->part, wadi_io_raster_write(job->session.context, &raster, path));
    free(raster.values);
    return result;
}

static wadi_result windows_write_part(windows_window* window, const wadi_output* output,
                                      const float* values, float* band, const char* path)
{
    if (cli_tile_is_pattern(output->file))
    {
        return windows_write_tile(window, output, values);
    }
    return window->index == 0 ? windows_write_file(window, output, values, band, path)
                              : windows_send(window, values, band, NULL);
}

wadi_result cli_windows_write(windows_window* window, const wadi_output* output)
{
    wadi_terrain* terrain = wadi_run_terrain(window->run);
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    const int64_t band_cells = (int64_t)WADI_PARTITION_TILE * window->job->def.width;
    float* values = wadi_alloc(window->part.context, (size_t)cells, sizeof *values);
    float* band = malloc((size_t)band_cells * sizeof *band);
    char path[2 * PATH_MAX];
    cli_windows_path(window->job, output->file, path);
    wadi_result result = values != NULL && band != NULL
                             ? wadi_run_quantity(window->run, &output->quantity, values)
                             : wadi_context_fail(window->part.context, WADI_ERROR_MEMORY,
                                                 "out of memory for %s", path);
    result = result == WADI_OK ? windows_write_part(window, output, values, band, path) : result;
    free(band);
    wadi_free(window->part.context, values);
    return result;
}
