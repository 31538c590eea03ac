// SPDX-License-Identifier: MIT
// Sweeps over active tiles. A sweep has two passes with a barrier between them: each tile computes
// its changes from the frozen ground, then each applies its own (talus_apply.c).
#include "laws/slopes/talus.h"

#include "core/internal.h"
#include "laws/slopes/talus_sweep.h"

#include <math.h>
#include <string.h>

// ---- making ------------------------------------------------------------------------------

void wadi_talus_destroy(wadi_talus* talus)
{
    if (talus == NULL)
    {
        return;
    }
    wadi_context* context = talus->context;
    wadi_free(context, talus->touched);
    wadi_free(context, talus->planned);
    wadi_free(context, talus->moves);
    wadi_free(context, talus->changed);
    wadi_free(context, talus->stir.any);
    wadi_free(context, talus->stir.west);
    wadi_free(context, talus->stir.east);
    wadi_free(context, talus->work);
    wadi_free(context, talus->loads);
    wadi_talus_plane_destroy(context, &talus->plane);
    wadi_free(context, talus->change);
    wadi_free(context, talus->breaks);
    wadi_free(context, talus->workers);
    wadi_talus_ghosts_destroy(context, &talus->ghosts);
    wadi_free(context, talus);
}

static wadi_result talus_allocate(wadi_talus* talus, bool cliffs)
{
    wadi_context* context = talus->context;
    const int64_t tiles = (int64_t)talus->columns * talus->rows;
    WADI_ALLOC(context, talus->touched, tiles, "tiles of talus");
    WADI_ALLOC(context, talus->planned, tiles, "tiles of talus");
    WADI_ALLOC(context, talus->moves, tiles, "tiles of talus");
    WADI_ALLOC(context, talus->changed, tiles * WADI_TALUS_TILE_ROWS, "tiles of talus");
    WADI_ALLOC(context, talus->stir.any, tiles * WADI_TALUS_TILE_ROWS, "tiles of talus");
    WADI_ALLOC(context, talus->stir.west, tiles * WADI_TALUS_TILE_ROWS, "tiles of talus");
    WADI_ALLOC(context, talus->stir.east, tiles * WADI_TALUS_TILE_ROWS, "tiles of talus");
    WADI_ALLOC(context, talus->work, tiles, "tiles of talus");
    WADI_ALLOC(context, talus->loads, tiles, "tiles of talus");
    WADI_TRY(wadi_talus_plane_create(context, talus->width, talus->height, tiles, &talus->plane));
    WADI_ALLOC(context, talus->change, tiles * TALUS_TILE_CELLS, "slides");
    if (cliffs)
    {
        WADI_ALLOC(context, talus->breaks, tiles * TALUS_TILE_CELLS, "rock falls");
    }
    WADI_ALLOC(context, talus->workers, talus->worker_count, "patches of talus");
    return WADI_OK;
}

wadi_result wadi_talus_create(wadi_context* context, int32_t width, int32_t height, bool cliffs,
                              wadi_talus** out)
{
    *out = NULL;
    wadi_talus* talus;
    WADI_ALLOC(context, talus, 1, "talus");
    talus->context = context;
    talus->width = width;
    talus->height = height;
    talus->columns = (width + WADI_TALUS_TILE_WIDTH - 1) / WADI_TALUS_TILE_WIDTH;
    talus->rows = (height + WADI_TALUS_TILE_ROWS - 1) / WADI_TALUS_TILE_ROWS;
    talus->stir = (talus_stir){
        .width = width, .height = height, .columns = talus->columns, .rows = talus->rows};
    talus->worker_count = wadi_context_workers(context);
    talus->part = wadi_partition_of(context);
    wadi_result result = talus_allocate(talus, cliffs);
    result = result == WADI_OK ? wadi_talus_ghosts_create(context, &talus->ghosts) : result;
    if (result != WADI_OK)
    {
        wadi_talus_destroy(talus);
        return result;
    }
    *out = talus;
    return WADI_OK;
}

// ---- which tiles -------------------------------------------------------------------------

void wadi_talus_touch(wadi_talus* talus, int32_t x, int32_t y)
{
    const int32_t row = y / WADI_TALUS_TILE_ROWS;
    const int32_t tile = row * talus->columns + x / WADI_TALUS_TILE_WIDTH;
    talus->touched[tile] = 1;
    talus->moving = true;
    talus->exact = false;
    talus_stir_rows(&talus->stir, (size_t)tile * WADI_TALUS_TILE_ROWS, WADI_TALUS_TILE_ROWS,
                    UINT8_MAX);
}

void wadi_talus_touch_all(wadi_talus* talus)
{
    const size_t tiles = (size_t)talus->columns * (size_t)talus->rows;
    talus->moving = true;
    talus->all_touched = true;
    talus->exact = true;
    memset(talus->touched, 1, tiles);
    talus_stir_rows(&talus->stir, 0, tiles * WADI_TALUS_TILE_ROWS, UINT8_MAX);
}

void wadi_talus_forget(wadi_talus* talus)
{
    const size_t tiles = (size_t)talus->columns * (size_t)talus->rows;
    talus->moving = false;
    talus->all_touched = false;
    memset(talus->touched, 0, tiles);
    talus_stir_rows(&talus->stir, 0, tiles * WADI_TALUS_TILE_ROWS, 0);
}

void wadi_talus_touch_row(wadi_talus* talus, int32_t y, int32_t column, uint8_t stretches)
{
    if (stretches != 0)
    {
        const int32_t tile = y / WADI_TALUS_TILE_ROWS * talus->columns + column;
        const int64_t row = (int64_t)tile * WADI_TALUS_TILE_ROWS + y % WADI_TALUS_TILE_ROWS;
        talus->touched[tile] = 1;
        talus->moving = true;
        talus->exact = false;
        talus->stir.any[row] |= stretches;
        talus->stir.west[row] |= stretches;
        talus->stir.east[row] |= stretches;
    }
}

// In windows all of them have to be still.
bool wadi_talus_is_still(const wadi_talus* talus)
{
    if (talus->part != NULL)
    {
        return !talus->moving;
    }
    return memchr(talus->touched, 1, (size_t)talus->columns * (size_t)talus->rows) == NULL;
}

int64_t wadi_talus_cells(const wadi_talus* talus)
{
    return talus->cells;
}

wadi_result wadi_talus_archive(wadi_talus* talus, wadi_archive* archive)
{
    const int64_t tiles = (int64_t)talus->columns * talus->rows;
    WADI_TRY(wadi_archive_same(archive, tiles, "the number of tiles of talus"));
    wadi_archive_u8(archive, talus->touched, tiles);
    wadi_archive_u8(archive, talus->stir.any, tiles * WADI_TALUS_TILE_ROWS);
    wadi_archive_i64(archive, &talus->cells, 1);
    if (wadi_archive_is_reading(archive))
    {
        talus->exact = false;
        memcpy(talus->stir.west, talus->stir.any, (size_t)tiles * WADI_TALUS_TILE_ROWS);
        memcpy(talus->stir.east, talus->stir.any, (size_t)tiles * WADI_TALUS_TILE_ROWS);
    }
    for (int64_t i = 0; i < tiles && wadi_archive_is_reading(archive); ++i)
    {
        talus->touched[i] = talus->touched[i] != 0 ? 1 : 0;
    }
    return wadi_archive_result(archive);
}

// Distance in tiles of a cell two cells away: 2 across a last tile of one column.
static int32_t talus_reach(int32_t size, int32_t tile)
{
    return size % tile == 1 && size > tile ? 2 : 1;
}

// True if a tile within two cells of a tile, or itself, is set in `which`. At closed edges the wrap
// costs a needless look, never a wrong result.
static bool talus_is_near(const wadi_talus* talus, const uint8_t* which, int32_t index)
{
    const int32_t reach_x = talus_reach(talus->width, WADI_TALUS_TILE_WIDTH);
    const int32_t reach_y = talus_reach(talus->height, WADI_TALUS_TILE_ROWS);
    const int32_t x = index % talus->columns + 2 * talus->columns;
    const int32_t y = index / talus->columns + 2 * talus->rows;
    uint8_t any = 0;
    for (int32_t dy = -reach_y; dy <= reach_y; ++dy)
    {
        for (int32_t dx = -reach_x; dx <= reach_x; ++dx)
        {
            const int32_t row = (y + dy) % talus->rows;
            any |= which[row * talus->columns + (x + dx) % talus->columns];
        }
    }
    return any != 0;
}

static void talus_add_work(wadi_talus* talus, int32_t index)
{
    const talus_tile tile = talus_tile_at(talus, index);
    talus->planned[index] = 1;
    talus->work[talus->work_count++] = index;
    talus->cells += (int64_t)tile.width * tile.height;
}

static void talus_find_work(wadi_talus* talus)
{
    const int32_t tiles = talus->columns * talus->rows;
    talus->work_count = 0;
    memset(talus->planned, 0, (size_t)tiles);
    for (int32_t i = 0; i < tiles; ++i)
    {
        if (talus_is_near(talus, talus->touched, i))
        {
            talus_add_work(talus, i);
        }
    }
    memset(talus->touched, 0, (size_t)tiles);
}

static void talus_add_neighbours(wadi_talus* talus, int32_t index)
{
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t column = (index % talus->columns + talus->columns + k % 3 - 1);
        const int32_t row = (index / talus->columns + talus->rows + k / 3 - 1) % talus->rows;
        const int32_t neighbour = row * talus->columns + column % talus->columns;
        if (talus->planned[neighbour] == 0)
        {
            talus_add_work(talus, neighbour);
        }
    }
}

// ---- heights -----------------------------------------------------------------------------

static void talus_load_tile(int64_t block, int32_t worker, void* user)
{
    const talus_job* job = user;
    const talus_tile tile = talus_tile_at(job->talus, job->talus->loads[block]);
    (void)worker;
    for (int32_t y = tile.y; y < tile.y + tile.height; ++y)
    {
        wadi_talus_plane_read(&job->talus->plane, &job->setting, tile.x, y, tile.width);
    }
}

// True if a tile lies so near an edge that cells beyond it follow from its cells.
static bool talus_is_outer(int32_t index, int32_t count)
{
    return index == 0 || index >= count - 2;
}

// Set the cells beyond the edges anew where the tiles beside them have changed: `which`, by tile.
static void talus_extend(const talus_job* job, const uint8_t* which)
{
    const wadi_talus* talus = job->talus;
    bool ends = false;
    for (int32_t row = 0; row < talus->rows; ++row)
    {
        bool sides = false;
        for (int32_t column = 0; column < talus->columns; ++column)
        {
            const bool set = which[row * talus->columns + column] != 0;
            sides = sides || (set && talus_is_outer(column, talus->columns));
            ends = ends || (set && talus_is_outer(row, talus->rows));
        }
        const int32_t begin = row * WADI_TALUS_TILE_ROWS;
        const int32_t end = begin + WADI_TALUS_TILE_ROWS;
        if (sides)
        {
            wadi_talus_plane_extend_rows(&talus->plane, &job->setting, begin,
                                         end < talus->height ? end : talus->height);
        }
    }
    if (ends)
    {
        wadi_talus_plane_extend_columns(&talus->plane, &job->setting);
    }
}

// Read the heights of the planned tiles and their neighbours that have not been read yet.
static void talus_load(talus_job* job)
{
    wadi_talus* talus = job->talus;
    talus->load_count = 0;
    for (int32_t i = 0; i < talus->columns * talus->rows; ++i)
    {
        if (talus->plane.loaded[i] == 0 && talus_is_near(talus, talus->planned, i))
        {
            talus->plane.loaded[i] = 1;
            talus->loads[talus->load_count++] = i;
        }
    }
    if (talus->load_count > 0)
    {
        wadi_parallel_blocks(talus->context, talus->load_count, talus_load_tile, job);
        talus_extend(job, talus->plane.loaded);
    }
}

// Forget all heights, and count those to come from a cell near the slides, since they are clamped.
static void talus_unload(wadi_talus* talus, const wadi_ground* ground)
{
    const int32_t tiles = talus->columns * talus->rows;
    const uint8_t* first = memchr(talus->touched, 1, (size_t)tiles);
    const talus_tile tile =
        talus_tile_at(talus, first != NULL ? (int32_t)(first - talus->touched) : 0);
    int64_t cell = (int64_t)tile.y * ground->width + tile.x;
    while (!ground->all_valid && ground->valid[cell] == 0 && cell < ground->cells - 1)
    {
        cell += 1;
    }
    talus->plane.base = wadi_ground_surface(ground, cell);
    memset(talus->plane.loaded, 0, (size_t)tiles);
}

// ---- a sweep -----------------------------------------------------------------------------

// Move the changes from a worker's patch to the tile's own memory.
static void talus_keep_changes(const talus_job* job, talus_patch* patch, const talus_tile* tile,
                               int32_t index)
{
    wadi_talus* talus = job->talus;
    talus_marks* changed = talus->changed + (int64_t)index * WADI_TALUS_TILE_ROWS;
    int32_t* change = talus->change + (int64_t)index * TALUS_TILE_CELLS;
    memset(changed, 0, WADI_TALUS_TILE_ROWS * sizeof *changed);
    for (int32_t row = -TALUS_HALO; row < tile->height + TALUS_HALO; ++row)
    {
        if (patch->moved[row + TALUS_HALO] != 0)
        {
            const bool own = row >= 0 && row < tile->height;
            int32_t* out = own ? change + row * WADI_TALUS_TILE_WIDTH : NULL;
            const talus_marks moves = wadi_talus_patch_take(patch, &job->setting, tile, row, out);
            if (own)
            {
                // a cell that gives as much as it gets does not change, but is looked at again
                const talus_marks gives = patch->gives[row];
                changed[row] = (talus_marks){moves.any | gives.any, moves.west | gives.west,
                                             moves.east | gives.east};
            }
        }
    }
}

static void talus_plan_tile(int64_t block, int32_t worker, void* user)
{
    const talus_job* job = user;
    wadi_talus* talus = job->talus;
    const int32_t index = talus->work[job->first + block];
    const talus_tile tile = talus_tile_at(talus, index);
    const int64_t first = (int64_t)index * TALUS_TILE_CELLS;
    talus_patch* patch = &talus->workers[worker].patch;
    const bool cliffs = job->setting.law->rock_repose < 90.0;
    if (!wadi_talus_wake(&talus->stir, &tile, talus->exact, patch))
    {
        talus->moves[index] = TALUS_STABLE;
        return;
    }
    const bool moves = wadi_talus_patch_move(patch, &talus->plane, &job->setting, &tile,
                                             cliffs ? talus->breaks + first : NULL);
    talus->moves[index] = patch->crosses ? TALUS_CROSSES : moves ? TALUS_MOVES : TALUS_STABLE;
    if (moves)
    {
        wadi_talus_patch_book_leaving(patch, &job->setting, &tile, &talus->workers[worker].tally);
        talus_keep_changes(job, patch, &tile, index);
    }
}

// Matter must not move between a planned tile and one that is not: it would be taken here but not
// laid down there. Usually no tile is added, since motion starts near the changes reported by the
// caller; the caller may have missed a place.
static void talus_plan(talus_job* job)
{
    wadi_talus* talus = job->talus;
    for (job->first = 0; job->first < talus->work_count;)
    {
        const int32_t end = talus->work_count;
        talus_load(job);
        wadi_parallel_blocks(talus->context, end - job->first, talus_plan_tile, job);
        for (; job->first < end; ++job->first)
        {
            const int32_t index = talus->work[job->first];
            if (talus->moves[index] == TALUS_CROSSES)
            {
                talus_add_neighbours(talus, index);
            }
        }
    }
}

// ---- relaxing ----------------------------------------------------------------------------

static talus_scale talus_scale_of(const wadi_ground* ground, const wadi_talus_law* law)
{
    const double cell = ground->cell_size * WADI_UNITS_PER_METRE;
    return (talus_scale){
        .cell = cell,
        .widening = (float)wadi_talus_tangent(law->hysteresis),
        .hold = (float)(cell * wadi_talus_tangent(law->repose)),
        .start = (float)(cell * wadi_talus_tangent(law->repose + law->hysteresis)),
        .rock_hold = (float)(cell * wadi_talus_tangent(fmin(law->rock_repose, 89.0))),
        .rock_start =
            (float)(cell * wadi_talus_tangent(fmin(law->rock_repose + law->hysteresis, 89.9))),
    };
}

// With one law for all cells the row of limits of each patch holds it.
static void talus_set_law(const talus_job* job)
{
    for (int32_t w = 0; w < job->talus->worker_count; ++w)
    {
        talus_patch* patch = &job->talus->workers[w].patch;
        for (int32_t i = 0; i < TALUS_PATCH_STRIDE; ++i)
        {
            patch->hold[i] = job->setting.scale.hold;
            patch->start[i] = job->setting.scale.start;
        }
    }
}

static void talus_sweep(talus_job* job)
{
    talus_extend(job, job->talus->touched);
    talus_find_work(job->talus);
    talus_plan(job);
    wadi_talus_apply(job);
}

// True if less than half of the vectors are steep. Later on most of the few that are awake are:
// then the rough test takes longer than the fluxes that it saves.
static bool talus_sieve_pays(wadi_talus* talus)
{
    int64_t tested = 0;
    int64_t steep = 0;
    for (int32_t w = 0; w < talus->worker_count; ++w)
    {
        talus_patch* patch = &talus->workers[w].patch;
        tested += patch->tested;
        steep += patch->steep;
        patch->tested = 0;
        patch->steep = 0;
    }
    return 2 * steep < tested;
}

static bool talus_has_moved(wadi_talus* talus)
{
    bool any = false;
    for (int32_t w = 0; w < talus->worker_count; ++w)
    {
        any = any || talus->workers[w].moved;
        talus->workers[w].moved = false;
    }
    return any;
}

// A sweep, after which the sieve may go.
static void talus_sweep_once(talus_job* job)
{
    talus_sweep(job);
    job->setting.sieve = job->setting.sieve && talus_sieve_pays(job->talus);
}

// Exchange the halo. Ghosts that changed by it are touched, all others have the neighbours that
// they were stable with: so the marks are as exact as before.
static bool talus_exchange(talus_job* job)
{
    wadi_talus* talus = job->talus;
    const bool exact = talus->exact;
    if (!wadi_talus_ghosts_exchange(talus, &talus->ghosts, job->setting.ground))
    {
        return false;
    }
    talus->exact = exact;
    talus_unload(talus, job->setting.ground);
    return true;
}

// Sweep `count` times and exchange the halo. Returns the sweeps up to the first in which no window
// moved a cell, that one included, as many as the whole grid needs; -1: another window has failed.
static int32_t talus_sweep_windows(talus_job* job, int32_t count)
{
    wadi_talus* talus = job->talus;
    int64_t moved[TALUS_MOST_SWEEPS];
    for (int32_t i = 0; i < count; ++i)
    {
        talus_sweep_once(job);
        moved[i] = talus_has_moved(talus) ? 1 : 0;
    }
    if (!wadi_partition_sum(talus->part, moved, count))
    {
        return -1;
    }
    int32_t done = 0;
    bool moving = true;
    while (done < count && moving)
    {
        moving = moved[done] != 0;
        done += 1;
    }
    if ((moving || !job->setting.law->leaves_ghosts) && !talus_exchange(job))
    {
        return -1;
    }
    talus->moving = moving;
    return done;
}

static int32_t talus_relax_windows(talus_job* job, int32_t sweeps)
{
    wadi_talus* talus = job->talus;
    const int32_t most = wadi_talus_ghosts_sweeps(talus->part);
    int32_t done = 0;
    talus->moving = talus->all_touched || wadi_partition_any(talus->part, talus->moving);
    talus->all_touched = false;
    while (done < sweeps && talus->moving)
    {
        const int32_t part = talus_sweep_windows(job, most < sweeps - done ? most : sweeps - done);
        if (part < 0)
        {
            break;
        }
        done += part;
    }
    if (!talus->moving)
    {
        wadi_talus_forget(talus);
    }
    return done;
}

int32_t wadi_talus_relax(wadi_talus* talus, const wadi_ground* ground, const wadi_talus_law* law,
                         int32_t sweeps, wadi_tally* tally)
{
    WADI_ASSERT(ground->width == talus->width && ground->height == talus->height);
    WADI_ASSERT(law->rock_repose >= 90.0 || talus->breaks != NULL);
    talus_job job = {
        talus,
        {ground, law, talus_kernels_of(wadi_isa_best()), talus_scale_of(ground, law), true},
        0};
    talus_set_law(&job);
    talus_unload(talus, ground);
    int32_t done = talus->part != NULL ? talus_relax_windows(&job, sweeps) : 0;
    while (talus->part == NULL && done < sweeps && !wadi_talus_is_still(talus))
    {
        talus_sweep_once(&job);
        done += 1;
    }
    talus->exact = false; // callers may change the ground and report less of it
    for (int32_t w = 0; w < talus->worker_count; ++w)
    {
        wadi_tally_add(tally, &talus->workers[w].tally);
        talus->workers[w].tally = (wadi_tally){0};
    }
    return done;
}
