// SPDX-License-Identifier: MIT
// Cuts a grid at multiples of one constant tile, and finds which owned cells of a window are in the
// halos of others. Over periodic edges the halo wraps around the grid.
#include "terrain/terrain.h"
#include "window/window_internal.h"

// Tiles along an axis; cells that fill no tile belong to the last one.
static int32_t cut_tiles(int32_t cells)
{
    return cells >= WADI_PARTITION_TILE ? cells / WADI_PARTITION_TILE : 1;
}

// First cell of window `i` of `windows`, or the number of cells for i = windows.
static int32_t cut_begin(int32_t cells, int32_t windows, int32_t i)
{
    const int64_t tiles = cut_tiles(cells);
    return i == windows ? cells : (int32_t)(tiles * i / windows) * WADI_PARTITION_TILE;
}

static wadi_result cut_check_axis(wadi_context* context, int32_t cells, int32_t windows,
                                  const char* axis)
{
    WADI_CHECK(context, cells >= 1 && cells <= 65536, WADI_ERROR_RANGE,
               "the grid has %d %s; expected 1 to 65536", cells, axis);
    WADI_CHECK(context, windows >= 1 && windows <= cut_tiles(cells), WADI_ERROR_RANGE,
               "%d windows along %d %s: expected 1 to %d, as each window needs %d of them", windows,
               cells, axis, cut_tiles(cells), WADI_PARTITION_TILE);
    return WADI_OK;
}

wadi_result wadi_window_check(wadi_context* context, const wadi_windows_def* def)
{
    WADI_CHECK(context, def->cookie == wadi_cookie(sizeof *def), WADI_ERROR_PARAMS,
               "the definition of windows was not initialised by wadi_windows_def_default()");
    WADI_TRY(cut_check_axis(context, def->width, def->columns, "columns"));
    WADI_TRY(cut_check_axis(context, def->height, def->rows, "rows"));
    WADI_CHECK(context, def->halo >= WADI_WINDOW_LEAST_HALO && def->halo <= WADI_WINDOW_MOST_HALO,
               WADI_ERROR_RANGE, "a halo of %d cells; expected %d to %d", def->halo,
               WADI_WINDOW_LEAST_HALO, WADI_WINDOW_MOST_HALO);
    return wadi_terrain_check_edges(context, def->edges);
}

// Halo before and behind window i along an axis.
static void cut_halo(const wadi_windows_def* def, int32_t windows, int32_t i, wadi_side before,
                     wadi_side behind, wadi_partition* part)
{
    const bool wraps = windows > 1 && def->edges[before] == WADI_EDGE_PERIODIC;
    part->halo[before] = i > 0 || wraps ? def->halo : 0;
    part->halo[behind] = i + 1 < windows || wraps ? def->halo : 0;
}

wadi_partition wadi_window_part(const wadi_windows_def* def, int32_t index)
{
    const int32_t column = index % def->columns;
    const int32_t row = index / def->columns;
    wadi_partition part = {.width = def->width, .height = def->height, .index = index};
    part.count = def->columns * def->rows;
    part.x = cut_begin(def->width, def->columns, column);
    part.y = cut_begin(def->height, def->rows, row);
    part.owned_width = cut_begin(def->width, def->columns, column + 1) - part.x;
    part.owned_height = cut_begin(def->height, def->rows, row + 1) - part.y;
    cut_halo(def, def->columns, column, WADI_SIDE_WEST, WADI_SIDE_EAST, &part);
    cut_halo(def, def->rows, row, WADI_SIDE_NORTH, WADI_SIDE_SOUTH, &part);
    return part;
}

// ---- links -------------------------------------------------------------------------------------

static int32_t cut_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t cut_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// The cells of `from` in the halo of `to` when the grid of `from` is moved by (dx, dy). False:
// none.
static bool cut_link(const wadi_partition* from, const wadi_partition* to, int32_t dx, int32_t dy,
                     window_link* link)
{
    const int32_t to_x = to->x - to->halo[WADI_SIDE_WEST];
    const int32_t to_y = to->y - to->halo[WADI_SIDE_NORTH];
    const int32_t x = cut_max(to_x, from->x + dx);
    const int32_t y = cut_max(to_y, from->y + dy);
    const int32_t end_x =
        cut_min(to_x + wadi_partition_local_width(to), from->x + dx + from->owned_width);
    const int32_t end_y =
        cut_min(to_y + wadi_partition_local_height(to), from->y + dy + from->owned_height);
    *link = (window_link){.from = from->index,
                          .to = to->index,
                          .from_x = x - dx - from->x + from->halo[WADI_SIDE_WEST],
                          .from_y = y - dy - from->y + from->halo[WADI_SIDE_NORTH],
                          .to_x = x - to_x,
                          .to_y = y - to_y,
                          .width = end_x - x,
                          .height = end_y - y};
    return end_x > x && end_y > y && (from != to || dx != 0 || dy != 0);
}

// Links of one window; with `links` NULL they are only counted.
static int32_t cut_links_of(const window_group* group, const wadi_partition* to, window_link* links)
{
    const wadi_windows_def* def = group->def;
    const int32_t wrap_x = def->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ? 1 : 0;
    const int32_t wrap_y = def->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC ? 1 : 0;
    int32_t count = 0;
    for (int32_t i = 0; i < group->count; ++i)
    {
        for (int32_t turn = 0; turn < 9; ++turn)
        {
            const int32_t across = turn % 3 - 1;
            const int32_t along = turn / 3 - 1;
            window_link link;
            const bool exists =
                (across == 0 || wrap_x != 0) && (along == 0 || wrap_y != 0) &&
                cut_link(&group->parts[i], to, across * def->width, along * def->height, &link);
            if (exists && links != NULL)
            {
                links[count] = link;
            }
            count += exists ? 1 : 0;
        }
    }
    return count;
}

wadi_result wadi_window_find_links(window_group* group)
{
    for (int32_t i = 0; i < group->count; ++i)
    {
        group->link_count += cut_links_of(group, &group->parts[i], NULL);
    }
    WADI_ALLOC(group->context, group->links, group->link_count + 1, "windows");
    WADI_ALLOC(group->context, group->boxes, 2 * (group->link_count + 1), "windows");
    WADI_ALLOC(group->context, group->tables, 2 * group->count, "windows");
    int32_t count = 0;
    for (int32_t i = 0; i < group->count; ++i)
    {
        count += cut_links_of(group, &group->parts[i], group->links + count);
    }
    return WADI_OK;
}
