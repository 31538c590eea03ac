// SPDX-License-Identifier: MIT
// The surface of the grid as the kernels of talus read it: voids and land beyond the edges are
// heights too. Tiles are read when slides come near them, and follow the ground until the slides
// rest: most sweeps change few cells, so reading the ground in each would cost more than the
// slides.
#pragma once

#include "laws/slopes/talus_patch.h"

typedef struct talus_plane
{
    int32_t* memory;
    ptrdiff_t stride;
    uint8_t* loaded; // by tile
    int32_t base;    // [units] zero of the heights
    int32_t width;   // of the grid [cells]
    int32_t height;
} talus_plane;

// `tiles`: of the grid.
wadi_result wadi_talus_plane_create(wadi_context* context, int32_t width, int32_t height,
                                    int64_t tiles, talus_plane* plane);
void wadi_talus_plane_destroy(wadi_context* context, talus_plane* plane);

// Offset of cell 0 of a row; rows and columns from -TALUS_HALO to TALUS_HALO beyond the last one
// are heights.
static inline ptrdiff_t talus_plane_at(const talus_plane* plane, int32_t y)
{
    return (y + TALUS_HALO) * plane->stride + TALUS_MARGIN;
}

// Read `count` cells of row y from column x on.
void wadi_talus_plane_read(const talus_plane* plane, const talus_setting* setting, int32_t x,
                           int32_t y, int32_t count);

// Follow the ground of `count` cells of row y from column x on, which has changed by `change`.
void wadi_talus_plane_change(const talus_plane* plane, const talus_setting* setting, int32_t x,
                             int32_t y, int32_t count, const int32_t* change);

// Set the columns beyond the western and eastern edges of rows [begin, end), and the rows beyond
// the northern and southern ones. Columns come first, since corners follow from them.
void wadi_talus_plane_extend_rows(const talus_plane* plane, const talus_setting* setting,
                                  int32_t begin, int32_t end);
void wadi_talus_plane_extend_columns(const talus_plane* plane, const talus_setting* setting);
