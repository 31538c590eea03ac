// SPDX-License-Identifier: MIT
// A slope of three layers, two grains deep into the picture: soil on a tight layer on rock, above a
// flat foot.
#pragma once

#include "support/mire.h"

typedef struct hill
{
    double slope;    // [degree]
    double friction; // of grains
    double rolling;
    double soil;  // conductivity of the soil [m/s] ...
    double tight; // ... and of the layer under it
    double rain;  // [m/s]
    double acceleration;
    bool closed;      // below
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
// Make it and let it come to rest, or, where `rest` is not NULL, as it was saved at rest; count
// from there.
void hill_open(mire* m, const hill* h, const void* rest, size_t size);
// How far a grain has come downhill since `before` [m].
double hill_way(const mire* m, const hill* h, const wadi_grain* before, int32_t id);
// Height above the rock, across the slope [m].
double hill_height(const hill* h, const wadi_grain* grain);
