// SPDX-License-Identifier: MIT
/// \file flow.h
/// Drainage on a height field: filling of depressions, flow directions and flow accumulation.
/// Borders are open, closed or periodic; open borders and cells without data are outlets.
///
///     wadi_flow_fill(context, &ground, filled);          // no depression is left
///     ground.heights = filled;
///     wadi_flow_route(context, &ground, WADI_FLOW_D8, targets);
///     wadi_flow_accumulate(context, &ground, targets, NULL, area);
#pragma once

#include <wadi/derive.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// The eight neighbours, counter-clockwise from east: TauDEM's numbers minus 1.
enum
{
    WADI_FLOW_NOWHERE = -1, ///< an outlet, a pit, or no data
    WADI_FLOW_EAST = 0,
    WADI_FLOW_NORTH_EAST = 1,
    WADI_FLOW_NORTH = 2,
    WADI_FLOW_NORTH_WEST = 3,
    WADI_FLOW_WEST = 4,
    WADI_FLOW_SOUTH_WEST = 5,
    WADI_FLOW_SOUTH = 6,
    WADI_FLOW_SOUTH_EAST = 7
};

typedef enum wadi_flow_model
{
    WADI_FLOW_D8,  ///< single receiver by steepest descent (O'Callaghan & Mark 1984)
    WADI_FLOW_DINF ///< one or two receivers by the steepest of eight facets (Tarboton 1997)
} wadi_flow_model;

/// Receivers of a cell: `second` gets `share` of the water, `first` the rest.
typedef struct wadi_flow_target
{
    float share;   ///< 0..1; 0 without a second receiver
    int8_t first;  ///< a neighbour, or WADI_FLOW_NOWHERE
    int8_t second; ///< a neighbour next to `first`, or WADI_FLOW_NOWHERE
} wadi_flow_target;

/// Fill depressions: raise every cell to the lowest level from which its water can reach an outlet
/// (priority flood; Barnes, Lehman & Mulla 2014). Cells at an open border or beside a cell without
/// data are outlets and keep their height; without any the lowest cell is the outlet. `filled` may
/// be the field's own heights if its stride is its width.
WADI_API wadi_result wadi_flow_fill(wadi_context* context, const wadi_field2d* field,
                                    float* filled);

/// Compute the receivers of every cell: by steepest descent, and on flats by the shortest path to
/// an outlet. In a depression that is not filled, water stays: WADI_FLOW_NOWHERE.
WADI_API wadi_result wadi_flow_route(wadi_context* context, const wadi_field2d* field,
                                     wadi_flow_model model, wadi_flow_target* targets);

/// Accumulate `source` downstream, each cell's own included; NULL: the area of each cell [m2].
/// Cells without data get NaN. Fails with WADI_ERROR_ARGUMENT if the targets contain a cycle; those
/// of wadi_flow_route() never do.
WADI_API wadi_result wadi_flow_accumulate(wadi_context* context, const wadi_field2d* field,
                                          const wadi_flow_target* targets, const float* source,
                                          double* sum);

/// Set `fed` to 1 for cells whose sum may lack water from beyond the grid, otherwise to 0: cells at
/// an open border or beside a cell without data, and all cells downstream of them.
WADI_API wadi_result wadi_flow_edge_fed(wadi_context* context, const wadi_field2d* field,
                                        const wadi_flow_target* targets, uint8_t* fed);

/// Azimuth of a direction on cells of dx x dy [m], clockwise from north [degree]; NaN for a
/// direction that is none of the eight.
WADI_API double wadi_flow_azimuth(int direction, double dx, double dy);

#ifdef __cplusplus
}
#endif
