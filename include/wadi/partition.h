// SPDX-License-Identifier: MIT
/// \file partition.h
/// A part of a grid: for grids that are computed in windows, on several ranks or one window after
/// the other. The library only knows the callbacks below; wadi_windows_run() (window.h) supplies
/// them for windows in one process. A program with a transport of its own fills in the struct.
///
/// A window owns a rectangle of the grid and holds a halo of ghost cells around it, whose values
/// belong to its neighbours. Cells have numbers of the whole grid wherever a number matters, as for
/// random numbers. Only what happens in owned cells is booked, counted, hashed, or decides when to
/// stop; ghosts are scratch.
///
/// All windows make the same calls in the same order. A call that returns false means that another
/// window has failed: the window then stops with WADI_ERROR_CANCELLED.
#pragma once

#include <wadi/base.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Cells along a side of the tiles at whose multiples windows are cut, so that sums over tiles are
/// the same in every partition.
#define WADI_PARTITION_TILE 62

/// Bytes of one window, as all windows see them.
typedef struct wadi_part
{
    const void* bytes;
    int64_t size;
} wadi_part;

/// All zero: the whole grid is one window, and nothing is called.
typedef struct wadi_partition
{
    int32_t width;        ///< of the whole grid [cells]; 0: one window
    int32_t height;       ///< [cells]
    int32_t x;            ///< column of the first owned cell, a multiple of WADI_PARTITION_TILE
    int32_t y;            ///< row of the first owned cell, likewise
    int32_t owned_width;  ///< [cells], a multiple of WADI_PARTITION_TILE but at the far edge
    int32_t owned_height; ///< [cells]
    int32_t halo[4];      ///< cells of the halo by wadi_side; 0 where the grid is not cut
    int32_t index;        ///< of this window, in [0, count)
    int32_t count;        ///< windows

    /// Fill the ghosts of \p count layers of the window's size with the values of their owners;
    /// `bytes[i]` is the size of a cell of layer i.
    bool (*get)(void* const* layers, const int32_t* bytes, int32_t count, void* user);
    /// Replace each value by its sum over all windows.
    bool (*sum)(int64_t* values, int32_t count, void* user);
    /// Give \p size bytes to all windows and get theirs: `count` parts in the order of the windows,
    /// valid until the next call of this window.
    bool (*table)(const void* bytes, int64_t size, wadi_part* parts, void* user);
    /// Add the ghosts of \p count layers to the values of their owners, and set the ghosts to 0:
    /// whole numbers of 4 or 8 bytes, which wrap around.
    bool (*add)(void* const* layers, const int32_t* bytes, int32_t count, void* user);
    /// Give each window bytes of its own: `parts[i]` holds those for window i, and those of window
    /// i on return, valid until the next call of this window.
    bool (*send)(wadi_part* parts, void* user);
    /// NULL, or: \p size bytes of the transport for what the next `send` of this window gives,
    /// until then. Parts that lie there one after the other, in the order of the windows, need not
    /// be copied. NULL on return: there is no memory.
    void* (*room)(int64_t size, void* user);
    void* user;
} wadi_partition;

#ifdef __cplusplus
}
#endif
