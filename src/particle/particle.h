// SPDX-License-Identifier: MIT
// What all processes of particles have in common, whatever moves them: where they start, and what
// becomes of them at an edge.
#pragma once

#include <wadi/terrain.h>

#include <stdint.h>

// Place [cells] of particle `index` of a stream on a grid: every stretch of indices covers the grid
// evenly, whatever its size.
typedef struct particle_places
{
    uint64_t seed;
    uint32_t stream;
    int32_t width; // [cells]
    int32_t height;
} particle_places;
void particle_place(const particle_places* places, int64_t index, float* x, float* y);

enum
{
    PARTICLE_INSIDE = -1
};

// An axis of the grid: the sides at its ends, their edges, and its length [cells].
typedef struct particle_axis
{
    wadi_side low;
    wadi_side high;
    const wadi_edge* edges; // of the terrain, by side
    int32_t size;
} particle_axis;

// Bring one coordinate back onto the grid: wrapped at a periodic edge, mirrored with its speed at a
// closed one. PARTICLE_INSIDE, or the open side that the particle left by.
int particle_fold(const particle_axis* axis, float* place, float* speed);
