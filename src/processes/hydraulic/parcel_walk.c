// SPDX-License-Identifier: MIT
// The walk: parcels of water and load follow the routes of one tile, from its highest cell to its
// lowest. Parcels merge in a common cell and split where the gradient points between two
// neighbours. So each cell is visited once, without random numbers; the result is the mean of
// infinitely many parcels with random choices.
//
// A parcel that enters another tile waits there for the next batch. Within a batch a tile writes
// only its own cells, and crossings are integer additions, so the order of tiles does not matter.
// A batch visits each cell at most once at any size of map.
#include "processes/hydraulic/parcel.h"

#include <string.h>

enum
{
    WALK_SIDE = PARCEL_TILE + 2, // a tile with its halo, which collects crossings
    WALK_CELLS = WALK_SIDE * WALK_SIDE,
    WALK_OUTSIDE = 0x80 // upstream count in the halo: never complete
};

typedef struct walk_parcel
{
    int64_t water; // [weights]
    int64_t load;  // [units x cells]
} walk_parcel;

// Data of a cell for one visit, gathered into one cache line.
typedef struct walk_rate
{
    int32_t taken; // [units] to detach in this batch
    int32_t laid;  // [units] most that may be deposited; after the visit, the amount deposited
    float settle;
    parcel_route route;
    bool in_lake; // spares the visit the look-up of labels, which cost a tenth of a walk
} walk_rate;

typedef struct parcel_walk_scratch
{
    walk_rate rate[WALK_CELLS];
    walk_parcel parcel[WALK_CELLS];        // collected so far
    uint8_t upstream[WALK_CELLS];          // donors of a cell whose parcels have not arrived yet
    uint16_t ready[PARCEL_TILE_CELLS + 1]; // stack of cells whose donors are done, and a spare
    wadi_tally tally;
    int64_t water_in;
    int64_t water_out[WADI_SIDE_COUNT];
    int64_t water_lost;
    int64_t moves;
    char pad[64]; // keeps workers on separate cache lines
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
    bool dry;    // water only: the ground is neither read nor written
    bool spills; // water that leaves a lake is first added to the lake's volume
} walk_tile;

typedef struct walk_job
{
    parcel_level* level;
    bool dry;
} walk_job;

static const int32_t walk_step[8] = {1,  WALK_SIDE + 1,  WALK_SIDE,  WALK_SIDE - 1,
                                     -1, -WALK_SIDE - 1, -WALK_SIDE, -WALK_SIDE + 1};

static int32_t walk_local(int32_t x, int32_t y)
{
    return (y + 1) * WALK_SIDE + x + 1;
}

// Index in the grid of a cell of the tile.
static int64_t walk_cell(const walk_tile* tile, int32_t k)
{
    return (int64_t)(tile->y0 + k / WALK_SIDE - 1) * tile->level->width + tile->x0 + k % WALK_SIDE -
           1;
}

static int64_t walk_padded(const walk_tile* tile, int32_t k)
{
    return parcel_padded_index(tile->level, tile->x0 + k % WALK_SIDE - 1,
                               tile->y0 + k / WALK_SIDE - 1);
}

// ---- gathering --------------------------------------------------------------------------

static void walk_collect(walk_tile* tile, int32_t x, int32_t y)
{
    parcel_level* level = tile->level;
    const int32_t k = walk_local(x, y);
    const int64_t cell = walk_cell(tile, k);
    _Atomic int64_t* water = &level->water[level->now][cell];
    _Atomic int64_t* load = &level->load[level->now][cell];
    const int64_t waited = atomic_load_explicit(water, memory_order_relaxed);
    tile->scratch->parcel[k].water += waited;
    if (level->filling != NULL)
    {
        level->filling[cell] += waited;
    }
    tile->scratch->parcel[k].load += atomic_load_explicit(load, memory_order_relaxed);
    atomic_store_explicit(water, 0, memory_order_relaxed);
    atomic_store_explicit(load, 0, memory_order_relaxed);
}

// Parcels wait on the rim of a tile. Elsewhere they wait only where one is held or a lake spills.
static void walk_collect_waiting(walk_tile* tile, uint8_t waits)
{
    const bool everywhere = (waits & 2) != 0;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        const bool whole = everywhere || y == 0 || y == tile->height - 1;
        const int32_t step = whole || tile->width == 1 ? 1 : tile->width - 1;
        for (int32_t x = 0; x < tile->width; x += step)
        {
            walk_collect(tile, x, y);
        }
    }
}

// Empty the halo. A tile at the far edges of the grid is smaller, so its halo lies where the last
// tile of this worker had cells.
static void walk_clear_ring(walk_tile* tile)
{
    walk_parcel* parcel = tile->scratch->parcel;
    const size_t row = (size_t)(tile->width + 2) * sizeof *parcel;
    memset(parcel + walk_local(-1, -1), 0, row);
    memset(parcel + walk_local(-1, tile->height), 0, row);
    for (int32_t y = 0; y < tile->height; ++y)
    {
        parcel[walk_local(-1, y)] = (walk_parcel){0};
        parcel[walk_local(tile->width, y)] = (walk_parcel){0};
    }
}

static void walk_rain(walk_tile* tile, bool rains)
{
    const parcel_level* level = tile->level;
    int64_t sum = 0;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        const int64_t row = walk_cell(tile, walk_local(0, y));
        walk_parcel* parcel = tile->scratch->parcel + walk_local(0, y);
        for (int32_t x = 0; x < tile->width; ++x)
        {
            const int32_t drops = level->rain != NULL ? level->rain[row + x] : PARCEL_WEIGHT;
            const int32_t falls = rains && level->rim[row + x] != PARCEL_VOID ? drops : 0;
            parcel[x] = (walk_parcel){falls, 0};
            sum += falls;
        }
    }
    tile->scratch->water_in += sum;
}

// Gather the rates of a row. Visits access memory at random, rows access it in order: reading and
// writing ten layers at each visit took 46 ns at 1024 x 1024 cells.
static void walk_read_row(walk_tile* tile, int32_t y)
{
    const parcel_level* level = tile->level;
    const int64_t row = walk_cell(tile, walk_local(0, y));
    walk_rate* rate = tile->scratch->rate + walk_local(0, y);
    for (int32_t x = 0; x < tile->width; ++x)
    {
        rate[x] = (walk_rate){level->pick[row + x], level->cap[row + x], level->settle[row + x],
                              level->route[row + x], false};
    }
    for (int32_t x = 0; x < tile->width && tile->spills; ++x)
    {
        rate[x].in_lake = level->label[row + x] != 0;
    }
    for (int32_t x = 0; x < tile->width && level->has_hardness; ++x)
    {
        rate[x].taken = wadi_ground_yield(level->ground, row + x, rate[x].taken);
    }
}

// Write the changes of the ground of a row after the visits.
static void walk_write_row(walk_tile* tile, int32_t y)
{
    parcel_level* level = tile->level;
    const int64_t row = walk_cell(tile, walk_local(0, y));
    const walk_rate* rate = tile->scratch->rate + walk_local(0, y);
    int32_t* surface = level->surface + walk_padded(tile, walk_local(0, y));
    int32_t taken[PARCEL_TILE];
    int32_t laid[PARCEL_TILE];
    for (int32_t x = 0; x < tile->width; ++x)
    {
        taken[x] = rate[x].taken;
        laid[x] = rate[x].laid;
        surface[x] += laid[x] - taken[x];
    }
    wadi_ground_exchange_row(level->ground, row, tile->width, taken, laid, &tile->scratch->tally);
    for (int32_t x = 0; x < tile->width && level->wear != NULL; ++x)
    {
        level->wear[row + x] += taken[x];
        level->deposit[row + x] += laid[x];
    }
}

static void walk_write(walk_tile* tile)
{
    for (int32_t y = 0; y < tile->height; ++y)
    {
        float* flow = tile->level->flow + walk_cell(tile, walk_local(0, y));
        const walk_parcel* parcel = tile->scratch->parcel + walk_local(0, y);
        const float before = tile->level->filling != NULL ? 1.0f : 0.0f;
        for (int32_t x = 0; x < tile->width; ++x)
        {
            flow[x] = before * flow[x] + (float)parcel[x].water;
        }
        if (!tile->dry)
        {
            walk_write_row(tile, y);
        }
    }
}

// Count the donors of each cell; cells without donors are ready.
static void walk_order(walk_tile* tile)
{
    parcel_walk_scratch* scratch = tile->scratch;
    memset(scratch->upstream, WALK_OUTSIDE, sizeof scratch->upstream);
    for (int32_t y = 0; y < tile->height; ++y)
    {
        memset(scratch->upstream + walk_local(0, y), 0, (size_t)tile->width);
    }
    for (int32_t y = 0; y < tile->height; ++y)
    {
        walk_read_row(tile, y);
        const walk_rate* rate = scratch->rate + walk_local(0, y);
        uint8_t* upstream = scratch->upstream + walk_local(0, y);
        for (int32_t x = 0; x < tile->width; ++x)
        {
            const int32_t a = rate[x].route & 15;
            const int32_t b = rate[x].route >> 4 & 15;
            if (a < 8)
            {
                upstream[x + walk_step[a]] += 1;
                if (b != a)
                {
                    upstream[x + walk_step[b]] += 1;
                }
            }
        }
    }
    tile->ready = 0;
    for (int32_t y = 0; y < tile->height; ++y)
    {
        for (int32_t k = walk_local(0, y); k < walk_local(tile->width, y); ++k)
        {
            scratch->ready[tile->ready] = (uint16_t)k;
            tile->ready += scratch->upstream[k] == 0 ? 1 : 0;
        }
    }
}

// ---- moving -----------------------------------------------------------------------------

// Leave a parcel waiting in a cell for the next batch. `kind` is 1 on the rim of a tile, 2
// elsewhere.
static void walk_leave_waiting(parcel_level* level, int64_t cell, walk_parcel parcel, uint8_t kind)
{
    const int next = 1 - level->now;
    atomic_fetch_add_explicit(&level->water[next][cell], parcel.water, memory_order_relaxed);
    atomic_fetch_add_explicit(&level->load[next][cell], parcel.load, memory_order_relaxed);
    const int32_t tile_x = (int32_t)(cell % level->width) / PARCEL_TILE;
    const int32_t tile_y = (int32_t)(cell / level->width) / PARCEL_TILE;
    atomic_fetch_or_explicit(&level->tile_waits[next][tile_y * level->tiles_x + tile_x], kind,
                             memory_order_relaxed);
}

// Water that leaves a lake is added to the lake's volume; its load flows on.
static int64_t walk_pass_sill(const walk_tile* tile, int32_t from, int32_t direction, int64_t water)
{
    parcel_level* level = tile->level;
    const int32_t label = level->label[walk_cell(tile, from)];
    const int64_t to = parcel_neighbour(level, tile->x0 + from % WALK_SIDE - 1,
                                        tile->y0 + from / WALK_SIDE - 1, direction);
    parcel_lake* lake = &level->lakes[label - 1];
    if (level->label[to] == label || lake->exit < 0)
    {
        return water;
    }
    atomic_fetch_add_explicit(&lake->arrived, water, memory_order_relaxed);
    return 0;
}

static void walk_send(walk_tile* tile, int32_t k, int32_t direction, walk_parcel parcel)
{
    parcel_walk_scratch* scratch = tile->scratch;
    const int32_t to = k + walk_step[direction];
    if (scratch->rate[k].in_lake)
    {
        parcel.water = walk_pass_sill(tile, k, direction, parcel.water);
    }
    scratch->parcel[to].water += parcel.water;
    scratch->parcel[to].load += parcel.load;
    scratch->upstream[to] -= 1;
    scratch->ready[tile->ready] = (uint16_t)to;
    tile->ready += scratch->upstream[to] == 0 ? 1 : 0;
}

// Deposit a share of the load, then detach new load; returns the load that flows on.
static int64_t walk_exchange(walk_rate* rate, int64_t load)
{
    const int64_t share = (int64_t)((double)load * (double)rate->settle);
    rate->laid = share < rate->laid ? (int32_t)share : rate->laid;
    return load - rate->laid + rate->taken;
}

// Without lakes a parcel deposits its load where it ends, at most a kilometre per batch.
static void walk_drop(walk_tile* tile, int32_t k, int64_t cell, int64_t load)
{
    parcel_level* level = tile->level;
    const int64_t most = (int64_t)1000 * WADI_UNITS_PER_METRE;
    const int32_t part = (int32_t)(load < most ? load : most);
    wadi_ground_put(level->ground, cell, part, &tile->scratch->tally);
    level->surface[walk_padded(tile, k)] += part;
    if (load > part)
    {
        walk_leave_waiting(level, cell, (walk_parcel){0, load - part}, 2);
    }
}

// Parcels without a lower neighbour leave over the rim, end in the sink, or are held.
static void walk_end(walk_tile* tile, int32_t k, int32_t code, walk_parcel parcel)
{
    parcel_level* level = tile->level;
    parcel_walk_scratch* scratch = tile->scratch;
    const int64_t cell = walk_cell(tile, k);
    if (code == PARCEL_OUTLET)
    {
        const int side = level->rim[cell] - 1;
        scratch->water_out[side] += parcel.water;
        scratch->tally.out[WADI_MATERIAL_SEDIMENT][side] += parcel.load;
        return;
    }
    if (!level->params->lakes)
    {
        scratch->water_lost += parcel.water;
        walk_drop(tile, k, cell, parcel.load);
        return;
    }
    if (cell == level->sink)
    {
        // the load of the sink is deposited around it after the walk
        scratch->water_lost += parcel.water;
        parcel.water = 0;
    }
    if ((parcel.water | parcel.load) != 0)
    {
        walk_leave_waiting(level, cell, parcel, 2);
    }
}

static void walk_visit(walk_tile* tile, int32_t k)
{
    parcel_walk_scratch* scratch = tile->scratch;
    walk_rate* rate = &scratch->rate[k];
    walk_parcel parcel = scratch->parcel[k];
    const parcel_route route = rate->route;
    parcel.load = tile->dry ? 0 : walk_exchange(rate, parcel.load);
    scratch->moves += (parcel.water | parcel.load) != 0 ? 1 : 0;
    const int32_t a = route & 15;
    const int32_t b = route >> 4 & 15;
    if (a >= 8)
    {
        walk_end(tile, k, a, parcel);
        return;
    }
    if (a == b)
    {
        walk_send(tile, k, a, parcel);
        return;
    }
    const int64_t share = route >> 8;
    const walk_parcel part = {parcel.water * share >> 8, parcel.load * share >> 8};
    walk_send(tile, k, a, (walk_parcel){parcel.water - part.water, parcel.load - part.load});
    walk_send(tile, k, b, part);
}

// Pass the parcels in the halo to the neighbouring tiles.
static void walk_flush_cell(walk_tile* tile, int32_t x, int32_t y)
{
    const walk_parcel* parcel = &tile->scratch->parcel[walk_local(x, y)];
    if ((parcel->water | parcel->load) != 0)
    {
        const parcel_level* level = tile->level;
        const int32_t gx = (tile->x0 + x + level->width) % level->width;
        const int32_t gy = (tile->y0 + y + level->height) % level->height;
        walk_leave_waiting(tile->level, (int64_t)gy * level->width + gx, *parcel, 1);
    }
}

static void walk_flush_ring(walk_tile* tile)
{
    for (int32_t x = -1; x <= tile->width; ++x)
    {
        walk_flush_cell(tile, x, -1);
        walk_flush_cell(tile, x, tile->height);
    }
    for (int32_t y = 0; y < tile->height; ++y)
    {
        walk_flush_cell(tile, -1, y);
        walk_flush_cell(tile, tile->width, y);
    }
}

static void walk_block(int64_t block, int32_t worker, void* user)
{
    const walk_job* job = user;
    parcel_level* level = job->level;
    const int32_t x0 = (int32_t)(block % level->tiles_x) * PARCEL_TILE;
    const int32_t y0 = (int32_t)(block / level->tiles_x) * PARCEL_TILE;
    const uint8_t waits =
        atomic_exchange_explicit(&level->tile_waits[level->now][block], 0, memory_order_relaxed);
    if (!level->rains && waits == 0)
    {
        return;
    }
    walk_tile tile = {
        .level = level,
        .scratch = &level->scratch[worker],
        .x0 = x0,
        .y0 = y0,
        .width = level->width - x0 < PARCEL_TILE ? level->width - x0 : PARCEL_TILE,
        .height = level->height - y0 < PARCEL_TILE ? level->height - y0 : PARCEL_TILE,
        .dry = job->dry,
        .spills = level->label != NULL && !job->dry && level->rains,
    };
    walk_clear_ring(&tile);
    walk_rain(&tile, level->rains);
    if (waits != 0)
    {
        walk_collect_waiting(&tile, waits);
    }
    walk_order(&tile);
    while (tile.ready > 0)
    {
        tile.ready -= 1;
        walk_visit(&tile, tile.scratch->ready[tile.ready]);
    }
    walk_flush_ring(&tile);
    walk_write(&tile);
}

// ---- books ------------------------------------------------------------------------------

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

void wadi_parcel_walk(parcel_level* level, bool dry)
{
    walk_job job = {level, dry};
    const int64_t tiles = (int64_t)level->tiles_x * level->tiles_y;
    wadi_parallel_blocks(level->context, tiles, walk_block, &job);
    for (int32_t worker = 0; worker < wadi_context_workers(level->context); ++worker)
    {
        walk_merge(level, &level->scratch[worker]);
    }
    level->now = 1 - level->now;
    if (!dry)
    {
        wadi_parcel_level_refresh_ghosts(level, level->surface);
    }
}

void wadi_parcel_walk_wait(parcel_level* level, int64_t cell, int64_t water, int64_t load)
{
    const int32_t tile_x = (int32_t)(cell % level->width) / PARCEL_TILE;
    const int32_t tile_y = (int32_t)(cell / level->width) / PARCEL_TILE;
    atomic_fetch_add_explicit(&level->water[level->now][cell], water, memory_order_relaxed);
    atomic_fetch_add_explicit(&level->load[level->now][cell], load, memory_order_relaxed);
    atomic_fetch_or_explicit(&level->tile_waits[level->now][tile_y * level->tiles_x + tile_x], 2,
                             memory_order_relaxed);
}

bool wadi_parcel_walk_is_idle(const parcel_level* level)
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

wadi_result wadi_parcel_walk_create(parcel_level* level)
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

void wadi_parcel_walk_destroy(parcel_level* level)
{
    wadi_free(level->context, level->scratch);
    for (int i = 0; i < 2; ++i)
    {
        wadi_free(level->context, level->water[i]);
        wadi_free(level->context, level->load[i]);
        wadi_free(level->context, level->tile_waits[i]);
    }
}
