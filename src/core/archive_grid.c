// SPDX-License-Identifier: MIT
// Grids in archives. In a window the grid is a part of the whole one: the archive is that of the
// whole grid all the same, so that any number of windows, or none, can read it. Window 0 writes it,
// row after row of all windows; archive_spread.c reads it.
#include "core/archive.h"

#include "core/archive_spread.h"
#include "core/internal.h"
#include "core/partition_rows.h"

// Part of a grid: columns [left, right) and rows [top, bottom) of an array, and the place of its
// first cell in the whole grid.
typedef struct grid_part
{
    unsigned char* values;
    int32_t bytes; // of a cell
    int64_t stride;
    int32_t left, right, top, bottom;
    int32_t x, y;
} grid_part;

void wadi_archive_cells(wadi_archive* archive, void* values, int32_t bytes, int64_t count)
{
    switch (bytes)
    {
    case 1:
        wadi_archive_u8(archive, values, count);
        break;
    case 2:
        wadi_archive_u16(archive, values, count);
        break;
    case 4:
        wadi_archive_u32(archive, values, count);
        break;
    default:
        WADI_ASSERT(bytes == 8);
        wadi_archive_u64(archive, values, count);
    }
}

static void* grid_cell(const grid_part* part, int32_t x, int32_t y)
{
    return part->values + ((int64_t)y * part->stride + x) * part->bytes;
}

// A part that is alone lists its own cells.
static const wadi_partition* grid_window(const wadi_archive* archive)
{
    const wadi_partition* part = wadi_partition_of(archive->context);
    return archive->local || wadi_partition_is_alone(part) ? NULL : part;
}

// The owned cells of a window, or all cells.
static grid_part grid_owned(const wadi_partition* window, void* values, int32_t bytes,
                            int32_t width, int32_t height)
{
    grid_part part = {values, bytes, width, 0, width, 0, height, 0, 0};
    if (window != NULL)
    {
        WADI_ASSERT(width == wadi_partition_local_width(window) &&
                    height == wadi_partition_local_height(window));
        part.left = window->halo[3];
        part.top = window->halo[0];
        part.right = part.left + window->owned_width;
        part.bottom = part.top + window->owned_height;
        part.x = window->x;
        part.y = window->y;
    }
    return part;
}

// ---- hash --------------------------------------------------------------------------------------

// A chain of its own for every tile, begun with its position, and the sum of all.
static uint64_t grid_hash(const wadi_archive* archive, const grid_part* part)
{
    uint64_t sum = 0;
    for (int32_t top = part->top; top < part->bottom; top += WADI_ARCHIVE_TILE)
    {
        const int32_t below = top + WADI_ARCHIVE_TILE;
        const int32_t bottom = below < part->bottom ? below : part->bottom;
        for (int32_t left = part->left; left < part->right; left += WADI_ARCHIVE_TILE)
        {
            const int32_t beside = left + WADI_ARCHIVE_TILE;
            const int32_t right = beside < part->right ? beside : part->right;
            const uint64_t row = (uint64_t)(part->y + top - part->top);
            const uint32_t column = (uint32_t)(part->x + left - part->left);
            wadi_archive chain = {.context = archive->context, .mode = ARCHIVE_HASHES};
            chain.hash = wadi_archive_mix(1, row << 32 | column);
            for (int32_t y = top; y < bottom; ++y)
            {
                wadi_archive_cells(&chain, grid_cell(part, left, y), part->bytes, right - left);
            }
            sum += chain.hash;
        }
    }
    return sum;
}

static void grid_hash_all(wadi_archive* archive, const grid_part* part)
{
    int64_t sum;
    const uint64_t here = grid_hash(archive, part);
    memcpy(&sum, &here, sizeof sum);
    if (!wadi_partition_sum(grid_window(archive), &sum, 1))
    {
        archive->result = wadi_partition_lost(archive->context);
    }
    archive->hash = wadi_archive_mix(archive->hash, (uint64_t)sum);
}

// ---- writing a window --------------------------------------------------------------------------

typedef struct grid_scratch
{
    unsigned char* buffer; // of a band
    unsigned char* line;   // of the whole grid
    wadi_part* parts;
} grid_scratch;

// Copy the cells of one row of the whole grid that a window has sent.
static void grid_copy_row(const wadi_part* sent, int32_t bytes, int32_t y, unsigned char* line)
{
    partition_band band;
    memcpy(&band, sent->bytes, sizeof band);
    wadi_partition_unpack_row(&band, (const unsigned char*)sent->bytes + sizeof band, bytes, y,
                              line);
}

static void grid_write_bands(wadi_archive* archive, const grid_part* part,
                             const wadi_partition* window, const grid_scratch* scratch)
{
    for (int32_t first = 0; first < window->height && archive->result == WADI_OK;
         first += PARTITION_BAND)
    {
        const partition_band band = wadi_partition_band_of(window, first);
        memcpy(scratch->buffer, &band, sizeof band);
        wadi_partition_expect(archive->context, first, part->values, part->bytes);
        const unsigned char* end = wadi_partition_pack(window, &band, part->values, part->bytes,
                                                       scratch->buffer + sizeof band);
        if (!wadi_partition_to_first(window, scratch->buffer, end - scratch->buffer,
                                     scratch->parts))
        {
            archive->result = wadi_partition_lost(archive->context);
            return;
        }
        for (int32_t y = first;
             y < first + PARTITION_BAND && y < window->height && window->index == 0; ++y)
        {
            for (int32_t i = 0; i < window->count; ++i)
            {
                grid_copy_row(&scratch->parts[i], part->bytes, y, scratch->line);
            }
            wadi_archive_cells(archive, scratch->line, part->bytes, window->width);
        }
    }
}

static void grid_write_window(wadi_archive* archive, const grid_part* part,
                              const wadi_partition* window)
{
    wadi_context* context = archive->context;
    const size_t band =
        sizeof(partition_band) + (size_t)PARTITION_BAND * (size_t)window->owned_width * 8;
    const grid_scratch scratch = {
        .buffer = wadi_alloc(context, 1, band),
        .line = wadi_alloc(context, (size_t)window->width, 8),
        .parts = wadi_alloc(context, (size_t)window->count, sizeof(wadi_part)),
    };
    if (scratch.buffer == NULL || scratch.line == NULL || scratch.parts == NULL)
    {
        archive->result = wadi_fail_memory(context, band, "a part of a saved grid");
    }
    else
    {
        wadi_stage(context, "bands");
        grid_write_bands(archive, part, window, &scratch);
        wadi_stage(context, NULL);
    }
    wadi_free(context, scratch.buffer);
    wadi_free(context, scratch.line);
    wadi_free(context, scratch.parts);
}

void wadi_archive_grid(wadi_archive* archive, void* values, int32_t bytes, int32_t width,
                       int32_t height)
{
    const wadi_partition* window = grid_window(archive);
    const grid_part part = grid_owned(window, values, bytes, width, height);
    if (archive->mode == ARCHIVE_HASHES)
    {
        grid_hash_all(archive, &part);
    }
    else if (window == NULL)
    {
        wadi_archive_cells(archive, values, bytes, (int64_t)width * height);
    }
    else if (archive->result == WADI_OK && archive->mode == ARCHIVE_WRITES)
    {
        grid_write_window(archive, &part, window);
    }
    else if (archive->mode == ARCHIVE_READS)
    {
        // a window that has failed tells the others
        wadi_archive_spread(archive, window, values, bytes);
    }
}

// ---- sums --------------------------------------------------------------------------------------

void wadi_archive_sums(wadi_archive* archive, int64_t* values, int64_t count)
{
    enum
    {
        PART = 64
    };
    const wadi_partition* window = grid_window(archive);
    if (window == NULL)
    {
        wadi_archive_i64(archive, values, count);
        return;
    }
    for (int64_t first = 0; first < count; first += PART)
    {
        int64_t sums[PART];
        const int64_t n = count - first < PART ? count - first : PART;
        memcpy(sums, values + first, (size_t)n * sizeof *sums);
        if (archive->mode != ARCHIVE_READS && !wadi_partition_sum(window, sums, (int32_t)n))
        {
            archive->result = wadi_partition_lost(archive->context);
        }
        wadi_archive_i64(archive, sums, n);
        for (int64_t i = 0; i < n && archive->mode == ARCHIVE_READS; ++i)
        {
            values[first + i] = window->index == 0 ? sums[i] : 0;
        }
    }
}

void wadi_archive_work(wadi_archive* archive, int64_t* values, int64_t count)
{
    if (archive->mode != ARCHIVE_HASHES)
    {
        wadi_archive_sums(archive, values, count);
    }
}
