// SPDX-License-Identifier: MIT
// Passes over the rows of the grid, where the arrays lie in a file. The disk would read several
// megabytes around each page that misses, of each of ten arrays: with little memory these push
// each other out before their turn. Here a pass says which arrays it reads, and the system reads
// those of a few rows before their turn and no others.
#include "processes/hydraulic/streams.h"

#include "core/paging.h"

enum
{
    PASS_ROWS = 32 // for each worker at a time: the largest grain
};

typedef struct pass_run
{
    wadi_rows_fn* fn;
    void* user;
    int32_t first; // row
} pass_run;

static int32_t pass_rows(const streams* s)
{
    return PASS_ROWS * wadi_context_workers(s->context);
}

static void pass_expect(const streams* s, const stream_array* arrays, int32_t from, int32_t rows)
{
    const int32_t left = s->height - from;
    const size_t count = (size_t)(rows < left ? rows : left > 0 ? left : 0);
    for (const stream_array* a = arrays; a->cells != NULL; ++a)
    {
        const bool padded = a->reach == STREAM_PADDED;
        const size_t row = (size_t)(padded ? s->stride : s->width) * a->size;
        const unsigned char* cells = (const unsigned char*)a->cells + (padded ? row : 0);
        wadi_expect(s->context, cells + (size_t)from * row, count * row);
    }
}

void wadi_streams_ahead(const streams* s, const stream_array* arrays, int32_t y)
{
    const int32_t rows = pass_rows(s);
    if (s->pages != NULL && y % rows == 0)
    {
        pass_expect(s, arrays, y, rows); // what memory was short for before
        pass_expect(s, arrays, y + rows, rows);
    }
}

static void pass_take(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const pass_run* run = user;
    run->fn(run->first + begin, run->first + end, worker, run->user);
}

void wadi_streams_pass(const streams* s, const stream_array* arrays, int32_t grain,
                       wadi_rows_fn* fn, void* user)
{
    const int32_t rows = s->pages != NULL ? pass_rows(s) : s->height;
    pass_run run = {fn, user, 0};
    for (; run.first < s->height; run.first += rows)
    {
        const int32_t left = s->height - run.first;
        wadi_streams_ahead(s, arrays, run.first);
        wadi_parallel_rows(s->context, rows < left ? rows : left, grain, pass_take, &run);
    }
}
