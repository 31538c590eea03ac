// SPDX-License-Identifier: MIT
/// \file stability.h
/// Stability of soil on a slope: the factor of safety of an infinite slope with pore water. See
/// docs/landslide.md; wadi_stability_fields has range, unit, meaning and source of every parameter.
///
///   FS = (c + (g - m gw) z cos^2 b tan phi) / (g z sin b cos b)
///
/// c cohesion, g and gw specific weights of soil and water, z vertical depth, m the share of it
/// below the water table, b slope, phi angle of friction. Below 1 the soil slides.
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
    double weight;   ///< specific weight of soil with its water [N/m3]
    double depth;    ///< vertical depth of soil [m]
    double wetness;  ///< share of the depth below the water table, 0..1
} wadi_stability_params;

/// Maps that replace parameters, `width x height` floats each; NULL: use the parameter.
typedef struct wadi_stability_maps
{
    const float* cohesion; ///< [Pa]
    const float* friction; ///< [degree]
    const float* weight;   ///< [N/m3]
    const float* depth;    ///< [m]
    const float* wetness;  ///< 0..1
} wadi_stability_maps;

/// Upper limit of the factor of safety, reached on level or bare ground.
#define WADI_STABILITY_MOST 100.0

WADI_API extern const wadi_field_table wadi_stability_fields;
WADI_API wadi_stability_params wadi_stability_params_default(void);

/// Factor of safety for one slope, given as its tangent, at most WADI_STABILITY_MOST.
WADI_API double wadi_stability_factor(const wadi_stability_params* soil, double tangent);

/// Map of the factor of safety, NaN where there is no data. \p maps may be NULL. Values outside the
/// range in wadi_stability_fields fail with WADI_ERROR_RANGE; the message names map and cell.
WADI_API wadi_result wadi_stability_fill(wadi_context* context, const wadi_field2d* field,
                                         const wadi_stability_params* params,
                                         const wadi_stability_maps* maps, float* out);

#ifdef __cplusplus
}
#endif
