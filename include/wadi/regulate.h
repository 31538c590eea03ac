// SPDX-License-Identifier: MIT
/// \file regulate.h
/// Parameters of the process "regulate": a trapezoidal channel with levees along a route, built by
/// cut and fill, and the search for its width and grade. docs/theory/regulate.md has the law;
/// wadi_regulate_fields has range, unit, meaning and source of every member.
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
    int32_t side;      ///< side over which the river enters: a wadi_side
    double position;   ///< centre of the window along the side [1]
    double window;     ///< width of the window, whose lowest cell is the start [m]; 0: the side
    double smoothing;  ///< half-length of the route's moving average [m]; 0: 4 cells
    double min_radius; ///< least radius of bends [m]; 0: any

    // water
    double discharge; ///< [m3/s]
    double roughness; ///< Manning's n [s/m^(1/3)]

    // cross-section
    double width;       ///< bed width [m]; 0: search for it
    double grade;       ///< bed slope [1]; 0: search for it
    double side_slope;  ///< run over rise of the channel's sides [1]
    double freeboard;   ///< height of the levees above the water [m]
    double levee_width; ///< crest width of the levees [m]
    double levee_slope; ///< run over rise of the levees' outer sides [1]
    double end_depth;   ///< depth of the bed below the ground at the channel's end [m]
    double drop;        ///< height of drop structures on steep ground [m]; 0: none
    double spoil_width; ///< width beside each levee over which a surplus is spread [m]; 0: hauled
                        ///< away

    // limits of the search
    double min_width;      ///< [m]
    double max_width;      ///< [m]
    double min_grade;      ///< [1]
    double max_grade;      ///< [1]
    double critical_shear; ///< critical mean shear stress of the bed [Pa]; 0: from its grain size
    double grain;          ///< diameter of the bed's grains [m]

    bool water;  ///< fill the channel to its design depth
    double step; ///< step length: the time between two dredgings [yr]
} wadi_regulate_params;

WADI_API extern const wadi_field_table wadi_regulate_fields;
WADI_API extern const wadi_process wadi_regulate_process;
WADI_API wadi_regulate_params wadi_regulate_params_default(void);

#ifdef __cplusplus
}
#endif
