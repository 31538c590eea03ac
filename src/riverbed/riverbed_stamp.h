// SPDX-License-Identifier: MIT
// Stamps: Eq 2, sqrt(s2 - rho2) in every cell nearer than s, summed in whole parts of a cell. Sums
// of integers do not depend on the order, so neither do beds.
#pragma once

#include "riverbed/riverbed_path.h"

enum
{
    // parts of a cell of thickness: a stamp of s = 3 has 12 288 in its centre, and 10^4 particles
    // of it sum up to 10^9 there, which is why sums live in 64 bits and only tiles in 32
    RIVERBED_PARTS = 4096,
    RIVERBED_LANES = 8,   // cells of a row that are stamped at once
    RIVERBED_APART = 8,   // stamps that take turns
    RIVERBED_STRETCH = 64 // steps of a path that are placed at once
};

typedef struct riverbed_stamps
{
    int32_t* sums; // [parts]
    int32_t stride;
    int32_t reach; // ceil(s): rows and cells to either side
    int32_t span;  // cells in a row, 2 x reach rounded up to lanes
    float squared; // s2 [cells2]
    // one a stamp: cell of its north-west corner in `sums`, place of its centre beyond the cell
    // that it lies in, in [0, 1)
    int32_t count;
    const int32_t* corner;
    const float* x;
    const float* y;
} riverbed_stamps;

// Up to RIVERBED_STRETCH steps of a path, and where their stamps touch a tile.
typedef struct riverbed_stretch
{
    const riverbed_path* path;
    const riverbed_orbit* orbit;
    int32_t first; // step
    int32_t count;
    double left; // particles beyond these do not touch it [cells]
    double top;
    double right;
    double bottom;
    int32_t stride; // of the sums
    int32_t origin; // corner in them of a stamp in cell (0, 0)
} riverbed_stretch;

typedef struct riverbed_build
{
    void (*stamp)(const riverbed_stamps* stamps);
    // Write corner and place of each stamp that touches the tile, in their order; returns how many.
    // There must be room for RIVERBED_STRETCH.
    int32_t (*place)(const riverbed_stretch* stretch, int32_t* corner, float* x, float* y);
} riverbed_build;

extern const riverbed_build riverbed_build_base;
extern const riverbed_build riverbed_build_avx2;
extern const riverbed_build riverbed_build_avx512;
