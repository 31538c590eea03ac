// SPDX-License-Identifier: MIT
// The parameter table of the process "dunes". There is no second list of these anywhere.
#include "airflow/airflow_rows.h"

#include <wadi/dunes.h>

#define DUNES_NUMBER(...) FIELD_NUMBER(wadi_dunes_params, __VA_ARGS__)

static const char* const dunes_modes[] = {"flux", "slab", NULL};

// clang-format off
static const wadi_field dunes_field_list[] = {
    FIELD_CHOICE(wadi_dunes_params, mode, WADI_DUNES_FLUX, WADI_DUNES_MODE_COUNT, "flux: a continuous flux of sand under the shear stress of the wind; slab: the article's slabs of sand that hop at random", "Paris et al. 2019 (slab)", dunes_modes),

    FIELD_CHOICE(wadi_dunes_params, regime, WADI_WIND_UNIMODAL, WADI_WIND_REGIME_COUNT, "winds of that speed which take turns about that direction: one, two at 60, 120 or 180 degrees, three, five, or seasons", "", wadi_wind_regime_names),
    DUNES_NUMBER(direction, 270.0, 0.0, 360.0, "degree", "where the wind comes from, clockwise from north: 270 blows to the east", "WMO convention"),
    DUNES_NUMBER(speed, 10.0, 0.1, 60.0, "m/s", "wind at 10 m above flat ground while it blows", "storms over sand seas 8-15 m/s"),
    DUNES_NUMBER(blowing, 0.125, 1e-6, 1.0, "1", "share of the year in which that wind blows", "1100 h/yr: with flux, 50 m2/yr, a lively dune field"),
    DUNES_NUMBER(cycle, 1.0, 1e-3, 1e4, "yr", "in which each wind of a regime, rose or schedule has its turn", "a turn should last ten steps: in shorter ones the air carries sand of the last wind"),
    DUNES_NUMBER(anemometer, 10.0, 0.1, 200.0, "m", "height at which the speeds of a table were measured; they are brought to 10 m", "logarithmic profile"),
    DUNES_NUMBER(roughness, 1e-3, 1e-6, 0.05, "m", "aerodynamic roughness of the ground there, for that", "bare sand 1e-4, with ripples or saltation 1e-3"),

    DUNES_NUMBER(threshold, 7.07, 0.0, 30.0, "m/s", "wind that begins to move dry sand", "6-8 m/s at 10 m: Fryberger & Dean 1979"),
    DUNES_NUMBER(flux, 400.0, 0.0, 1e5, "m2/yr", "saturated flux of a wind of 10 m/s that never stops", "Kok et al. 2012, quartz of 0.25 mm"),
    DUNES_NUMBER(inflow, 0.0, 0.0, 1.0, "1", "load of the wind that comes in over open edges, as a share of the saturated load", ""),
    DUNES_NUMBER(repose, 32.75, 10.0, 60.0, "degree", "slope at which sliding sand comes to rest; it starts to slide at half a degree more", "Duran et al. 2010: 32-34"),
    DUNES_NUMBER(plant_repose, 45.0, 10.0, 60.0, "degree", "the same under full plant cover", "Paris et al. 2019"),
    DUNES_NUMBER(plant_drag, 16.0, 0.0, 100.0, "1", "stress on the ground falls to 1 / (1 + this x cover)", "Raupach et al. 1993: ratio of drag coefficients x frontal area"),
    DUNES_NUMBER(plant_height, 0.5, 0.0, 20.0, "m", "height of a full cover, which casts shelter; in proportion below", "shrubs of coastal dunes"),
    DUNES_NUMBER(plant_growth, 0.0, 0.0, 100.0, "1/yr", "rate at which plants near their full height where the ground lies still; sand that moves faster than this x plant_height buries them or lays them bare; 0: cover is as given", "Duran & Herrmann 2006: 0.5-5"),
    DUNES_NUMBER(plant_rain, 1.0, 0.0, 1.0, "1", "share of the water that growing plants need; moist ground makes up for the rest", ""),
    DUNES_NUMBER(plant_wilting, 1.0, 0.0, 100.0, "1/yr", "rate at which growing plants die where there is no water", "shrubs and grasses in a drought: years to months"),
    DUNES_NUMBER(wet_gain, 1.5, 0.0, 10.0, "1", "threshold of wet sand over that of dry sand, less 1", "Fecan et al. 1999"),
    DUNES_NUMBER(abrasion, 0.0, 0.0, 1.0, "1/m", "bare rock worn per path and thickness of sand that flies over it", "scene scale 0.01-0.05; nature 1e-6 and less"),
    DUNES_NUMBER(edge_wear, 1.0, 0.0, 100.0, "1", "how much more convex edges wear", "measured: 1 makes yardangs, 4 turns them to lace"),
    DUNES_NUMBER(echo, 2.4, 0.0, 10.0, "1", "backward flux at the foot of cliffs steeper than 55 degrees, over the saturated flux; 0: none", "measured, for the gap and ridge of Tsoar 1983"),

    DUNES_NUMBER(saturation_length, 0.0, 0.0, 1e4, "m", "path in which the load of the wind adjusts, a twentieth of the spacing of the first dunes; 0: 2 m, or a cell where that is more", "Andreotti et al. 2010: 1-2 m"),
    DUNES_NUMBER(shear_gain, 3.5, 0.0, 10.0, "1", "speed-up of the stress by the shape of the ground (A)", "Fourriere et al. 2010: 3-4"),
    DUNES_NUMBER(shear_lead, 0.5, 0.0, 2.0, "1", "in-phase part of that gain (B / A)", "Claudin et al. 2013: 0.3-0.6"),
    DUNES_NUMBER(shelter_angle, 15.0, 5.0, 30.0, "degree", "angle at which the wind comes down again behind a brink", "Werner 1995"),
    DUNES_NUMBER(creep, 0.8, 0.0, 2.0, "1", "flux down a slope, per flux along the wind and slope", "measured: 0 leaves streaks along the wind"),
    DUNES_NUMBER(deflection, 0.65, 0.0, 4.0, "1", "turning of the flux by the shape of the ground across the wind", "measured: 0 makes two families of crests at 45 degrees, 1.5 barchans without horns, 0.5 stars with stumps for arms"),

    DUNES_NUMBER(step_flux, 0.25, 1e-3, 0.5, "1", "sand that crosses a cell in a step, as a share of cell size squared", "measured: at 1 dunes turn to symmetric ripples"),

    AIRFLOW_ROWS(wadi_dunes_params),

    DUNES_NUMBER(slab_thickness, 0.1, 1e-3, 1.0, "m", "sand that leaves a cell at once; with flux and hop it sets the step", "Paris et al. 2019"),
    DUNES_NUMBER(slab_hop, 8.0, 0.01, 1e3, "m", "flight of a slab from one landing to the next in the wind slab_wind, in proportion in others", "Paris et al. 2019: the longest"),
    DUNES_NUMBER(slab_wind, 15.0, 0.1, 100.0, "m/s", "wind in which slabs fly that far", "the strongest of the article's rose"),
    DUNES_NUMBER(slab_spread, 0.5, 0.0, 1.0, "1", "flights stray from their mean, along and across, evenly by up to this share of it", "measured: at 0 crests lock to the length of a hop"),
    DUNES_NUMBER(slab_settle_sand, 0.6, 0.05, 1.0, "1", "chance that a slab comes to rest where it lands on sand", "Werner 1995"),
    DUNES_NUMBER(slab_settle_rock, 0.4, 0.05, 1.0, "1", "the same on bare rock", "Werner 1995"),
    DUNES_NUMBER(slab_reptation, 0.1, 0.0, 100.0, "m", "way that grains struck by a slab roll down a slope of 1", "Paris et al. 2019"),
    DUNES_NUMBER(slab_wear, 4.0, 0.0, 1e3, "mm/yr", "most that striking sand wears of rock of hardness 0", "Paris et al. 2019"),
    DUNES_NUMBER(slab_wear_gain, 1.0, 0.0, 1e4, "1", "rock is worn so many times as fast", "Paris et al. 2019: 12.5"),
    DUNES_NUMBER(slab_bare_depth, 0.25, 0.0, 10.0, "m", "sand thinner than this lets rock be worn", "Paris et al. 2019"),
    FIELD_WHOLE(wadi_dunes_params, slab_turns, 1, 1, 64, "turns in which the cells give their slabs in a step, each over the ground that the last one left; 1: all at once", "measured: 8 are as good as one slab after the other, at 8 times the cost"),
};
// clang-format on

const wadi_field_table wadi_dunes_fields =
    FIELD_TABLE("dunes", dunes_field_list, wadi_dunes_params);

wadi_dunes_params wadi_dunes_params_default(void)
{
    wadi_dunes_params params;
    wadi_fields_init(&wadi_dunes_fields, &params);
    return params;
}
