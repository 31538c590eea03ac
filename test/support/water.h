// SPDX-License-Identifier: MIT
// Test fixture: a little water and its container.
#pragma once

#include "support/fixture.h"

#include <wadi/sph.h>

typedef struct water
{
    fixture f;
    wadi_sph_params params;
    wadi_sph* sph;
    wadi_sph_particle* list; // current particles
    int32_t count;
    int32_t capacity;
} water;

// Default water of spacing 0.1 m.
void water_open(water* w, int32_t threads, int32_t capacity);
void water_close(water* w);
void water_make(water* w);
int32_t water_wall(water* w, double px, double py, double pz, double nx, double ny, double nz);
// Add a floor with this drag at z = 0 and frictionless walls at x = 0 and x = `length`.
void water_trough(water* w, double length, double drag);
void water_fill(water* w, double x0, double y0, double z0, double x1, double y1, double z1);
// Read all particles.
void water_read(water* w);
void water_run(water* w, int64_t steps);
// Simulate `seconds` and read all particles.
void water_pass(water* w, double seconds);
