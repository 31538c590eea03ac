// SPDX-License-Identifier: MIT
/// \file talus.h
/// Weathering and talus ("thermal erosion"): parameters of the process "talus".
/// docs/theory/talus.md has the equations; wadi_talus_fields has range, unit, meaning and source
/// of every member.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_talus_params
{
    uint32_t cookie; ///< Set by wadi_talus_params_default(). Do not touch.

    // slides
    double repose;       ///< loose sediment comes to rest at this slope [degree]
    double plant_repose; ///< angle of repose under full plant cover [degree]
    double hysteresis;   ///< sediment starts to slide at repose + hysteresis [degree]
    double rock_repose;  ///< rock of hardness 0 breaks on steeper slopes [degree]

    // weathering
    double weathering;  ///< retreat of bare rock, normal to its face [mm/yr]
    double cover_depth; ///< depth of sediment that reduces weathering to 1/e [m]

    // numerics
    double max_step; ///< step length: weathering, then slides [yr]
    int32_t sweeps;  ///< sweeps of sliding after each step; 0: until nothing moves
} wadi_talus_params;

WADI_API extern const wadi_field_table wadi_talus_fields;
WADI_API extern const wadi_process wadi_talus_process;
WADI_API wadi_talus_params wadi_talus_params_default(void);

#ifdef __cplusplus
}
#endif
