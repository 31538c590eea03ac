// SPDX-License-Identifier: MIT
#include "laws/slopes/talus_wake.h"

enum
{
    WAKE_ROWS = WADI_TALUS_TILE_ROWS + 2 * TALUS_HALO
};

// True if a value of the columns [begin, end) is not 0.
static bool wake_any(const int32_t* change, int32_t begin, int32_t end)
{
    int32_t any = 0;
    for (int32_t x = begin; x < end; ++x)
    {
        any |= change[x];
    }
    return any != 0;
}

uint8_t wadi_talus_stir_within(const int32_t* change, int32_t width, uint32_t stretches)
{
    uint32_t bits = 0;
    for (int32_t begin = 0; begin < width; begin += TALUS_LANES)
    {
        const int32_t end = begin + TALUS_LANES < width ? begin + TALUS_LANES : width;
        const uint32_t bit = 1u << (begin / TALUS_LANES);
        bits |= (stretches & bit) != 0 && wake_any(change, begin, end) ? bit : 0;
    }
    return (uint8_t)bits;
}

uint8_t wadi_talus_stir_of(const int32_t* change, int32_t width)
{
    return wadi_talus_stir_within(change, width, UINT32_MAX);
}

// Cells of the last tile along an axis.
static int32_t wake_last(int32_t size, int32_t tile)
{
    return (size - 1) % tile + 1;
}

static uint32_t wake_bits(const talus_stir* stir, int32_t column, int32_t row, int32_t y)
{
    return stir->bits[(row * stir->columns + column) * WADI_TALUS_TILE_ROWS + y];
}

// Bits of one row and the two columns beside the tile: bit b + 1 is group b. At closed edges the
// wrap costs a needless look, never a wrong result.
static uint32_t wake_row(const talus_stir* stir, const talus_tile* tile, int32_t row, int32_t y)
{
    const int32_t column = tile->x / WADI_TALUS_TILE_WIDTH;
    const int32_t west = (column + stir->columns - 1) % stir->columns;
    const int32_t east = (column + 1) % stir->columns;
    const int32_t west_width = west == stir->columns - 1
                                   ? wake_last(stir->width, WADI_TALUS_TILE_WIDTH)
                                   : WADI_TALUS_TILE_WIDTH;
    const uint32_t before =
        wake_bits(stir, west, row, y) >> (west_width - TALUS_HALO) / TALUS_LANES;
    const uint32_t behind = wake_bits(stir, east, row, y) & 1u;
    return (before != 0 ? 1u : 0u) | wake_bits(stir, column, row, y) << 1 |
           behind << (tile->width / TALUS_LANES + 1) |
           behind << ((tile->width + 1) / TALUS_LANES + 1);
}

// Row y of the tile or of the two rows beyond either side.
static uint32_t wake_row_at(const talus_stir* stir, const talus_tile* tile, int32_t y)
{
    const int32_t row = tile->y / WADI_TALUS_TILE_ROWS;
    if (y >= tile->height)
    {
        return wake_row(stir, tile, (row + 1) % stir->rows, y - tile->height);
    }
    if (y >= 0)
    {
        return wake_row(stir, tile, row, y);
    }
    const int32_t north = (row + stir->rows - 1) % stir->rows;
    const int32_t height = north == stir->rows - 1 ? wake_last(stir->height, WADI_TALUS_TILE_ROWS)
                                                   : WADI_TALUS_TILE_ROWS;
    return wake_row(stir, tile, north, height + y);
}

// False if the last tile has one row or column: then the halo of its neighbours reaches beyond it.
static bool wake_is_plain(const talus_stir* stir)
{
    return wake_last(stir->width, WADI_TALUS_TILE_WIDTH) >= TALUS_HALO &&
           wake_last(stir->height, WADI_TALUS_TILE_ROWS) >= TALUS_HALO;
}

bool wadi_talus_wake(const talus_stir* stir, const talus_tile* tile,
                     uint32_t awake[WADI_TALUS_TILE_ROWS + 2])
{
    if (!wake_is_plain(stir))
    {
        for (int32_t y = 0; y < WADI_TALUS_TILE_ROWS + 2; ++y)
        {
            awake[y] = TALUS_AWAKE_ALL;
        }
        return true;
    }
    uint32_t rows[WAKE_ROWS];
    for (int32_t y = -TALUS_HALO; y < tile->height + TALUS_HALO; ++y)
    {
        // a vector with its neighbours lies in two groups
        const uint32_t word = wake_row_at(stir, tile, y);
        rows[y + TALUS_HALO] = word | word >> 1;
    }
    uint32_t any = 0;
    for (int32_t y = 0; y < tile->height + 2; ++y)
    {
        awake[y] = rows[y] | rows[y + 1] | rows[y + 2];
        any |= awake[y];
    }
    return any != 0;
}
