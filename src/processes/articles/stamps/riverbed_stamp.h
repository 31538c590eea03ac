// SPDX-License-Identifier: MIT
// Stamps: Eq 2, sqrt(s2 - rho2) in every cell nearer than s, in fixed point. Integer sums do not
// depend on the order of stamps.
#pragma once

#include "core/isa.h"
#include "processes/articles/stamps/riverbed_path.h"

enum
{
    // fixed-point parts per cell of thickness: a stamp of s = 3 has 12 288 in its centre, and 10^4
    // such particles sum to 10^9. So sums of the grid have 64 bits and those of a tile 32
    RIVERBED_PARTS = 4096,
    RIVERBED_LANES = 8,   // cells of a row that are stamped at once
    RIVERBED_APART = 8,   // stamps that alternate, see riverbed_kernel.c
    RIVERBED_STRETCH = 64 // steps of a path that are placed at once
};

typedef struct riverbed_stamps
{
    int32_t* sums; // [parts]
    int32_t stride;
    int32_t reach; // ceil(s): rows and cells to either side
    int32_t span;  // cells in a row, 2 x reach rounded up to lanes
    float squared; // s2 [cells2]
    // by stamp: cell of its north-west corner in `sums`, and position of its centre in its cell,
    // in [0, 1)
    int32_t count;
    const int32_t* corner;
    const float* x;
    const float* y;
} riverbed_stamps;

// Up to RIVERBED_STRETCH steps of a path, and the bounds of a tile.
typedef struct riverbed_stretch
{
    const riverbed_path* path;
    const riverbed_orbit* orbit;
    int32_t first; // step
    int32_t count;
    double left; // particles outside these bounds do not touch it [cells]
    double top;
    double right;
    double bottom;
    int32_t stride; // of the sums
    int32_t origin; // index in the sums of the corner of a stamp in cell (0, 0)
} riverbed_stretch;

typedef struct riverbed_build
{
    void (*stamp)(const riverbed_stamps* stamps);
    // Write corner and position of each stamp that touches the tile, in order; returns their
    // number. The arrays must have room for RIVERBED_STRETCH.
    int32_t (*place)(const riverbed_stretch* stretch, int32_t* corner, float* x, float* y);
} riverbed_build;

WADI_ISA_KERNELS(riverbed_build)
