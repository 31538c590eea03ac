// SPDX-License-Identifier: MIT
// Receivers over tiles: state that receivers.c and level_ground.c share.
#pragma once

#include "window/tiling.h"

enum
{
    RECEIVERS_LEVEL = -3, // no lower neighbour, and no outlet: the cell needs a path to one
    RECEIVERS_CROSS = -4  // the same, on level ground that crosses tiles
};

typedef struct receivers_run
{
    wadi_tiles* tiles;
    const tiling_grid* grid;
    const wadi_tiles_route_job* job;
    bool scanned;       // border levels were read for this run: no flood has left them
    uint32_t* level;    // padded keys of one tile
    float* height;      // padded [m]; the law STEEPEST only
    int8_t* direction;  // padded
    uint8_t* has_level; // by tile: it has cells of RECEIVERS_LEVEL
    uint32_t* queue;    // padded cells of one tile
} receivers_run;

// Directions in `run->direction` to the layer, and from it.
wadi_result wadi_receivers_store(receivers_run* run, const tiling_frame* frame);
wadi_result wadi_receivers_fetch(receivers_run* run, const tiling_frame* frame);
// Levels of a tile with its ghost cells; beyond the grid TILING_VOID at an open border.
wadi_result wadi_receivers_load(receivers_run* run, const tiling_frame* frame);

// level_ground.c: drain the cells of RECEIVERS_LEVEL along the shortest path to an outlet, as
// wadi_flow_route() does.
wadi_result wadi_receivers_cross_flats(receivers_run* run);
