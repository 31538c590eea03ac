// SPDX-License-Identifier: MIT
// Triangle meshes from STL files, text or binary.
#pragma once

#include "io/raster/surface.h"

#include <stdio.h>

typedef enum wadi_io_stl
{
    WADI_IO_STL_NONE, // no STL file
    WADI_IO_STL_TEXT,
    WADI_IO_STL_BINARY,
    WADI_IO_STL_DAMAGED // neither text nor a whole binary file
} wadi_io_stl;

// What a file is, by its contents; it is left at its start. A binary file is as long as its count
// of triangles says, whatever its header.
wadi_io_stl wadi_io_stl_kind(FILE* file);
// Read all triangles, each with vertices of its own; a damaged file is refused. On failure *out is
// empty.
wadi_result wadi_io_stl_read(wadi_context* context, const char* path, FILE* file, wadi_io_stl kind,
                             wadi_io_up up, wadi_io_surface* out);
