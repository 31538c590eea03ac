// SPDX-License-Identifier: MIT
// Cells that wait for the flood, the lowest first or nearly so.
#pragma once

#include "core/internal.h"

enum
{
    FLOOD_BUCKETS = 33 // of the radix heap: one per bit of a level, and one for the level itself
};

// Entries: level << 32 | cell.
typedef struct flood_list
{
    uint64_t* entry;
    int64_t begin; // of a queue
    int64_t end;
    int64_t capacity;
} flood_list;

typedef struct flood_candidates
{
    wadi_context* context;
    flood_list heap[FLOOD_BUCKETS]; // a radix heap (Ahuja et al. 1990)
    uint64_t filled;                // a bit for each bucket that is not empty
    uint32_t last;                  // level of the last candidate that left the heap
    flood_list queue[2];            // by rise: in order by themselves
    wadi_result result;             // of getting memory; once it has failed, nothing is kept
} flood_candidates;

void flood_candidates_clear(flood_candidates* candidates);
void flood_candidates_free(flood_candidates* candidates);

// One at any level.
void flood_push(flood_candidates* candidates, int32_t level, int64_t cell);

// One at the level of the last one out plus one of the two rises: such levels do not fall, so a
// queue for each rise keeps them in order by itself.
void flood_push_risen(flood_candidates* candidates, int rise, int32_t level, int64_t cell);

// The lowest; false when there is none.
bool flood_pop(flood_candidates* candidates, int32_t* level, int64_t* cell);
