// SPDX-License-Identifier: MIT
// Work data of a flood, shared by flow_flood*.c.
#pragma once

#include "laws/flow/flow_candidates.h"
#include "laws/flow/flow_flood.h"

enum
{
    FLOOD_OPEN,    // not visited: R = h is assumed
    FLOOD_PIT,     // not visited, and no neighbour is lower by the rise
    FLOOD_DONE,    // R is final
    FLOOD_WAITING, // open, and queued in the search for a spill point
    FLOOD_SEEN,    // searched, no spill point found yet
    FLOOD_FAILED,  // open, but its flow path ends in the depression under search
    FLOOD_WET,     // may be under water; `out` is an upper bound of R
    FLOOD_WALL,    // no data, or outside
    FLOOD_WRAPPED, // ghost of a cell on the opposite, periodic edge
};

enum
{
    FLOOD_BLOCK = 64 // rows of a block of flow_flood_basins.c
};

// The ground that descends to one pit.
typedef struct flood_basin
{
    uint32_t parent; // another basin of the same depression, or itself
    int32_t level;   // [units] of its water without tilt; -1: not known
} flood_basin;

// What a pass over a block of rows found.
typedef struct flood_block
{
    int64_t count; // entries in the block's part of `touched`
    int64_t wet;   // cells that may be under water
    bool full;     // no room for more entries, or too small a margin
} flood_block;

struct wadi_flow_flood
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    int32_t stride;   // of padded arrays: width + 2
    bool wraps;       // some edge is periodic
    bool lent;        // the work is in the room of the caller
    uint8_t* outline; // padded: initial state
    uint8_t* state;   // padded
    uint8_t* down;    // padded: direction of the lowest neighbour of the ground, or 8
    uint8_t* from;    // padded: direction of the search step into a cell
    flood_candidates pits;
    uint32_t* way;     // the work begins here. Flow path from a cell to a cell that drains; padded:
                       // basin of each cell
    uint32_t* touched; // cells whose state the flood of one depression changed
    int64_t touched_count;
    flood_candidates candidates;
    flood_basin* basins;
    int64_t basin_count;
    int64_t basin_room;
    flood_block* blocks;
    int64_t block_count;
    int64_t wet_count; // cells that the last flood took for wet
};

typedef struct flood_run
{
    const wadi_flow_flood_job* job;
    wadi_flow_flood* work;
    const int32_t* surface;
    int32_t* out;
    int32_t rise[2];   // tilt of R between cells, by axis and diagonal
    int32_t drop[2];   // least drop of a flow path between cells: the rise, but at least a unit
    ptrdiff_t step[8]; // padded index offsets
} flood_run;

// Padded index of a neighbour, across periodic edges; it may be a wall.
static inline int64_t flood_neighbour(const flood_run* run, int64_t cell, int32_t direction)
{
    const wadi_flow_flood* work = run->work;
    const int64_t n = cell + run->step[direction];
    if (work->state[n] != FLOOD_WRAPPED)
    {
        return n;
    }
    const int32_t y = (int32_t)(n / work->stride) - 1;
    const int32_t x = (int32_t)(n % work->stride) - 1;
    return (int64_t)((y + work->height) % work->height + 1) * work->stride +
           (x + work->width) % work->width + 1;
}

static inline bool flood_is_open(uint8_t state)
{
    return state == FLOOD_OPEN || state == FLOOD_PIT;
}

static inline void flood_touch(flood_run* run, int64_t cell, uint8_t state)
{
    if (flood_is_open(run->work->state[cell]))
    {
        run->work->touched[run->work->touched_count++] = (uint32_t)cell;
    }
    run->work->state[cell] = state;
}

// flow_flood_drain.c: does a cell drain over dry ground? Marks all cells of its flow path as done.
bool wadi_flow_drains(flood_run* run, int64_t cell);

// flow_flood_hollow.c: flood the depression around a pit.
wadi_result wadi_flow_hollow(flood_run* run, int64_t pit);
// The wet cells from the candidates, lowest first.
void wadi_flow_fill_wet(flood_run* run);

// flow_flood_basins.c: flood all depressions, whose pits are in `pits`. `done` is false if there
// are too many of them; then nothing is flooded.
wadi_result wadi_flow_basins(flood_run* run, bool* done);
