// SPDX-License-Identifier: MIT
/// \file wind.h
/// Erosion by wind: parameters of the process "wind". docs/theory/wind.md has the equations;
/// wadi_wind_fields has range, unit, meaning and source of every member.
///
/// A wind has the direction that it comes FROM, in degrees clockwise from north, as weather
/// stations write it: 270 is a west wind, which carries sand to the east. Row 0 of a terrain is its
/// northern edge.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Which equations move sand.
typedef enum wadi_wind_model
{
    WADI_WIND_SALTATION, ///< default: parcels of saltating sand and the air above it
    WADI_WIND_GRAINS,    ///< the article's wind particles (presets "paper" and "paper-repo")
    WADI_WIND_MODEL_COUNT
} wadi_wind_model;

typedef struct wadi_wind_params
{
    uint32_t cookie; ///< Set by wadi_wind_params_default(). Do not touch.
    int32_t model;   ///< wadi_wind_model
    int32_t regime;  ///< wadi_wind_regime; saltation only

    // the prevailing wind; both models read direction and speed
    double direction;  ///< that the wind comes from, clockwise from north [degree]
    double speed;      ///< at 10 m above flat ground [m/s]
    double blowing;    ///< share of the year in which that wind blows [1]
    double cycle;      ///< in which each wind of a regime, rose or schedule has its turn [yr]
    double anemometer; ///< height at which the speeds of a table were measured [m]
    double roughness;  ///< aerodynamic roughness of the ground there [m]

    // saltation: sand in the wind
    double threshold;    ///< wind that begins to move dry sand [m/s]
    double flux;         ///< saturated flux of a wind of 10 m/s that never stops [m2/yr]
    double inflow;       ///< load of the wind that comes in over open edges, share of saturated [1]
    double fall_speed;   ///< of the grains [m/s]
    double updraught;    ///< mean lift of the air; grains that fall slower stay aloft [m/s]
    double feature_size; ///< spacing of the first dunes on flat sand; 0: see the field [m]
    double turbulence;   ///< crosswind, as a share of the wind [1]

    // saltation: response of the wind to the ground
    double memory_gain; ///< speed-up per slope climbed [1]
    double ahead_gain;  ///< slow-down per slope ahead [1]
    double max_speedup; ///< cap of the wind over dunes, as a share of the prevailing wind [1]

    // saltation: feedback of the parcels on the wind
    double momentum; ///< how far the wind follows where parcels crowd or lack; 0: not at all [1]

    // saltation: the ground
    double creep;        ///< sand flux down a slope per flux along the wind and slope [1]
    double repose;       ///< steepest dry sand [degree]
    double plant_repose; ///< the same under full plant cover [degree]
    double abrasion;     ///< rock worn per path and thickness of sand that slides over it [1/m]
    double edge_wear;    ///< how much more convex edges wear [1]
    double hard_bed;     ///< capacity over bare rock, as a share of that over sand [1]
    double plant_drag;   ///< shear stress that a full cover of plants takes from the ground [1]
    double wet_gain;     ///< threshold of wet sand over that of dry sand, less 1 [1]

    // saltation: numerics
    double batch_flux; ///< sand that crosses a cell in a batch, as a share of cell size squared [1]
    double visits;     ///< parcel steps per cell and batch [1]
    bool closing;      ///< at the end of a run all sand comes to rest

    // grains (the article's unitless constants; lengths in cells)
    double grains_per_cell; ///< grains per cell of width across the wind and default duration [1]
    double grain_step;      ///< dt
    double grain_wind;      ///< prevailing wind of a grain at a speed of 10 m/s
    double grain_suspension;
    double grain_abrasion;
    double grain_roughness; ///< stable difference of two neighbouring cells
    double grain_settling;
    double grain_scale; ///< height that the article calls 1 [cells]
    double grain_mass;  ///< of a grain without load, as a height on one cell
} wadi_wind_params;

WADI_API extern const wadi_field_table wadi_wind_fields;
WADI_API extern const wadi_process wadi_wind_process;
WADI_API wadi_wind_params wadi_wind_params_default(void);

#ifdef __cplusplus
}
#endif
