// SPDX-License-Identifier: MIT
/// \file landslide.h
/// Landslides: soil is cut out of the layers as grains or as a flow, slides, and is laid back where
/// it comes to rest. Parameters of the process "landslide". docs/landslide.md has the laws;
/// wadi_landslide_fields has range, unit, meaning and source of every member.
#pragma once

#include <wadi/process.h>
#include <wadi/seepage.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Way to compute the motion.
typedef enum wadi_landslide_model
{
    WADI_LANDSLIDE_GRAINS, ///< spheres in three dimensions
    WADI_LANDSLIDE_RUNNER, ///< a depth-averaged flow on the cells of the map
    WADI_LANDSLIDE_AUTO,   ///< grains where five or more lie across the depth of the soil
    WADI_LANDSLIDE_SLUMP,  ///< blocks that turn on deep rupture surfaces; start "deep" only
    WADI_LANDSLIDE_MODEL_COUNT
} wadi_landslide_model;

/// Class of the flow, which gives friction and turbulence where they are 0 (docs/runner.md).
typedef enum wadi_landslide_kind
{
    WADI_LANDSLIDE_DEBRIS_FLOW,    ///< friction 0.20, turbulence 200 m/s2
    WADI_LANDSLIDE_CHANNELISED,    ///< friction 0.19, turbulence 500 m/s2
    WADI_LANDSLIDE_ROCK_AVALANCHE, ///< friction 0.10, turbulence 500 m/s2
    WADI_LANDSLIDE_KIND_COUNT
} wadi_landslide_kind;

/// Relation of the friction of a flow with the volume of its slide (docs/runner.md).
typedef enum wadi_landslide_volume_law
{
    WADI_LANDSLIDE_ANY_VOLUME, ///< none: friction of the kind
    WADI_LANDSLIDE_LUCAS,      ///< V^-0.0774
    WADI_LANDSLIDE_COROMINAS,  ///< a power of V by the kind
    WADI_LANDSLIDE_VOLUME_LAW_COUNT
} wadi_landslide_volume_law;

/// Cause of a slide.
typedef enum wadi_landslide_start
{
    WADI_LANDSLIDE_FAILING, ///< soil slides where its factor of safety is below 1
    WADI_LANDSLIDE_REGION,  ///< all soil of the region slides
    WADI_LANDSLIDE_SOAKING, ///< soil of the region stands as grains until soaking water moves it
    WADI_LANDSLIDE_STORM,   ///< soil slides where a storm makes it fail, one slide after the other
    WADI_LANDSLIDE_INFLOW,  ///< debris enters in the region by the table `inflow`, and flows
    WADI_LANDSLIDE_DEEP,    ///< soil and rock above the weakest curved rupture surface slide
    WADI_LANDSLIDE_START_COUNT
} wadi_landslide_start;

/// Shape of the region. The table `outline` replaces it.
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
    int32_t model;   ///< wadi_landslide_model
    int32_t start;   ///< wadi_landslide_start

    // region
    int32_t shape;     ///< wadi_landslide_shape
    double x;          ///< of its middle, east of the western edge [m]
    double y;          ///< north of the southern edge [m]
    double radius;     ///< [m]
    double width;      ///< west to east, before rotation [m]
    double height;     ///< south to north, before rotation [m]
    double azimuth;    ///< clockwise rotation [degree]
    double depth;      ///< largest depth of soil cut out [m]; 0: all
    double rock_depth; ///< of weathered rock that slides with it where hardness is 0 [m]

    // stability
    double cohesion; ///< of roots, added to that of the materials [Pa]
    double wetness;  ///< share of the soil below the water table, unless moisture is larger
    double rain;     ///< steady rain that raises the water table, or soaks in [mm/h]
    double min_area; ///< smallest failing area that slides [m2]

    // storm
    double duration;      ///< of the rain [h]
    double soil_cohesion; ///< mean cohesion of the soil without roots [Pa]
    double soil_friction; ///< mean angle of friction [degree]
    double conductivity;  ///< mean hydraulic conductivity of saturated soil [m/s]

    // deep
    double rock_cohesion; ///< of rock masses of hardness 0 [Pa]
    double rock_friction; ///< their angle of friction [degree]
    double breadth;       ///< of rupture surfaces, over their length
    double length;        ///< longest chord of a rupture surface [m]; 0: a third of the map
    double shaking;       ///< horizontal acceleration, over that of gravity
    double residual;      ///< share of the strength that is left on a surface that moves
    double rotation;      ///< largest angle by which a block turns [degree]
    int32_t secondary;    ///< how often ground of a block may fail again in a step, 0 to 8

    // soaking
    double damp;         ///< saturation of the soil above its water table at the start
    double evaporation;  ///< [mm/d]
    int32_t base;        ///< wadi_seepage_base
    double water_step;   ///< longest time step of the water while all grains sleep [s]
    double exchange;     ///< time of grain motion between two updates of the water [s]
    double acceleration; ///< seconds of water per second of grain motion

    // motion
    double pressure;    ///< pore pressure in sliding soil, over the hydrostatic pressure
    double entrainment; ///< bed taken up per metre, as a share of the sliding mass [1/m]
    double rolling;     ///< lever of rolling resistance, share of a grain's radius
    double restitution; ///< coefficient of restitution of grains
    double longest;     ///< longest duration of a slide [s]

    // depth-averaged flow
    int32_t kind;       ///< wadi_landslide_kind
    int32_t volume_law; ///< wadi_landslide_volume_law
    double friction;    ///< Coulomb's part of Voellmy's friction; 0: of the kind
    double turbulence;  ///< its part that grows with the speed squared [m/s2]; 0: of the kind
    double density;     ///< of the flow, water included [kg/m3]
    double drainage;    ///< coefficient of consolidation of the pore pressure [m2/s]
    double bed_depth;   ///< bed that may be entrained for each kPa above bed_stress [m]
    double bed_rate;    ///< fastest entrainment [m/s]; 0: none
    double bed_stress;  ///< shear stress that entrains no bed [kPa]
    double lake;        ///< standing water deeper than this stops a flow [m]
    int32_t ensemble;   ///< runs with scattered friction and turbulence, for the map `reach`
    double scatter;     ///< of friction and turbulence in these runs, as a share

    // deposits of flows
    double hummocks;      ///< height over width of mounds of blocks in large deposits; 0: none
    double hummock_width; ///< of the largest at the source [m]; 0: by the volume

    // grains
    int32_t most;    ///< largest number of grains
    double diameter; ///< of the largest [m]; 0: from `most`
    double spread;   ///< radii lie between 1 - spread and 1 of the largest
    double overlap;  ///< of grains under the weight of the deepest soil, share of a diameter
    double step;     ///< time step of grains [s]; 0: half of the stable one

    double interval; ///< time step of the process, at whose begin soil is released [yr]
} wadi_landslide_params;

WADI_API extern const wadi_field_table wadi_landslide_fields;
WADI_API extern const wadi_process wadi_landslide_process;
WADI_API wadi_landslide_params wadi_landslide_params_default(void);

#ifdef __cplusplus
}
#endif
