// SPDX-License-Identifier: MIT
// Depth-averaged motion of debris at map scale: Voellmy friction, entrainment, pore pressure that
// drains, whole units of mass. docs/runner.md has the equations.
//
// A runner has its own copy of the ground and does not change layers. Its bed is the ground without
// the soil that moves, so the difference to the surface of the terrain is what has to be lifted.
#pragma once

#include "core/internal.h"
#include "processes/landslide/runner_kernels.h"
#include "terrain/ground.h"

#include <wadi/archive.h>

enum
{
    RUNNER_MARGIN = 16 // cells of the planes beside the tiles
};

// Constants of the motion.
typedef struct runner_law
{
    double turbulence; // coefficient xi of Voellmy's friction [m/s2]; 0: none
    double drained;    // tangent of friction without pore pressure
    double drainage;   // coefficient of consolidation of the pore pressure [m2/s]
    double density;    // [kg/m3]
    double bed_depth;  // ground entrained for each kPa of stress above the threshold [m]
    double bed_rate;   // fastest entrainment [m/s]
    double bed_stress; // threshold [kPa]
    double thinnest;   // a flow thinner than this stands [m]
    double lake;       // water deeper than this stops a flow [m]
    double arrival;    // thickness that counts as arrival, and as reached [m]
} runner_law;

typedef struct runner
{
    wadi_context* context;
    const runner_kernels* kernels;
    runner_law law;
    int32_t width; // of the terrain
    int32_t height;
    double cell; // [m]
    bool wraps_x;
    bool wraps_y;
    ptrdiff_t size; // cells of a plane, with margins
    ptrdiff_t origin;
    runner_planes planes;
    float* memory;  // of all planes
    uint8_t* sinks; // 1 + side over which a flow leaves in this cell; 0: none

    int32_t columns; // of tiles
    int32_t rows;
    uint8_t* has_sinks; // by tile
    uint8_t* fresh;     // by tile: mass was released
    uint8_t* active;    // by tile
    uint8_t* touched;   // by tile: it was active, or mass was released
    int32_t top;        // first and last row with such tiles; top > bottom: none
    int32_t bottom;
    float* moving;                    // by tile: greatest velocity
    float* fastest;                   // by tile: greatest velocity with waves
    int64_t (*left)[WADI_SIDE_COUNT]; // by tile: mass that left [units x cells]
    int32_t* list;                    // first tiles of runs of active tiles
    int32_t* lengths;                 // of the runs
    int32_t count;                    // of runs
    int32_t tiles;                    // active

    double time;   // [s]
    double last;   // step [s]
    double quick;  // greatest velocity with waves [m/s]
    double vigour; // greatest momentum that was asked for [units x cells x m/s]
    int64_t since; // steps since the tiles were chosen
    int64_t steps;
    int64_t cell_steps;
    bool rests;
} runner;

wadi_result wadi_runner_create(wadi_context* context, const wadi_ground* ground,
                               const runner_law* law, runner** out);
void wadi_runner_destroy(runner* r);

// Copy the ground, as other processes have left it.
void wadi_runner_follow(runner* r, const wadi_ground* ground);
// Forget the flow: copy the ground to all tiles that it touched, and set the clock to 0.
void wadi_runner_reset(runner* r, const wadi_ground* ground);
// Copy what lies next to a periodic edge to the margin on the other side.
void wadi_runner_wrap(const runner* r, void* plane);
// Index of a cell of the terrain in the planes.
ptrdiff_t wadi_runner_at(const runner* r, int64_t cell);
// The next cell of the terrain, row by row, in a tile that was touched; from -1, -1 after the last.
int64_t wadi_runner_next(const runner* r, int64_t cell);
// Cut `units` of ground out of a cell and set them in motion. The caller checks that they are
// there.
void wadi_runner_release(runner* r, int64_t cell, int32_t units, double friction);
// Add matter from outside to a cell.
void wadi_runner_pour(runner* r, int64_t cell, int32_t units, double friction);
// List the runs of active tiles.
void wadi_runner_list_tiles(runner* r);
// One step, whose length depends on the state alone.
void wadi_runner_step(runner* r);
// Has the momentum fallen to `share` of the greatest that this question has met?
bool wadi_runner_is_spent(runner* r, double share);
// Units in motion or at rest on the bed [units x cells].
int64_t wadi_runner_holds(const runner* r);
// List the state in an archive; a reading archive fills a runner that was created for the ground.
wadi_result wadi_runner_archive(runner* r, wadi_archive* archive);
