// SPDX-License-Identifier: MIT
/// \file uplift.h
/// Uplift, subsidence, tilting and faulting of the crust: parameters of the process "uplift".
/// docs/theory/uplift.md has the equations; wadi_uplift_fields has range, unit, meaning and source
/// of every member. The tables "domes", "faults" and "base_level" add to the parameters.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Cells at the edges through which matter leaves: open sides, and borders of cells without data.
typedef enum wadi_uplift_rim
{
    WADI_UPLIFT_RIM_FIXED, ///< they keep their height, but for the table "base_level"
    WADI_UPLIFT_RIM_FREE,  ///< they rise with the land
    WADI_UPLIFT_RIM_COUNT
} wadi_uplift_rim;

typedef struct wadi_uplift_params
{
    uint32_t cookie; ///< Set by wadi_uplift_params_default(). Do not touch.

    double rate; ///< of all land; below 0: subsidence [mm/yr]
    int32_t rim; ///< wadi_uplift_rim

    // a dome; the table "domes" gives several
    double dome_rate;    ///< at its centre [mm/yr]; 0: none
    double dome_x;       ///< centre, from the south-west corner [m]
    double dome_y;       ///< [m]
    double dome_length;  ///< radius along its axis [m]
    double dome_width;   ///< radius across its axis [m]
    double dome_azimuth; ///< of its axis, clockwise from north [degree]

    // tilting
    double tilt;         ///< gradient of the rate [mm/yr per km]
    double tilt_azimuth; ///< direction in which the land rises, clockwise from north [degree]
    double tilt_offset;  ///< of the axis from the middle of the map, in that direction [m]

    // variation
    double noise;            ///< share of the rate
    double noise_wavelength; ///< [m]

    double max_step; ///< step length [yr]
} wadi_uplift_params;

WADI_API extern const wadi_field_table wadi_uplift_fields;
WADI_API extern const wadi_process wadi_uplift_process;
WADI_API wadi_uplift_params wadi_uplift_params_default(void);

#ifdef __cplusplus
}
#endif
