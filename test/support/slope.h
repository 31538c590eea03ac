// SPDX-License-Identifier: MIT
// Test terrain for landslides: an inclined plane with soil.
#pragma once

#include "support/fixture.h"

typedef struct slope_shape
{
    int32_t side;   // [cells]
    double cell;    // [m]
    double tangent; // of the slope
    double azimuth; // downslope direction, clockwise from north [degree]
    double foot;    // distance of the level foot below the middle [m]; 0: none
    double soil;    // thickness everywhere [m]
    double block;   // additional soil in a square [m]
    double half;    // half the side of the square, which is aligned with the slope [m]
    double ahead;   // offset of the square down the slope from the middle [m]
} slope_shape;

// Make a square terrain with open edges. The soil lies on top of the plane.
wadi_terrain* slope_make(fixture* f, const slope_shape* shape);

// Centre of a layer's volume relative to the middle of the terrain.
typedef struct slope_middle
{
    double volume; // [m3]
    double ahead;  // down the slope [m]
    double aside;  // to the right, looking down the slope [m]
    double height; // mean height of the ground below it [m]
} slope_middle;

slope_middle slope_middle_of(wadi_terrain* terrain, const slope_shape* shape, wadi_layer layer);

// Value of a figure that a landslide reports.
double slope_figure(const wadi_solver* solver, const char* name);

// Run a landslide for one step of this length, and lay down what still slides.
wadi_result slope_run(wadi_solver* solver, double years);
// Put the solver away and bring it back from bytes, on a terrain.
wadi_solver* slope_restore(wadi_solver* solver, wadi_terrain* terrain);
