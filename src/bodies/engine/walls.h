// SPDX-License-Identifier: MIT
// Planes, and the ground, that hold particles.
#pragma once

#include "bodies/engine/facets.h"
#include "core/internal.h"

// A flat wall without end.
typedef struct wadi_wall
{
    double point[3];
    double normal[3]; // of length 1
    double velocity[3];
} wadi_wall;

bool wadi_is_finite(const double v[3]);

// A wall with a normal of any length above 0; *out is set on success.
wadi_result wadi_wall_create(wadi_context* context, const double point[3], const double normal[3],
                             const double velocity[3], wadi_wall* out);
// First of `most` bits that is not set in `present`: a free place for a wall.
wadi_result wadi_wall_slot(wadi_context* context, uint32_t present, int32_t most, int32_t* out);
wadi_result wadi_wall_check(wadi_context* context, uint32_t present, int32_t most, int32_t wall);

// Distance of a point from a wall, and the wall's normal.
static inline double wadi_wall_distance(const wadi_wall* wall, const double x[3], double n[3])
{
    double distance = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        n[c] = wall->normal[c];
        distance += (x[c] - wall->point[c]) * n[c];
    }
    return distance;
}

// Whether `shape`, whose heights are borrowed, can be ground.
wadi_result wadi_facets_check(wadi_context* context, const wadi_facets* shape,
                              const float* heights);
// Replace `facets` by a copy of `shape`; on failure they keep their old heights.
wadi_result wadi_facets_set(wadi_context* context, wadi_facets* facets, const wadi_facets* shape,
                            const float* heights);
