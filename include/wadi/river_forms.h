// SPDX-License-Identifier: MIT
/// \file river_forms.h
/// Measures of a river's plan: sinuosity, length, radius and skewness of its bends, width,
/// braiding, oxbow lakes and mouths, and the lobes of deltas and fans. Simulated and surveyed
/// rivers are measured alike. docs/judge.md has the definitions.
///
///     wadi_river_map map = {.surface = ground, .water = depth, .sea = -INFINITY};
///     wadi_river_forms forms;
///     wadi_river_forms_measure(context, &map, &forms);
#pragma once

#include <wadi/derive.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Ground with a river. Borrowed: the caller keeps it alive. The river is where `water` is deeper
/// than `least_water`; otherwise where `discharge` is `least_discharge` or more; otherwise it is
/// found from the heights alone. Cells count as squares of the area of those of the middle row.
typedef struct wadi_river_map
{
    wadi_field2d surface;
    const float* water;     ///< depth of water [m], rows without gaps; NULL: unknown
    double least_water;     ///< [m]; 0: any water
    const float* discharge; ///< discharge or drainage area, likewise; NULL: unknown
    double least_discharge; ///< in its unit; 0: a twentieth of the largest
    double sea;             ///< ground at or below is sea [m]; -INFINITY: none
    const float* before;    ///< earlier heights [m], rows without gaps, for lobes; NULL: unknown
    double least_deposit;   ///< [m] a delta or fan rose by more than this; 0: 1 m
} wadi_river_map;

/// A measure that the river does not have is NaN.
typedef struct wadi_river_forms
{
    double length;     ///< of the main course [m]
    double width;      ///< area of the main course over its length [m]
    double sinuosity;  ///< length over the straight distance between both ends
    double wavelength; ///< mean of twice the distance between inflections [widths]
    double radius;     ///< median of the least radii of the bends [widths]
    double
        skewness;  ///< where the bends turn: -1 at their upstream ends, 1 at their downstream ends
    int32_t bends; ///< number of bends
    double braiding; ///< length of all active channels over that of the main one
    double sections; ///< mean number of channels across the straight way between both ends of the
                     ///< main course, whether they touch or not
    double lobes;    ///< of what was laid down since `before`: maxima of the radius of its outline
                     ///< about its highest cell, which stand out by a tenth of the largest one
    int32_t oxbows;  ///< number of lakes beside the river, three widths long or more
    int32_t mouths; ///< number of places where channels reach the sea or the edge of the map; where
                    ///< the river enters is none
    int32_t from_water; ///< 1: found in the water, 2: in the discharge, 3: in the heights
} wadi_river_forms;

/// Fails with WADI_ERROR_RANGE if there is no river: no connected channel that is longer than wide.
WADI_API wadi_result wadi_river_forms_measure(wadi_context* context, const wadi_river_map* map,
                                              wadi_river_forms* out);

#ifdef __cplusplus
}
#endif
