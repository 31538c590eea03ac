// SPDX-License-Identifier: MIT
// Design of a channel: width and grade are chosen, the other values follow by Manning's law.
#pragma once

#include <wadi/regulate.h>

typedef struct regulate_design
{
    double width; // of the bed [m]
    double grade; // of the bed [1]
    double depth; // of uniform flow [m]
    double shear; // mean shear stress on the bed [Pa]
    double crest; // height of the levees above the bed [m]: depth and freeboard
} regulate_design;

regulate_design wadi_regulate_design_of(const wadi_regulate_params* params, double width,
                                        double grade);

// Critical mean shear stress of the bed [Pa].
double wadi_regulate_critical_shear(const wadi_regulate_params* params);

// The steepest stable grade for a bed of this width, at most `max_grade`; 0 if `min_grade` is too
// steep already.
double wadi_regulate_steepest(const wadi_regulate_params* params, double width);
