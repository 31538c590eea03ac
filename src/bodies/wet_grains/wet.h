// SPDX-License-Identifier: MIT
// Internal interface of wet grains; only src/bodies/wet_grains includes it. Water and grains keep
// their own states; this couples them and selects which of the two advances.
#pragma once

#include "core/internal.h"

#include <wadi/wet_grains.h>

#include <math.h>
#include <string.h>

static const double WET_DENSITY = 1000.0; // of water [kg/m3]
static const double WET_PI = 3.14159265358979323846;

struct wadi_wet_grains
{
    wadi_context* context;
    wadi_wet_grains_params params;
    wadi_grains_params solid;
    wadi_wet_material materials[WADI_GRAIN_MAX_MATERIALS];
    int32_t material_count;
    int32_t count;
    wadi_grains* grains;
    wadi_seepage* seepage;
    double angle_cosine; // of the angle at which liquid meets grains
    double weight;       // acceleration of gravity [m/s2]

    // by id
    wadi_grain* list;     // as last read
    double (*linked)[3];  // its position when the neighbour list of water was built
    double (*last)[3];    // where it was last seen ...
    double (*way)[3];     // ... and how far it had come [m]
    double* mass;         // of water [kg]
    double* saturation;   // of its pores
    double* pressure;     // head [m]
    double (*motion)[3];  // positions, then velocities, for water
    double (*carried)[3]; // by water between grains [m3 m/s]
    double* net;          // volume of it [m3]
    double (*push)[3];    // by pressure in pores [m3]
    wadi_grain_water* water;

    // clocks [s]
    double time;
    double slept;
    double moved;
    double woke;
    double failed;
    double farthest;
    int64_t wakes;
};

// ---- forces of water on grains: wet_load.c -------------------------------------------------

// Volume of the pores that belong to a grain in soil of its porosity [m3].
double wadi_wet_pores(const wadi_wet_grains* world, int32_t id);
// Mass of the water in them at the saturation last read [kg]. Computed here only: a second formula
// with other rounding would show as lost water and lost momentum.
double wadi_wet_mass(const wadi_wet_grains* world, int32_t id);
// Set the water of grains from the current seepage state. `brought[i]` is the net momentum that
// water has brought to a grain since the last call; NULL: none.
wadi_result wadi_wet_apply_water(wadi_wet_grains* world, const double (*brought)[3]);

// ---- clocks: wet_clock.c -------------------------------------------------------------------

// Read the positions of grains, and update the distances they have moved.
void wadi_wet_read_positions(wadi_wet_grains* world);
// Count the distance that grains move from here on.
void wadi_wet_reset_distance(wadi_wet_grains* world);
