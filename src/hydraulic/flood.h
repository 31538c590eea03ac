// SPDX-License-Identifier: MIT
// One flood in progress, shared by the files that make it up. parcel.h has what callers need.
#pragma once

#include "hydraulic/flood_candidates.h"
#include "hydraulic/parcel.h"

enum
{
    FLOOD_OPEN,    // R = h as far as is known: nobody has asked yet
    FLOOD_PIT,     // the same, without a neighbour that is lower by the rise
    FLOOD_DONE,    // R is final
    FLOOD_WAITING, // open, and a candidate of the search for a way out
    FLOOD_SEEN,    // searched: no way out known
    FLOOD_FAILED,  // open, and its way down ends in a hollow that is searched now
    FLOOD_WET,     // may stand under water, at `out` or lower
    FLOOD_WALL,    // not there
    FLOOD_WRAPPED, // ghost of a cell on the opposite, periodic edge
};

typedef struct parcel_flood_work
{
    uint8_t* outline; // padded: state before any work
    uint8_t* state;   // padded
    uint8_t* from;    // padded: direction in which the search came to a cell
    flood_candidates pits;
    uint32_t* way;     // from a cell down to where it drains
    uint32_t* touched; // cells whose state the flood of one hollow has changed
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
    int32_t rise[2];   // by axis and diagonal
    int32_t drop[2];   // that a way down needs from cell to cell: the rise, at least a unit
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

// flood_drain.c: does a cell drain on dry ground? If so, it and all on the way down are done.
bool flood_drains(flood_run* run, int64_t cell);

// flood_hollow.c: flood the hollow around a pit, and no more ground than that.
wadi_result flood_hollow(flood_run* run, int64_t pit);
