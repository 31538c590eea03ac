// SPDX-License-Identifier: MIT
/// \file flow.h
/// Where water goes on a height field: hollows filled, directions, and how much land drains through
/// a cell. Borders are open, closed or periodic; water that reaches an open border or a cell
/// without data leaves there.
///
///     wadi_flow_fill(context, &ground, filled);          // no hollow is left
///     ground.heights = filled;
///     wadi_flow_route(context, &ground, WADI_FLOW_D8, targets);
///     wadi_flow_accumulate(context, &ground, targets, NULL, area);
#pragma once

#include <wadi/derive.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// The eight neighbours, counter-clockwise from east, as TauDEM counts (less one).
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
    WADI_FLOW_D8,  ///< all to the neighbour of steepest descent (O'Callaghan & Mark 1984)
    WADI_FLOW_DINF ///< to one or two, by the steepest of eight facets (Tarboton 1997)
} wadi_flow_model;

/// Where the water of a cell goes: `share` of it to `second`, the rest to `first`.
typedef struct wadi_flow_target
{
    float share;   ///< 0..1; 0 where there is no second
    int8_t first;  ///< a neighbour, or WADI_FLOW_NOWHERE
    int8_t second; ///< a neighbour next to `first`, or WADI_FLOW_NOWHERE
} wadi_flow_target;

/// Raise every cell to the lowest level from which its water can leave (priority flood; Barnes,
/// Lehman & Mulla 2014). Cells at an open border or beside a cell without data keep their height. A
/// grid without any such cell drains into its lowest one. `filled` may be the field's own heights
/// where its stride is its width.
WADI_API wadi_result wadi_flow_fill(wadi_context* context, const wadi_field2d* field,
                                    float* filled);

/// Give every cell its targets: the steepest descent, and over level ground the shortest way to
/// where it goes on. In a hollow that is not filled, water stays: WADI_FLOW_NOWHERE.
WADI_API wadi_result wadi_flow_route(wadi_context* context, const wadi_field2d* field,
                                     wadi_flow_model model, wadi_flow_target* targets);

/// Sum `source` down along the targets, each cell's own included; NULL: the area of each cell [m2].
/// Cells without data get NaN. Fails with WADI_ERROR_ARGUMENT where targets run in a circle; those
/// of wadi_flow_route() never do.
WADI_API wadi_result wadi_flow_accumulate(wadi_context* context, const wadi_field2d* field,
                                          const wadi_flow_target* targets, const float* source,
                                          double* sum);

/// Mark with 1, and else 0, the cells whose sum may lack water from beyond the grid: those that lie
/// at an open border or beside a cell without data, and all that these drain to.
WADI_API wadi_result wadi_flow_edge_fed(wadi_context* context, const wadi_field2d* field,
                                        const wadi_flow_target* targets, uint8_t* fed);

#ifdef __cplusplus
}
#endif
