// SPDX-License-Identifier: MIT
// Intersection of rays with the relief: a quadtree of highest points skips the air above the
// ground, and within a patch of four cells the bilinear surface is intersected exactly.
#pragma once

#include "maps/render/relief.h"

enum
{
    CAST_LEVELS = 13 // of patches: 2^12 > RELIEF_MOST
};

typedef struct render_caster
{
    const render_relief* relief;
    float* highest[CAST_LEVELS]; // of each node; level 0 has a node per patch of four cells
    int32_t columns[CAST_LEVELS];
    int32_t rows[CAST_LEVELS];
    int32_t levels;
} render_caster;

typedef struct render_ray
{
    float x, y, z;    // origin [cells]
    float dx, dy, dz; // unit direction
} render_ray;

typedef enum cast_kind
{
    CAST_MISS,
    CAST_GROUND, // from above
    CAST_SIDE    // a cut side of the block or of a void
} cast_kind;

typedef struct cast_hit
{
    cast_kind kind;
    float t;
    float x, y, z;
    int32_t patch_x, patch_y;
    int32_t axis; // side only: its normal is along x (0) or y (1)
} cast_hit;

wadi_result wadi_caster_create(const render_relief* relief, render_caster* out);
void wadi_caster_destroy(render_caster* caster);

// `bottom` [cells] is the lower end of the sides. Before the distance `start` the ray is known to
// pass air; 0: nothing is known.
cast_hit wadi_cast_ray(const render_caster* caster, const render_ray* ray, float bottom,
                       float start);

// A height that the ground between two columns and two rows does not exceed; -INFINITY outside.
float wadi_cast_highest(const render_caster* caster, float x0, float y0, float x1, float y1);
