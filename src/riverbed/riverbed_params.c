// SPDX-License-Identifier: MIT
// The parameter table of the process "riverbed". There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/riverbed.h>

#define RIVERBED_NUMBER(...) FIELD_NUMBER(wadi_riverbed_params, __VA_ARGS__)
#define RIVERBED_WHOLE(...) FIELD_WHOLE(wadi_riverbed_params, __VA_ARGS__)
#define RIVERBED_SWITCH(...) FIELD_SWITCH(wadi_riverbed_params, __VA_ARGS__)
#define RIVERBED_CHOICE(...) FIELD_CHOICE(wadi_riverbed_params, __VA_ARGS__)

#define RIVERBED_PAPER "Warszawski & Nikiel 2014"

static const char* const riverbed_modes[] = {"graded", "paper", NULL};
static const char* const riverbed_outlets[] = {"north", "east", "south", "west",
                                               "ahead", "any",  NULL};
static const char* const riverbed_paths[] = {"swing", "trochoid", NULL};
static const char* const riverbed_sides[] = {"north", "east", "south", "west", NULL};
static const char* const riverbed_draws[] = {"random", "even", NULL};
static const char* const riverbed_phases[] = {"common", "spread", NULL};
static const char* const riverbed_readings[] = {"hardness", "susceptibility", NULL};
static const char* const riverbed_collisions[] = {"never", "climb", "always", NULL};

// clang-format off
static const wadi_field riverbed_field_list[] = {
    RIVERBED_CHOICE(mode, WADI_RIVERBED_GRADED, WADI_RIVERBED_MODE_COUNT, "graded: a river at its grade that carries its load; paper: stamps to the letter", "", riverbed_modes),

    RIVERBED_CHOICE(side, WADI_SIDE_WEST, 4, "side of the terrain that particles come from", RIVERBED_PAPER ", section 4", riverbed_sides),
    RIVERBED_NUMBER(position, 0.5, 0.0, 1.0, "1", "centre of the emitter's window along the side, from the west or the north", RIVERBED_PAPER ", section 4"),
    RIVERBED_NUMBER(width, 20.0, 0.0, 1e5, "1", "width of the window, in cells. paper: the bed is as wide, and 2 (radius + size) more at most; graded: the river comes in at its lowest place", RIVERBED_PAPER ", Fig. 3"),
    RIVERBED_NUMBER(direction, 0.0, -85.0, 85.0, "degree", "direction of the particles, clockwise from straight into the terrain", RIVERBED_PAPER ", alpha in Eq 1"),
    RIVERBED_NUMBER(spread, 0.0, 0.0, 85.0, "degree", "paper: directions differ by up to this to either hand", RIVERBED_PAPER ", section 3"),
    RIVERBED_WHOLE(quantity, 200, 0, 10000000, "paper: particles in all", RIVERBED_PAPER ", section 3"),
    RIVERBED_NUMBER(rate, 200.0, 0.0, 1e9, "1/yr", "paper: particles a year, until the quantity is spent", "all of the default quantity in the default duration"),
    RIVERBED_CHOICE(draw, WADI_RIVERBED_RANDOM, WADI_RIVERBED_DRAW_COUNT, "paper: random: by the seed; even: van der Corput sequences, without random numbers", RIVERBED_PAPER ", its future work", riverbed_draws),
    RIVERBED_NUMBER(paper_cell, 0.0, 0.0, 1e6, "m", "length that is called a cell here; 0: a cell of the terrain. Set it to get the same bed on any grid", ""),

    RIVERBED_NUMBER(discharge, 100.0, 1e-3, 1e6, "m3/s", "graded: bankfull discharge Q; width 4 Q^0.5 m, depth 0.33 Q^0.4 m", "Leopold & Maddock 1953"),
    RIVERBED_CHOICE(outlet, WADI_RIVERBED_AHEAD, WADI_RIVERBED_OUTLET_COUNT, "graded: side over which the river leaves; ahead: the one that its emitter faces; any: whichever is nearest by cost", "", riverbed_outlets),
    RIVERBED_NUMBER(growth, 1.0, 1e-3, 1e9, "yr", "graded: time in which the swing grows from the first course to the last; about 100 yr in nature", "measured: bends move by 0.01-0.1 widths a year, Hooke 1980"),
    RIVERBED_CHOICE(path, WADI_RIVERBED_SWING, WADI_RIVERBED_PATH_COUNT, "graded: swing is sine-generated, trochoid the paper's circles", "Langbein & Leopold 1966", riverbed_paths),
    RIVERBED_NUMBER(swing, 72.0, 0.0, 100.0, "degree", "graded: largest angle between the course and its axis; sinuosity 1.5 at 69, less in hard rock and on slopes over 0.03", "Langbein & Leopold 1966"),
    RIVERBED_NUMBER(bend_length, 12.0, 4.0, 40.0, "1", "graded: length of a double bend, in widths", "Leopold & Wolman 1960"),
    RIVERBED_NUMBER(irregularity, 1.0, 0.0, 1.5, "1", "graded: bends differ in angle by 24 % x this, and in length by that and 25 % x this; 0: all alike", "by eye"),
    RIVERBED_NUMBER(steering, 1.0, 0.0, 100.0, "1", "graded: weight of ground that stands above the way down when the axis is laid; 0: straight ahead", "measured: 1 goes round a hill of 12 m, 0 through it"),
    RIVERBED_NUMBER(incision, 0.5, 0.0, 100.0, "1", "graded: lowering of the outlet, in depths; it is what makes hard reaches steeper", "measured: slope ratio 2.2 at 0.5, 1.2 at 0"),
    RIVERBED_NUMBER(load, 0.2, 0.0, 100.0, "1", "graded: load that comes in with each batch, in width2 x depth", "by eye"),
    RIVERBED_NUMBER(repose, 35.0, 1.0, 80.0, "degree", "graded: banks steeper than that slide", ""),
    RIVERBED_WHOLE(batches, 60, 4, 10000, "graded: batches of particles in `growth`; the course moves on from each to the next", "measured: half of them carve 1 % less"),
    RIVERBED_NUMBER(stride, 0.5, 0.02, 2.0, "1", "graded: way of a particle in a step, in radii of its zone of erosion", "measured: half of it carves the same within 0.01 %"),

    RIVERBED_NUMBER(size, 3.0, 0.5, 256.0, "1", "paper: s: radius of a particle's zone of erosion, in cells", "measured: a stamp's volume varies by 18 % at 1 cell, 2 % at 3, 0.3 % at 8"),
    RIVERBED_NUMBER(step, 0.5, 0.01, 256.0, "1", "paper: v: way of a particle's centre in a step, in cells", "measured: at v = s the bed ripples by 44 %, from s/4 down it is even"),
    RIVERBED_SWITCH(rotation, 1, "paper: particles circle their centre; off: they follow it", RIVERBED_PAPER ", Fig. 5"),
    RIVERBED_NUMBER(radius, 12.0, 0.0, 4096.0, "1", "paper: r: radius of the circle, in cells: half the width of the bends", RIVERBED_PAPER ", Eq 1"),
    RIVERBED_NUMBER(turn, 1.91, -180.0, 180.0, "degree", "paper: omega: rotation in a step; r omega / v is 0.8 here, has cusps at 1 and loops above", "a trochoid: sinuosity 1.06 at 0.5, 1.17 at 0.8, 1.27 at 1"),
    RIVERBED_CHOICE(phase, WADI_RIVERBED_COMMON, WADI_RIVERBED_PHASE_COUNT, "paper: common: all start at first_angle, one winding bed; spread: each at its own, a band", "", riverbed_phases),
    RIVERBED_NUMBER(first_angle, 0.0, -360.0, 360.0, "degree", "paper: beta at the start, clockwise from the direction", RIVERBED_PAPER ", Eq 1"),

    RIVERBED_NUMBER(kappa, 0.01, 0.0, 1e4, "m", "paper: lowering by a stamp that is 1 cell thick; 1: a hemisphere where cells are 1 m, and beds of kilometres", "depth N pi s2 kappa / (2 v) under N particles on one line"),
    RIVERBED_CHOICE(reading, WADI_RIVERBED_HARDNESS, WADI_RIVERBED_READING_COUNT, "paper: of the layer: hardness cuts 1 - hardness of rock, susceptibility cuts layer x stamp of whatever lies there", RIVERBED_PAPER ", d in Eq 3", riverbed_readings),
    RIVERBED_CHOICE(collision, WADI_RIVERBED_NEVER, WADI_RIVERBED_COLLISION_COUNT, "paper: what ends a particle on the terrain: nothing, a steep rise, its first step", RIVERBED_PAPER ", section 3, says both that it rolls and that it ends", riverbed_collisions),
    RIVERBED_NUMBER(climb, 1.0, 0.0, 1e3, "1", "paper: rise over run that ends a particle with collision climb", ""),
    RIVERBED_WHOLE(together, 16, 1, 4096, "particles that do not see each other's cuts: a batch of a graded river; paper: with collision climb", ""),

    RIVERBED_SWITCH(water, 1, "the bed stands full of water", RIVERBED_PAPER ", Fig. 5b"),
    RIVERBED_NUMBER(freeboard, 1.0, 0.0, 1e4, "m", "paper: level of that water below the ground before it was cut", ""),
};
// clang-format on

const wadi_field_table wadi_riverbed_fields =
    FIELD_TABLE("riverbed", riverbed_field_list, wadi_riverbed_params);

wadi_riverbed_params wadi_riverbed_params_default(void)
{
    wadi_riverbed_params params;
    wadi_fields_init(&wadi_riverbed_fields, &params);
    return params;
}
