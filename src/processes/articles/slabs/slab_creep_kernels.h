// SPDX-License-Identifier: MIT
// Row kernels of reptation, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

#include <stdint.h>

// The eight neighbours, axes first, each beside its opposite. Row 0 is in the north.
enum
{
    CREEP_EAST,
    CREEP_WEST,
    CREEP_SOUTH,
    CREEP_NORTH,
    CREEP_SOUTH_EAST,
    CREEP_NORTH_WEST,
    CREEP_SOUTH_WEST,
    CREEP_NORTH_EAST,
    CREEP_NEIGHBOURS
};

// Outflow of the cells of a row to their steepest and second steepest neighbours.
typedef struct creep_gifts
{
    int32_t* way[2];    // CREEP_*
    int32_t* amount[2]; // [units]
} creep_gifts;

// All arrays have a cell in front of the first and one behind the last.
typedef struct creep_plan_row
{
    const int32_t* north; // [units] levels, within 2^30 of each other
    const int32_t* here;
    const int32_t* south;
    const int32_t* sand;   // [units] to give
    const int32_t* struck; // [units] that came down and may set grains rolling
    float rate; // [1/units] grains set rolling per grain come down and fall to the neighbour
    int32_t count;
    creep_gifts gifts;
} creep_plan_row;

typedef struct creep_sum_row
{
    creep_gifts north;
    creep_gifts here;
    creep_gifts south;
    int32_t count;
    int32_t* change; // [units]; no cells beside it
} creep_sum_row;

typedef struct slab_creep_kernels
{
    void (*plan)(const creep_plan_row* row);
    void (*sum)(const creep_sum_row* row);
} slab_creep_kernels;

WADI_ISA_KERNELS(slab_creep_kernels)
