// SPDX-License-Identifier: MIT
// The built-in executor: a pool of threads that belongs to one context. A build without threads
// (WADI_THREADS=OFF) has pool_serial.c in place of pool.c: the calling thread does all blocks,
// dealt to the workers in turn, so that each worker's scratch memory is used and merged as with
// threads.
#pragma once

#include "core/internal.h"

typedef struct wadi_pool wadi_pool;

// Create a pool of `threads` workers including the caller's thread; 0: one per core, or one without
// threads. The threads start with the first parallel work. NULL when out of memory.
wadi_pool* wadi_pool_create(const wadi_allocator* allocator, int32_t threads);
void wadi_pool_destroy(wadi_pool* pool); // NULL is allowed
wadi_executor wadi_pool_executor(wadi_pool* pool);
