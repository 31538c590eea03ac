// SPDX-License-Identifier: MIT
// The parameter table of the process "hydraulic".
#include "core/field_rows.h"

#include <wadi/hydraulic.h>

#define HYDRAULIC_CHOICE(...) FIELD_CHOICE(wadi_hydraulic_params, __VA_ARGS__)
#define DROPLETS_NUMBER(...)                                                                       \
    FIELD_NUMBER_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_DROPLETS), __VA_ARGS__)
#define PARCELS_NUMBER(...)                                                                        \
    FIELD_NUMBER_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_PARCELS), __VA_ARGS__)
#define BOTH_NUMBER(...)                                                                           \
    FIELD_NUMBER_OF(wadi_hydraulic_params,                                                         \
                    FIELD_MODEL(WADI_HYDRAULIC_PARCELS) | FIELD_MODEL(WADI_HYDRAULIC_STREAMS),     \
                    __VA_ARGS__)
// of wear and loads along ways: parcels, streams and stream_power
#define WAYS_NUMBER(...)                                                                           \
    FIELD_NUMBER_OF(wadi_hydraulic_params,                                                         \
                    FIELD_MODEL(WADI_HYDRAULIC_PARCELS) | FIELD_MODEL(WADI_HYDRAULIC_STREAMS) |    \
                        FIELD_MODEL(WADI_HYDRAULIC_STREAM_POWER),                                  \
                    __VA_ARGS__)
// of channels, in streams and stream_power
#define CHANNELS_NUMBER(...)                                                                       \
    FIELD_NUMBER_OF(wadi_hydraulic_params,                                                         \
                    FIELD_MODEL(WADI_HYDRAULIC_STREAMS) |                                          \
                        FIELD_MODEL(WADI_HYDRAULIC_STREAM_POWER),                                  \
                    __VA_ARGS__)
// of ground, in parcels and stream_power
#define GROUND_NUMBER(...)                                                                         \
    FIELD_NUMBER_OF(wadi_hydraulic_params,                                                         \
                    FIELD_MODEL(WADI_HYDRAULIC_PARCELS) |                                          \
                        FIELD_MODEL(WADI_HYDRAULIC_STREAM_POWER),                                  \
                    __VA_ARGS__)
#define STREAMS_NUMBER(...)                                                                        \
    FIELD_NUMBER_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_STREAMS), __VA_ARGS__)
#define ALLUVIAL_NUMBER(...)                                                                       \
    FIELD_NUMBER_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_ALLUVIAL), __VA_ARGS__)
// of floods, in model alluvial and on plains of streams
#define FLOOD_NUMBER(...)                                                                          \
    FIELD_NUMBER_OF(wadi_hydraulic_params,                                                         \
                    FIELD_MODEL(WADI_HYDRAULIC_STREAMS) | FIELD_MODEL(WADI_HYDRAULIC_ALLUVIAL),    \
                    __VA_ARGS__)
#define FLOOD_WHOLE(...)                                                                           \
    FIELD_WHOLE_OF(wadi_hydraulic_params,                                                          \
                   FIELD_MODEL(WADI_HYDRAULIC_STREAMS) | FIELD_MODEL(WADI_HYDRAULIC_ALLUVIAL),     \
                   __VA_ARGS__)
#define STREAMS_SWITCH(...)                                                                        \
    FIELD_SWITCH_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_STREAMS), __VA_ARGS__)
#define STREAMS_WHOLE(...)                                                                         \
    FIELD_WHOLE_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_STREAMS), __VA_ARGS__)
#define PARCELS_WHOLE(...)                                                                         \
    FIELD_WHOLE_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_PARCELS), __VA_ARGS__)
#define PARCELS_SWITCH(...)                                                                        \
    FIELD_SWITCH_OF(wadi_hydraulic_params, FIELD_MODEL(WADI_HYDRAULIC_PARCELS), __VA_ARGS__)

static const char* const hydraulic_models[] = {"streams",  "parcels",      "droplets",
                                               "alluvial", "stream_power", NULL};

// clang-format off
static const wadi_field hydraulic_field_list[] = {
    HYDRAULIC_CHOICE(model, WADI_HYDRAULIC_STREAMS, WADI_HYDRAULIC_MODEL_COUNT, "streams: all streams at once, in fixed steps; parcels: parcels of rain that merge and flow to the edge; droplets: the particles of the article; alluvial: rivers that build fans, deltas and braided plains; stream_power: the stream power law along the steepest ways, which runs in windows of a grid", "McDonald 2020, 'Simple Particle-Based Hydraulic Erosion' (droplets)", hydraulic_models),

    WAYS_NUMBER(rain, 1.0, 0.0, 20.0, "m/yr", "effective rain (runoff)", "world mean of land about 0.3, mountains 1-2 m/yr"),
    BOTH_NUMBER(lake_evaporation, 0.0, 0.0, 10.0, "m/yr", "evaporation from open water", "Penman: 0.5-2 m/yr"),

    WAYS_NUMBER(erodibility, 5e-5, 0.0, 1e-2, "1", "K of rock of hardness 0: E = K q^m S^n in m/yr with q in m3/yr", "fitted to noise and ranges; rates by class of rock: docs/theory/streams.md"),
    GROUND_NUMBER(sediment_erodibility, 1.0, 1.0, 100.0, "1", "K of loose sediment over K of rock", "measured: 4 widens plains to 15 % of a mountain map, 1 keeps them at 3-12 %"),
    WAYS_NUMBER(discharge_exponent, 0.45, 0.1, 1.0, "1", "m in E = K q^m S^n", "m/n 0.35-0.6: Tucker & Whipple 2002"),
    PARCELS_NUMBER(slope_exponent, 1.0, 0.5, 2.0, "1", "n in E = K q^m S^n", "Whipple & Tucker 1999"),
    WAYS_NUMBER(settling, 3.0, 0.0, 100.0, "1", "G: settling velocity over rain rate, in rivers", "Davy & Lague 2009; about 1: Guerit et al. 2019; measured: 0.7 leaves chi r2 below 0.7"),
    WAYS_NUMBER(lake_settling, 3000.0, 0.0, 1e6, "1", "G in standing water; deposits all but clay", "measured: at 20 lakes silt up too slowly"),
    PARCELS_NUMBER(alluvial_slope, 0.005, 0.0, 0.1, "1", "slope of the surface to which closed depressions fill with sediment", "alluvial fans 0.002-0.02: Blair & McPherson 1994"),

    BOTH_NUMBER(creep, 0.012, 0.0, 10.0, "m2/yr", "soil creep D", "0.001-0.05: Roering et al. 1999"),
    BOTH_NUMBER(critical_slope, 0.85, 0.1, 10.0, "1", "slope at which the creep flux becomes infinite, S_c", "1.2 in Oregon, lower in weak rock: Roering et al. 1999"),
    PARCELS_NUMBER(repose, 43.0, 5.0, 80.0, "degree", "angle of repose of dry ground", "above the critical slope of creep (40 degrees), so that isotropic creep does most of the transport"),
    BOTH_NUMBER(lake_repose, 20.0, 0.1, 45.0, "degree", "angle of repose of loose sediment under water", "delta fronts 10-25; parcels: 1.7, for cells of any size"),

    PARCELS_SWITCH(lakes, 1, "closed depressions fill with water and sediment, and spill; off: water and load end in them", "Barnes et al. 2014"),
    PARCELS_SWITCH(momentum, 1, "streams keep their direction and shift their banks, on cells under 10 m", "Ikeda, Parker & Sawai 1981"),

    PARCELS_NUMBER(friction, 0.01, 1e-4, 1.0, "1", "friction coefficient C_f: the direction of a stream decays over depth / (2 C_f)", "0.005-0.02 in gravel beds: Parker 1978; the decay length is then 5-50 m"),
    PARCELS_NUMBER(bank_erodibility, 3000.0, 0.0, 1e6, "1", "K of the banks of bends, over K of rock", "banks move 1-10 % of the width a year (Hooke 1980), beds fall 0.1-1 mm"),

    WAYS_NUMBER(max_step, 4000.0, 1e-6, 1e6, "yr", "step of streams and stream_power, and longest batch of parcels", "measured: half of it changes wear by 2 to 5 %, and half of 1 kyr by 1.5 %"),
    PARCELS_WHOLE(batches, 50, 1, 100000, "batches on the finest level in the default duration", "measured: twice as many change erosion by 1-9 %"),
    PARCELS_WHOLE(levels, 8, 0, 16, "maximum number of coarse levels", "down to 64 cells on the short side"),
    PARCELS_NUMBER(incision_limit, 0.5, 0.05, 0.95, "1", "share of the drop to the lowest neighbour that a cell may lose in a batch", "measured: from 0.25 to 0.95 erosion changes by 6 %"),

    STREAMS_NUMBER(orographic, 0.0, 0.0, 1000.0, "1", "rain by relief: at 20 a slope of 0.05 against the wind, longer than rain_reach, doubles the rain; 0: rain as given", "Smith & Barstad 2004; 20-100 from 0.004 kg/m3 x wind over rain of 1-2 mm/h"),
    STREAMS_NUMBER(rain_wind, 270.0, -360.0, 360.0, "degree", "where the wind that brings rain comes from, clockwise from north", "270: westerlies"),
    STREAMS_NUMBER(rain_wind_spread, 20.0, 0.0, 60.0, "degree", "rain comes with this wind and, half as often each, with those so far to its left and right", "with 0 rain falls in stripes along the wind"),
    STREAMS_NUMBER(rain_reach, 5000.0, 1.0, 1e6, "m", "length in which cloud becomes rain, and rain falls", "wind x 500-2000 s: Smith & Barstad 2004"),

    STREAMS_NUMBER(river_share, 0.2, 0.0, 1.0, "1", "mean discharge of a river that riverbed made, over its bankfull discharge; 0: its water is left out", "set by hand: bankfull discharge is several times the mean"),
    STREAMS_NUMBER(river_load, 0.5, 0.0, 1500.0, "kg/m3", "load in the water of a river that riverbed made; 0: clear water", "rivers of the world carry 19 Gt in 36 000 km3 a year: Milliman & Farnsworth 2011"),

    CHANNELS_NUMBER(channel_head, 3.5e4, 1.0, 1e12, "m3/yr", "discharge at which channels begin, q_c: wear is linear in q far below it", "0.01-0.1 km2 of land under 1 m/yr of rain: Montgomery & Dietrich 1992"),
    CHANNELS_NUMBER(outside_slope, 0.05, 0.0, 1e3, "1", "least slope of the land beyond open edges, down to the lowest outlets; at 1000 every outlet keeps its height", "beds of mountain rivers 0.02-0.1: Montgomery & Buffington 1997"),
    STREAMS_NUMBER(floor_width, 45.0, 0.0, 1e5, "m", "width of the floor of a valley whose stream is far above q_c", "measured: 0 leaves slots one cell wide; 90 turns slopes towards the eight ways of the grid (aspect harmonic 0.03, with 45 0.01)"),
    STREAMS_NUMBER(river_width, 9.0, 0.0, 100.0, "m", "width of the bed of a river of 1 m3/s in the mean of the year; it grows with the root of the discharge, and beds wider than a cell have banks; 0: no bed is", "4 Q^0.5 of the bankfull discharge, five times the mean: Leopold & Maddock 1953"),
    STREAMS_NUMBER(corner_fall, 0.0, 0.0, 0.5, "1", "how far below its bed a stream along a diagonal wears the lower cell beside its step, as a share of its fall; 0: to its bed, which hillshades show as beads", "measured: 0.5 makes the beads of young canyons fainter; noise wears 4 to 9 % more from 0.375 on (docs/theory/streams.md)"),
    STREAMS_NUMBER(flushing, 0.4, 0.0, 1.0, "1", "share of what creeps into a channel that its stream carries off at once; most of the rest lies down on the bed as the stream wears it", "fitted to noise and ranges"),

    DROPLETS_NUMBER(droplets_per_cell, 3.0, 0.0, 1000.0, "1", "droplets per cell in the default duration", "article: 200 000 on 256 x 256"),
    DROPLETS_NUMBER(droplet_step, 1.2, 1e-3, 10.0, "1", "dt", "article"),
    DROPLETS_NUMBER(droplet_density, 1.0, 1e-3, 1e3, "1", "density", "article"),
    DROPLETS_NUMBER(droplet_evaporation, 0.001, 0.0, 0.5, "1", "evaporation rate", "article"),
    DROPLETS_NUMBER(droplet_deposition, 0.1, 0.0, 0.8, "1", "mass transfer rate", "article"),
    DROPLETS_NUMBER(droplet_min_volume, 0.01, 1e-4, 0.99, "1", "volume at which a droplet ends", "article"),
    DROPLETS_NUMBER(droplet_friction, 0.05, 0.0, 0.8, "1", "friction", "article"),
    DROPLETS_NUMBER(droplet_scale, 60.0, 0.1, 1e4, "1", "unit of height of the article, in cells", "article"),
    DROPLETS_NUMBER(droplet_span, 400000.0, 1e-6, 1e6, "yr", "step length: droplets of a step run to their end before the next step", "the default duration"),

    FLOOD_NUMBER(flood_days, 3.0, 1e-3, 365.25, "d/yr", "days of flood in a year, in which all water and load come", "2-10 on fans, 20-60 in deltas; set by hand"),
    FLOOD_NUMBER(flood_spread, 0.8, 0.0, 2.0, "1", "standard deviation of the logarithm of the discharge of floods", "fitted: at 0 one straight ridge grows between its own levees"),
    FLOOD_NUMBER(flood_memory, 3.0, 1e-3, 1e4, "d", "time of flood in which its size changes", "length of a flood; fitted to fans"),
    ALLUVIAL_NUMBER(flood_step, 1.0, 1e-3, 1e4, "yr", "step length; its rounds follow from the load", "the longest time between two floods"),
    FLOOD_NUMBER(round_volume, 1.5, 0.05, 20.0, "1", "load of a round: so many cells covered as thick as a flood is deep", "measured: 12 makes pits and towers of 20-50 m"),
    FLOOD_WHOLE(flood_parcels, 60, 8, 10000, "parcels of a river in a round", "measured: 120 build smoother fans with fewer channels"),
    FLOOD_NUMBER(depth_power, 2.5, 0.0, 8.0, "1", "power of the depth in the choice of ways", "1-5: Liang, Voller & Paola 2015 (DeltaRCM)"),
    FLOOD_WHOLE(focus, 0, 0, 3, "times that fall and direction are squared in the choice of ways: 0 spreads water as sheets, 2 keeps it in threads", "of the choice by momentum: it spreads water across its way with 0.24 cells at 0, 0.11 at 2"),
    FLOOD_NUMBER(channel_width, 4.5, 0.5, 1000.0, "1", "width of a channel [m] over the root of its discharge [m3/s]", "4-5 in gravel: Parker et al. 2007"),
    FLOOD_NUMBER(gathering, 0.5, 0.0, 1.0, "1", "share of the water of a cell that flows in a channel narrower than the cell, by channel_width; 0: none", "fitted"),
    FLOOD_NUMBER(bed_friction, 0.02, 1e-4, 1.0, "1", "friction coefficient C_f of the bed", "sand 0.003, gravel and cobbles 0.01-0.03: Parker 2008"),
    FLOOD_NUMBER(bed_speed, 0.8, 0.0, 10.0, "m/s", "speed at which the bed begins to move, u_c", "sand 0.3, gravel 0.8-1.5: Hjulstrom 1935"),
    FLOOD_NUMBER(bed_exponent, 3.0, 2.0, 6.0, "1", "b in q_s = K (u^2 - u_c^2)^(b/2)", "gravel 3: Meyer-Peter & Mueller 1948; sand 5: Engelund & Hansen 1967"),
    FLOOD_NUMBER(bed_rate, 1.4e-3, 0.0, 1.0, "m2/s", "K in q_s = K (u^2 - u_c^2)^(b/2), u in m/s", "gravel 8 C_f^1.5 / (1.65 g): Meyer-Peter & Mueller 1948; sand 2e-4"),
    FLOOD_NUMBER(adaptation, 400.0, 0.1, 1e5, "m", "length in which the load comes to equilibrium", "a few channel widths; fitted to fans"),
    FLOOD_NUMBER(cross_slope, 0.7, 0.0, 10.0, "1", "load that rolls down across the flow, over load x slope", "0.5-2: Ikeda 1982"),
    FLOOD_NUMBER(deposit_depth, 5e-4, 0.0, 1.0, "m", "water that is shallower lays nothing down", "measured: from 6 mm on a sheet without channels"),
    ALLUVIAL_NUMBER(inflow_capacity, 0.0, 0.0, 10.0, "1", "load that a river brings besides that of its table, over the load that its flow can carry where it enters: 1 keeps the bed there as it is; 0: none", "1: equilibrium boundary of mobile-bed models, where the bed neither rises nor falls; a flume that is fed by its own slope"),
    FLOOD_NUMBER(infiltration, 0.0, 0.0, 1e7, "m", "way in which a flood loses 63 % of its water into the ground; 0: none", "floods in washes lose 1-10 % of their water a km: Lane 1983; up to half on coarse fans"),
    FLOOD_NUMBER(seepage, 0.0, 0.0, 1.0, "m/s", "rate at which floods sink into the ground that they wet, and leave their load on it; 0: none", "sand 1e-5 to 1e-3, gravel 1e-3 to 1: Freeze & Cherry 1979; preset fan: fitted"),
    FLOOD_NUMBER(fine_share, 0.0, 0.0, 1.0, "1", "share of mud in the load of rivers, and at first in the ground", "deltas 0.5-0.9: Caldwell & Edmonds 2014"),
    FLOOD_NUMBER(fine_settling, 0.003, 0.0, 1.0, "m/s", "settling velocity of mud", "silt and flocs 1e-4 to 5e-3: Winterwerp 2002"),
    FLOOD_NUMBER(fine_speed, 0.4, 1e-3, 10.0, "m/s", "speed above which mud does not settle", "DeltaRCM: 0.3 of the speed at the inlet"),
    FLOOD_NUMBER(mud_speed, 0.0, 0.0, 10.0, "m/s", "speed that wears ground of mud, less with its share; 0: mud is worn like the rest", "cohesive mud 0.5-1.5: Hjulstrom 1935"),

    STREAMS_SWITCH(plains, 0, "rivers that come out on plains or into standing water build fans and deltas by floods, as in model alluvial; off: streams fill their beds", "docs/theory/alluvial.md"),
    STREAMS_NUMBER(plain_slope, 0.06, 1e-4, 1.0, "1", "ground is alluvial where it falls by less", "alluvial fans 0.01-0.05: Blair & McPherson 1994"),
    STREAMS_NUMBER(plain_cover, 1.0, 0.0, 1000.0, "m", "thickness of loose matter on alluvial ground, at least; standing water counts as well", "set by hand: depth of a flood"),
    STREAMS_NUMBER(plain_river, 0.05, 0.0, 1e6, "m3/s", "mean discharge of rivers that build there, at least; smaller ones stay streams", "set by hand: 1.6 km2 under 1 m/yr of rain"),
    STREAMS_NUMBER(plain_reach, 3000.0, 1.0, 1e6, "m", "distance from its mouth in which a river builds", "radius of fans 1-10 km: Blair & McPherson 1994"),
    STREAMS_WHOLE(plain_rounds, 2000, 1, 1000000, "rounds of a step, at most; rounds of more load lay down thinner, and hand more on", "set by hand: bounds the time of a long step"),
};

static const wadi_field_group hydraulic_groups[] = {
    {"model", "model"},
    {"rain", "rain"},
    {"erodibility", "erosion"},
    {"creep", "slopes"},
    {"lakes", "water"},
    {"max_step", "steps"},
    {"orographic", "rain by relief"},
    {"river_share", "rivers"},
    {"channel_head", "channels"},
    {"droplets_per_cell", "droplets"},
    {"flood_days", "floods"},
    {"depth_power", "alluvial channels"},
    {"bed_speed", "alluvial load"},
    {"plains", "alluvial reaches of streams"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_hydraulic_fields =
    FIELD_TABLE_IN("hydraulic", hydraulic_field_list, wadi_hydraulic_params, hydraulic_groups);

wadi_hydraulic_params wadi_hydraulic_params_default(void)
{
    wadi_hydraulic_params params;
    wadi_fields_init(&wadi_hydraulic_fields, &params);
    return params;
}
