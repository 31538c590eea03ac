// SPDX-License-Identifier: MIT
// The parameter table of the process "coast".
#include "core/field_rows.h"

#include <wadi/coast.h>

#define COAST_NUMBER(...) FIELD_NUMBER(wadi_coast_params, __VA_ARGS__)
#define COAST_WHOLE(...) FIELD_WHOLE(wadi_coast_params, __VA_ARGS__)

// clang-format off
static const wadi_field coast_field_list[] = {
    COAST_NUMBER(fetch, 100000.0, 10.0, 1e7, "m", "open water at which waves are fully grown; their power grows in proportion up to there", "power of fetch-limited waves ~ fetch: Hasselmann et al. 1973"),
    COAST_NUMBER(direction, 270.0, 0.0, 360.0, "degree", "direction from which the strongest waves come, clockwise from north", ""),
    COAST_NUMBER(focus, 0.3, 0.0, 1.0, "1", "share of the waves that come from about that direction; the rest come from all sides", ""),
    COAST_NUMBER(wave_base, 8.0, 0.1, 200.0, "m", "depth at which waves act on the bed with 1/e of their strength", "5-10 m: Anderson et al. 1999"),
    COAST_NUMBER(surf, 400.0, 1.0, 1e5, "m", "width of shallow water that takes 1 - 1/e of the power of waves", "shore platforms 100-1000 m wide: Trenhaile 2000"),

    COAST_NUMBER(retreat, 0.05, 0.0, 10.0, "m/yr", "retreat of cliffs of hardness 0 under full waves", "granite 0.001, limestone 0.001-0.01, flysch 0.01, Tertiary rock 0.1, drift 1 m/yr: Sunamura 1992"),
    COAST_NUMBER(beach, 10.0, 1.0, 1000.0, "1", "loose matter at the shore retreats that many times faster than rock of hardness 0", "drift 1 m/yr, Tertiary rock 0.1 m/yr: Sunamura 1992"),
    COAST_NUMBER(downwear, 0.5, 0.0, 100.0, "mm/yr", "lowering of bare rock of hardness 0 at the shore under full waves", "0.1-5 mm/yr: Stephenson & Kirk 1998"),
    COAST_NUMBER(cover, 1.0, 0.01, 100.0, "m", "thickness of sediment that protects the rock below it from waves", ""),
    COAST_NUMBER(cliff, 70.0, 1.0, 90.0, "degree", "rock of hardness 0 falls from steeper slopes; 90: never", "sea cliffs stand at 45-90: Emery & Kuhn 1982"),
    COAST_NUMBER(fines, 0.6, 0.0, 1.0, "1", "share of the worn rock that waves carry away in suspension; loose matter has lost it before", "a quarter to all of cliff rock is finer than beaches hold: Sunamura 1992"),

    COAST_NUMBER(repose, 32.0, 1.0, 80.0, "degree", "slope of loose matter on land, and below the reach of waves", "sand 30-34"),
    COAST_NUMBER(shore_slope, 0.015, 1e-4, 1.0, "1", "slope to which full waves and currents smooth loose matter at the shore", "shorefaces 0.005-0.03: Bruun 1954"),

    COAST_NUMBER(max_step, 200.0, 1e-3, 1e5, "yr", "step length; shorter where a cliff retreats by a fifth of a cell in that time", "measured: 100 yr wear 3 % less rock, 50 yr 6 % (docs/theory/coast.md)"),
    COAST_WHOLE(sweeps, 64, 1, 1000000, "most sweeps of sliding in each step; what is left goes on in the next", ""),
};

static const wadi_field_group coast_groups[] = {
    {"fetch", "waves"},
    {"retreat", "cliffs and beach"},
    {"repose", "slopes"},
    {"max_step", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_coast_fields =
    FIELD_TABLE_IN("coast", coast_field_list, wadi_coast_params, coast_groups);

wadi_coast_params wadi_coast_params_default(void)
{
    wadi_coast_params params;
    wadi_fields_init(&wadi_coast_fields, &params);
    return params;
}
