// SPDX-License-Identifier: MIT
// The parameter tables of water in soil. There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/seepage.h>

#define SEEPAGE_NUMBER(...) FIELD_NUMBER(wadi_seepage_params, __VA_ARGS__)
#define SOIL_NUMBER(...) FIELD_NUMBER(wadi_soil, __VA_ARGS__)

static const char* const seepage_bases[] = {"closed", "free", NULL};

// clang-format off
static const wadi_field soil_field_list[] = {
    SOIL_NUMBER(porosity, 0.4, 0.01, 0.95, "1", "volume of pores over that of the soil", "Carsel & Parrish 1988: 0.36-0.46"),
    SOIL_NUMBER(conductivity, 3e-6, 1e-14, 1.0, "m/s", "hydraulic conductivity of saturated soil", "Carsel & Parrish 1988: sand 8e-5, loam 3e-6, clay 6e-7"),
    SOIL_NUMBER(suction, 0.2, 1e-4, 100.0, "m", "suction head of dry soil", "suction at a wetting front is 0.46 of it at shape 2 and exponent 3, and in nature 0.05 m in sand, 0.09 in loam, 0.3 in clay (Rawls 1983)"),
    SOIL_NUMBER(shape, 2.0, 1.0, 20.0, "1", "exponent of saturation: 1 - (suction / dry suction)^shape; 1: a straight line; above 1: a capillary fringe over the water table", "similar to the curves of Brooks & Corey 1964 and van Genuchten 1980"),
    SOIL_NUMBER(exponent, 3.0, 0.0, 20.0, "1", "conductivity is proportional to this power of saturation", "Irmay 1954: 3"),
};

static const wadi_field seepage_field_list[] = {
    SEEPAGE_NUMBER(step, 600.0, 1e-6, 1e6, "s", "longest time step; shorter where water moves fast", ""),
    SEEPAGE_NUMBER(gravity, 1.0, 0.0, 1.0, "1", "factor of gravity: 1; 0 for a horizontal column", ""),
    SEEPAGE_NUMBER(reach, 1.3, 1.01, 3.0, "1", "nodes are neighbours below this distance, in sums of their half widths", "1.3: the 12 of a close packing and the 6 of a cube, not the next ones"),
    SEEPAGE_NUMBER(period_x, 0.0, 0.0, 1e6, "m", "period of the domain in x, from 0; 0: not periodic", ""),
    SEEPAGE_NUMBER(period_y, 0.0, 0.0, 1e6, "m", "period of the domain in y, from 0; 0: not periodic", ""),
    SEEPAGE_NUMBER(rain, 0.0, 0.0, 1.0, "m/s", "rain on nodes exposed to the sky", "10-100 mm/h are 2.8e-6 to 2.8e-5"),
    SEEPAGE_NUMBER(evaporation, 0.0, 0.0, 1.0, "m/s", "evaporation from wet nodes exposed to the sky; less below a saturation of 0.3", "stage one and two of drying: Hillel 1980"),
    FIELD_CHOICE(wadi_seepage_params, base, WADI_SEEPAGE_BASE_CLOSED, WADI_SEEPAGE_BASE_COUNT, "boundary below: closed, or free drainage of the lowest soil under gravity", "", seepage_bases),
};
// clang-format on

const wadi_field_table wadi_soil_fields = FIELD_TABLE("soil", soil_field_list, wadi_soil);
const wadi_field_table wadi_seepage_fields =
    FIELD_TABLE("seepage", seepage_field_list, wadi_seepage_params);

wadi_soil wadi_soil_default(void)
{
    wadi_soil soil;
    wadi_fields_init(&wadi_soil_fields, &soil);
    return soil;
}

wadi_seepage_params wadi_seepage_params_default(void)
{
    wadi_seepage_params params;
    wadi_fields_init(&wadi_seepage_fields, &params);
    return params;
}
