// SPDX-License-Identifier: MIT
/// \file amplify.h
/// Detail below the cell size of a simulation: a window of a sandy terrain on finer cells, with
/// sharp crests, ripples across the wind at their place, and sand tongues behind plants and stones.
/// The terrain is not changed. See docs/amplify.md.
#pragma once

#include <wadi/field.h>
#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Parameters. Start from wadi_amplify_params_default(); wadi_amplify_fields has the range, unit
/// and source of every member.
typedef struct wadi_amplify_params
{
    uint32_t cookie; ///< Set by wadi_amplify_params_default(). Do not touch.

    // the window, in metres from the terrain's south-west corner
    double x;      ///< its western edge [m]
    double y;      ///< its southern edge [m]
    double width;  ///< 0: up to the eastern edge of the terrain [m]
    double height; ///< 0: up to the northern edge [m]
    double cell;   ///< size of its cells, at most an eighth of the ripples' wavelength [m]

    // the wind that formed the ripples
    double direction;  ///< from which it blows, clockwise from north [degree]
    double speed;      ///< at 10 m above flat ground [m/s]
    double steadiness; ///< net over gross sand transport: 1 one wind, asymmetric ripples [1]

    double sharpen;          ///< sharpening of crests: 0 as sampled, 1 a sharp edge [1]
    double wavelength;       ///< of ripples on flat ground at 10 m/s; 0: none [m]
    double ripple_index;     ///< wavelength over height of ripples [1]
    double obstacle_spacing; ///< between possible positions of plants and stones [m]
    double obstacle_height;  ///< of the sand tongue behind a large one [m]
    double stones;           ///< share of positions with a stone; plants follow their cover [1]
    bool displacement; ///< heights above the bilinear surface through the centres of the cells
} wadi_amplify_params;

WADI_API extern const wadi_field_table wadi_amplify_fields;
WADI_API wadi_amplify_params wadi_amplify_params_default(void);

/// Tables of a wind history, as for processes: "rose", "series", "schedule".
WADI_API int32_t wadi_amplify_table_count(void);
WADI_API const wadi_table_info* wadi_amplify_table(int32_t index); ///< NULL outside

/// Set `direction`, `speed` and `steadiness` to the equivalent of a wind history: crests across the
/// maximum gross sand transport (Rubin & Hunter 1987), speed weighted by transport. \p year selects
/// the rows of a schedule. On failure \p params are unchanged.
WADI_API wadi_result wadi_amplify_set_winds(wadi_context* context, const char* table,
                                            const double* values, int32_t rows, double year,
                                            wadi_amplify_params* params);

/// Columns and rows of the window. Fails if the cells are too coarse for the ripples or the window
/// reaches beyond the terrain.
WADI_API wadi_result wadi_amplify_size(wadi_terrain* terrain, const wadi_amplify_params* params,
                                       int32_t* columns, int32_t* rows);

/// Fill columns x rows heights [m], rows from the north, NaN where there is no data. The same bits
/// at any number of threads. The cells lie on a lattice that starts in the terrain's south-western
/// corner, to which `x` and `y` are rounded: windows of one cell size have the same bits where they
/// overlap, so tiles join.
WADI_API wadi_result wadi_amplify(wadi_terrain* terrain, const wadi_amplify_params* params,
                                  float* heights);

/// The wind that ripples form in, of every cell of the terrain: a vector across their crests,
/// downwind, as long as the friction velocity over that on flat ground [1]. Each map holds
/// `width x height` floats, rows from the north; void cells get NaN.
WADI_API wadi_result wadi_amplify_wind(wadi_terrain* terrain, const wadi_amplify_params* params,
                                       float* east, float* north);

#ifdef __cplusplus
}
#endif
