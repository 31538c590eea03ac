// SPDX-License-Identifier: MIT
// The parameter table of water beside soil. Its particles have a table of their own.
#include <wadi/body.h>

#include "core/field_rows.h"

#define WATER_NUMBER(...) FIELD_NUMBER(wadi_water_params, __VA_ARGS__)

// clang-format off
static const wadi_field water_field_list[] = {
    FIELD_SWITCH(wadi_water_params, soak, true, "soil absorbs water until its pores are full, and no free water flows between its grains; false: it absorbs none, and water flows between its grains as in gravel", ""),
    WATER_NUMBER(drag, 0.4, 0.0, 1.0, "1", "friction between water and the ground: 0 free slip, 1 no slip", "0.4: fronts advance as in experiments"),
    WATER_NUMBER(rain_rate, 0.0, 0.0, 3.6e7, "mm/h", "rain that falls as particles", "heavy rain: 10-100; larger values for accelerated rain"),
    WATER_NUMBER(rain_height, 1.0, -1e6, 1e6, "m", "height at which drops start", ""),
    WATER_NUMBER(rain_speed, 0.0, 0.0, 1e3, "m/s", "initial speed of drops, downwards", "large drops reach 9"),
    WATER_NUMBER(rain_from, 0.0, 0.0, 1e10, "s", "time at which rain begins", ""),
    WATER_NUMBER(rain_until, 1e10, 0.0, 1e10, "s", "time at which rain ends", ""),
    WATER_NUMBER(rain_west, 0.0, -1e9, 1e9, "m", "west side of the rectangle that receives rain", ""),
    WATER_NUMBER(rain_south, 0.0, -1e9, 1e9, "m", "south side of the rectangle that receives rain", ""),
    WATER_NUMBER(rain_east, 0.0, -1e9, 1e9, "m", "east side of the rectangle that receives rain; west and east 0: the whole width of the terrain", ""),
    WATER_NUMBER(rain_north, 0.0, -1e9, 1e9, "m", "north side of the rectangle that receives rain; south and north 0: the whole length of the terrain", ""),
};
// clang-format on

const wadi_field_table wadi_water_fields =
    FIELD_TABLE("water", water_field_list, wadi_water_params);

wadi_water_params wadi_water_params_default(void)
{
    wadi_water_params params;
    wadi_fields_init(&wadi_water_fields, &params);
    return params;
}
