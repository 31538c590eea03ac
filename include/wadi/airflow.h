// SPDX-License-Identifier: MIT
/// \file airflow.h
/// The wind near the ground: regimes of winds that take turns, as processes of wind and dunes share
/// them.
///
/// A wind has the direction that it comes FROM, in degrees clockwise from north, as weather
/// stations write it: 270 is a west wind. Speeds are those at 10 m above flat ground.
#pragma once

#include <wadi/field.h>

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

#ifdef __cplusplus
}
#endif
