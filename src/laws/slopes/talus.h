// SPDX-License-Identifier: MIT
// Talus: loose matter steeper than its angle of repose slides until it is stable. Shared by all
// processes that pile up matter.
//
// A sweep is a Jacobi step: each cell computes from the same frozen ground what it gives to its
// eight neighbours. So the bits do not depend on the order of cells, on threads or on tiles, and
// shifting the ground along periodic edges shifts the result. Amounts are whole units: matter is
// exact, and no cell gives more than it has.
//
// A cell slides when the steepest of the eight triangles around it is steeper than repose +
// hysteresis, and then gives a share of the excess above repose. Because slope is measured in
// triangles, not along the eight directions, a pile becomes a cone, not an octagon.
//
// Only active tiles are processed. A caller that changed the ground reports where:
//
//     wadi_talus* talus;
//     WADI_TRY(wadi_talus_create(context, ground->width, ground->height, false, &talus));
//     wadi_talus_touch(talus, x, y);                           // or wadi_talus_touch_all(talus)
//     wadi_talus_relax(talus, ground, &law, sweeps, &tally);   // local; unfinished slides go on
//                                                              // in the next call
//     wadi_talus_relax(talus, ground, &law, WADI_TALUS_FIXPOINT, &tally); // until stable
//
// A caller with arrays of its own fills a wadi_ground with them: width, height, cells, cell_size,
// edges, loose_count, bedrock, loose, valid, all_valid, material.
#pragma once

#include "terrain/ground.h"
#include <wadi/archive.h>

enum
{
    WADI_TALUS_TILE_WIDTH = 128, // cells of a tile along a row
    WADI_TALUS_TILE_ROWS = 32,
    WADI_TALUS_STRETCH = 16,        // cells of a row processed together
    WADI_TALUS_FIXPOINT = INT32_MAX // sweeps: until no tile is active
};

// Slope limits. Start from wadi_talus_law_default().
typedef struct wadi_talus_law
{
    double repose;      // [degree] (0, 89]: sliding stops at this slope
    double hysteresis;  // [degree] [0, 0.8]: sliding starts this much above repose
    double rock_repose; // [degree]: steeper rock fails to sediment, by (1 - hardness); >= 90: none
    double share;       // (0, 0.5] of the excess that moves in one sweep; see the default

    // In windows, once all slides are at rest: leave the halo as it is. The caller exchanges it.
    bool leaves_ghosts;

    // Tangent of the angle of repose of each cell, in place of `repose` (plants and moisture allow
    // steeper slopes); width x height, or NULL. A slide uses the value of the cell that gives.
    const float* tangents;

    // Gross erosion and deposition [units], width x height, or NULL: added to, never cleared.
    int64_t* worn;
    int64_t* laid;
} wadi_talus_law;

// 33 degrees, 0.5 degrees of hysteresis, loose matter only, a share of 0.25: each sweep then lowers
// the energy even where eight neighbours slide into one pit. Where the ground is never far from
// stable 0.5 may be used, which needs half as many sweeps.
wadi_talus_law wadi_talus_law_default(void);

// Tangent of an angle of repose, the same bits everywhere.
double wadi_talus_tangent(double degrees);

// Tangents of repose under plants, interpolated by cover from `bare` ground to full cover (`held`,
// both in degrees). Returns NULL without plants, otherwise `tangents`, one per cell.
const float* wadi_talus_plant(const wadi_ground* ground, double bare, double held, float* tangents);

typedef struct wadi_talus wadi_talus;

// Scratch memory and the activity of tiles for grids of this size. `cliffs`: laws may have a
// rock_repose below 90, which takes another 4 bytes a cell. No tile is active at first.
wadi_result wadi_talus_create(wadi_context* context, int32_t width, int32_t height, bool cliffs,
                              wadi_talus** out);
void wadi_talus_destroy(wadi_talus* talus); // NULL is allowed

// Report that the ground has changed at a cell.
void wadi_talus_touch(wadi_talus* talus, int32_t x, int32_t y);
// All cells have changed; in windows, those of all windows.
void wadi_talus_touch_all(wadi_talus* talus);

// No tile is active any more, as at first.
void wadi_talus_forget(wadi_talus* talus);

// The same as touch for groups of WADI_TALUS_STRETCH cells of a row: bit b of `stretches` is group
// b of tile column `column`. Threads may call it at once for rows in different blocks of
// WADI_TALUS_TILE_ROWS.
void wadi_talus_touch_row(wadi_talus* talus, int32_t y, int32_t column, uint8_t stretches);

// Do at most `sweeps` sweeps and return their number. Never allocates. Matter across an open edge
// is booked in `tally` by side: there the ground is extrapolated with the same slope (but rock does
// not fail for it). Closed edges and cells without data are walls.
int32_t wadi_talus_relax(wadi_talus* talus, const wadi_ground* ground, const wadi_talus_law* law,
                         int32_t sweeps, wadi_tally* tally);

// Save, restore or hash the activity of tiles: slides that go on in the next call.
wadi_result wadi_talus_archive(wadi_talus* talus, wadi_archive* archive);

// True if no tile is active.
bool wadi_talus_is_still(const wadi_talus* talus);

// Cells processed since creation, counted once per sweep.
int64_t wadi_talus_cells(const wadi_talus* talus);
