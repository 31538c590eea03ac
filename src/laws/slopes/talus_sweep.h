// SPDX-License-Identifier: MIT
// State of talus and of a sweep, shared by the files that plan the changes of a sweep and apply
// them.
#pragma once

#include "laws/slopes/talus_plane.h"
#include "laws/slopes/talus_wake.h"
#include "laws/slopes/talus_window.h"

#include <string.h>

enum
{
    TALUS_TILE_CELLS = WADI_TALUS_TILE_WIDTH * WADI_TALUS_TILE_ROWS
};

// Result of planning a tile.
enum talus_motion
{
    TALUS_STABLE,
    TALUS_MOVES,  // has changes to apply
    TALUS_CROSSES // also exchanges matter with neighbours
};

// Data of one worker.
typedef struct talus_worker
{
    talus_patch patch;
    wadi_tally tally;
    wadi_tally ghosts; // what the halo of a window does, which is not booked
    bool moved;        // a cell that the window owns
} talus_worker;

struct wadi_talus
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    int32_t columns; // of tiles
    int32_t rows;
    uint8_t* touched;     // by tile: ground changed since the last sweep
    uint8_t* planned;     // by tile: in the work list of this sweep
    uint8_t* moves;       // by tile: talus_motion
    talus_marks* changed; // by tile and row: cells that change or give
    talus_stir stir;
    bool exact;    // all cells that the marks leave asleep are stable
    int32_t* work; // tiles of this sweep
    int32_t work_count;
    talus_plane plane;
    int32_t* loads; // tiles to read before the next slides
    int32_t load_count;
    int32_t* change; // [units] by tile, row by row within it
    int32_t* breaks; // [units] of rock, likewise; NULL: rock never fails
    talus_worker* workers;
    int32_t worker_count;
    int64_t cells; // processed since creation
    const wadi_partition* part;
    talus_ghosts ghosts;
    bool moving;      // in windows: a cell of some window moved in the last sweep, or was touched
    bool all_touched; // and no sweep came after
};

typedef struct talus_job
{
    wadi_talus* talus;
    talus_setting setting;
    int32_t first; // first tile of `work` to plan
} talus_job;

// Second pass of a sweep: apply the changes of all tiles in `work` and mark the cells that may
// slide next.
void wadi_talus_apply(talus_job* job);

// Set all groups of `count` rows of tiles to the same bits.
static inline void talus_stir_rows(talus_stir* stir, size_t first, size_t count, uint8_t groups)
{
    memset(stir->any + first, groups, count);
    memset(stir->west + first, groups, count);
    memset(stir->east + first, groups, count);
}

static inline talus_tile talus_tile_at(const wadi_talus* talus, int32_t index)
{
    talus_tile tile = {
        .x = index % talus->columns * WADI_TALUS_TILE_WIDTH,
        .y = index / talus->columns * WADI_TALUS_TILE_ROWS,
        .width = WADI_TALUS_TILE_WIDTH,
        .height = WADI_TALUS_TILE_ROWS,
    };
    tile.width = tile.width < talus->width - tile.x ? tile.width : talus->width - tile.x;
    tile.height = tile.height < talus->height - tile.y ? tile.height : talus->height - tile.y;
    return tile;
}
