// SPDX-License-Identifier: MIT
/// \file body.h
/// Bodies of soil, for processes that move soil as grains: closed meshes with their materials,
/// where a later mesh replaces earlier ones; or grains given by the caller. Also water as
/// particles.
#pragma once

#include <wadi/grain_picture.h>
#include <wadi/solid.h>
#include <wadi/sph.h>
#include <wadi/wet_grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_body_params
{
    uint32_t cookie;   ///< Set by wadi_body_params_default(). Do not touch.
    double saturation; ///< of its pores at the start, 0..1
    bool fixed;        ///< true: its grains stay where they are
    int32_t colour;    ///< wadi_grain_colour, in pictures
} wadi_body_params;

typedef struct wadi_body
{
    wadi_mesh mesh; ///< without triangles: a material for grains that name it
    wadi_body_params params;
    wadi_wet_material material;
} wadi_body;

/// Water between and beside soil.
typedef struct wadi_water_params
{
    uint32_t cookie;  ///< Set by wadi_water_params_default(). Do not touch.
    bool soak;        ///< true: soil absorbs water and is tight; false: water flows between grains
    double drag;      ///< of the ground: 0 slippery, 1: water sticks to it
    double rain_rate; ///< [mm/h]
    double rain_height; ///< z at which drops begin [m]
    double rain_speed;  ///< at which they begin to fall [m/s]
    double rain_from;   ///< [s]
    double rain_until;  ///< [s]
    double rain_west;   ///< side of the rectangle that it rains on [m]
    double rain_south;
    double rain_east; ///< 0: it rains on all of the terrain
    double rain_north;
} wadi_water_params;

/// A box full of water at rest.
typedef struct wadi_water_block
{
    double low[3]; ///< [m]
    double high[3];
} wadi_water_block;

typedef struct wadi_water
{
    wadi_water_params params;
    wadi_sph_params sph; ///< whose step and periods are those of soil and terrain
    const wadi_water_block* blocks;
    int32_t block_count;
} wadi_water;

/// All soil and water of one process. Grains that are given stand in place of the meshes.
typedef struct wadi_bodies
{
    const wadi_body* bodies;
    int32_t count;            ///< 1..WADI_GRAIN_MAX_MATERIALS; 0 where there is water alone
    const wadi_grain* grains; ///< NULL: fill the meshes; `material` is the body
    const double* strengths;  ///< of each grain, share of its body's; NULL: 1
    int32_t grain_count;
    const wadi_water* water; ///< as particles; NULL: none
} wadi_bodies;

WADI_API extern const wadi_field_table wadi_body_fields;
WADI_API extern const wadi_field_table wadi_water_fields;
WADI_API wadi_body_params wadi_body_params_default(void);
WADI_API wadi_water_params wadi_water_params_default(void);

#ifdef __cplusplus
}
#endif
