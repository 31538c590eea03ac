// SPDX-License-Identifier: MIT
// Internal interface of fillings; only src/bodies/solid includes it.
#pragma once

#include "core/internal.h"

#include <wadi/solid.h>

enum
{
    SOLID_LAYERS = WADI_GRAIN_MAX_MATERIALS,
    SOLID_FINE = 3 // voxels along a grain's diameter
};

// Small cubes over the box of all layers, x fastest, then y, then z.
typedef struct solid_voxels
{
    double low[3]; // corner of the first [m]
    double size;   // of one [m]
    int32_t count[3];
    uint8_t* inside; // votes of one layer: bit a for rays along axis a
    uint8_t* label;  // 1 + the last layer that has it; 0: none
} solid_voxels;

static inline int64_t solid_voxel_count(const solid_voxels* voxels)
{
    return (int64_t)voxels->count[0] * voxels->count[1] * voxels->count[2];
}

static inline void solid_voxel_middle(const solid_voxels* voxels, int64_t voxel, double out[3])
{
    const int64_t row = voxel / voxels->count[0];
    const int64_t at[3] = {voxel % voxels->count[0], row % voxels->count[1],
                           row / voxels->count[1]};
    for (int a = 0; a < 3; ++a)
    {
        out[a] = voxels->low[a] + ((double)at[a] + 0.5) * voxels->size;
    }
}

// Set `inside` from rays along each axis through a mesh.
void wadi_solid_cast(wadi_context* context, const solid_voxels* voxels, const wadi_mesh* mesh,
                     uint8_t* inside);

// Places for grains: sites that fill space, each with a cell of its own, the nearest points.
typedef struct solid_packing
{
    int32_t kind;    // wadi_packing
    double low[3];   // site 0 [m]
    double pitch[3]; // between sites, rows and sheets [m]
    int32_t count[3];
} solid_packing;

// Lay sites for grains of that diameter over a box.
solid_packing wadi_solid_packing_over(int32_t kind, double diameter, double jitter,
                                      const double low[3], const double high[3]);
int64_t wadi_solid_packing_sites(const solid_packing* packing);
double wadi_solid_packing_room(const solid_packing* packing); // of a site [m3]
void wadi_solid_packing_place(const solid_packing* packing, int64_t site, double out[3]);
int64_t wadi_solid_packing_nearest(const solid_packing* packing, const double point[3]);
