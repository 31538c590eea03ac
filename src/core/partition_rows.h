// SPDX-License-Identifier: MIT
// Rows of the whole grid: bands of them go from all windows to the first one, and back. A band has
// as many rows as a tile, so no window needs room for more of the grid than that.
#pragma once

#include "core/partition.h"

enum
{
    PARTITION_BAND = WADI_PARTITION_TILE // rows
};

// Where the owned cells of a window lie that a band crosses. What a window sends begins with it.
typedef struct partition_band
{
    int32_t x, width;
    int32_t y, height; // no rows: the band does not cross the window
} partition_band;

// A layer of `bytes` a cell, in a window with its halo and as a whole.
typedef struct partition_layer
{
    void* window;
    void* whole; // in the first window only
    int32_t bytes;
} partition_layer;

// The owned cells of the band that begins with a row of the whole grid.
partition_band wadi_partition_band_of(const wadi_partition* part, int32_t first);

// Copy the owned cells of a band one after the other. Returns the end.
unsigned char* wadi_partition_pack(const wadi_partition* part, const partition_band* band,
                                   const void* window, int32_t bytes, unsigned char* to);

// Copy the owned cells in one row of the whole grid, out of those of a band, to that row.
void wadi_partition_unpack_row(const partition_band* band, const unsigned char* cells,
                               int32_t bytes, int32_t row, unsigned char* line);

// Copy a row of the whole grid into all rows of a window that show it: a halo may wrap around.
void wadi_partition_take_row(const wadi_partition* part, int32_t row, const unsigned char* line,
                             int32_t bytes, void* window);

// The rows of a window's array in a band of the whole grid are next: where it lies in a file, read
// them, and no more.
void wadi_partition_expect(const wadi_context* context, int32_t first, const void* window,
                           int32_t bytes);

// Does a window show a row of the whole grid?
bool wadi_partition_shows_row(const wadi_partition* part, int32_t row);

// Put the owned cells of all windows together in the first one.
wadi_result wadi_partition_gather(wadi_context* context, const partition_layer* layers,
                                  int32_t count);
// Give all windows their part of the whole, with their halos.
wadi_result wadi_partition_scatter(wadi_context* context, const partition_layer* layers,
                                   int32_t count);
