// SPDX-License-Identifier: MIT
// The parameter table of water beside soil. Its particles have a table of their own.
#include <wadi/body.h>

#include "core/field_rows.h"

#define WATER_NUMBER(...) FIELD_NUMBER(wadi_water_params, __VA_ARGS__)

// clang-format off
static const wadi_field water_field_list[] = {
    FIELD_SWITCH(wadi_water_params, soak, true, "soil drinks until its pores are full, and nothing flows between its grains; false: it drinks nothing, and water flows between them as in gravel", ""),
    WATER_NUMBER(drag, 0.4, 0.0, 1.0, "1", "of the ground: 0 is slippery, at 1 water sticks to it", "0.4: fronts run as in experiments"),
    WATER_NUMBER(rain_rate, 0.0, 0.0, 3.6e7, "mm/h", "rain that falls as particles", "heavy rain: 10-100; more is rain in quick motion"),
    WATER_NUMBER(rain_height, 1.0, -1e6, 1e6, "m", "height at which drops begin", ""),
    WATER_NUMBER(rain_speed, 0.0, 0.0, 1e3, "m/s", "at which drops begin to fall", "large drops reach 9"),
    WATER_NUMBER(rain_from, 0.0, 0.0, 1e10, "s", "when it begins", ""),
    WATER_NUMBER(rain_until, 1e10, 0.0, 1e10, "s", "when it ends", ""),
    WATER_NUMBER(rain_west, 0.0, -1e9, 1e9, "m", "side of the rectangle that it rains on", ""),
    WATER_NUMBER(rain_south, 0.0, -1e9, 1e9, "m", "side of the rectangle that it rains on", ""),
    WATER_NUMBER(rain_east, 0.0, -1e9, 1e9, "m", "side of the rectangle that it rains on; west and east 0: from end to end of the terrain", ""),
    WATER_NUMBER(rain_north, 0.0, -1e9, 1e9, "m", "side of the rectangle that it rains on; south and north 0: from end to end of the terrain", ""),
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
