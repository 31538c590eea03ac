// SPDX-License-Identifier: MIT
// The terrain as drawn: a grid of about a thousand cells per side for any input, with lengths in
// cells, and the lit colour of each cell.
#pragma once

#include "maps/render/colour.h"

#include <stddef.h>

typedef struct render_relief
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    int32_t refined;    // cells per cell of the land, at least 1
    float cell;         // [m]
    float exaggeration; // factor applied to `ground`, `water` and `sediment`
    float sea_channel;  // depth of narrow channels of the sea [cells of the land]
    bool has_sea;       // at the height `base`
    float west;         // first and last columns and rows with ground [cells]
    float east;
    float north;
    float south;
    float low;     // of the ground [cells]
    float base;    // of the palettes: the lowest ground above the sea [cells]
    float high;    // of ground and water [cells]
    float* ground; // elevation, NaN: void
    uint8_t* hole; // 1: no data, filled
    bool has_holes;
    float* top;        // of ground or water
    float* water;      // depth, or NULL
    float* sediment;   // thickness, or NULL
    float* vegetation; // share, or NULL
    float* hardness;   // of the rock at the surface, or NULL
    float* moisture;   // share of the pores filled with water, or NULL
    uint8_t* surf;     // by cells of the land, 1: waves of the sea come as far; NULL: no sea
    float* rivers;     // share of the cell that is running water, or NULL
    float* overlay;    // as given, or NULL
    float* wind_east;  // [m/s], or NULL
    float* wind_north;
    float* sun;     // visible share of the sun's disc
    uint8_t* rough; // of the ground below the size of a cell: 0 smooth, 255 rock
    rgb* lit;       // colour of the ground under sun and sky
} render_relief;

wadi_result wadi_relief_create(wadi_context* context, const wadi_render_scene* scene,
                               const wadi_render_params* params, render_relief* out);
void wadi_relief_destroy(render_relief* relief);

// Four cells around a point and their weights, for reading any layer there.
typedef struct relief_point
{
    ptrdiff_t i00, i10, i01, i11;
    float w00, w10, w01, w11;
} relief_point;

// Point within the patch whose north-west cell is (px, py).
static inline relief_point relief_locate_in(const render_relief* r, int32_t px, int32_t py, float x,
                                            float y)
{
    const float u = clamp01(x - (float)px);
    const float v = clamp01(y - (float)py);
    const ptrdiff_t i = (ptrdiff_t)py * r->width + px;
    return (relief_point){i,
                          i + 1,
                          i + r->width,
                          i + r->width + 1,
                          (1.0f - u) * (1.0f - v),
                          u * (1.0f - v),
                          (1.0f - u) * v,
                          u * v};
}

// The point is clamped to the grid.
static inline relief_point relief_locate(const render_relief* r, float x, float y)
{
    const int32_t px = (int32_t)clamp(x, 0.0f, (float)(r->width - 2));
    const int32_t py = (int32_t)clamp(y, 0.0f, (float)(r->height - 2));
    return relief_locate_in(r, px, py, x, y);
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
