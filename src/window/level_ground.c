// SPDX-License-Identifier: MIT
// Receivers on level ground over tiles, equal to those of wadi_flow_route(): a search in breadth
// from the cells that drain, in the order of their index in the whole grid.
//
// Two pieces of level ground do not touch, so each can be searched on its own. A piece inside one
// tile is searched there. Pieces that cross tiles are searched together, with one byte for each
// cell of the tiles that they touch.
#include "window/receivers.h"

#include <stdlib.h>
#include <string.h>

// A cell of the search, and the directions in which it may spread.
typedef struct flats_seed
{
    int64_t cell;  // index in the whole grid
    uint32_t at;   // padded cell in its tile
    uint32_t ways; // one bit for each direction
} flats_seed;

typedef struct flats_list
{
    flats_seed* seeds;
    int64_t count;
    int64_t room;
} flats_list;

typedef struct flats_run
{
    receivers_run* route;
    wadi_context* context;
    const tiling_grid* grid;
    int8_t** cross;     // by tile: NULL, or the directions of its cells
    tiling_rings final; // border directions after the search
    flats_list local;   // where the search of one tile begins
    flats_list begin;   // where the search over tiles begins
    flats_list ring[2]; // cells at one distance, and at the next
} flats_run;

static wadi_result flats_add(wadi_context* context, flats_list* list, flats_seed seed)
{
    WADI_GROW(context, list->seeds, list->count, list->room, 256, "level ground");
    list->seeds[list->count++] = seed;
    return WADI_OK;
}

static int flats_compare(const void* a, const void* b)
{
    const flats_seed* one = a;
    const flats_seed* other = b;
    return one->cell < other->cell ? -1 : one->cell > other->cell ? 1 : 0;
}

static void flats_sort(flats_list* list)
{
    if (list->count > 1)
    {
        qsort(list->seeds, (size_t)list->count, sizeof *list->seeds, flats_compare);
    }
}

static bool flats_is_drained(int8_t direction)
{
    return direction >= WADI_FLOW_NOWHERE;
}

// ---- which level ground crosses tiles ------------------------------------------------------

// Mark a cell, and all level cells of the tile that are joined to it.
static void flats_mark(receivers_run* run, const tiling_frame* frame, ptrdiff_t cell)
{
    int64_t count = 0;
    run->direction[cell] = RECEIVERS_CROSS;
    run->queue[count++] = (uint32_t)cell;
    while (count > 0)
    {
        const ptrdiff_t c = (ptrdiff_t)run->queue[--count];
        const int32_t x = (int32_t)(c % frame->stride) - 1;
        const int32_t y = (int32_t)(c / frame->stride) - 1;
        for (int k = 0; k < 8; ++k)
        {
            const ptrdiff_t n = c + frame->step[k];
            if (tiling_is_inside(frame, x + tiling_east[k], y + tiling_south[k]) &&
                run->direction[n] == RECEIVERS_LEVEL)
            {
                run->direction[n] = RECEIVERS_CROSS;
                run->queue[count++] = (uint32_t)n;
            }
        }
    }
}

// A tile that may be its own neighbour across periodic edges is not searched on its own.
static bool flats_meets_itself(const tiling_grid* grid)
{
    return (grid->wraps_x && grid->columns <= 2) || (grid->wraps_y && grid->rows <= 2);
}

static void flats_mark_all(receivers_run* run, const tiling_frame* frame)
{
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            int8_t* direction = &run->direction[tiling_at(frame, x, y)];
            *direction = *direction == RECEIVERS_LEVEL ? (int8_t)RECEIVERS_CROSS : *direction;
        }
    }
}

static void flats_mark_crossing(receivers_run* run, const tiling_frame* frame)
{
    if (flats_meets_itself(run->grid))
    {
        flats_mark_all(run, frame);
        return;
    }
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const ptrdiff_t cell = tiling_at(frame, at.x, at.y);
        for (int k = 0; k < 8 && run->direction[cell] == RECEIVERS_LEVEL; ++k)
        {
            if (!tiling_is_inside(frame, at.x + tiling_east[k], at.y + tiling_south[k]) &&
                run->direction[cell + frame->step[k]] == RECEIVERS_LEVEL)
            {
                flats_mark(run, frame, cell);
            }
        }
    }
}

// ---- where a search begins -----------------------------------------------------------------

// Directions in which a cell that drains has level cells of its own level: of level ground within
// the tile, and of level ground that crosses tiles.
static void flats_ways(const receivers_run* run, const tiling_frame* frame, int32_t x, int32_t y,
                       uint32_t* local, uint32_t* cross)
{
    const ptrdiff_t cell = tiling_at(frame, x, y);
    const bool ghost = !tiling_is_inside(frame, x, y);
    *local = 0;
    *cross = 0;
    for (int k = 0; k < 8; ++k)
    {
        const int32_t nx = x + tiling_east[k];
        const int32_t ny = y + tiling_south[k];
        const bool inside = tiling_is_inside(frame, nx, ny);
        if (nx < -1 || ny < -1 || nx > frame->tile.width || ny > frame->tile.height ||
            (ghost && !inside) || run->level[cell + frame->step[k]] != run->level[cell])
        {
            continue;
        }
        const int8_t there = run->direction[cell + frame->step[k]];
        const uint32_t bit = 1u << k;
        *local |= inside && there == RECEIVERS_LEVEL ? bit : 0;
        *cross |= there == RECEIVERS_CROSS || (!inside && there == RECEIVERS_LEVEL) ? bit : 0;
    }
}

// Add a cell that drains to where the searches begin.
static wadi_result flats_begin_at(flats_run* run, const tiling_frame* frame, int32_t x, int32_t y,
                                  int64_t cell)
{
    uint32_t local;
    uint32_t cross;
    const uint32_t at = (uint32_t)tiling_at(frame, x, y);
    flats_ways(run->route, frame, x, y, &local, &cross);
    if (local != 0)
    {
        WADI_TRY(flats_add(run->context, &run->local, (flats_seed){cell, at, local}));
    }
    return cross != 0 && tiling_is_inside(frame, x, y)
               ? flats_add(run->context, &run->begin, (flats_seed){cell, 0, cross})
               : WADI_OK;
}

static wadi_result flats_begin(flats_run* run, const tiling_frame* frame)
{
    run->local.count = 0;
    for (int32_t y = -1; y <= frame->tile.height; ++y)
    {
        for (int32_t x = -1; x <= frame->tile.width; ++x)
        {
            int32_t gx = frame->tile.x + x;
            int32_t gy = frame->tile.y + y;
            if (flats_is_drained(run->route->direction[tiling_at(frame, x, y)]) &&
                wadi_tiling_wrap(run->grid, &gx, &gy))
            {
                const int64_t cell = (int64_t)gy * run->grid->of.width + gx;
                WADI_TRY(flats_begin_at(run, frame, x, y, cell));
            }
        }
    }
    if (run->grid->wraps_x || run->grid->wraps_y)
    {
        flats_sort(&run->local); // ghost cells come from the other side
    }
    return WADI_OK;
}

// ---- a search within one tile --------------------------------------------------------------

static int64_t flats_spread_local(receivers_run* run, const tiling_frame* frame, ptrdiff_t cell,
                                  uint32_t ways, int first, int64_t end)
{
    for (int k = first; k < 8; k += 2)
    {
        const ptrdiff_t n = (ways >> k & 1u) != 0 ? cell + frame->step[k] : cell;
        if (n != cell && run->direction[n] == RECEIVERS_LEVEL)
        {
            run->direction[n] = (int8_t)((k + 4) % 8);
            run->queue[end++] = (uint32_t)n;
        }
    }
    return end;
}

// Ways from a level cell that stay inside the tile. Its level neighbours have its level.
static uint32_t flats_ways_inside(const tiling_frame* frame, ptrdiff_t cell)
{
    const int32_t x = (int32_t)(cell % frame->stride) - 1;
    const int32_t y = (int32_t)(cell / frame->stride) - 1;
    uint32_t ways = 0;
    for (int k = 0; k < 8; ++k)
    {
        ways |= tiling_is_inside(frame, x + tiling_east[k], y + tiling_south[k]) ? 1u << k : 0;
    }
    return ways;
}

// All cells of one distance spread along the axes before any spreads along a diagonal.
static void flats_search_local(flats_run* run, const tiling_frame* frame)
{
    receivers_run* route = run->route;
    int64_t end = 0;
    for (int first = 0; first < 2; ++first)
    {
        for (int64_t i = 0; i < run->local.count; ++i)
        {
            const flats_seed* seed = &run->local.seeds[i];
            end = flats_spread_local(route, frame, (ptrdiff_t)seed->at, seed->ways, first, end);
        }
    }
    for (int64_t begin = 0; begin < end;)
    {
        const int64_t ring = end;
        for (int first = 0; first < 2; ++first)
        {
            for (int64_t i = begin; i < ring; ++i)
            {
                const ptrdiff_t cell = (ptrdiff_t)route->queue[i];
                end = flats_spread_local(route, frame, cell, flats_ways_inside(frame, cell), first,
                                         end);
            }
        }
        begin = ring;
    }
}

// ---- a search over tiles -------------------------------------------------------------------

// Copy the cells of level ground that crosses tiles, and leave the others without a receiver.
static wadi_result flats_keep(flats_run* run, const tiling_frame* frame)
{
    receivers_run* route = run->route;
    const wadi_tile* tile = &frame->tile;
    int8_t* cross = NULL;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        for (int32_t x = 0; x < tile->width; ++x)
        {
            int8_t* direction = &route->direction[tiling_at(frame, x, y)];
            if (*direction == RECEIVERS_CROSS && cross == NULL)
            {
                WADI_ALLOC(run->context, cross, (int64_t)tile->width * tile->height,
                           "level ground");
                run->cross[frame->index] = cross;
            }
            if (*direction == RECEIVERS_CROSS)
            {
                cross[(int64_t)y * tile->width + x] = RECEIVERS_CROSS;
            }
            *direction = *direction < WADI_FLOW_VOID ? (int8_t)WADI_FLOW_NOWHERE : *direction;
        }
    }
    return WADI_OK;
}

// The direction of a cell of level ground that crosses tiles; NULL for other cells.
static int8_t* flats_cell(const flats_run* run, int32_t x, int32_t y)
{
    const int64_t index = wadi_tiling_tile_of(run->grid, x, y);
    const tiling_frame frame = wadi_tiling_frame(run->grid, index);
    int8_t* cross = run->cross[index];
    return cross != NULL
               ? cross + (int64_t)(y - frame.tile.y) * frame.tile.width + (x - frame.tile.x)
               : NULL;
}

static wadi_result flats_spread(flats_run* run, const flats_seed* seed, int first, flats_list* next)
{
    for (int k = first; k < 8; k += 2)
    {
        int32_t x = (int32_t)(seed->cell % run->grid->of.width) + tiling_east[k];
        int32_t y = (int32_t)(seed->cell / run->grid->of.width) + tiling_south[k];
        if ((seed->ways >> k & 1u) == 0 || !wadi_tiling_wrap(run->grid, &x, &y))
        {
            continue;
        }
        int8_t* direction = flats_cell(run, x, y);
        if (direction != NULL && *direction == RECEIVERS_CROSS)
        {
            *direction = (int8_t)((k + 4) % 8 + 1); // 0 marks cells of other ground
            WADI_TRY(flats_add(run->context, next,
                               (flats_seed){(int64_t)y * run->grid->of.width + x, 0, 0xffu}));
        }
    }
    return WADI_OK;
}

static wadi_result flats_search(flats_run* run)
{
    flats_sort(&run->begin);
    const flats_list* now = &run->begin;
    for (int turn = 0; now->count > 0; turn ^= 1)
    {
        flats_list* next = &run->ring[turn];
        next->count = 0;
        for (int first = 0; first < 2; ++first)
        {
            for (int64_t i = 0; i < now->count; ++i)
            {
                WADI_TRY(flats_spread(run, &now->seeds[i], first, next));
            }
        }
        now = next;
    }
    return WADI_OK;
}

static wadi_result flats_patch(flats_run* run, const tiling_frame* frame)
{
    receivers_run* route = run->route;
    const int8_t* cross = run->cross[frame->index];
    WADI_TRY(wadi_receivers_fetch(route, frame));
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const int8_t found = cross[(int64_t)y * frame->tile.width + x];
            if (found > 0)
            {
                route->direction[tiling_at(frame, x, y)] = (int8_t)(found - 1);
            }
        }
    }
    wadi_rings_save(run->grid, &run->final, frame, route->direction);
    return wadi_receivers_store(route, frame);
}

// ---- all ---------------------------------------------------------------------------------

// True if a tile or one beside it has level cells.
static bool flats_concern(const flats_run* run, const tiling_frame* frame)
{
    const wadi_tile* tile = &frame->tile;
    const int32_t xs[3] = {tile->x - 1, tile->x, tile->x + tile->width};
    const int32_t ys[3] = {tile->y - 1, tile->y, tile->y + tile->height};
    for (int i = 0; i < 9; ++i)
    {
        int32_t x = xs[i % 3];
        int32_t y = ys[i / 3];
        if (wadi_tiling_wrap(run->grid, &x, &y) &&
            run->route->has_level[wadi_tiling_tile_of(run->grid, x, y)] != 0)
        {
            return true;
        }
    }
    return false;
}

static wadi_result flats_tile(flats_run* run, const tiling_frame* frame)
{
    const int8_t beyond = WADI_FLOW_VOID;
    receivers_run* route = run->route;
    WADI_TRY(wadi_receivers_load(route, frame));
    WADI_TRY(wadi_receivers_fetch(route, frame));
    wadi_rings_load(run->grid, &route->tiles->direction, frame, &beyond, &beyond, route->direction);
    flats_mark_crossing(route, frame);
    WADI_TRY(flats_begin(run, frame));
    flats_search_local(run, frame);
    WADI_TRY(flats_keep(run, frame));
    wadi_rings_save(run->grid, &run->final, frame, route->direction);
    return wadi_receivers_store(route, frame);
}

static wadi_result flats_all(flats_run* run)
{
    tiling_rings* first = &run->route->tiles->direction;
    WADI_ALLOC(run->context, run->cross, run->grid->tiles, "level ground");
    WADI_TRY(wadi_rings_create(run->route->tiles, 1, &run->final));
    memcpy(run->final.values, first->values,
           (size_t)run->grid->tiles * 4 * (size_t)run->grid->side);
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        if (flats_concern(run, &frame))
        {
            WADI_TRY(flats_tile(run, &frame));
        }
        WADI_CHECK(run->context,
                   wadi_progress(run->context, (double)(i + 1) / (double)run->grid->tiles,
                                 "draining level ground"),
                   WADI_ERROR_CANCELLED, "the search for receivers was stopped");
    }
    WADI_TRY(flats_search(run));
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        if (run->cross[i] != NULL)
        {
            WADI_TRY(flats_patch(run, &frame));
        }
    }
    memcpy(first->values, run->final.values,
           (size_t)run->grid->tiles * 4 * (size_t)run->grid->side);
    return WADI_OK;
}

wadi_result wadi_receivers_cross_flats(receivers_run* route)
{
    flats_run run = {.route = route, .context = route->tiles->context, .grid = &route->tiles->grid};
    const wadi_result result = flats_all(&run);
    for (int64_t i = 0; run.cross != NULL && i < run.grid->tiles; ++i)
    {
        wadi_free(run.context, run.cross[i]);
    }
    wadi_free(run.context, run.cross);
    wadi_rings_destroy(route->tiles, &run.final);
    wadi_free(run.context, run.local.seeds);
    wadi_free(run.context, run.begin.seeds);
    wadi_free(run.context, run.ring[0].seeds);
    wadi_free(run.context, run.ring[1].seeds);
    return result;
}
