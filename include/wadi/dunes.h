// SPDX-License-Identifier: MIT
/// \file dunes.h
/// Dunes on a grid: parameters of the process "dunes". docs/theory/dunes.md has the equations;
/// wadi_dunes_fields has range, unit, meaning and source of every member.
///
/// A wind direction is the direction the wind comes FROM, in degrees clockwise from north (the
/// WMO convention): 270 is a west wind, which carries sand to the east. Row 0 of a terrain is its
/// northern edge.
#pragma once

#include <wadi/airflow.h>
#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Which equations move sand.
typedef enum wadi_dunes_model
{
    WADI_DUNES_FLUX, ///< default: a continuous flux of sand under the shear stress of the wind
    WADI_DUNES_SLAB, ///< the article's slabs of sand that hop at random (preset "paper")
    WADI_DUNES_MODEL_COUNT
} wadi_dunes_model;

/// How much sand slabs lift.
typedef enum wadi_dunes_slab_law
{
    WADI_DUNES_SLAB_COMMON,  ///< default: as much as the flux of all other models asks for
    WADI_DUNES_SLAB_ARTICLE, ///< one slab from every cell, less by its cover (preset "paper")
    WADI_DUNES_SLAB_LAW_COUNT
} wadi_dunes_slab_law;

typedef struct wadi_dunes_params
{
    uint32_t cookie; ///< Set by wadi_dunes_params_default(). Do not touch.
    int32_t model;   ///< wadi_dunes_model
    int32_t regime;  ///< wadi_wind_regime

    // the wind
    double direction;  ///< the wind comes from, clockwise from north [degree]
    double speed;      ///< at 10 m above flat ground [m/s]
    double blowing;    ///< share of the year in which this wind blows [1]
    double cycle;      ///< period in which every wind of a table or regime blows once [yr]
    double anemometer; ///< height at which the speeds of a table were measured [m]
    double roughness;  ///< aerodynamic roughness length at the station [m]

    // sand and plants
    double threshold;       ///< wind speed for transport of dry sand [m/s]
    double flux;            ///< saturated flux of a wind of 10 m/s that never stops [m2/yr]
    double inflow;          ///< load at open inflow edges, share of the saturated load [1]
    double repose;          ///< angle of repose [degree]
    double plant_repose;    ///< angle of repose under full plant cover [degree]
    double plant_drag;      ///< stress on the ground is 1 / (1 + plant_drag x cover) [1]
    double plant_height;    ///< of full cover [m]
    double plant_growth;    ///< growth rate towards full height; 0: constant cover [1/yr]
    double plant_roots;     ///< thinnest sand that plants grow on, over plant_height [1]
    double plant_uproot;    ///< loss of plants by erosion, over that by as much deposition [1]
    double plant_burial;    ///< burial that plants keep up with [m/yr]
    double plant_spread;    ///< speed at which plants spread from where they stand; 0: seeds [m/yr]
    double plant_rain;      ///< share of the plants' water demand met by rain [1]
    double plant_wilting;   ///< rate at which plants die without water [1/yr]
    double wet_gain;        ///< relative rise of the threshold from dry to saturated sand [1]
    double water_level;     ///< elevation of the ground water and the sea [m]
    double water_fringe;    ///< height above it up to which sand is moist; 0: none [m]
    double shore_supply;    ///< rise of the beach at the level of the sea; 0: none [m/yr]
    double shore_runup;     ///< of waves above the sea [m]
    double storm_speed;     ///< weakest wind that is a storm of the sea; 0: none [m/s]
    double storm_bearing;   ///< from which waves meet the coast head-on [degree]
    double storm_fetch;     ///< length of open water [m]
    double storm_depth;     ///< mean depth of that water [m]
    double storm_slope;     ///< of the foreshore [1]
    double storm_erosion;   ///< coefficient of wave impact on dunes [1]
    double crust_gain;      ///< relative rise of the threshold from loose sand to full crust [1]
    double crust_start;     ///< strength of the crust at the start [1]
    double crust_growth;    ///< rate at which it forms [1/yr]
    double crust_rain;      ///< share of its water that rain brings; the rest is moisture [1]
    double crust_abrasion;  ///< strength lost to sand that passes over it [1/m2]
    double crust_depth;     ///< thickness of the crust [m]
    double coarse_share;    ///< share of coarse grains at the start [1]
    double coarse_depth;    ///< of the layer in which they gather at the surface; 0: none [m]
    double coarse_drag;     ///< drag of a coarse grain over that of the sand [1]
    double dry_rate;        ///< drying of moist sand from above; 0: the surface is moist [m2/yr]
    double dry_depth;       ///< of dry sand that hides the moisture below [m]
    double dry_rain;        ///< rains that moisten it again [1/yr]
    double abrasion;        ///< rock worn per path and thickness of sand that passes over it [1/m]
    double abrasion_height; ///< above the floor, over which abrasion falls to a third; 0: none [m]
    double dust;            ///< share of the worn rock that blows away as dust [1]
    double edge_wear;       ///< extra wear of convex edges, per curvature [1]
    double echo;            ///< upwind flux at the foot of cliffs, over the saturated flux [1]

    // flux: response of the wind and of the sand to the ground
    double saturation_length; ///< of the sand load; 0: see the field [m]
    double shear_gain;        ///< response of the shear stress to the shape of the ground [1]
    double shear_lead;        ///< part of that response in phase with the slope [1]
    double shear_across;      ///< response to oblique ridges, share of shear_gain [1]
    double shelter_angle;     ///< descent of the sheltered zone in the lee of a brink [degree]
    double creep;             ///< downslope sand flux per wind flux and slope [1]
    double deflection;        ///< crosswind deflection of the flux by the ground [1]
    double hard_bed;          ///< saturated load over bare rock, over that over sand [1]
    double streamers;         ///< gusts: relative variation of the stress in place and time [1]
    double streamer_size;     ///< distance of independent streamers; 0: see the field [m]
    double streamer_life;     ///< sand that passes flat ground while they change; 0: see it [m2]

    // numerics
    double step;      ///< interval of updates of plants and wind; 0: see the field [yr]
    double step_flux; ///< flux: sand across a cell in a short step, share of cell size squared [1]

    // the surface wind, see airflow.h; speedup, speedup_limit and lees: slab only
    double speedup;          ///< per metre above the mean ground [1/m]
    double speedup_limit;    ///< the wind stays between 1/limit and limit times that aloft [1]
    double warp;             ///< strength of the deflection of the wind by relief [1]
    double warp_wide;        ///< smoothing radius of the ground, wide scale [m]
    double warp_narrow;      ///< smoothing radius of the ground, narrow scale [m]
    double warp_wide_share;  ///< weight of the wide scale [1]
    double warp_wide_turn;   ///< wind along the contours, wide scale [m/s]
    double warp_narrow_turn; ///< wind along the contours, narrow scale [m/s]
    double lee_begin;        ///< upwind skyline angle above which shelter begins [degree]
    double lee_full;         ///< upwind skyline angle above which the wind is 0 [degree]

    // slab: transport
    int32_t slab_law;        ///< wadi_dunes_slab_law
    double slab_thickness;   ///< thickness of a slab [m]
    double slab_hop;         ///< hop length at slab_wind, proportional to the wind speed [m]
    double slab_wind;        ///< wind speed at which the hop length is slab_hop [m/s]
    double slab_spread;      ///< scatter of hops around their mean, as a share of it [1]
    double slab_settle_sand; ///< chance that a slab comes to rest where it lands on sand [1]
    double slab_settle_rock; ///< chance that a slab comes to rest where it lands on rock [1]
    double slab_reptation;   ///< distance that grains hit by a slab roll down a slope of 1 [m]
    double slab_wear;        ///< largest wear rate of rock of hardness 0 [mm/yr]
    double slab_wear_gain;   ///< factor of slab_wear [1]
    double slab_bare_depth;  ///< thickness of sand above which rock is not worn [m]
    int32_t slab_turns; ///< substeps of a step: each cell lifts its slab in one of them; 1: all
                        ///< cells at once
} wadi_dunes_params;

WADI_API extern const wadi_field_table wadi_dunes_fields;
WADI_API extern const wadi_process wadi_dunes_process;
WADI_API wadi_dunes_params wadi_dunes_params_default(void);

#ifdef __cplusplus
}
#endif
