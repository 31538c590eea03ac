// SPDX-License-Identifier: MIT
// A graded river over a tilted plain, and measures of what it has made.
#pragma once

#include "support/fixture.h"

#include "riverbed/graded_internal.h"

typedef struct river_land
{
    int32_t size;     // cells along each side
    double cell;      // [m]
    double slope;     // of the plain
    double azimuth;   // that it falls to, from east to south [degree]
    double roughness; // standard deviation of the ground, white [m]
    double band;      // hardness of a band across the way, a third of it; 0: none
    double ridge;     // height of a ridge across the way [m]
    uint64_t seed;
} river_land;

// 512 cells of 4 m, a fall of 0.006 to the east, bumps of 0.25 m.
river_land river_plain(void);

wadi_terrain* river_terrain(fixture* f, const river_land* land);

// An emitter on the rim, from where the fall leads through the middle; lengths in cells.
riverbed_emitter river_emitter(const river_land* land, double discharge);

// A river that has run for its whole growth on the land of `terrain`.
wadi_graded* river_run(wadi_terrain* terrain, const wadi_riverbed_params* params,
                       const riverbed_emitter* emitters, int32_t count);

typedef struct river_measures
{
    double bend_length; // mean distance from a bend to the next but one [widths]
    double bend_radius; // median radius at the apex [widths]
    double sinuosity;
    double bar;       // highest bar over bankfull [m]
    int32_t bends;    // apexes that were measured
    int32_t core;     // cells in the middle seven tenths of the bed
    int32_t pits;     // of them that do not drain to the outlet
    double width;     // median of the water's surface, across the course [m]
    double aim;       // median of the width it should have [m]
    double share_out; // of the load that left over the outlet
    double carved;    // net [m3]
} river_measures;

river_measures river_measure(const wadi_graded* graded);

// Water across the course at a node [m], and deepest ground there [m].
double river_width_at(const wadi_graded* graded, const graded_node* node);
double river_floor_at(const wadi_graded* graded, const graded_node* node);

// The same over the part of a course that lies in rock of this hardness, a width off its rims:
// median width, and slope of the bed.
typedef struct river_reach
{
    double width;
    double slope;
    int32_t nodes;
} river_reach;
river_reach river_reach_in(const wadi_graded* graded, double hardness);
