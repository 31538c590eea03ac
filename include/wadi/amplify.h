// SPDX-License-Identifier: MIT
/// \file amplify.h
/// Detail that a simulation's cells cannot hold: a window of a sandy terrain on cells of its own,
/// with crests as sharp as their two slopes make them, ripples across the wind and tongues of sand
/// behind plants and stones. It reads the terrain and changes nothing. docs/wind-field.md shows it.
#pragma once

#include <wadi/field.h>
#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// What is shown and how. Start from wadi_amplify_params_default(); wadi_amplify_fields has the
/// range, unit and source of every member.
typedef struct wadi_amplify_params
{
    uint32_t cookie; ///< Set by wadi_amplify_params_default(). Do not touch.

    // the window, in metres from the terrain's south-west corner
    double x;      ///< its western edge [m]
    double y;      ///< its southern edge [m]
    double width;  ///< [m]
    double height; ///< [m]
    double cell;   ///< size of its cells, at most an eighth of the ripples' wavelength [m]

    // the wind that was
    double direction;  ///< that it comes from, clockwise from north [degree]
    double speed;      ///< at 10 m above flat ground [m/s]
    double steadiness; ///< net over gross sand across crests: 1 one wind, ripples lean; 0 even [1]

    double sharpen;          ///< share of the way to the edge where two slopes meet [1]
    double wavelength;       ///< of ripples in a wind of 10 m/s, and in proportion; 0: none [m]
    double ripple_index;     ///< wavelength over height of ripples [1]
    double obstacle_spacing; ///< between places where a plant or a stone may stand [m]
    double obstacle_height;  ///< of the sand that it gathers [m]
    double stones;           ///< share of those places with a stone; plants follow their cover [1]
} wadi_amplify_params;

WADI_API extern const wadi_field_table wadi_amplify_fields;
WADI_API wadi_amplify_params wadi_amplify_params_default(void);

/// Tables in which a history of winds may be given, as processes take them: "rose", "series",
/// "schedule".
WADI_API int32_t wadi_amplify_table_count(void);
WADI_API const wadi_table_info* wadi_amplify_table(int32_t index); ///< NULL outside

/// Let `direction`, `speed` and `steadiness` stand for a history of winds. Crests lie where most
/// sand crosses them (Rubin & Hunter 1987); the speed is the mean by sand. \p year: when, since the
/// rows of a schedule hold from a year on. On failure \p params are as they were.
WADI_API wadi_result wadi_amplify_set_winds(wadi_context* context, const char* table,
                                            const double* values, int32_t rows, double year,
                                            wadi_amplify_params* params);

/// Columns and rows of the window. Fails when cells are too coarse for the ripples or the window
/// leaves the terrain.
WADI_API wadi_result wadi_amplify_size(wadi_terrain* terrain, const wadi_amplify_params* params,
                                       int32_t* columns, int32_t* rows);

/// Fill columns x rows heights [m], rows from the north, NaN where there is no data. The same bits
/// at any number of threads.
WADI_API wadi_result wadi_amplify(wadi_terrain* terrain, const wadi_amplify_params* params,
                                  float* heights);

#ifdef __cplusplus
}
#endif
