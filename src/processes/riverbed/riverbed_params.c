// SPDX-License-Identifier: MIT
// The parameter table of the process "riverbed".
#include "core/field_rows.h"

#include <wadi/riverbed.h>

#define RIVERBED_PAPER "Warszawski & Nikiel 2014"

#define RIVERBED_NUMBER(...) FIELD_NUMBER(wadi_riverbed_params, __VA_ARGS__)
#define RIVERBED_WHOLE(...) FIELD_WHOLE(wadi_riverbed_params, __VA_ARGS__)
#define RIVERBED_SWITCH(...) FIELD_SWITCH(wadi_riverbed_params, __VA_ARGS__)
#define RIVERBED_CHOICE(...) FIELD_CHOICE(wadi_riverbed_params, __VA_ARGS__)
#define GRADED_NUMBER(...)                                                                         \
    FIELD_NUMBER_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_GRADED), __VA_ARGS__)
#define GRADED_WHOLE(...)                                                                          \
    FIELD_WHOLE_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_GRADED), __VA_ARGS__)
#define GRADED_CHOICE(...)                                                                         \
    FIELD_CHOICE_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_GRADED), __VA_ARGS__)
#define PAPER_NUMBER(...)                                                                          \
    FIELD_NUMBER_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_PAPER), __VA_ARGS__)
#define PAPER_WHOLE(...)                                                                           \
    FIELD_WHOLE_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_PAPER), __VA_ARGS__)
#define PAPER_SWITCH(...)                                                                          \
    FIELD_SWITCH_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_PAPER), __VA_ARGS__)
#define PAPER_CHOICE(...)                                                                          \
    FIELD_CHOICE_OF(wadi_riverbed_params, FIELD_MODEL(WADI_RIVERBED_PAPER), __VA_ARGS__)

static const char* const riverbed_models[] = {"graded", "paper", NULL};
static const char* const riverbed_outlets[] = {"north", "east", "south", "west",
                                               "ahead", "any",  NULL};
static const char* const riverbed_paths[] = {"swing", "trochoid", "free", NULL};
static const char* const riverbed_sides[] = {"north", "east", "south", "west", NULL};
static const char* const riverbed_draws[] = {"random", "even", NULL};
static const char* const riverbed_phases[] = {"common", "spread", NULL};
static const char* const riverbed_readings[] = {"hardness", "susceptibility", NULL};
static const char* const riverbed_collisions[] = {"never", "climb", "always", NULL};

// clang-format off
static const wadi_field riverbed_field_list[] = {
    RIVERBED_CHOICE(model, WADI_RIVERBED_GRADED, WADI_RIVERBED_MODEL_COUNT, "graded: a river in equilibrium with its sediment load; paper: the method of the paper, unchanged", "", riverbed_models),

    RIVERBED_CHOICE(side, WADI_SIDE_WEST, 4, "side of the terrain where the emitter lies", RIVERBED_PAPER ", section 4", riverbed_sides),
    RIVERBED_NUMBER(position, 0.5, 0.0, 1.0, "1", "centre of the emitter's window along the side, from the west or the north", RIVERBED_PAPER ", section 4"),
    RIVERBED_NUMBER(width, 20.0, 0.0, 1e5, "1", "width of the window, in cells. paper: width of the bed, to which 2 (radius + size) is added at most; graded: the river enters at the lowest cell of the window", RIVERBED_PAPER ", Fig. 3"),
    RIVERBED_NUMBER(direction, 0.0, -85.0, 85.0, "degree", "direction of the particles, clockwise from the inward normal", RIVERBED_PAPER ", alpha in Eq 1"),
    PAPER_NUMBER(spread, 0.0, 0.0, 85.0, "degree", "largest deviation from direction, to either side", RIVERBED_PAPER ", section 3"),
    PAPER_WHOLE(quantity, 200, 0, 10000000, "total number of particles", RIVERBED_PAPER ", section 3"),
    PAPER_NUMBER(rate, 200.0, 0.0, 1e9, "1/yr", "particles per year, up to quantity", "the default quantity in the default duration"),
    PAPER_CHOICE(draw, WADI_RIVERBED_RANDOM, WADI_RIVERBED_DRAW_COUNT, "random: random numbers from the seed; even: van der Corput sequences", RIVERBED_PAPER ", future work", riverbed_draws),
    RIVERBED_NUMBER(paper_cell, 0.0, 0.0, 1e6, "m", "length of a cell in these parameters; 0: a cell of the terrain. A fixed length gives the same bed on any grid", ""),

    GRADED_NUMBER(discharge, 100.0, 1e-3, 1e6, "m3/s", "bankfull discharge Q; width 4 Q^0.5 m, depth 0.33 Q^0.4 m", "Leopold & Maddock 1953"),
    GRADED_CHOICE(outlet, WADI_RIVERBED_AHEAD, WADI_RIVERBED_OUTLET_COUNT, "side over which the river leaves; ahead: the side that the emitter faces; any: the nearest side by cost", "", riverbed_outlets),
    GRADED_NUMBER(growth, 1.0, 1e-3, 1e9, "yr", "time in which the amplitude of the bends grows from the first course to the last; about 100 yr in nature", "measured: bends move by 0.01-0.1 widths a year, Hooke 1980"),
    GRADED_CHOICE(path, WADI_RIVERBED_SWING, WADI_RIVERBED_PATH_COUNT, "swing: sine-generated curve; trochoid: the circles of the paper; free: bends grow and migrate by their curvature, and are cut off", "Langbein & Leopold 1966", riverbed_paths),
    GRADED_NUMBER(swing, 72.0, 0.0, 100.0, "degree", "largest angle between the course and its axis; sinuosity 1.5 at 69, less in hard rock and on slopes over 0.03", "Langbein & Leopold 1966"),
    GRADED_NUMBER(bend_length, 12.0, 4.0, 40.0, "1", "length of a double bend, in widths", "Leopold & Wolman 1960"),
    GRADED_NUMBER(irregularity, 1.0, 0.0, 1.5, "1", "variation among bends: angles vary by 24 % x this, lengths in addition by 25 % x this; 0: all alike", "by eye"),
    GRADED_NUMBER(migration, 40.0, 0.0, 1000.0, "1", "path free: way that a bend with a radius of 2.5 widths migrates in `growth`, in widths; in nature 0.01-0.1 widths a year", "Howard & Knutson 1984"),
    GRADED_NUMBER(chute, 4.5, 0.0, 100.0, "1", "path free: the river takes a chute inside a bend that is this much steeper than its course, over floodplain; 0: only necks are cut off", "by eye"),
    GRADED_NUMBER(wash, 2.0, 0.0, 1000.0, "1", "path free: fine load that enters in the time in which a bend with a radius of 2.5 widths migrates by 0.6 widths, in width2 x depth; floods leave up to half of it and of the outgoing load on levees and in oxbow lakes", "by eye"),
    GRADED_NUMBER(levee, 0.2, 0.0, 2.0, "1", "path free: final height of natural levees above bankfull, in depths; they fall off over half a width", "by eye"),
    GRADED_NUMBER(silting, 20.0, 0.0, 1e6, "1", "path free: time in which an oxbow lake loses 63 % of its depth, in units in which that bend migrates by 0.6 widths", "by eye"),
    GRADED_NUMBER(steering, 1.0, 0.0, 100.0, "1", "weight of high ground in the least-cost route of the axis; 0: a straight axis", "measured: with 1 the axis goes around a hill of 12 m, with 0 through it"),
    GRADED_NUMBER(incision, 0.5, 0.0, 100.0, "1", "lowering of the outlet, in depths; makes reaches in hard rock steeper", "measured: slope ratio 2.2 at 0.5, 1.2 at 0"),
    GRADED_NUMBER(breach, 1.0, 0.0, 1.0, "1", "share of a barrier in the way, over two depths, that the river has cut down; the rest holds a lake. 1: a gorge on the river's grade; 0: a sill as high as the barrier", "set by hand"),
    GRADED_NUMBER(load, 0.2, 0.0, 100.0, "1", "sediment that enters with each batch, in width2 x depth", "by eye"),
    GRADED_NUMBER(wall, 0.0, 0.0, 85.0, "degree", "angle at which rock walls of hardness 1 stand over a bed, softer rock by its hardness between repose and this; broken rock rests at repose below them; 0: all at repose", "gorges 60-85"),
    GRADED_NUMBER(repose, 35.0, 1.0, 80.0, "degree", "angle of repose of the banks", ""),
    GRADED_WHOLE(batches, 60, 4, 10000, "batches of particles in `growth`; the course is updated after each", "measured: half as many carve 1 % less"),
    GRADED_NUMBER(stride, 0.5, 0.02, 2.0, "1", "step length of a particle, in radii of its zone of erosion", "measured: half the length changes the carved volume by 0.01 %"),

    PAPER_NUMBER(size, 3.0, 0.5, 256.0, "1", "s: radius of a particle's zone of erosion, in cells", "measured: a stamp's volume varies by 18 % at 1 cell, 2 % at 3, 0.3 % at 8"),
    PAPER_NUMBER(step, 0.5, 0.01, 256.0, "1", "v: step length of the centre of a particle's circle, in cells", "measured: the bed ripples by 44 % at v = s and is even for v <= s/4"),
    PAPER_SWITCH(rotation, 1, "particles move on a circle around their centre; off: they follow the centre", RIVERBED_PAPER ", Fig. 5"),
    PAPER_NUMBER(radius, 12.0, 0.0, 4096.0, "1", "r: radius of the circle, in cells: half the width of the bends", RIVERBED_PAPER ", Eq 1"),
    PAPER_NUMBER(turn, 1.91, -180.0, 180.0, "degree", "omega: rotation per step. By default r omega / v is 0.8; the path has cusps at 1 and loops above", "a trochoid: sinuosity 1.06 at 0.5, 1.17 at 0.8, 1.27 at 1"),
    PAPER_CHOICE(phase, WADI_RIVERBED_COMMON, WADI_RIVERBED_PHASE_COUNT, "common: all start at first_angle and cut one winding bed; spread: phases differ and the particles cut a band", "", riverbed_phases),
    PAPER_NUMBER(first_angle, 0.0, -360.0, 360.0, "degree", "beta: angle at the start, clockwise from direction", RIVERBED_PAPER ", Eq 1"),

    PAPER_NUMBER(kappa, 0.01, 0.0, 1e4, "m", "lowering by a stamp that is 1 cell thick; 1: a hemisphere where cells are 1 m, and beds of kilometres", "depth N pi s2 kappa / (2 v) under N particles on one line"),
    PAPER_CHOICE(reading, WADI_RIVERBED_HARDNESS, WADI_RIVERBED_READING_COUNT, "meaning of the hardness layer. hardness: rock loses (1 - hardness) x cut; susceptibility: all ground loses layer x cut", RIVERBED_PAPER ", d in Eq 3", riverbed_readings),
    PAPER_CHOICE(collision, WADI_RIVERBED_NEVER, WADI_RIVERBED_COLLISION_COUNT, "condition that ends a particle on the terrain: never, a rise above `climb`, or always after its first step", RIVERBED_PAPER ", section 3, describes both rolling and ending", riverbed_collisions),
    PAPER_NUMBER(climb, 1.0, 0.0, 1e3, "1", "slope of the rise that ends a particle with collision climb", ""),
    RIVERBED_WHOLE(together, 16, 1, 4096, "particles of one batch, which do not see each other's cuts; paper: used with collision climb", ""),

    RIVERBED_NUMBER(max_step, 0.0, 0.0, 1e6, "yr", "step length; 0: graded: `growth`; paper: 1 yr", ""),
    RIVERBED_SWITCH(water, 1, "fill the bed with water", RIVERBED_PAPER ", Fig. 5b"),
    PAPER_NUMBER(freeboard, 1.0, 0.0, 1e4, "m", "depth of the water level below the original ground", ""),
};

static const wadi_field_group riverbed_groups[] = {
    {"model", "model"},
    {"side", "emitter"},
    {"discharge", "river"},
    {"growth", "bends"},
    {"incision", "bed"},
    {"batches", "batches"},
    {"size", "particles"},
    {"kappa", "stamps"},
    {"max_step", "steps"},
    {"water", "water"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_riverbed_fields =
    FIELD_TABLE_IN("riverbed", riverbed_field_list, wadi_riverbed_params, riverbed_groups);

wadi_riverbed_params wadi_riverbed_params_default(void)
{
    wadi_riverbed_params params;
    wadi_fields_init(&wadi_riverbed_fields, &params);
    return params;
}
