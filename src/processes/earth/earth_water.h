// SPDX-License-Identifier: MIT
// Water as particles beside the soil of the process "earth", coupled in exchanges. In an exchange
// the particles advance around fixed grains and exert forces on them. Then the grains move for the
// same time under the mean force, with the water that they absorbed in their pores.
#pragma once

#include "processes/earth/earth_internal.h"

typedef struct wadi_earth_water
{
    wadi_context* context;
    wadi_water_params params;
    wadi_sph_params particles; // with the step and the periods that were chosen
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

// Create water around the soil of `state`, or without soil. On failure state->water is NULL.
wadi_result wadi_earth_water_create(wadi_earth_state* state, const wadi_water* water);
void wadi_earth_water_destroy(wadi_earth_water* water); // NULL is allowed

// List the water in an archive; a reading archive creates it, around soil that is restored.
wadi_result wadi_earth_water_archive(wadi_earth_state* state, wadi_archive* archive);

// Advance by one exchange, under the weather set before.
wadi_result wadi_earth_water_pass(wadi_earth_state* state);

// Residual of the water ledgers of particles and pores together [units]; must be 0.
int64_t wadi_earth_water_residual(const wadi_earth_state* state);
