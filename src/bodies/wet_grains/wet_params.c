// SPDX-License-Identifier: MIT
// The parameter tables of wet grains. There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/wet_grains.h>

#define WET_NUMBER(...) FIELD_NUMBER(wadi_wet_grains_params, __VA_ARGS__)
#define COHESION_NUMBER(...) FIELD_NUMBER(wadi_cohesion, __VA_ARGS__)

static const char* const wet_pressures[] = {"gradient", "cap", NULL};
static const char* const wet_bases[] = {"closed", "free", NULL};

// clang-format off
static const wadi_field wet_field_list[] = {
    WET_NUMBER(rain, 0.0, 0.0, 1.0, "m/s", "rain on grains exposed to the sky", "10-100 mm/h are 2.8e-6 to 2.8e-5"),
    WET_NUMBER(evaporation, 0.0, 0.0, 1.0, "m/s", "evaporation from wet grains exposed to the sky; less below a saturation of 0.3", "stage one and two of drying: Hillel 1980"),
    FIELD_CHOICE(wadi_wet_grains_params, base, WADI_SEEPAGE_BASE_CLOSED, WADI_SEEPAGE_BASE_COUNT, "boundary below: closed, or free drainage of the lowest soil under gravity", "", wet_bases),

    FIELD_CHOICE(wadi_wet_grains_params, pressure, WADI_WET_PRESSURE_GRADIENT, WADI_WET_PRESSURE_COUNT, "gradient: the pore pressure gradient is a force on each grain, contacts carry effective stress; cap: the normal force that limits friction is reduced by pressure x section", "Terzaghi 1923", wet_pressures),
    WET_NUMBER(water_step, 600.0, 1e-3, 1e6, "s", "longest time step of water while all grains sleep", ""),
    WET_NUMBER(exchange, 0.02, 1e-6, 10.0, "s", "time between two exchanges of moving grains and water", "water moves by a grain in minutes"),
    WET_NUMBER(acceleration, 1.0, 1.0, 1e6, "1", "seconds of water flow per second of grain motion; above 1 to shorten runs of slow creep", "halving it must not matter"),
    WET_NUMBER(reach, 1.3, 1.01, 3.0, "1", "nodes of water are neighbours below this distance, in sums of their half widths", "1.3: the 12 of a close packing"),
    WET_NUMBER(relink, 0.2, 1e-3, 10.0, "1", "the neighbour list of water is rebuilt when a grain has moved by this many radii", ""),

    WET_NUMBER(surface_tension, 0.0, 0.0, 1.0, "N/m", "surface tension of liquid bridges; 0: cohesion alone", "water 0.072: more than a grain's weight under 2 mm, 0.4 % of it at 2 cm"),
};

static const wadi_field cohesion_field_list[] = {
    COHESION_NUMBER(strength, 0.0, 0.0, 1e9, "Pa", "largest cohesive stress: pull of a contact over a grain's cross-section", "moist sand 0.5-5 kPa"),
    COHESION_NUMBER(wet_from, 0.02, 0.0, 1.0, "1", "wetness, water over grain mass, from which cohesion is largest", "Lanzerstorfer 2019: 2 %"),
    COHESION_NUMBER(wet_until, 0.17, 0.0, 10.0, "1", "wetness from which cohesion falls, to 0 in full pores", "Lanzerstorfer 2019: 17 %"),
};
// clang-format on

const wadi_field_table wadi_wet_grains_fields =
    FIELD_TABLE("wet grains", wet_field_list, wadi_wet_grains_params);
const wadi_field_table wadi_cohesion_fields =
    FIELD_TABLE("cohesion", cohesion_field_list, wadi_cohesion);

wadi_wet_grains_params wadi_wet_grains_params_default(void)
{
    wadi_wet_grains_params params;
    wadi_fields_init(&wadi_wet_grains_fields, &params);
    return params;
}

wadi_cohesion wadi_cohesion_default(void)
{
    wadi_cohesion cohesion;
    wadi_fields_init(&wadi_cohesion_fields, &cohesion);
    return cohesion;
}

wadi_wet_material wadi_wet_material_default(void)
{
    return (wadi_wet_material){wadi_grain_material_default(), wadi_soil_default(),
                               wadi_cohesion_default()};
}
