// SPDX-License-Identifier: MIT
// Points with values from a PLY file: text, or binary of either byte order.
#pragma once

#include <wadi/context.h>

// A property that is wanted of every point.
typedef struct wadi_io_property
{
    const char* name;
    bool is_needed; // else a file without it is read as `otherwise`
    double otherwise;
} wadi_io_property;

// Read the element "vertex": *out are *count rows of `wanted_count` numbers, which the caller
// frees. Other properties are passed over. Names the line or the point of what it cannot read. On
// failure *out is NULL.
wadi_result wadi_io_points_read(wadi_context* context, const char* path,
                                const wadi_io_property* wanted, int32_t wanted_count, double** out,
                                int32_t* count);
