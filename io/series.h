// SPDX-License-Identifier: MIT
// Frames of grains at simulated times. "slide.pvd" is a ParaView index of slide-0000.vtp,
// slide-0001.vtp ...; "slide.vtp", "slide.ply" and "slide.png" write the frames without an index.
// Each file is replaced atomically; the index is rewritten after each frame.
#pragma once

#include "io/tags.h"

#include <wadi/grain_picture.h>

typedef struct wadi_io_series
{
    wadi_context* context;
    const char* path;                // borrowed
    const int32_t* colours;          // borrowed: colour of each material; NULL: automatic colours
    const wadi_grain_ground* ground; // borrowed: what grains lie on; NULL: a floor
    double* times;                   // [s] of the frames written so far
    int32_t count;                   // frames written so far
    int32_t capacity;
    double low[3]; // box that all pictures show: bounds of the first frame's grains plus a margin
    double high[3];
    bool has_box;             // the caller has set the box
    const wadi_io_tags* tags; // borrowed: origin of the frames; or NULL
} wadi_io_series;

// Fail unless frames can be written to a path with this ending.
wadi_result wadi_io_series_check(wadi_context* context, const char* path);

// True for .png, false for files of grains.
bool wadi_io_series_is_picture(const char* path);

// Name of a frame's file: "out/slide-0007.vtp".
void wadi_io_series_name(const char* path, int32_t frame, char* name, size_t size);

// Write one more frame. `picture` is used for .png only. The first frame must have a grain.
wadi_result wadi_io_series_add(wadi_io_series* series, double seconds, const wadi_grain* grains,
                               int32_t count, const wadi_grain_picture_params* picture);
void wadi_io_series_close(wadi_io_series* series);
