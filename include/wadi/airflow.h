// SPDX-License-Identifier: MIT
/// \file airflow.h
/// The wind near the ground: regimes of winds that take turns, as processes of wind and dunes share
/// them, and the field that relief makes of a wind. docs/wind-field.md has the equations.
///
/// A wind has the direction that it comes FROM, in degrees clockwise from north, as weather
/// stations write it: 270 is a west wind. Speeds are those at 10 m above flat ground.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Which winds blow where no table says more: all of one speed, their directions set evenly about
/// an axis, each in its turn within a cycle.
typedef enum wadi_wind_regime
{
    WADI_WIND_UNIMODAL, ///< one wind
    WADI_WIND_ACUTE,    ///< two, 60 degrees apart
    WADI_WIND_OBTUSE,   ///< two, 120 degrees apart
    WADI_WIND_OPPOSED,  ///< two, from opposite sides
    WADI_WIND_THREE,    ///< three, 120 degrees apart
    WADI_WIND_FIVE,     ///< five, 72 degrees apart
    WADI_WIND_SEASONAL, ///< twelve months that swing 60 degrees to either side and back
    WADI_WIND_REGIME_COUNT
} wadi_wind_regime;

/// Names of the regimes as parameters take them; ends with NULL.
WADI_API extern const char* const wadi_wind_regime_names[WADI_WIND_REGIME_COUNT + 1];

/// A wind aloft and how relief shapes it. Start from wadi_airflow_params_default();
/// wadi_airflow_fields has the range, unit and source of every member.
typedef struct wadi_airflow_params
{
    uint32_t cookie; ///< Set by wadi_airflow_params_default(). Do not touch.

    double direction;    ///< that the wind comes from, clockwise from north [degree]
    double speed;        ///< at 10 m above flat ground [m/s]
    double plant_height; ///< of a full cover of plants; shelter is cast from its top [m]

    double speedup;          ///< per metre above the mean ground [1/m]
    double speedup_limit;    ///< most of the wind over that aloft, and the reverse of the least [1]
    double warp;             ///< how far relief turns the wind; 0: not at all [1]
    double warp_wide;        ///< radius of the wide smoothing of the ground [m]
    double warp_narrow;      ///< radius of the narrow one [m]
    double warp_wide_share;  ///< weight of the wide scale [1]
    double warp_wide_turn;   ///< wind along the contours of the wide ground [m/s]
    double warp_narrow_turn; ///< the same for the narrow one [m/s]
    double lee_begin;        ///< angle to the skyline upwind above which shelter begins [degree]
    double lee_full;         ///< angle above which no wind is left [degree]
} wadi_airflow_params;

WADI_API extern const wadi_field_table wadi_airflow_fields;
WADI_API wadi_airflow_params wadi_airflow_params_default(void);

/// The field of one wind over a terrain, which must outlive it.
typedef struct wadi_wind_field wadi_wind_field;

/// On failure *out is NULL.
WADI_API wadi_result wadi_wind_field_create(wadi_terrain* terrain,
                                            const wadi_airflow_params* params,
                                            wadi_wind_field** out);
WADI_API void wadi_wind_field_destroy(wadi_wind_field* field); ///< NULL is allowed.

/// What can be laid over a wind, for a while and around a place: tables "gusts", "vortices" and
/// "eddies", all free of divergence, and "local_winds", which stand in its place.
WADI_API int32_t wadi_wind_field_table_count(void);
WADI_API const wadi_table_info* wadi_wind_field_table(int32_t index); ///< NULL outside
/// As wadi_solver_set_table().
WADI_API wadi_result wadi_wind_field_set_table(wadi_wind_field* field, const char* name,
                                               const double* values, int32_t rows);

/// The wind of every cell in a year of the terrain's clock: \p east and \p north [m/s] before
/// shelter, and \p shelter, the share of it that relief and plants keep off. Each holds
/// `width x height` floats; void cells get NaN.
WADI_API wadi_result wadi_wind_field_compute(wadi_wind_field* field, double year, float* east,
                                             float* north, float* shelter);

#ifdef __cplusplus
}
#endif
