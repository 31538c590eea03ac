// SPDX-License-Identifier: MIT
// Layers of a rectangle, or of the whole grid, from floats and to floats.
#include "terrain/change.h"
#include "terrain/terrain.h"

#include <math.h>
#include <string.h>

wadi_point wadi_terrain_cell_centre(const wadi_terrain* terrain, int32_t column, int32_t row)
{
    const wadi_ground* ground = &terrain->ground;
    return (wadi_point){((double)column + 0.5) * ground->cell_size,
                        ((double)ground->height - (double)row - 0.5) * ground->cell_size};
}

static wadi_rectangle rectangle_all(const wadi_terrain* terrain)
{
    return (wadi_rectangle){0, 0, terrain->ground.width, terrain->ground.height};
}

// The part of [at, at + *extent) in [0, most): its begin, and its length in *extent.
static int32_t rectangle_clip_axis(int32_t at, int32_t* extent, int32_t most)
{
    const int64_t end = (int64_t)at + (*extent > 0 ? *extent : 0);
    const int32_t first = at < 0 ? 0 : at > most ? most : at;
    const int64_t last = end > most ? most : end;
    *extent = last > first ? (int32_t)(last - first) : 0;
    return first;
}

wadi_rectangle wadi_terrain_clip(const wadi_terrain* terrain, wadi_rectangle rectangle)
{
    wadi_rectangle part = rectangle;
    part.x = rectangle_clip_axis(rectangle.x, &part.width, terrain->ground.width);
    part.y = rectangle_clip_axis(rectangle.y, &part.height, terrain->ground.height);
    return part.width > 0 && part.height > 0 ? part : (wadi_rectangle){part.x, part.y, 0, 0};
}

// Common to reading and writing.
static wadi_result rectangle_check(const wadi_terrain* terrain, wadi_layer layer,
                                   wadi_rectangle rectangle, ptrdiff_t stride)
{
    wadi_context* context = terrain->context;
    const wadi_ground* ground = &terrain->ground;
    WADI_CHECK(context, wadi_terrain_layer_name(terrain, layer) != NULL, WADI_ERROR_UNKNOWN,
               "this terrain has no layer %d", layer);
    const wadi_rectangle part = wadi_terrain_clip(terrain, rectangle);
    WADI_CHECK(
        context, part.width > 0 && part.width == rectangle.width && part.height == rectangle.height,
        WADI_ERROR_RANGE,
        "%d x %d cells from column %d, row %d are not all in the grid of %d x %d cells; "
        "wadi_terrain_clip() cuts a rectangle to the grid",
        rectangle.width, rectangle.height, rectangle.x, rectangle.y, ground->width, ground->height);
    WADI_CHECK(context, stride >= rectangle.width, WADI_ERROR_ARGUMENT,
               "rows %td elements apart cannot hold %d cells", stride, rectangle.width);
    return WADI_OK;
}

wadi_result wadi_terrain_read_rectangle(const wadi_terrain* terrain, wadi_layer layer,
                                        wadi_rectangle rectangle, float* out, ptrdiff_t stride)
{
    WADI_TRY(rectangle_check(terrain, layer, rectangle, stride));
    for (int32_t row = 0; row < rectangle.height; ++row)
    {
        const int64_t first = (int64_t)(rectangle.y + row) * terrain->ground.width + rectangle.x;
        wadi_terrain_view_cells(terrain, layer, first, rectangle.width, out + row * stride);
    }
    return WADI_OK;
}

void wadi_terrain_changed_rectangle(wadi_terrain* terrain, wadi_rectangle rectangle)
{
    const int64_t cells = (int64_t)rectangle.width * rectangle.height;
    for (int64_t i = 0; terrain->ground.strata != NULL && i < cells; ++i)
    {
        const int32_t column = rectangle.x + (int32_t)(i % rectangle.width);
        const int32_t row = rectangle.y + (int32_t)(i / rectangle.width);
        wadi_strata_update_hardness(&terrain->ground, wadi_terrain_wrap(terrain, column, row), 1);
    }
    memset(terrain->view_is_fresh, 0, sizeof terrain->view_is_fresh);
    terrain->changes += 1;
}

// ---- writing -----------------------------------------------------------------------------

static wadi_result rectangle_check_height(wadi_terrain* terrain, wadi_layer layer, float value,
                                          int32_t x, int32_t y)
{
    const bool elevation = layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK;
    if (elevation && isnan(value))
    {
        return WADI_OK; // becomes void
    }
    const double low = elevation ? -WADI_HEIGHT_LIMIT : 0.0;
    const double v = (double)value;
    WADI_CHECK(terrain->context, v >= low && v <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
               "%s at column %d, row %d is %g m but must lie in [%g, %g] m",
               wadi_terrain_layer_name(terrain, layer), x, y, v, low, WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

static wadi_result rectangle_check_share(wadi_terrain* terrain, wadi_layer layer, float value,
                                         int32_t x, int32_t y)
{
    WADI_CHECK(terrain->context, value >= 0.0f && value <= 1.0f, WADI_ERROR_RANGE,
               "%s at column %d, row %d is %g but must lie in [0, 1]",
               wadi_terrain_layer_name(terrain, layer), x, y, (double)value);
    return WADI_OK;
}

static int32_t rectangle_round(double value, double scale)
{
    return (int32_t)floor(value * scale + 0.5);
}

wadi_result wadi_terrain_check_column(const wadi_terrain* terrain, wadi_layer layer, int64_t units,
                                      int32_t x, int32_t y)
{
    const wadi_ground* ground = &terrain->ground;
    const int64_t cell = (int64_t)y * ground->width + x;
    int64_t bedrock = layer == WADI_LAYER_BEDROCK ? units : ground->bedrock[cell];
    int64_t cover = layer == WADI_LAYER_WATER ? units : ground->water[cell];
    int64_t loose = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        loose += layer == WADI_LAYER_LOOSE + i ? units : ground->loose[i][cell];
    }
    bedrock = layer == WADI_LAYER_SURFACE ? units - loose : bedrock;
    cover += bedrock + loose;
    const double low = (double)bedrock / WADI_UNITS_PER_METRE;
    const double high = (double)cover / WADI_UNITS_PER_METRE;
    WADI_CHECK(
        terrain->context, low >= -WADI_HEIGHT_LIMIT && high <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
        "%s of %g m at column %d, row %d would put bedrock at %g m and the top of the layers "
        "at %g m; both must lie in [%g, %g] m",
        wadi_terrain_layer_name(terrain, layer), (double)units / WADI_UNITS_PER_METRE, x, y, low,
        high, -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

static wadi_result rectangle_check_cell(wadi_terrain* terrain, wadi_layer layer, float value,
                                        int32_t x, int32_t y)
{
    if (wadi_terrain_shares(terrain, layer) != NULL)
    {
        return rectangle_check_share(terrain, layer, value, x, y);
    }
    WADI_TRY(rectangle_check_height(terrain, layer, value, x, y));
    const int64_t units = isnan(value) ? 0 : rectangle_round((double)value, WADI_UNITS_PER_METRE);
    return isnan(value) ? WADI_OK : wadi_terrain_check_column(terrain, layer, units, x, y);
}

// A value for a void cell is ignored, except an elevation, which makes the cell valid.
static bool rectangle_is_written(const wadi_terrain* terrain, wadi_layer layer, int32_t x,
                                 int32_t y)
{
    return layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK ||
           wadi_terrain_is_valid(terrain, x, y);
}

// All cells are checked before any is written: a failed call changes nothing.
static wadi_result rectangle_check_values(wadi_terrain* terrain, wadi_layer layer,
                                          wadi_rectangle rectangle, const float* values,
                                          ptrdiff_t stride)
{
    for (int32_t row = 0; row < rectangle.height; ++row)
    {
        for (int32_t column = 0; column < rectangle.width; ++column)
        {
            const int32_t x = rectangle.x + column;
            const int32_t y = rectangle.y + row;
            if (rectangle_is_written(terrain, layer, x, y))
            {
                WADI_TRY(rectangle_check_cell(terrain, layer, values[row * stride + column], x, y));
            }
        }
    }
    return WADI_OK;
}

static wadi_result rectangle_check_fill(wadi_terrain* terrain, wadi_layer layer, float value)
{
    for (int32_t y = 0; y < terrain->ground.height; ++y)
    {
        for (int32_t x = 0; x < terrain->ground.width; ++x)
        {
            if (wadi_terrain_is_valid(terrain, x, y))
            {
                WADI_TRY(rectangle_check_cell(terrain, layer, value, x, y));
            }
        }
    }
    return WADI_OK;
}

// Make a cell void; its matter is booked as an edit.
static void rectangle_make_void(wadi_terrain* terrain, int64_t cell)
{
    wadi_ground* ground = &terrain->ground;
    wadi_terrain_book_edit(terrain, WADI_MATERIAL_ROCK, cell, -(wadi_wide)ground->bedrock[cell]);
    wadi_terrain_book_edit(terrain, WADI_MATERIAL_WATER, cell, -(wadi_wide)ground->water[cell]);
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        wadi_terrain_book_edit(terrain, ground->material[i], cell,
                               -(wadi_wide)ground->loose[i][cell]);
        ground->loose[i][cell] = 0;
    }
    ground->bedrock[cell] = 0;
    ground->water[cell] = 0;
    ground->hardness[cell] = 0;
    ground->vegetation[cell] = 0;
    ground->moisture[cell] = 0;
    wadi_void_sides_mark(ground, cell, false);
}

static void rectangle_refresh_all_valid(wadi_terrain* terrain)
{
    terrain->ground.all_valid =
        memchr(terrain->ground.valid, 0, (size_t)terrain->ground.cells) == NULL;
}

static void rectangle_write_elevation(wadi_terrain* terrain, wadi_layer layer, int64_t cell,
                                      float value)
{
    wadi_ground* ground = &terrain->ground;
    if (isnan(value))
    {
        rectangle_make_void(terrain, cell);
        return;
    }
    wadi_void_sides_mark(ground, cell, true);
    int32_t units = rectangle_round((double)value, WADI_UNITS_PER_METRE);
    if (layer == WADI_LAYER_SURFACE)
    {
        units -= wadi_ground_surface(ground, cell) - ground->bedrock[cell];
    }
    wadi_terrain_book_edit(terrain, WADI_MATERIAL_ROCK, cell,
                           (wadi_wide)units - ground->bedrock[cell]);
    ground->bedrock[cell] = units;
}

static void rectangle_write_cell(wadi_terrain* terrain, wadi_layer layer, int64_t cell, float value)
{
    if (layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK)
    {
        rectangle_write_elevation(terrain, layer, cell, value);
        return;
    }
    if (terrain->ground.valid[cell] == 0)
    {
        return;
    }
    uint16_t* shares = wadi_terrain_shares(terrain, layer);
    if (shares != NULL)
    {
        shares[cell] = (uint16_t)rectangle_round((double)value, 65535.0);
        return;
    }
    int32_t* heights = wadi_terrain_heights(terrain, layer);
    const int32_t units = rectangle_round((double)value, WADI_UNITS_PER_METRE);
    wadi_terrain_book_edit(terrain, wadi_terrain_layer_material(terrain, layer), cell,
                           (wadi_wide)units - heights[cell]);
    heights[cell] = units;
}

static int64_t rectangle_count_valid(const wadi_terrain* terrain, wadi_rectangle rectangle)
{
    int64_t count = 0;
    for (int32_t row = rectangle.y; row < rectangle.y + rectangle.height; ++row)
    {
        const uint8_t* valid = terrain->ground.valid + (int64_t)row * terrain->ground.width;
        for (int32_t x = rectangle.x; x < rectangle.x + rectangle.width; ++x)
        {
            count += valid[x];
        }
    }
    return count;
}

wadi_result wadi_terrain_set_rectangle(wadi_terrain* terrain, wadi_layer layer,
                                       wadi_rectangle rectangle, const float* values,
                                       ptrdiff_t stride)
{
    WADI_TRY(rectangle_check(terrain, layer, rectangle, stride));
    WADI_TRY(wadi_strata_check_layer(terrain, layer));
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(rectangle_check_values(terrain, layer, rectangle, values, stride));
    const int64_t before = rectangle_count_valid(terrain, rectangle);
    for (int32_t row = 0; row < rectangle.height; ++row)
    {
        const int64_t first = (int64_t)(rectangle.y + row) * terrain->ground.width + rectangle.x;
        for (int32_t column = 0; column < rectangle.width; ++column)
        {
            rectangle_write_cell(terrain, layer, first + column, values[row * stride + column]);
        }
    }
    // the mask of the whole grid is looked at only if it has changed
    if (rectangle_count_valid(terrain, rectangle) != before)
    {
        rectangle_refresh_all_valid(terrain);
    }
    wadi_terrain_changed_rectangle(terrain, rectangle);
    return WADI_OK;
}

wadi_result wadi_terrain_set_layer(wadi_terrain* terrain, wadi_layer layer, const float* values,
                                   ptrdiff_t stride)
{
    return wadi_terrain_set_rectangle(terrain, layer, rectangle_all(terrain), values, stride);
}

wadi_result wadi_terrain_fill_layer(wadi_terrain* terrain, wadi_layer layer, double value)
{
    WADI_CHECK(terrain->context, wadi_terrain_layer_name(terrain, layer) != NULL,
               WADI_ERROR_UNKNOWN, "this terrain has no layer %d", layer);
    WADI_CHECK(terrain->context, !isnan(value), WADI_ERROR_RANGE,
               "NaN cannot fill a layer; wadi_terrain_set_valid() makes cells void");
    WADI_TRY(wadi_strata_check_layer(terrain, layer));
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(rectangle_check_fill(terrain, layer, (float)value));
    for (int64_t i = 0; i < terrain->ground.cells; ++i)
    {
        if (terrain->ground.valid[i] != 0)
        {
            rectangle_write_cell(terrain, layer, i, (float)value);
        }
    }
    wadi_terrain_changed(terrain);
    return WADI_OK;
}

wadi_result wadi_terrain_set_valid(wadi_terrain* terrain, const uint8_t* valid, ptrdiff_t stride)
{
    wadi_ground* ground = &terrain->ground;
    WADI_CHECK(terrain->context, stride >= ground->width, WADI_ERROR_ARGUMENT,
               "rows %td elements apart cannot hold %d cells", stride, ground->width);
    WADI_TRY(wadi_terrain_check_writable(terrain));
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            if (valid[y * stride + x] != 0)
            {
                wadi_void_sides_mark(ground, cell, true);
            }
            else if (ground->valid[cell] != 0)
            {
                rectangle_make_void(terrain, cell);
            }
        }
    }
    rectangle_refresh_all_valid(terrain);
    wadi_terrain_changed(terrain);
    return WADI_OK;
}
