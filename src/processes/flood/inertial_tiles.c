// SPDX-License-Identifier: MIT
// The tiles of inertial shallow water that are computed: those with motion and their neighbours.
#include "processes/flood/inertial.h"

#include <string.h>

ptrdiff_t wadi_inertial_first(const inertial* w, int32_t tile)
{
    return (INERTIAL_RING - 1 + (ptrdiff_t)(tile / w->columns) * INERTIAL_TILE_HEIGHT) *
               w->planes.stride +
           INERTIAL_MARGIN + (ptrdiff_t)(tile % w->columns) * INERTIAL_TILE_WIDTH;
}

int32_t wadi_inertial_tile_of(const inertial* w, ptrdiff_t at)
{
    const ptrdiff_t row = at / w->planes.stride - (INERTIAL_RING - 1);
    const ptrdiff_t column = at % w->planes.stride - INERTIAL_MARGIN;
    return (int32_t)(row / INERTIAL_TILE_HEIGHT * w->columns + column / INERTIAL_TILE_WIDTH);
}

// A tile loses its motion: its planes hold what neighbours may read.
static void tiles_put_to_rest(const inertial* w, int32_t tile)
{
    const inertial_planes* p = &w->planes;
    float* const planes[] = {p->qx, p->qy, p->nx,         p->ny,
                             p->ux, p->uy, (float*)p->fx, (float*)p->fy};
    const ptrdiff_t first = wadi_inertial_first(w, tile);
    for (int32_t k = 0; k < WADI_COUNT(planes); ++k)
    {
        for (int32_t row = 0; row < INERTIAL_TILE_HEIGHT; ++row)
        {
            memset(&planes[k][first + row * p->stride], 0, INERTIAL_TILE_WIDTH * sizeof(float));
        }
    }
}

static bool tiles_move(const inertial* w, int32_t column, int32_t row)
{
    if (column < 0 || column >= w->columns || row < 0 || row >= w->rows)
    {
        return false;
    }
    const int32_t tile = row * w->columns + column;
    return w->fresh[tile] != 0 || w->fastest[tile] > 0.0f;
}

static bool tiles_are_near_motion(const inertial* w, int32_t column, int32_t row)
{
    for (int32_t k = 0; k < 9; ++k)
    {
        if (tiles_move(w, column + k % 3 - 1, row + k / 3 - 1))
        {
            return true;
        }
    }
    return false;
}

// Tiles at the ends of a periodic axis are active together. The last but one counts as the last,
// because the last may hold the margin alone.
static void tiles_wrap(const inertial* w)
{
    for (int32_t row = 0; w->wraps_x && row < w->rows; ++row)
    {
        uint8_t* line = &w->active[row * w->columns];
        const int32_t last = w->columns - 1;
        const int32_t inner = last > 0 ? last - 1 : 0;
        const uint8_t any = (line[0] | line[last] | line[inner]) & 1;
        line[0] |= any;
        line[last] |= any;
        line[inner] |= any;
    }
    for (int32_t column = 0; w->wraps_y && column < w->columns; ++column)
    {
        const int32_t last = w->rows - 1;
        uint8_t* top = &w->active[column];
        uint8_t* end = &w->active[last * w->columns + column];
        uint8_t* inner = &w->active[(last > 0 ? last - 1 : 0) * w->columns + column];
        const uint8_t any = (*top | *end | *inner) & 1;
        *top |= any;
        *end |= any;
        *inner |= any;
    }
}

void wadi_inertial_list_tiles(inertial* w)
{
    w->count = 0;
    for (int32_t tile = 0; tile < w->columns * w->rows; ++tile)
    {
        if (w->active[tile] == 0)
        {
            w->fastest[tile] = 0.0f;
            continue;
        }
        const int32_t last = w->count - 1;
        const bool joins = last >= 0 && w->lengths[last] < INERTIAL_RUN &&
                           w->list[last] + w->lengths[last] == tile && tile % w->columns != 0 &&
                           w->level[w->list[last]] == w->level[tile];
        w->list[joins ? last : w->count] = joins ? w->list[last] : tile;
        w->lengths[joins ? last : w->count] = joins ? w->lengths[last] + 1 : 1;
        w->count += joins ? 0 : 1;
    }
}

void wadi_inertial_choose_tiles(inertial* w, bool rains)
{
    const int32_t tiles = w->columns * w->rows;
    for (int32_t tile = 0; tile < tiles; ++tile)
    {
        const bool near = tiles_are_near_motion(w, tile % w->columns, tile / w->columns);
        w->active[tile] = (uint8_t)((w->active[tile] != 0 ? 2 : 0) | (near || rains ? 1 : 0));
    }
    tiles_wrap(w);
    for (int32_t tile = 0; tile < tiles; ++tile)
    {
        if (w->active[tile] == 2)
        {
            tiles_put_to_rest(w, tile);
        }
        w->active[tile] &= 1;
    }
    memset(w->fresh, 0, (size_t)tiles);
    wadi_inertial_list_tiles(w);
}
