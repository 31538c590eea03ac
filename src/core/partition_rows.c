// SPDX-License-Identifier: MIT
#include "core/partition_rows.h"

#include "core/internal.h"
#include "core/paging.h"

#include <string.h>

static int32_t rows_lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

partition_band wadi_partition_band_of(const wadi_partition* part, int32_t first)
{
    const int32_t begin = part->y > first ? part->y : first;
    const int32_t end = rows_lesser(part->y + part->owned_height, first + PARTITION_BAND);
    return (partition_band){part->x, part->owned_width, begin, end > begin ? end - begin : 0};
}

static int64_t rows_cells(const partition_band* band)
{
    return (int64_t)band->width * band->height;
}

unsigned char* wadi_partition_pack(const wadi_partition* part, const partition_band* band,
                                   const void* window, int32_t bytes, unsigned char* to)
{
    const int64_t stride = (int64_t)wadi_partition_local_width(part) * bytes;
    const size_t row = (size_t)band->width * (size_t)bytes;
    const unsigned char* owned = (const unsigned char*)window + (int64_t)part->halo[3] * bytes;
    for (int32_t y = band->y; y < band->y + band->height; ++y)
    {
        memcpy(to, owned + (part->halo[0] + y - part->y) * stride, row);
        to += row;
    }
    return to;
}

void wadi_partition_unpack_row(const partition_band* band, const unsigned char* cells,
                               int32_t bytes, int32_t row, unsigned char* line)
{
    if (row >= band->y && row < band->y + band->height)
    {
        const int64_t size = (int64_t)band->width * bytes;
        memcpy(line + (int64_t)band->x * bytes, cells + (row - band->y) * size, (size_t)size);
    }
}

// One row of a window, stretch by stretch of columns that follow one another in the whole grid.
static void rows_take(const wadi_partition* part, const unsigned char* line, int32_t bytes,
                      unsigned char* to)
{
    const int32_t width = wadi_partition_local_width(part);
    for (int32_t x = 0; x < width;)
    {
        const int32_t column = wadi_partition_column(part, x);
        const int32_t count = rows_lesser(width - x, part->width - column);
        memcpy(to + (int64_t)x * bytes, line + (int64_t)column * bytes,
               (size_t)count * (size_t)bytes);
        x += count;
    }
}

// Row of a window's array, `turn` times around the grid.
static int32_t rows_local(const wadi_partition* part, int32_t row, int32_t turn)
{
    return row - part->y + part->halo[0] + turn * part->height;
}

bool wadi_partition_shows_row(const wadi_partition* part, int32_t row)
{
    const int32_t height = wadi_partition_local_height(part);
    bool shows = false;
    for (int32_t turn = -1; turn <= 1; ++turn)
    {
        const int32_t y = rows_local(part, row, turn);
        shows = shows || (y >= 0 && y < height);
    }
    return shows;
}

void wadi_partition_take_row(const wadi_partition* part, int32_t row, const unsigned char* line,
                             int32_t bytes, void* window)
{
    const int32_t height = wadi_partition_local_height(part);
    const int64_t stride = (int64_t)wadi_partition_local_width(part) * bytes;
    for (int32_t turn = -1; turn <= 1; ++turn)
    {
        const int32_t y = rows_local(part, row, turn);
        if (y >= 0 && y < height)
        {
            rows_take(part, line, bytes, (unsigned char*)window + y * stride);
        }
    }
}

void wadi_partition_expect(const wadi_context* context, int32_t first, const void* window,
                           int32_t bytes)
{
    const wadi_partition* part = wadi_partition_of(context);
    const int64_t stride = (int64_t)wadi_partition_local_width(part) * bytes;
    const int32_t begin = rows_local(part, first, 0);
    const int32_t end = rows_lesser(begin + PARTITION_BAND, wadi_partition_local_height(part));
    const int32_t from = begin > 0 ? begin : 0;
    if (end > from)
    {
        wadi_expect(context, (const unsigned char*)window + from * stride,
                    (size_t)((end - from) * stride));
    }
}

// ---- all layers --------------------------------------------------------------------------------

// One way of bands: all windows send, and those that receive take what has come.
typedef struct rows_way
{
    const wadi_context* context;
    const wadi_partition* part;
    const partition_layer* layers;
    int32_t count;
    unsigned char* buffer;
    wadi_part* sent;
} rows_way;

static int64_t rows_bytes(const partition_layer* layers, int32_t count)
{
    int64_t bytes = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        bytes += layers[i].bytes;
    }
    return bytes;
}

// The first window copies what another one has sent of a band to the whole layers.
static void rows_collect(const rows_way* way, const wadi_part* sent)
{
    partition_band band;
    memcpy(&band, sent->bytes, sizeof band);
    const unsigned char* cells = (const unsigned char*)sent->bytes + sizeof band;
    for (int32_t i = 0; i < way->count; ++i)
    {
        const partition_layer* layer = &way->layers[i];
        for (int32_t y = band.y; y < band.y + band.height; ++y)
        {
            unsigned char* line =
                (unsigned char*)layer->whole + (int64_t)y * way->part->width * layer->bytes;
            wadi_partition_unpack_row(&band, cells, layer->bytes, y, line);
        }
        cells += rows_cells(&band) * layer->bytes;
    }
}

// Rows of the whole layers that are next, in the first window.
static void rows_expect_whole(const rows_way* way, int32_t first)
{
    const int32_t left = way->part->height - first;
    const int32_t rows = rows_lesser(PARTITION_BAND, left > 0 ? left : 0);
    for (int32_t i = 0; i < way->count && way->part->index == 0; ++i)
    {
        const partition_layer* layer = &way->layers[i];
        const int64_t row = (int64_t)way->part->width * layer->bytes;
        wadi_expect(way->context, (const unsigned char*)layer->whole + first * row,
                    (size_t)(rows * row));
    }
}

static void rows_expect_window(const rows_way* way, int32_t first)
{
    for (int32_t i = 0; i < way->count; ++i)
    {
        wadi_partition_expect(way->context, first, way->layers[i].window, way->layers[i].bytes);
    }
}

static bool rows_gather_band(const rows_way* way, int32_t first)
{
    const wadi_partition* part = way->part;
    rows_expect_window(way, first);
    const partition_band band = wadi_partition_band_of(part, first);
    memcpy(way->buffer, &band, sizeof band);
    unsigned char* end = way->buffer + sizeof band;
    for (int32_t i = 0; i < way->count; ++i)
    {
        end = wadi_partition_pack(part, &band, way->layers[i].window, way->layers[i].bytes, end);
    }
    if (!wadi_partition_to_first(part, way->buffer, end - way->buffer, way->sent))
    {
        return false;
    }
    rows_expect_whole(way, first);
    for (int32_t i = 0; i < part->count && part->index == 0; ++i)
    {
        rows_collect(way, &way->sent[i]);
    }
    return true;
}

// The first window sends whole rows, layer by layer; the others have nothing to send.
static int64_t rows_send(const rows_way* way, int32_t first, int32_t rows)
{
    int64_t size = 0;
    for (int32_t i = 0; i < way->count && way->part->index == 0; ++i)
    {
        const partition_layer* layer = &way->layers[i];
        const int64_t row = (int64_t)way->part->width * layer->bytes;
        memcpy(way->buffer + size, (const unsigned char*)layer->whole + first * row,
               (size_t)(rows * row));
        size += rows * row;
    }
    return size;
}

static bool rows_scatter_band(const rows_way* way, int32_t first)
{
    const wadi_partition* part = way->part;
    const int32_t rows = rows_lesser(PARTITION_BAND, part->height - first);
    rows_expect_whole(way, first);
    if (!part->table(way->buffer, rows_send(way, first, rows), way->sent, part->user))
    {
        return false;
    }
    rows_expect_window(way, first);
    const unsigned char* line = way->sent[0].bytes;
    for (int32_t i = 0; i < way->count; ++i)
    {
        const partition_layer* layer = &way->layers[i];
        for (int32_t y = first; y < first + rows; ++y)
        {
            wadi_partition_take_row(part, y, line, layer->bytes, layer->window);
            line += (int64_t)part->width * layer->bytes;
        }
    }
    return true;
}

static wadi_result rows_go(wadi_context* context, const partition_layer* layers, int32_t count,
                           int64_t columns, bool (*go)(const rows_way* way, int32_t first))
{
    const wadi_partition* part = wadi_partition_of(context);
    const size_t size =
        sizeof(partition_band) + (size_t)(columns * PARTITION_BAND * rows_bytes(layers, count));
    const rows_way way = {.context = context,
                          .part = part,
                          .layers = layers,
                          .count = count,
                          .buffer = wadi_alloc(context, 1, size),
                          .sent = wadi_alloc(context, (size_t)part->count, sizeof(wadi_part))};
    wadi_result result = way.buffer != NULL && way.sent != NULL
                             ? WADI_OK
                             : wadi_fail_memory(context, size, "rows of the whole grid");
    wadi_stage(context, "bands"); // of which each window reads little in its turn
    for (int32_t first = 0; first < part->height && result == WADI_OK; first += PARTITION_BAND)
    {
        result = go(&way, first) ? WADI_OK : wadi_partition_lost(context);
    }
    wadi_stage(context, NULL);
    wadi_free(context, way.buffer);
    wadi_free(context, way.sent);
    return result;
}

// A part that is alone is all that there is: its cells are copied as they are.
static wadi_result rows_copy(const wadi_partition* part, const partition_layer* layers,
                             int32_t count, bool gathers)
{
    const size_t cells = (size_t)part->owned_width * (size_t)part->owned_height;
    for (int32_t i = 0; i < count; ++i)
    {
        const partition_layer* layer = &layers[i];
        memcpy(gathers ? layer->whole : layer->window, gathers ? layer->window : layer->whole,
               cells * (size_t)layer->bytes);
    }
    return WADI_OK;
}

wadi_result wadi_partition_gather(wadi_context* context, const partition_layer* layers,
                                  int32_t count)
{
    const wadi_partition* part = wadi_partition_of(context);
    if (wadi_partition_is_alone(part))
    {
        return rows_copy(part, layers, count, true);
    }
    return rows_go(context, layers, count, part->owned_width, rows_gather_band);
}

wadi_result wadi_partition_scatter(wadi_context* context, const partition_layer* layers,
                                   int32_t count)
{
    const wadi_partition* part = wadi_partition_of(context);
    if (wadi_partition_is_alone(part))
    {
        return rows_copy(part, layers, count, false);
    }
    return rows_go(context, layers, count, part->index == 0 ? part->width : 0, rows_scatter_band);
}
