// SPDX-License-Identifier: MIT
// An allocator that counts, checks sizes on release, and fails on demand.
#pragma once

#include <wadi/context.h>

typedef struct counted_memory
{
    int64_t calls;   // calls of allocate, including failed ones
    int64_t fail_at; // number of the call that fails, from 1; 0: none
    int64_t live_blocks;
    int64_t live_bytes;
    int64_t bad_releases; // releases with a wrong size
} counted_memory;

// Hooks that count in `memory`, which must outlive the context.
wadi_allocator counted_allocator(counted_memory* memory);
