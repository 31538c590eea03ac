// SPDX-License-Identifier: MIT
// The ground after a round, in four passes over rows, each of which reads what the one before
// wrote: plan, spill, change, freeze.
#pragma once

#include "particle/bed.h"

enum
{
    BED_GRAIN = 16,          // rows a block
    BED_CHUNK = 64,          // cells of a row that are planned together
    BED_TILE = 255,          // columns that are frozen together: with one more, whole vectors
    BED_SPILL_MOST = 1 << 30 // units that a cell spills in a round at most; more waits
};

// A tile of ground to freeze: normals and float levels from padded levels, of which one row and
// column around the tile is read.
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

// One row of a plan. Levels are padded: -1 and width may be read.
typedef struct bed_plan_rows
{
    const int32_t* north; // levels
    const int32_t* own;
    const int32_t* south;
    particle_cell* cells; // sums in: what particles moved; out: matter that has to wait
    float* visits;        // visits are added
    int32_t* changes;     // out
    int32_t* spills;      // out: + excess, - debt
} bed_plan_rows;

// One row of changes that the ground has made.
typedef struct bed_change_row
{
    const int32_t* changes;
    int32_t count;
    int32_t* levels; // follow
    float* wear;     // of changes below zero
    float* deposit;  // of changes above
} bed_change_row;

// The demands on one row and what its cells can give.
typedef struct bed_share_row
{
    const int32_t* north; // levels, padded
    const int32_t* own;
    const int32_t* south;
    int32_t count;
    double rock_softness;
    const uint16_t* hardness;
    int32_t* const* loose; // the row of each loose layer
    int32_t loose_count;
    int64_t* demands; // emptied
    float* shares;
} bed_share_row;

// The kernels of one instruction set.
struct bed_kernels
{
    void (*freeze)(const bed_freeze_tile* tile);
    // Plan up to BED_CHUNK cells of a row: each may go to its lowest or highest neighbour and
    // `slack` half units beyond. Returns 0 when nothing spills.
    int32_t (*plan)(const bed_plan_rows* rows, int32_t begin, int32_t count, int32_t slack);
    int64_t (*change)(const bed_change_row* row); // returns the sum of |changes|
    void (*share)(const bed_share_row* row);
};

extern const bed_kernels bed_kernels_base;
#if defined(WADI_X86_KERNELS)
extern const bed_kernels bed_kernels_avx2;
extern const bed_kernels bed_kernels_avx512;
#endif

static inline int32_t bed_chunks(const particle_bed* bed)
{
    return (bed->ground->width - 1) / BED_CHUNK + 1;
}

// One flag a chunk of a row: does anything spill there?
static inline uint8_t* bed_spill_flags(const particle_bed* bed, int32_t row)
{
    return bed->spill_flags + (int64_t)row * bed_chunks(bed);
}

// Cell index of neighbour k in [0, 8), across periodic edges; -1 when there is none. And its level;
// PARTICLE_MISSING when there is none.
int64_t bed_neighbour(const particle_bed* bed, int32_t x, int32_t y, int32_t k);
int32_t bed_neighbour_level(const particle_bed* bed, int32_t x, int32_t y, int32_t k);

void bed_plan(particle_bed* bed);
void bed_spill(particle_bed* bed);
void bed_change(particle_bed* bed);
void bed_freeze(particle_bed* bed);
