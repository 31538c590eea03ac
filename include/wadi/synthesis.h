// SPDX-License-Identifier: MIT
/// \file synthesis.h
/// Procedural terrain and rock classes: gradient noise, subdivision, faults and deposited
/// particles. The bits are the same on all platforms. Lengths are metres.
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
    double lacunarity; ///< ratio of frequencies of successive octaves [1]
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

// ---- generators ---------------------------------------------------------------------------------

/// A generator of terrain: a constant descriptor with its parameter table. Every table has `kind`,
/// `relief` and `base`, except `poisson_faults`, which makes classes from `low` to `high`.
typedef struct wadi_generator
{
    const char* name; ///< "noise", "subdivision", "faults", "poisson_faults", "deposition"
    const char* doc;
    const wadi_field_table* fields;
} wadi_generator;

WADI_API int32_t wadi_generator_count(void);
WADI_API const wadi_generator* wadi_generator_at(int32_t index);      ///< NULL outside
WADI_API const wadi_generator* wadi_generator_find(const char* name); ///< NULL when unknown

/// Fill \p out (`width x height`, cells of \p cell_size m). \p params is the generator's struct,
/// from wadi_fields_init().
WADI_API wadi_result wadi_generator_fill(wadi_context* context, const wadi_generator* generator,
                                         const void* params, uint64_t seed, int32_t width,
                                         int32_t height, double cell_size, float* out);

typedef enum wadi_subdivision_kind
{
    WADI_SUBDIVISION_MIDPOINT,       ///< edge points from two, centres from four (Fournier 1982)
    WADI_SUBDIVISION_DIAMOND_SQUARE, ///< always from four points (Fournier 1982, Miller 1986)
    WADI_SUBDIVISION_SQUARE_SQUARE,  ///< at quarter points, weights 9:3:3:1 (Miller 1986)
    WADI_SUBDIVISION_HEXAGON,        ///< at centres of triangles (Mandelbrot, Musgrave 1988)
    WADI_SUBDIVISION_COUNT
} wadi_subdivision_kind;

typedef struct wadi_subdivision_params
{
    uint32_t cookie;   ///< Set by wadi_fields_init(). Do not touch.
    int32_t kind;      ///< wadi_subdivision_kind
    double wavelength; ///< spacing of the points of the coarsest level [m]
    double hurst;      ///< 0..1: displacements are proportional to spacing^hurst [1]
    double relief;     ///< highest minus lowest value of the result [m]
    double base;       ///< lowest value [m]
    bool tileable;     ///< repeats over the extent; not for hexagons
} wadi_subdivision_params;

typedef enum wadi_faults_kind
{
    WADI_FAULTS_LINES,  ///< straight faults across the whole extent (Mandelbrot 1975)
    WADI_FAULTS_CIRCLES ///< round faults (Warszawski et al. 2019)
} wadi_faults_kind;

typedef struct wadi_faults_params
{
    uint32_t cookie;   ///< Set by wadi_fields_init(). Do not touch.
    int32_t kind;      ///< wadi_faults_kind
    int32_t count;     ///< faults
    double hurst;      ///< lines: throw grows as distance^(hurst - 1/2); 1/2: a step [1]
    double decay;      ///< reduction of the throw at the last fault [1]
    double radius_min; ///< circles [m]
    double radius_max; ///< circles [m]
    double smoothing;  ///< standard deviation of the Gaussian low-pass at the end [m]
    double relief;     ///< highest minus lowest value of the result [m]
    double base;       ///< lowest value [m]
    bool tileable;     ///< repeats over the extent; circles only
} wadi_faults_params;

typedef struct wadi_poisson_faults_params
{
    uint32_t cookie;   ///< Set by wadi_fields_init(). Do not touch.
    int32_t kind;      ///< wadi_faults_kind
    int32_t count;     ///< faults
    int32_t classes;   ///< of equal area
    double radius_min; ///< circles [m]
    double radius_max; ///< circles [m]
    double low;        ///< value of the first class, in the unit of the filled layer
    double high;       ///< value of the last class
    bool tileable;     ///< repeats over the extent; circles only
} wadi_poisson_faults_params;

typedef enum wadi_deposition_kind
{
    WADI_DEPOSITION_ROLL,  ///< rolls to the lowest neighbour while the drop is above `hold`
    WADI_DEPOSITION_STICK, ///< sticks at the first contact, also sideways
    WADI_DEPOSITION_HOP,   ///< hops once, to the most concave cell within reach
    WADI_DEPOSITION_COUNT
} wadi_deposition_kind;

typedef struct wadi_deposition_params
{
    uint32_t cookie; ///< Set by wadi_fields_init(). Do not touch.
    int32_t kind;    ///< wadi_deposition_kind
    double per_cell; ///< particles per cell
    int32_t reach;   ///< distance of neighbours considered [cells]
    int32_t hold;    ///< rolling: largest stable drop per cell [particles]
    double wander;   ///< step of the emitter per particle [m]; 0: uniform
    double scatter;  ///< radius of the emitter [m]
    double caldera;  ///< height of the caldera rim, share of the highest pile; 1: none
    double relief;   ///< highest minus lowest value of the result [m]
    double base;     ///< lowest value [m]
    bool tileable;   ///< repeats over the extent
} wadi_deposition_params;

#ifdef __cplusplus
}
#endif
