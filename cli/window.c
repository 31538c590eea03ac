// SPDX-License-Identifier: MIT
#include "cli/window.h"

#include "io/raster/raster.h"

#include <math.h>
#include <stdlib.h>

// Georeference of the window: the terrain's, shifted and with smaller cells.
static wadi_georef window_place(const wadi_terrain* terrain, const wadi_amplify_params* p)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double column = p->x / cell;
    const double row = wadi_terrain_height(terrain) - (p->y + p->height) / cell;
    const double finer = p->cell / cell;
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
                             .georef = window_place(terrain, params),
                             .name = "surface",
                             .unit = "m",
                             .tags = tags};
    wadi_result result = wadi_amplify_size(terrain, params, &raster.width, &raster.height);
    if (result != WADI_OK)
    {
        return result;
    }
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
