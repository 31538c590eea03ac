// SPDX-License-Identifier: MIT
// Monotone priority queue: keys pushed are never below the last key popped (Ahuja, Mehlhorn, Orlin
// & Tarjan 1990). It has no comparisons to mispredict: with a binary heap priority floods took
// twice the time.
#pragma once

#include "core/dmath.h"
#include "core/internal.h"

enum
{
    RADIX_HEAP_BUCKETS = 33 // one per bit of a key, and one for the key itself
};

typedef struct wadi_radix_bucket
{
    uint64_t* entry; // key << 32 | value
    int64_t count;
    int64_t capacity;
} wadi_radix_bucket;

// All zero is an empty heap.
typedef struct wadi_radix_heap
{
    wadi_radix_bucket bucket[RADIX_HEAP_BUCKETS];
    uint32_t last; // the last key popped
    int64_t count;
} wadi_radix_heap;

// `key` must not be below the last key popped.
wadi_result wadi_radix_heap_push(wadi_context* context, wadi_radix_heap* heap, uint32_t key,
                                 uint32_t value);

// The heap must not be empty. Among equal keys the order is fixed by the order of the pushes.
wadi_result wadi_radix_heap_pop(wadi_context* context, wadi_radix_heap* heap, uint32_t* value);

void wadi_radix_heap_free(wadi_context* context, wadi_radix_heap* heap);

// Maps floats to unsigned integers in the same order; no NaN. -0 and 0 get the same key.
static inline uint32_t wadi_radix_key(float value)
{
    const uint32_t bits = wadi_bits_of_float(value + 0.0f);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
