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

// Height of walls, above any cell of a patch; walls hold no loose matter.
#define TALUS_WALL (1 << 30)

// A run of cells with one loose layer on rock.
typedef struct talus_read_row
{
    const int32_t* rock;  // [units]
    const int32_t* loose; // [units]
    int32_t count;
    int32_t base;     // zero of the heights
    int32_t* surface; // [units] above `base`
} talus_read_row;

// One row of cells that may slide. Arrays have equal width and point at its first cell.
typedef struct talus_flux_row
{
    const int32_t* surface; // [units] above the base, within +-2^30
    ptrdiff_t stride;       // offset to the next row
    int32_t count;          // a multiple of TALUS_LANES
    const int32_t* loose;   // [units] available
    const float* tangents;  // of repose; NULL: `hold` and `start` are given
    float scale;            // [units] width of a cell, and
    float widening;         // tangent of the hysteresis, with tangents
    float* hold;            // [units/cell] slope at which sliding stops; memory with tangents
    float* start;           // [units/cell] slope at which sliding starts; likewise
    uint32_t awake;         // bit v: vector v may slide; others are stable
    uint32_t stale;         // bit v: fluxes of vector v are left from another row
    float share;            // fraction of the excess that moves
    float* slope;           // [units/cell] steepest triangle; 0 in stable vectors if `flat`
    bool flat;
    int32_t* flux[TALUS_NEIGHBOURS];
    int32_t* given; // sum of the eight
} talus_flux_row;

// Adds the fluxes of a row to the changes of its cells and their neighbours.
typedef struct talus_sum_row
{
    const int32_t* flux[TALUS_NEIGHBOURS]; // readable one cell before the first
    const int32_t* given;
    int32_t count;
    int32_t* north; // rows of changes
    int32_t* here;
    int32_t* south;
} talus_sum_row;

// Moves changes of whole vectors out of a row, which is 0 then.
typedef struct talus_take_row
{
    int32_t* change;
    uint32_t vectors;
    int32_t* out;
} talus_take_row;

// Rock failure of a row: slopes too steep for rock under a loose cover thinner than the slide.
typedef struct talus_break_row
{
    const int32_t* surface; // [units]; walls do not fail
    const int32_t* loose;   // [units]
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
    // Returns bit v if vector v of those awake is so steep that it may slide, the fluxes aside.
    uint32_t (*steep)(const talus_flux_row* row);
    uint32_t (*flux)(const talus_flux_row* row); // returns bit v if vector v slides
    void (*sum)(const talus_sum_row* row);
    uint32_t (*take)(const talus_take_row* row); // returns bit v if vector v is not 0
    bool (*breaks)(const talus_break_row* row);  // true if rock fails
} talus_kernels;

WADI_ISA_KERNELS(talus_kernels)
