// SPDX-License-Identifier: MIT
#include "io/raster/tile_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

wadi_result wadi_io_tile_file_open(wadi_context* context, const wadi_io_replacement* replacement,
                                   const wadi_tiling* tiling, wadi_tile_type type,
                                   wadi_io_tile_file* out)
{
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/tiles", replacement->folder);
    *out = (wadi_io_tile_file){.context = context, .tiling = *tiling, .type = type};
    out->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out->file < 0)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "no temporary file: %s", strerror(errno));
    }
    (void)unlink(path);
    return WADI_OK;
}

void wadi_io_tile_file_close(wadi_io_tile_file* file)
{
    if (file->file >= 0)
    {
        (void)close(file->file);
    }
    file->file = -1;
}

// ---- bytes -------------------------------------------------------------------------------

static wadi_result tile_file_fail(const wadi_io_tile_file* file, const char* what, ssize_t moved)
{
    return wadi_context_fail(file->context, WADI_ERROR_IO, "temporary file: %s: %s", what,
                             moved < 0 ? strerror(errno) : "it is cut short");
}

static wadi_result tile_file_read(const wadi_io_tile_file* file, char* to, size_t bytes,
                                  int64_t from)
{
    while (bytes > 0)
    {
        const ssize_t moved = pread(file->file, to, bytes, (off_t)from);
        if (moved < 0 && errno == EINTR)
        {
            continue;
        }
        if (moved <= 0)
        {
            return tile_file_fail(file, "cannot read a tile", moved);
        }
        to += moved;
        from += moved;
        bytes -= (size_t)moved;
    }
    return WADI_OK;
}

static wadi_result tile_file_write(const wadi_io_tile_file* file, const char* from, size_t bytes,
                                   int64_t to)
{
    while (bytes > 0)
    {
        const ssize_t moved = pwrite(file->file, from, bytes, (off_t)to);
        if (moved < 0 && errno == EINTR)
        {
            continue;
        }
        if (moved <= 0)
        {
            return tile_file_fail(file, "cannot write a tile", moved);
        }
        from += moved;
        to += moved;
        bytes -= (size_t)moved;
    }
    return WADI_OK;
}

// Where row `y` of a tile begins: tiles lie one after the other, each as long as the largest.
static int64_t tile_file_place(const wadi_io_tile_file* file, const wadi_tile* tile, int32_t y)
{
    const int64_t side = file->tiling.tile;
    const int64_t columns = (file->tiling.width + side - 1) / side;
    const int64_t index = tile->y / side * columns + tile->x / side;
    return (index * side * side + (int64_t)y * tile->width) * wadi_tile_type_bytes(file->type);
}

static size_t tile_file_bytes(const wadi_io_tile_file* file, int32_t width, int32_t rows)
{
    return (size_t)width * (size_t)rows * (size_t)wadi_tile_type_bytes(file->type);
}

// ---- tiles -------------------------------------------------------------------------------

static wadi_result tile_file_read_tile(const wadi_tile* tile, void* cells, void* user)
{
    const wadi_io_tile_file* file = user;
    return tile_file_read(file, cells, tile_file_bytes(file, tile->width, tile->height),
                          tile_file_place(file, tile, 0));
}

static wadi_result tile_file_write_tile(const wadi_tile* tile, const void* cells, void* user)
{
    const wadi_io_tile_file* file = user;
    return tile_file_write(file, cells, tile_file_bytes(file, tile->width, tile->height),
                           tile_file_place(file, tile, 0));
}

wadi_tile_layer wadi_io_tile_file_layer(wadi_io_tile_file* file)
{
    return (wadi_tile_layer){file->type, tile_file_read_tile, tile_file_write_tile, file};
}

// ---- rows --------------------------------------------------------------------------------

static int32_t tile_file_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Move the part of some rows that lies in one tile, through a buffer.
static wadi_result tile_file_move(const wadi_io_tile_file* file, const wadi_tile* tile, int32_t y,
                                  int32_t count, char* rows, bool writes, char* buffer)
{
    const int64_t place = tile_file_place(file, tile, y - tile->y);
    const size_t bytes = tile_file_bytes(file, tile->width, count);
    const size_t row = tile_file_bytes(file, tile->width, 1);
    const size_t whole = tile_file_bytes(file, file->tiling.width, 1);
    char* start = rows + tile_file_bytes(file, tile->x, 1);
    if (!writes)
    {
        const wadi_result result = tile_file_read(file, buffer, bytes, place);
        for (int32_t i = 0; result == WADI_OK && i < count; ++i)
        {
            memcpy(start + (size_t)i * whole, buffer + (size_t)i * row, row);
        }
        return result;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        memcpy(buffer + (size_t)i * row, start + (size_t)i * whole, row);
    }
    return tile_file_write(file, buffer, bytes, place);
}

static wadi_result tile_file_rows(const wadi_io_tile_file* file, int32_t y, int32_t count,
                                  char* cells, bool writes)
{
    const int32_t side = file->tiling.tile;
    char* buffer = malloc(tile_file_bytes(file, tile_file_least(side, file->tiling.width), count));
    wadi_result result = buffer != NULL
                             ? WADI_OK
                             : wadi_context_fail(file->context, WADI_ERROR_MEMORY, "out of memory");
    for (int32_t at = y; at < y + count && result == WADI_OK;)
    {
        const int32_t top = at / side * side;
        const int32_t height = tile_file_least(side, file->tiling.height - top);
        const int32_t rows = tile_file_least(top + height, y + count) - at;
        for (int32_t x = 0; x < file->tiling.width && result == WADI_OK; x += side)
        {
            const wadi_tile tile = {x, top, tile_file_least(side, file->tiling.width - x), height};
            result = tile_file_move(file, &tile, at, rows,
                                    cells + tile_file_bytes(file, file->tiling.width, at - y),
                                    writes, buffer);
        }
        at += rows;
    }
    free(buffer);
    return result;
}

wadi_result wadi_io_tile_file_read_rows(wadi_io_tile_file* file, int32_t y, int32_t count,
                                        void* cells)
{
    return tile_file_rows(file, y, count, cells, false);
}

wadi_result wadi_io_tile_file_write_rows(wadi_io_tile_file* file, int32_t y, int32_t count,
                                         const void* cells)
{
    union
    {
        const void* from;
        void* to;
    } rows = {.from = cells}; // only read
    return tile_file_rows(file, y, count, rows.to, true);
}
