// SPDX-License-Identifier: MIT
#include "studio/server/server_maps.h"

#include "io/raster/raster.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct server_maps_report
{
    server_warn_fn* warn;
    void* user;
} server_maps_report;

// The name comes from a page: a plain name with the ending ".tif", in no other folder.
static bool maps_is_plain(const char* name)
{
    const size_t length = strlen(name);
    bool is_plain = length > 4 && strcmp(name + length - 4, ".tif") == 0;
    for (size_t i = 0; i + 4 < length; ++i)
    {
        is_plain =
            is_plain && (isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '_');
    }
    return is_plain;
}

// FNV-1a over more bytes.
static uint64_t maps_add(uint64_t sum, const void* data, size_t size)
{
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i)
    {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    return sum;
}

// Of values, shape and cell size: the same picture may come with another scale.
static uint64_t maps_sum(const wadi_studio_grid* grid)
{
    const size_t size = (size_t)grid->width * (size_t)grid->height * sizeof *grid->values;
    uint64_t sum = 14695981039346656037u;
    sum = maps_add(sum, &grid->width, sizeof grid->width);
    sum = maps_add(sum, &grid->cell, sizeof grid->cell);
    return maps_add(sum, grid->values, size);
}

// What is known about a map; a map that is seen for the first time is remembered.
static server_map* maps_find(server_maps* maps, const wadi_studio_grid* grid)
{
    const uint64_t sum = maps_sum(grid);
    for (int32_t i = 0; i < maps->count; ++i)
    {
        if (maps->known[i].sum == sum && strcmp(maps->known[i].name, grid->name) == 0)
        {
            return &maps->known[i];
        }
    }
    maps->count = maps->count < SERVER_MAPS ? maps->count : 0;
    server_map* map = &maps->known[maps->count++];
    *map = (server_map){.sum = sum};
    (void)snprintf(map->name, sizeof map->name, "%s", grid->name);
    return map;
}

// Is the file that is there already the map?
static bool maps_is_same(wadi_context* context, const wadi_studio_grid* grid, const char* path)
{
    wadi_io_raster raster = {0};
    const wadi_io_reading reading = {.cell = grid->cell, .quiet = true};
    bool same = wadi_io_raster_read_as(context, path, &reading, true, &raster) == WADI_OK &&
                raster.width == grid->width && raster.height == grid->height;
    const int64_t cells = same ? (int64_t)grid->width * grid->height : 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        const float a = raster.values[i];
        const float b = grid->values[i];
        same = same && ((a <= b && a >= b) || (a != a && b != b)); // NaN: no data in both
    }
    wadi_io_raster_free(&raster);
    return same;
}

// Tell once why a map is not saved.
static void maps_warn(const server_maps_report* report, server_map* map, const char* reason,
                      const char* advice)
{
    char text[SERVER_WARNING];
    (void)snprintf(text, sizeof text, "the map of the page is not saved: %.1600s%.300s", reason,
                   advice);
    if (!map->is_warned)
    {
        report->warn(report->user, text);
    }
    map->is_warned = true;
}

static void maps_warn_taken(const server_maps_report* report, server_map* map, const char* path)
{
    char reason[PATH_MAX];
    (void)snprintf(reason, sizeof reason, "another file '%.1500s' is there", path);
    maps_warn(report, map, reason,
              "; the record needs the map under this name: move that file, and the map is saved "
              "with the next record");
}

static bool maps_write_file(wadi_context* context, const wadi_studio_grid* grid, const char* path)
{
    // the writer changes no values
    float* values = (float*)(uintptr_t)grid->values;
    const wadi_io_raster raster = {.width = grid->width,
                                   .height = grid->height,
                                   .values = values,
                                   .dx = grid->cell,
                                   .dy = grid->cell,
                                   .georef = {.wkt = ""},
                                   .name = "height",
                                   .unit = "m"};
    return wadi_io_raster_write(context, &raster, path) == WADI_OK;
}

// A map that could not be saved is tried again with the next record; a file that is in its way is
// compared once.
static void maps_write(wadi_context* context, const wadi_studio_grid* grid, const char* path,
                       const server_maps_report* report, server_map* map)
{
    const bool is_there = access(path, F_OK) == 0;
    if (is_there && map->is_warned)
    {
        return;
    }
    map->is_saved =
        is_there ? maps_is_same(context, grid, path) : maps_write_file(context, grid, path);
    if (!map->is_saved && is_there)
    {
        maps_warn_taken(report, map, path);
    }
    else if (!map->is_saved)
    {
        maps_warn(report, map, wadi_error_detail(context), "");
    }
}

void server_maps_save(wadi_studio* studio, server_maps* maps, const char* folder,
                      const char* record, server_warn_fn* warn, void* user)
{
    const server_maps_report report = {warn, user};
    wadi_studio_grid grid;
    for (int32_t i = 0; wadi_studio_grid_at(studio, i, &grid); ++i)
    {
        char path[PATH_MAX + 256];
        const bool is_named = maps_is_plain(grid.name) && strstr(record, grid.name) != NULL;
        server_map* map = is_named ? maps_find(maps, &grid) : NULL;
        if (map != NULL && !map->is_saved)
        {
            (void)snprintf(path, sizeof path, "%s%s", folder, grid.name);
            maps_write(wadi_studio_context(studio), &grid, path, &report, map);
        }
    }
}
