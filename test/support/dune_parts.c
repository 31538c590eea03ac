// SPDX-License-Identifier: MIT
#include "support/dune_parts.h"

#include "support/check.h"

#include <stdlib.h>

// Flood fill of one part. Coordinates are not wrapped, so that moments are correct across a
// periodic edge.
typedef struct parts_flood
{
    const double* values;
    int32_t width;
    int32_t height;
    double level;
    int32_t* label;
    int32_t* stack; // x and y of cells to visit
    int32_t depth;
} parts_flood;

typedef struct parts_sum
{
    int32_t cells;
    double height;
    double mass;
    double x;
    double y;
    double xx;
    double xy;
    double yy;
} parts_sum;

static int32_t parts_fold(int32_t i, int32_t size)
{
    return (i % size + size) % size;
}

static void parts_reach(parts_flood* flood, int32_t x, int32_t y, int32_t label)
{
    const int32_t cell = parts_fold(y, flood->height) * flood->width + parts_fold(x, flood->width);
    if (flood->label[cell] == -1 && flood->values[cell] > flood->level)
    {
        flood->label[cell] = label;
        flood->stack[2 * flood->depth] = x;
        flood->stack[2 * flood->depth + 1] = y;
        flood->depth += 1;
    }
}

static parts_sum parts_fill(parts_flood* flood, int32_t x, int32_t y, int32_t label)
{
    parts_sum sum = {0};
    parts_reach(flood, x, y, label);
    while (flood->depth > 0)
    {
        flood->depth -= 1;
        x = flood->stack[2 * flood->depth];
        y = flood->stack[2 * flood->depth + 1];
        const int32_t cell =
            parts_fold(y, flood->height) * flood->width + parts_fold(x, flood->width);
        const double mass = flood->values[cell] - flood->level;
        sum.cells += 1;
        sum.height = fmax(sum.height, mass);
        sum.mass += mass;
        sum.x += mass * x;
        sum.y += mass * y;
        sum.xx += mass * x * x;
        sum.xy += mass * x * y;
        sum.yy += mass * y * y;
        for (int32_t k = 0; k < 9; ++k)
        {
            parts_reach(flood, x + k % 3 - 1, y + k / 3 - 1, label);
        }
    }
    return sum;
}

static dune_part parts_finish(const parts_sum* sum, int32_t first)
{
    const double x = sum->x / sum->mass;
    const double y = sum->y / sum->mass;
    const double xx = sum->xx / sum->mass - x * x;
    const double xy = sum->xy / sum->mass - x * y;
    const double yy = sum->yy / sum->mass - y * y;
    const double half = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
    const double shorter = fmax(0.5 * (xx + yy) - half, 1e-9);
    return (dune_part){first, sum->cells, sum->height,
                       x,     y,          sqrt((0.5 * (xx + yy) + half) / shorter)};
}

static int parts_by_size(const void* a, const void* b)
{
    const dune_part* p = a;
    const dune_part* q = b;
    return (p->cells < q->cells) - (p->cells > q->cells);
}

dune_parts dune_parts_of(const double* values, int32_t width, int32_t height, double level,
                         int32_t least)
{
    const size_t cells = (size_t)width * (size_t)height;
    dune_parts out = {test_calloc(cells, sizeof *out.parts), 0,
                      test_malloc(cells * sizeof(int32_t))};
    parts_flood flood = {.values = values,
                         .width = width,
                         .height = height,
                         .level = level,
                         .label = out.label,
                         .stack = test_malloc(2 * cells * sizeof *flood.stack)};
    for (size_t i = 0; i < cells; ++i)
    {
        out.label[i] = -1;
    }
    for (int32_t i = 0; i < (int32_t)cells; ++i)
    {
        if (out.label[i] == -1 && values[i] > level)
        {
            const parts_sum sum = parts_fill(&flood, i % width, i / width, i);
            if (sum.cells >= least)
            {
                out.parts[out.count++] = parts_finish(&sum, i);
            }
        }
    }
    qsort(out.parts, (size_t)out.count, sizeof *out.parts, parts_by_size);
    test_free(flood.stack);
    return out;
}

void dune_parts_free(dune_parts* parts)
{
    test_free(parts->parts);
    test_free(parts->label);
}

static int parts_by_height(const void* a, const void* b)
{
    const double p = *(const double*)a;
    const double q = *(const double*)b;
    return (p > q) - (p < q);
}

double dune_parts_median(const dune_parts* parts)
{
    double heights[1024] = {0};
    const int32_t count = parts->count < 1024 ? parts->count : 1024;
    for (int32_t i = 0; i < count; ++i)
    {
        heights[i] = parts->parts[i].height;
    }
    qsort(heights, (size_t)count, sizeof heights[0], parts_by_height);
    return heights[count / 2];
}
