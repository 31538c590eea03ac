// SPDX-License-Identifier: MIT
// The depth of a dry cell beside water is its height above the water. It has limits: water that is
// a cell wide stays about as wide as a cell between steep banks, and is not cut where it goes on
// along a diagonal.
#include "maps/render/shores.h"

#include "maps/render/colour.h"

#include <math.h>

static const float shores_least = 0.3f;  // of the depth beside: the shore is within 3/4 of a cell
static const float shores_saddle = 0.8f; // of the lesser depth, between two cells on a diagonal

static float shores_depth(const wadi_render_scene* scene, int32_t x, int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < scene->width && y < scene->height;
    return inside ? scene->water[y * scene->stride + x] : 0.0f;
}

// The most that a dry cell may be below the shore, so that water passes between two wet cells whose
// common neighbours are dry.
static float shores_most(const wadi_render_scene* scene, int32_t x, int32_t y, float most)
{
    for (int32_t k = 0; k < 4; ++k)
    {
        const int32_t i = k % 2 == 0 ? -1 : 1;
        const int32_t j = k / 2 == 0 ? -1 : 1;
        const float a = shores_depth(scene, x + i, y);
        const float b = shores_depth(scene, x, y + j);
        if (a > 0.0f && b > 0.0f && !(shores_depth(scene, x + i, y + j) > 0.0f))
        {
            most = fminf(most, shores_saddle * fminf(a, b));
        }
    }
    return most;
}

// Index of the deepest of the eight neighbours, or -1 if all are dry.
static ptrdiff_t shores_deepest(const wadi_render_scene* scene, int32_t x, int32_t y)
{
    ptrdiff_t deepest = -1;
    float depth = 0.0f;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t nx = x + k % 3 - 1;
        const int32_t ny = y + k / 3 - 1;
        const float here = shores_depth(scene, nx, ny);
        deepest = here > depth ? ny * scene->stride + nx : deepest;
        depth = here > depth ? here : depth;
    }
    return deepest;
}

static float shores_cell(const wadi_render_scene* scene, int32_t x, int32_t y)
{
    const ptrdiff_t i = y * scene->stride + x;
    const ptrdiff_t n = scene->water[i] > 0.0f ? i : shores_deepest(scene, x, y);
    if (n < 0 || n == i)
    {
        return n == i ? scene->water[i] : 0.0f;
    }
    const float depth = scene->water[n];
    const float above = scene->surface[i] - (scene->surface[n] + depth);
    const float most = shores_most(scene, x, y, depth);
    return -clamp(above, fminf(shores_least * depth, most), most);
}

void wadi_shores_sign(const wadi_render_scene* scene, float* out)
{
    for (int32_t y = 0; y < scene->height; ++y)
    {
        for (int32_t x = 0; x < scene->width; ++x)
        {
            out[(ptrdiff_t)y * scene->width + x] = shores_cell(scene, x, y);
        }
    }
}
