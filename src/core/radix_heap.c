// SPDX-License-Identifier: MIT
#include "core/radix_heap.h"

#include <string.h>

static uint32_t radix_key_of(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

// Bucket of an entry: the highest bit in which its key differs from the last key popped.
static wadi_radix_bucket* radix_bucket_of(wadi_radix_heap* heap, uint64_t entry)
{
    const uint32_t differs = radix_key_of(entry) ^ heap->last;
    return &heap->bucket[differs == 0 ? 0 : 32 - __builtin_clz(differs)];
}

static wadi_result radix_put(wadi_context* context, wadi_radix_heap* heap, uint64_t entry)
{
    wadi_radix_bucket* bucket = radix_bucket_of(heap, entry);
    WADI_GROW(context, bucket->entry, bucket->count, bucket->capacity, 256, "a queue of cells");
    bucket->entry[bucket->count++] = entry;
    return WADI_OK;
}

wadi_result wadi_radix_heap_push(wadi_context* context, wadi_radix_heap* heap, uint32_t key,
                                 uint32_t value)
{
    WADI_ASSERT(key >= heap->last);
    WADI_TRY(radix_put(context, heap, (uint64_t)key << 32 | value));
    heap->count += 1;
    return WADI_OK;
}

// Redistribute a bucket: relative to its least key, its keys differ in lower bits only.
static wadi_result radix_redistribute(wadi_context* context, wadi_radix_heap* heap,
                                      wadi_radix_bucket* bucket)
{
    uint64_t least = bucket->entry[0];
    for (int64_t i = 1; i < bucket->count; ++i)
    {
        least = bucket->entry[i] < least ? bucket->entry[i] : least;
    }
    heap->last = radix_key_of(least);
    for (int64_t i = 0; i < bucket->count; ++i)
    {
        WADI_TRY(radix_put(context, heap, bucket->entry[i]));
    }
    bucket->count = 0;
    return WADI_OK;
}

wadi_result wadi_radix_heap_pop(wadi_context* context, wadi_radix_heap* heap, uint32_t* value)
{
    WADI_ASSERT(heap->count > 0);
    wadi_radix_bucket* bucket = heap->bucket;
    while (bucket->count == 0)
    {
        ++bucket;
    }
    if (bucket != heap->bucket)
    {
        WADI_TRY(radix_redistribute(context, heap, bucket));
    }
    wadi_radix_bucket* lowest = &heap->bucket[0];
    *value = (uint32_t)lowest->entry[--lowest->count];
    heap->count -= 1;
    return WADI_OK;
}

void wadi_radix_heap_free(wadi_context* context, wadi_radix_heap* heap)
{
    for (int32_t i = 0; i < RADIX_HEAP_BUCKETS; ++i)
    {
        wadi_free(context, heap->bucket[i].entry);
    }
    memset(heap, 0, sizeof *heap);
}
