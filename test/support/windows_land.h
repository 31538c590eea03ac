// SPDX-License-Identifier: MIT
// Land for tests of grids in windows: the same cells on the whole grid and in any cut of it.
#pragma once

#include <wadi/terrain.h>
#include <wadi/window.h>

typedef struct windows_land
{
    int32_t width;
    int32_t height;
    wadi_edge across; // of the eastern and western edge
    wadi_edge along;
    bool voids;
    bool beds;
    bool plants;
    bool hills; // smooth ones of noise, with long slopes
    bool dunes; // level rock under sand with low waves
} windows_land;

// A number from 0 to 1 for a cell of the whole grid.
float windows_land_noise(uint64_t seed, int32_t x, int32_t y);

// Values by the cells' columns and rows in the whole grid. The caller frees them.
float* windows_land_values(const wadi_terrain* terrain, float (*value)(int32_t x, int32_t y));
wadi_result windows_land_fill(wadi_terrain* terrain, wadi_layer layer,
                              float (*value)(int32_t x, int32_t y));

// A terrain without ground.
wadi_result windows_land_create(wadi_context* context, const windows_land* land, double cell,
                                wadi_terrain** out);
// Land on cells of 5 m.
wadi_result windows_land_make(wadi_context* context, const windows_land* land, wadi_terrain** out);

wadi_windows_def windows_land_cut(const windows_land* land, int32_t columns, int32_t rows,
                                  int32_t halo, bool in_turn);
