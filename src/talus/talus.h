// SPDX-License-Identifier: MIT
// Talus: loose matter that lies steeper than it can rest slides down until it rests. One piece for
// every process that piles matter up.
//
// A sweep is a Jacobi step: each cell computes from the same frozen ground what it gives to its
// eight neighbours, so neither the order of cells nor threads nor tiles can change a bit, and a
// rolled torus gives the rolled result. Amounts are whole units: matter is exact, and no cell gives
// more than it has.
//
// A cell slides when the steepest of the eight triangles around it is steeper than repose +
// hysteresis, and then gives a share of what lies above repose. Because slope is measured in
// triangles, not along the eight directions, a pile becomes a cone, not an octagon.
//
// Only tiles where something may move are looked at. A caller that changed the ground says where:
//
//     wadi_talus* talus;
//     WADI_TRY(wadi_talus_create(context, ground->width, ground->height, false, &talus));
//     wadi_talus_touch(talus, x, y);                           // or wadi_talus_touch_all(talus)
//     wadi_talus_relax(talus, ground, &law, sweeps, &tally);   // local, deferred: what has not
//                                                              // come to rest goes on next time
//     wadi_talus_relax(talus, ground, &law, WADI_TALUS_FIXPOINT, &tally); // until all rests
//
// A caller with arrays of its own fills a wadi_ground with them: width, height, cells, cell_size,
// edges, loose_count, bedrock, loose, valid, all_valid, material.
#pragma once

#include "terrain/ground.h"

enum
{
    WADI_TALUS_TILE_WIDTH = 128, // cells of a tile along a row
    WADI_TALUS_TILE_ROWS = 32,
    WADI_TALUS_STRETCH = 16,        // cells of a row that are looked at together
    WADI_TALUS_FIXPOINT = INT32_MAX // sweeps: until no tile is active
};

// What rests and what slides. Start from wadi_talus_law_default().
typedef struct wadi_talus_law
{
    double repose;      // [degree] (0, 89]: sliding matter comes to rest at this slope
    double hysteresis;  // [degree] [0, 0.8]: as much steeper it starts to slide
    double rock_repose; // [degree]: steeper rock breaks to sediment, by (1 - hardness); >= 90: none
    double share;       // (0, 0.5] of the excess that moves in one sweep; see the default

    // Tangent of the angle of repose of each cell, in place of `repose` (plants and moisture hold
    // steeper slopes); width x height, or NULL. The giver's counts.
    const float* tangents;

    // Gross sums of each cell in units, width x height, or NULL: added to, never cleared.
    int64_t* worn;
    int64_t* laid;
} wadi_talus_law;

// 33 degrees, 0.5 degrees of hysteresis, loose matter only, a share of 0.25: each sweep then lowers
// the energy even where eight neighbours pour into one hollow. Callers whose ground is never far
// from rest may take 0.5, which needs half as many sweeps.
wadi_talus_law wadi_talus_law_default(void);

// Tangent of an angle of repose, the same bits everywhere.
double wadi_talus_tangent(double degrees);

// Tangents of repose under plants: between `bare` ground and full cover (`held`, both in degrees)
// by cover. NULL where nothing grows, else `tangents`, which has one for each cell.
const float* wadi_talus_plant(const wadi_ground* ground, double bare, double held, float* tangents);

typedef struct wadi_talus wadi_talus;

// Scratch memory and the activity of tiles for grids of this size. `cliffs`: laws may have a
// rock_repose below 90, which takes another 4 bytes a cell. No tile is active at first.
wadi_result wadi_talus_create(wadi_context* context, int32_t width, int32_t height, bool cliffs,
                              wadi_talus** out);
void wadi_talus_destroy(wadi_talus* talus); // NULL is allowed

// The ground has changed here: look at it again.
void wadi_talus_touch(wadi_talus* talus, int32_t x, int32_t y);
void wadi_talus_touch_all(wadi_talus* talus);

// The same for stretches of a row, WADI_TALUS_STRETCH cells each: bit b of `stretches` is for those
// from cell b of tile column `column` on. Workers may call it: rows of other blocks of
// WADI_TALUS_TILE_ROWS rows are of no account to each other.
void wadi_talus_touch_row(wadi_talus* talus, int32_t y, int32_t column, uint8_t stretches);

// At most `sweeps` sweeps; returns how many there were. Never allocates. What crosses an open edge
// is booked in `tally` by side: beyond the edge the ground goes on as steep as before it (but
// no rock breaks for that). Closed edges and cells without data are walls.
int32_t wadi_talus_relax(wadi_talus* talus, const wadi_ground* ground, const wadi_talus_law* law,
                         int32_t sweeps, wadi_tally* tally);

// Nothing is left to slide.
bool wadi_talus_is_still(const wadi_talus* talus);

// Cells looked at since creation, each once a sweep.
int64_t wadi_talus_cells(const wadi_talus* talus);
