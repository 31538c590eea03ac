// SPDX-License-Identifier: MIT
// Cells that lie further away than a halo: each window has a box of its own, and gets the parts of
// it from the windows that own them. Also tables of small values.
#include "core/partition.h"

#include <string.h>

typedef struct fetch_job
{
    const wadi_partition* part;
    wadi_fetcher* fetcher;
    void* const* layers;
    const int32_t* bytes;
    int32_t count;
    void* const* out;
} fetch_job;

static wadi_box fetch_owned(const wadi_partition* part)
{
    return (wadi_box){part->x, part->y, part->owned_width, part->owned_height};
}

// ---- tables ------------------------------------------------------------------------------------

// Give `size` bytes to all windows and copy those of all, one after the other.
static wadi_result fetch_table(wadi_context* context, const void* bytes, size_t size, void* out)
{
    const wadi_partition* part = wadi_partition_of(context);
    wadi_part* parts;
    WADI_ALLOC(context, parts, part->count, "a table of windows");
    const bool whole = part->table(bytes, (int64_t)size, parts, part->user);
    for (int32_t i = 0; whole && i < part->count; ++i)
    {
        memcpy((unsigned char*)out + (size_t)i * size, parts[i].bytes, size);
    }
    wadi_free(context, parts);
    return whole ? WADI_OK : wadi_partition_lost(context);
}

wadi_result wadi_partition_most(wadi_context* context, float* values, int32_t count)
{
    const wadi_partition* part = wadi_partition_of(context);
    if (part == NULL)
    {
        return WADI_OK;
    }
    float* all;
    WADI_ALLOC(context, all, (int64_t)part->count * count, "a table of windows");
    const wadi_result result = fetch_table(context, values, (size_t)count * sizeof *values, all);
    for (int32_t i = 0; result == WADI_OK && i < part->count * count; ++i)
    {
        values[i % count] = all[i] > values[i % count] ? all[i] : values[i % count];
    }
    wadi_free(context, all);
    return result;
}

wadi_result wadi_partition_owners(wadi_context* context, wadi_box** out)
{
    const wadi_partition* part = wadi_partition_of(context);
    const wadi_box own = fetch_owned(part);
    WADI_ALLOC(context, *out, part->count, "a table of windows");
    const wadi_result result = fetch_table(context, &own, sizeof own, *out);
    if (result != WADI_OK)
    {
        wadi_free(context, *out);
        *out = NULL;
    }
    return result;
}

// ---- cells -------------------------------------------------------------------------------------

static int32_t fetch_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t fetch_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Cells of `box` that lie in `owned`, as it is `turn` times around the grid (0..8, 4: not at all).
static bool fetch_overlap(const wadi_partition* part, const wadi_box* owned, const wadi_box* box,
                          int32_t turn, wadi_box* out)
{
    const int32_t x = owned->x + (turn % 3 - 1) * part->width;
    const int32_t y = owned->y + (turn / 3 - 1) * part->height;
    out->x = fetch_max(x, box->x);
    out->y = fetch_max(y, box->y);
    out->width = fetch_min(x + owned->width, box->x + box->width) - out->x;
    out->height = fetch_min(y + owned->height, box->y + box->height) - out->y;
    return out->width > 0 && out->height > 0;
}

static size_t fetch_cell_bytes(const fetch_job* job)
{
    size_t sum = 0;
    for (int32_t i = 0; i < job->count; ++i)
    {
        sum += (size_t)job->bytes[i];
    }
    return sum;
}

// Bytes that one window sends to another.
static size_t fetch_bytes(const fetch_job* job, const wadi_box* owned, const wadi_box* box)
{
    size_t cells = 0;
    for (int32_t turn = 0; turn < 9; ++turn)
    {
        wadi_box seen;
        const bool any = fetch_overlap(job->part, owned, box, turn, &seen);
        cells += any ? (size_t)seen.width * (size_t)seen.height : 0;
    }
    return cells * fetch_cell_bytes(job);
}

// A place in a layer.
typedef struct fetch_place
{
    unsigned char* cells;
    int64_t stride; // bytes
} fetch_place;

static void fetch_copy(fetch_place from, fetch_place to, size_t row, int32_t rows)
{
    for (int32_t y = 0; y < rows; ++y)
    {
        memcpy(to.cells + y * to.stride, from.cells + y * from.stride, row);
    }
}

// Where the cells of `seen` are in a layer of the window that owns them.
static fetch_place fetch_own_place(const fetch_job* job, int32_t layer, const wadi_box* seen,
                                   int32_t turn)
{
    const wadi_partition* part = job->part;
    const int64_t stride = wadi_partition_local_width(part);
    const int32_t x = seen->x - (turn % 3 - 1) * part->width - part->x + part->halo[3];
    const int32_t y = seen->y - (turn / 3 - 1) * part->height - part->y + part->halo[0];
    const int32_t bytes = job->bytes[layer];
    return (fetch_place){(unsigned char*)job->layers[layer] + (y * stride + x) * bytes,
                         stride * bytes};
}

// Where they are in a layer of the box of this window.
static fetch_place fetch_box_place(const fetch_job* job, int32_t layer, const wadi_box* seen)
{
    const wadi_box* box = &job->fetcher->boxes[job->part->index];
    const int64_t at = (int64_t)(seen->y - box->y) * box->width + seen->x - box->x;
    const int32_t bytes = job->bytes[layer];
    return (fetch_place){(unsigned char*)job->out[layer] + at * bytes, (int64_t)box->width * bytes};
}

static unsigned char* fetch_pack(const fetch_job* job, const wadi_box* box, unsigned char* to)
{
    const wadi_box owned = fetch_owned(job->part);
    for (int32_t turn = 0; turn < 9; ++turn)
    {
        wadi_box seen;
        const bool any = fetch_overlap(job->part, &owned, box, turn, &seen);
        for (int32_t i = 0; i < job->count && any; ++i)
        {
            const size_t row = (size_t)seen.width * (size_t)job->bytes[i];
            fetch_copy(fetch_own_place(job, i, &seen, turn), (fetch_place){to, (int64_t)row}, row,
                       seen.height);
            to += row * (size_t)seen.height;
        }
    }
    return to;
}

static void fetch_unpack(const fetch_job* job, int32_t from, const void* bytes)
{
    const wadi_box* box = &job->fetcher->boxes[job->part->index];
    unsigned char* at = (unsigned char*)(uintptr_t)bytes;
    for (int32_t turn = 0; turn < 9; ++turn)
    {
        wadi_box seen;
        const bool any = fetch_overlap(job->part, &job->fetcher->owners[from], box, turn, &seen);
        for (int32_t i = 0; i < job->count && any; ++i)
        {
            const size_t row = (size_t)seen.width * (size_t)job->bytes[i];
            fetch_copy((fetch_place){at, (int64_t)row}, fetch_box_place(job, i, &seen), row,
                       seen.height);
            at += row * (size_t)seen.height;
        }
    }
}

// The cells of the box that this window owns itself are not sent.
static void fetch_keep(const fetch_job* job)
{
    const wadi_box owned = fetch_owned(job->part);
    for (int32_t turn = 0; turn < 9; ++turn)
    {
        wadi_box seen;
        const bool any =
            fetch_overlap(job->part, &owned, &job->fetcher->boxes[job->part->index], turn, &seen);
        for (int32_t i = 0; i < job->count && any; ++i)
        {
            fetch_copy(fetch_own_place(job, i, &seen, turn), fetch_box_place(job, i, &seen),
                       (size_t)seen.width * (size_t)job->bytes[i], seen.height);
        }
    }
}

// Room for what this window sends: where the transport takes it from, or kept for the next time.
static wadi_result fetch_reserve(wadi_context* context, wadi_fetcher* fetcher, size_t size,
                                 unsigned char** out)
{
    const wadi_partition* part = wadi_partition_of(context);
    if (part->room != NULL)
    {
        *out = part->room((int64_t)size, part->user);
        return *out != NULL ? WADI_OK : wadi_fail_memory(context, size, "cells of other windows");
    }
    if (size > fetcher->room)
    {
        wadi_free(context, fetcher->buffer);
        fetcher->room = 0;
        WADI_ALLOC(context, fetcher->buffer, size, "cells of other windows");
        fetcher->room = size;
    }
    *out = fetcher->buffer;
    return WADI_OK;
}

static wadi_result fetch_send(wadi_context* context, const fetch_job* job)
{
    const wadi_partition* part = job->part;
    wadi_fetcher* fetcher = job->fetcher;
    const wadi_box owned = fetch_owned(part);
    size_t all = 0;
    for (int32_t i = 0; i < part->count; ++i)
    {
        const bool own = i == part->index;
        const size_t size = own ? 0 : fetch_bytes(job, &owned, &fetcher->boxes[i]);
        fetcher->parts[i].size = (int64_t)size;
        all += size;
    }
    unsigned char* to;
    WADI_TRY(fetch_reserve(context, fetcher, all, &to));
    for (int32_t i = 0; i < part->count; ++i)
    {
        fetcher->parts[i].bytes = to;
        to = i == part->index ? to : fetch_pack(job, &fetcher->boxes[i], to);
    }
    return part->send(fetcher->parts, part->user) ? WADI_OK : wadi_partition_lost(context);
}

wadi_result wadi_partition_fetch(wadi_context* context, wadi_fetcher* fetcher, void* const* layers,
                                 const int32_t* bytes, int32_t count, void* const* out)
{
    const fetch_job job = {wadi_partition_of(context), fetcher, layers, bytes, count, out};
    WADI_TRY(fetch_send(context, &job));
    for (int32_t i = 0; i < job.part->count; ++i)
    {
        if (i != job.part->index)
        {
            fetch_unpack(&job, i, fetcher->parts[i].bytes);
        }
    }
    fetch_keep(&job);
    return WADI_OK;
}

wadi_result wadi_fetcher_open(wadi_context* context, wadi_fetcher* fetcher)
{
    const wadi_partition* part = wadi_partition_of(context);
    *fetcher = (wadi_fetcher){0};
    WADI_ALLOC(context, fetcher->boxes, part->count, "a table of windows");
    WADI_ALLOC(context, fetcher->parts, part->count, "a table of windows");
    return wadi_partition_owners(context, &fetcher->owners);
}

void wadi_fetcher_close(wadi_context* context, wadi_fetcher* fetcher)
{
    wadi_free(context, fetcher->owners);
    wadi_free(context, fetcher->boxes);
    wadi_free(context, fetcher->parts);
    wadi_free(context, fetcher->buffer);
    *fetcher = (wadi_fetcher){0};
}
