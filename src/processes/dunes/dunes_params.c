// SPDX-License-Identifier: MIT
// The parameter table of the process "dunes", the only list of its parameters.
#include "laws/sand/sand_rows.h"
#include "laws/wind/airflow_rows.h"
#include "laws/wind/wind_rows.h"

#include <wadi/dunes.h>

#define DUNES_NUMBER(...) FIELD_NUMBER(wadi_dunes_params, __VA_ARGS__)
#define DUNES_CHOICE(...) FIELD_CHOICE(wadi_dunes_params, __VA_ARGS__)
#define FLUX_NUMBER(...)                                                                           \
    FIELD_NUMBER_OF(wadi_dunes_params, FIELD_MODEL(WADI_DUNES_FLUX), __VA_ARGS__)
#define SLAB_NUMBER(...)                                                                           \
    FIELD_NUMBER_OF(wadi_dunes_params, FIELD_MODEL(WADI_DUNES_SLAB), __VA_ARGS__)
#define SLAB_CHOICE(...)                                                                           \
    FIELD_CHOICE_OF(wadi_dunes_params, FIELD_MODEL(WADI_DUNES_SLAB), __VA_ARGS__)
#define SLAB_WHOLE(...) FIELD_WHOLE_OF(wadi_dunes_params, FIELD_MODEL(WADI_DUNES_SLAB), __VA_ARGS__)

static const char* const dunes_models[] = {"flux", "slab", NULL};
static const char* const dunes_slab_laws[] = {"common", "article", NULL};

// clang-format off
static const wadi_field dunes_field_list[] = {
    DUNES_CHOICE(model, WADI_DUNES_FLUX, WADI_DUNES_MODEL_COUNT, "flux: a continuous flux of sand under the shear stress of the wind; slab: the article's slabs of sand that hop at random", "Paris et al. 2019 (slab)", dunes_models),

    WIND_REGIME_ROWS(wadi_dunes_params, 0),
    DUNES_NUMBER(cycle, 1.0, 1e-3, 1e4, "yr", "period in which every wind of a regime, rose or schedule blows once", "each wind should blow for ten steps or more; in fewer the air still carries sand of the previous wind"),
    WIND_STATION_ROWS(wadi_dunes_params, 0),

    WIND_FLUX_ROWS(wadi_dunes_params, 0),
    DUNES_NUMBER(repose, 32.75, 10.0, 60.0, "degree", "angle of repose, at which sliding sand stops; sliding starts half a degree above it", "Duran et al. 2010: 32-34"),
    DUNES_NUMBER(plant_repose, 45.0, 10.0, 60.0, "degree", "angle of repose under full plant cover", "Paris et al. 2019"),
    SAND_SKIN_ROWS(wadi_dunes_params, 0),
    SAND_WATER_ROWS(wadi_dunes_params, 0),
    SAND_STORM_ROWS(wadi_dunes_params, FIELD_MODEL(WADI_DUNES_FLUX)),
    DUNES_NUMBER(plant_height, 0.5, 0.0, 20.0, "m", "height of full cover, which shelters the ground; proportional for less cover", "shrubs of coastal dunes"),
    DUNES_NUMBER(plant_growth, 0.0, 0.0, 100.0, "1/yr", "growth rate of plants towards their full height on stable ground; erosion or deposition faster than plant_growth x plant_height kills them; 0: constant cover", "Duran & Herrmann 2006: 0.5-5"),
    DUNES_NUMBER(plant_roots, 0.2, 0.0, 10.0, "1", "thinnest sand that plants grow on, over plant_height; 0: they grow on bare ground too, as on a moist plain; if plant_growth is above 0", ""),
    DUNES_NUMBER(plant_uproot, 1.0, 0.0, 100.0, "1", "loss of plants by erosion, over that by as much deposition: dune grasses outgrow burial, but not bare roots; if plant_growth is above 0", "Maun 1998: they outgrow 0.5-1 m/yr of sand"),
    DUNES_NUMBER(plant_burial, 0.0, 0.0, 10.0, "m/yr", "burial at which plants grow best: what differs from it, burial or erosion, kills them; if plant_growth is above 0", "van Westen et al. 2024 (AeoLiS): 0.2; Maun 1998: marram 0.3-0.8"),
    DUNES_NUMBER(plant_spread, 0.0, 0.0, 1e3, "m/yr", "speed at which plants spread over stable ground from where they stand, by roots; growth is then logistic, with the rate plant_growth; 0: seeds are everywhere, and plants start in any cell", "Keijsers et al. 2016: dune grasses 0.5-4"),
    DUNES_NUMBER(plant_rain, 1.0, 0.0, 1.0, "1", "share of the plants' water demand met by rain; the layer moisture can supply the rest", ""),
    DUNES_NUMBER(plant_wilting, 1.0, 0.0, 100.0, "1/yr", "rate at which plants die without water, if plant_growth is above 0", "shrubs and grasses in a drought: years to months"),
    SAND_TOP_ROWS(wadi_dunes_params, 0),
    FLUX_NUMBER(abrasion, 0.0, 0.0, 1.0, "1/m", "bare rock worn per metre of path and metre of sand that passes over it", "scene scale 0.01-0.05; nature 1e-6 and less"),
    FLUX_NUMBER(abrasion_height, 0.0, 0.0, 1e3, "m", "grains fly close to the floor between ridges: the height above it over which abrasion falls to a third; 0: no such limit", "Anderson 1986: 0.1-1; scene scale: that of the cells"),
    FLUX_NUMBER(dust, 0.0, 0.0, 1.0, "1", "share of the worn rock that is silt and clay: the wind carries it away and it is lost; the rest becomes sand", "Ward & Greeley 1984: nearly all of it in lake beds"),
    FLUX_NUMBER(edge_wear, 1.0, 0.0, 100.0, "1", "extra wear of convex edges, per curvature", "measured: 1 makes yardangs, 4 cuts them into fine ridges"),
    FLUX_NUMBER(echo, 2.4, 0.0, 10.0, "1", "upwind flux of the eddy at the foot of cliffs steeper than 55 degrees, over the saturated flux; 0: none", "measured, for the gap and ridge of Tsoar 1983"),

    FLUX_NUMBER(saturation_length, 0.0, 0.0, 1e4, "m", "saturation length of the sand load, a twentieth of the spacing of the first dunes; 0: 2 m, or one cell if that is more", "Andreotti et al. 2010: 1-2 m"),
    FLUX_NUMBER(shear_gain, 3.5, 0.0, 10.0, "1", "response of the shear stress to the shape of the ground (A)", "Fourriere et al. 2010: 3-4"),
    FLUX_NUMBER(shear_lead, 0.5, 0.0, 2.0, "1", "part of that response in phase with the slope (B / A)", "Claudin et al. 2013: 0.3-0.6"),
    FLUX_NUMBER(shear_across, 0.0, 0.0, 1.0, "1", "response to oblique ridges as to ridges across the wind, as a share of shear_gain; 0: linear theory; 0.7: straight ridges reach the same height at any angle up to 40 degrees, and unequal winds turn crests as Rubin & Hunter (1987) say, but two winds make no single fingers", "measured, see docs/theory/dunes.md"),
    FLUX_NUMBER(shelter_angle, 15.0, 5.0, 30.0, "degree", "angle at which the sheltered zone in the lee of a brink descends", "Werner 1995"),
    FLUX_NUMBER(creep, 0.8, 0.0, 2.0, "1", "downslope sand flux (reptation) per unit of wind flux and slope", "measured: 0 leaves streaks along the wind"),
    FLUX_NUMBER(deflection, 0.65, 0.0, 4.0, "1", "crosswind deflection of the flux by the shape of the ground", "measured: 0 makes two families of crests at 45 degrees, 1.5 barchans without horns, 0.5 star dunes with short arms"),
    FLUX_NUMBER(hard_bed, 1.0, 1.0, 4.0, "1", "saturated load over bare rock, over that over sand: grains rebound better from rock, so sand gathers in patches", "Ho et al. 2011: 1.5-2 over a rigid bed"),
    FLUX_NUMBER(streamers, 0.0, 0.0, 1.0, "1", "gusts: the stress, and the load at open inflow edges, vary by up to about this share from place to place and with time, by the seed; 0: steady wind", "measured: 0.3 breaks a thin sheet into barchans"),
    FLUX_NUMBER(streamer_size, 0.0, 0.0, 1e5, "m", "distance of independent streamers; 0: 15 saturation lengths", "Baas & Sherman 2005: streamers of metres join to lanes"),
    FLUX_NUMBER(streamer_life, 0.0, 0.0, 1e6, "m2", "sand that passes flat ground until streamers have changed; 0: 5 saturation lengths squared, 20 m2", "measured: gusts that last long enough to start a dune"),

    DUNES_NUMBER(step, 0.0, 0.0, 1e4, "yr", "interval at which plants, cliffs and the wind over the relief are updated, cut into short steps by step_flux or slab_thickness; 0: the time of 20 short steps with flux, 10 with slab, on the mean over the winds", "dunes move less than 2 m in it, the narrow radius of the relief is 50 m"),
    FLUX_NUMBER(step_flux, 0.25, 1e-3, 0.5, "1", "sand that crosses a cell in a short step, as a share of cell size squared", "measured: at 1 dunes become symmetric ripples"),

    AIRFLOW_ROWS(wadi_dunes_params, FIELD_MODEL(WADI_DUNES_SLAB)),

    SLAB_CHOICE(slab_law, WADI_DUNES_SLAB_COMMON, WADI_DUNES_SLAB_LAW_COUNT, "common: the flux grows with wind, plants and moisture by the law of all models; article: each cell lifts one slab above the threshold, less by its cover", "docs/theory/sand.md; Paris et al. 2019 (article)", dunes_slab_laws),
    SLAB_NUMBER(slab_thickness, 0.1, 1e-3, 1.0, "m", "thickness of a slab, by slab_law common in a wind of 10 m/s; with flux and slab_hop it sets the short step", "Paris et al. 2019"),
    SLAB_NUMBER(slab_hop, 8.0, 0.01, 1e3, "m", "hop length of a slab at wind speed slab_wind; proportional to the wind speed", "Paris et al. 2019: the longest"),
    SLAB_NUMBER(slab_wind, 15.0, 0.1, 100.0, "m/s", "wind speed at which the hop length is slab_hop", "the strongest of the article's rose"),
    SLAB_NUMBER(slab_spread, 0.5, 0.0, 1.0, "1", "scatter of hops around their mean, along and across the wind, uniform up to this share of it", "measured: at 0 crests lock to the length of a hop"),
    SLAB_NUMBER(slab_settle_sand, 0.6, 0.05, 1.0, "1", "chance that a slab comes to rest where it lands on sand", "Werner 1995"),
    SLAB_NUMBER(slab_settle_rock, 0.4, 0.05, 1.0, "1", "chance that a slab comes to rest where it lands on bare rock", "Werner 1995"),
    SLAB_NUMBER(slab_reptation, 0.1, 0.0, 100.0, "m", "distance that grains hit by a slab roll down a slope of 1", "Paris et al. 2019"),
    SLAB_NUMBER(slab_wear, 4.0, 0.0, 1e3, "mm/yr", "largest wear rate of rock of hardness 0 by impacts of sand", "Paris et al. 2019"),
    SLAB_NUMBER(slab_wear_gain, 1.0, 0.0, 1e4, "1", "factor of slab_wear", "Paris et al. 2019: 12.5"),
    SLAB_NUMBER(slab_bare_depth, 0.25, 0.0, 10.0, "m", "thickness of sand above which rock is not worn", "Paris et al. 2019"),
    SLAB_WHOLE(slab_turns, 1, 1, 64, "substeps of a step: each cell lifts its slab in one of them, from the ground the previous substep left; 1: all cells at once", "measured: 8 give the same as one slab after the other, at 8 times the cost"),
};

static const wadi_field_group dunes_groups[] = {
    {"model", "model"},
    {"regime", "wind"},
    {"threshold", "sand flux"},
    {"repose", "slopes"},
    {"plant_drag", "plants and moisture"},
    {"shore_supply", "shore"},
    {"storm_speed", "storms"},
    {"plant_height", "growth of plants"},
    {"crust_gain", "crusts"},
    {"coarse_share", "coarse grains"},
    {"dry_rate", "drying"},
    {"abrasion", "abrasion"},
    {"echo", "air flow"},
    {"creep", "surface"},
    {"streamers", "streamers"},
    {"step", "steps"},
    {"speedup", "wind over relief"},
    {"slab_law", "slabs"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_dunes_fields =
    FIELD_TABLE_IN("dunes", dunes_field_list, wadi_dunes_params, dunes_groups);

wadi_dunes_params wadi_dunes_params_default(void)
{
    wadi_dunes_params params;
    wadi_fields_init(&wadi_dunes_fields, &params);
    return params;
}
