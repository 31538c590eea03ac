// SPDX-License-Identifier: MIT
// Wet grains and what they are made of, for tests.
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
    int32_t material_count; // 1 unless a test says otherwise
    wadi_grain* list;       // what goes in, then what came out
    int32_t count;
    int32_t capacity;
    wadi_wet_grains* world;
} mire;

// Gravity, no sleep, no weather.
void mire_open(mire* m, int32_t threads, int32_t capacity);
void mire_close(mire* m);
wadi_grain* mire_add(mire* m, double x, double y, double z, double radius);
void mire_make(mire* m);
wadi_grains* mire_solid(const mire* m);
void mire_wall(mire* m, double px, double py, double pz, double nx, double ny, double nz);
// Let so many seconds of water pass, and read all grains.
void mire_pass(mire* m, double seconds);
// Let grains come to rest; fails the test where they do not.
void mire_settle(mire* m, double seconds);
wadi_wet_grains_summary mire_look(const mire* m);
// The books of the water close to the last unit.
void mire_check_books(const mire* m);
