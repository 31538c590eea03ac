// SPDX-License-Identifier: MIT
// The files that a scene reads: implementations of the hooks of wadi_host.
#pragma once

#include "io/raster/geo.h"
#include "io/raster/surface.h"

#include <wadi/run.h>

typedef struct wadi_io_scene_files
{
    wadi_context* context;
    char folder[4096];     // folder of the scene file: "" or ending in '/'
    const char* grid_file; // file that defines the terrain's grid; NULL: none
    wadi_io_grid grid;     // working grid of that file
    wadi_io_surface surfaces[WADI_GRAIN_MAX_MATERIALS]; // of the current step
    int32_t surface_count;
    char** used; // paths of all files that were read, each once
    int32_t used_count;
    wadi_grain* grains; // of the current step
    double* strengths;
} wadi_io_scene_files;

// `path` is the scene file. The struct must outlive the run.
wadi_result wadi_io_scene_files_open(wadi_context* context, const char* path,
                                     wadi_io_scene_files* files);
void wadi_io_scene_files_close(wadi_io_scene_files* files);

// Hooks `mesh` and `grains` of wadi_host. Their data are valid until the next step starts.
wadi_result wadi_io_scene_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out);
wadi_result wadi_io_scene_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out);
// Free the meshes and grains of the last step, when the next process starts.
void wadi_io_scene_files_forget(wadi_io_scene_files* files);

// Hooks `frame`, `void_sides`, `table` and `read` of wadi_host, with `user` a wadi_io_scene_files.
wadi_result wadi_io_scene_frame(void* user, const wadi_source* source, wadi_frame* out);
wadi_result wadi_io_scene_void_sides(void* user, const wadi_source* source, const wadi_frame* frame,
                                     uint8_t* out);
wadi_result wadi_io_scene_table(void* user, const char* file, const wadi_table_info* table,
                                double* out, int32_t capacity, int32_t* rows);
// The hooks `frame` and `read` of windows of a grid, which read parts of a GeoTIFF in metres with
// the cells of the terrain, and never all of it.
wadi_result wadi_io_scene_frame_only(void* user, const wadi_source* source, wadi_frame* out);
wadi_result wadi_io_scene_window(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out);
wadi_result wadi_io_scene_values(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out);
