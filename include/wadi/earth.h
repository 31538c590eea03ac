// SPDX-License-Identifier: MIT
/// \file earth.h
/// Earth: bodies of soil, from closed meshes, as grains with the water in them. They stand, soak,
/// break, slide and come to rest on a terrain, which stays as it is. Parameters of the process
/// "earth"; docs/earth.md shows it at work, wadi_earth_fields has range, unit, meaning and source
/// of every member.
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_earth_params
{
    uint32_t cookie; ///< Set by wadi_earth_params_default(). Do not touch.

    // grains
    double diameter;    ///< of the largest grain [m]; 0: the one that gives `most` grains
    int32_t most;       ///< largest number of grains
    int32_t packing;    ///< wadi_packing
    double spread;      ///< radii lie between 1 - spread and 1 of the largest
    double bond_reach;  ///< grains nearer than this are bonded, share of the smaller radius
    double step;        ///< time step [s]; 0: half of the stable one
    double sleep_speed; ///< grains slower than this fall asleep [m/s]
    double friction;    ///< of the ground and of closed edges

    // the start
    double settle; ///< longest time for settling between walls, and again after bonding [s]

    // weather
    double rain;        ///< [mm/h]
    double rain_from;   ///< [s]
    double rain_until;  ///< [s]
    double evaporation; ///< [mm/d]
    int32_t base;       ///< wadi_seepage_base

    // two clocks
    double water_step;   ///< longest time step of the water while all grains sleep [s]
    double exchange;     ///< time of grain motion between two updates of the water [s]
    double acceleration; ///< seconds of water per second of grain motion
    double interval; ///< time step of the process [s]; 0: water_step, or exchange x acceleration
} wadi_earth_params;

WADI_API extern const wadi_field_table wadi_earth_fields;
WADI_API extern const wadi_process wadi_earth_process;
WADI_API wadi_earth_params wadi_earth_params_default(void);

#ifdef __cplusplus
}
#endif
