// SPDX-License-Identifier: MIT
// The sides of void cells around a map that does not fill its grid.
#include "terrain/terrain.h"

#include <string.h>

void wadi_void_sides_free(wadi_terrain* terrain)
{
    wadi_free(terrain->context, terrain->ground.void_sides);
    terrain->ground.void_sides = NULL;
}

wadi_result wadi_void_sides_copy(const wadi_ground* from, wadi_terrain* to)
{
    if (from->void_sides != NULL)
    {
        WADI_ALLOC(to->context, to->ground.void_sides, from->cells, "the sides of void cells");
        memcpy(to->ground.void_sides, from->void_sides, (size_t)from->cells);
    }
    return WADI_OK;
}

void wadi_void_sides_mark(wadi_ground* ground, int64_t cell, bool valid)
{
    const bool differs = (ground->valid[cell] != 0) != valid;
    ground->valid[cell] = valid ? 1 : 0;
    if (ground->void_sides != NULL && differs)
    {
        ground->void_sides[cell] = valid ? 1 : 0;
    }
}

wadi_result wadi_void_sides_split(wadi_terrain* terrain)
{
    wadi_ground* ground = &terrain->ground;
    uint8_t most = 0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        most = ground->valid[cell] > most ? ground->valid[cell] : most;
    }
    if (most < 2)
    {
        return WADI_OK;
    }
    WADI_ALLOC(terrain->context, ground->void_sides, ground->cells, "the sides of void cells");
    memcpy(ground->void_sides, ground->valid, (size_t)ground->cells);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        ground->valid[cell] = ground->valid[cell] == 1 ? 1 : 0;
    }
    return WADI_OK;
}

// The number of void cells beyond a side, or a failure.
static wadi_result sides_check(wadi_terrain* terrain, const uint8_t* sides, ptrdiff_t stride,
                               int64_t* count)
{
    const wadi_ground* ground = &terrain->ground;
    WADI_CHECK(terrain->context, sides == NULL || stride >= ground->width, WADI_ERROR_ARGUMENT,
               "rows %td elements apart cannot hold %d cells", stride, ground->width);
    *count = 0;
    for (int64_t cell = 0; sides != NULL && cell < ground->cells; ++cell)
    {
        const uint8_t side = sides[cell / ground->width * stride + cell % ground->width];
        WADI_CHECK(terrain->context, ground->valid[cell] != 0 || side < WADI_SIDE_COUNT,
                   WADI_ERROR_RANGE,
                   "the side of the void cell (%d, %d) is %d but must lie in [0, 4]",
                   (int)(cell % ground->width), (int)(cell / ground->width), side);
        *count += ground->valid[cell] == 0 && side != WADI_SIDE_VOID ? 1 : 0;
    }
    return WADI_OK;
}

wadi_result wadi_terrain_set_void_sides(wadi_terrain* terrain, const uint8_t* sides,
                                        ptrdiff_t stride)
{
    wadi_ground* ground = &terrain->ground;
    int64_t count = 0;
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(sides_check(terrain, sides, stride, &count));
    if (count == 0)
    {
        wadi_void_sides_free(terrain);
        wadi_terrain_changed(terrain);
        return WADI_OK;
    }
    if (ground->void_sides == NULL)
    {
        WADI_ALLOC(terrain->context, ground->void_sides, ground->cells, "the sides of void cells");
    }
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const uint8_t side = sides[cell / ground->width * stride + cell % ground->width];
        const int hole = side == WADI_SIDE_VOID ? 0 : 2 + side;
        ground->void_sides[cell] = (uint8_t)(ground->valid[cell] != 0 ? 1 : hole);
    }
    wadi_terrain_changed(terrain);
    return WADI_OK;
}

wadi_side wadi_terrain_void_side(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    return wadi_ground_void_side(&terrain->ground, (int64_t)y * terrain->ground.width + x);
}

wadi_result wadi_ground_halve_void_sides(const wadi_ground* fine, wadi_terrain* terrain)
{
    wadi_ground* coarse = &terrain->ground;
    if (fine->void_sides == NULL)
    {
        return WADI_OK;
    }
    WADI_ALLOC(terrain->context, coarse->void_sides, coarse->cells, "the sides of void cells");
    memcpy(coarse->void_sides, coarse->valid, (size_t)coarse->cells);
    for (int64_t cell = 0; cell < fine->cells; ++cell)
    {
        const int64_t above = cell / fine->width / 2 * coarse->width + cell % fine->width / 2;
        if (coarse->valid[above] == 0 && coarse->void_sides[above] < fine->void_sides[cell] &&
            fine->valid[cell] == 0)
        {
            coarse->void_sides[above] = fine->void_sides[cell];
        }
    }
    return WADI_OK;
}
