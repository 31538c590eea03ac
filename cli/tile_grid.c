// SPDX-License-Identifier: MIT
#include "cli/tile_grid.h"

static int32_t grid_cells(const cli_tiling* tiling, int axis)
{
    return axis == 0 ? tiling->world.width : tiling->world.height;
}

static bool grid_wraps(const cli_tiling* tiling, int axis)
{
    return tiling->world.edges[axis == 0 ? WADI_SIDE_WEST : WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
}

int32_t cli_tiling_count(const cli_tiling* tiling, int axis)
{
    const int32_t count = grid_cells(tiling, axis) / tiling->size;
    return count > 1 ? count : 1;
}

cli_status cli_tiling_check(const cli_tiling* tiling)
{
    if (tiling->blend > tiling->halo || 2 * tiling->blend > tiling->size)
    {
        return cli_fail(CLI_USAGE,
                        "--blend %d: expected at most the halo, %d cells, and half of a tile, %d",
                        tiling->blend, tiling->halo, tiling->size / 2);
    }
    if (tiling->overlap > tiling->halo || tiling->overlap + tiling->blend > tiling->size)
    {
        return cli_fail(CLI_USAGE,
                        "--overlap %d: expected at most the halo, %d cells, and a tile less its "
                        "blend, %d",
                        tiling->overlap, tiling->halo, tiling->size - tiling->blend);
    }
    return CLI_DONE;
}

// First cell of a tile along an axis, which may lie around a periodic edge.
static int32_t grid_begin(const cli_tiling* tiling, int axis, int32_t tile)
{
    const int32_t count = cli_tiling_count(tiling, axis);
    const int32_t cells = grid_cells(tiling, axis);
    return tile < 0       ? (tile + count) * tiling->size - cells
           : tile < count ? tile * tiling->size
                          : cells + (tile - count) * tiling->size;
}

cli_tile_box cli_tiling_tile(const cli_tiling* tiling, int32_t x, int32_t y)
{
    const int32_t at[2] = {x, y};
    cli_tile_box box;
    for (int axis = 0; axis < 2; ++axis)
    {
        const int32_t cells = grid_cells(tiling, axis);
        const int32_t end = grid_begin(tiling, axis, at[axis] + 1) + tiling->overlap;
        box.begin[axis] = grid_begin(tiling, axis, at[axis]);
        box.end[axis] = end < cells || grid_wraps(tiling, axis) ? end : cells;
    }
    return box;
}

bool cli_tiling_needs(const cli_tiling* tiling, int32_t x, int32_t y, const int32_t step[2])
{
    const int32_t at[2] = {x, y};
    bool needed = true;
    for (int axis = 0; axis < 2; ++axis)
    {
        const int32_t count = cli_tiling_count(tiling, axis);
        const int32_t tile = at[axis] + step[axis];
        const bool exists = (tile >= 0 && tile < count) || (grid_wraps(tiling, axis) && count > 1);
        // what a tile repeats of the next one is that one's
        const bool wanted = tiling->blend > 0 || (tiling->overlap > 0 && step[axis] > 0);
        needed = needed && (step[axis] == 0 || (exists && wanted));
    }
    return needed;
}

wadi_result cli_tiling_block(wadi_context* context, const cli_tiling* tiling, int32_t x, int32_t y,
                             wadi_partition* out)
{
    const int32_t at[2] = {x, y};
    int32_t begin[2];
    int32_t count[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        begin[axis] = grid_begin(tiling, axis, at[axis]) - tiling->halo;
        count[axis] = grid_begin(tiling, axis, at[axis] + 1) + tiling->halo - begin[axis];
    }
    return wadi_windows_alone(context, &tiling->world, begin[0], begin[1], count[0], count[1], out);
}

// Share of what lies behind a border, 0 to 1, with level ends.
static double grid_rise(const cli_tiling* tiling, int32_t border, int32_t cell)
{
    const double far = tiling->blend > 0 ? (cell + 0.5 - border) / (2.0 * tiling->blend) + 0.5
                       : cell >= border  ? 1.0
                                         : 0.0;
    const double t = far < 0.0 ? 0.0 : far > 1.0 ? 1.0 : far;
    return t * t * (3.0 - 2.0 * t);
}

double cli_tiling_weight(const cli_tiling* tiling, int axis, int32_t tile, int32_t cell)
{
    const int32_t count = cli_tiling_count(tiling, axis);
    const bool around = grid_wraps(tiling, axis) && count > 1;
    const double west =
        tile > 0 || around ? grid_rise(tiling, grid_begin(tiling, axis, tile), cell) : 1.0;
    const double east = tile + 1 < count || around
                            ? grid_rise(tiling, grid_begin(tiling, axis, tile + 1), cell)
                            : 0.0;
    return west * (1.0 - east);
}
