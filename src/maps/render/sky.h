// SPDX-License-Identifier: MIT
// How high the ground stands before the sky in all directions, for the light of the sky. Near
// ground is read cell by cell, far ground from maps with wider and wider cells, so that a cell
// costs the same at any distance and all cells of a row are computed at once. Sunlight needs
// sharper edges: see horizon.h.
#pragma once

#include "maps/render/light_kernels.h"
#include "maps/render/relief.h"

enum
{
    SKY_LEVELS = 7 // of cells four times as wide each: 4^6 > the width of reliefs
};

typedef struct sky_level
{
    int32_t width;
    int32_t height;
    float* heights; // means of 4 x 4 cells of the level below; of level 0 those of the relief
    light_horizons horizons; // a map for each direction; level 0 has none
} sky_level;

typedef struct render_sky
{
    wadi_context* context;
    const light_kernels* kernels;
    sky_level levels[SKY_LEVELS];
    int32_t count;
    float along_x[LIGHT_DIRECTIONS]; // unit vectors, in columns and rows
    float along_y[LIGHT_DIRECTIONS];
    float* scratch; // a row for each worker
} render_sky;

wadi_result wadi_sky_create(const render_relief* relief, const light_kernels* kernels,
                            render_sky* out);
void wadi_sky_destroy(render_sky* sky);

// Tangents of the horizon at a row of the relief.
void wadi_sky_row(const render_sky* sky, int32_t direction, int32_t y, int32_t worker, float* out);
