// SPDX-License-Identifier: MIT
// Water as particles beside the soil of the process "earth". Both take turns: in an exchange,
// grains stand still while water passes them and drags, lifts and strikes them; then they move for
// as long, with the mean of what it did to them and with the water they drank in their pores.
#pragma once

#include "earth/earth_internal.h"

typedef struct wadi_earth_water
{
    wadi_context* context;
    wadi_water_params params;
    wadi_sph* sph;
    wadi_sph_rain rain;
    double exchange; // [s]
    int64_t steps;   // of particles in an exchange
    int64_t passed;  // exchanges

    // by grain
    int32_t count;
    wadi_grain* grains;
    double* pores; // [m3]
    double* saturation;
    wadi_sph_sphere* spheres;
    wadi_sph_touch* touches;
    double* drunk; // [m3]
    double (*speed)[3];
    double* taken;
} wadi_earth_water;

// Water around soil that is there already, or around none. On failure state->water is NULL.
wadi_result wadi_earth_water_create(wadi_earth_state* state, const wadi_water* water);
void wadi_earth_water_destroy(wadi_earth_water* water); // NULL is allowed

// One exchange. The soil has the weather it has been given.
wadi_result wadi_earth_water_pass(wadi_earth_state* state);

// Units that the books of particles and of pores together do not explain: 0.
int64_t wadi_earth_water_residual(const wadi_earth_state* state);
