// SPDX-License-Identifier: MIT
#include "laws/slopes/talus_plane.h"

#include <string.h>

void wadi_talus_plane_destroy(wadi_context* context, talus_plane* plane)
{
    wadi_free(context, plane->memory);
    wadi_free(context, plane->loaded);
}

wadi_result wadi_talus_plane_create(wadi_context* context, int32_t width, int32_t height,
                                    int64_t tiles, talus_plane* plane)
{
    plane->width = width;
    plane->height = height;
    plane->stride = (width + 2 * TALUS_MARGIN + TALUS_LANES - 1) / TALUS_LANES * TALUS_LANES;
    WADI_ALLOC(context, plane->memory, (height + 2 * TALUS_HALO) * plane->stride,
               "heights of talus");
    WADI_ALLOC(context, plane->loaded, tiles, "tiles of talus");
    return WADI_OK;
}

// ---- reading -----------------------------------------------------------------------------

// Several loose layers: all of them slide, the top one first.
static void plane_read_layers(const talus_plane* plane, const talus_setting* setting, int64_t cell,
                              int32_t* heights, int32_t count)
{
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t loose = talus_loose_of(setting->ground, cell + x);
        const talus_read_row row = {setting->ground->bedrock + cell + x, &loose, 1, plane->base,
                                    heights + x};
        setting->kernels->read(&row);
    }
}

static void plane_read_voids(const wadi_ground* ground, int64_t cell, int32_t* heights,
                             int32_t count)
{
    for (int32_t x = 0; x < count; ++x)
    {
        heights[x] = ground->valid[cell + x] == 0 ? TALUS_WALL : heights[x];
    }
}

void wadi_talus_plane_read(const talus_plane* plane, const talus_setting* setting, int32_t x,
                           int32_t y, int32_t count)
{
    const wadi_ground* ground = setting->ground;
    const int64_t cell = (int64_t)y * ground->width + x;
    int32_t* heights = plane->memory + talus_plane_at(plane, y) + x;
    if (ground->loose_count > 1)
    {
        plane_read_layers(plane, setting, cell, heights, count);
    }
    else
    {
        const talus_read_row row = {ground->bedrock + cell, ground->loose[0] + cell, count,
                                    plane->base, heights};
        setting->kernels->read(&row);
    }
    if (!ground->all_valid)
    {
        plane_read_voids(ground, cell, heights, count);
    }
}

// Add changes to heights; returns false if one of them is or gets so far from the base that it may
// be clamped, or if it is a wall.
static bool plane_add(int32_t* restrict heights, const int32_t* restrict change, int32_t count)
{
    const uint32_t half = (uint32_t)TALUS_WALL / 2;
    uint32_t far = 0;
    for (int32_t x = 0; x < count; ++x)
    {
        const uint32_t before = (uint32_t)heights[x];
        const uint32_t after = before + (uint32_t)change[x];
        heights[x] = (int32_t)after;
        far |= (before + half) | (after + half);
    }
    return far < 2 * half;
}

void wadi_talus_plane_change(const talus_plane* plane, const talus_setting* setting, int32_t x,
                             int32_t y, int32_t count, const int32_t* change)
{
    if (!plane_add(plane->memory + talus_plane_at(plane, y) + x, change, count))
    {
        wadi_talus_plane_read(plane, setting, x, y, count);
    }
}

// ---- beyond the edges --------------------------------------------------------------------

// Height beyond an open edge, extrapolated with the same slope but less than the rock limit, even
// in a corner (0.7 < 1 / sqrt(2)). Otherwise rock at the edge would fail forever, since the slope
// stays the same.
static int32_t plane_beyond(const talus_setting* setting, int32_t last, int32_t before)
{
    if (last == TALUS_WALL || before == TALUS_WALL)
    {
        return last;
    }
    const int64_t most = TALUS_WALL - 1;
    const int64_t drop = (int64_t)(0.7f * setting->scale.rock_hold);
    const int64_t rise = (int64_t)last - before;
    const int64_t height = last + (rise > -drop ? rise : -drop);
    return (int32_t)(height > most ? most : height < -most ? -most : height);
}

// The cell `beyond` cells beyond an edge, from the inside out; `inward` is the offset to the cell
// before it. All but the first one are walls where the edge does not wrap.
static int32_t plane_outside(const talus_setting* setting, const int32_t* at, ptrdiff_t inward,
                             wadi_edge edge, int32_t beyond, bool alone)
{
    if (edge != WADI_EDGE_OPEN || beyond > 1)
    {
        return TALUS_WALL;
    }
    const int32_t last = at[inward];
    return plane_beyond(setting, last, alone ? last : at[2 * inward]);
}

void wadi_talus_plane_extend_rows(const talus_plane* plane, const talus_setting* setting,
                                  int32_t begin, int32_t end)
{
    const int32_t width = plane->width;
    const wadi_edge west = setting->ground->edges[WADI_SIDE_WEST];
    const wadi_edge east = setting->ground->edges[WADI_SIDE_EAST];
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* row = plane->memory + talus_plane_at(plane, y);
        for (int32_t i = 1; i <= TALUS_HALO; ++i)
        {
            row[-i] = west == WADI_EDGE_PERIODIC
                          ? row[talus_wrap(-i, width)]
                          : plane_outside(setting, row - i, 1, west, i, width == 1);
            row[width - 1 + i] =
                east == WADI_EDGE_PERIODIC
                    ? row[talus_wrap(i - 1, width)]
                    : plane_outside(setting, row + width - 1 + i, -1, east, i, width == 1);
        }
    }
}

// Set the row `i` rows beyond an edge.
static void plane_extend(const talus_plane* plane, const talus_setting* setting, wadi_side side,
                         int32_t i)
{
    const bool north = side == WADI_SIDE_NORTH;
    const int32_t height = plane->height;
    const int32_t y = north ? -i : height - 1 + i;
    const ptrdiff_t inward = north ? plane->stride : -plane->stride;
    const wadi_edge edge = setting->ground->edges[side];
    int32_t* row = plane->memory + talus_plane_at(plane, y);
    const int32_t* wrapped = plane->memory + talus_plane_at(plane, talus_wrap(y, height));
    const int32_t count = plane->width + 2 * TALUS_HALO;
    if (edge == WADI_EDGE_PERIODIC)
    {
        memcpy(row - TALUS_HALO, wrapped - TALUS_HALO, (size_t)count * sizeof *row);
        return;
    }
    for (int32_t x = -TALUS_HALO; x < plane->width + TALUS_HALO; ++x)
    {
        row[x] = plane_outside(setting, row + x, inward, edge, i, height == 1);
    }
}

void wadi_talus_plane_extend_columns(const talus_plane* plane, const talus_setting* setting)
{
    for (int32_t i = 1; i <= TALUS_HALO; ++i)
    {
        plane_extend(plane, setting, WADI_SIDE_NORTH, i);
        plane_extend(plane, setting, WADI_SIDE_SOUTH, i);
    }
}
