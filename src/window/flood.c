// SPDX-License-Identifier: MIT
// Priority flood with a tilt over tiles.
//
// R(c) = max(h(c), min over neighbours n of R(n) + rise) is the least level over all ways out, so
// any order of work that only lowers R ends at the same R. A tile is flooded from its outlets and
// from the levels beside it. It goes on from its last levels: only cells whose level falls are
// visited again. The tile beside which the lowest level fell comes first; on noise a cell is then
// visited 1.0 to 1.1 times.
//
// The spill graph of Barnes (2016) needs no repeated work, but is exact without a tilt only: with
// one, the way between two border cells of a tile has no single length.
#include "laws/flow/flow_candidates.h"
#include "window/tiling.h"

#include <string.h>

enum
{
    FLOOD_RISE_MOST = 65536
};

typedef struct flood_tiles
{
    wadi_tiles* tiles;
    const tiling_grid* grid;
    const wadi_tiles_flood_job* job;
    uint32_t rise[2];    // along an axis, along a diagonal
    tiling_rings height; // keys
    uint32_t* wake;      // by tile: the lowest level that fell beside it; TILING_FAR: asleep
    bool* begun;         // by tile: it has levels
    bool any_outlet;     // some cell is beside a void or an open border
    uint32_t lowest_key; // of all cells
    int32_t lowest_x;
    int32_t lowest_y;
    uint32_t* ground;      // padded keys of one tile
    uint32_t* level;       // padded
    unsigned char* before; // border levels of one tile before its flood
    flood_candidates candidates;
} flood_tiles;

// ---- the first pass: borders of tiles, and which have outlets ------------------------------

static bool flood_touches_open(const flood_tiles* run, const wadi_tile* tile)
{
    const wadi_edge* edges = run->grid->of.edges;
    return (tile->x == 0 && edges[WADI_SIDE_WEST] == WADI_EDGE_OPEN) ||
           (tile->y == 0 && edges[WADI_SIDE_NORTH] == WADI_EDGE_OPEN) ||
           (tile->x + tile->width == run->grid->of.width &&
            edges[WADI_SIDE_EAST] == WADI_EDGE_OPEN) ||
           (tile->y + tile->height == run->grid->of.height &&
            edges[WADI_SIDE_SOUTH] == WADI_EDGE_OPEN);
}

static void flood_wake(flood_tiles* run, int64_t tile, uint32_t level)
{
    run->wake[tile] = level < run->wake[tile] ? level : run->wake[tile];
}

// Wake a tile that may have outlets, and those around it if it has voids.
static void flood_wake_around(flood_tiles* run, const tiling_frame* frame, bool has_void,
                              uint32_t level)
{
    for (int32_t dy = -1; dy <= 1; ++dy)
    {
        for (int32_t dx = -1; dx <= 1; ++dx)
        {
            int32_t x = dx < 0   ? frame->tile.x - 1
                        : dx > 0 ? frame->tile.x + frame->tile.width
                                 : frame->tile.x;
            int32_t y = dy < 0   ? frame->tile.y - 1
                        : dy > 0 ? frame->tile.y + frame->tile.height
                                 : frame->tile.y;
            if ((has_void || (dx == 0 && dy == 0)) && wadi_tiling_wrap(run->grid, &x, &y))
            {
                flood_wake(run, wadi_tiling_tile_of(run->grid, x, y), level);
            }
        }
    }
}

// The first of the lowest cells, in the order of the whole grid.
static void flood_keep_lowest(flood_tiles* run, uint32_t key, int32_t x, int32_t y)
{
    const bool earlier = y < run->lowest_y || (y == run->lowest_y && x < run->lowest_x);
    if (key < run->lowest_key || earlier)
    {
        run->lowest_key = key;
        run->lowest_x = x;
        run->lowest_y = y;
    }
}

static void flood_scan(flood_tiles* run, const tiling_frame* frame)
{
    uint32_t least = TILING_FAR;
    bool has_void = false;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        const uint32_t* row = run->ground + tiling_at(frame, 0, y);
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            has_void = has_void || row[x] == TILING_VOID;
            least = row[x] < least ? row[x] : least;
            if (row[x] <= run->lowest_key)
            {
                flood_keep_lowest(run, row[x], frame->tile.x + x, frame->tile.y + y);
            }
        }
    }
    if (has_void || flood_touches_open(run, &frame->tile))
    {
        run->any_outlet = true;
        // a tile of voids has no level, but tiles beside it have outlets
        flood_wake_around(run, frame, has_void, least < TILING_FAR ? least : 0);
    }
}

// Levels begin at "not reached"; cells without data keep their mark.
static void flood_begin_border(flood_tiles* run, const tiling_frame* frame)
{
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const uint32_t key = run->ground[tiling_at(frame, at.x, at.y)];
        const uint32_t level = key == TILING_VOID ? TILING_VOID : TILING_FAR;
        const int32_t slot = wadi_rings_slot(run->grid, &frame->tile, at.x, at.y);
        memcpy(rings_value(run->grid, &run->tiles->level, frame->index, slot), &level,
               sizeof level);
    }
}

static wadi_result flood_scan_all(flood_tiles* run)
{
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        WADI_TRY(wadi_tiling_read(run->tiles, &run->job->heights, &frame));
        wadi_tiling_keys(run->tiles, run->job->heights.type, &frame, run->ground);
        wadi_rings_save(run->grid, &run->height, &frame, run->ground);
        flood_scan(run, &frame);

        flood_begin_border(run, &frame);
        WADI_CHECK(run->tiles->context,
                   wadi_progress(run->tiles->context,
                                 0.1 * (double)(i + 1) / (double)run->grid->tiles, "reading"),
                   WADI_ERROR_CANCELLED, "the flood was stopped");
    }
    if (!run->any_outlet && run->lowest_key < TILING_FAR)
    {
        flood_wake(run, wadi_tiling_tile_of(run->grid, run->lowest_x, run->lowest_y),
                   run->lowest_key);
    }
    return WADI_OK;
}

// ---- one tile ----------------------------------------------------------------------------

static uint32_t flood_higher(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// Lower a cell to `level`, the level of a neighbour plus the rise, or to its ground.
static inline void flood_lower(flood_tiles* run, ptrdiff_t cell, uint32_t level)
{
    const uint32_t now = flood_higher(run->ground[cell], level);
    if (now < run->level[cell])
    {
        run->level[cell] = now;
        wadi_flow_push(&run->candidates, (int32_t)now, cell);
    }
}

// Outlets are beside a void; a ghost cell beyond an open border is one.
static void flood_start_outlets(flood_tiles* run, const tiling_frame* frame)
{
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t cell = tiling_at(frame, x, y);
            bool outlet = false;
            for (int k = 0; k < 8; ++k)
            {
                outlet = outlet || run->ground[cell + frame->step[k]] == TILING_VOID;
            }
            if (outlet && run->ground[cell] != TILING_VOID)
            {
                flood_lower(run, cell, 0);
            }
        }
    }
    if (!run->any_outlet &&
        wadi_tiling_tile_of(run->grid, run->lowest_x, run->lowest_y) == frame->index)
    {
        flood_lower(
            run, tiling_at(frame, run->lowest_x - frame->tile.x, run->lowest_y - frame->tile.y), 0);
    }
}

// Levels of a tile that was not flooded before. A void has level 0: it never falls.
static void flood_begin_levels(flood_tiles* run, const tiling_frame* frame)
{
    for (ptrdiff_t i = 0; i < tiling_padded(frame); ++i)
    {
        run->level[i] = run->ground[i] == TILING_VOID ? 0 : TILING_FAR;
    }
    flood_start_outlets(run, frame);
}

static wadi_result flood_load(flood_tiles* run, const tiling_frame* frame)
{
    const uint32_t open = TILING_VOID;
    const uint32_t closed = TILING_FAR;
    const bool begun = run->begun[frame->index];
    if (begun)
    {
        WADI_TRY(wadi_tiling_read(run->tiles, &run->job->levels, frame));
        wadi_tiling_keys(run->tiles, run->job->levels.type, frame, run->level);
    }
    WADI_TRY(wadi_tiling_read(run->tiles, &run->job->heights, frame));
    wadi_tiling_keys(run->tiles, run->job->heights.type, frame, run->ground);
    wadi_rings_load(run->grid, &run->height, frame, &open, &closed, run->ground);
    wadi_flow_candidates_clear(&run->candidates);
    if (!begun)
    {
        flood_begin_levels(run, frame);
        run->begun[frame->index] = true;
    }
    for (ptrdiff_t i = 0; begun && i < tiling_padded(frame); ++i)
    {
        // floats have one NaN for both: cells without data, and cells that are not reached yet
        run->level[i] = run->ground[i] == TILING_VOID  ? 0
                        : run->level[i] == TILING_VOID ? TILING_FAR
                                                       : run->level[i];
    }
    return WADI_OK;
}

// Lower the border cells from the levels of the neighbours, and bar the ghost cells.
static void flood_enter(flood_tiles* run, const tiling_frame* frame)
{
    const uint32_t beyond = TILING_FAR;
    wadi_rings_load(run->grid, &run->tiles->level, frame, &beyond, &beyond, run->level);
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const ptrdiff_t cell = tiling_at(frame, at.x, at.y);
        for (int k = 0; k < 8; ++k)
        {
            const bool ghost =
                !tiling_is_inside(frame, at.x + tiling_east[k], at.y + tiling_south[k]);
            const uint32_t level = run->level[cell + frame->step[k]];
            if (ghost && level < TILING_FAR)
            {
                flood_lower(run, cell, level + run->rise[k & 1]);
            }
        }
    }
    for (int32_t y = -1; y <= frame->tile.height; ++y)
    {
        const bool is_row = y == -1 || y == frame->tile.height;
        for (int32_t x = -1; x <= frame->tile.width; x += is_row ? 1 : frame->tile.width + 1)
        {
            run->level[tiling_at(frame, x, y)] = 0;
        }
    }
}

static void flood_spread(flood_tiles* run, const tiling_frame* frame, uint32_t level,
                         ptrdiff_t cell)
{
    for (int k = 0; k < 8; ++k)
    {
        const ptrdiff_t n = cell + frame->step[k];
        const uint32_t risen = level + run->rise[k & 1];
        if (risen >= run->level[n])
        {
            continue;
        }
        const uint32_t ground = run->ground[n];
        if (risen >= ground)
        {
            run->level[n] = risen;
            wadi_flow_push_risen(&run->candidates, k & 1, (int32_t)risen, n);
        }
        else if (ground < run->level[n])
        {
            run->level[n] = ground;
            wadi_flow_push(&run->candidates, (int32_t)ground, n);
        }
    }
}

static wadi_result flood_solve(flood_tiles* run, const tiling_frame* frame)
{
    int32_t level;
    int64_t cell;
    while (wadi_flow_pop(&run->candidates, &level, &cell))
    {
        if (run->level[cell] == (uint32_t)level)
        {
            run->tiles->work.visits += 1;
            flood_spread(run, frame, (uint32_t)level, (ptrdiff_t)cell);
        }
    }
    run->tiles->work.solves += 1;
    return run->candidates.result;
}

// ---- after it ----------------------------------------------------------------------------

// Wake the neighbour that a border cell at `level` would lower.
static void flood_wake_beyond(flood_tiles* run, const tiling_frame* frame, const rings_walk* at,
                              int k, uint32_t level)
{
    int32_t x = frame->tile.x + at->x + tiling_east[k];
    int32_t y = frame->tile.y + at->y + tiling_south[k];
    if (tiling_is_inside(frame, x - frame->tile.x, y - frame->tile.y) ||
        !wadi_tiling_wrap(run->grid, &x, &y))
    {
        return;
    }
    uint32_t theirs;
    uint32_t ground;
    memcpy(&theirs, wadi_rings_at(run->grid, &run->tiles->level, x, y), sizeof theirs);
    memcpy(&ground, wadi_rings_at(run->grid, &run->height, x, y), sizeof ground);
    const uint32_t now = flood_higher(ground, level + run->rise[k & 1]);
    if (ground != TILING_VOID && now < theirs)
    {
        flood_wake(run, wadi_tiling_tile_of(run->grid, x, y), now);
    }
}

static void flood_leave(flood_tiles* run, const tiling_frame* frame)
{
    const size_t bytes = 4 * (size_t)run->grid->side * sizeof(uint32_t);
    memcpy(run->before, rings_value(run->grid, &run->tiles->level, frame->index, 0), bytes);
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const ptrdiff_t cell = tiling_at(frame, at.x, at.y);
        run->level[cell] = run->ground[cell] == TILING_VOID ? TILING_VOID : run->level[cell];
    }
    wadi_rings_save(run->grid, &run->tiles->level, frame, run->level);
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const uint32_t level = run->level[tiling_at(frame, at.x, at.y)];
        uint32_t before;
        memcpy(&before,
               run->before + 4 * (size_t)wadi_rings_slot(run->grid, &frame->tile, at.x, at.y),
               sizeof before);
        for (int k = 0; k < 8 && level < before; ++k)
        {
            flood_wake_beyond(run, frame, &at, k, level);
        }
    }
}

// Where the water stands on the ground the level keeps the bits of the height.
static wadi_result flood_store(flood_tiles* run, const tiling_frame* frame)
{
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t i = tiling_at(frame, x, y);
            const ptrdiff_t to = (ptrdiff_t)y * frame->tile.width + x;
            if (run->ground[i] == TILING_VOID || run->level[i] == run->ground[i])
            {
                continue;
            }
            if (run->job->levels.type == WADI_TILE_FLOAT32)
            {
                ((float*)run->tiles->raw)[to] = wadi_tiling_float_of(run->level[i]);
            }
            else
            {
                ((int32_t*)run->tiles->raw)[to] = tiling_int_of(run->level[i]);
            }
        }
    }
    return wadi_tiling_write(run->tiles, &run->job->levels, frame);
}

static wadi_result flood_tile(flood_tiles* run, int64_t index)
{
    const tiling_frame frame = wadi_tiling_frame(run->grid, index);
    run->wake[index] = TILING_FAR;
    WADI_TRY(flood_load(run, &frame));
    flood_enter(run, &frame);
    WADI_TRY(flood_solve(run, &frame));
    flood_leave(run, &frame);
    return flood_store(run, &frame);
}

// ---- all tiles ---------------------------------------------------------------------------

// The tile beside which the lowest level fell; -1 when all are asleep.
static int64_t flood_next(const flood_tiles* run)
{
    int64_t next = -1;
    uint32_t lowest = TILING_FAR;
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        if (run->wake[i] < lowest)
        {
            lowest = run->wake[i];
            next = i;
        }
    }
    return next;
}

// Tiles without a cell that drains, which hold voids only.
static wadi_result flood_write_rest(flood_tiles* run)
{
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        if (!run->begun[i])
        {
            WADI_TRY(flood_tile(run, i));
        }
    }
    return WADI_OK;
}

static wadi_result flood_run_all(flood_tiles* run)
{
    WADI_TRY(flood_scan_all(run));
    wadi_context* context = run->tiles->context;
    const double cells = (double)run->grid->of.width * run->grid->of.height;
    const int64_t before = run->tiles->work.visits;
    for (int64_t next = flood_next(run); next >= 0; next = flood_next(run))
    {
        WADI_TRY(flood_tile(run, next));
        const double share = (double)(run->tiles->work.visits - before) / (1.1 * cells);
        WADI_CHECK(context,
                   wadi_progress(context, 0.1 + 0.9 * (share < 1.0 ? share : 1.0), "flooding"),
                   WADI_ERROR_CANCELLED, "the flood was stopped");
    }
    return flood_write_rest(run);
}

static wadi_result flood_allocate(flood_tiles* run)
{
    wadi_tiles* tiles = run->tiles;
    wadi_context* context = tiles->context;
    const int64_t most = tiling_most(run->grid);
    WADI_TRY(wadi_rings_create(tiles, 4, &run->height));
    WADI_TRY(wadi_rings_create(tiles, 4, &tiles->level));
    WADI_ALLOC(context, run->wake, run->grid->tiles, "the flood");
    WADI_ALLOC(context, run->begun, run->grid->tiles, "the flood");
    WADI_ALLOC(context, run->ground, most, "the flood");
    WADI_ALLOC(context, run->level, most, "the flood");
    WADI_ALLOC(context, run->before, 16 * (int64_t)run->grid->side, "the flood");
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        run->wake[i] = TILING_FAR;
    }
    return WADI_OK;
}

static wadi_result flood_check(wadi_context* context, const wadi_tiles_flood_job* job)
{
    WADI_CHECK(context,
               job->heights.type == job->levels.type &&
                   (job->heights.type == WADI_TILE_INT32 || job->heights.type == WADI_TILE_FLOAT32),
               WADI_ERROR_ARGUMENT,
               "heights and levels of a flood must both be INT32 or both FLOAT32");
    WADI_CHECK(context,
               job->heights.read != NULL && job->levels.read != NULL && job->levels.write != NULL,
               WADI_ERROR_ARGUMENT,
               "a flood reads heights, and reads and writes levels; a function is NULL");
    const int32_t rises[2] = {job->rise_axis, job->rise_diagonal};
    for (int i = 0; i < 2; ++i)
    {
        WADI_CHECK(context, rises[i] >= 0 && rises[i] <= FLOOD_RISE_MOST, WADI_ERROR_RANGE,
                   "a rise of %d units must be 0..%d", (int)rises[i], FLOOD_RISE_MOST);
    }
    return WADI_OK;
}

wadi_result wadi_tiles_flood(wadi_tiles* tiles, const wadi_tiles_flood_job* job)
{
    wadi_context* context = tiles->context;
    WADI_TRY(flood_check(context, job));
    flood_tiles run = {
        .tiles = tiles,
        .grid = &tiles->grid,
        .job = job,
        .rise = {(uint32_t)job->rise_axis, (uint32_t)job->rise_diagonal},
        .lowest_key = TILING_FAR,
        .candidates = {.context = context},
    };
    wadi_result result = flood_allocate(&run);
    result = result == WADI_OK ? flood_run_all(&run) : result;
    if (result != WADI_OK)
    {
        wadi_rings_destroy(tiles, &tiles->level);
    }
    wadi_flow_candidates_free(&run.candidates);
    wadi_free(context, run.before);
    wadi_free(context, run.level);
    wadi_free(context, run.ground);
    wadi_free(context, run.begun);
    wadi_free(context, run.wake);
    wadi_rings_destroy(tiles, &run.height);
    return result;
}
