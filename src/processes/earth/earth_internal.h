// SPDX-License-Identifier: MIT
// State of the process "earth": bodies of soil as wet grains on a terrain.
#pragma once

#include <wadi/earth.h>

#include "core/internal.h"

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
    double porosity[WADI_GRAIN_MAX_MATERIALS];
    double density[WADI_GRAIN_MAX_MATERIALS]; // of a grain [kg/m3]
    double asked;                             // time requested so far [s]
    wadi_watch watch;                         // NULL: none
    void* watch_user;
} wadi_earth_state;

// earth_build.c: put bodies into an empty world, let them come to rest, and bond them.
wadi_result wadi_earth_build(wadi_earth_state* state, const wadi_bodies* bodies);
// Period of the world along x or y [m]; 0: not periodic.
double wadi_earth_period(const wadi_terrain* terrain, int axis);
// The terrain's surface, width x height, with its voids as low as the lowest cell; to be freed.
wadi_result wadi_earth_surface(const wadi_earth_state* state, float** out);
