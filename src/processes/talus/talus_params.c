// SPDX-License-Identifier: MIT
// The parameter table of the process "talus".
#include "core/field_rows.h"

#include <wadi/talus.h>

#define TALUS_NUMBER(...) FIELD_NUMBER(wadi_talus_params, __VA_ARGS__)
#define TALUS_WHOLE(...) FIELD_WHOLE(wadi_talus_params, __VA_ARGS__)

// clang-format off
static const wadi_field talus_field_list[] = {
    TALUS_NUMBER(repose, 35.0, 1.0, 80.0, "degree", "slope at which sliding sediment comes to rest", "scree 32-38: Statham 1976; dry sand 30-34"),
    TALUS_NUMBER(plant_repose, 45.0, 1.0, 80.0, "degree", "angle of repose under full plant cover; interpolated for partial cover", "30 to 45 under plants: Paris et al. 2019"),
    TALUS_NUMBER(hysteresis, 0.5, 0.0, 0.8, "degree", "sediment starts to slide at repose + hysteresis", "grains need 1-2: Bagnold 1941; measured: 0.5 takes a fifth fewer sweeps than 0.1"),
    TALUS_NUMBER(rock_repose, 75.0, 1.0, 90.0, "degree", "rock of hardness 0 breaks on steeper slopes; 90: never", "walls of fractured rock stand at 50-80: Selby 1993"),

    TALUS_NUMBER(weathering, 0.5, 0.0, 100.0, "mm/yr", "retreat of bare rock, normal to its face", "alpine rock walls 0.1-3: Krautblatter & Dikau 2007"),
    TALUS_NUMBER(cover_depth, 0.4, 0.01, 100.0, "m", "depth of sediment that reduces weathering to 1/e", "0.4-0.5 m: Heimsath et al. 1997"),

    TALUS_NUMBER(max_step, 500.0, 1e-6, 1e6, "yr", "step length: weathering, then slides", "measured: 250 instead changes results by 2.4 %"),
    TALUS_WHOLE(sweeps, 0, 0, 1000000, "sweeps of sliding after each step; 0: until nothing moves", "few sweeps: slides spread over several steps"),
};

static const wadi_field_group talus_groups[] = {
    {"repose", "slopes"},
    {"weathering", "weathering"},
    {"max_step", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_talus_fields =
    FIELD_TABLE_IN("talus", talus_field_list, wadi_talus_params, talus_groups);

wadi_talus_params wadi_talus_params_default(void)
{
    wadi_talus_params params;
    wadi_fields_init(&wadi_talus_fields, &params);
    return params;
}
