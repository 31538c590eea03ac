// SPDX-License-Identifier: MIT
#include "cli/window.h"

#include "io/raster/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WINDOW_PATH = 4096
};

// First cell of the window's lattice along an axis.
static double window_first(double position, double cell)
{
    return floor(position / cell + 0.5);
}

// Georeference of the window: the terrain's, shifted and with smaller cells.
static wadi_georef window_place(const wadi_terrain* terrain, const wadi_amplify_params* p,
                                int32_t rows)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double finer = p->cell / cell;
    const double column = window_first(p->x, p->cell) * finer;
    const double row = wadi_terrain_height(terrain) - (window_first(p->y, p->cell) + rows) * finer;
    const wadi_georef own = wadi_terrain_georef(terrain);
    const double* a = own.affine;
    wadi_georef place = own;
    place.affine[0] = a[0] + a[1] * column + a[2] * row;
    place.affine[3] = a[3] + a[4] * column + a[5] * row;
    place.affine[1] *= finer;
    place.affine[2] *= finer;
    place.affine[4] *= finer;
    place.affine[5] *= finer;
    // without a reference system, cells of centimetres would be taken for degrees
    const bool has_system = place.wkt != NULL && place.wkt[0] != '\0';
    place.wkt = has_system ? place.wkt : "LOCAL_CS[\"metres\",UNIT[\"metre\",1]]";
    return place;
}

wadi_result cli_window_write(wadi_context* context, wadi_terrain* terrain,
                             const wadi_amplify_params* params, const wadi_io_tags* tags,
                             const char* path)
{
    wadi_io_raster raster = {.dx = params->cell,
                             .dy = params->cell,
                             .has_nodata = true,
                             .nodata = (double)NAN,
                             .name = "surface",
                             .unit = "m",
                             .tags = tags};
    wadi_result result = wadi_amplify_size(terrain, params, &raster.width, &raster.height);
    if (result != WADI_OK)
    {
        return result;
    }
    raster.georef = window_place(terrain, params, raster.height);
    raster.values = malloc((size_t)raster.width * (size_t)raster.height * sizeof *raster.values);
    if (raster.values == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY,
                                 "out of memory for a window of %d x %d cells", raster.width,
                                 raster.height);
    }
    result = wadi_amplify(terrain, params, raster.values);
    result = result == WADI_OK ? wadi_io_raster_write(context, &raster, path) : result;
    free(raster.values);
    return result;
}

// ---- tiles --------------------------------------------------------------------------------------

// A window split into tiles.
typedef struct window_tiles
{
    wadi_amplify_params window;
    double columns; // [cells]
    double rows;
    double size;
    const wadi_io_tags* tags;
    const char* path;
} window_tiles;

// Tile of a column and a row from the north; both start at 0.
static wadi_amplify_params window_tile(const window_tiles* tiles, int32_t column, int32_t row)
{
    const wadi_amplify_params* w = &tiles->window;
    wadi_amplify_params tile = *w;
    const double west = column * tiles->size;
    const double north = row * tiles->size;
    const double across = fmin(tiles->size, tiles->columns - west);
    const double down = fmin(tiles->size, tiles->rows - north);
    tile.x = (window_first(w->x, w->cell) + west) * w->cell;
    tile.y = (window_first(w->y, w->cell) + tiles->rows - north - down) * w->cell;
    tile.width = across * w->cell;
    tile.height = down * w->cell;
    return tile;
}

static wadi_result window_write_tile(wadi_context* context, wadi_terrain* terrain,
                                     const window_tiles* tiles, int32_t column, int32_t row)
{
    const wadi_amplify_params tile = window_tile(tiles, column, row);
    const char* dot = strrchr(tiles->path, '.');
    const int stem = dot != NULL ? (int)(dot - tiles->path) : (int)strlen(tiles->path);
    char path[WINDOW_PATH];
    const int length = snprintf(path, sizeof path, "%.*s-%d-%d%s", stem, tiles->path, row + 1,
                                column + 1, tiles->path + stem);
    return length < WINDOW_PATH
               ? cli_window_write(context, terrain, &tile, tiles->tags, path)
               : wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                   "the name of a tile of '%s' is too long", tiles->path);
}

wadi_result cli_window_write_tiles(wadi_context* context, wadi_terrain* terrain,
                                   const wadi_amplify_params* params, const wadi_io_tags* tags,
                                   int32_t size, const char* path)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double wide = wadi_terrain_width(terrain) * cell - params->x;
    const double high = wadi_terrain_height(terrain) * cell - params->y;
    window_tiles tiles = {.window = *params, .size = size, .tags = tags, .path = path};
    tiles.columns = floor((params->width > 0.0 ? params->width : wide) / params->cell + 0.5);
    tiles.rows = floor((params->height > 0.0 ? params->height : high) / params->cell + 0.5);
    wadi_result result = WADI_OK;
    for (int32_t row = 0; row * tiles.size < tiles.rows && result == WADI_OK; ++row)
    {
        for (int32_t c = 0; c * tiles.size < tiles.columns && result == WADI_OK; ++c)
        {
            result = window_write_tile(context, terrain, &tiles, c, row);
        }
    }
    return result;
}
