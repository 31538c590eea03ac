// SPDX-License-Identifier: MIT
// Planes that fall towards an azimuth, with soil on them: what landslides are tested on.
#pragma once

#include "support/fixture.h"

typedef struct slope_shape
{
    int32_t side;   // [cells]
    double cell;    // [m]
    double tangent; // of the slope
    double azimuth; // it falls to, clockwise from north [degree]
    double foot;    // level ground begins so far below the middle [m]; 0: nowhere
    double soil;    // everywhere [m]
    double block;   // more soil in a square round the middle [m]
    double half;    // of its side, turned with the slope [m]
    double ahead;   // of its middle beyond that of the terrain, down the slope [m]
} slope_shape;

// A square terrain with open edges. The soil lies on top of the plane.
wadi_terrain* slope_make(fixture* f, const slope_shape* shape);

// Where a layer's volume lies: metres down the slope from the middle, and its mean height.
typedef struct slope_middle
{
    double volume; // [m3]
    double ahead;  // [m]
    double aside;  // to the right of the way down [m]
    double height; // of the ground below it [m]
} slope_middle;

slope_middle slope_middle_of(wadi_terrain* terrain, const slope_shape* shape, wadi_layer layer);

// What a landslide reports under a name.
double slope_figure(const wadi_solver* solver, const char* name);
