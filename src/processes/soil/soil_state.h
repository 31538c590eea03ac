// SPDX-License-Identifier: MIT
// State of the process "soil", shared by its files.
#pragma once

#include <wadi/soil_cover.h>

#include "core/internal.h"
#include "terrain/ground.h"

enum
{
    SOIL_GRAIN = 16, // rows of a block
    SOIL_MAP_PRODUCED = 0,
    SOIL_MAP_WEAR,
    SOIL_MAP_DEPOSIT,
    SOIL_MAP_COUNT
};

typedef struct soil_state
{
    wadi_terrain* terrain;
    const wadi_ground* ground;
    wadi_soil_cover_params params;
    uint32_t stream;
    double bulking; // volume of soil over that of its rock

    int32_t* surface;                // [units]; voids too
    float* diffusivity;              // of creep by cell [m2/yr]
    int32_t* east;                   // creep over the western edges of cells, and one more [units]
    int32_t* south;                  // over the northern edges of rows, and one more
    int64_t* wanted;                 // creep out of a cell, before it is limited
    int32_t* taken;                  // from a cell [units]
    int32_t* laid;                   // on it
    float* fall;                     // share of a difference in height that falls
    int64_t* maps[SOIL_MAP_COUNT];   // [units]
    int64_t (*out)[WADI_SIDE_COUNT]; // by row: creep over open edges
    int64_t* in;                     // by row: creep that comes over them
    wadi_tally* tallies;             // by worker
    int64_t cells;                   // processed
    int64_t parts;                   // of steps of creep
    double years;
} soil_state;

// Index of the neighbour (dx, dy) of a cell, or -1 for a void or beyond an edge.
int64_t wadi_soil_neighbour(const wadi_ground* ground, int32_t x, int32_t y, int32_t dx,
                            int32_t dy);
// Tangent of the slope of a cell, by central differences.
double wadi_soil_slope(const soil_state* state, int32_t x, int32_t y);
// Tangent of its steepest descent, and the sum of its falls to four neighbours [units].
double wadi_soil_descent(const soil_state* state, int32_t x, int32_t y, double* sum);
// Write the surface of all cells.
void wadi_soil_survey(soil_state* state);
// Apply what was taken and laid.
void wadi_soil_apply(soil_state* state);

// Creep and falls for a time, in one explicit step. `part` numbers it for its random numbers.
void wadi_soil_creep(soil_state* state, double years, uint32_t step, uint32_t part);
// The longest stable explicit step [yr].
double wadi_soil_creep_step(const soil_state* state);
