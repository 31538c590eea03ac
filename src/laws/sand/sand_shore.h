// SPDX-License-Identifier: MIT
// Sand that waves bring ashore. Where the sea reaches ground between its level and the run-up of
// waves, it raises it, fastest at its level and not at all at the run-up. docs/theory/sand.md.
#pragma once

#include "terrain/ground.h"

typedef struct sand_storm_law
{
    double speed;   // of the weakest wind that is a storm [m/s]; 0: there are none
    double bearing; // from which waves meet the coast head-on, clockwise from north [degree]
    double fetch;   // length of open water [m]
    double depth;   // mean depth of that water [m]
    double slope;   // of the foreshore [1]
    double erosion; // coefficient of wave impact [1]
} sand_storm_law;

typedef struct sand_shore_law
{
    double level;  // of the sea, if the terrain has none [m]
    double runup;  // of waves above it [m]
    double supply; // rise of the beach at the level of the sea [m/yr]
    sand_storm_law storm;
} sand_shore_law;

// The law of parameters that have members of these names.
#define SAND_SHORE_LAW_OF(p)                                                                       \
    {                                                                                              \
        (p)->water_level, (p)->shore_runup, (p)->shore_supply,                                     \
        {                                                                                          \
            (p)->storm_speed, (p)->storm_bearing, (p)->storm_fetch, (p)->storm_depth,              \
                (p)->storm_slope, (p)->storm_erosion                                               \
        }                                                                                          \
    }

typedef struct sand_shore sand_shore;

// *out is NULL if no sand is brought and no storm can come.
wadi_result wadi_sand_shore_create(wadi_terrain* terrain, const sand_shore_law* law,
                                   sand_shore** out);
void wadi_sand_shore_destroy(sand_shore* shore);
// Bring the sand of `years` from year `from` on. NULL brings none. Fails if another window has
// failed.
wadi_result wadi_sand_shore_feed(sand_shore* shore, double from, double years, wadi_tally* tally);
// Remove the plants where waves have run up in the last feed.
void wadi_sand_shore_clear(const sand_shore* shore);
