// SPDX-License-Identifier: MIT
// Test fixture: wet grains and their materials.
#pragma once

#include "support/fixture.h"

enum
{
    MIRE_MOST_MATERIALS = 4
};

typedef struct mire
{
    fixture f;
    wadi_wet_grains_params params;
    wadi_grains_params solid;
    wadi_wet_material materials[MIRE_MOST_MATERIALS];
    int32_t material_count; // default 1
    wadi_grain* list;       // initial grains, then the current ones
    int32_t count;
    int32_t capacity;
    wadi_wet_grains* world;
} mire;

// Gravity; no sleep; no weather.
void mire_open(mire* m, int32_t threads, int32_t capacity);
void mire_close(mire* m);
wadi_grain* mire_add(mire* m, double x, double y, double z, double radius);
void mire_make(mire* m);
wadi_grains* mire_solid(const mire* m);
void mire_wall(mire* m, double px, double py, double pz, double nx, double ny, double nz);
// Simulate wet grains for `seconds` and read all grains.
void mire_pass(mire* m, double seconds);
// Let the grains settle; fails the test if they do not.
void mire_settle(mire* m, double seconds);
wadi_wet_grains_summary mire_look(const mire* m);
// Check that the water balance closes to the last unit.
void mire_check_books(const mire* m);
