// SPDX-License-Identifier: MIT
// Files of `wadi pour`: a world of grains with meshes, walls, feeders and sinks, in YAML.
// docs/pour.md describes the format.
#pragma once

#include "io/raster/surface.h"

#include <wadi/grain_clump.h>
#include <wadi/grain_flow.h>
#include <wadi/grain_mesh.h>

typedef struct wadi_io_pour_mesh
{
    const char* file;
    wadi_io_up up;
    int32_t material;
    double until; // when it is taken away [s]; 0: it stays
    wadi_grain_motion motion;
} wadi_io_pour_mesh;

typedef struct wadi_io_pour
{
    const char* name;
    double time;  // at which it ends [s]
    double every; // between two rows of the table [s]
    wadi_grains_params params;
    wadi_grain_material materials[WADI_GRAIN_MAX_MATERIALS];
    int32_t material_count;
    wadi_grain* grains; // the first ones
    int32_t grain_count;
    wadi_grain_shape shapes[WADI_GRAIN_MAX_SHAPES];
    const char* shape_names[WADI_GRAIN_MAX_SHAPES];
    int32_t shape_count;
    wadi_grain_clump* clumps; // the first ones
    int32_t clump_count;
    wadi_io_pour_mesh meshes[WADI_GRAIN_MAX_MESHES];
    int32_t mesh_count;
    wadi_grain_wall walls[WADI_GRAIN_MAX_WALLS];
    int32_t wall_count;
    wadi_grain_feeder feeders[WADI_GRAIN_MAX_FEEDERS];
    int32_t feeder_count;
    wadi_grain_sink sinks[WADI_GRAIN_MAX_SINKS];
    int32_t sink_count;
    void* document; // that names point into
} wadi_io_pour;

// Read a file; `overrides` are those of scenes, such as world.gravity_z=-3. Names of files in it
// are relative to its folder. On failure *out is empty, and the message starts with
// file:line:column.
wadi_result wadi_io_pour_read(wadi_context* context, const char* path, const char* const* overrides,
                              int32_t override_count, wadi_io_pour* out);
void wadi_io_pour_free(wadi_io_pour* pour);

// Make its world as it is at time 0, with the meshes of its files.
wadi_result wadi_io_pour_make(wadi_context* context, const wadi_io_pour* pour, const char* path,
                              wadi_grains** out);
