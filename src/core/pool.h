// SPDX-License-Identifier: MIT
// The built-in executor: a pool of threads that belongs to one context.
#pragma once

#include "core/internal.h"

typedef struct wadi_pool wadi_pool;

// Make a pool of `threads` workers, the caller's thread among them; 0: one per core. Threads start
// with the first parallel work. NULL when memory is out.
wadi_pool* wadi_pool_create(const wadi_allocator* allocator, int32_t threads);
void wadi_pool_destroy(wadi_pool* pool); // NULL is allowed
wadi_executor wadi_pool_executor(wadi_pool* pool);
