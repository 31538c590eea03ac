// SPDX-License-Identifier: MIT
/// \file hydraulic.h
/// Erosion by running water: parameters of the process "hydraulic". docs/theory/hydraulic.md has
/// the equations; wadi_hydraulic_fields has range, unit, meaning and source of every member.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Which equations move water and matter.
typedef enum wadi_hydraulic_model
{
    WADI_HYDRAULIC_STREAMS,  ///< default: streams, solved at once in fixed steps
    WADI_HYDRAULIC_PARCELS,  ///< parcels of rain that merge and flow to the edge (preset "parcels")
    WADI_HYDRAULIC_DROPLETS, ///< droplets with momentum, as in the article (preset "paper")
    WADI_HYDRAULIC_ALLUVIAL, ///< rivers that build fans, deltas and braided plains
    WADI_HYDRAULIC_STREAM_POWER, ///< the stream power law along steepest ways; runs in windows
    WADI_HYDRAULIC_MODEL_COUNT
} wadi_hydraulic_model;

typedef struct wadi_hydraulic_params
{
    uint32_t cookie; ///< Set by wadi_hydraulic_params_default(). Do not touch.
    int32_t model;   ///< wadi_hydraulic_model

    // parcels and streams: climate
    double rain;             ///< effective rain [m/yr]
    double lake_evaporation; ///< from open water [m/yr]

    // parcels: detachment E = K q^m S^n and deposition D = G (a/A) x load; streams: see
    // channel_head
    double erodibility;          ///< K of bare rock of hardness 0 [m/yr at q = 1 m3/yr, S = 1]
    double sediment_erodibility; ///< K of loose sediment, as a multiple of that of rock [1]
    double discharge_exponent;   ///< m [1]
    double slope_exponent;       ///< n [1]
    double settling;             ///< G, settling velocity over rain rate, in rivers [1]
    double lake_settling;        ///< G in standing water [1]
    double alluvial_slope;       ///< S_a: slope of the fill of closed depressions [m/m]

    // parcels and streams: hillslopes
    double creep;          ///< D_c [m2/yr]
    double critical_slope; ///< S_c of the nonlinear creep [m/m]
    double repose;         ///< angle of repose of dry ground [degree]
    double lake_repose;    ///< angle of repose of sediment under water [degree]

    // parcels: processes that can be switched off
    bool lakes;    ///< depressions fill and spill; off: parcels end in them
    bool momentum; ///< streams keep their direction and shift their banks, on cells under 10 m

    // parcels: streams with momentum
    double friction;         ///< C_f: direction decays over depth / (2 C_f) [1]
    double bank_erodibility; ///< K of the banks of bends over K of rock [1]

    // parcels: numerics
    double max_step;       ///< longest batch [yr], and step of streams
    int32_t batches;       ///< batches on the finest level for the default duration
    int32_t levels;        ///< maximum number of coarse levels; 0: none
    double incision_limit; ///< f_max: share of the drop to the lowest neighbour lost per batch [1]

    // streams: orographic rain
    double orographic;       ///< rain by relief; 0: rain as given [1]
    double rain_wind;        ///< where the wind comes from, clockwise from north [degree]
    double rain_wind_spread; ///< to both sides [degree]
    double rain_reach;       ///< length in which cloud becomes rain, and rain falls [m]

    // streams: rivers of the terrain
    double river_share; ///< mean over bankfull discharge [1]; 0: their water is left out
    double river_load;  ///< load in their water [kg/m3]; 0: none

    // streams: wear K W0 q (g + q_c)^(m-1) S per length, with W0 = 30 m and g = q less the rain
    // on 1.3 cells
    double channel_head;  ///< q_c, discharge at which channels begin [m3/yr]
    double outside_slope; ///< least slope of the land beyond open edges [1]
    double floor_width;   ///< width of the floor of a valley [m]
    double river_width;   ///< width of a river of 1 m3/s [m]; it grows with the root of Q
    double corner_fall;   ///< share of their fall to which diagonal streams wear their corners [1]
    double flushing;      ///< share of creep into channels that their streams carry off at once [1]

    // droplets (the article's unitless constants; lengths in cells)
    double droplets_per_cell; ///< droplets per cell in the default duration [1]
    double droplet_step;      ///< dt
    double droplet_density;
    double droplet_evaporation;
    double droplet_deposition;
    double droplet_min_volume;
    double droplet_friction;
    double droplet_scale; ///< unit of height of the article [cells]
    double droplet_span;  ///< step length [yr]

    // alluvial: floods that bring water and load
    double flood_days;     ///< days of flood in a year [d/yr]
    double flood_spread;   ///< standard deviation of the logarithm of a flood's discharge [1]
    double flood_memory;   ///< time of flood in which its size changes [d]
    double flood_step;     ///< step length [yr]
    double round_volume;   ///< load of a round over the depth of a flood on one cell [1]
    int32_t flood_parcels; ///< parcels of a river in a round

    // alluvial: where water goes, and what it carries
    double depth_power;     ///< power of the depth in the choice of ways [1]
    int32_t focus;          ///< times that fall and direction are squared in the choice of ways
    double channel_width;   ///< width of a channel [m] over the root of its discharge [m3/s]
    double gathering;       ///< share of water that flows in channels narrower than a cell [1]
    double bed_friction;    ///< C_f of the bed [1]
    double bed_speed;       ///< u_c, speed at which the bed moves [m/s]
    double bed_exponent;    ///< b: transport goes with u^b [1]
    double bed_rate;        ///< K: transport of a unit width at 1 m/s above u_c [m2/s]
    double adaptation;      ///< length in which load comes to equilibrium [m]
    double cross_slope;     ///< load that rolls down across the flow [1]
    double deposit_depth;   ///< shallower water lays nothing down [m]
    double inflow_capacity; ///< load that rivers bring besides, over what their flow can carry [1]
    double infiltration;    ///< way in which a flood loses 63 % of its water [m]; 0: none
    double seepage;         ///< rate at which a flood sinks into ground that it wets [m/s]; 0: none
    double fine_share;      ///< share of mud in the load of rivers [1]
    double fine_settling;   ///< settling velocity of mud [m/s]
    double fine_speed;      ///< speed above which mud does not settle [m/s]
    double mud_speed;       ///< speed that wears ground of mud [m/s]; 0: mud is worn like the rest

    // streams: alluvial reaches, on which floods build as in model alluvial
    bool plains;          ///< rivers build fans and deltas on plains and in standing water
    double plain_slope;   ///< ground that falls by less is alluvial [1]
    double plain_cover;   ///< loose matter on alluvial ground, at least [m]
    double plain_river;   ///< mean discharge of rivers that build, at least [m3/s]
    double plain_reach;   ///< distance from its mouth in which a river builds [m]
    int32_t plain_rounds; ///< rounds of a step, at most
} wadi_hydraulic_params;

WADI_API extern const wadi_field_table wadi_hydraulic_fields;
WADI_API extern const wadi_process wadi_hydraulic_process;
WADI_API wadi_hydraulic_params wadi_hydraulic_params_default(void);

#ifdef __cplusplus
}
#endif
