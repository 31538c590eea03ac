// SPDX-License-Identifier: MIT
#include "window/trunks.h"

#include "window/drainage.h"

#include <math.h>
#include <string.h>

// ---- the trunk cells of one tile -----------------------------------------------------------

static bool trunks_is_entered(const drainage_run* run, const tiling_frame* frame, int32_t x,
                              int32_t y)
{
    for (int k = 0; k < 8; ++k)
    {
        if (!tiling_is_inside(frame, x + tiling_east[k], y + tiling_south[k]) &&
            drainage_gives(run->direction[tiling_at(frame, x, y) + frame->step[k]], k))
        {
            return true;
        }
    }
    return false;
}

void wadi_trunks_mark(drainage_run* run, const tiling_frame* frame)
{
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        int32_t x = at.x;
        int32_t y = at.y;
        bool goes_on = trunks_is_entered(run, frame, x, y);
        while (goes_on && tiling_is_inside(frame, x, y))
        {
            uint8_t* donors = &run->donors[tiling_at(frame, x, y)];
            const int8_t k = run->direction[tiling_at(frame, x, y)];
            goes_on = (*donors & DRAINAGE_TRUNK) == 0 && k >= 0;
            *donors |= DRAINAGE_TRUNK;
            x += goes_on ? tiling_east[k] : 0;
            y += goes_on ? tiling_south[k] : 0;
        }
    }
}

static bool trunks_has(const drainage_run* run, ptrdiff_t cell)
{
    return (run->donors[cell] & DRAINAGE_TRUNK) != 0;
}

static wadi_result trunks_allocate(drainage_run* run, trunks_tile* to)
{
    wadi_context* context = run->tiles->context;
    const int64_t count = to->count;
    WADI_ALLOC(context, to->sum, count, "the trunks of tiles");
    WADI_ALLOC(context, to->receiver, count, "the trunks of tiles");
    WADI_ALLOC(context, to->direction, count, "the trunks of tiles");
    WADI_ALLOC(context, to->open, count, "the trunks of tiles");
    int64_t bytes = 14;
    if (run->trunks.ordered)
    {
        WADI_ALLOC(context, to->items, count, "the trunks of tiles");
        WADI_ALLOC(context, to->first, count, "the trunks of tiles");
        bytes += 5;
    }
    if (run->has_power)
    {
        WADI_ALLOC(context, to->ground, count, "the trunks of tiles");
        bytes += 4;
    }
    if (run->has_power && run->job->dx_of_row != NULL)
    {
        WADI_ALLOC(context, to->row, count, "the trunks of tiles");
        bytes += 4;
    }
    run->tiles->work.trunk_cells += count;
    run->tiles->work.trunk_bytes += count * bytes;
    return WADI_OK;
}

// Donors of a trunk cell. `own` gets what is known before the first open donor; without a fixed
// order all that is known. `items` gets those from the first open donor on.
typedef struct trunks_donors
{
    double known;
    double item[8];
    int32_t count; // of items
    uint8_t items;
    uint8_t open;
    bool entered; // some come from another tile
} trunks_donors;

static trunks_donors trunks_look(const drainage_run* run, const tiling_frame* frame, int32_t x,
                                 int32_t y)
{
    const ptrdiff_t cell = tiling_at(frame, x, y);
    trunks_donors d = {.known = drainage_own(run, frame, cell, frame->tile.y + y)};
    for (int k = 0; k < 8; ++k)
    {
        const ptrdiff_t n = cell + frame->step[k];
        if (!drainage_gives(run->direction[n], k))
        {
            continue;
        }
        const bool ghost = !tiling_is_inside(frame, x + tiling_east[k], y + tiling_south[k]);
        const bool open = ghost || trunks_has(run, n);
        d.entered = d.entered || ghost;
        d.open = (uint8_t)(d.open + (open ? 1 : 0));
        if (run->trunks.ordered && d.open > 0)
        {
            d.items = (uint8_t)(d.items | 1u << k);
            d.item[d.count++] = open ? 0.0 : run->sum[n];
        }
        else if (!open)
        {
            d.known += run->sum[n];
        }
    }
    return d;
}

// Number the nodes.
static uint32_t trunks_count(drainage_run* run, const tiling_frame* frame)
{
    uint32_t count = 0;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            uint32_t* number = &run->number[tiling_at(frame, x, y)];
            *number = TRUNKS_NONE;
            if (trunks_has(run, tiling_at(frame, x, y)))
            {
                const trunks_donors d = trunks_look(run, frame, x, y);
                const bool node = run->trunks.all || d.entered || d.open > 1;
                *number = node ? count++ : TRUNKS_BETWEEN;
            }
        }
    }
    return count;
}

// Where a trunk cell drains to: the number of a node, TRUNKS_BETWEEN, TRUNKS_LEAVES or TRUNKS_ENDS.
static uint32_t trunks_receiver(const drainage_run* run, const tiling_frame* frame, int32_t x,
                                int32_t y)
{
    const ptrdiff_t cell = tiling_at(frame, x, y);
    const int8_t k = run->direction[cell];
    if (k < 0)
    {
        return TRUNKS_ENDS;
    }
    return tiling_is_inside(frame, x + tiling_east[k], y + tiling_south[k])
               ? run->number[cell + frame->step[k]]
               : TRUNKS_LEAVES | (uint32_t)wadi_rings_slot(run->grid, &frame->tile, x, y);
}

// Go down from node `i` to the next, and add the cells between to its sum.
static void trunks_follow(const drainage_run* run, const tiling_frame* frame, int32_t x, int32_t y,
                          trunks_tile* to, uint32_t i)
{
    for (;;)
    {
        const int8_t k = run->direction[tiling_at(frame, x, y)];
        to->direction[i] = k;
        to->receiver[i] = trunks_receiver(run, frame, x, y);
        if (to->receiver[i] != TRUNKS_BETWEEN)
        {
            return;
        }
        x += tiling_east[k];
        y += tiling_south[k];
        to->sum[i] += trunks_look(run, frame, x, y).known;
    }
}

// Items of all nodes of a tile.
typedef struct trunks_items
{
    int64_t used;
    int64_t room;
} trunks_items;

static wadi_result trunks_add_items(wadi_context* context, const trunks_donors* d, uint32_t i,
                                    trunks_tile* to, trunks_items* items)
{
    to->items[i] = d->items;
    to->first[i] = (uint32_t)items->used;
    for (int32_t k = 0; k < d->count; ++k)
    {
        WADI_GROW(context, to->item, items->used, items->room, (int64_t)to->count + 8,
                  "the trunks of tiles");
        to->item[items->used++] = d->item[k];
    }
    return WADI_OK;
}

static wadi_result trunks_fill_node(drainage_run* run, const tiling_frame* frame, int32_t x,
                                    int32_t y, trunks_tile* to, trunks_items* items)
{
    const uint32_t i = run->number[tiling_at(frame, x, y)];
    const trunks_donors d = trunks_look(run, frame, x, y);
    to->sum[i] = d.known;
    to->open[i] = d.open;
    trunks_follow(run, frame, x, y, to, i);
    if (to->row != NULL)
    {
        to->row[i] = frame->tile.y + y;
    }
    return run->trunks.ordered ? trunks_add_items(run->tiles->context, &d, i, to, items) : WADI_OK;
}

static wadi_result trunks_fill(drainage_run* run, const tiling_frame* frame, trunks_tile* to)
{
    trunks_items items = {0, 0};
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            if (run->number[tiling_at(frame, x, y)] < TRUNKS_BETWEEN)
            {
                WADI_TRY(trunks_fill_node(run, frame, x, y, to, &items));
            }
        }
    }
    run->tiles->work.trunk_bytes += items.room * (int64_t)sizeof *to->item;
    return WADI_OK;
}

// Heights of the trunk cells, in the bits of their layer.
static wadi_result trunks_ground(drainage_run* run, const tiling_frame* frame, trunks_tile* to)
{
    WADI_TRY(wadi_tiling_read(run->tiles, &run->job->power.ground, frame));
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const uint32_t i = run->number[tiling_at(frame, x, y)];
            if (i < TRUNKS_BETWEEN)
            {
                memcpy(&to->ground[i],
                       (const char*)run->tiles->raw +
                           4 * ((size_t)y * (size_t)frame->tile.width + (size_t)x),
                       4);
            }
        }
    }
    return WADI_OK;
}

wadi_result wadi_trunks_keep(drainage_run* run, const tiling_frame* frame)
{
    trunks_tile* to = &run->trunks.tiles[frame->index];
    to->count = trunks_count(run, frame);
    wadi_rings_save(run->grid, &run->trunks.number, frame, run->number);
    wadi_rings_save(run->grid, &run->trunks.sum, frame, run->sum);
    if (to->count == 0)
    {
        return WADI_OK;
    }
    WADI_TRY(trunks_allocate(run, to));
    WADI_TRY(trunks_fill(run, frame, to));
    return run->has_power ? trunks_ground(run, frame, to) : WADI_OK;
}

// ---- down the trunks ---------------------------------------------------------------------

// A trunk cell: its tile and its number there.
typedef struct trunks_place
{
    int64_t tile;
    uint32_t number; // TRUNKS_NONE: none
} trunks_place;

// The trunk cell into which the border cell at a slot drains.
static trunks_place trunks_across(const drainage_run* run, int64_t tile, int32_t slot,
                                  int direction)
{
    const tiling_frame frame = wadi_tiling_frame(run->grid, tile);
    int32_t x;
    int32_t y;
    wadi_rings_place(run->grid, &frame.tile, slot, &x, &y);
    x += frame.tile.x + tiling_east[direction];
    y += frame.tile.y + tiling_south[direction];
    trunks_place to = {.tile = -1, .number = TRUNKS_NONE};
    if (wadi_tiling_wrap(run->grid, &x, &y))
    {
        to.tile = wadi_tiling_tile_of(run->grid, x, y);
        memcpy(&to.number, wadi_rings_at(run->grid, &run->trunks.number, x, y), sizeof to.number);
    }
    return to;
}

static trunks_place trunks_next(const drainage_run* run, trunks_place at)
{
    const trunks_tile* tile = &run->trunks.tiles[at.tile];
    const uint32_t receiver = tile->receiver[at.number];
    if (receiver == TRUNKS_ENDS)
    {
        return (trunks_place){.tile = -1, .number = TRUNKS_NONE};
    }
    return (receiver & TRUNKS_LEAVES) != 0
               ? trunks_across(run, at.tile, (int32_t)(receiver & ~TRUNKS_LEAVES),
                               tile->direction[at.number])
               : (trunks_place){.tile = at.tile, .number = receiver};
}

// Give a trunk cell the sum of an open donor, which lies against `direction`. True when it has all.
static bool trunks_give(drainage_run* run, trunks_place at, int direction, double sum)
{
    trunks_tile* tile = &run->trunks.tiles[at.tile];
    const uint32_t i = at.number;
    if (run->trunks.ordered)
    {
        const unsigned before = tile->items[i] & ((1u << (direction + 4) % 8) - 1u);
        tile->item[tile->first[i] + (uint32_t)__builtin_popcount(before)] = sum;
    }
    else
    {
        tile->sum[i] += sum;
    }
    tile->open[i] -= 1;
    return tile->open[i] == 0;
}

static double trunks_total(const drainage_run* run, trunks_place at)
{
    trunks_tile* tile = &run->trunks.tiles[at.tile];
    const uint32_t i = at.number;
    const int count = run->trunks.ordered ? __builtin_popcount(tile->items[i]) : 0;
    for (int k = 0; k < count; ++k)
    {
        tile->sum[i] += tile->item[tile->first[i] + (uint32_t)k];
    }
    return tile->sum[i];
}

// Hand a sum down as far as trunk cells become complete.
static void trunks_pour(drainage_run* run, trunks_place at, int direction, double sum)
{
    while (at.number != TRUNKS_NONE && trunks_give(run, at, direction, sum))
    {
        const trunks_tile* tile = &run->trunks.tiles[at.tile];
        const uint32_t receiver = tile->receiver[at.number];
        sum = trunks_total(run, at);
        direction = tile->direction[at.number];
        if (receiver != TRUNKS_ENDS && (receiver & TRUNKS_LEAVES) != 0)
        {
            memcpy(rings_value(run->grid, &run->trunks.sum, at.tile,
                               (int32_t)(receiver & ~TRUNKS_LEAVES)),
                   &sum, sizeof sum);
        }
        at = trunks_next(run, at);
    }
}

// Border cells that are on no trunk and drain to another tile.
static void trunks_pour_tile(drainage_run* run, const tiling_frame* frame)
{
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const int32_t slot = wadi_rings_slot(run->grid, &frame->tile, at.x, at.y);
        const int8_t k =
            *(const int8_t*)rings_value(run->grid, &run->tiles->direction, frame->index, slot);
        uint32_t number;
        memcpy(&number, rings_value(run->grid, &run->trunks.number, frame->index, slot),
               sizeof number);
        if (k >= 0 && number == TRUNKS_NONE &&
            !tiling_is_inside(frame, at.x + tiling_east[k], at.y + tiling_south[k]))
        {
            double sum;
            memcpy(&sum, rings_value(run->grid, &run->trunks.sum, frame->index, slot), sizeof sum);
            trunks_pour(run, trunks_across(run, frame->index, slot, k), k, sum);
        }
    }
}

void wadi_trunks_add(drainage_run* run)
{
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        trunks_pour_tile(run, &frame);
    }
}

// ---- up the trunks -----------------------------------------------------------------------

static double trunks_ground_of(const drainage_run* run, const trunks_tile* tile, uint32_t i)
{
    float metres;
    int32_t units;
    memcpy(&metres, &tile->ground[i], sizeof metres);
    memcpy(&units, &tile->ground[i], sizeof units);
    return run->job->power.ground.type == WADI_TILE_FLOAT32 ? (double)metres
                                                            : run->job->power.unit * (double)units;
}

// z' replaces the sum of a trunk cell.
static void trunks_lower(const drainage_run* run, trunks_place at)
{
    trunks_tile* tile = &run->trunks.tiles[at.tile];
    const uint32_t i = at.number;
    double height = trunks_ground_of(run, tile, i);
    const trunks_place to = trunks_next(run, at);
    if (to.number != TRUNKS_NONE)
    {
        const int32_t row = tile->row != NULL ? tile->row[i] : 0;
        height =
            drainage_lower(height, wadi_drainage_factor(run, tile->sum[i], row, tile->direction[i]),
                           run->trunks.tiles[to.tile].sum[to.number]);
    }
    tile->sum[i] = height;
    tile->open[i] = 1;
}

typedef struct trunks_path
{
    trunks_place* cells;
    int64_t count;
    int64_t room;
} trunks_path;

// Follow a trunk down to a cell that is done, and come back up.
static wadi_result trunks_climb_from(drainage_run* run, trunks_place at, trunks_path* path)
{
    path->count = 0;
    while (at.number != TRUNKS_NONE && run->trunks.tiles[at.tile].open[at.number] == 0)
    {
        WADI_GROW(run->tiles->context, path->cells, path->count, path->room, 1024,
                  "the trunks of tiles");
        path->cells[path->count++] = at;
        at = trunks_next(run, at);
    }
    while (path->count > 0)
    {
        trunks_lower(run, path->cells[--path->count]);
    }
    return WADI_OK;
}

static void trunks_save_heights(drainage_run* run, const tiling_frame* frame)
{
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const int32_t slot = wadi_rings_slot(run->grid, &frame->tile, at.x, at.y);
        uint32_t number;
        memcpy(&number, rings_value(run->grid, &run->trunks.number, frame->index, slot),
               sizeof number);
        if (number != TRUNKS_NONE)
        {
            memcpy(rings_value(run->grid, &run->trunks.height, frame->index, slot),
                   &run->trunks.tiles[frame->index].sum[number], sizeof(double));
        }
    }
}

static wadi_result trunks_climb_all(drainage_run* run, trunks_path* path)
{
    for (int64_t t = 0; t < run->grid->tiles; ++t)
    {
        for (uint32_t i = 0; i < run->trunks.tiles[t].count; ++i)
        {
            WADI_TRY(trunks_climb_from(run, (trunks_place){t, i}, path));
        }
    }
    for (int64_t t = 0; t < run->grid->tiles; ++t)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, t);
        trunks_save_heights(run, &frame);
    }
    return WADI_OK;
}

wadi_result wadi_trunks_climb(drainage_run* run)
{
    trunks_path path = {0};
    const wadi_result result = trunks_climb_all(run, &path);
    wadi_free(run->tiles->context, path.cells);
    return result;
}

// ---- life --------------------------------------------------------------------------------

// True if all sums of cell areas are exact, so that their order does not count: whole multiples of
// a power of two, below 2^53 of them.
static bool trunks_is_exact(const drainage_run* run)
{
    const wadi_tiles_drain_job* job = run->job;
    const double own = job->outlets ? 1.0 : job->dx * job->dy;
    const double cells = (double)run->grid->of.width * run->grid->of.height;
    const double unit = 1.0 / 1024.0;
    return (job->dx_of_row == NULL || job->outlets) && floor(own / unit) * unit == own &&
           own / unit * cells < 9007199254740992.0;
}

wadi_result wadi_trunks_create(drainage_run* run)
{
    run->trunks.ordered = !trunks_is_exact(run);
    run->trunks.all = run->trunks.ordered || run->has_power;
    WADI_ALLOC(run->tiles->context, run->trunks.tiles, run->grid->tiles, "the trunks of tiles");
    WADI_TRY(wadi_rings_create(run->tiles, 4, &run->trunks.number));
    WADI_TRY(wadi_rings_create(run->tiles, 8, &run->trunks.sum));
    return run->has_power ? wadi_rings_create(run->tiles, 8, &run->trunks.height) : WADI_OK;
}

void wadi_trunks_destroy(drainage_run* run)
{
    wadi_context* context = run->tiles->context;
    for (int64_t i = 0; run->trunks.tiles != NULL && i < run->grid->tiles; ++i)
    {
        const trunks_tile* tile = &run->trunks.tiles[i];
        wadi_free(context, tile->sum);
        wadi_free(context, tile->receiver);
        wadi_free(context, tile->ground);
        wadi_free(context, tile->row);
        wadi_free(context, tile->direction);
        wadi_free(context, tile->open);
        wadi_free(context, tile->items);
        wadi_free(context, tile->first);
        wadi_free(context, tile->item);
    }
    wadi_free(context, run->trunks.tiles);
    wadi_rings_destroy(run->tiles, &run->trunks.number);
    wadi_rings_destroy(run->tiles, &run->trunks.sum);
    wadi_rings_destroy(run->tiles, &run->trunks.height);
}
