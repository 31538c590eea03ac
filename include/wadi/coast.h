// SPDX-License-Identifier: MIT
/// \file coast.h
/// Coasts: waves that cut cliffs and platforms, and smooth the shelf: parameters of the process
/// "coast". docs/theory/coast.md has the equations; wadi_coast_fields has range, unit, meaning and
/// source of every member. The sea is that of the terrain: wadi_terrain_set_sea_level(). Without a
/// sea nothing happens.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_coast_params
{
    uint32_t cookie; ///< Set by wadi_coast_params_default(). Do not touch.

    // waves
    double fetch;     ///< open water at which waves are fully grown [m]
    double direction; ///< from which the strongest waves come, clockwise from north [degree]
    double focus;     ///< share of the waves that come from about there; the rest from all sides
    double wave_base; ///< depth at which waves act on the bed with 1/e of their strength [m]
    double surf;      ///< width of shallow water that takes 1 - 1/e of the waves' power [m]

    // rock
    double retreat;  ///< of cliffs of hardness 0 under full waves [m/yr]
    double beach;    ///< loose matter at the shore retreats that many times faster
    double downwear; ///< of bare rock of hardness 0 at the shore under full waves [mm/yr]
    double cover;    ///< thickness of sediment that protects rock below the sea [m]
    double cliff;    ///< rock of hardness 0 falls from steeper slopes [degree]
    double fines;    ///< share of worn rock that waves carry away in suspension

    // sediment
    double repose;      ///< slope of loose matter on land, and below the waves [degree]
    double shore_slope; ///< slope of loose matter under full waves [1]

    // numerics
    double max_step; ///< step length; shorter where a fifth of a cell falls in that time [yr]
    int32_t sweeps;  ///< of sliding in each step
} wadi_coast_params;

WADI_API extern const wadi_field_table wadi_coast_fields;
WADI_API extern const wadi_process wadi_coast_process;
WADI_API wadi_coast_params wadi_coast_params_default(void);

#ifdef __cplusplus
}
#endif
