// SPDX-License-Identifier: MIT
// Arrays that a struct points to, listed in a table: they are allocated, grown and freed together.
#pragma once

#include "core/internal.h"

#include <stddef.h>

typedef struct wadi_array
{
    size_t pointer; // offset of the pointer in the struct
    size_t size;    // bytes of an element
    int32_t per;    // items that share an element
    int32_t more;   // elements behind the last item
} wadi_array;

#define WADI_ARRAY(type, member, more)                                                             \
    {                                                                                              \
        offsetof(type, member), sizeof *((type*)NULL)->member, 1, (more)                           \
    }
#define WADI_ARRAY_BY_GROUP(type, member, group)                                                   \
    {                                                                                              \
        offsetof(type, member), sizeof *((type*)NULL)->member, (group), 0                          \
    }

typedef struct wadi_arrays
{
    const wadi_array* table;
    int32_t count;
    const char* what; // for messages
} wadi_arrays;

#define WADI_ARRAYS(table, what)                                                                   \
    {                                                                                              \
        (table), (int32_t)(sizeof(table) / sizeof *(table)), (what)                                \
    }

// Room for `wanted` items in every array of `owner`. The first `kept` items stay, the others are 0.
// After a failure each array has its old or its new length.
wadi_result wadi_arrays_resize(wadi_context* context, const wadi_arrays* arrays, void* owner,
                               int32_t kept, int32_t wanted);
void wadi_arrays_free(wadi_context* context, const wadi_arrays* arrays, void* owner);

// A quarter more than is needed now, in whole multiples: bodies spread and pack, and lists with
// them.
static inline int32_t wadi_arrays_spare(int32_t count, int32_t multiple)
{
    const int32_t wanted = count + count / 4 + multiple;
    return wanted / multiple * multiple;
}
