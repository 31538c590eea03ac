// SPDX-License-Identifier: MIT
// Work data of a flood, shared by flood*.c. parcel.h declares the functions for callers.
#pragma once

#include "processes/hydraulic/flood_candidates.h"
#include "processes/hydraulic/parcel.h"

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

typedef struct parcel_flood_work
{
    uint8_t* outline; // padded: initial state
    uint8_t* state;   // padded
    uint8_t* from;    // padded: direction of the search step into a cell
    flood_candidates pits;
    uint32_t* way;     // flow path from a cell to a cell that drains
    uint32_t* touched; // cells whose state the flood of one depression changed
    int64_t touched_count;
    uint32_t* outlets; // padded indices
    int64_t outlet_count;
    flood_candidates candidates;
} parcel_flood_work;

typedef struct flood_run
{
    const parcel_level* level;
    parcel_flood_work* work;
    const int32_t* surface;
    int32_t* out;
    int32_t rise[2];   // tilt of R between cells, by axis and diagonal
    int32_t drop[2];   // least drop of a flow path between cells: the rise, but at least a unit
    ptrdiff_t step[8]; // padded index offsets
} flood_run;

// Padded index of a neighbour, across periodic edges; it may be a wall.
static inline int64_t flood_neighbour(const flood_run* run, int64_t cell, int32_t direction)
{
    const int64_t n = cell + run->step[direction];
    if (run->work->state[n] != FLOOD_WRAPPED)
    {
        return n;
    }
    const parcel_level* level = run->level;
    const int32_t y = (int32_t)(n / level->stride) - 1;
    const int32_t x = (int32_t)(n % level->stride) - 1;
    return parcel_padded_index(level, (x + level->width) % level->width,
                               (y + level->height) % level->height);
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

// flood_drain.c: does a cell drain over dry ground? Marks all cells of its flow path as done.
bool wadi_flood_drains(flood_run* run, int64_t cell);

// flood_hollow.c: flood the depression around a pit.
wadi_result wadi_flood_hollow(flood_run* run, int64_t pit);
