// SPDX-License-Identifier: MIT
// Row kernels of talus, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The eight neighbours, axes first. Row 0 is in the north.
enum
{
    TALUS_EAST,
    TALUS_SOUTH,
    TALUS_WEST,
    TALUS_NORTH,
    TALUS_SOUTH_EAST,
    TALUS_SOUTH_WEST,
    TALUS_NORTH_WEST,
    TALUS_NORTH_EAST,
    TALUS_NEIGHBOURS
};

enum
{
    TALUS_LANES = 16 // rows are padded to a multiple of the widest vector; WADI_TALUS_STRETCH
};

// Higher than any cell of a patch: nothing slides there, and it has nothing to give.
#define TALUS_WALL (1 << 30)

// A stretch of plain ground: one loose layer on rock.
typedef struct talus_read_row
{
    const int32_t* rock;  // [units]
    const int32_t* loose; // [units]
    int32_t count;
    int32_t base;     // level that heights are counted from
    int32_t* surface; // [units] above it
    float* amount;    // `loose` as float
} talus_read_row;

// Slopes at which the cells of a stretch rest and slide.
typedef struct talus_hold_row
{
    const float* tangents;
    int32_t count;
    float scale;    // units of height in the width of a cell
    float widening; // tangent of the hysteresis
    float* hold;    // [units/cell]
    float* start;
} talus_hold_row;

// One row of cells that may give. Arrays are of equal width and point at its first cell.
typedef struct talus_flux_row
{
    const int32_t* surface; // [units] above a level that all rows share, within +-2^30
    ptrdiff_t stride;       // to the rows beside it
    int32_t count;          // a multiple of TALUS_LANES
    const float* loose;     // [units] that there is to give
    const float* hold;      // [units/cell] steepest slope that rests
    const float* start;     // [units/cell] slope above which a cell slides
    uint32_t awake;         // bit g: vector g may move; the others rest
    uint32_t stale;         // bit g: its fluxes are of another row, and not 0
    float share;            // of the excess that moves
    float* slope; // [units/cell] steepest of the eight triangles; where a vector rests, 0 if `flat`
    bool flat;
    int32_t* flux[TALUS_NEIGHBOURS];
    int32_t* given; // sum of the eight
} talus_flux_row;

// The same row's fluxes, added to what its cells and their neighbours change by.
typedef struct talus_sum_row
{
    const int32_t* flux[TALUS_NEIGHBOURS]; // readable one cell before the first
    const int32_t* given;
    int32_t count;
    int32_t* north; // rows of changes
    int32_t* here;
    int32_t* south;
} talus_sum_row;

// Rock of a row of cells that stands too steep under less debris than slides away.
typedef struct talus_break_row
{
    const int32_t* surface; // [units]; walls are no rock
    const float* loose;     // [units]
    const float* slope;     // [units/cell]
    int32_t count;
    float share;
    float hold;  // [units/cell]
    float start; // [units/cell]
    int32_t* breaks;
} talus_break_row;

typedef struct talus_kernels
{
    void (*read)(const talus_read_row* row);
    void (*hold)(const talus_hold_row* row);
    uint32_t (*flux)(const talus_flux_row* row); // bit g: vector g moves; all others give 0
    void (*sum)(const talus_sum_row* row);
    bool (*breaks)(const talus_break_row* row); // true: some rock breaks
} talus_kernels;

extern const talus_kernels talus_kernels_base;
#if defined(WADI_X86_KERNELS)
extern const talus_kernels talus_kernels_avx2;
extern const talus_kernels talus_kernels_avx512;
#endif

// The build for an instruction set; NULL when there is none. The bits are the same with each.
const talus_kernels* talus_kernels_of(wadi_isa isa);
