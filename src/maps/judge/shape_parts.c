// SPDX-License-Identifier: MIT
// Connected parts of a mask. They are numbered by their first cell in the order of rows.
#include "maps/judge/dune_shapes_internal.h"

static void parts_take(shape_parts* out, int32_t cell, int32_t* tail)
{
    out->label[cell] = out->count;
    out->cells[(*tail)++] = cell;
}

static void parts_fill(const shape_grid* grid, const uint8_t* mask, int32_t step, shape_parts* out)
{
    int32_t tail = 0;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        out->label[i] = -1;
    }
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        if (mask[i] == 0 || out->label[i] >= 0)
        {
            continue;
        }
        out->first[out->count] = tail;
        parts_take(out, i, &tail);
        for (int32_t head = out->first[out->count]; head < tail; ++head)
        {
            for (int32_t k = 0; k < 8; k += step)
            {
                const int32_t n = shape_neighbour(grid, out->cells[head], k);
                if (n >= 0 && mask[n] != 0 && out->label[n] < 0)
                {
                    parts_take(out, n, &tail);
                }
            }
        }
        out->first[++out->count] = tail;
    }
}

wadi_result wadi_shape_parts_find(const shape_grid* grid, const uint8_t* mask, shape_link link,
                                  shape_parts* out)
{
    *out = (shape_parts){0};
    // one block: cells, labels and, at one more than half of the cells at most, the first ones
    int32_t* memory;
    WADI_ALLOC(grid->context, memory, 3 * (int64_t)grid->cells + 2, "parts of a map");
    out->cells = memory;
    out->label = memory + grid->cells;
    out->first = memory + 2 * (ptrdiff_t)grid->cells;
    parts_fill(grid, mask, link == SHAPE_LINK_FOUR ? 2 : 1, out);
    return WADI_OK;
}

void wadi_shape_parts_free(const shape_grid* grid, shape_parts* parts)
{
    wadi_free(grid->context, parts->cells);
    *parts = (shape_parts){0};
}
