// SPDX-License-Identifier: MIT
/// \file landslide.h
/// Landslides: soil is cut out of the layers as grains, slides, and is laid back where it comes to
/// rest. Parameters of the process "landslide". docs/landslide.md has the laws;
/// wadi_landslide_fields has range, unit, meaning and source of every member.
#pragma once

#include <wadi/process.h>
#include <wadi/seepage.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// What sets soil free.
typedef enum wadi_landslide_start
{
    WADI_LANDSLIDE_FAILING, ///< where the ground fails; nothing happens where it does not
    WADI_LANDSLIDE_REGION,  ///< all soil of the region
    WADI_LANDSLIDE_SOAKING, ///< water, which soaks into soil of the region that stands as grains
    WADI_LANDSLIDE_START_COUNT
} wadi_landslide_start;

/// Where to look. The table `outline` stands in place of it.
typedef enum wadi_landslide_shape
{
    WADI_LANDSLIDE_EVERYWHERE,
    WADI_LANDSLIDE_CIRCLE,    ///< x, y, radius
    WADI_LANDSLIDE_RECTANGLE, ///< centre x, y; width, height, azimuth
    WADI_LANDSLIDE_SHAPE_COUNT
} wadi_landslide_shape;

typedef struct wadi_landslide_params
{
    uint32_t cookie; ///< Set by wadi_landslide_params_default(). Do not touch.
    int32_t start;   ///< wadi_landslide_start

    // region
    int32_t shape;     ///< wadi_landslide_shape
    double x;          ///< of its middle, east of the western edge [m]
    double y;          ///< north of the southern edge [m]
    double radius;     ///< [m]
    double width;      ///< west to east, before it is turned [m]
    double height;     ///< south to north, before it is turned [m]
    double azimuth;    ///< turned by this much, clockwise [degree]
    double depth;      ///< most soil that is cut out [m]; 0: all
    double rock_depth; ///< of weathered rock that goes with it, where hardness is 0 [m]

    // stability
    double cohesion; ///< of roots, beside that of the materials [Pa]
    double wetness;  ///< share of the soil below the water table, where moisture is not more
    double rain;     ///< that raises the water table further, or that soaks in [mm/h]
    double min_area; ///< smaller failing areas stay [m2]

    // soaking
    double damp;         ///< saturation of the soil above its water table at the start
    double evaporation;  ///< [mm/d]
    int32_t base;        ///< wadi_seepage_base: what the ground below does with water
    double water_step;   ///< longest step of water while all grains sleep [s]
    double exchange;     ///< how long grains move before water does [s]
    double acceleration; ///< seconds of water for a second of moving grains

    // motion
    double pressure;    ///< of water in soil that slides, over that of standing water
    double entrainment; ///< bed taken up, per metre of way, as a share of what slides over it [1/m]
    double rolling;     ///< lever of rolling resistance, share of a grain's radius
    double restitution; ///< rebound speed of grains
    double longest;     ///< most time that a slide may take [s]

    // grains
    int32_t most;    ///< grains that there may be
    double diameter; ///< of the largest [m]; 0: from `most`
    double spread;   ///< radii lie between 1 - spread and 1 of the largest
    double overlap;  ///< of grains under the weight of the deepest soil, share of a diameter
    double step;     ///< of time [s]; 0: half of what is stable
} wadi_landslide_params;

WADI_API extern const wadi_field_table wadi_landslide_fields;
WADI_API extern const wadi_process wadi_landslide_process;
WADI_API wadi_landslide_params wadi_landslide_params_default(void);

#ifdef __cplusplus
}
#endif
