// SPDX-License-Identifier: MIT
// The terrain as it is drawn: a grid of about a thousand cells a side whatever the input, with
// lengths in cells, and the colour of each cell under the light.
#pragma once

#include "render/colour.h"

#include <stddef.h>

typedef struct render_relief
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    float cell;         // [m]
    float exaggeration; // of what is in `ground`, `water` and `sediment`
    float low;          // of the ground [cells]
    float high;         // of ground and water [cells]
    float* ground;      // elevation, NaN: void
    float* top;         // of ground or water
    float* water;       // depth, or NULL
    float* sediment;    // thickness, or NULL
    float* vegetation;  // share, or NULL
    float* overlay;     // as given, or NULL
    float* sun;         // share of the sun's disc seen
    rgb* lit;           // colour of the ground under sun and sky
} render_relief;

wadi_result relief_create(wadi_context* context, const wadi_render_scene* scene,
                          const wadi_render_params* params, render_relief* out);
void relief_destroy(render_relief* relief);

// Four cells around a point and their weights, for reading any layer there.
typedef struct relief_point
{
    ptrdiff_t i00, i10, i01, i11;
    float w00, w10, w01, w11;
} relief_point;

// The point is kept inside the grid.
static inline relief_point relief_locate(const render_relief* r, float x, float y)
{
    const float right = (float)(r->width - 1);
    const float bottom = (float)(r->height - 1);
    x = x < 0.0f ? 0.0f : (x > right ? right : x);
    y = y < 0.0f ? 0.0f : (y > bottom ? bottom : y);
    const int32_t x0 = (int32_t)x < r->width - 1 ? (int32_t)x : r->width - 2;
    const int32_t y0 = (int32_t)y < r->height - 1 ? (int32_t)y : r->height - 2;
    const float u = x - (float)x0;
    const float v = y - (float)y0;
    const ptrdiff_t i = (ptrdiff_t)y0 * r->width + x0;
    return (relief_point){i,
                          i + 1,
                          i + r->width,
                          i + r->width + 1,
                          (1.0f - u) * (1.0f - v),
                          u * (1.0f - v),
                          (1.0f - u) * v,
                          u * v};
}

static inline float relief_read(const float* layer, const relief_point* p)
{
    return p->w00 * layer[p->i00] + p->w10 * layer[p->i10] + p->w01 * layer[p->i01] +
           p->w11 * layer[p->i11];
}

static inline rgb relief_read_rgb(const rgb* layer, const relief_point* p)
{
    const rgb a = rgb_add(rgb_scale(layer[p->i00], p->w00), rgb_scale(layer[p->i10], p->w10));
    const rgb b = rgb_add(rgb_scale(layer[p->i01], p->w01), rgb_scale(layer[p->i11], p->w11));
    return rgb_add(a, b);
}
