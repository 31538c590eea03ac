// SPDX-License-Identifier: MIT
// Row kernels of the flood, compiled once for each instruction set.
#pragma once

#include "core/isa.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Search of one row for pits: cells without a neighbour that is lower by the drop.
typedef struct flow_pits_row
{
    const int32_t* surface; // padded, at the row's first cell
    ptrdiff_t stride;
    int32_t count;
    int32_t drop[2];        // [units] by axis and diagonal
    const uint8_t* outline; // initial state of each cell
    uint8_t open;           // `outline` of a cell that may be a pit
    uint8_t pit;            // state to give to a pit
    uint8_t* state;
    uint8_t* down; // direction of the lowest neighbour that is lower by the drop, or 8
} flow_pits_row;

typedef struct flow_kernels
{
    const char* name;
    void (*pits)(const flow_pits_row* row);
    // Is one of the four neighbours after a cell of another basin? 0 or 1.
    void (*borders)(int32_t count, ptrdiff_t stride, const uint32_t* basin, uint8_t* differs);
    // Is a cell in this state beside one that is not? 0 or 1. Returns the number of cells in it.
    int32_t (*shores)(int32_t count, ptrdiff_t stride, uint8_t wet, const uint8_t* state,
                      uint8_t* shore);
} flow_kernels;

WADI_ISA_KERNELS(flow_kernels)
