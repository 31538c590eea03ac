// SPDX-License-Identifier: MIT
// The parameter table of pictures.
#include "core/field_rows.h"

#include <wadi/render.h>

// parameters of pictures have no source in the literature
#define RENDER_NUMBER(...) FIELD_NUMBER(wadi_render_params, __VA_ARGS__, "")
#define RENDER_WHOLE(...) FIELD_WHOLE(wadi_render_params, __VA_ARGS__, "")
#define RENDER_SWITCH(...) FIELD_SWITCH(wadi_render_params, __VA_ARGS__, "")
#define RENDER_CHOICE(member, count, doc, names)                                                   \
    FIELD_CHOICE(wadi_render_params, member, 0, count, doc, "", names)

static const char* const render_views[] = {"perspective", "map", NULL};
static const char* const render_palettes[] = {"alpine",   "desert", "clay", "atlas",
                                              "badlands", "relief", NULL};
static const char* const render_places[] = {"drape", "inset", NULL};
static const char* const render_ramps[] = {"flow", "heat", "balance", "grey", "ochre", NULL};

// clang-format off
static const wadi_field render_field_list[] = {
    RENDER_CHOICE(view, WADI_RENDER_VIEW_COUNT, "perspective: the terrain as a block; map: from above, north up", render_views),
    RENDER_CHOICE(palette, WADI_RENDER_PALETTE_COUNT, "colours of the ground", render_palettes),
    RENDER_WHOLE(width, 1280, 16, 16384, "width of the picture in pixels"),
    RENDER_WHOLE(height, 720, 16, 16384, "height of the picture in pixels"),
    RENDER_WHOLE(samples, 3, 1, 8, "rays across a pixel at an edge: smoother edges, more time"),
    RENDER_NUMBER(exaggeration, 1.0, 0.01, 100.0, "1", "factor by which heights are multiplied"),
    RENDER_NUMBER(sun_azimuth, 295.0, -360.0, 360.0, "degree", "where the light comes from, clockwise from north"),
    RENDER_NUMBER(sun_altitude, 35.0, 1.0, 89.0, "degree", "height of the sun above the horizon"),
    RENDER_NUMBER(hour, 0.0, 0.0, 24.0, "h", "solar time that sets azimuth and altitude of the sun; 0: as given"),
    RENDER_NUMBER(latitude, 45.0, -90.0, 90.0, "degree", "latitude for the hour, positive in the north"),
    RENDER_NUMBER(day, 172.0, 1.0, 365.0, "1", "day of the year for the hour; 172 is the 21st of June"),
    RENDER_NUMBER(sun_size, 3.0, 0.1, 30.0, "degree", "diameter of the sun: the softness of shadows; the real one has 0.53"),
    RENDER_NUMBER(sun_light, 1.0, 0.0, 10.0, "1", "brightness of the sun"),
    RENDER_NUMBER(sky_light, 1.0, 0.0, 10.0, "1", "brightness of the sky"),
    RENDER_NUMBER(camera_azimuth, 210.0, -360.0, 360.0, "degree", "where the camera stands, clockwise from north"),
    RENDER_NUMBER(camera_elevation, 34.0, 1.0, 89.0, "degree", "height of the camera above the horizon"),
    RENDER_NUMBER(field_of_view, 28.0, 1.0, 120.0, "degree", "angle across the picture; small is almost parallel"),
    RENDER_NUMBER(zoom, 1.0, 0.1, 100.0, "1", "1: the whole terrain is in the picture"),
    RENDER_NUMBER(look_x, 0.5, 0.0, 1.0, "1", "perspective: point that takes the place of the middle of the map, share of its width from west to east"),
    RENDER_NUMBER(look_y, 0.5, 0.0, 1.0, "1", "perspective: the same from south to north"),
    RENDER_SWITCH(base, 1, "show the terrain as a block with cut sides; off: a landscape that ends in haze"),
    RENDER_NUMBER(fog, 0.18, 0.0, 1.0, "1", "share of fog in the colour at the far corner"),
    RENDER_NUMBER(snow_line, 1.0, 0.0, 1.0, "1", "share of the relief above which snow lies; 1: no snow"),
    RENDER_NUMBER(plants, 1.0, 0.0, 1.0, "1", "palette alpine: share of forest and meadows, by height, slope and shade; 0: bare"),
    RENDER_SWITCH(lakes, 0, "fill hollows of the ground with water"),
    RENDER_NUMBER(rivers, 0.0, 0.0, 1e9, "km2", "streams are drawn where they drain at least this area; 0: none"),
    RENDER_NUMBER(sea_channel, 0.02, 0.0, 100.0, "1", "depth, in cells, of channels narrower than three cells that a sea fills"),
    RENDER_NUMBER(water_clarity, 8.0, 0.01, 1000.0, "m", "depth of water at which the ground below is no longer visible"),
    RENDER_CHOICE(overlay_place, WADI_RENDER_OVERLAY_COUNT, "drape: painted on the ground; inset: in the corner", render_places),
    RENDER_CHOICE(ramp, WADI_RENDER_RAMP_COUNT, "colours of the overlay map", render_ramps),
    RENDER_NUMBER(overlay_opacity, 0.85, 0.0, 1.0, "1", "opacity of a draped map"),
    RENDER_NUMBER(overlay_min, 0.0, -1e30, 1e30, "1", "value at the ramp's start; equal to overlay_max: 1st and 99th percentile"),
    RENDER_NUMBER(overlay_max, 0.0, -1e30, 1e30, "1", "value at the ramp's end"),
    RENDER_SWITCH(overlay_log, 0, "logarithmic ramp: for discharge"),
    RENDER_NUMBER(wind, 0.0, 0.0, 60.0, "m/s", "view map: arrows show the flow of a wind of this speed over the ground; 0: no arrows"),
    RENDER_NUMBER(wind_direction, 270.0, 0.0, 360.0, "degree", "direction the wind of the arrows comes from, clockwise from north"),
    RENDER_NUMBER(arrow_spacing, 28.0, 8.0, 512.0, "1", "pixels between arrows of the wind"),
};
// clang-format on

const wadi_field_table wadi_render_fields =
    FIELD_TABLE("render", render_field_list, wadi_render_params);

wadi_render_params wadi_render_params_default(void)
{
    wadi_render_params params;
    wadi_fields_init(&wadi_render_fields, &params);
    return params;
}
