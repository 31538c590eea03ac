// SPDX-License-Identifier: MIT
/// \file airflow.h
/// The wind near the ground: wind regimes, shared by processes of wind and dunes, and the wind
/// field over relief. docs/wind-field.md has the equations.
///
/// The direction of a wind is the direction FROM which it blows, in degrees clockwise from north,
/// as in weather reports: 270 is a west wind. Speeds are at 10 m above flat ground.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Winds without a table: all of one speed, their directions spaced evenly about an axis, one after
/// the other within a cycle.
typedef enum wadi_wind_regime
{
    WADI_WIND_UNIMODAL, ///< one wind
    WADI_WIND_ACUTE,    ///< two, 60 degrees apart
    WADI_WIND_OBTUSE,   ///< two, 120 degrees apart
    WADI_WIND_OPPOSED,  ///< two, from opposite sides
    WADI_WIND_THREE,    ///< three, 120 degrees apart
    WADI_WIND_FIVE,     ///< five, 72 degrees apart
    WADI_WIND_SEASONAL, ///< twelve months, direction varying by 60 degrees to either side
    WADI_WIND_REGIME_COUNT
} wadi_wind_regime;

/// Names of the regimes in parameters; ends with NULL.
WADI_API extern const char* const wadi_wind_regime_names[WADI_WIND_REGIME_COUNT + 1];

/// A regional wind and its response to relief. Start from wadi_airflow_params_default();
/// wadi_airflow_fields has the range, unit and source of every member.
typedef struct wadi_airflow_params
{
    uint32_t cookie; ///< Set by wadi_airflow_params_default(). Do not touch.

    double direction;    ///< from which the wind blows, clockwise from north [degree]
    double speed;        ///< at 10 m above flat ground [m/s]
    double plant_height; ///< [m] of a full plant cover, which adds to the height that casts shelter

    double speedup;          ///< increase per metre above the mean ground [1/m]
    double speedup_limit;    ///< local over regional speed is within [1/limit, limit] [1]
    double warp;             ///< factor of the deflection by relief; 0: none [1]
    double warp_wide;        ///< smoothing radius of the wide scale [m]
    double warp_narrow;      ///< smoothing radius of the narrow scale [m]
    double warp_wide_share;  ///< weight of the wide scale [1]
    double warp_wide_turn;   ///< wind along the contours of the wide scale [m/s]
    double warp_narrow_turn; ///< the same for the narrow scale [m/s]
    double lee_begin;        ///< angle of the skyline upwind above which shelter begins [degree]
    double lee_full;         ///< angle above which shelter is complete [degree]
} wadi_airflow_params;

WADI_API extern const wadi_field_table wadi_airflow_fields;
WADI_API wadi_airflow_params wadi_airflow_params_default(void);

/// The field of one wind over a terrain. The terrain must outlive it.
typedef struct wadi_wind_field wadi_wind_field;

/// On failure *out is NULL.
WADI_API wadi_result wadi_wind_field_create(wadi_terrain* terrain,
                                            const wadi_airflow_params* params,
                                            wadi_wind_field** out);
WADI_API void wadi_wind_field_destroy(wadi_wind_field* field); ///< NULL is allowed.

/// Tables that modify the wind for a time and within a radius: "gusts", "vortices" and "eddies" are
/// added and free of divergence; "local_winds" replace it.
WADI_API int32_t wadi_wind_field_table_count(void);
WADI_API const wadi_table_info* wadi_wind_field_table(int32_t index); ///< NULL outside
/// Set the rows of a table, as wadi_solver_set_table() does.
WADI_API wadi_result wadi_wind_field_set_table(wadi_wind_field* field, const char* name,
                                               const double* values, int32_t rows);

/// The wind of every cell in a year of the terrain's clock: \p east and \p north [m/s] without
/// shelter, and \p shelter, its fractional reduction by relief and plants. Each holds `width x
/// height` floats; void cells get NaN.
WADI_API wadi_result wadi_wind_field_compute(wadi_wind_field* field, double year, float* east,
                                             float* north, float* shelter);

#ifdef __cplusplus
}
#endif
