// SPDX-License-Identifier: MIT
// Changes of the ground after a round, in four passes over rows, each reading the results of the
// one before: plan, spill, change, freeze.
#pragma once

#include "core/isa.h"
#include "lockstep/bed.h"

enum
{
    BED_GRAIN = 16,          // rows of a block
    BED_CHUNK = 64,          // cells of a row planned together
    BED_TILE = 255,          // columns frozen together: 256 values with one neighbour
    BED_SPILL_MOST = 1 << 30 // most units that a cell spills in a round; the rest stays
};

// A tile of ground to freeze: float levels and normals from levels with a halo of one cell.
typedef struct bed_freeze_tile
{
    const int32_t* levels; // of the first cell
    ptrdiff_t stride;      // [cells]
    int32_t rows;
    int32_t columns; // at most BED_TILE
    int32_t datum;
    float cells_per_unit;
    particle_cell* out;
    ptrdiff_t out_stride;
} bed_freeze_tile;

// One row of a plan. Levels have a halo: -1 and width may be read.
typedef struct bed_plan_rows
{
    const int32_t* north; // levels
    const int32_t* own;
    const int32_t* south;
    particle_cell* cells; // sums in: matter moved by particles; out: matter left for later
    float* visits;        // added to
    int32_t* changes;     // out
    int32_t* spills;      // out, if any of them is not 0: + excess, - deficit
} bed_plan_rows;

// One row of changes that have been applied to the ground.
typedef struct bed_change_row
{
    const int32_t* changes;
    int32_t count;
    int32_t* levels; // updated
    float* wear;     // adds changes below zero
    float* deposit;  // adds changes above zero
} bed_change_row;

// The demands on one row and what its cells can give.
typedef struct bed_grant_row
{
    const int32_t* north; // levels with a halo
    const int32_t* own;
    const int32_t* south;
    int32_t count;
    double rock_softness;
    const uint16_t* hardness;
    int32_t* const* loose; // the row of each loose layer
    int32_t loose_count;
    const int32_t* aside; // low words of the sums put aside
    uint32_t* grants;     // in: their high words
    particle_cell* cells; // sums in: minus the demand; out: those put aside
} bed_grant_row;

// The kernels of one instruction set.
struct bed_kernels
{
    void (*freeze)(const bed_freeze_tile* tile);
    // Plan up to BED_CHUNK cells of a row. The limits are the lowest and highest neighbour and
    // `slack` half units beyond. Returns 0 when nothing spills.
    int32_t (*plan)(const bed_plan_rows* rows, int32_t begin, int32_t count, int32_t slack);
    int64_t (*change)(const bed_change_row* row); // returns the sum of |changes|
    void (*grant)(const bed_grant_row* row);
};

WADI_ISA_KERNELS(bed_kernels)

static inline int32_t bed_chunks(const particle_bed* bed)
{
    return (bed->ground->width - 1) / BED_CHUNK + 1;
}

// One flag per chunk of a row: nonzero if a cell of the chunk spills.
static inline uint8_t* bed_spill_flags(const particle_bed* bed, int32_t row)
{
    return bed->spill_flags + (int64_t)row * bed_chunks(bed);
}

// Cell index of neighbour k in [0, 8), across periodic edges, or -1; and its level, or
// PARTICLE_MISSING.
int64_t wadi_bed_neighbour(const particle_bed* bed, int32_t x, int32_t y, int32_t k);
int32_t wadi_bed_neighbour_level(const particle_bed* bed, int32_t x, int32_t y, int32_t k);

void wadi_bed_plan(particle_bed* bed);
void wadi_bed_spill(particle_bed* bed);
void wadi_bed_change(particle_bed* bed);
void wadi_bed_freeze(particle_bed* bed);
