// SPDX-License-Identifier: MIT
// Queue of cells to be flooded, in rising order of level.
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
    int64_t begin; // start of a queue; 0 in a bucket of the heap
    int64_t end;
    int64_t capacity;
} flood_list;

typedef struct flood_candidates
{
    wadi_context* context;
    flood_list heap[FLOOD_BUCKETS]; // a radix heap (Ahuja et al. 1990)
    uint64_t filled;                // one bit for each bucket that is not empty
    uint32_t last;                  // level of the candidate popped last from the heap
    flood_list queue[2];            // one for each rise
    wadi_result result;             // WADI_OK, or an error of memory, after which nothing is stored
} flood_candidates;

void wadi_flow_candidates_clear(flood_candidates* candidates);
void wadi_flow_candidates_free(flood_candidates* candidates);

// Push a cell at any level.
void wadi_flow_push(flood_candidates* candidates, int32_t level, int64_t cell);

// Push a cell at the level popped last plus one of the two rises. These levels never fall, so one
// queue for each rise is in order without sorting.
void wadi_flow_push_risen(flood_candidates* candidates, int rise, int32_t level, int64_t cell);

// Pop the lowest candidate; false when there is none.
bool wadi_flow_pop(flood_candidates* candidates, int32_t* level, int64_t* cell);
