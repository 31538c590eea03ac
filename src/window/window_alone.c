// SPDX-License-Identifier: MIT
// A part of a grid that is computed alone: a partition of one window that holds less than the grid.
#include "window/window_internal.h"

// ---- callbacks: there are no others ------------------------------------------------------------

static bool alone_get(void* const* layers, const int32_t* bytes, int32_t count, void* user)
{
    (void)layers;
    (void)bytes;
    (void)count;
    (void)user;
    return true;
}

static bool alone_sum(int64_t* values, int32_t count, void* user)
{
    (void)values;
    (void)count;
    (void)user;
    return true;
}

static bool alone_table(const void* bytes, int64_t size, wadi_part* parts, void* user)
{
    (void)user;
    parts[0] = (wadi_part){bytes, size};
    return true;
}

static bool alone_send(wadi_part* parts, void* user)
{
    (void)parts;
    (void)user;
    return true;
}

// ---- place -------------------------------------------------------------------------------------

// Cells of a part along an axis, within the grid or around it.
static void alone_span(int32_t whole, bool wraps, int32_t first, int32_t count, int32_t* begin,
                       int32_t* owned)
{
    const int64_t end = (int64_t)first + count;
    if (wraps)
    {
        const bool all = count >= whole;
        *begin = all ? 0 : (int32_t)(((int64_t)first % whole + whole) % whole);
        *owned = all ? whole : count;
        return;
    }
    *begin = first > 0 ? first : 0;
    *owned = (int32_t)(end < whole ? end : whole) - *begin;
}

static wadi_result alone_check(wadi_context* context, const wadi_partition* part, int32_t x,
                               int32_t y)
{
    WADI_CHECK(context,
               part->owned_width >= 1 && part->owned_height >= 1 && part->x < part->width &&
                   part->y < part->height,
               WADI_ERROR_RANGE, "the part at column %d, row %d lies beyond the %d x %d cells", x,
               y, part->width, part->height);
    return WADI_OK;
}

wadi_result wadi_windows_alone(wadi_context* context, const wadi_windows_def* def, int32_t x,
                               int32_t y, int32_t width, int32_t height, wadi_partition* out)
{
    *out = (wadi_partition){0};
    WADI_TRY(wadi_window_check(context, def));
    WADI_CHECK(context, width >= 1 && height >= 1, WADI_ERROR_RANGE,
               "a part of %d x %d cells; expected at least one", width, height);
    wadi_partition part = {.width = def->width,
                           .height = def->height,
                           .count = 1,
                           .get = alone_get,
                           .sum = alone_sum,
                           .table = alone_table,
                           .add = alone_get,
                           .send = alone_send};
    alone_span(def->width, def->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC, x, width, &part.x,
               &part.owned_width);
    alone_span(def->height, def->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC, y, height, &part.y,
               &part.owned_height);
    WADI_TRY(alone_check(context, &part, x, y));
    *out = part;
    return WADI_OK;
}
