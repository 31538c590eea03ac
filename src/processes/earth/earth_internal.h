// SPDX-License-Identifier: MIT
// State of the process "earth": bodies of soil as wet grains on a terrain.
#pragma once

#include <wadi/earth.h>

#include "core/internal.h"

#include <wadi/archive.h>

struct wadi_earth_water; // earth_water.h

typedef struct wadi_earth_state
{
    wadi_terrain* terrain;
    wadi_earth_params params;
    uint32_t stream;
    wadi_wet_grains* world;         // NULL: no bodies were given
    struct wadi_earth_water* water; // water as particles; NULL: none
    int32_t count;                  // grains
    int32_t body_count;
    wadi_wet_material materials[WADI_GRAIN_MAX_MATERIALS]; // of the bodies, then of the ground
    float* ground;    // surface below the bodies when they were set, width x height [m]
    double begun;     // time at the begin of the step [s]
    double asked;     // time that has passed [s]
    wadi_watch watch; // NULL: none
    void* watch_user;
} wadi_earth_state;

// earth_build.c: put bodies into an empty world, let them come to rest, and bond them.
wadi_result wadi_earth_build(wadi_earth_state* state, const wadi_bodies* bodies);
// Create the world of `count` grains from the materials and the ground of the state, with walls at
// closed edges of the terrain.
wadi_result wadi_earth_create_world(wadi_earth_state* state, const wadi_grain* grains);
// Period of the world along x or y [m]; 0: not periodic.
double wadi_earth_period(const wadi_terrain* terrain, int axis);
// Wrap a position that lies beyond a periodic side.
void wadi_earth_wrap(const wadi_terrain* terrain, double position[3]);
// Copy the terrain's surface to state->ground, with its voids as low as the lowest cell.
wadi_result wadi_earth_keep_ground(wadi_earth_state* state);

// earth_archive.c: bodies and water included, so that set_bodies() need not be called again.
wadi_result wadi_earth_archive(void* user, wadi_archive* archive);
