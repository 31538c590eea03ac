// SPDX-License-Identifier: MIT
// Frames of a world of grains by simulated time. "slide.pvd" is an index for ParaView of
// slide-0000.vtp, slide-0001.vtp ...; "slide.vtp", "slide.ply" and "slide.png" are such files
// without one. Each file is written whole or not at all, the index after each of its frames.
#pragma once

#include <wadi/grain_picture.h>

typedef struct wadi_io_series
{
    wadi_context* context;
    const char* path;       // borrowed
    const int32_t* colours; // borrowed: wadi_grain_colour by material; NULL: AUTO
    double* times;          // of the frames so far [s]
    int32_t count;          // frames
    int32_t capacity;
    double low[3]; // box that all pictures show: that of the first frame, with room
    double high[3];
    bool is_framed; // the box was given in place of that
} wadi_io_series;

// Say whether a series can go to `path`: by its ending.
wadi_result wadi_io_series_check(wadi_context* context, const char* path);

// Pictures, rather than grains.
bool wadi_io_series_is_picture(const char* path);

// Name of a frame's file: "out/slide-0007.vtp".
void wadi_io_series_name(const char* path, int32_t frame, char* name, size_t size);

// Add a frame. `picture` is for pictures alone. The first frame must have a grain.
wadi_result wadi_io_series_add(wadi_io_series* series, double seconds, const wadi_grain* grains,
                               int32_t count, const wadi_grain_picture_params* picture);
void wadi_io_series_close(wadi_io_series* series);
