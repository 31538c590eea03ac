// SPDX-License-Identifier: MIT
// The parameter table of the process "wind". There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/airflow.h>
#include <wadi/wind.h>

#define WIND_NUMBER(...) FIELD_NUMBER(wadi_wind_params, __VA_ARGS__)

static const char* const wind_models[] = {"saltation", "grains", NULL};

// clang-format off
static const wadi_field wind_field_list[] = {
    {"model", WADI_FIELD_ENUM, offsetof(wadi_wind_params, model), 0, 0, 1, "1",
     "saltation: parcels of sand that fly, slide and settle; grains: the article's particles",
     "McDonald 2020, 'Particle-Based Wind Erosion' (grains)", wind_models},

    {"regime", WADI_FIELD_ENUM, offsetof(wadi_wind_params, regime), 0, 0,
     WADI_WIND_REGIME_COUNT - 1, "1",
     "winds of that speed which take turns about that direction: one, two at 60, 120 or 180 "
     "degrees, three, five, or seasons; saltation only",
     "", wadi_wind_regime_names},
    WIND_NUMBER(direction, 270.0, 0.0, 360.0, "degree", "where the wind comes from, clockwise from north: 270 blows to the east", "WMO convention"),
    WIND_NUMBER(speed, 10.0, 0.1, 60.0, "m/s", "wind at 10 m above flat ground while it blows", "storms over sand seas 8-15 m/s"),
    WIND_NUMBER(blowing, 0.125, 1e-6, 1.0, "1", "share of the year in which that wind blows", "1100 h/yr: with flux, 50 m2/yr, a lively dune field"),

    WIND_NUMBER(cycle, 1.0, 1e-3, 1e4, "yr", "in which each wind of a regime, rose or schedule has its turn", ""),
    WIND_NUMBER(anemometer, 10.0, 0.1, 200.0, "m", "height at which the speeds of a table were measured; they are brought to 10 m", "logarithmic profile"),
    WIND_NUMBER(roughness, 1e-3, 1e-6, 0.05, "m", "aerodynamic roughness of the ground there, for that", "bare sand 1e-4, with ripples or saltation 1e-3"),

    WIND_NUMBER(threshold, 7.07, 0.0, 30.0, "m/s", "wind that begins to move dry sand", "6-8 m/s at 10 m: Fryberger & Dean 1979"),
    WIND_NUMBER(flux, 400.0, 0.0, 1e5, "m2/yr", "saturated flux of a wind of 10 m/s that never stops", "Kok et al. 2012, quartz of 0.25 mm"),
    WIND_NUMBER(inflow, 0.0, 0.0, 1.0, "1", "load of the wind that comes in over open edges, as a share of the saturated load", ""),
    WIND_NUMBER(fall_speed, 2.0, 0.05, 20.0, "m/s", "settling speed of the grains", "quartz of 0.25 mm: Ferguson & Church 2004"),
    WIND_NUMBER(updraught, 0.0, 0.0, 20.0, "m/s", "mean lift of the air: grains that fall slower stay aloft and are dust", "convective boundary layers 0.1-1 m/s"),
    WIND_NUMBER(feature_size, 0.0, 0.0, 1e4, "m", "spacing of the first dunes on flat sand; 0: 20 m, or 28 cells where that is more", "nature 15-40 m: Elbelrhiti et al. 2005"),
    WIND_NUMBER(turbulence, 0.6, 0.0, 2.0, "1", "crosswind mixing, as a share of the wind", "measured: below 0.4 crests tear"),

    WIND_NUMBER(memory_gain, 2.5, 0.0, 10.0, "1", "speed-up of the wind per slope that it has climbed", "measured: 0 makes no dunes"),
    WIND_NUMBER(ahead_gain, 1.0, 0.0, 10.0, "1", "slow-down of the wind per slope ahead", "measured: 0 makes steep, symmetric dunes"),
    WIND_NUMBER(max_speedup, 1.87, 1.0, 4.0, "1", "cap of the wind over dunes, as a share of the prevailing wind", "Lancaster 1985: 1.4-1.8 on crests; measured: 1.8 steepens large dunes, above 2 their speed does not fall with height"),

    WIND_NUMBER(momentum, 0.0, 0.0, 5.0, "1", "how far the wind follows where parcels crowd (gaps between obstacles) or lack (lees)", ""),

    WIND_NUMBER(creep, 0.4, 0.0, 4.0, "1", "sand flux down a slope, per flux along the wind and slope", "measured: 0 leaves short waves, stoss p95 33"),
    WIND_NUMBER(repose, 32.5, 10.0, 60.0, "degree", "steepest dry sand", "Duran et al. 2010: 32-34"),
    WIND_NUMBER(plant_repose, 45.0, 10.0, 80.0, "degree", "the same under full plant cover; between them by cover", "30 to 45 under plants: Paris et al. 2019"),
    WIND_NUMBER(abrasion, 1e-3, 0.0, 1.0, "1/m", "rock worn per path and thickness of sand that strikes it", "scene scale; nature 1e-6 and less"),
    WIND_NUMBER(edge_wear, 4.0, 0.0, 100.0, "1", "how much more convex edges wear", "measured: without it edges wear 0.8-1.7 times as much as faces"),
    WIND_NUMBER(hard_bed, 2.0, 1.0, 5.0, "1", "capacity over bare rock, as a share of that over sand", "grains rebound better: Bagnold 1941; Ho et al. 2011"),
    WIND_NUMBER(plant_drag, 5.0, 0.0, 100.0, "1", "stress on the ground falls to 1 / (1 + this x cover)", "Raupach 1992"),
    WIND_NUMBER(wet_gain, 1.5, 0.0, 10.0, "1", "threshold of wet sand over that of dry sand, less 1", "Fecan et al. 1999"),

    WIND_NUMBER(batch_flux, 0.1, 1e-3, 0.2, "1", "sand that crosses a cell in a batch, as a share of cell size squared", "measured: at 0.8 dunes turn to symmetric ripples"),
    WIND_NUMBER(visits, 1.0, 0.05, 4.0, "1", "parcel steps per cell and batch", "measured: 0.5 makes dunes 15 % higher"),
    {"closing", WADI_FIELD_BOOL, offsetof(wadi_wind_params, closing), 1, 0, 1, "1",
     "at the end of a run all sand comes to rest at repose", "", NULL},

    WIND_NUMBER(grains_per_cell, 100.0, 0.0, 1e6, "1", "grains per cell of width across the wind, in the default duration", "article: 250 at a time, for as long as one looks"),
    WIND_NUMBER(grain_step, 0.25, 1e-3, 1.0, "1", "dt", "article"),
    WIND_NUMBER(grain_wind, 1.4142135623730951, 1e-3, 10.0, "1", "prevailing wind of a grain where speed is 10 m/s, in cells per unit of time", "article: (1, 1); repository: 2"),
    WIND_NUMBER(grain_suspension, 1e-4, 0.0, 0.5, "1", "rate of lifting and of laying down", "article; repository: 0.002"),
    WIND_NUMBER(grain_abrasion, 1e-4, 0.0, 10.0, "1", "rate of rubbing bare rock", "article; repository: 0.01"),
    WIND_NUMBER(grain_roughness, 0.005, 0.0, 1.0, "1", "difference of two neighbours that stands, in heights", "article"),
    WIND_NUMBER(grain_settling, 0.01, 0.0, 1.0, "1", "rate at which a cascade moves what exceeds that", "article; repository: 0.05"),
    WIND_NUMBER(grain_scale, 80.0, 0.1, 1e4, "1", "height that the article calls 1, in cells", "repository"),
    WIND_NUMBER(grain_mass, 0.01, 0.0, 100.0, "1", "of a grain without load, in heights on one cell: without it a fresh grain cuts no rock", "measured: load of a grain that has crossed 256 cells of sand"),
};
// clang-format on

const wadi_field_table wadi_wind_fields = FIELD_TABLE("wind", wind_field_list, wadi_wind_params);

wadi_wind_params wadi_wind_params_default(void)
{
    wadi_wind_params params;
    wadi_fields_init(&wadi_wind_fields, &params);
    return params;
}
