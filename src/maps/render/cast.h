// SPDX-License-Identifier: MIT
// Intersection of rays with the relief: a quadtree of highest points skips the air above the
// ground, and within a patch of four cells the bilinear surface is intersected exactly.
#pragma once

#include "maps/render/relief.h"

enum
{
    CAST_LEVELS = 13, // of patches: 2^12 > RELIEF_MOST
    CAST_LANES = 16   // rays that are cast together
};

typedef struct render_caster
{
    const render_relief* relief;
    const struct cast_kernels* kernels;
    float* highest; // of each node, level after level; level 0 has a node per patch of four cells
    int32_t first[CAST_LEVELS]; // node of each level
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

// Rays that are cast together.
typedef struct cast_rays
{
    render_ray rays[CAST_LANES];
    float
        start[CAST_LANES]; // up to this distance the ray is known to pass air; 0: nothing is known
    cast_hit hits[CAST_LANES];
    int32_t count;
} cast_rays;

// Find the hits. `bottom` [cells] is the lower end of the sides.
void wadi_cast_rays(const render_caster* caster, cast_rays* rays, float bottom);

// A height that the ground between two columns and two rows does not exceed; -INFINITY outside.
float wadi_cast_highest(const render_caster* caster, float x0, float y0, float x1, float y1);
