// SPDX-License-Identifier: MIT
// The parameter table of fillings. There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/solid.h>

#define FILLING_NUMBER(...) FIELD_NUMBER(wadi_filling_params, __VA_ARGS__)

static const char* const filling_packings[] = {"jittered", "dense", NULL};

// clang-format off
static const wadi_field filling_field_list[] = {
    FILLING_NUMBER(diameter, 0.0, 0.0, 1e3, "m", "diameter of the largest grain; 0: as small as `most` grains allow", ""),
    FIELD_WHOLE(wadi_filling_params, most, 200000, 1, 50000000, "largest number of grains", "2e5 grains make about 100 steps a second on two cores"),
    FIELD_CHOICE(wadi_filling_params, packing, WADI_PACKING_DENSE, WADI_PACKING_COUNT,
                "jittered: one in each cube of a grid, off its middle by chance; dense: hexagonal close packing, in which every grain touches twelve",
                "a settled cubic start loses most of its contacts when it is released: 4.6 to 0.8 a grain", filling_packings),
    FILLING_NUMBER(jitter, 0.1, 0.0, 0.5, "1", "jittered packing: largest distance of a grain from the centre of its cube, as a share of the diameter; cubes are wider by it, so that no grains overlap", ""),
    FILLING_NUMBER(spread, 0.1, 0.0, 0.9, "1", "radii are evenly distributed between 1 - spread and 1 times the largest; equal grains would slide along lattice planes", ""),
};
// clang-format on

const wadi_field_table wadi_filling_fields =
    FIELD_TABLE("grains", filling_field_list, wadi_filling_params);

wadi_filling_params wadi_filling_params_default(void)
{
    wadi_filling_params params;
    wadi_fields_init(&wadi_filling_fields, &params);
    return params;
}
