// SPDX-License-Identifier: MIT
#include "io/raster/true_cell.h"

#include "io/raster/gdal_session.h"

#include <math.h>

// WGS 84; lengths on other datums differ by less than 1e-4.
static const double true_cell_semi_major = 6378137.0;
static const double true_cell_eccentricity2 = 6.69437999014e-3;
static const double true_cell_degree = 0.017453292519943295;

// UTM and national grids stretch lengths by less than 1 %, and those of continents by 2 %.
static const double true_cell_tolerance = 0.03;

// The middle of the raster, and places half a cell to the west, east, north and south of it.
enum
{
    TRUE_CELL_PLACES = 5
};

// Turn places into degrees. False if that is impossible.
static bool true_cell_transform(const char* wkt, double* xs, double* ys)
{
    OGRSpatialReferenceH from = OSRNewSpatialReference(wkt);
    OGRSpatialReferenceH to = OSRNewSpatialReference(NULL);
    bool done = false;
    if (OSRSetFromUserInput(to, "WGS84") == OGRERR_NONE)
    {
        OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
        OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
        OGRCoordinateTransformationH transform = OCTNewCoordinateTransformation(from, to);
        done = transform != NULL && OCTTransform(transform, TRUE_CELL_PLACES, xs, ys, NULL) != 0;
        if (transform != NULL)
        {
            OCTDestroyCoordinateTransformation(transform);
        }
    }
    OSRDestroySpatialReference(from);
    OSRDestroySpatialReference(to);
    return done;
}

// Length of the way between two near places in degrees [m].
static double true_cell_length(const double* xs, const double* ys, int a, int b)
{
    const double s = sin(0.5 * (ys[a] + ys[b]) * true_cell_degree);
    const double w = 1.0 - true_cell_eccentricity2 * s * s;
    const double across = true_cell_semi_major / sqrt(w) * sqrt(fmax(0.0, 1.0 - s * s));
    const double along = true_cell_semi_major * (1.0 - true_cell_eccentricity2) / (w * sqrt(w));
    return hypot(across * (xs[b] - xs[a]), along * (ys[b] - ys[a])) * true_cell_degree;
}

// Places in degrees. False if the raster has none.
static bool true_cell_places(wadi_context* context, const wadi_io_raster* raster,
                             double xs[TRUE_CELL_PLACES], double ys[TRUE_CELL_PLACES])
{
    static const double steps[TRUE_CELL_PLACES][2] = {
        {0.0, 0.0}, {-0.5, 0.0}, {0.5, 0.0}, {0.0, -0.5}, {0.0, 0.5}};
    if (!raster->georef.valid || raster->geographic || raster->georef.wkt == NULL ||
        raster->georef.wkt[0] == '\0' || wadi_io_gdal_need(context) != WADI_OK)
    {
        return false;
    }
    const double* a = raster->georef.affine;
    for (int k = 0; k < TRUE_CELL_PLACES; ++k)
    {
        xs[k] = a[0] + a[1] * (0.5 * raster->width + steps[k][0]);
        ys[k] = a[3] + a[5] * (0.5 * raster->height + steps[k][1]);
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    const bool done = true_cell_transform(raster->georef.wkt, xs, ys);
    wadi_io_gdal_leave();
    return done;
}

void wadi_io_true_cell(wadi_context* context, const wadi_io_raster* raster, double out[2])
{
    double xs[TRUE_CELL_PLACES];
    double ys[TRUE_CELL_PLACES];
    const bool known = true_cell_places(context, raster, xs, ys);
    out[0] = known ? true_cell_length(xs, ys, 1, 2) : raster->dx;
    out[1] = known ? true_cell_length(xs, ys, 3, 4) : raster->dy;
}

static bool true_cell_is_far(double length, double stated)
{
    return isfinite(length) && fabs(length - stated) > true_cell_tolerance * stated;
}

void wadi_io_true_cell_note(wadi_context* context, const char* path, const wadi_io_raster* raster)
{
    double cell[2];
    wadi_io_true_cell(context, raster, cell);
    if (true_cell_is_far(cell[0], raster->dx) || true_cell_is_far(cell[1], raster->dy))
    {
        wadi_log_line(context,
                      "%s: cells of %.4g x %.4g m in its coordinates are %.4g x %.4g m on the "
                      "ground, so slopes and volumes are not those of the land; project it to UTM "
                      "first, with gdalwarp -t_srs",
                      path, raster->dx, raster->dy, cell[0], cell[1]);
    }
}
