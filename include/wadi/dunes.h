// SPDX-License-Identifier: MIT
/// \file dunes.h
/// Dunes on a grid: parameters of the process "dunes". docs/theory/dunes.md has the equations;
/// wadi_dunes_fields has range, unit, meaning and source of every member.
///
/// A wind has the direction that it comes FROM, in degrees clockwise from north, as weather
/// stations write it: 270 is a west wind, which carries sand to the east. Row 0 of a terrain is its
/// northern edge.
#pragma once

#include <wadi/airflow.h>
#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Which equations move sand.
typedef enum wadi_dunes_mode
{
    WADI_DUNES_FLUX, ///< default: a continuous flux of sand under the shear stress of the wind
    WADI_DUNES_SLAB, ///< the article's slabs of sand that hop at random (preset "paper")
    WADI_DUNES_MODE_COUNT
} wadi_dunes_mode;

typedef struct wadi_dunes_params
{
    uint32_t cookie; ///< Set by wadi_dunes_params_default(). Do not touch.
    int32_t mode;    ///< wadi_dunes_mode
    int32_t regime;  ///< wadi_wind_regime

    // the wind
    double direction;  ///< that it comes from, clockwise from north [degree]
    double speed;      ///< at 10 m above flat ground [m/s]
    double blowing;    ///< share of the year in which that wind blows [1]
    double cycle;      ///< in which each wind of a regime, rose or schedule has its turn [yr]
    double anemometer; ///< height at which the speeds of a table were measured [m]
    double roughness;  ///< aerodynamic roughness of the ground there [m]

    // sand and plants
    double threshold;     ///< wind that begins to move dry sand [m/s]
    double flux;          ///< saturated flux of a wind of 10 m/s that never stops [m2/yr]
    double inflow;        ///< load of the wind over open edges, share of saturated [1]
    double repose;        ///< sand at rest is no steeper [degree]
    double plant_repose;  ///< the same under full plant cover [degree]
    double plant_drag;    ///< shear stress that a full cover of plants takes from the ground [1]
    double plant_height;  ///< of a full cover, that casts shelter [m]
    double plant_growth;  ///< at which plants near their full height; 0: cover is as given [1/yr]
    double plant_rain;    ///< share of the water that they need [1]
    double plant_wilting; ///< at which they die without water [1/yr]
    double wet_gain;      ///< threshold of wet sand over that of dry sand, less 1 [1]
    double abrasion;      ///< rock worn per path and thickness of sand that flies over it [1/m]
    double edge_wear;     ///< how much more convex edges wear [1]
    double echo;          ///< backward flux at the foot of cliffs, over the saturated flux [1]

    // flux: response of the wind and of the sand to the ground
    double saturation_length; ///< path in which the load adjusts; 0: see the field [m]
    double shear_gain;        ///< of the shear stress by the shape of the ground [1]
    double shear_lead;        ///< share of that gain that is in phase with the slope [1]
    double shelter_angle;     ///< at which the wind comes down again behind a brink [degree]
    double creep;             ///< flux down a slope, per flux along the wind and slope [1]
    double deflection;        ///< turning of the flux by slopes across the wind [1]

    // flux: numerics
    double step_flux; ///< sand that crosses a cell in a step, as a share of cell size squared [1]

    // the surface wind, as in airflow.h of the sources; speed-up by height and lees: slab only
    double speedup;          ///< per metre above the mean ground [1/m]
    double speedup_limit;    ///< the wind stays between 1/limit and limit times that aloft [1]
    double warp;             ///< how far relief turns the wind [1]
    double warp_wide;        ///< radius over which the ground is smoothed for that [m]
    double warp_narrow;      ///< the same for the finer scale [m]
    double warp_wide_share;  ///< weight of the wide scale [1]
    double warp_wide_turn;   ///< wind along the contours of the wide ground [m/s]
    double warp_narrow_turn; ///< the same of the narrow one [m/s]
    double lee_begin;        ///< angle to the skyline upwind above which shelter begins [degree]
    double lee_full;         ///< angle above which no wind is left [degree]

    // slab: transport
    double slab_thickness; ///< sand that leaves a cell at once [m]
    double slab_hop;       ///< flight of a slab in the wind slab_wind, and in proportion [m]
    double slab_wind;      ///< wind in which it flies so far [m/s]
    double slab_spread;    ///< of flights about their mean, along and across, as a share of it [1]
    double slab_settle_sand; ///< chance that a slab comes to rest where it lands on sand [1]
    double slab_settle_rock; ///< the same on bare rock [1]
    double slab_reptation;   ///< way that struck grains roll down a slope of 1 [m]
    double slab_wear;        ///< most rock of hardness 0 that striking sand wears [mm/yr]
    double slab_wear_gain;   ///< rock is worn so many times as fast [1]
    double slab_bare_depth;  ///< thinner sand does not shield the rock [m]
    int32_t slab_turns; ///< in which cells give their slabs in a step, each over the ground that
                        ///< the last one left; 1: all at once
} wadi_dunes_params;

WADI_API extern const wadi_field_table wadi_dunes_fields;
WADI_API extern const wadi_process wadi_dunes_process;
WADI_API wadi_dunes_params wadi_dunes_params_default(void);

#ifdef __cplusplus
}
#endif
