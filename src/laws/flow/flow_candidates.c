// SPDX-License-Identifier: MIT
// A radix heap and two queues. Candidates leave the heap in rising order, so they are kept in
// buckets by the highest bit in which their level differs from the level popped last. It needs no
// comparisons, whose mispredicted branches took half of a run with a binary heap. A candidate below
// the level popped last, which a correction of the flood makes, is treated as at that level.
#include "laws/flow/flow_candidates.h"

static wadi_result flood_list_grow(wadi_context* context, flood_list* list)
{
    WADI_GROW(context, list->entry, list->end, list->capacity, 256, "the flood");
    return WADI_OK;
}

static void flood_list_push(flood_candidates* candidates, flood_list* list, uint64_t entry)
{
    if (list->end == list->capacity && candidates->result == WADI_OK)
    {
        candidates->result = flood_list_grow(candidates->context, list);
    }
    if (candidates->result == WADI_OK)
    {
        list->entry[list->end++] = entry;
    }
}

static uint64_t flood_entry(int32_t level, int64_t cell)
{
    return (uint64_t)(uint32_t)level << 32 | (uint32_t)cell;
}

static uint32_t flood_level_of(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

static void flood_heap_push(flood_candidates* candidates, uint64_t entry)
{
    const uint32_t level = flood_level_of(entry);
    const int32_t bucket =
        level <= candidates->last ? 0 : 32 - __builtin_clz(level ^ candidates->last);
    flood_list_push(candidates, &candidates->heap[bucket], entry);
    candidates->filled |= (uint64_t)1 << bucket;
}

// Distribute a bucket over lower buckets. No level below `floor` is needed any more.
static void flood_heap_settle(flood_candidates* candidates, int32_t bucket, uint32_t floor)
{
    flood_list* list = &candidates->heap[bucket];
    const int64_t count = list->end;
    uint32_t least = floor;
    for (int64_t k = 0; k < count; ++k)
    {
        const uint32_t level = flood_level_of(list->entry[k]);
        least = level < least ? level : least;
    }
    candidates->last = least > candidates->last ? least : candidates->last;
    candidates->filled &= ~((uint64_t)1 << bucket);
    list->end = 0;
    for (int64_t k = 0; k < count; ++k)
    {
        flood_heap_push(candidates, list->entry[k]);
    }
}

// Lowest level that a bucket can hold: the level popped last, with the bucket's bit set.
static uint32_t flood_bucket_floor(uint32_t last, int32_t bucket)
{
    return bucket == 0 ? last : (last >> (bucket - 1) | 1u) << (bucket - 1);
}

// The front of the two queues; NULL when both are empty.
static flood_list* flood_front_queue(flood_candidates* candidates, uint64_t* entry)
{
    flood_list* best = NULL;
    *entry = UINT64_MAX;
    for (int i = 0; i < 2; ++i)
    {
        flood_list* queue = &candidates->queue[i];
        if (queue->begin < queue->end && queue->entry[queue->begin] < *entry)
        {
            best = queue;
            *entry = queue->entry[queue->begin];
        }
    }
    return best;
}

static bool flood_pop_entry(flood_candidates* candidates, uint64_t* entry)
{
    flood_list* queue = flood_front_queue(candidates, entry);
    const uint32_t front = flood_level_of(*entry);
    while (candidates->filled != 0 && candidates->result == WADI_OK)
    {
        const int32_t bucket = __builtin_ctzll(candidates->filled);
        if (front < flood_bucket_floor(candidates->last, bucket))
        {
            break;
        }
        if (bucket > 0)
        {
            flood_heap_settle(candidates, bucket, front);
            continue;
        }
        flood_list* list = &candidates->heap[0];
        *entry = list->entry[--list->end];
        candidates->filled &= list->end > 0 ? ~(uint64_t)0 : ~(uint64_t)1;
        return true;
    }
    if (queue != NULL)
    {
        queue->begin += 1;
    }
    return queue != NULL && candidates->result == WADI_OK;
}

// ---- for the flood -----------------------------------------------------------------------

void wadi_flow_push(flood_candidates* candidates, int32_t level, int64_t cell)
{
    flood_heap_push(candidates, flood_entry(level, cell));
}

void wadi_flow_push_risen(flood_candidates* candidates, int rise, int32_t level, int64_t cell)
{
    flood_list* queue = &candidates->queue[rise];
    if (queue->begin == queue->end)
    {
        queue->begin = 0;
        queue->end = 0;
    }
    flood_list_push(candidates, queue, flood_entry(level, cell));
}

bool wadi_flow_pop(flood_candidates* candidates, int32_t* level, int64_t* cell)
{
    uint64_t entry;
    const bool found = flood_pop_entry(candidates, &entry);
    *level = (int32_t)flood_level_of(entry);
    *cell = (int64_t)(uint32_t)entry;
    return found;
}

void wadi_flow_candidates_clear(flood_candidates* candidates)
{
    for (; candidates->filled != 0; candidates->filled &= candidates->filled - 1)
    {
        candidates->heap[__builtin_ctzll(candidates->filled)].end = 0;
    }
    for (int i = 0; i < 2; ++i)
    {
        candidates->queue[i].begin = 0;
        candidates->queue[i].end = 0;
    }
    candidates->last = 0;
}

void wadi_flow_candidates_free(flood_candidates* candidates)
{
    for (int i = 0; i < FLOOD_BUCKETS; ++i)
    {
        wadi_free(candidates->context, candidates->heap[i].entry);
    }
    for (int i = 0; i < 2; ++i)
    {
        wadi_free(candidates->context, candidates->queue[i].entry);
    }
}
