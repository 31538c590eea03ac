// SPDX-License-Identifier: MIT
// Applies the changes of a sweep to the ground and its heights, books them, and marks the cells to
// look at in the next sweep.
#include "laws/slopes/talus_sweep.h"

#include "core/internal.h"

// A run of stretches in a row of a tile.
typedef struct apply_run
{
    int32_t begin; // column of its first cell
    int32_t end;
} apply_run;

// The next run of set bits from column `from` on; empty if there is none.
static apply_run apply_next_run(uint8_t bits, int32_t from, int32_t width)
{
    int32_t begin = (from + WADI_TALUS_STRETCH - 1) / WADI_TALUS_STRETCH;
    const int32_t stretches = (width + WADI_TALUS_STRETCH - 1) / WADI_TALUS_STRETCH;
    while (begin < stretches && (bits >> begin & 1) == 0)
    {
        begin += 1;
    }
    int32_t end = begin;
    while (end < stretches && (bits >> end & 1) != 0)
    {
        end += 1;
    }
    const int32_t column = end * WADI_TALUS_STRETCH;
    return (apply_run){begin * WADI_TALUS_STRETCH, column < width ? column : width};
}

// Add the changes of a row to the maps of gross erosion and deposition.
static void apply_record(const wadi_talus_law* law, int64_t cell, int32_t width,
                         const int32_t* change)
{
    for (int32_t x = 0; x < width && law->worn != NULL; ++x)
    {
        law->worn[cell + x] += change[x] < 0 ? -change[x] : 0;
    }
    for (int32_t x = 0; x < width && law->laid != NULL; ++x)
    {
        law->laid[cell + x] += change[x] > 0 ? change[x] : 0;
    }
}

// Cells [begin, end) of a row of a tile, and where their changes are booked.
typedef struct apply_stretch
{
    int64_t cell; // of column 0
    int64_t at;   // of column 0, in the memory of the tile
    int32_t x;    // of column 0, in the grid
    int32_t y;
    int32_t begin;
    int32_t end;
    wadi_tally* tally;
} apply_stretch;

// Turn rock that failed into loose matter; returns true if there was any.
static bool apply_breaks(const talus_job* job, const apply_stretch* stretch)
{
    const wadi_ground* ground = job->setting.ground;
    const int32_t* breaks = job->talus->breaks + stretch->at;
    bool any = false;
    for (int32_t x = stretch->begin; x < stretch->end; ++x)
    {
        if (breaks[x] > 0)
        {
            const int64_t cell = stretch->cell + x;
            const int32_t part = wadi_ground_take_rock(ground, cell, breaks[x], stretch->tally);
            wadi_ground_put(ground, cell, part, stretch->tally);
            any = any || part > 0;
        }
    }
    return any;
}

// Apply the changes of a stretch of a row; `changed` are its change bits.
static void apply_changes(const talus_job* job, const apply_stretch* stretch, uint8_t changed)
{
    const int32_t* change = job->talus->change + stretch->at;
    for (apply_run run = apply_next_run(changed, 0, stretch->end); run.begin < run.end;
         run = apply_next_run(changed, run.end, stretch->end))
    {
        const int32_t begin = run.begin > stretch->begin ? run.begin : stretch->begin;
        const int32_t count = run.end - begin;
        if (count > 0)
        {
            wadi_ground_change_row(job->setting.ground, stretch->cell + begin, count,
                                   change + begin, stretch->tally);
            wadi_talus_plane_change(&job->talus->plane, &job->setting, stretch->x + begin,
                                    stretch->y, count, change + begin);
            apply_record(job->setting.law, stretch->cell + begin, count, change + begin);
        }
    }
}

// True if a cell of a stretch changes.
static bool apply_moves(const talus_job* job, const apply_stretch* stretch, uint8_t changed)
{
    const int32_t* change = job->talus->change + stretch->at;
    bool any = false;
    for (apply_run run = apply_next_run(changed, 0, stretch->end); run.begin < run.end && !any;
         run = apply_next_run(changed, run.end, stretch->end))
    {
        for (int32_t x = run.begin > stretch->begin ? run.begin : stretch->begin; x < run.end; ++x)
        {
            any = any || change[x] != 0;
        }
    }
    return any;
}

// Apply the changes of a stretch of a row; returns true if rock broke. Breaking keeps the surface,
// but loose matter may slide next.
static bool apply_all(const talus_job* job, const apply_stretch* stretch, uint8_t changed)
{
    const wadi_talus* talus = job->talus;
    const bool cliffs = job->setting.law->rock_repose < 90.0;
    apply_changes(job, stretch, changed);
    return cliffs && wadi_talus_stir_any(talus->breaks + stretch->at, stretch->end) &&
           apply_breaks(job, stretch);
}

// Apply a row of a tile in a window: the halo's cells are not booked. Returns true if rock broke.
static bool apply_parts(const talus_job* job, const apply_stretch* row, uint8_t changed,
                        talus_worker* worker)
{
    const wadi_owned owned = wadi_ground_owned(job->setting.ground);
    const bool inside = row->y >= owned.y && row->y < owned.end_y;
    const int32_t begin = inside ? owned.x - row->x : row->end;
    const int32_t end = inside ? owned.end_x - row->x : row->end;
    const int32_t cuts[4] = {0,
                             begin < 0          ? 0
                             : begin < row->end ? begin
                                                : row->end,
                             end < 0          ? 0
                             : end < row->end ? end
                                              : row->end,
                             row->end};
    bool any = false;
    for (int32_t i = 0; i < 3; ++i)
    {
        apply_stretch part = *row;
        part.begin = cuts[i];
        part.end = cuts[i + 1];
        part.tally = i == 1 ? &worker->tally : &worker->ghosts;
        if (part.begin < part.end)
        {
            const bool own_moves = i == 1 && apply_moves(job, &part, changed);
            const bool broke = apply_all(job, &part, changed);
            any = any || broke;
            worker->moved = worker->moved || own_moves || (i == 1 && broke);
        }
    }
    return any;
}

static void apply_tile(int64_t block, int32_t worker, void* user)
{
    const talus_job* job = user;
    wadi_talus* talus = job->talus;
    const int32_t index = talus->work[block];
    const int64_t first = (int64_t)index * WADI_TALUS_TILE_ROWS;
    if (talus->moves[index] == TALUS_STABLE)
    {
        talus_stir_rows(&talus->stir, (size_t)first, WADI_TALUS_TILE_ROWS, 0);
        return;
    }
    const talus_tile tile = talus_tile_at(talus, index);
    uint8_t any = 0;
    for (int32_t row = 0; row < tile.height; ++row)
    {
        const int64_t at = (int64_t)index * TALUS_TILE_CELLS + row * WADI_TALUS_TILE_WIDTH;
        const int64_t cell = (int64_t)(tile.y + row) * talus->width + tile.x;
        const talus_marks changed = talus->changed[first + row];
        const apply_stretch all = {
            cell, at, tile.x, tile.y + row, 0, tile.width, &talus->workers[worker].tally};
        const bool broke = talus->part != NULL
                               ? apply_parts(job, &all, changed.any, &talus->workers[worker])
                               : apply_all(job, &all, changed.any);
        talus->stir.any[first + row] = broke ? UINT8_MAX : changed.any;
        talus->stir.west[first + row] = broke ? UINT8_MAX : changed.west;
        talus->stir.east[first + row] = broke ? UINT8_MAX : changed.east;
        any |= talus->stir.any[first + row];
    }
    talus->touched[index] = any != 0 ? 1 : 0;
}

void wadi_talus_apply(talus_job* job)
{
    wadi_parallel_blocks(job->talus->context, job->talus->work_count, apply_tile, job);
}
