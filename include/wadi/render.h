// SPDX-License-Identifier: MIT
/// \file render.h
/// Pictures of a terrain, computed on the processor: a shaded relief map and a perspective view
/// with cast shadows, sky light, water and fog. Pure functions from height field to RGB, the same
/// bits at any thread count. They do not write files.
#pragma once

#include <wadi/field.h>
#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum wadi_render_view
{
    WADI_RENDER_PERSPECTIVE, ///< the terrain as a block, seen from camera_azimuth
    WADI_RENDER_MAP,         ///< from straight above, north up
    WADI_RENDER_VIEW_COUNT
} wadi_render_view;

typedef enum wadi_render_palette
{
    WADI_RENDER_ALPINE,   ///< meadows on gentle ground, grey rock on steep ground, pale gravel
    WADI_RENDER_DESERT,   ///< ochre and red rock in beds, sand
    WADI_RENDER_CLAY,     ///< one neutral colour
    WADI_RENDER_ATLAS,    ///< hypsometric: colours by elevation
    WADI_RENDER_BADLANDS, ///< pale and grey clay in beds, rusty on the heights, dry grass
    WADI_RENDER_RELIEF,   ///< plain relief: white ground without texture, only light and shade
    WADI_RENDER_PALETTE_COUNT
} wadi_render_palette;

typedef enum wadi_render_overlay
{
    WADI_RENDER_DRAPE, ///< the overlay map is painted on the ground
    WADI_RENDER_INSET, ///< the overlay map is shown in the upper right corner, north up
    WADI_RENDER_OVERLAY_COUNT
} wadi_render_overlay;

/// Colour ramps whose lightness runs evenly from end to end (even steps in Oklab).
typedef enum wadi_render_ramp
{
    WADI_RENDER_RAMP_FLOW,    ///< pale to deep blue: water, discharge, depth
    WADI_RENDER_RAMP_HEAT,    ///< dark violet over red to pale yellow: wear, speed
    WADI_RENDER_RAMP_BALANCE, ///< blue, white, red; white is zero: change of height
    WADI_RENDER_RAMP_GREY,    ///< black to white
    WADI_RENDER_RAMP_OCHRE,   ///< pale sand over ochre to dark brown: deposits, depth of soil
    WADI_RENDER_RAMP_COUNT
} wadi_render_ramp;

/// Input of a picture. Borrowed; all arrays have the same shape and stride.
typedef struct wadi_render_scene
{
    int32_t width;           ///< [cells], at least 2
    int32_t height;          ///< [cells], at least 2
    ptrdiff_t stride;        ///< [elements per row]
    double cell_size;        ///< [m]
    const float* surface;    ///< top of the ground [m], NaN: no data
    const float* water;      ///< depth above the surface [m]; may be NULL
    const float* sediment;   ///< loose thickness below the surface [m]; may be NULL
    const float* vegetation; ///< cover 0..1; may be NULL
    const float* overlay;    ///< any map, NaN: nothing to show; may be NULL
    const float* wind_east;  ///< wind to the east [m/s]; may be NULL, as may
    const float* wind_north; ///< wind to the north [m/s]: a map shows them as arrows
    bool has_sea;            ///< draw a sea over all ground below `sea_level`
    double sea_level;        ///< [m]
    const float* hardness;   ///< of the rock at the surface, 0..1; may be NULL
    const float* moisture;   ///< share of the pores filled with water, 0..1; may be NULL
} wadi_render_scene;

/// Parameters of a picture. Start from wadi_render_params_default(); wadi_render_fields has the
/// range, unit and meaning of every member.
typedef struct wadi_render_params
{
    uint32_t cookie; ///< Set by wadi_render_params_default(). Do not touch.
    int32_t view;    ///< wadi_render_view
    int32_t palette; ///< wadi_render_palette
    int32_t width;   ///< of the picture [pixels]
    int32_t height;  ///< of the picture [pixels]
    int32_t samples; ///< n: up to n x n points of a pixel in a map, 2 n - 1 rays in a perspective

    double exaggeration; ///< factor of heights [1]
    double sun_azimuth;  ///< direction of the sun, clockwise from north [degree]
    double sun_altitude; ///< above the horizon [degree]
    double hour;         ///< solar time: sets azimuth and altitude; 0: as they are given [hour]
    double latitude;     ///< for the hour, positive in the north [degree]
    double day;          ///< for the hour: of the year, 1 to 365
    double sun_size;     ///< apparent diameter, softens shadows [degree]
    double sun_light;    ///< brightness [1]
    double sky_light;    ///< brightness [1]

    double camera_azimuth;   ///< direction of the camera, clockwise from north [degree]
    double camera_elevation; ///< above the horizon [degree]
    double field_of_view;    ///< across the picture [degree]; small: almost parallel
    double zoom;             ///< 1: the whole terrain is in the picture
    double look_x; ///< point in the place of the map's middle, share of the width from west
    double look_y; ///< the same, share of the height from south
    bool base;     ///< draw the cut sides of the block; off: sides fade out
    double fog;    ///< opacity of fog at the far corner [1]

    double snow_line; ///< lower limit of snow, share of the relief [1]; 1: no snow
    double plants;    ///< palette alpine: forest and meadows by height, slope and shade; 0: none
    bool lakes;       ///< fill hollows of the ground with water
    double rivers;    ///< catchment from which streams are drawn; 0: none [km2]
    double water_clarity; ///< depth at which the ground becomes invisible [m]
    /// Depth of water narrower than three cells that leads on from a sea [cells]: what is less deep
    /// is taken for the noise of a survey, and is dry.
    double sea_channel;

    int32_t overlay_place;  ///< wadi_render_overlay
    int32_t ramp;           ///< wadi_render_ramp
    double overlay_opacity; ///< of a draped map [1]
    double overlay_min;     ///< value at the ramp's start; equal to overlay_max: from the map's
                            ///< 1st and 99th percentile
    double overlay_max;     ///< value at the ramp's end
    bool overlay_log;       ///< logarithmic ramp: for discharge

    double wind;           ///< wadi_render_terrain() shows its field on a map; 0: none [m/s]
    double wind_direction; ///< from which it blows, clockwise from north [degree]
    double arrow_spacing;  ///< between arrows of the wind [pixels]
} wadi_render_params;

WADI_API extern const wadi_field_table wadi_render_fields;
WADI_API wadi_render_params wadi_render_params_default(void);

/// Set the picture's size to fit the scene's map, with \p longest pixels on the longer side.
WADI_API void wadi_render_fit_map(const wadi_render_scene* scene, int32_t longest,
                                  wadi_render_params* params);

/// Render into \p rgb: params->width x params->height pixels of three bytes, rows from the top,
/// sRGB. For four views call it four times, with camera_azimuth 90 degrees apart.
WADI_API wadi_result wadi_render(wadi_context* context, const wadi_render_scene* scene,
                                 const wadi_render_params* params, uint8_t* rgb);

/// Same for a terrain and its own layers, and the sea of its year. Ground that lies exactly at the
/// level of the sea, as in elevation models without depths, is drawn as deep water. \p overlay
/// (width x height values without padding) may be NULL.
WADI_API wadi_result wadi_render_terrain(wadi_terrain* terrain, const float* overlay,
                                         const wadi_render_params* params, uint8_t* rgb);

#ifdef __cplusplus
}
#endif
