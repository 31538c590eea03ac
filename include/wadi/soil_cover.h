// SPDX-License-Identifier: MIT
/// \file soil_cover.h
/// Soil in time: rock becomes soil under its cover, soil creeps, and cliffs stay bare. Parameters
/// of the process "soil". docs/theory/soil.md has the equations; wadi_soil_cover_fields has range,
/// unit, meaning and source of every member.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_soil_cover_params
{
    uint32_t cookie; ///< Set by wadi_soil_cover_params_default(). Do not touch.

    // production
    double production;    ///< of soil from bare rock [mm/yr]
    double cover_depth;   ///< depth of soil that reduces it to 1/e [m]
    double density_ratio; ///< volume of soil over that of its rock; 0: by the materials [1]

    // motion
    double creep;          ///< diffusivity on gentle slopes [m2/yr]
    double critical_slope; ///< tangent at which creep grows without bound [1]
    double fall_time;      ///< in which ground that is half bare loses 1 - 1/e of its soil [yr]

    // numerics
    double max_step; ///< step length; creep has shorter steps on small cells [yr]
} wadi_soil_cover_params;

WADI_API extern const wadi_field_table wadi_soil_cover_fields;
WADI_API extern const wadi_process wadi_soil_cover_process;
WADI_API wadi_soil_cover_params wadi_soil_cover_params_default(void);

#ifdef __cplusplus
}
#endif
