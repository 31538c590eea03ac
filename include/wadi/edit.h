// SPDX-License-Identifier: MIT
/// \file edit.h
/// Edits by tools: layers of a rectangle in and out, and brushes with a soft edge. The ledger books
/// each change as an edit. Costs grow with the rectangle, not with the grid. The result does not
/// depend on the number of threads.
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
/// by up to 2^-10 m at 32 000 m. A brush leaves cells that it does not reach exactly as they are.
WADI_API wadi_result wadi_terrain_set_rectangle(wadi_terrain* terrain, wadi_layer layer,
                                                wadi_rectangle rectangle, const float* values,
                                                ptrdiff_t stride);

// ---- brushes ------------------------------------------------------------------------------------

/// What an edit does to a cell, at the weight w of its region or brush, 0..1.
typedef enum wadi_edit_verb
{
    WADI_EDIT_ADD,      ///< layer + w amount
    WADI_EDIT_TAKE,     ///< layer - w amount; thicknesses and shares not below 0
    WADI_EDIT_AT_LEAST, ///< layer + w (amount - layer) where the layer is below the amount
    WADI_EDIT_SET,      ///< layer + w (amount - layer); edits of scenes: values of a source
    WADI_EDIT_SMOOTH,   ///< layer + w amount (mean of 8 neighbours - layer)
    WADI_EDIT_VERB_COUNT
} wadi_edit_verb;

/// One touch of a brush. Start from wadi_brush_default(). A stroke is a row of touches.
///
/// | brush             | layer                 | verb               |
/// | ----------------- | --------------------- | ------------------ |
/// | raise, lower      | WADI_LAYER_BEDROCK    | ADD, TAKE          |
/// | add, remove sand  | WADI_LAYER_SEDIMENT   | ADD, TAKE          |
/// | pour, drain water | WADI_LAYER_WATER      | ADD, TAKE          |
/// | plant, uproot     | WADI_LAYER_VEGETATION | AT_LEAST, TAKE     |
/// | hardness          | WADI_LAYER_HARDNESS   | SET, or ADD, TAKE  |
/// | level             | WADI_LAYER_SURFACE    | SET                |
/// | smooth            | any                   | SMOOTH             |
typedef struct wadi_brush
{
    uint32_t cookie; ///< Set by wadi_brush_default(). Do not touch.
    wadi_layer layer;
    int32_t verb;  ///< wadi_edit_verb
    double x;      ///< centre [m] east of the western edge; may lie outside of the grid
    double y;      ///< centre [m] north of the southern edge
    double radius; ///< [m], above 0
    /// Share of the radius over which the weight falls from 1 to 0 on the rim, smoothly (3 t^2 - 2
    /// t^3). 0: all cells whose centre is inside have weight 1. 1: only the centre has.
    double soft;
    /// [m] or share. Shares and SMOOTH: 0..1. ADD and TAKE: not negative.
    double amount;
} wadi_brush;

/// Fields of wadi_brush, for sliders and validation.
WADI_API extern const wadi_field_table wadi_brush_fields;

/// Raise the surface by 1 m within 100 m of the south-western corner, with a soft edge of one half.
WADI_API wadi_brush wadi_brush_default(void);

/// Apply a brush. Void cells stay void. Over a periodic edge it reaches the other side.
/// A brush that reaches no cell succeeds and changes nothing. Fails, and changes nothing, with
/// WADI_ERROR_RANGE where a height would leave its range.
WADI_API wadi_result wadi_terrain_brush(wadi_terrain* terrain, const wadi_brush* brush);

/// Rectangle outside of which a brush changes nothing, for tools that draw anew what has changed.
/// All columns, or rows, where the brush crosses a periodic edge. Empty if it reaches no cell.
WADI_API wadi_rectangle wadi_terrain_brush_reach(const wadi_terrain* terrain,
                                                 const wadi_brush* brush);

#ifdef __cplusplus
}
#endif
