// SPDX-License-Identifier: MIT
// Points with values for ParaView and Blender: VTK PolyData (.vtp), a time index of such files
// (.pvd), and binary PLY.
#pragma once

#include "io/tags.h"

#include <wadi/context.h>

// One value of all points. Exactly one of the two arrays is set.
typedef struct wadi_io_column
{
    const char* name;
    int32_t components; // 1, or 3 for a vector
    const double* real;
    const int32_t* whole;
} wadi_io_column;

typedef struct wadi_io_points
{
    int32_t count;
    const double (*positions)[3]; // x east, y north, z up [m]
    const wadi_io_column* columns;
    int32_t column_count;
    const wadi_io_tags* tags; // origin: field data of .vtp, comments of .ply; or NULL
} wadi_io_points;

// One file of a series.
typedef struct wadi_io_frame
{
    double time;      // [s]
    const char* path; // the .vtp in the folder of the index
} wadi_io_frame;

// Fail unless files with the extension of `path` can be written.
wadi_result wadi_io_points_check_writable(wadi_context* context, const char* path);

// Write .vtp (64-bit floats, z up) or .ply (32-bit floats, z up) atomically.
wadi_result wadi_io_points_write(wadi_context* context, const wadi_io_points* points,
                                 const char* path);

// Write a .pvd, which ParaView plays as a time series.
wadi_result wadi_io_series_write(wadi_context* context, const wadi_io_frame* frames, int32_t count,
                                 const char* path);
