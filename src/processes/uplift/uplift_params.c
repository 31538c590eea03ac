// SPDX-License-Identifier: MIT
// The parameter table of the process "uplift".
#include "core/field_rows.h"

#include <wadi/uplift.h>

#define UPLIFT_NUMBER(...) FIELD_NUMBER(wadi_uplift_params, __VA_ARGS__)
#define UPLIFT_CHOICE(...) FIELD_CHOICE(wadi_uplift_params, __VA_ARGS__)

static const char* const uplift_rims[] = {"fixed", "free", NULL};

// clang-format off
static const wadi_field uplift_field_list[] = {
    UPLIFT_NUMBER(rate, 0.5, -100.0, 100.0, "mm/yr", "uplift of all land; below 0: subsidence", "mountain belts 0.1-10 mm/yr, cratons below 0.05: Burbank & Anderson 2011"),
    UPLIFT_CHOICE(rim, WADI_UPLIFT_RIM_FIXED, WADI_UPLIFT_RIM_COUNT, "cells at open edges keep their height, as outlets with a base level (fixed), or rise too (free)", "fixed: the usual boundary condition of landscape evolution models", uplift_rims),

    UPLIFT_NUMBER(dome_rate, 0.0, -100.0, 100.0, "mm/yr", "rate at the centre of a dome, added to the rate; 0: no dome", "salt domes 0.1-2 mm/yr, resurgent calderas up to 100: Newhall & Dzurisin 1988"),
    UPLIFT_NUMBER(dome_x, 0.0, -1e7, 1e7, "m", "centre of the dome, eastwards from the south-west corner", ""),
    UPLIFT_NUMBER(dome_y, 0.0, -1e7, 1e7, "m", "centre of the dome, northwards from the south-west corner", ""),
    UPLIFT_NUMBER(dome_length, 5000.0, 1.0, 1e7, "m", "radius of the dome along its axis, where its rate reaches 0", ""),
    UPLIFT_NUMBER(dome_width, 5000.0, 1.0, 1e7, "m", "radius of the dome across its axis", ""),
    UPLIFT_NUMBER(dome_azimuth, 0.0, -360.0, 360.0, "degree", "direction of the dome's axis, clockwise from north", ""),

    UPLIFT_NUMBER(tilt, 0.0, -100.0, 100.0, "mm/yr/km", "gradient of the rate: land turns about an axis", "Sierra Nevada 0.003: Stock et al. 2004"),
    UPLIFT_NUMBER(tilt_azimuth, 90.0, -360.0, 360.0, "degree", "direction in which tilted land rises, clockwise from north", ""),
    UPLIFT_NUMBER(tilt_offset, 0.0, -1e7, 1e7, "m", "distance of the axis from the middle of the map, in that direction", ""),

    UPLIFT_NUMBER(noise, 0.0, 0.0, 1.0, "1", "variation of the rate from place to place, as a share of it", "0.1 lets valleys form unlike on a plain block"),
    UPLIFT_NUMBER(noise_wavelength, 5000.0, 1.0, 1e7, "m", "length of that variation", ""),

    UPLIFT_NUMBER(max_step, 1000.0, 1e-6, 1e6, "yr", "step length; the height at any time does not depend on it", "5 km of uplift at 5 mm/yr: 1000 steps"),
};

static const wadi_field_group uplift_groups[] = {
    {"rate", "land"},
    {"dome_rate", "dome"},
    {"tilt", "tilt"},
    {"noise", "noise"},
    {"max_step", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_uplift_fields =
    FIELD_TABLE_IN("uplift", uplift_field_list, wadi_uplift_params, uplift_groups);

wadi_uplift_params wadi_uplift_params_default(void)
{
    wadi_uplift_params params;
    wadi_fields_init(&wadi_uplift_fields, &params);
    return params;
}
