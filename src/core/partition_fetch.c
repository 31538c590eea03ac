// SPDX-License-Identifier: MIT
// Cells that lie further away than a halo: each window asks for a box of its own, and gets the
// parts of it from the windows that own them. Also tables of small values.
#include "core/partition.h"

#include <string.h>

// What a window says before cells are sent.
typedef struct fetch_want
{
    wadi_box owned;
    wadi_box box;
} fetch_want;

typedef struct fetch_job
{
    const wadi_partition* part;
    const fetch_want* wants; // by window
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

// Copy the rows of `seen`: from the window's layer to bytes, or from bytes to the layer of a box.
// `at` is the first cell in the layer. Returns what follows the bytes.
static unsigned char* fetch_rows(unsigned char* layer, int64_t at, int64_t stride, int32_t bytes,
                                 const wadi_box* seen, unsigned char* to, bool packs)
{
    const size_t row = (size_t)seen->width * (size_t)bytes;
    for (int32_t y = 0; y < seen->height; ++y)
    {
        unsigned char* cells = layer + (at + y * stride) * bytes;
        memcpy(packs ? to : cells, packs ? cells : to, row);
        to += row;
    }
    return to;
}

static unsigned char* fetch_pack(const fetch_job* job, const wadi_box* box, unsigned char* to)
{
    const wadi_partition* part = job->part;
    const wadi_box owned = fetch_owned(part);
    const int64_t stride = wadi_partition_local_width(part);
    for (int32_t turn = 0; turn < 9; ++turn)
    {
        wadi_box seen;
        if (fetch_overlap(part, &owned, box, turn, &seen))
        {
            const int32_t x = seen.x - (turn % 3 - 1) * part->width - part->x + part->halo[3];
            const int32_t y = seen.y - (turn / 3 - 1) * part->height - part->y + part->halo[0];
            for (int32_t i = 0; i < job->count; ++i)
            {
                to = fetch_rows(job->layers[i], y * stride + x, stride, job->bytes[i], &seen, to,
                                true);
            }
        }
    }
    return to;
}

static void fetch_unpack(const fetch_job* job, int32_t from, const void* bytes)
{
    const wadi_box* box = &job->wants[job->part->index].box;
    unsigned char* at = (unsigned char*)(uintptr_t)bytes;
    for (int32_t turn = 0; turn < 9; ++turn)
    {
        wadi_box seen;
        if (fetch_overlap(job->part, &job->wants[from].owned, box, turn, &seen))
        {
            const int64_t first = (int64_t)(seen.y - box->y) * box->width + seen.x - box->x;
            for (int32_t i = 0; i < job->count; ++i)
            {
                at = fetch_rows(job->out[i], first, box->width, job->bytes[i], &seen, at, false);
            }
        }
    }
}

static wadi_result fetch_send(wadi_context* context, const fetch_job* job, wadi_part* parts)
{
    const wadi_partition* part = job->part;
    const wadi_box owned = fetch_owned(part);
    size_t all = 0;
    for (int32_t i = 0; i < part->count; ++i)
    {
        parts[i].size = (int64_t)fetch_bytes(job, &owned, &job->wants[i].box);
        all += (size_t)parts[i].size;
    }
    unsigned char* buffer;
    WADI_ALLOC(context, buffer, all + 1, "cells of other windows");
    unsigned char* to = buffer;
    for (int32_t i = 0; i < part->count; ++i)
    {
        parts[i].bytes = to;
        to = fetch_pack(job, &job->wants[i].box, to);
    }
    const bool whole = part->send(parts, part->user);
    wadi_free(context, buffer);
    return whole ? WADI_OK : wadi_partition_lost(context);
}

static wadi_result fetch_cells(wadi_context* context, const fetch_job* job)
{
    wadi_part* parts;
    WADI_ALLOC(context, parts, job->part->count, "cells of other windows");
    const wadi_result result = fetch_send(context, job, parts);
    for (int32_t i = 0; result == WADI_OK && i < job->part->count; ++i)
    {
        fetch_unpack(job, i, parts[i].bytes);
    }
    wadi_free(context, parts);
    return result;
}

wadi_result wadi_partition_fetch(wadi_context* context, const wadi_box* box, void* const* layers,
                                 const int32_t* bytes, int32_t count, void* const* out)
{
    const wadi_partition* part = wadi_partition_of(context);
    const fetch_want want = {fetch_owned(part), *box};
    fetch_want* wants;
    WADI_ALLOC(context, wants, part->count, "a table of windows");
    const fetch_job job = {part, wants, layers, bytes, count, out};
    wadi_result result = fetch_table(context, &want, sizeof want, wants);
    result = result == WADI_OK ? fetch_cells(context, &job) : result;
    wadi_free(context, wants);
    return result;
}
