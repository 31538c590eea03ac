// SPDX-License-Identifier: MIT
// The parameter table of the process "earth". There is no second list of these anywhere.
#include <wadi/earth.h>

#include "core/field_rows.h"

#define EARTH_NUMBER(...) FIELD_NUMBER(wadi_earth_params, __VA_ARGS__)
#define EARTH_CHOICE(...) FIELD_CHOICE(wadi_earth_params, __VA_ARGS__)

static const char* const earth_packings[] = {"jittered", "dense", NULL};
static const char* const earth_bases[] = {"closed", "free", NULL};

// clang-format off
static const wadi_field earth_field_list[] = {
    EARTH_NUMBER(diameter, 0.0, 0.0, 1e3, "m", "diameter of the largest grain; 0: so that there are `most` of them", ""),
    FIELD_WHOLE(wadi_earth_params, most, 20000, 1, 50000000, "grains at most", "2e4 dry grains make 500 steps a second on one core"),
    EARTH_CHOICE(packing, WADI_PACKING_DENSE, WADI_PACKING_COUNT, "jittered: one grain in each cube of a grid, off its middle by chance; dense: hexagonal close packing", "", earth_packings),
    EARTH_NUMBER(spread, 0.2, 0.0, 0.9, "1", "radii lie between 1 - spread and 1 of the largest, evenly, so that no planes of equal grains slide", ""),
    EARTH_NUMBER(bond_reach, 0.5, 0.0, 1.0, "1", "grains nearer than this, share of the smaller radius, are bonded where both have strength", "radii that differ by 0.2 leave gaps of up to 0.4 between close-packed neighbours"),
    EARTH_NUMBER(step, 0.0, 0.0, 1.0, "s", "of time; 0: half of what is stable", "0.1 sqrt(m / k)"),
    EARTH_NUMBER(sleep_speed, 1e-3, 0.0, 10.0, "m/s", "grains slower than this may fall asleep; 0: none does, and there is one clock", ""),
    EARTH_NUMBER(friction, 0.5, 0.0, 5.0, "1", "of the ground and of closed edges, coefficient of Coulomb", ""),

    EARTH_NUMBER(settle, 0.0, 0.0, 1e4, "s", "time that soil has at most to come to rest between walls around all of it, and as long again once it is bonded, before time counts; the walls then vanish at once", ""),

    EARTH_NUMBER(rain, 0.0, 0.0, 1e7, "mm/h", "that falls on what lies under the sky", "heavy rain: 10-100"),
    EARTH_NUMBER(rain_from, 0.0, 0.0, 1e10, "s", "when it begins", ""),
    EARTH_NUMBER(rain_until, 1e10, 0.0, 1e10, "s", "when it ends", ""),
    EARTH_NUMBER(evaporation, 0.0, 0.0, 1e6, "mm/d", "from wet ground under the sky", "2-8 in summer"),
    EARTH_CHOICE(base, WADI_SEEPAGE_BASE_CLOSED, WADI_SEEPAGE_BASE_COUNT, "closed: no water leaves below; free: it falls out of the lowest grains by its weight", "", earth_bases),

    EARTH_NUMBER(water_step, 60.0, 1e-3, 1e7, "s", "longest step of water while all grains sleep", ""),
    EARTH_NUMBER(exchange, 0.01, 1e-6, 1e3, "s", "how long grains move before water does", ""),
    EARTH_NUMBER(acceleration, 1.0, 1.0, 1e7, "1", "seconds of water for a second of moving grains", "halving it shifts the time of failure by less than 10 %"),
};
// clang-format on

const wadi_field_table wadi_earth_fields =
    FIELD_TABLE("earth", earth_field_list, wadi_earth_params);

wadi_earth_params wadi_earth_params_default(void)
{
    wadi_earth_params params;
    wadi_fields_init(&wadi_earth_fields, &params);
    return params;
}
