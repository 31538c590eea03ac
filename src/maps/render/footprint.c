// SPDX-License-Identifier: MIT
// Distances in two passes: along columns to the nearest square with ground, then along rows to the
// nearest of those (exact for squares: Saito & Toriwaki 1994).
#include "maps/render/footprint.h"

#include "core/internal.h"

#include <math.h>

enum
{
    FOOTPRINT_SQUARES = 96, // along the longer side of the map
    FOOTPRINT_MARGIN = 48,  // the shadow has 2 % of its depth there
    FOOTPRINT_FAR = 4096    // more than any distance [squares]
};

static bool footprint_has_voids(const render_relief* r)
{
    const ptrdiff_t cells = (ptrdiff_t)r->width * r->height;
    ptrdiff_t i = 0;
    while (i < cells && !isnan(r->ground[i]))
    {
        i += 1;
    }
    return i < cells;
}

static int32_t footprint_square(const render_footprint* f, int32_t cell)
{
    return f->margin + (int32_t)((float)cell / f->step);
}

// Mark the squares with ground by 0, all others by a long way.
static void footprint_mark(const render_relief* r, const render_footprint* f, int32_t* way)
{
    for (int32_t i = 0; i < f->width * f->height; ++i)
    {
        way[i] = FOOTPRINT_FAR;
    }
    for (int32_t y = 0; y < r->height; ++y)
    {
        int32_t* row = way + (ptrdiff_t)footprint_square(f, y) * f->width;
        const float* ground = r->ground + (ptrdiff_t)y * r->width;
        for (int32_t x = 0; x < r->width; ++x)
        {
            int32_t* square = &row[footprint_square(f, x)];
            *square = isnan(ground[x]) ? *square : 0;
        }
    }
}

// Ways along columns to the nearest square with ground.
static void footprint_columns(const render_footprint* f, int32_t* way)
{
    const int32_t cells = f->width * f->height;
    for (int32_t i = f->width; i < cells; ++i)
    {
        const int32_t above = way[i - f->width] + 1;
        way[i] = above < way[i] ? above : way[i];
    }
    for (int32_t i = cells - f->width - 1; i >= 0; --i)
    {
        const int32_t below = way[i + f->width] + 1;
        way[i] = below < way[i] ? below : way[i];
    }
}

static float footprint_nearest(const render_footprint* f, const int32_t* row, int32_t x)
{
    int32_t least = FOOTPRINT_FAR * FOOTPRINT_FAR;
    for (int32_t i = 0; i < f->width; ++i)
    {
        const int32_t square = (i - x) * (i - x) + row[i] * row[i];
        least = square < least ? square : least;
    }
    return f->step * sqrtf((float)least);
}

static wadi_result footprint_measure(const render_relief* r, render_footprint* f)
{
    const size_t count = (size_t)f->width * (size_t)f->height;
    int32_t* way;
    WADI_ALLOC(r->context, f->away, count, "the shadow of the block");
    WADI_ALLOC(r->context, way, count, "the shadow of the block");
    footprint_mark(r, f, way);
    footprint_columns(f, way);
    for (int32_t y = 0; y < f->height; ++y)
    {
        for (int32_t x = 0; x < f->width; ++x)
        {
            const ptrdiff_t row = (ptrdiff_t)y * f->width;
            f->away[row + x] = footprint_nearest(f, way + row, x);
        }
    }
    wadi_free(r->context, way);
    return WADI_OK;
}

wadi_result wadi_footprint_create(const render_relief* r, render_footprint* out)
{
    const int32_t longest = r->width > r->height ? r->width : r->height;
    *out = (render_footprint){.right = (float)(r->width - 1),
                              .bottom = (float)(r->height - 1),
                              .margin = FOOTPRINT_MARGIN,
                              .step = fmaxf(1.0f, (float)longest / (float)FOOTPRINT_SQUARES)};
    out->width = footprint_square(out, r->width - 1) + 1 + out->margin;
    out->height = footprint_square(out, r->height - 1) + 1 + out->margin;
    return footprint_has_voids(r) ? footprint_measure(r, out) : WADI_OK;
}

void wadi_footprint_destroy(const render_relief* r, render_footprint* footprint)
{
    wadi_free(r->context, footprint->away);
}

// Between the middles of four squares.
static float footprint_read(const render_footprint* f, float x, float y)
{
    const float u = clamp(x / f->step + (float)f->margin - 0.5f, 0.0f, (float)(f->width - 1));
    const float v = clamp(y / f->step + (float)f->margin - 0.5f, 0.0f, (float)(f->height - 1));
    const int32_t column = (int32_t)fminf(u, (float)(f->width - 2));
    const int32_t row = (int32_t)fminf(v, (float)(f->height - 2));
    const float* at = f->away + (ptrdiff_t)row * f->width + column;
    const float s = u - (float)column;
    const float t = v - (float)row;
    return (1.0f - t) * ((1.0f - s) * at[0] + s * at[1]) +
           t * ((1.0f - s) * at[f->width] + s * at[f->width + 1]);
}

float wadi_footprint_away(const render_footprint* f, float x, float y)
{
    const float wide = f->away != NULL ? f->step * (float)f->margin : 0.0f; // of the margin
    const float ox = fmaxf(0.0f, fmaxf(-x, x - f->right) - wide);
    const float oy = fmaxf(0.0f, fmaxf(-y, y - f->bottom) - wide);
    const float beyond = sqrtf(ox * ox + oy * oy);
    return f->away != NULL ? footprint_read(f, x, y) + beyond : beyond;
}
