// SPDX-License-Identifier: MIT
#include "io/raster/geo.h"

#include "io/raster/gdal_session.h"
#include "io/raster/warp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// WGS 84; lengths on other datums differ by less than 1e-4.
static const double geo_semi_major = 6378137.0;
static const double geo_eccentricity2 = 6.69437999014e-3;
static const double geo_degree = 0.017453292519943295;

void wadi_io_raster_metric(const wadi_io_raster* raster, double* dx_of_row, double* dy)
{
    *dy = raster->dy;
    for (int32_t y = 0; y < raster->height; ++y)
    {
        dx_of_row[y] = raster->dx;
        if (raster->geographic)
        {
            // radii of curvature along the parallel and, at the middle, along the meridian
            const double north = raster->georef.affine[3];
            const double s = sin((north - (y + 0.5) * raster->dy) * geo_degree);
            const double m = sin((north - 0.5 * raster->height * raster->dy) * geo_degree);
            const double w = 1.0 - geo_eccentricity2 * s * s;
            const double v = 1.0 - geo_eccentricity2 * m * m;
            const double c = sqrt(fmax(0.0, 1.0 - s * s));
            dx_of_row[y] = geo_semi_major / sqrt(w) * c * raster->dx * geo_degree;
            *dy = geo_semi_major * (1.0 - geo_eccentricity2) / (v * sqrt(v)) * raster->dy *
                  geo_degree;
        }
    }
}

void wadi_io_grid_free(wadi_io_grid* grid)
{
    // heap memory; the member is const for readers only
    free((char*)(uintptr_t)grid->georef.wkt);
    free((char*)(uintptr_t)grid->raster_georef.wkt);
    *grid = (wadi_io_grid){0};
}

// Side of a square with the mean area of the raster's cells.
static double geo_mean_cell(const wadi_io_raster* raster)
{
    double dy = 0.0;
    double sum = 0.0;
    double* dx = malloc((size_t)raster->height * sizeof *dx);
    if (dx == NULL)
    {
        return 0.0;
    }
    wadi_io_raster_metric(raster, dx, &dy);
    for (int32_t y = 0; y < raster->height; ++y)
    {
        sum += dx[y];
    }
    free(dx);
    return sqrt(sum / raster->height * dy);
}

// Equal-area projection centred on the raster, with the raster's datum.
static char* geo_make_system(const wadi_io_raster* raster)
{
    const double* a = raster->georef.affine;
    char* text = NULL;
    OGRSpatialReferenceH degrees = OSRNewSpatialReference(raster->georef.wkt);
    OGRSpatialReferenceH metres = OSRNewSpatialReference(NULL);
    const bool made = OSRSetProjCS(metres, "Wadi working grid") == OGRERR_NONE &&
                      OSRCopyGeogCSFrom(metres, degrees) == OGRERR_NONE &&
                      OSRSetLAEA(metres, a[3] + 0.5 * a[5] * raster->height,
                                 a[0] + 0.5 * a[1] * raster->width, 0.0, 0.0) == OGRERR_NONE &&
                      OSRSetLinearUnits(metres, "metre", 1.0) == OGRERR_NONE &&
                      OSRExportToWkt(metres, &text) == OGRERR_NONE;
    char* out = made ? strdup(text) : NULL;
    CPLFree(text);
    OSRDestroySpatialReference(metres);
    OSRDestroySpatialReference(degrees);
    return out;
}

// Cover the raster's bounds with square cells.
static wadi_result geo_cover(wadi_context* context, const wadi_io_raster* raster, wadi_io_grid* out)
{
    double bounds[4]; // west, south, east, north
    const wadi_io_frame frame = {raster->width, raster->height, &raster->georef};
    const wadi_result result = wadi_io_frame_bounds(context, &frame, out->georef.wkt, bounds);
    if (result != WADI_OK)
    {
        return result;
    }
    // the projection's unit may be feet
    const double side =
        out->cell * (raster->geographic ? 1.0 : raster->georef.affine[1] / raster->dx);
    const double width = ceil((bounds[2] - bounds[0]) / side - 1e-6);
    const double height = ceil((bounds[3] - bounds[1]) / side - 1e-6);
    if (!(width >= 1.0 && width <= 65536.0 && height >= 1.0 && height <= 65536.0))
    {
        return wadi_context_fail(context, WADI_ERROR_RANGE,
                                 "the working grid would have %g x %g cells; crop the file with "
                                 "gdal_translate -projwin first",
                                 width, height);
    }
    out->width = (int32_t)width;
    out->height = (int32_t)height;
    const double affine[6] = {bounds[0], side, 0.0, bounds[3], 0.0, -side};
    memcpy(out->georef.affine, affine, sizeof affine);
    return WADI_OK;
}

static wadi_result geo_make_grid(wadi_context* context, const wadi_io_raster* raster,
                                 wadi_io_grid* out)
{
    out->georef.valid = true;
    out->raster_width = raster->width;
    out->raster_height = raster->height;
    out->raster_georef = raster->georef;
    out->raster_georef.wkt = strdup(raster->georef.wkt);
    out->georef.wkt = raster->geographic ? geo_make_system(raster) : strdup(raster->georef.wkt);
    out->cell = geo_mean_cell(raster);
    if (out->georef.wkt == NULL || out->raster_georef.wkt == NULL || out->cell == 0.0)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "cannot find a metric grid for these coordinates; project the "
                                 "file with gdalwarp first");
    }
    return geo_cover(context, raster, out);
}

// Square within 1e-6, the precision of numbers in ASC headers.
static bool geo_is_square(const wadi_io_raster* raster)
{
    return !raster->geographic && fabs(raster->dx - raster->dy) <= 1e-6 * raster->dx;
}

wadi_result wadi_io_grid_of(wadi_context* context, const wadi_io_raster* raster, wadi_io_grid* out)
{
    *out = (wadi_io_grid){0};
    if (geo_is_square(raster))
    {
        *out = (wadi_io_grid){.width = raster->width,
                              .height = raster->height,
                              .cell = raster->dx,
                              .georef = raster->georef,
                              .same = true};
        out->georef.wkt = strdup(raster->georef.wkt);
        return out->georef.wkt != NULL
                   ? WADI_OK
                   : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory");
    }
    wadi_result result = wadi_io_gdal_need(context);
    if (result == WADI_OK)
    {
        wadi_io_gdal gdal;
        wadi_io_gdal_enter(&gdal);
        result = geo_make_grid(context, raster, out);
        wadi_io_gdal_leave();
    }
    if (result != WADI_OK)
    {
        wadi_io_grid_free(out);
    }
    return result;
}

wadi_result wadi_io_grid_read(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_grid* grid, float* out)
{
    const wadi_io_frame from = {raster->width, raster->height, &raster->georef};
    const wadi_io_frame to = {grid->width, grid->height, &grid->georef};
    return wadi_io_warp(context, &from, raster->values, &to, out);
}

// "x 561995 to 563275, y 5116695 to 5117975 (NAD83 / UTM zone 10N)", in the frame's own
// coordinates.
static void geo_print_extent(int32_t width, int32_t height, const wadi_georef* georef, char* out,
                             size_t size)
{
    const double* a = georef->affine;
    const char* quote = strchr(georef->wkt, '"');
    const int length = quote != NULL ? (int)strcspn(quote + 1, "\"") : 0;
    const char* name = length > 0 ? quote + 1 : "";
    (void)snprintf(out, size, "x %.8g to %.8g, y %.8g to %.8g%s%.*s%s", a[0], a[0] + a[1] * width,
                   a[3] + a[5] * height, a[3], length > 0 ? " (" : "", length, name,
                   length > 0 ? ")" : "");
}

wadi_result wadi_io_grid_check_cover(wadi_context* context, const char* path,
                                     const wadi_io_raster* raster, const wadi_io_grid* grid,
                                     const float* ground, const float* values)
{
    const int64_t cells = (int64_t)grid->width * grid->height;
    bool covers = !raster->georef.valid || !grid->georef.valid;
    for (int64_t i = 0; i < cells && !covers; ++i)
    {
        covers = !isnan(values[i]) && (ground == NULL || !isnan(ground[i]));
    }
    if (covers)
    {
        return WADI_OK;
    }
    const bool same = grid->raster_georef.wkt == NULL;
    char there[300];
    char here[300];
    geo_print_extent(raster->width, raster->height, &raster->georef, there, sizeof there);
    geo_print_extent(same ? grid->width : grid->raster_width,
                     same ? grid->height : grid->raster_height,
                     same ? &grid->georef : &grid->raster_georef, here, sizeof here);
    return wadi_context_fail(context, WADI_ERROR_RANGE,
                             "%s has no value on the terrain: it covers %s; the terrain covers %s",
                             path, there, here);
}

wadi_result wadi_io_grid_write(wadi_context* context, const wadi_io_grid* grid, const float* values,
                               const wadi_io_raster* raster, float* out)
{
    const wadi_io_frame from = {grid->width, grid->height, &grid->georef};
    const wadi_io_frame to = {raster->width, raster->height, &raster->georef};
    const wadi_result result = wadi_io_warp(context, &from, values, &to, out);
    const int64_t cells = result == WADI_OK ? (int64_t)raster->width * raster->height : 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        out[i] = isnan(raster->values[i]) ? NAN : out[i];
    }
    return result;
}

wadi_result wadi_io_grid_sides(wadi_context* context, const wadi_io_grid* grid, int32_t width,
                               int32_t height, const wadi_georef* georef, uint8_t* out)
{
    if (grid->raster_georef.wkt == NULL)
    {
        memset(out, WADI_SIDE_VOID, (size_t)width * (size_t)height);
        return WADI_OK;
    }
    const wadi_io_frame from = {grid->raster_width, grid->raster_height, &grid->raster_georef};
    const wadi_io_frame to = {width, height, georef};
    return wadi_io_warp_sides(context, &from, &to, out);
}

wadi_result wadi_io_raster_drop_vertical(wadi_context* context, wadi_io_raster* raster)
{
    if (raster->georef.wkt == NULL || strncmp(raster->georef.wkt, "COMPD_CS", 8) != 0)
    {
        return WADI_OK;
    }
    wadi_result result = wadi_io_gdal_need(context);
    char* text = NULL;
    if (result == WADI_OK)
    {
        wadi_io_gdal gdal;
        wadi_io_gdal_enter(&gdal);
        OGRSpatialReferenceH system = OSRNewSpatialReference(raster->georef.wkt);
        const bool made =
            OSRStripVertical(system) == OGRERR_NONE && OSRExportToWkt(system, &text) == OGRERR_NONE;
        char* flat = made ? strdup(text) : NULL;
        CPLFree(text);
        OSRDestroySpatialReference(system);
        wadi_io_gdal_leave();
        free((char*)(uintptr_t)raster->georef.wkt);
        raster->georef.wkt = flat;
        result = flat != NULL ? WADI_OK
                              : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                                  "cannot leave out the heights of a coordinate "
                                                  "system; project the file with gdalwarp first");
    }
    return result;
}
