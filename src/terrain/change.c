// SPDX-License-Identifier: MIT
// Adds changes to the exact units of a layer. A float view has 24 bits, a height of 4000 m needs
// 28: a layer read as float, edited in one corner and written back would change everywhere.
#include "terrain/change.h"

#include "terrain/terrain.h"

#include <math.h>

double wadi_edit_weight(double depth, double soft)
{
    if (depth <= 0.0)
    {
        return 0.0;
    }
    if (depth >= soft)
    {
        return 1.0;
    }
    const double t = depth / soft;
    return t * t * (3.0 - 2.0 * t);
}

double wadi_edit_change(wadi_edit_verb verb, double now, double amount)
{
    switch (verb)
    {
    case WADI_EDIT_ADD:
        return amount;
    case WADI_EDIT_TAKE:
        return -amount;
    case WADI_EDIT_AT_LEAST:
        return amount > now ? amount - now : 0.0;
    case WADI_EDIT_SET:
    case WADI_EDIT_SMOOTH:
    case WADI_EDIT_VERB_COUNT:
        break;
    }
    return amount - now;
}

static int32_t change_wrap(int32_t at, int32_t extent)
{
    return at < 0 ? at + extent : at >= extent ? at - extent : at;
}

int64_t wadi_terrain_wrap(const wadi_terrain* terrain, int32_t column, int32_t row)
{
    const wadi_ground* ground = &terrain->ground;
    return (int64_t)change_wrap(row, ground->height) * ground->width +
           change_wrap(column, ground->width);
}

double wadi_edit_smooth(const wadi_terrain* terrain, wadi_layer layer, int64_t cell, double share)
{
    const wadi_ground* ground = &terrain->ground;
    const bool wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t column = (int32_t)(cell % ground->width) + k % 3 - 1;
        const int32_t row = (int32_t)(cell / ground->width) + k / 3 - 1;
        const bool inside = (wraps_x || (column >= 0 && column < ground->width)) &&
                            (wraps_y || (row >= 0 && row < ground->height));
        const int64_t near = inside ? wadi_terrain_wrap(terrain, column, row) : 0;
        if (k != 4 && inside && ground->valid[near] != 0)
        {
            sum += wadi_terrain_value(terrain, layer, near);
            count += 1;
        }
    }
    return count > 0 ? share * (sum / count - wadi_terrain_value(terrain, layer, cell)) : 0.0;
}

// ---- the change of one layer -------------------------------------------------------------

// The layer that changes: `heights` or `shares`, the other is NULL.
typedef struct change_target
{
    wadi_terrain* terrain;
    wadi_layer layer; // bedrock for a change of the surface
    const char* name; // of the layer that the caller named
    int32_t* heights;
    uint16_t* shares;
} change_target;

// A new value of one cell [units], not yet clamped: out of range or NaN if the change is.
static double change_wanted(const change_target* target, int64_t cell, double change)
{
    return target->heights != NULL
               ? (double)target->heights[cell] + floor(change * WADI_UNITS_PER_METRE + 0.5)
               : (double)target->shares[cell] + floor(change * 65535.0 + 0.5);
}

// Thicknesses do not go below 0, shares do not leave 0..1.
static double change_clamp(const change_target* target, double wanted)
{
    if (target->layer == WADI_LAYER_BEDROCK)
    {
        return wanted;
    }
    const double high = target->shares != NULL ? 65535.0 : wanted;
    return wanted < 0.0 ? 0.0 : wanted > high ? high : wanted;
}

static wadi_result change_check_cell(const change_target* target, int64_t cell, double change)
{
    const wadi_ground* ground = &target->terrain->ground;
    const double limit = WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    // written so that NaN fails too; a change of a share is small or clamped
    const double wanted = change_wanted(target, cell, change);
    WADI_CHECK(target->terrain->context, wanted >= -limit && wanted <= limit, WADI_ERROR_RANGE,
               "%s at column %d, row %d would become %g m but must stay within %g m of 0",
               target->name, x, y, wanted / WADI_UNITS_PER_METRE, WADI_HEIGHT_LIMIT);
    return target->shares != NULL
               ? WADI_OK
               : wadi_terrain_check_column(target->terrain, target->layer,
                                           (int64_t)change_clamp(target, wanted), x, y);
}

static void change_write_cell(const change_target* target, int64_t cell, double change)
{
    wadi_terrain* terrain = target->terrain;
    const double value = change_clamp(target, change_wanted(target, cell, change));
    if (target->shares != NULL)
    {
        target->shares[cell] = (uint16_t)value;
        return;
    }
    const int32_t units = (int32_t)value;
    wadi_terrain_book_edit(terrain, wadi_terrain_layer_material(terrain, target->layer), cell,
                           (wadi_wide)units - target->heights[cell]);
    target->heights[cell] = units;
}

// Check or write all cells.
static wadi_result change_pass(const change_target* target, wadi_rectangle rectangle,
                               const double* change, bool writes)
{
    const wadi_ground* ground = &target->terrain->ground;
    for (int32_t row = 0; row < rectangle.height; ++row)
    {
        for (int32_t column = 0; column < rectangle.width; ++column)
        {
            const int64_t cell =
                wadi_terrain_wrap(target->terrain, rectangle.x + column, rectangle.y + row);
            const double amount = change[(int64_t)row * rectangle.width + column];
            if (ground->valid[cell] == 0 || amount == 0.0)
            {
                continue;
            }
            if (writes)
            {
                change_write_cell(target, cell, amount);
            }
            else
            {
                WADI_TRY(change_check_cell(target, cell, amount));
            }
        }
    }
    return WADI_OK;
}

wadi_result wadi_terrain_change_rectangle(wadi_terrain* terrain, wadi_layer layer,
                                          wadi_rectangle rectangle, const double* change)
{
    const char* name = wadi_terrain_layer_name(terrain, layer);
    WADI_CHECK(terrain->context, name != NULL, WADI_ERROR_UNKNOWN, "this terrain has no layer %d",
               layer);
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(wadi_strata_check_layer(terrain, layer));
    const wadi_layer changed = layer == WADI_LAYER_SURFACE ? WADI_LAYER_BEDROCK : layer;
    const change_target target = {terrain, changed, name, wadi_terrain_heights(terrain, changed),
                                  wadi_terrain_shares(terrain, changed)};
    WADI_TRY(change_pass(&target, rectangle, change, false));
    (void)change_pass(&target, rectangle, change, true);
    wadi_terrain_changed_rectangle(terrain, rectangle);
    return WADI_OK;
}

wadi_result wadi_terrain_change_layer(wadi_terrain* terrain, wadi_layer layer, const double* change)
{
    const wadi_rectangle all = {0, 0, terrain->ground.width, terrain->ground.height};
    return wadi_terrain_change_rectangle(terrain, layer, all, change);
}
