// SPDX-License-Identifier: MIT
/// \file grain_picture.h
/// Pictures of grains, computed on the processor: spheres with cast shadows and sky light on a
/// floor, the same bits at any number of threads.
#pragma once

#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Quantity shown by the colour of a grain.
typedef enum wadi_grain_shade
{
    WADI_GRAIN_SHADE_LAYER,   ///< its material
    WADI_GRAIN_SHADE_WETNESS, ///< pale when dry, dark blue at `value_max`
    WADI_GRAIN_SHADE_SPEED,   ///< violet at rest, pale yellow at `value_max`
    WADI_GRAIN_SHADE_COUNT
} wadi_grain_shade;

/// How water is drawn.
typedef enum wadi_grain_picture_water
{
    WADI_GRAIN_PICTURE_SURFACE,   ///< one surface, through which what lies behind is seen
    WADI_GRAIN_PICTURE_PARTICLES, ///< balls
    WADI_GRAIN_PICTURE_WATER_COUNT
} wadi_grain_picture_water;

/// Colour of a body in pictures.
typedef enum wadi_grain_colour
{
    WADI_GRAIN_COLOUR_AUTO, ///< one of the colours below, by the number of its layer
    WADI_GRAIN_COLOUR_OCHRE,
    WADI_GRAIN_COLOUR_GREY,
    WADI_GRAIN_COLOUR_RED,
    WADI_GRAIN_COLOUR_CREAM,
    WADI_GRAIN_COLOUR_OLIVE,
    WADI_GRAIN_COLOUR_BROWN,
    WADI_GRAIN_COLOUR_ORANGE,
    WADI_GRAIN_COLOUR_BLUE,
    WADI_GRAIN_COLOUR_WHITE,
    WADI_GRAIN_COLOUR_BLACK,
    WADI_GRAIN_COLOUR_COUNT
} wadi_grain_colour;

typedef struct wadi_grain_picture_params
{
    uint32_t cookie; ///< Set by wadi_grain_picture_params_default(). Do not touch.
    int32_t width;   ///< of the picture [pixels]
    int32_t height;  ///< of the picture [pixels]
    int32_t samples; ///< points per pixel along each axis
    int32_t shade;   ///< wadi_grain_shade
    int32_t water;   ///< wadi_grain_picture_water; balls where `shade` is speed

    double value_max;        ///< at the end of the ramp; 0: the largest value
    double camera_azimuth;   ///< direction of the camera, clockwise from north (y) [degree]
    double camera_elevation; ///< above the horizon [degree]
    double zoom;             ///< 1: all grains are in the picture
    double sun_azimuth;      ///< clockwise from north [degree]
    double sun_altitude;     ///< above the horizon [degree]
} wadi_grain_picture_params;

WADI_API extern const wadi_field_table wadi_grain_picture_fields;
WADI_API wadi_grain_picture_params wadi_grain_picture_params_default(void);

/// Draw `count` grains, at least one if no box is given, on a floor under the lowest: width x
/// height pixels of three bytes, rows from the top, sRGB. `low` and `high` are the corners of the
/// box to show [m], which keeps the frame of a series constant; NULL: the box around the grains. \p
/// colours has a wadi_grain_colour per material; NULL: all are WADI_GRAIN_COLOUR_AUTO.
WADI_API wadi_result wadi_grain_picture(wadi_context* context, const wadi_grain* grains,
                                        int32_t count, const int32_t* colours, const double* low,
                                        const double* high, const wadi_grain_picture_params* params,
                                        uint8_t* out);

/// The same on ground, a block whose shadows and light are those of the picture. Level ground, and
/// NULL, are the floor. Its material is not used. The box to show is that of the grains or the one
/// given, and the floor lies under the block.
WADI_API wadi_result wadi_grain_picture_on_ground(
    wadi_context* context, const wadi_grain_ground* ground, const wadi_grain* grains, int32_t count,
    const int32_t* colours, const double* low, const double* high,
    const wadi_grain_picture_params* params, uint8_t* out);

#ifdef __cplusplus
}
#endif
