// SPDX-License-Identifier: MIT
/// \file derive.h
/// Maps derived from a height field. Heights are metres, NaN marks cells without data, row 0 is
/// north. Cells may be rectangles with a width that depends on the row, as on a geographic grid.
#pragma once

#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// A height field to derive from. Borrowed: the caller keeps it alive.
typedef struct wadi_field2d
{
    const float* heights;    ///< [m] (height x width), NaN: no data
    int32_t width;           ///< [cells]
    int32_t height;          ///< [cells]
    ptrdiff_t stride;        ///< [elements per row]
    double dx;               ///< width of a cell [m], used if dx_of_row is NULL
    double dy;               ///< height of a cell [m]
    const double* dx_of_row; ///< width of the cells of each row [m], or NULL
    wadi_edge edges[4];      ///< by wadi_side; all zero: open
} wadi_field2d;

typedef enum wadi_derived
{
    WADI_DERIVED_SLOPE,             ///< [degree] Horn 1981
    WADI_DERIVED_ASPECT,            ///< [degree] clockwise from north, of the descent; flat: NaN
    WADI_DERIVED_CURVATURE,         ///< [1/m] Laplacian, positive on concave ground
    WADI_DERIVED_PROFILE_CURVATURE, ///< [1/m] second derivative along the slope, level: 0
    WADI_DERIVED_PLAN_CURVATURE,    ///< [1/m] the same across the slope; both sum to the Laplacian
    WADI_DERIVED_HILLSHADE,         ///< [0..1] sun from azimuth, altitude below

    // on ground with filled depressions (see flow.h)
    WADI_DERIVED_FILLED,         ///< [m] elevation after filling
    WADI_DERIVED_DEPRESSION,     ///< [m] depth of filling: 0 outside depressions
    WADI_DERIVED_D8_DIRECTION,   ///< [degree] clockwise from north; outlet: NaN
    WADI_DERIVED_D8_AREA,        ///< [m2] drainage area, the cell included
    WADI_DERIVED_DINF_DIRECTION, ///< [degree] clockwise from north; outlet: NaN
    WADI_DERIVED_DINF_AREA,      ///< [m2] drainage area, the cell included
    WADI_DERIVED_EDGE_FED,       ///< 1 if the D8 area may extend beyond the grid, else 0
    WADI_DERIVED_COUNT
} wadi_derived;

WADI_API const char* wadi_derived_name(wadi_derived map); ///< "slope", ...
WADI_API const char* wadi_derived_unit(wadi_derived map);
WADI_API const char* wadi_derived_doc(wadi_derived map);
/// Does a cell of the map depend on its eight neighbours alone? The others are maps of drainage,
/// which need the whole field.
WADI_API bool wadi_derived_is_local(wadi_derived map);

typedef struct wadi_sun
{
    double azimuth;      ///< direction of the sun, clockwise from north [degree]. Default 315.
    double altitude;     ///< above the horizon [degree]. Default 45.
    double exaggeration; ///< factor of heights. Default 1.
} wadi_sun;
WADI_API wadi_sun wadi_sun_default(void);

/// Compute one map, `width x height` floats, NaN where there is no data. A missing neighbour
/// (border or void) is extrapolated linearly from the cell and the opposite neighbour, so planes
/// keep their slope up to the last cell. \p sun is used for the hillshade only and may be NULL.
WADI_API wadi_result wadi_derive(wadi_context* context, const wadi_field2d* field, wadi_derived map,
                                 const wadi_sun* sun, float* out);

/// Unit normals, three floats per cell: x east, y north, z up.
WADI_API wadi_result wadi_derive_normals(wadi_context* context, const wadi_field2d* field,
                                         float* out);

#ifdef __cplusplus
}
#endif
