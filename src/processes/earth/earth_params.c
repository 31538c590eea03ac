// SPDX-License-Identifier: MIT
// The parameter table of the process "earth", the only list of its parameters.
#include <wadi/earth.h>

#include "core/field_rows.h"

#define EARTH_NUMBER(...) FIELD_NUMBER(wadi_earth_params, __VA_ARGS__)
#define EARTH_CHOICE(...) FIELD_CHOICE(wadi_earth_params, __VA_ARGS__)

static const char* const earth_packings[] = {"jittered", "dense", NULL};
static const char* const earth_bases[] = {"closed", "free", NULL};

// clang-format off
static const wadi_field earth_field_list[] = {
    EARTH_NUMBER(diameter, 0.0, 0.0, 1e3, "m", "diameter of the largest grain; 0: the diameter that gives `most` grains", ""),
    FIELD_WHOLE(wadi_earth_params, most, 20000, 1, 50000000, "largest number of grains", "2e4 dry grains make 500 steps a second on one core"),
    EARTH_CHOICE(packing, WADI_PACKING_DENSE, WADI_PACKING_COUNT, "jittered: one grain in each cube of a grid, off its middle by chance; dense: hexagonal close packing", "", earth_packings),
    EARTH_NUMBER(spread, 0.2, 0.0, 0.9, "1", "radii lie between 1 - spread and 1 of the largest, evenly, so that no planes of equal grains slide", ""),
    EARTH_NUMBER(bond_reach, 0.5, 0.0, 0.5, "1", "grains nearer than this, share of the smaller radius, are bonded where both have strength", "radii that differ by 0.2 leave gaps of up to 0.4 between close-packed neighbours"),
    EARTH_NUMBER(step, 0.0, 0.0, 1.0, "s", "time step; 0: half of the stable one", "0.1 sqrt(m / k)"),
    EARTH_NUMBER(sleep_speed, 1e-3, 0.0, 10.0, "m/s", "grains slower than this may sleep; 0: no grain sleeps, and water and grains have one clock", ""),
    EARTH_NUMBER(friction, 0.5, 0.0, 5.0, "1", "Coulomb friction coefficient of the ground and of closed edges", ""),

    EARTH_NUMBER(settle, 0.0, 0.0, 1e4, "s", "longest time for settling between walls around all soil, and again after bonding, before the clock starts; then the walls are removed", ""),

    EARTH_NUMBER(rain, 0.0, 0.0, 3.6e6, "mm/h", "rain on surfaces open to the sky", "heavy rain: 10-100"),
    EARTH_NUMBER(rain_from, 0.0, 0.0, 1e10, "s", "time at which rain begins", ""),
    EARTH_NUMBER(rain_until, 1e10, 0.0, 1e10, "s", "time at which rain ends", ""),
    EARTH_NUMBER(evaporation, 0.0, 0.0, 1e6, "mm/d", "evaporation from wet ground open to the sky", "2-8 in summer"),
    EARTH_CHOICE(base, WADI_SEEPAGE_BASE_CLOSED, WADI_SEEPAGE_BASE_COUNT, "closed: no water drains below; free: water drains from the lowest grains by gravity", "", earth_bases),

    EARTH_NUMBER(water_step, 60.0, 1e-3, 1e6, "s", "longest time step of the water while all grains sleep", ""),
    EARTH_NUMBER(exchange, 0.01, 1e-6, 10.0, "s", "time of grain motion between two updates of the water", ""),
    EARTH_NUMBER(acceleration, 1.0, 1.0, 1e6, "1", "seconds of water per second of grain motion", "halving it shifts the time of failure by less than 10 %"),
    EARTH_NUMBER(interval, 0.0, 0.0, 1e7, "s", "time step of the process, which is a whole number of updates of the water; 0: the longer one of water_step and exchange x acceleration", ""),
};

static const wadi_field_group earth_groups[] = {
    {"diameter", "grains"},
    {"step", "motion"},
    {"rain", "water"},
    {"water_step", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_earth_fields =
    FIELD_TABLE_IN("earth", earth_field_list, wadi_earth_params, earth_groups);

wadi_earth_params wadi_earth_params_default(void)
{
    wadi_earth_params params;
    wadi_fields_init(&wadi_earth_fields, &params);
    return params;
}
