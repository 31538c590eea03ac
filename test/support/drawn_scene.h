// SPDX-License-Identifier: MIT
// A small scene that tests of pictures draw.
#pragma once

#include "support/check.h"

#include <wadi/render.h>

enum
{
    SIZE = 48,
    WIDTH = 96,
    HEIGHT = 64
};

static float surface[SIZE * SIZE];
static float water[SIZE * SIZE];
static uint8_t picture[WIDTH * HEIGHT * 3];

static inline wadi_context* context_with(int32_t threads)
{
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    wadi_context* context = NULL;
    CHECK_OK(context, wadi_context_create(&def, &context));
    return context;
}

static inline wadi_render_params small_params(void)
{
    wadi_render_params params = wadi_render_params_default();
    params.width = WIDTH;
    params.height = HEIGHT;
    params.samples = 1;
    return params;
}

static inline wadi_render_scene flat_scene(void)
{
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = 100.0f;
    }
    return (wadi_render_scene){
        .width = SIZE, .height = SIZE, .stride = SIZE, .cell_size = 30.0, .surface = surface};
}

static inline double brightness(int x, int y)
{
    const uint8_t* p = picture + 3 * (y * WIDTH + x);
    return (double)(p[0] + p[1] + p[2]) / 3.0;
}

// Pixel of cell (x, y) in a map of the flat scene above.
static inline double brightness_of_cell(int x, int y)
{
    const double scale = (double)HEIGHT / SIZE;
    const double left = 0.5 * (WIDTH - HEIGHT);
    return brightness((int)(left + (x + 0.5) * scale), (int)((y + 0.5) * scale));
}

// Draw a map of the scene in clay, which has no colours of its own.
static inline void draw_clay(wadi_context* context, const wadi_render_scene* scene,
                             wadi_render_params params)
{
    params.view = WADI_RENDER_MAP;
    params.palette = WADI_RENDER_CLAY;
    CHECK_OK(context, wadi_render(context, scene, &params, picture));
}
