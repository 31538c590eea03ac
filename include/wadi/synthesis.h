// SPDX-License-Identifier: MIT
/// \file synthesis.h
/// Procedural ground from gradient noise, the same bits everywhere. Coordinates are metres, so a
/// finer grid over the same extent shows the same hills.
#pragma once

#include <wadi/field.h>
#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum wadi_noise_kind
{
    WADI_NOISE_FBM,    ///< fractional Brownian motion: sum of octaves
    WADI_NOISE_RIDGED, ///< ridged multifractal (Musgrave): sharp crests
    WADI_NOISE_WARPED, ///< fBm whose domain is displaced by two further fBm fields
    WADI_NOISE_COUNT
} wadi_noise_kind;

typedef struct wadi_noise_params
{
    uint32_t cookie;   ///< Set by wadi_noise_params_default(). Do not touch.
    int32_t kind;      ///< wadi_noise_kind
    double wavelength; ///< of the first octave [m]
    double relief;     ///< highest minus lowest value of the result [m]
    double base;       ///< elevation of the lowest cell [m]
    int32_t octaves;   ///< 1..16
    double gain;       ///< amplitude from octave to octave [1]
    double lacunarity; ///< frequency from octave to octave [1]
    double warp;       ///< displacement of the warped kind, in wavelengths [1]
    bool tileable;     ///< the field repeats over the extent of the grid
} wadi_noise_params;

WADI_API extern const wadi_field_table wadi_noise_fields;
WADI_API wadi_noise_params wadi_noise_params_default(void);

/// Fill \p out (`width x height`, cells of \p cell_size m) with noise keyed by \p seed, scaled
/// to [base, base + relief].
WADI_API wadi_result wadi_noise_fill(wadi_context* context, const wadi_noise_params* params,
                                     uint64_t seed, int32_t width, int32_t height, double cell_size,
                                     float* out);

#ifdef __cplusplus
}
#endif
