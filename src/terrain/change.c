// SPDX-License-Identifier: MIT
// Adds changes to the exact units of a layer. A float view has 24 bits, a height of 4000 m needs
// 28: a layer read as float, edited in one corner and written back would change everywhere.
#include "terrain/change.h"

#include "terrain/terrain.h"

#include <math.h>

// New height in units, or a value out of range.
static double change_height(int32_t old, double metres)
{
    return (double)old + floor(metres * WADI_UNITS_PER_METRE + 0.5);
}

static wadi_result change_check(wadi_terrain* terrain, const int32_t* heights, const char* name,
                                const double* change)
{
    const double limit = WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    const wadi_ground* ground = &terrain->ground;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        // written so that NaN fails too
        const double height = heights != NULL ? change_height(heights[i], change[i]) : change[i];
        WADI_CHECK(terrain->context, ground->valid[i] == 0 || (height >= -limit && height <= limit),
                   WADI_ERROR_RANGE,
                   "%s at column %d, row %d would become %g m but must stay within %g m of 0", name,
                   (int32_t)(i % ground->width), (int32_t)(i / ground->width),
                   height / WADI_UNITS_PER_METRE, WADI_HEIGHT_LIMIT);
    }
    return WADI_OK;
}

static void change_heights(wadi_terrain* terrain, int32_t* heights, int32_t material,
                           bool thickness, const double* change)
{
    const wadi_ground* ground = &terrain->ground;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        if (ground->valid[i] != 0)
        {
            const double wanted = change_height(heights[i], change[i]);
            const int32_t height = (int32_t)(thickness && wanted < 0.0 ? 0.0 : wanted);
            terrain->edited[material] += (wadi_wide)height - heights[i];
            heights[i] = height;
        }
    }
}

static void change_shares(wadi_terrain* terrain, uint16_t* shares, const double* change)
{
    for (int64_t i = 0; i < terrain->ground.cells; ++i)
    {
        if (terrain->ground.valid[i] != 0)
        {
            const double wanted = (double)shares[i] + floor(change[i] * 65535.0 + 0.5);
            shares[i] = (uint16_t)(wanted < 0.0 ? 0.0 : wanted > 65535.0 ? 65535.0 : wanted);
        }
    }
}

wadi_result wadi_terrain_change_layer(wadi_terrain* terrain, wadi_layer layer, const double* change)
{
    const char* name = wadi_terrain_layer_name(terrain, layer);
    WADI_CHECK(terrain->context, name != NULL, WADI_ERROR_UNKNOWN, "this terrain has no layer %d",
               layer);
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(wadi_strata_check_layer(terrain, layer));
    const wadi_layer target = layer == WADI_LAYER_SURFACE ? WADI_LAYER_BEDROCK : layer;
    uint16_t* shares = wadi_terrain_shares(terrain, target);
    int32_t* heights = wadi_terrain_heights(terrain, target);
    WADI_TRY(change_check(terrain, heights, name, change));
    if (shares != NULL)
    {
        change_shares(terrain, shares, change);
    }
    else
    {
        change_heights(terrain, heights, wadi_terrain_layer_material(terrain, target),
                       target != WADI_LAYER_BEDROCK, change);
    }
    wadi_terrain_changed(terrain);
    return WADI_OK;
}
