// SPDX-License-Identifier: MIT
// Storms: a strong wind from the sea raises it, its waves run up the beach and cut the foot of
// dunes, and the sand goes to the shore. docs/theory/sand.md has the equations and their sources.
#pragma once

#include "laws/sand/sand_shore.h"

// A wind that blows for some time.
typedef struct sand_storm_wind
{
    double direction; // from which it blows, clockwise from north [degree]
    double speed;     // at 10 m [m/s]
    double years;     // of wind
    double year;      // of the terrain's clock
} sand_storm_wind;

// The sea under a wind.
typedef struct sand_storm_sea
{
    double surge;  // set-up of the sea by the wind [m]
    double height; // significant, of the waves [m]
    double period; // at the peak of their spectrum [s]
    double runup;  // that 2 % of the waves exceed, above the surge [m]
} sand_storm_sea;

// All 0 if the wind is weaker than `speed` of the law or blows off the land.
sand_storm_sea wadi_sand_storm_sea(const sand_storm_law* law, const sand_storm_wind* wind);

// Cut dunes. Returns true if sand moved; plants on ground that was cut are lost. NULL has no
// storms.
bool wadi_sand_storm_cut(sand_shore* shore, const sand_storm_wind* wind, wadi_tally* tally);
