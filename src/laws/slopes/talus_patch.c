// SPDX-License-Identifier: MIT
// Rows of the ground for the kernels. Most of them are read where they are; vectors that reach
// beyond the grid, that hold voids or several layers, or of which a part is asleep, are copied.
#include "laws/slopes/talus_patch.h"

#include <string.h>

// Offset of a cell in the grid; -1: it lies beyond an edge that does not wrap.
static int64_t patch_cell(const wadi_ground* ground, int32_t x, int32_t y)
{
    const bool wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const bool out_x = x < 0 || x >= ground->width;
    const bool out_y = y < 0 || y >= ground->height;
    if ((out_x && !wraps_x) || (out_y && !wraps_y))
    {
        return -1;
    }
    return (int64_t)talus_wrap(y, ground->height) * ground->width + talus_wrap(x, ground->width);
}

// Offset in the grid of the first vector of a row of a tile, which may lie in the row before.
static ptrdiff_t patch_first(const wadi_ground* ground, const talus_tile* tile, int32_t row)
{
    return (ptrdiff_t)(tile->y + row) * ground->width + tile->x - TALUS_LANES;
}

// Vectors of a row that lie in the grid.
static uint32_t patch_inside(const wadi_ground* ground, const talus_tile* tile, int32_t row)
{
    const int32_t y = tile->y + row;
    const uint32_t from_west = tile->x >= TALUS_LANES ? UINT32_MAX : ~1u;
    const int32_t whole = (ground->width - tile->x) / TALUS_LANES + 1;
    const uint32_t to_east = whole < 31 ? (1u << whole) - 1u : UINT32_MAX;
    return y >= 0 && y < ground->height ? from_west & to_east : 0;
}

// Columns of vector v that can slide into the tile.
typedef struct patch_span
{
    int32_t begin;
    int32_t end;
} patch_span;

static patch_span patch_span_of(const talus_tile* tile, int32_t vector)
{
    const int32_t begin = (vector - 1) * TALUS_LANES;
    const int32_t end = begin + TALUS_LANES;
    return (patch_span){begin < -1 ? -1 : begin, end < tile->width + 1 ? end : tile->width + 1};
}

const float* wadi_talus_patch_tangents(talus_patch* patch, const talus_setting* setting,
                                       const talus_tile* tile, int32_t row, uint32_t vectors)
{
    const wadi_ground* ground = setting->ground;
    const float* tangents = setting->law->tangents;
    const uint32_t inside = patch_inside(ground, tile, row);
    const ptrdiff_t first = patch_first(ground, tile, row);
    if ((vectors & ~inside) == 0)
    {
        return tangents + first;
    }
    float* out = patch->tangents + TALUS_MARGIN;
    for (int32_t v = 0; vectors >> v != 0; ++v)
    {
        const patch_span span = patch_span_of(tile, v);
        if ((vectors & inside) >> v & 1u)
        {
            memcpy(out + (v - 1) * TALUS_LANES, tangents + first + v * TALUS_LANES,
                   TALUS_LANES * sizeof *out);
        }
        else if (vectors >> v & 1u)
        {
            for (int32_t c = span.begin; c < span.end; ++c)
            {
                const int64_t cell = patch_cell(ground, tile->x + c, tile->y + row);
                out[c] = cell >= 0 ? tangents[cell] : 1.0f;
            }
        }
    }
    return out - TALUS_LANES;
}

// Vectors of a row of which a part is asleep. Coarse vector g begins at column g x TALUS_LANES - 1.
static uint32_t patch_halves(const talus_patch* patch, int32_t row)
{
    const uint32_t coarse = patch->coarse[row + 1];
    return coarse << 1 ^ coarse;
}

// First and last column of the part of vector v that sleeps, counted in the vector.
static patch_span patch_asleep(const talus_patch* patch, int32_t row, int32_t vector)
{
    const bool last = (patch->coarse[row + 1] >> vector & 1u) != 0;
    return last ? (patch_span){0, TALUS_LANES - 1} : (patch_span){TALUS_LANES - 1, TALUS_LANES};
}

void wadi_talus_patch_level(talus_patch* patch, int32_t row, uint32_t vectors)
{
    const uint32_t halves = vectors & patch_halves(patch, row);
    float* slope = patch->slope + TALUS_MARGIN - TALUS_LANES;
    for (int32_t v = 0; halves >> v != 0; ++v)
    {
        const patch_span asleep = patch_asleep(patch, row, v);
        for (int32_t x = asleep.begin; (halves >> v & 1u) != 0 && x < asleep.end; ++x)
        {
            slope[v * TALUS_LANES + x] = 0.0f;
        }
    }
}

// Loose matter of one vector; none beyond edges, in voids, and in asleep cells.
static void patch_copy_loose(talus_patch* patch, const wadi_ground* ground, const talus_tile* tile,
                             int32_t row, int32_t vector)
{
    const patch_span span = patch_span_of(tile, vector);
    int32_t* row_of = patch->loose + TALUS_MARGIN;
    int32_t* out = row_of + (vector - 1) * TALUS_LANES;
    memset(out, 0, TALUS_LANES * sizeof *out);
    for (int32_t c = span.begin; c < span.end; ++c)
    {
        const int64_t cell = patch_cell(ground, tile->x + c, tile->y + row);
        const bool lies = cell >= 0 && (ground->all_valid || ground->valid[cell] != 0);
        row_of[c] = lies ? talus_loose_of(ground, cell) : 0;
    }
    if ((patch_halves(patch, row) >> vector & 1u) != 0)
    {
        const patch_span asleep = patch_asleep(patch, row, vector);
        memset(out + asleep.begin, 0, (size_t)(asleep.end - asleep.begin) * sizeof *out);
    }
}

const int32_t* wadi_talus_patch_loose(talus_patch* patch, const talus_setting* setting,
                                      const talus_tile* tile, int32_t row, uint32_t vectors)
{
    const wadi_ground* ground = setting->ground;
    const bool plain = ground->loose_count == 1 && ground->all_valid;
    const uint32_t whole = plain ? patch_inside(ground, tile, row) & ~patch_halves(patch, row) : 0;
    const ptrdiff_t first = patch_first(ground, tile, row);
    if ((vectors & ~whole) == 0)
    {
        return ground->loose[0] + first;
    }
    int32_t* out = patch->loose + TALUS_MARGIN - TALUS_LANES;
    for (int32_t v = 0; vectors >> v != 0; ++v)
    {
        if ((vectors & whole) >> v & 1u)
        {
            memcpy(out + v * TALUS_LANES, ground->loose[0] + first + v * TALUS_LANES,
                   TALUS_LANES * sizeof *out);
        }
        else if (vectors >> v & 1u)
        {
            patch_copy_loose(patch, ground, tile, row, v);
        }
    }
    return out;
}
