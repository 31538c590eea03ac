// SPDX-License-Identifier: MIT
// The parameter table of the process "wind", the only list of its parameters.
#include "laws/sand/sand_rows.h"
#include "laws/wind/wind_rows.h"

#include <wadi/airflow.h>
#include <wadi/wind.h>

#define WIND_NUMBER(...) FIELD_NUMBER(wadi_wind_params, __VA_ARGS__)
#define WIND_CHOICE(...) FIELD_CHOICE(wadi_wind_params, __VA_ARGS__)
#define GRAINS_NUMBER(...)                                                                         \
    FIELD_NUMBER_OF(wadi_wind_params, FIELD_MODEL(WADI_WIND_GRAINS), __VA_ARGS__)
#define SALTATION_NUMBER(...)                                                                      \
    FIELD_NUMBER_OF(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION), __VA_ARGS__)
#define SALTATION_WHOLE(...)                                                                       \
    FIELD_WHOLE_OF(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION), __VA_ARGS__)
#define SALTATION_SWITCH(...)                                                                      \
    FIELD_SWITCH_OF(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION), __VA_ARGS__)
#define SALTATION_CHOICE(...)                                                                      \
    FIELD_CHOICE_OF(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION), __VA_ARGS__)

static const char* const wind_models[] = {"saltation", "grains", NULL};

// clang-format off
static const wadi_field wind_field_list[] = {
    WIND_CHOICE(model, WADI_WIND_SALTATION, WADI_WIND_MODEL_COUNT, "saltation: parcels of sand that fly, slide and settle; grains: the article's particles", "McDonald 2020, 'Particle-Based Wind Erosion' (grains)", wind_models),

    WIND_REGIME_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),

    SALTATION_NUMBER(cycle, 1.0, 1e-3, 1e4, "yr", "period in which every wind of a regime, rose or schedule blows once", ""),
    WIND_STATION_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),

    WIND_FLUX_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),
    SALTATION_NUMBER(fall_speed, 2.0, 0.05, 20.0, "m/s", "settling speed of the grains", "quartz of 0.25 mm: Ferguson & Church 2004"),
    SALTATION_NUMBER(updraught, 0.0, 0.0, 20.0, "m/s", "mean updraught of the air: grains with a lower fall_speed stay aloft as dust", "convective boundary layers 0.1-1 m/s"),
    SALTATION_NUMBER(feature_size, 0.0, 0.0, 1e4, "m", "spacing of the first dunes on flat sand; 0: 56 m (a saturation length of 2 m), or 28 cells on cells above 4 m, which are too coarse for that", "saturation length 1-2 m: Andreotti et al. 2010; nature 15-40 m: Elbelrhiti et al. 2005"),
    SALTATION_NUMBER(turbulence, 0.6, 0.0, 2.0, "1", "crosswind turbulence, as a share of the wind speed", "measured: below 0.4 crests break up"),

    SALTATION_NUMBER(memory_gain, 2.5, 0.0, 10.0, "1", "speed-up of the wind per upwind slope climbed", "measured: 0 makes no dunes"),
    SALTATION_NUMBER(ahead_gain, 1.0, 0.0, 10.0, "1", "slow-down of the wind per rising slope ahead", "measured: 0 makes steep, symmetric dunes"),
    SALTATION_NUMBER(max_speedup, 1.75, 1.0, 4.0, "1", "cap of the wind speed over dunes, over that of the prevailing wind", "Lancaster 1985: 1.4-1.8 on crests; measured: lower caps steepen large dunes, above 1.8 their speed does not fall with height"),

    SALTATION_NUMBER(momentum, 0.0, 0.0, 5.0, "1", "feedback of the parcel density: more wind in gaps between obstacles, less in lees; 0: none", ""),

    SALTATION_NUMBER(creep, 0.4, 0.0, 4.0, "1", "downslope sand flux (reptation) per unit of wind flux and slope", "measured: 0 leaves short waves; 95th percentile of stoss slopes 33 degrees"),
    SALTATION_NUMBER(repose, 32.5, 10.0, 60.0, "degree", "angle of repose of dry sand", "Duran et al. 2010: 32-34"),
    SALTATION_NUMBER(plant_repose, 45.0, 10.0, 80.0, "degree", "angle of repose under full plant cover; interpolated by cover", "30 to 45 under plants: Paris et al. 2019"),
    SALTATION_NUMBER(abrasion, 1e-3, 0.0, 1.0, "1/m", "rock worn per metre of path and metre of sand that strikes it", "scene scale; nature 1e-6 and less"),
    SALTATION_NUMBER(edge_wear, 4.0, 0.0, 100.0, "1", "extra wear of convex edges, per slope", "measured: without it edges wear 0.8-1.7 times as much as faces"),
    SALTATION_NUMBER(hard_bed, 2.0, 1.0, 5.0, "1", "transport capacity over bare rock, over that over sand", "grains rebound better: Bagnold 1941; Ho et al. 2011"),
    SAND_SKIN_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),
    SAND_WATER_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),
    SAND_STORM_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),
    SAND_TOP_ROWS(wadi_wind_params, FIELD_MODEL(WADI_WIND_SALTATION)),

    WIND_NUMBER(step, 0.0, 0.0, 1e6, "yr", "fixed time step; 0: saltation takes 32 batches of the mean wind (16 with momentum), at most 100 yr, and whole parts of the cycle of the winds; grains 16 batches", "measured: no effect beyond the rounding of batches"),
    SALTATION_NUMBER(batch_flux, 0.1, 1e-3, 0.2, "1", "sand that crosses a cell in a batch, as a share of cell size squared", "measured: at 0.8 dunes become symmetric ripples"),
    SALTATION_NUMBER(visits, 1.0, 0.05, 4.0, "1", "parcel steps per cell and batch", "measured: 0.5 makes dunes 15 % higher"),
    SALTATION_WHOLE(spread, 3, 0, 8, "passes that spread the exchange of sand over neighbouring cells where the ground does not fall downwind; 0: none", "measured: relief shorter than 10 m 2.6 cm with 3, 8.5 cm with 0"),
    SALTATION_SWITCH(closing, 1, "relax all slopes to the angle of repose at the end of a run, when sand in the air settles", ""),

    GRAINS_NUMBER(grains_per_cell, 100.0, 0.0, 1e6, "1", "grains per cell of width across the wind, in the default duration", "article: 250 at a time, without a fixed end"),
    GRAINS_NUMBER(grain_step, 0.25, 1e-3, 1.0, "1", "time step of a grain, in the article's units", "article"),
    GRAINS_NUMBER(grain_wind, 1.4142135623730951, 1e-3, 10.0, "1", "speed of the prevailing wind for grains at `speed` 10 m/s, in cells per unit of time", "article: (1, 1); repository: 2"),
    GRAINS_NUMBER(grain_suspension, 1e-4, 0.0, 0.5, "1", "rate of lifting and deposition of sand", "article; repository: 0.002"),
    GRAINS_NUMBER(grain_abrasion, 1e-4, 0.0, 10.0, "1", "rate of abrasion of bare rock", "article; repository: 0.01"),
    GRAINS_NUMBER(grain_roughness, 0.005, 0.0, 1.0, "1", "stable height difference of two neighbouring cells, in units of grain_scale", "article"),
    GRAINS_NUMBER(grain_settling, 0.01, 0.0, 1.0, "1", "rate at which a cascade moves sand above that difference", "article; repository: 0.05"),
    GRAINS_NUMBER(grain_scale, 80.0, 0.1, 1e4, "1", "height of 1 in the article's units, in cells", "repository"),
    GRAINS_NUMBER(grain_mass, 0.01, 0.0, 100.0, "1", "mass of a grain without load, as a height on one cell in the article's units; at 0 a new grain wears no rock", "measured: load of a grain that has crossed 256 cells of sand"),
};

static const wadi_field_group wind_groups[] = {
    {"model", "model"},
    {"regime", "wind"},
    {"threshold", "sand flux"},
    {"feature_size", "air flow"},
    {"creep", "slopes"},
    {"abrasion", "abrasion"},
    {"plant_drag", "plants and moisture"},
    {"shore_supply", "shore"},
    {"storm_speed", "storms"},
    {"crust_gain", "crusts"},
    {"coarse_share", "coarse grains"},
    {"dry_rate", "drying"},
    {"step", "steps"},
    {"grains_per_cell", "grains"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_wind_fields =
    FIELD_TABLE_IN("wind", wind_field_list, wadi_wind_params, wind_groups);

wadi_wind_params wadi_wind_params_default(void)
{
    wadi_wind_params params;
    wadi_fields_init(&wadi_wind_fields, &params);
    return params;
}
