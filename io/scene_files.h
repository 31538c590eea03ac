// SPDX-License-Identifier: MIT
// The files that a scene reads: hooks of wadi_host over raster files.
#pragma once

#include "geo.h"
#include "surface.h"

#include <wadi/run.h>

typedef struct wadi_io_scene_files
{
    wadi_context* context;
    char folder[4096]; // paths in the scene are relative to it; "" or ending in '/'
    const char* own;   // the file that gave the terrain its grid; NULL: none did
    wadi_io_grid grid; // its working grid
    wadi_io_surface surfaces[WADI_GRAIN_MAX_MATERIALS]; // of the step at work
    int32_t surface_count;
    wadi_grain* grains; // of the step at work
    double* strengths;
} wadi_io_scene_files;

// `path` is the scene file's own. The struct must outlive the run.
wadi_result wadi_io_scene_files_open(wadi_context* context, const char* path,
                                     wadi_io_scene_files* files);
void wadi_io_scene_files_close(wadi_io_scene_files* files);

// Hooks `mesh` and `grains` of wadi_host. What they read is there until the next step reads.
wadi_result wadi_io_scene_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out);
wadi_result wadi_io_scene_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out);
// A process has begun to work: forget what was read for it.
void wadi_io_scene_files_forget(wadi_io_scene_files* files);

// Hooks `frame`, `table` and `read` of wadi_host, with `user` a wadi_io_scene_files.
wadi_result wadi_io_scene_frame(void* user, const wadi_source* source, wadi_frame* out);
wadi_result wadi_io_scene_table(void* user, const char* file, const wadi_table_info* table,
                                double* out, int32_t capacity, int32_t* rows);
wadi_result wadi_io_scene_values(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out);
