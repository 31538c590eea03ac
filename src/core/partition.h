// SPDX-License-Identifier: MIT
// A window of a grid, as the library's own code uses it. Without a partition the functions below
// return at once and change nothing.
#pragma once

#include "core/internal.h"

// The partition of a context; NULL: the whole grid is one window.
const wadi_partition* wadi_partition_of(const wadi_context* context);

// Columns or rows of a window with its halo.
static inline int32_t wadi_partition_local_width(const wadi_partition* part)
{
    return part->halo[3] + part->owned_width + part->halo[1];
}

static inline int32_t wadi_partition_local_height(const wadi_partition* part)
{
    return part->halo[0] + part->owned_height + part->halo[2];
}

// Column and row of the whole grid, wrapped around it.
static inline int32_t wadi_partition_column(const wadi_partition* part, int32_t x)
{
    const int32_t column = part->x - part->halo[3] + x;
    return column < 0              ? column + part->width
           : column >= part->width ? column - part->width
                                   : column;
}

static inline int32_t wadi_partition_row(const wadi_partition* part, int32_t y)
{
    const int32_t row = part->y - part->halo[0] + y;
    return row < 0 ? row + part->height : row >= part->height ? row - part->height : row;
}

// Does a window stand for the whole grid, of which it has a part only? Then nothing is known of the
// rest: its sides are open edges of its own. See wadi_windows_alone().
static inline bool wadi_partition_is_alone(const wadi_partition* part)
{
    return part != NULL && part->count == 1 &&
           (part->owned_width < part->width || part->owned_height < part->height);
}

// Exchange halos, or sum over all windows. `part` may be NULL. False: another window has failed.
bool wadi_partition_get(const wadi_partition* part, void* const* layers, const int32_t* bytes,
                        int32_t count);
bool wadi_partition_sum(const wadi_partition* part, int64_t* values, int32_t count);
// Add the ghosts of layers to their owners.
bool wadi_partition_add(const wadi_partition* part, void* const* layers, const int32_t* bytes,
                        int32_t count);
// True in all windows if it is true in any of them.
bool wadi_partition_any(const wadi_partition* part, bool here);
// Give all windows a number of the only one that knows it.
bool wadi_partition_tell(const wadi_partition* part, bool knows, double* value);

// Give bytes to the first window alone: its `parts` on return are those of all windows, in their
// order. The parts of the others are empty.
bool wadi_partition_to_first(const wadi_partition* part, const void* bytes, int64_t size,
                             wadi_part* parts);

// The largest of each value over all windows.
wadi_result wadi_partition_most(wadi_context* context, float* values, int32_t count);

// Cells of the whole grid. A box may reach beyond periodic edges, by less than the grid.
typedef struct wadi_box
{
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} wadi_box;

// What the windows own, by window. The caller frees it by wadi_free().
wadi_result wadi_partition_owners(wadi_context* context, wadi_box** out);

// A box of cells for each window, which it fetches again and again.
typedef struct wadi_fetcher
{
    wadi_box* owners; // by window: what it owns
    wadi_box* boxes;  // by window, of any size. The caller sets all of them, alike in all windows
    wadi_part* parts;
    unsigned char* buffer; // NULL: the transport has room
    size_t room;           // bytes
} wadi_fetcher;

// All windows call it. It has to be closed after a failure too.
wadi_result wadi_fetcher_open(wadi_context* context, wadi_fetcher* fetcher);
void wadi_fetcher_close(wadi_context* context, wadi_fetcher* fetcher);
// Copy the cells of this window's box from their owners: `layers` have the size of the window,
// `out` that of the box. All windows call it.
wadi_result wadi_partition_fetch(wadi_context* context, wadi_fetcher* fetcher, void* const* layers,
                                 const int32_t* bytes, int32_t count, void* const* out);

// The failure of a window that stops because another one has failed.
wadi_result wadi_partition_lost(wadi_context* context);

// A context for the whole grid within a window: with the memory, threads and hooks of the window's
// context, but for questions about progress, which the windows ask together.
wadi_result wadi_partition_whole_context(const wadi_context* window, wadi_context** out);

// Is the partition of a definition sound? The message names the first member that is not.
wadi_result wadi_partition_check(const wadi_partition* part);
