// SPDX-License-Identifier: MIT
// A channel as it is designed: what is chosen, and what follows by Manning's law.
#pragma once

#include <wadi/regulate.h>

typedef struct regulate_design
{
    double width; // of the bed [m]
    double grade; // of the bed [1]
    double depth; // of the water, uniform [m]
    double shear; // mean on the bed [Pa]
    double crest; // of the levees above the bed [m]: depth and freeboard
} regulate_design;

regulate_design wadi_regulate_design_of(const wadi_regulate_params* params, double width,
                                        double grade);

// Shear that the bed withstands [Pa].
double wadi_regulate_critical_shear(const wadi_regulate_params* params);

// The steepest grade that a bed of this width withstands, at most `max_grade`; 0 where even the
// least grade that is allowed is too steep.
double wadi_regulate_steepest(const wadi_regulate_params* params, double width);
