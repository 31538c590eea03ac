// SPDX-License-Identifier: MIT
// The parameter table of the process "regulate".
#include "core/field_rows.h"

#include <wadi/regulate.h>

#define REGULATE_NUMBER(...) FIELD_NUMBER(wadi_regulate_params, __VA_ARGS__)
#define REGULATE_SWITCH(...) FIELD_SWITCH(wadi_regulate_params, __VA_ARGS__)
#define REGULATE_CHOICE(...) FIELD_CHOICE(wadi_regulate_params, __VA_ARGS__)

static const char* const regulate_sides[] = {"north", "east", "south", "west", NULL};

// clang-format off
static const wadi_field regulate_field_list[] = {
    REGULATE_CHOICE(side, WADI_SIDE_WEST, 4, "side of the terrain over which the river enters; the table `route` overrides it", "", regulate_sides),
    REGULATE_NUMBER(position, 0.5, 0.0, 1.0, "1", "centre of the window along the side, from the west or the north", ""),
    REGULATE_NUMBER(window, 0.0, 0.0, 1e7, "m", "width of the window; the channel begins at its lowest cell; 0: the whole side", ""),
    REGULATE_NUMBER(smoothing, 0.0, 0.0, 1e5, "m", "half-length of the moving average that smooths the route, applied three times; 0: 4 cells", ""),
    REGULATE_NUMBER(min_radius, 0.0, 0.0, 1e5, "m", "least radius of bends, also of a given line; 0: any", "regulated rivers 5-10 widths"),

    REGULATE_NUMBER(discharge, 100.0, 1e-3, 1e6, "m3/s", "design discharge of the channel", ""),
    REGULATE_NUMBER(roughness, 0.03, 0.005, 1.0, "1", "Manning's n in s/m^(1/3)", "dredged earth and gravel 0.025-0.033: Chow 1959, table 5-6"),

    REGULATE_NUMBER(width, 0.0, 0.0, 1e4, "m", "bed width; 0: the width of least cut and fill", ""),
    REGULATE_NUMBER(grade, 0.0, 0.0, 0.5, "1", "bed slope; 0: the slope of least cut and fill", ""),
    REGULATE_NUMBER(side_slope, 2.0, 0.1, 20.0, "1", "run over rise of the channel's sides", "earth 1.5-3: Chow 1959, table 7-1"),
    REGULATE_NUMBER(freeboard, 0.5, 0.0, 100.0, "m", "height of the levees above the water", "canals of 100 m3/s 0.5-1 m: Chow 1959, section 7-5"),
    REGULATE_NUMBER(levee_width, 3.0, 0.0, 1e3, "m", "crest width of the levees; at least 1.5 cells are built, so that water cannot leak diagonally", "room for vehicles"),
    REGULATE_NUMBER(levee_slope, 2.0, 0.1, 20.0, "1", "run over rise of the levees' outer sides", ""),
    REGULATE_NUMBER(end_depth, 0.0, -100.0, 1e3, "m", "depth of the bed below the ground at the channel's end", ""),
    REGULATE_NUMBER(drop, 0.0, 0.0, 100.0, "m", "height of drop structures, where the ground is steeper than the bed may be; 0: none", "sills of regulated torrents 0.5-3 m"),
    REGULATE_NUMBER(spoil_width, 0.0, 0.0, 1e4, "m", "width beside each levee over which a surplus of cut is spread; 0: it is hauled away", ""),

    REGULATE_NUMBER(min_width, 2.0, 0.1, 1e4, "m", "least width of the search", ""),
    REGULATE_NUMBER(max_width, 100.0, 0.1, 1e4, "m", "greatest width of the search", ""),
    REGULATE_NUMBER(min_grade, 1e-4, 1e-6, 0.5, "1", "least bed slope of the search", "flatter channels silt up"),
    REGULATE_NUMBER(max_grade, 0.05, 1e-6, 0.5, "1", "greatest bed slope of the search", ""),
    REGULATE_NUMBER(critical_shear, 0.0, 0.0, 1e5, "Pa", "critical mean shear stress of the bed; 0: from its grain size", ""),
    REGULATE_NUMBER(grain, 0.05, 1e-4, 10.0, "m", "diameter of the bed's grains; they move above a Shields number of 0.047", "Meyer-Peter & Mueller 1948"),

    REGULATE_SWITCH(water, 0, "fill the channel to its design depth", ""),
    REGULATE_NUMBER(step, 1.0, 1e-6, 1e6, "yr", "step length: the time between two dredgings", "the default duration"),
};

static const wadi_field_group regulate_groups[] = {
    {"side", "course"},
    {"discharge", "flow"},
    {"width", "channel"},
    {"min_width", "limits"},
    {"water", "water"},
    {"step", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_regulate_fields =
    FIELD_TABLE_IN("regulate", regulate_field_list, wadi_regulate_params, regulate_groups);

wadi_regulate_params wadi_regulate_params_default(void)
{
    wadi_regulate_params params;
    wadi_fields_init(&wadi_regulate_fields, &params);
    return params;
}
