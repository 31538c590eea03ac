// SPDX-License-Identifier: MIT
// Test fixture: a few grains and their materials.
#pragma once

#include "support/fixture.h"

#include <wadi/grains.h>

enum
{
    SOIL_MOST_MATERIALS = 4
};

typedef struct soil
{
    fixture f;
    wadi_grains_params params;
    wadi_grain_material materials[SOIL_MOST_MATERIALS];
    int32_t material_count; // default 1
    wadi_grain* list;       // initial grains, then the current ones
    int32_t count;
    int32_t capacity;
    wadi_grains* grains;
} soil;

// Grains of 1 cm radius, glass-like, no gravity.
void soil_open(soil* s, int32_t threads, int32_t capacity);
void soil_close(soil* s);
wadi_grain* soil_add(soil* s, double x, double y, double z, double radius);
void soil_make(soil* s);
// Gravity as on a slope of `degrees` towards the east.
void soil_tilt(soil* s, double degrees);
int32_t soil_wall(soil* s, double px, double py, double pz, double nx, double ny, double nz);
int32_t soil_floor(soil* s);
void soil_run(soil* s, int64_t steps);
// Simulate `seconds` and read all grains.
void soil_pass(soil* s, double seconds);
double soil_mass(const soil* s, int32_t id);

// Place grains at random without overlap (random sequential addition) in the box from 0 to `size`;
// radii between `least` and `most`.
void soil_scatter(soil* s, int32_t count, const double size[3], double least, double most,
                  uint32_t seed);
// Grains of one radius in close-packed layers on z = 0, filling the box from `low` to `high`;
// jittered by 1 % of the radius. `round`: only within the circle inscribed in the box.
void soil_pack(soil* s, const double low[3], const double high[3], double radius, bool round);

// Angle of a line through the tops of strips beside the middle, `strip` wide, in `from` to `to`
// [degrees].
double soil_slope(const soil* s, double from, double to, double strip);
