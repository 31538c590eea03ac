// SPDX-License-Identifier: MIT
// Waves: which cells are sea, and the power of waves that reaches them.
#pragma once

#include "terrain/ground.h"

#include <wadi/coast.h>

enum
{
    COAST_DIRECTIONS = 16
};

// What a cell is to the sea.
typedef enum coast_kind
{
    COAST_LAND,
    COAST_SEA,    // ground below the level
    COAST_DEPTHS, // sea of unknown depth: cells without data beside the border of the map, and
                  // ground that was exactly at sea level at first
    COAST_HOLE    // cells without data that are no sea: only while kinds are found
} coast_kind;

typedef struct coast_waves
{
    const wadi_ground* ground;
    const wadi_coast_params* params;
    int32_t level;   // of the sea [units]
    uint8_t* kind;   // coast_kind of each cell
    float* loss;     // share of the power that is lost to the bed [1/m]; 0 over depths
    uint8_t* rays;   // power by direction, [0, 255]: COAST_DIRECTIONS grids
    float* power;    // of all directions together, [0, 1]; 0 on land
    float* lines;    // four rows or columns for each worker
    int32_t longest; // cells of a line
} coast_waves;

// Depth of the sea [m] at a cell of it.
static inline float coast_depth(const coast_waves* waves, int64_t cell)
{
    const int64_t depth = (int64_t)waves->level - wadi_ground_surface(waves->ground, cell);
    return (float)depth * (1.0f / WADI_UNITS_PER_METRE);
}

// Fill `loss` and `power` from `kind`.
void wadi_coast_blow(wadi_context* context, const coast_waves* waves);
