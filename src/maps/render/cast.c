// SPDX-License-Identifier: MIT
#include "maps/render/cast.h"

#include "core/internal.h"
#include "maps/render/cast_kernels.h"

#include <math.h>

// Highest corner of a patch; patches with a missing corner are void.
static float cast_patch_top(const render_relief* r, int32_t x, int32_t y)
{
    const float* c = r->top + (ptrdiff_t)y * r->width + x;
    const float sum = c[0] + c[1] + c[r->width] + c[r->width + 1];
    return isnan(sum) ? -INFINITY : fmaxf(fmaxf(c[0], c[1]), fmaxf(c[r->width], c[r->width + 1]));
}

static float cast_child_top(const render_caster* caster, int32_t level, int32_t x, int32_t y)
{
    const int32_t columns = caster->columns[level];
    return x < columns && y < caster->rows[level]
               ? caster->highest[caster->first[level] + (ptrdiff_t)y * columns + x]
               : -INFINITY;
}

static void cast_fill_level(render_caster* caster, int32_t level)
{
    const int32_t columns = caster->columns[level];
    float* top = caster->highest + caster->first[level];
    for (int32_t y = 0; y < caster->rows[level]; ++y)
    {
        for (int32_t x = 0; x < columns; ++x, ++top)
        {
            if (level == 0)
            {
                *top = cast_patch_top(caster->relief, x, y);
                continue;
            }
            const float a = cast_child_top(caster, level - 1, 2 * x, 2 * y);
            const float b = cast_child_top(caster, level - 1, 2 * x + 1, 2 * y);
            const float c = cast_child_top(caster, level - 1, 2 * x, 2 * y + 1);
            const float d = cast_child_top(caster, level - 1, 2 * x + 1, 2 * y + 1);
            *top = cast_most(cast_most(a, b), cast_most(c, d));
        }
    }
}

// Lay out the levels; returns the number of nodes.
static int32_t caster_lay_levels(render_caster* caster)
{
    int32_t columns = caster->relief->width - 1;
    int32_t rows = caster->relief->height - 1;
    int32_t nodes = 0;
    for (int32_t level = 0;; ++level)
    {
        caster->first[level] = nodes;
        caster->columns[level] = columns;
        caster->rows[level] = rows;
        caster->levels = level + 1;
        nodes += columns * rows;
        if (columns == 1 && rows == 1)
        {
            return nodes;
        }
        columns = (columns + 1) / 2;
        rows = (rows + 1) / 2;
    }
}

wadi_result wadi_caster_create(const render_relief* r, render_caster* out)
{
    *out = (render_caster){.relief = r, .kernels = cast_kernels_of(wadi_isa_best())};
    const int32_t nodes = caster_lay_levels(out);
    WADI_ALLOC(r->context, out->highest, nodes, "the quadtree of the picture");
    for (int32_t level = 0; level < out->levels; ++level)
    {
        cast_fill_level(out, level);
    }
    return WADI_OK;
}

void wadi_caster_destroy(render_caster* caster)
{
    wadi_free(caster->relief->context, caster->highest);
    caster->highest = NULL;
}

float wadi_cast_highest(const render_caster* caster, float x0, float y0, float x1, float y1)
{
    const float right = (float)caster->columns[0];
    const float bottom = (float)caster->rows[0];
    if (x1 < 0.0f || y1 < 0.0f || x0 > right || y0 > bottom)
    {
        return -INFINITY;
    }
    int32_t a = cast_within(x0, 0, caster->columns[0] - 1);
    int32_t b = cast_within(x1, 0, caster->columns[0] - 1);
    int32_t c = cast_within(y0, 0, caster->rows[0] - 1);
    int32_t d = cast_within(y1, 0, caster->rows[0] - 1);
    int32_t level = 0;
    while (b - a > 1 || d - c > 1)
    {
        a >>= 1;
        b >>= 1;
        c >>= 1;
        d >>= 1;
        level += 1;
    }
    const float* row = caster->highest + caster->first[level];
    const ptrdiff_t columns = caster->columns[level];
    return cast_most(cast_most(row[c * columns + a], row[c * columns + b]),
                     cast_most(row[d * columns + a], row[d * columns + b]));
}

void wadi_cast_rays(const render_caster* caster, cast_rays* rays, float bottom)
{
    caster->kernels->cast(caster, rays, bottom);
}
