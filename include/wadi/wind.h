// SPDX-License-Identifier: MIT
/// \file wind.h
/// Erosion by wind: parameters of the process "wind". docs/theory/wind.md has the equations;
/// wadi_wind_fields has range, unit, meaning and source of every member.
///
/// A wind direction is the direction the wind comes FROM, in degrees clockwise from north (the
/// WMO convention): 270 is a west wind, which carries sand to the east. Row 0 of a terrain is its
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
    double direction;  ///< the wind comes from, clockwise from north [degree]
    double speed;      ///< at 10 m above flat ground [m/s]
    double blowing;    ///< share of the year in which this wind blows [1]
    double cycle;      ///< period in which every wind of a table or regime blows once [yr]
    double anemometer; ///< height at which the speeds of a table were measured [m]
    double roughness;  ///< aerodynamic roughness length at the station [m]

    // saltation: sand in the wind
    double threshold;    ///< wind speed for transport of dry sand [m/s]
    double flux;         ///< saturated flux of a wind of 10 m/s that never stops [m2/yr]
    double inflow;       ///< load at open inflow edges, share of the saturated load [1]
    double fall_speed;   ///< settling speed of the grains [m/s]
    double updraught;    ///< of the air; grains with a lower fall_speed stay aloft as dust [m/s]
    double feature_size; ///< spacing of the first dunes on flat sand; 0: see the field [m]
    double turbulence;   ///< crosswind, as a share of the wind speed [1]

    // saltation: response of the wind to the ground
    double memory_gain; ///< speed-up per slope climbed [1]
    double ahead_gain;  ///< slow-down per slope ahead [1]
    double max_speedup; ///< cap of the wind speed over dunes, over the prevailing wind [1]

    // saltation: feedback of the parcels on the wind
    double momentum; ///< strength of the feedback of the parcel density; 0: none [1]

    // saltation: the ground
    double creep;          ///< downslope sand flux per wind flux and slope [1]
    double repose;         ///< angle of repose of dry sand [degree]
    double plant_repose;   ///< angle of repose under full plant cover [degree]
    double abrasion;       ///< rock worn per path and thickness of sand that strikes it [1/m]
    double edge_wear;      ///< extra wear of convex edges, per slope [1]
    double hard_bed;       ///< transport capacity over bare rock, over that over sand [1]
    double plant_drag;     ///< stress on the ground is 1 / (1 + plant_drag x cover) [1]
    double wet_gain;       ///< relative rise of the threshold from dry to saturated sand [1]
    double water_level;    ///< elevation of the ground water and the sea [m]
    double water_fringe;   ///< height above it up to which sand is moist; 0: none [m]
    double shore_supply;   ///< rise of the beach at the level of the sea; 0: none [m/yr]
    double shore_runup;    ///< of waves above the sea [m]
    double storm_speed;    ///< weakest wind that is a storm of the sea; 0: none [m/s]
    double storm_bearing;  ///< from which waves meet the coast head-on [degree]
    double storm_fetch;    ///< length of open water [m]
    double storm_depth;    ///< mean depth of that water [m]
    double storm_slope;    ///< of the foreshore [1]
    double storm_erosion;  ///< coefficient of wave impact on dunes [1]
    double crust_gain;     ///< relative rise of the threshold from loose sand to full crust [1]
    double crust_start;    ///< strength of the crust at the start [1]
    double crust_growth;   ///< rate at which it forms [1/yr]
    double crust_rain;     ///< share of its water that rain brings; the rest is moisture [1]
    double crust_abrasion; ///< strength lost to sand that passes over it [1/m2]
    double crust_depth;    ///< thickness of the crust [m]
    double coarse_share;   ///< share of coarse grains at the start [1]
    double coarse_depth;   ///< of the layer in which they gather at the surface; 0: none [m]
    double coarse_drag;    ///< drag of a coarse grain over that of the sand [1]
    double dry_rate;       ///< drying of moist sand from above; 0: the surface is moist [m2/yr]
    double dry_depth;      ///< of dry sand that hides the moisture below [m]
    double dry_rain;       ///< rains that moisten it again [1/yr]

    // numerics
    double step;       ///< fixed step of both models; 0: chosen, see the field [yr]
    double batch_flux; ///< sand that crosses a cell in a batch, as a share of cell size squared [1]
    double visits;     ///< parcel steps per cell and batch [1]
    int32_t spread;    ///< passes that smooth the exchange of sand on windward sides; 0: none
    bool closing; ///< relax all slopes to the angle of repose when sand settles at the end of a run

    // grains (the article's unitless constants; lengths in cells)
    double grains_per_cell; ///< grains per cell of width across the wind and default duration [1]
    double grain_step;      ///< time step
    double grain_wind;      ///< prevailing wind of a grain at a speed of 10 m/s
    double grain_suspension;
    double grain_abrasion;
    double grain_roughness; ///< stable height difference of two neighbouring cells
    double grain_settling;
    double grain_scale; ///< height of 1 in the article's units [cells]
    double grain_mass;  ///< of a grain without load, as a height on one cell
} wadi_wind_params;

WADI_API extern const wadi_field_table wadi_wind_fields;
WADI_API extern const wadi_process wadi_wind_process;
WADI_API wadi_wind_params wadi_wind_params_default(void);

#ifdef __cplusplus
}
#endif
