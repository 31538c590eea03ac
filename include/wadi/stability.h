// SPDX-License-Identifier: MIT
/// \file stability.h
/// Where soil on a slope stands and where it slides: the factor of safety of an infinite slope with
/// water in it. docs/landslide.md shows it at work; wadi_stability_fields has range, unit, meaning
/// and source of every parameter.
///
///   FS = (c + (g - m gw) z cos^2 b tan phi) / (g z sin b cos b)
///
/// c cohesion, g and gw weight of a cubic metre of soil and of water, z depth measured upright, m
/// share of it below the water table, b slope, phi angle of friction. Below 1 the soil slides.
#pragma once

#include <wadi/derive.h>
#include <wadi/field.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_stability_params
{
    uint32_t cookie; ///< Set by wadi_stability_params_default(). Do not touch.
    double cohesion; ///< of soil and roots [Pa]
    double friction; ///< angle of friction [degree]
    double weight;   ///< of a cubic metre of soil with the water in it [N/m3]
    double depth;    ///< of soil, measured upright [m]
    double wetness;  ///< share of the depth below the water table, 0..1
} wadi_stability_params;

/// Maps that stand in place of numbers, `width x height` floats each; NULL: the number holds.
typedef struct wadi_stability_maps
{
    const float* cohesion; ///< [Pa]
    const float* friction; ///< [degree]
    const float* weight;   ///< [N/m3]
    const float* depth;    ///< [m]
    const float* wetness;  ///< 0..1
} wadi_stability_maps;

/// Greatest value of a map of stability: ground that is level or bare is as safe as that.
#define WADI_STABILITY_MOST 100.0

WADI_API extern const wadi_field_table wadi_stability_fields;
WADI_API wadi_stability_params wadi_stability_params_default(void);

/// The factor for one slope, given as its tangent, at most WADI_STABILITY_MOST.
WADI_API double wadi_stability_factor(const wadi_stability_params* soil, double tangent);

/// A map of factors, NaN where there is no data. \p maps may be NULL. Values out of the range that
/// wadi_stability_fields gives fail with WADI_ERROR_RANGE, naming map and cell.
WADI_API wadi_result wadi_stability_fill(wadi_context* context, const wadi_field2d* field,
                                         const wadi_stability_params* params,
                                         const wadi_stability_maps* maps, float* out);

#ifdef __cplusplus
}
#endif
