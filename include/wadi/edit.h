// SPDX-License-Identifier: MIT
/// \file edit.h
/// Edits by tools: layers of a rectangle in and out. The ledger books each change as an edit. Costs
/// grow with the rectangle, not with the grid. The result does not depend on the number of threads.
#pragma once

#include <wadi/field.h>
#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// A position on the terrain.
typedef struct wadi_point
{
    double x; ///< [m] east of the western edge
    double y; ///< [m] north of the southern edge
} wadi_point;

/// Centre of a cell.
WADI_API wadi_point wadi_terrain_cell_centre(const wadi_terrain* terrain, int32_t column,
                                             int32_t row);

// ---- rectangles ---------------------------------------------------------------------------------

/// Cells of columns [x, x + width) and rows [y, y + height); row 0 is in the north.
typedef struct wadi_rectangle
{
    int32_t x;
    int32_t y;
    int32_t width;  ///< [cells]
    int32_t height; ///< [cells]
} wadi_rectangle;

/// Part of a rectangle that lies in the grid; width and height are 0 if there is none.
WADI_API wadi_rectangle wadi_terrain_clip(const wadi_terrain* terrain, wadi_rectangle rectangle);

/// Copy a layer of a rectangle to \p out, rows \p stride elements apart: the values that
/// wadi_terrain_borrow() shows. Nothing is allocated, and hooks may call it while a solver
/// advances. Fails with WADI_ERROR_RANGE if the rectangle is empty or leaves the grid.
WADI_API wadi_result wadi_terrain_read_rectangle(const wadi_terrain* terrain, wadi_layer layer,
                                                 wadi_rectangle rectangle, float* out,
                                                 ptrdiff_t stride);

/// Write a layer of a rectangle, as wadi_terrain_set_layer() writes a whole one. A float cannot
/// hold each unit of a height above 256 m: values that are read and written back move such ground
/// by up to 2^-10 m at 32 000 m.
WADI_API wadi_result wadi_terrain_set_rectangle(wadi_terrain* terrain, wadi_layer layer,
                                                wadi_rectangle rectangle, const float* values,
                                                ptrdiff_t stride);

// ---- verbs --------------------------------------------------------------------------------------

/// What an edit does to a cell, at the weight w of its region or brush, 0..1.
typedef enum wadi_edit_verb
{
    WADI_EDIT_ADD,      ///< layer + w amount
    WADI_EDIT_TAKE,     ///< layer - w amount; thicknesses and shares not below 0
    WADI_EDIT_AT_LEAST, ///< layer + w (amount - layer) where the layer is below the amount
    WADI_EDIT_SET,      ///< layer + w (amount - layer); edits of scenes: values of a source
    WADI_EDIT_SMOOTH,   ///< layer + w amount (mean of 8 neighbours - layer); not in scenes
    WADI_EDIT_VERB_COUNT
} wadi_edit_verb;

#ifdef __cplusplus
}
#endif
