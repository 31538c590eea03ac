// SPDX-License-Identifier: MIT
/// \file flood_route.h
/// Where a flood runs and how high it stands: a least-cost route from where the water enters to
/// where it leaves the ground, and steady flow of one discharge along it by Manning's law, in
/// cross-sections of the real ground. docs/theory/flood.md has the equations.
///
///     wadi_flood_params params = wadi_flood_params_default();
///     params.from_x = params.to_x = 100.0;
///     params.from_y = params.to_y = 640.0;
///     params.discharge = 250.0;
///     wadi_flood* flood;
///     wadi_flood_create(context, &ground, &params, &flood);
///     wadi_flood_map(flood, WADI_FLOOD_DEPTH, depth);
///     wadi_flood_destroy(flood);
#pragma once

#include <wadi/derive.h>
#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Border that a flood leaves over.
typedef enum wadi_flood_outlet
{
    WADI_FLOOD_OUTLET_ANY, ///< the way out is the flood's to find: any but where it enters
    WADI_FLOOD_OUTLET_NORTH,
    WADI_FLOOD_OUTLET_EAST,
    WADI_FLOOD_OUTLET_SOUTH,
    WADI_FLOOD_OUTLET_WEST,
    WADI_FLOOD_OUTLET_COUNT
} wadi_flood_outlet;

/// wadi_flood_fields has range, unit, meaning and source of every member.
typedef struct wadi_flood_params
{
    uint32_t cookie; ///< Set by wadi_flood_params_default(). Do not touch.
    double from_x;   ///< emitter: the lowest cell of a line, or of what of it lies on the grid;
    double from_y;   ///< a point where both ends are the same. East and north of the south-west [m]
    double to_x;     ///< its other end [m]
    double to_y;     ///< [m]
    double discharge;   ///< [m3/s]
    double roughness;   ///< Manning's n [s/m^(1/3)]
    int32_t outlet;     ///< a wadi_flood_outlet
    double reach;       ///< of cross-sections to either hand [m]; 0: by the discharge
    double bank_relief; ///< beyond a bank ground falls by so much [m]
    double least_slope; ///< of uniform flow [1]
} wadi_flood_params;

WADI_API extern const wadi_field_table wadi_flood_fields;

/// The process "flood" lets the water of a flood stand on a terrain. Where no way leads out it runs
/// to the lowest cell.
WADI_API extern const wadi_process wadi_flood_process;
WADI_API wadi_flood_params wadi_flood_params_default(void);

/// One cross-section of the flood.
typedef struct wadi_flood_station
{
    double distance; ///< from the emitter along the route [m]
    double x;        ///< of the axis, east of the grid's western border [m]
    double y;        ///< north of its southern border [m]
    double bed;      ///< deepest ground [m]
    double stage;    ///< level of the water [m]
    double width;    ///< of the water [m]
    double area;     ///< of its section [m2]
    double velocity; ///< mean [m/s]
    double slope;    ///< of friction [1]
    double froude;   ///< below 1 tranquil, above rapid [1]
    double
        left_bank; ///< crest of the bank [m]; NaN: the valley's side goes up as far as was looked
    double right_bank; ///< [m]
    bool overtopped;   ///< the water stands over a crest
} wadi_flood_station;

typedef struct wadi_flood wadi_flood;

/// Find the route and the stages. On failure *out is NULL: parameters out of range, an emitter off
/// the ground or without a way out (WADI_ERROR_RANGE). `field` is needed until the flood is
/// destroyed. Widths of cells that differ by row are taken at the grid's middle row.
WADI_API wadi_result wadi_flood_create(wadi_context* context, const wadi_field2d* field,
                                       const wadi_flood_params* params, wadi_flood** out);
WADI_API void wadi_flood_destroy(wadi_flood* flood); ///< NULL is allowed.

/// Cross-sections, upstream first, about a cell apart. Borrowed: they go with the flood.
WADI_API const wadi_flood_station* wadi_flood_stations(const wadi_flood* flood, int32_t* count);

typedef enum wadi_flood_layer
{
    WADI_FLOOD_DEPTH,      ///< [m] of water; dry: 0
    WADI_FLOOD_LEVEL,      ///< [m] of the water's surface; dry: NaN
    WADI_FLOOD_OVERTOPPED, ///< [m] of water on and beyond the crests of banks; elsewhere 0
    WADI_FLOOD_ROUTE,      ///< [m] from the emitter, in the cells that the route takes; else NaN
    WADI_FLOOD_LAYER_COUNT
} wadi_flood_layer;

/// Write one map, `width x height` floats; cells without data are NaN.
WADI_API wadi_result wadi_flood_map(const wadi_flood* flood, wadi_flood_layer layer, float* out);

#ifdef __cplusplus
}
#endif
