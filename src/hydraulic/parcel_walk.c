// SPDX-License-Identifier: MIT
// The walk: parcels of water and load go down the routes of one tile, from its highest cell to its
// lowest. Where parcels meet they merge, where the gradient lies between two neighbours they split,
// so each cell is visited once and no random number is drawn: the result is what infinitely many
// parcels with random choices would do on average.
//
// A parcel that enters another tile waits there for the next batch. Within a batch a tile writes
// only its own cells, and crossings are integer additions: the order of tiles cannot matter. The
// relay also bounds the work of a batch by one visit a cell at any size of map.
#include "hydraulic/parcel.h"

#include <string.h>

typedef struct parcel_walk_scratch
{
    int64_t water[PARCEL_TILE_CELLS];    // [weights] gathered so far
    int64_t load[PARCEL_TILE_CELLS];     // [units x cells]
    uint8_t upstream[PARCEL_TILE_CELLS]; // routes into a cell that have not arrived yet
    uint16_t ready[PARCEL_TILE_CELLS];   // stack of cells whose parcels are complete
    wadi_tally tally;
    int64_t water_in;
    int64_t water_out[WADI_SIDE_COUNT];
    int64_t water_lost;
    int64_t moves;
    char pad[64]; // workers must not share a cache line
} parcel_walk_scratch;

typedef struct walk_tile
{
    parcel_level* level;
    parcel_walk_scratch* scratch;
    int32_t x0;
    int32_t y0;
    int32_t width;
    int32_t height;
    int32_t ready;
    bool dry; // water only: the ground is neither read nor written
} walk_tile;

typedef struct walk_job
{
    parcel_level* level;
    bool dry;
} walk_job;

static int64_t walk_cell_index(const walk_tile* tile, int32_t k)
{
    const int32_t x = k % PARCEL_TILE;
    const int32_t y = k / PARCEL_TILE;
    return (int64_t)(tile->y0 + y) * tile->level->width + tile->x0 + x;
}

static int64_t walk_padded_index(const walk_tile* tile, int32_t k)
{
    return parcel_padded_index(tile->level, tile->x0 + k % PARCEL_TILE, tile->y0 + k / PARCEL_TILE);
}

// Local index of a neighbour, or -1 outside of the tile.
static int32_t walk_local(const walk_tile* tile, int32_t k, int32_t direction)
{
    const int32_t x = k % PARCEL_TILE + parcel_dx[direction];
    const int32_t y = k / PARCEL_TILE + parcel_dy[direction];
    const bool inside = x >= 0 && y >= 0 && x < tile->width && y < tile->height;
    return inside ? y * PARCEL_TILE + x : -1;
}

// ---- gathering ---------------------------------------------------------------------------

static void walk_collect(walk_tile* tile, int32_t x, int32_t y)
{
    parcel_level* level = tile->level;
    const int32_t k = y * PARCEL_TILE + x;
    const int64_t cell = walk_cell_index(tile, k);
    _Atomic int64_t* water = &level->water[level->now][cell];
    _Atomic int64_t* load = &level->load[level->now][cell];
    tile->scratch->water[k] += atomic_load_explicit(water, memory_order_relaxed);
    tile->scratch->load[k] += atomic_load_explicit(load, memory_order_relaxed);
    atomic_store_explicit(water, 0, memory_order_relaxed);
    atomic_store_explicit(load, 0, memory_order_relaxed);
}

// Parcels wait on the rim of a tile; elsewhere only where one is held or a lake spills.
static void walk_collect_waiting(walk_tile* tile, uint8_t waits)
{
    const bool everywhere = (waits & 2) != 0;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        const bool rim_row = y == 0 || y == tile->height - 1;
        if (everywhere || rim_row)
        {
            for (int32_t x = 0; x < tile->width; ++x)
            {
                walk_collect(tile, x, y);
            }
        }
        else
        {
            walk_collect(tile, 0, y);
            if (tile->width > 1)
            {
                walk_collect(tile, tile->width - 1, y);
            }
        }
    }
}

static void walk_rain(walk_tile* tile, bool rains)
{
    const parcel_level* level = tile->level;
    parcel_walk_scratch* scratch = tile->scratch;
    int64_t sum = 0;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        const int64_t row = walk_cell_index(tile, y * PARCEL_TILE);
        for (int32_t x = 0; x < tile->width; ++x)
        {
            const int32_t drops = level->rain != NULL ? level->rain[row + x] : PARCEL_WEIGHT;
            const bool falls = rains && level->rim[row + x] != PARCEL_VOID;
            scratch->water[y * PARCEL_TILE + x] = falls ? drops : 0;
            scratch->load[y * PARCEL_TILE + x] = 0;
            sum += falls ? drops : 0;
        }
    }
    scratch->water_in += sum;
}

// Count the routes into each cell; cells without any are ready.
static void walk_order(walk_tile* tile)
{
    parcel_walk_scratch* scratch = tile->scratch;
    memset(scratch->upstream, 0, sizeof scratch->upstream);
    for (int32_t y = 0; y < tile->height; ++y)
    {
        const parcel_route* route = tile->level->route + walk_cell_index(tile, y * PARCEL_TILE);
        for (int32_t x = 0; x < tile->width; ++x)
        {
            const int32_t k = y * PARCEL_TILE + x;
            const int32_t a = route[x] & 15;
            const int32_t b = route[x] >> 4 & 15;
            const int32_t to_a = a < 8 ? walk_local(tile, k, a) : -1;
            const int32_t to_b = b < 8 && b != a ? walk_local(tile, k, b) : -1;
            if (to_a >= 0)
            {
                scratch->upstream[to_a] += 1;
            }
            if (to_b >= 0)
            {
                scratch->upstream[to_b] += 1;
            }
        }
    }
    tile->ready = 0;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        for (int32_t x = 0; x < tile->width; ++x)
        {
            const int32_t k = y * PARCEL_TILE + x;
            if (scratch->upstream[k] == 0)
            {
                scratch->ready[tile->ready++] = (uint16_t)k;
            }
        }
    }
}

// ---- moving ------------------------------------------------------------------------------

// Leave a parcel waiting in a cell for the next batch.
static void walk_leave_waiting(parcel_level* level, int64_t cell, int64_t water, int64_t load,
                               uint8_t kind)
{
    const int next = 1 - level->now;
    atomic_fetch_add_explicit(&level->water[next][cell], water, memory_order_relaxed);
    atomic_fetch_add_explicit(&level->load[next][cell], load, memory_order_relaxed);
    const int32_t tile_x = (int32_t)(cell % level->width) / PARCEL_TILE;
    const int32_t tile_y = (int32_t)(cell / level->width) / PARCEL_TILE;
    atomic_fetch_or_explicit(&level->tile_waits[next][tile_y * level->tiles_x + tile_x], kind,
                             memory_order_relaxed);
}

// Water that leaves a lake goes through the lake's books; its load goes on.
static int64_t walk_pass_sill(parcel_level* level, int64_t from, int64_t to, int64_t water)
{
    if (level->label == NULL || level->label[from] == 0 || level->label[to] == level->label[from])
    {
        return water;
    }
    parcel_lake* lake = &level->lakes[level->label[from] - 1];
    if (lake->exit < 0)
    {
        return water;
    }
    atomic_fetch_add_explicit(&lake->arrived, water, memory_order_relaxed);
    return 0;
}

static void walk_send(walk_tile* tile, int32_t k, int64_t cell, int32_t direction, int64_t water,
                      int64_t load)
{
    parcel_level* level = tile->level;
    parcel_walk_scratch* scratch = tile->scratch;
    const int32_t to = walk_local(tile, k, direction);
    const int64_t target =
        to >= 0 ? cell + parcel_dx[direction] + (int64_t)parcel_dy[direction] * level->width
                : parcel_neighbour(level, tile->x0 + k % PARCEL_TILE, tile->y0 + k / PARCEL_TILE,
                                   direction);
    if (!tile->dry && level->rains)
    {
        water = walk_pass_sill(level, cell, target, water);
    }
    if (to < 0)
    {
        if ((water | load) != 0)
        {
            walk_leave_waiting(level, target, water, load, 1);
        }
        return;
    }
    scratch->water[to] += water;
    scratch->load[to] += load;
    scratch->upstream[to] -= 1;
    if (scratch->upstream[to] == 0)
    {
        scratch->ready[tile->ready++] = (uint16_t)to;
    }
}

// Lay down a share of the load, pick up new load; returns the load that goes on.
static int64_t walk_exchange(walk_tile* tile, int32_t k, int64_t cell, int64_t load)
{
    parcel_level* level = tile->level;
    wadi_tally* tally = &tile->scratch->tally;

    // pick up first: what is laid down in this batch protects the ground in the next
    const int32_t taken =
        level->pick[cell] > 0 ? wadi_ground_take(level->ground, cell, level->pick[cell], tally) : 0;
    const int64_t share = (int64_t)((double)load * (double)level->settle[cell]);
    const int32_t laid = share < level->cap[cell] ? (int32_t)share : level->cap[cell];
    if (laid > 0)
    {
        wadi_ground_put(level->ground, cell, laid, tally);
    }
    level->surface[walk_padded_index(tile, k)] += laid - taken;
    if (level->wear != NULL)
    {
        level->wear[cell] += taken;
        level->deposit[cell] += laid;
    }
    return load - laid + taken;
}

// Without lakes a parcel drops all it carries where it ends, a column of up to a kilometre a batch.
static void walk_drop(walk_tile* tile, int32_t k, int64_t cell, int64_t load)
{
    parcel_level* level = tile->level;
    const int64_t most = (int64_t)1000 * WADI_UNITS_PER_METRE;
    const int32_t part = (int32_t)(load < most ? load : most);
    wadi_ground_put(level->ground, cell, part, &tile->scratch->tally);
    level->surface[walk_padded_index(tile, k)] += part;
    if (load > part)
    {
        walk_leave_waiting(level, cell, 0, load - part, 2);
    }
}

// Parcels without a lower neighbour leave over the rim, end in the sink, or are held.
static void walk_end(walk_tile* tile, int32_t k, int32_t code, int64_t cell, int64_t water,
                     int64_t load)
{
    parcel_level* level = tile->level;
    parcel_walk_scratch* scratch = tile->scratch;
    if (code == PARCEL_OUTLET)
    {
        const int side = level->rim[cell] - 1;
        scratch->water_out[side] += water;
        scratch->tally.out[WADI_MATERIAL_SEDIMENT][side] += load;
    }
    else if (!level->params->lakes)
    {
        scratch->water_lost += water;
        walk_drop(tile, k, cell, load);
    }
    else if (cell == level->sink)
    {
        // the sink's load is poured out over its surroundings after the walk
        scratch->water_lost += water;
        if (load != 0)
        {
            walk_leave_waiting(level, cell, 0, load, 2);
        }
    }
    else if ((water | load) != 0)
    {
        walk_leave_waiting(level, cell, water, load, 2);
    }
}

static void walk_visit(walk_tile* tile, int32_t k)
{
    parcel_level* level = tile->level;
    parcel_walk_scratch* scratch = tile->scratch;
    const int64_t cell = walk_cell_index(tile, k);
    const int64_t water = scratch->water[k];
    const parcel_route route = level->route[cell];
    level->flow[cell] = (float)water;
    const int64_t load = tile->dry ? 0 : walk_exchange(tile, k, cell, scratch->load[k]);
    const int32_t a = route & 15;
    if (a >= 8)
    {
        walk_end(tile, k, a, cell, water, load);
        return;
    }
    const int32_t b = route >> 4 & 15;
    const int64_t share = b != a ? route >> 8 : 0;
    const int64_t water_b = water * share >> 8;
    const int64_t load_b = load * share >> 8;
    walk_send(tile, k, cell, a, water - water_b, load - load_b);
    if (b != a)
    {
        walk_send(tile, k, cell, b, water_b, load_b);
    }
    scratch->moves += (water | load) != 0 ? 1 : 0;
}

static void walk_block(int64_t block, int32_t worker, void* user)
{
    const walk_job* job = user;
    parcel_level* level = job->level;
    const int32_t tile_x = (int32_t)(block % level->tiles_x) * PARCEL_TILE;
    const int32_t tile_y = (int32_t)(block / level->tiles_x) * PARCEL_TILE;
    const uint8_t waits =
        atomic_exchange_explicit(&level->tile_waits[level->now][block], 0, memory_order_relaxed);
    const bool rains = level->rains;
    if (!rains && waits == 0)
    {
        return;
    }
    walk_tile tile = {
        .level = level,
        .scratch = &level->scratch[worker],
        .x0 = tile_x,
        .y0 = tile_y,
        .width = level->width - tile_x < PARCEL_TILE ? level->width - tile_x : PARCEL_TILE,
        .height = level->height - tile_y < PARCEL_TILE ? level->height - tile_y : PARCEL_TILE,
        .dry = job->dry,
    };
    walk_rain(&tile, rains);
    if (waits != 0)
    {
        walk_collect_waiting(&tile, waits);
    }
    walk_order(&tile);
    while (tile.ready > 0)
    {
        walk_visit(&tile, tile.scratch->ready[--tile.ready]);
    }
}

// ---- books -------------------------------------------------------------------------------

static void walk_merge(parcel_level* level, parcel_walk_scratch* scratch)
{
    wadi_tally_add(&level->tally, &scratch->tally);
    level->water_in += scratch->water_in;
    level->water_lost += scratch->water_lost;
    level->moves += (double)scratch->moves;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        level->water_out[side] += scratch->water_out[side];
        scratch->water_out[side] = 0;
    }
    scratch->tally = (wadi_tally){0};
    scratch->water_in = 0;
    scratch->water_lost = 0;
    scratch->moves = 0;
}

void parcel_walk(parcel_level* level, bool dry)
{
    walk_job job = {level, dry};
    const int64_t tiles = (int64_t)level->tiles_x * level->tiles_y;
    wadi_parallel_blocks(level->context, tiles, walk_block, &job);
    for (int32_t worker = 0; worker < wadi_context_workers(level->context); ++worker)
    {
        walk_merge(level, &level->scratch[worker]);
    }
    level->now = 1 - level->now;
}

bool parcel_walk_is_idle(const parcel_level* level)
{
    for (int64_t t = 0; t < (int64_t)level->tiles_x * level->tiles_y; ++t)
    {
        if (atomic_load_explicit(&level->tile_waits[level->now][t], memory_order_relaxed) != 0)
        {
            return false;
        }
    }
    return true;
}

wadi_result parcel_walk_create(parcel_level* level)
{
    const int64_t tiles = (int64_t)level->tiles_x * level->tiles_y;
    WADI_ALLOC(level->context, level->scratch, wadi_context_workers(level->context), "tiles");
    for (int i = 0; i < 2; ++i)
    {
        WADI_ALLOC(level->context, level->water[i], level->cells, "waiting water");
        WADI_ALLOC(level->context, level->load[i], level->cells, "waiting load");
        WADI_ALLOC(level->context, level->tile_waits[i], tiles, "tiles");
    }
    return WADI_OK;
}

void parcel_walk_destroy(parcel_level* level)
{
    wadi_free(level->context, level->scratch);
    for (int i = 0; i < 2; ++i)
    {
        wadi_free(level->context, level->water[i]);
        wadi_free(level->context, level->load[i]);
        wadi_free(level->context, level->tile_waits[i]);
    }
}
