// SPDX-License-Identifier: MIT
// Clumps in a world of grains. Their spheres are grains like others to the search and to contacts;
// they are moved together, after all forces are known. The state of a clump is its own: places and
// velocities of its spheres follow from it.
#pragma once

#include "bodies/grains/clump_shape.h"

enum
{
    GRANULAR_CLUMP_BLOCK = 128 // clumps that one worker takes at a time
};

typedef struct granular_clump
{
    double x[3];     // centre of mass
    double v[3];     // half a step behind x
    double whirl[3]; // angular momentum, half a step behind `turn`
    double turn[4];  // from principal axes to the world's
    double radius;   // of the sphere of the same volume
    int32_t shape;
    int32_t first; // id of its first sphere; the others follow
    int32_t fixed; // 1: its spheres move as fixed grains do
    int32_t spare;
} granular_clump;

// Displacements of the spheres of a block since the list was built.
typedef struct granular_clump_box
{
    double low[3];
    double high[3];
    double strayed2; // from the reference
} granular_clump_box;

typedef struct granular_clumps
{
    granular_shape shapes[WADI_GRAIN_MAX_SHAPES];
    int32_t shape_count;
    granular_clump* list; // in the order of their spheres
    int32_t count;
    int32_t room;
    granular_clump_box* boxes; // by block
} granular_clumps;
