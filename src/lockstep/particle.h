// SPDX-License-Identifier: MIT
// Common to all particle processes: start positions and boundary conditions.
#pragma once

#include <wadi/terrain.h>

#include <stdint.h>

// Start position [cells] of particle `index` of a stream: any run of indices covers the grid
// evenly, whatever its size.
typedef struct particle_places
{
    uint64_t seed;
    uint32_t stream;
    int32_t width; // [cells]
    int32_t height;
} particle_places;
void wadi_particle_place(const particle_places* places, int64_t index, float* x, float* y);

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

// Apply the boundary condition to one coordinate: wrapped at a periodic edge, reflected with its
// speed at a closed one. Returns PARTICLE_INSIDE, or the open side by which the particle left.
int wadi_particle_apply_edge(const particle_axis* axis, float* place, float* speed);
