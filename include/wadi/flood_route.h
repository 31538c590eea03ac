// SPDX-License-Identifier: MIT
/// \file flood_route.h
/// Route and stage of a flood: a least-cost route from the inflow to the border, and steady flow of
/// one discharge along it by Manning's law, in cross-sections of the ground. docs/theory/flood.md
/// has the equations.
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

/// Way to compute a flood.
typedef enum wadi_flood_model
{
    WADI_FLOOD_MANNING,  ///< steady flow of one discharge along one route
    WADI_FLOOD_INERTIAL, ///< shallow water in time on all cells; process "flood" only
    WADI_FLOOD_MODEL_COUNT
} wadi_flood_model;

/// Border over which a flood leaves.
typedef enum wadi_flood_outlet
{
    WADI_FLOOD_OUTLET_ANY, ///< the nearest side by cost, but not the side of the emitter
    WADI_FLOOD_OUTLET_NORTH,
    WADI_FLOOD_OUTLET_EAST,
    WADI_FLOOD_OUTLET_SOUTH,
    WADI_FLOOD_OUTLET_WEST,
    WADI_FLOOD_OUTLET_COUNT
} wadi_flood_outlet;

/// wadi_flood_fields has range, unit, meaning and source of every member.
typedef struct wadi_flood_params
{
    uint32_t cookie;    ///< Set by wadi_flood_params_default(). Do not touch.
    int32_t model;      ///< a wadi_flood_model; wadi_flood_create() does not read it
    double from_x;      ///< the emitter is the lowest cell of the line from (from_x, from_y)
    double from_y;      ///< to (to_x, to_y), or of its part on the grid. Equal ends: a point
    double to_x;        ///< x counts eastwards, y northwards, from the south-west corner
    double to_y;        ///< [m]
    double discharge;   ///< [m3/s]; 0: none enters over the line, model inertial only
    double roughness;   ///< Manning's n [s/m^(1/3)]
    int32_t outlet;     ///< a wadi_flood_outlet
    double reach;       ///< half-length of cross-sections [m]; 0: from the discharge
    double bank_relief; ///< fall of the ground beyond a crest that makes it a bank [m]
    double least_slope; ///< least slope of uniform flow [1]
    double step;        ///< step length of the process [yr]; maps do not depend on it

    // inertial
    double longest;       ///< duration of the flood [h]
    double rain;          ///< [mm/h]
    double rain_duration; ///< [h]
    double edge_slope;    ///< of the water at open edges; 0: of the ground
    double film;          ///< depth of water that does not flow [m]
    double froude;        ///< greatest Froude number
    double theta;         ///< weight of an edge's own discharge; 1: undamped
    double courant;       ///< share of the time in which a wave crosses a cell
    int32_t local_steps;  ///< times that the step is doubled in shallow, slow water, 0 to 3
} wadi_flood_params;

WADI_API extern const wadi_field_table wadi_flood_fields;

/// The process "flood" puts the water of a flood on a terrain. Without a route to a border, the
/// flood runs to the lowest cell. Model inertial fails with WADI_ERROR_STATE at its first step
/// where it neither rains nor any water enters nor stands on the ground.
WADI_API extern const wadi_process wadi_flood_process;
WADI_API wadi_flood_params wadi_flood_params_default(void);

/// One cross-section of the flood.
typedef struct wadi_flood_station
{
    double distance;   ///< from the emitter along the route [m]
    double x;          ///< position of the axis, east of the grid's western border [m]
    double y;          ///< position of the axis, north of its southern border [m]
    double bed;        ///< lowest ground [m]
    double stage;      ///< water level [m]
    double width;      ///< of the water surface [m]
    double area;       ///< of the wetted section [m2]
    double velocity;   ///< mean velocity [m/s]
    double slope;      ///< friction slope [1]
    double froude;     ///< below 1 subcritical, above 1 supercritical [1]
    double left_bank;  ///< crest of the bank [m]; NaN: no crest within reach
    double right_bank; ///< likewise [m]
    bool overtopped;   ///< the water level is above a crest
} wadi_flood_station;

typedef struct wadi_flood wadi_flood;

/// Find the route and the stages. Fails with WADI_ERROR_RANGE when a parameter is out of range, the
/// discharge is below 1e-6 m3/s, the emitter is off the ground or no route leads out; *out is then
/// NULL. `field` must stay valid
/// until the flood is destroyed. Cell widths that vary by row are taken from the middle row.
WADI_API wadi_result wadi_flood_create(wadi_context* context, const wadi_field2d* field,
                                       const wadi_flood_params* params, wadi_flood** out);
WADI_API void wadi_flood_destroy(wadi_flood* flood); ///< NULL is allowed.

/// Cross-sections, upstream first, about a cell apart. Valid until the flood is destroyed.
WADI_API const wadi_flood_station* wadi_flood_stations(const wadi_flood* flood, int32_t* count);

typedef enum wadi_flood_layer
{
    WADI_FLOOD_DEPTH,      ///< water depth [m]; dry: 0
    WADI_FLOOD_LEVEL,      ///< water level [m]; dry: NaN
    WADI_FLOOD_OVERTOPPED, ///< water depth on and beyond overtopped banks [m]; elsewhere 0
    WADI_FLOOD_ROUTE,      ///< distance from the emitter [m] in cells of the route; elsewhere NaN
    WADI_FLOOD_LAYER_COUNT
} wadi_flood_layer;

/// Write one map, `width x height` floats; cells without data are NaN.
WADI_API wadi_result wadi_flood_map(const wadi_flood* flood, wadi_flood_layer layer, float* out);

#ifdef __cplusplus
}
#endif
