// SPDX-License-Identifier: MIT
// A graded river on a tilted plain, and measurements of it.
#pragma once

#include "support/fixture.h"

#include "processes/riverbed/graded_internal.h"

typedef struct river_land
{
    int32_t size;     // cells along each side
    double cell;      // [m]
    double slope;     // of the plain
    double azimuth;   // downslope direction, from east to south [degree]
    double roughness; // standard deviation of white noise on the ground [m]
    double band;      // hardness of a band across the middle third; 0: none
    double ridge;     // height of a ridge across the river [m]
    uint64_t seed;
} river_land;

// 512 cells of 4 m, slope 0.006 to the east, noise of 0.25 m.
river_land river_plain(void);

wadi_terrain* river_terrain(fixture* f, const river_land* land);

// An emitter on the edge from which the slope leads through the middle; lengths in cells.
riverbed_emitter river_emitter(const river_land* land, double discharge);

// Run a river on `terrain` until its growth is complete.
wadi_graded* river_run(wadi_terrain* terrain, const wadi_riverbed_params* params,
                       const riverbed_emitter* emitters, int32_t count);

typedef struct river_measures
{
    double bend_length; // mean wavelength: distance between every second bend [widths]
    double bend_radius; // median radius at the apex [widths]
    double sinuosity;
    double bar;       // highest bar above bankfull [m]
    int32_t bends;    // measured apexes
    int32_t core;     // cells in the middle 70 % of the bed
    int32_t pits;     // core cells that do not drain to the outlet
    double width;     // median width of the water surface [m]
    double aim;       // median of the target width [m]
    double share_out; // share of the load that left through the outlet
    double carved;    // net erosion [m3]
} river_measures;

river_measures river_measure(const wadi_graded* graded);

// Water width at a node [m], and lowest ground there [m].
double river_width_at(const wadi_graded* graded, const graded_node* node);
double river_floor_at(const wadi_graded* graded, const graded_node* node);

// A part of a course in rock of one hardness, at least a width from its borders: median width and
// bed slope.
typedef struct river_reach
{
    double width;
    double slope;
    int32_t nodes;
} river_reach;
river_reach river_reach_in(const wadi_graded* graded, double hardness);
