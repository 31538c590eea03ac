// SPDX-License-Identifier: MIT
// Triangle meshes from files: Wavefront OBJ, and STL as text or binary.
#pragma once

#include <wadi/solid.h>

typedef enum wadi_io_up
{
    WADI_IO_UP_Y, // default in OBJ: y up, x east, z south
    WADI_IO_UP_Z
} wadi_io_up;

// A mesh that owns its arrays.
typedef struct wadi_io_surface
{
    wadi_mesh mesh;
    void* positions;
    void* triangles;
} wadi_io_surface;

// Read all faces of an OBJ file, where polygons are split into triangle fans, or of an STL file,
// which is known by its contents. Messages name the line. On failure *out is empty.
wadi_result wadi_io_surface_read(wadi_context* context, const char* path, wadi_io_up up,
                                 wadi_io_surface* out);
void wadi_io_surface_free(wadi_io_surface* surface); // an empty mesh is allowed
