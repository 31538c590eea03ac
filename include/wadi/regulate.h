// SPDX-License-Identifier: MIT
/// \file regulate.h
/// Regulated rivers: a trapezoidal channel with levees along a route, cut and filled to plan, and
/// the search for its width and grade. Parameters of the process "regulate".
/// docs/theory/regulate.md has the law; wadi_regulate_fields has range, unit, meaning and source of
/// every member.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_regulate_params
{
    uint32_t cookie; ///< Set by wadi_regulate_params_default(). Do not touch.

    // route
    int32_t side;     ///< a wadi_side that the river comes in over
    double position;  ///< of the window along the side [1]
    double window;    ///< the channel begins at its lowest cell [m]; 0: the whole side
    double smoothing; ///< the route is averaged over this to either hand [m]; 0: 4 cells

    // water
    double discharge; ///< [m3/s]
    double roughness; ///< Manning's n [s/m^(1/3)]

    // section
    double width;       ///< of the bed [m]; 0: found
    double grade;       ///< of the bed [1]; 0: found
    double side_slope;  ///< run over rise of the channel's sides [1]
    double freeboard;   ///< of levees above the water [m]
    double levee_width; ///< of their crests [m]
    double levee_slope; ///< run over rise of their outer sides [1]
    double end_depth;   ///< of the bed below the ground at the channel's end [m]
    double drop;        ///< height of drops where the ground falls faster than the bed [m]; 0: none

    // what is allowed
    double min_width;      ///< [m]
    double max_width;      ///< [m]
    double min_grade;      ///< [1]
    double max_grade;      ///< [1]
    double critical_shear; ///< that the bed withstands [Pa]; 0: by its grains
    double grain;          ///< diameter of the bed's grains [m]

    bool water; ///< the channel stands full to its design depth
} wadi_regulate_params;

WADI_API extern const wadi_field_table wadi_regulate_fields;
WADI_API extern const wadi_process wadi_regulate_process;
WADI_API wadi_regulate_params wadi_regulate_params_default(void);

#ifdef __cplusplus
}
#endif
