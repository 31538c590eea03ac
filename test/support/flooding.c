// SPDX-License-Identifier: MIT
#include "support/flooding.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct flooding_entry
{
    float level;
    int32_t cell;
} flooding_entry;

typedef struct flooding_heap
{
    flooding_entry* entries;
    int64_t size;
} flooding_heap;

static void flooding_push(flooding_heap* heap, float level, int32_t cell)
{
    int64_t i = heap->size++;
    while (i > 0 && level < heap->entries[(i - 1) / 2].level)
    {
        heap->entries[i] = heap->entries[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->entries[i] = (flooding_entry){level, cell};
}

static flooding_entry flooding_pop(flooding_heap* heap)
{
    const flooding_entry top = heap->entries[0];
    const flooding_entry last = heap->entries[--heap->size];
    int64_t i = 0;
    for (int64_t child = 1; child < heap->size; child = 2 * i + 1)
    {
        child +=
            child + 1 < heap->size && heap->entries[child + 1].level < heap->entries[child].level
                ? 1
                : 0;
        if (last.level <= heap->entries[child].level)
        {
            break;
        }
        heap->entries[i] = heap->entries[child];
        i = child;
    }
    heap->entries[i] = last;
    return top;
}

static void flooding_seed(flooding_heap* heap, bool* seen, const float* heights, int32_t width,
                          int32_t height)
{
    for (int32_t y = 0; y < height; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const int32_t cell = y * width + x;
            if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
            {
                seen[cell] = true;
                flooding_push(heap, heights[cell], cell);
            }
        }
    }
}

void flooding_levels(const float* heights, int32_t width, int32_t height, float* out)
{
    const size_t cells = (size_t)width * (size_t)height;
    flooding_heap heap = {malloc(cells * sizeof *heap.entries), 0};
    bool* seen = calloc(cells, sizeof *seen);
    flooding_seed(&heap, seen, heights, width, height);
    while (heap.size > 0)
    {
        const flooding_entry entry = flooding_pop(&heap);
        const int32_t x = entry.cell % width;
        const int32_t y = entry.cell / width;
        out[entry.cell] = entry.level;
        for (int32_t k = 0; k < 9; ++k)
        {
            const int32_t nx = x + k % 3 - 1;
            const int32_t ny = y + k / 3 - 1;
            const int32_t n = ny * width + nx;
            if (nx >= 0 && ny >= 0 && nx < width && ny < height && !seen[n])
            {
                seen[n] = true;
                flooding_push(&heap, heights[n] > entry.level ? heights[n] : entry.level, n);
            }
        }
    }
    free(seen);
    free(heap.entries);
}

int64_t flooding_closed_cells(const float* heights, const float* levels, int64_t cells,
                              double depth)
{
    int64_t count = 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        count += (double)levels[i] - (double)heights[i] > depth ? 1 : 0;
    }
    return count;
}
