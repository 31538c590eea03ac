// SPDX-License-Identifier: MIT
// The parameter table of the process "soil".
#include "core/field_rows.h"

#include <wadi/soil_cover.h>

#define SOIL_NUMBER(...) FIELD_NUMBER(wadi_soil_cover_params, __VA_ARGS__)

// clang-format off
static const wadi_field soil_field_list[] = {
    SOIL_NUMBER(production, 0.2, 0.0, 10.0, "mm/yr", "soil that bare rock produces, normal to its face", "0.01-0.3: Heimsath et al. 1997"),
    SOIL_NUMBER(cover_depth, 0.5, 0.01, 10.0, "m", "depth of soil that reduces production to 1/e", "0.4-0.5: Heimsath et al. 1997"),
    SOIL_NUMBER(density_ratio, 0.0, 0.0, 5.0, "1", "volume of soil over that of the rock it is made of; 0: the mass is kept, by density and porosity of the materials rock and sediment", "1.58 with the default materials"),
    SOIL_NUMBER(creep, 0.005, 0.0, 1.0, "m2/yr", "diffusivity of creep on gentle slopes", "0.001-0.01: Roering et al. 1999"),
    SOIL_NUMBER(critical_slope, 1.25, 0.1, 10.0, "1", "tangent of the slope at which creep grows without bound", "1.25: Roering et al. 1999"),
    SOIL_NUMBER(fall_time, 100.0, 0.01, 1e6, "yr", "time in which ground that is too steep for soil on half of its area loses 1 - 1/e of it; slopes of 40 to 55 degrees go from soil to bare rock", "chosen, not measured"),
    SOIL_NUMBER(max_step, 100.0, 1e-3, 1e6, "yr", "step length: production, creep in as many equal parts as its stability needs, falls", ""),
};

static const wadi_field_group soil_groups[] = {
    {"production", "production"},
    {"creep", "slopes"},
    {"max_step", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_soil_cover_fields =
    FIELD_TABLE_IN("soil", soil_field_list, wadi_soil_cover_params, soil_groups);

wadi_soil_cover_params wadi_soil_cover_params_default(void)
{
    wadi_soil_cover_params params;
    wadi_fields_init(&wadi_soil_cover_fields, &params);
    return params;
}
