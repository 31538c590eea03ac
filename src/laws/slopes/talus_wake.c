// SPDX-License-Identifier: MIT
#include "laws/slopes/talus_wake.h"

enum
{
    WAKE_ROWS = WADI_TALUS_TILE_ROWS + 2 * TALUS_HALO
};

bool wadi_talus_stir_any(const int32_t* values, int32_t width)
{
    int32_t any = 0;
    for (int32_t x = 0; x < width; ++x)
    {
        any |= values[x];
    }
    return any != 0;
}

// Cells of the last tile along an axis.
static int32_t wake_last(int32_t size, int32_t tile)
{
    return (size - 1) % tile + 1;
}

// Where the marks of a tile and of those beside it begin.
typedef struct wake_place
{
    const talus_stir* stir;
    ptrdiff_t own;
    ptrdiff_t west;
    ptrdiff_t east;
    int32_t width; // of the tile
    int32_t last;  // group of the western tile with its last columns
} wake_place;

static wake_place wake_place_at(const talus_stir* stir, const talus_tile* tile, int32_t row)
{
    const int32_t column = tile->x / WADI_TALUS_TILE_WIDTH;
    const int32_t west = (column + stir->columns - 1) % stir->columns;
    const int32_t east = (column + 1) % stir->columns;
    const int32_t west_width = west == stir->columns - 1
                                   ? wake_last(stir->width, WADI_TALUS_TILE_WIDTH)
                                   : WADI_TALUS_TILE_WIDTH;
    const ptrdiff_t first = (ptrdiff_t)row * stir->columns;
    return (wake_place){stir,
                        (first + column) * WADI_TALUS_TILE_ROWS,
                        (first + west) * WADI_TALUS_TILE_ROWS,
                        (first + east) * WADI_TALUS_TILE_ROWS,
                        tile->width,
                        (west_width - TALUS_HALO) / TALUS_LANES};
}

// Vectors with a stirred cell, or beside one, of the rows [begin, end) of a row of tiles. At closed
// edges the wrap costs a needless look, never a wrong result.
static void wake_rows(wake_place at, int32_t begin, int32_t end, uint32_t* restrict out)
{
    const uint8_t* restrict any = at.stir->any + at.own;
    const uint8_t* restrict from_west = at.stir->west + at.own;
    const uint8_t* restrict from_east = at.stir->east + at.own;
    const uint8_t* restrict before = at.stir->east + at.west;
    const uint8_t* restrict behind = at.stir->west + at.east;
    const int32_t here = talus_vector_of(at.width - 1);
    const int32_t next = talus_vector_of(at.width);
    for (int32_t y = begin; y < end; ++y)
    {
        const uint32_t first = behind[y] & 1u;
        const uint32_t inside = (uint32_t)any[y] << 1 | from_west[y] | (uint32_t)from_east[y] << 2;
        out[y - begin] =
            inside | (before[y] >> at.last != 0 ? 3u : 0u) | first << here | first << next;
    }
}

// The same for coarse vectors.
static void wake_coarse_rows(wake_place at, int32_t begin, int32_t end, uint32_t* restrict out)
{
    const uint8_t* restrict any = at.stir->any + at.own;
    const uint8_t* restrict before = at.stir->any + at.west;
    const uint8_t* restrict behind = at.stir->any + at.east;
    const int32_t here = talus_vector_of(at.width);
    const int32_t next = talus_vector_of(at.width + 1);
    for (int32_t y = begin; y < end; ++y)
    {
        const uint32_t first = behind[y] & 1u;
        const uint32_t groups = (before[y] >> at.last != 0 ? 1u : 0u) | (uint32_t)any[y] << 1 |
                                first << here | first << next;
        out[y - begin] = groups | groups >> 1; // with its neighbours one lies in two groups
    }
}

// The rows of a tile and the two beyond either side.
static void wake_all_rows(const talus_stir* stir, const talus_tile* tile, bool exact,
                          uint32_t rows[WAKE_ROWS])
{
    const int32_t row = tile->y / WADI_TALUS_TILE_ROWS;
    const int32_t north = (row + stir->rows - 1) % stir->rows;
    const int32_t south = (row + 1) % stir->rows;
    const int32_t height = north == stir->rows - 1 ? wake_last(stir->height, WADI_TALUS_TILE_ROWS)
                                                   : WADI_TALUS_TILE_ROWS;
    void (*fill)(wake_place, int32_t, int32_t, uint32_t*) = exact ? wake_rows : wake_coarse_rows;
    fill(wake_place_at(stir, tile, north), height - TALUS_HALO, height, rows);
    fill(wake_place_at(stir, tile, row), 0, tile->height, rows + TALUS_HALO);
    fill(wake_place_at(stir, tile, south), 0, TALUS_HALO, rows + TALUS_HALO + tile->height);
}

// False if the last tile has one row or column: then the halo of its neighbours reaches beyond it.
static bool wake_is_plain(const talus_stir* stir)
{
    return wake_last(stir->width, WADI_TALUS_TILE_WIDTH) >= TALUS_HALO &&
           wake_last(stir->height, WADI_TALUS_TILE_ROWS) >= TALUS_HALO;
}

static void wake_all(const talus_tile* tile, talus_patch* patch)
{
    for (int32_t y = 0; y < WADI_TALUS_TILE_ROWS + 2; ++y)
    {
        patch->awake[y] = talus_vectors_of(tile);
        patch->coarse[y] = UINT32_MAX;
    }
}

bool wadi_talus_wake(const talus_stir* stir, const talus_tile* tile, bool exact, talus_patch* patch)
{
    if (!wake_is_plain(stir))
    {
        wake_all(tile, patch);
        return true;
    }
    uint32_t rows[WAKE_ROWS];
    wake_all_rows(stir, tile, exact, rows);
    uint32_t any = 0;
    for (int32_t y = 0; y < tile->height + 2; ++y)
    {
        const uint32_t near = rows[y] | rows[y + 1] | rows[y + 2];
        patch->coarse[y] = exact ? 0 : near;
        patch->awake[y] = (exact ? near : near | near << 1) & talus_vectors_of(tile);
        any |= patch->awake[y];
    }
    return any != 0;
}
