// SPDX-License-Identifier: MIT
#include "io/raster/warp.h"

#include "io/libraries/gdal_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Open a transformation between two systems; *out is NULL if they are equal or one is unknown.
static wadi_result warp_open(wadi_context* context, const char* from, const char* to,
                             OGRCoordinateTransformationH* out)
{
    *out = NULL;
    if (from[0] == '\0' || to[0] == '\0' || strcmp(from, to) == 0)
    {
        return WADI_OK;
    }
    const wadi_result result = wadi_io_gdal_need(context);
    if (result != WADI_OK)
    {
        return result;
    }
    OGRSpatialReferenceH a = OSRNewSpatialReference(from);
    OGRSpatialReferenceH b = OSRNewSpatialReference(to);
    // x is east and y is north in all our grids, whatever axis order the authority defines
    OSRSetAxisMappingStrategy(a, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(b, OAMS_TRADITIONAL_GIS_ORDER);
    *out = OCTNewCoordinateTransformation(a, b);
    OSRDestroySpatialReference(a);
    OSRDestroySpatialReference(b);
    return *out != NULL ? WADI_OK
                        : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                            "cannot transform between the two coordinate systems; "
                                            "project one file with gdalwarp first");
}

static void warp_close(OGRCoordinateTransformationH transform)
{
    if (transform != NULL)
    {
        OCTDestroyCoordinateTransformation(transform);
    }
}

// Value at a position in cells from the north-west corner; NaN outside the grid and where the
// nearest cell has no data.
static float warp_sample(const wadi_io_frame* frame, const float* values, double col, double row)
{
    // condition that is false for NaN
    if (!(col >= 0.0 && row >= 0.0 && col <= frame->width && row <= frame->height))
    {
        return NAN;
    }
    const int32_t nearest_x = (int32_t)fmin(floor(col), frame->width - 1.0);
    const int32_t nearest_y = (int32_t)fmin(floor(row), frame->height - 1.0);
    if (isnan(values[(int64_t)nearest_y * frame->width + nearest_x]))
    {
        return NAN;
    }
    const double x = floor(col - 0.5);
    const double y = floor(row - 0.5);
    double sum = 0.0;
    double weights = 0.0;
    for (int corner = 0; corner < 4; ++corner)
    {
        const double cx = x + (corner & 1);
        const double cy = y + (corner >> 1);
        const double weight = (1.0 - fabs(col - 0.5 - cx)) * (1.0 - fabs(row - 0.5 - cy));
        const bool inside = cx >= 0.0 && cy >= 0.0 && cx < frame->width && cy < frame->height;
        const float value = inside ? values[(int64_t)cy * frame->width + (int64_t)cx] : NAN;
        if (!isnan(value))
        {
            sum += weight * (double)value;
            weights += weight;
        }
    }
    return (float)(sum / weights);
}

// The cell centres of one row of the target, as columns and rows of the source; infinite or NaN
// where a point cannot be transformed.
static void warp_places(const wadi_io_frame* from, const wadi_io_frame* to,
                        OGRCoordinateTransformationH transform, int32_t row, double* xs, double* ys)
{
    const double* a = to->georef->affine;
    const double* b = from->georef->affine;
    for (int32_t col = 0; col < to->width; ++col)
    {
        xs[col] = a[0] + a[1] * (col + 0.5);
        ys[col] = a[3] + a[5] * (row + 0.5);
    }
    if (transform != NULL)
    {
        (void)OCTTransform(transform, to->width, xs, ys, NULL);
    }
    for (int32_t col = 0; col < to->width; ++col)
    {
        xs[col] = (xs[col] - b[0]) / b[1];
        ys[col] = (ys[col] - b[3]) / b[5];
    }
}

// A point that cannot be transformed lies beyond no side.
static wadi_side warp_side(const wadi_io_frame* frame, double col, double row)
{
    const double beyond[4] = {-row, col - frame->width, row - frame->height, -col}; // by wadi_side
    wadi_side side = WADI_SIDE_VOID;
    double farthest = 0.0;
    for (int k = 0; k < 4 && isfinite(col) && isfinite(row); ++k)
    {
        side = beyond[k] > farthest ? (wadi_side)k : side;
        farthest = beyond[k] > farthest ? beyond[k] : farthest;
    }
    return side;
}

static bool warp_is_same(const wadi_io_frame* from, const wadi_io_frame* to)
{
    if (from->width != to->width || from->height != to->height)
    {
        return false;
    }
    bool same = true;
    for (int i = 0; i < 6; ++i)
    {
        // tolerance of 1e-6 cells for numbers rounded in text formats
        same = same && fabs(from->georef->affine[i] - to->georef->affine[i]) <=
                           1e-6 * fabs(to->georef->affine[1]);
    }
    const char* a = from->georef->wkt;
    const char* b = to->georef->wkt;
    return !from->georef->valid || !to->georef->valid ||
           (same && (a[0] == '\0' || b[0] == '\0' || strcmp(a, b) == 0));
}

// Values or sides of one row of the target.
typedef struct warp_row
{
    const wadi_io_frame* from;
    const float* values; // NULL: sides
    float* out;
    uint8_t* sides;
} warp_row;

static void warp_fill(const warp_row* row, int32_t count, const double* cols, const double* rows)
{
    for (int32_t col = 0; col < count; ++col)
    {
        if (row->values != NULL)
        {
            row->out[col] = warp_sample(row->from, row->values, cols[col], rows[col]);
        }
        else
        {
            row->sides[col] = (uint8_t)warp_side(row->from, cols[col], rows[col]);
        }
    }
}

static wadi_result warp_rows(wadi_context* context, const wadi_io_frame* to, warp_row first)
{
    OGRCoordinateTransformationH transform;
    const wadi_result result =
        warp_open(context, to->georef->wkt, first.from->georef->wkt, &transform);
    double* places = malloc(2 * (size_t)to->width * sizeof *places);
    for (int32_t y = 0; result == WADI_OK && places != NULL && y < to->height; ++y)
    {
        warp_row row = first;
        row.out = first.out != NULL ? first.out + (int64_t)y * to->width : NULL;
        row.sides = first.sides != NULL ? first.sides + (int64_t)y * to->width : NULL;
        warp_places(first.from, to, transform, y, places, places + to->width);
        warp_fill(&row, to->width, places, places + to->width);
    }
    const bool memory = places != NULL;
    free(places);
    warp_close(transform);
    return memory ? result : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory");
}

wadi_result wadi_io_warp(wadi_context* context, const wadi_io_frame* from, const float* values,
                         const wadi_io_frame* to, float* out)
{
    if (warp_is_same(from, to))
    {
        memcpy(out, values, (size_t)to->width * (size_t)to->height * sizeof *out);
        return WADI_OK;
    }
    if (!from->georef->valid || !to->georef->valid)
    {
        return wadi_context_fail(
            context, WADI_ERROR_FORMAT,
            "a grid without coordinates has %d x %d cells; expected %d x %d; resample it first",
            from->width, from->height, to->width, to->height);
    }
    return warp_rows(context, to, (warp_row){.from = from, .values = values, .out = out});
}

wadi_result wadi_io_warp_sides(wadi_context* context, const wadi_io_frame* from,
                               const wadi_io_frame* to, uint8_t* out)
{
    if (warp_is_same(from, to) || !from->georef->valid || !to->georef->valid)
    {
        memset(out, WADI_SIDE_VOID, (size_t)to->width * (size_t)to->height);
        return WADI_OK;
    }
    return warp_rows(context, to, (warp_row){.from = from, .sides = out});
}

// Point `step` of 4 x (RIM) points along the frame's edge.
enum
{
    WARP_RIM = 64
};

static void warp_rim(const wadi_io_frame* frame, double xs[4 * WARP_RIM], double ys[4 * WARP_RIM])
{
    const double* a = frame->georef->affine;
    for (int i = 0; i < WARP_RIM; ++i)
    {
        const double share = (double)i / WARP_RIM;
        const double corners[4][2] = {
            {share, 0.0}, {1.0, share}, {1.0 - share, 1.0}, {0.0, 1.0 - share}};
        for (int side = 0; side < 4; ++side)
        {
            xs[side * WARP_RIM + i] = a[0] + a[1] * frame->width * corners[side][0];
            ys[side * WARP_RIM + i] = a[3] + a[5] * frame->height * corners[side][1];
        }
    }
}

wadi_result wadi_io_frame_bounds(wadi_context* context, const wadi_io_frame* frame, const char* wkt,
                                 double bounds[4])
{
    double xs[4 * WARP_RIM];
    double ys[4 * WARP_RIM];
    warp_rim(frame, xs, ys);
    OGRCoordinateTransformationH transform;
    const wadi_result result = warp_open(context, frame->georef->wkt, wkt, &transform);
    if (result == WADI_OK && transform != NULL)
    {
        (void)OCTTransform(transform, 4 * WARP_RIM, xs, ys, NULL);
    }
    warp_close(transform);
    bounds[0] = bounds[1] = HUGE_VAL;
    bounds[2] = bounds[3] = -HUGE_VAL;
    for (int i = 0; i < 4 * WARP_RIM; ++i)
    {
        bounds[0] = fmin(bounds[0], xs[i]);
        bounds[1] = fmin(bounds[1], ys[i]);
        bounds[2] = fmax(bounds[2], xs[i]);
        bounds[3] = fmax(bounds[3], ys[i]);
    }
    return result;
}
