// SPDX-License-Identifier: MIT
// Points with values from a PLY file: text, or binary of either byte order.
#pragma once

#include <wadi/context.h>

// A property to read.
typedef struct wadi_io_property
{
    const char* name;
    bool is_needed; // required; otherwise `otherwise` is the default
    double otherwise;
} wadi_io_property;

// Read the element "vertex": *out has *count rows of `wanted_count` numbers; the caller frees it.
// Other properties are skipped. Messages name the line or the point. On failure *out is NULL.
wadi_result wadi_io_points_read(wadi_context* context, const char* path,
                                const wadi_io_property* wanted, int32_t wanted_count, double** out,
                                int32_t* count);
