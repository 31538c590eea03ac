// SPDX-License-Identifier: MIT
// Sets that are joined step by step: each member names another of its set, or itself, the root.
#pragma once

#include <stdint.h>

// The root of a set. Ways to it are halved as they are gone (Tarjan & van Leeuwen 1984).
static inline int32_t wadi_root_of(int32_t* parent, int32_t member)
{
    while (parent[member] != member)
    {
        parent[member] = parent[parent[member]];
        member = parent[member];
    }
    return member;
}
