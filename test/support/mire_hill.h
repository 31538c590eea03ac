// SPDX-License-Identifier: MIT
// A slope of three layers, two grains deep: soil over a tight layer over rock, above a flat foot.
#pragma once

#include "support/mire.h"

typedef struct hill
{
    double slope;    // [degree]
    double friction; // of grains
    double rolling;
    double soil;  // conductivity of the soil [m/s] ...
    double tight; // ... and of the tight layer
    double rain;  // [m/s]
    double acceleration;
    bool closed;      // no drainage at the bottom
    int32_t pressure; // wadi_wet_pressure
    int32_t threads;
} hill;

enum
{
    HILL_ROCK,
    HILL_TIGHT,
    HILL_SOIL
};

extern const double HILL_RADIUS; // mean of the grains [m]

hill hill_default(void);
// Make the slope and let it settle, or load the settled state `rest` if not NULL. Time starts at 0.
void hill_open(mire* m, const hill* h, const void* rest, size_t size);
// Downhill displacement of a grain since `before` [m].
double hill_way(const mire* m, const hill* h, const wadi_grain* before, int32_t id);
// Distance above the rock, normal to the slope [m].
double hill_height(const hill* h, const wadi_grain* grain);
