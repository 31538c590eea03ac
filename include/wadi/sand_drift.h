// SPDX-License-Identifier: MIT
/// \file sand_drift.h
/// Sand drift of a wind history after Fryberger & Dean (1979): drift potential, resultant, sand
/// rose, and the orientation of crests that follows from it. docs/judge.md has the definitions.
///
/// A wind is named by the direction FROM which it blows, drift by the direction TO which sand
/// moves; both in degrees clockwise from north. Speeds are at 10 m above flat ground.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

enum
{
    WADI_SAND_ROSE_SECTORS = 16 ///< of 22.5 degrees, the first about north
};

/// A table of winds, as for processes: "rose", "series" or "schedule". wadi_amplify_table() has
/// their columns. Borrowed.
typedef struct wadi_wind_history
{
    const char* table;
    const double* values; ///< (rows x columns of the table)
    int32_t rows;
    double year;      ///< selects the rows of a schedule [yr]
    double threshold; ///< least wind that moves sand [m/s]; 12 knots are 6.17
} wadi_wind_history;

typedef struct wadi_sand_drift
{
    double potential; ///< DP: U^2 (U - threshold) x share of the time, U in knots [vector units]
    double resultant; ///< RDP: length of the vector sum [vector units]
    double ratio;     ///< RDP / DP: 1 one wind, 0 winds that cancel
    double direction; ///< RDD: azimuth of the resultant, in [0, 360); NaN if the winds cancel
    double crests;    ///< azimuth across crests, by the largest gross transport, in [0, 180)
    double moving;    ///< share of the time in which sand moves
    double sectors[WADI_SAND_ROSE_SECTORS]; ///< drift potential by the direction of the wind
} wadi_sand_drift;

/// Fails if no wind of the history moves sand.
WADI_API wadi_result wadi_sand_drift_measure(wadi_context* context,
                                             const wadi_wind_history* history,
                                             wadi_sand_drift* out);

/// Draw the sand rose into \p size x \p size \p pixels of RGB, 64 to 4096, north up. Arms point to
/// where winds come from, with lengths proportional to drift potential; the arrow points to where
/// sand drifts, its length is RDP/DP of the outer circle; the grey line is the course of crests.
WADI_API wadi_result wadi_sand_rose_draw(wadi_context* context, const wadi_sand_drift* drift,
                                         int32_t size, uint8_t* pixels);

#ifdef __cplusplus
}
#endif
