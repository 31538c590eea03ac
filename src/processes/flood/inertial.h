// SPDX-License-Identifier: MIT
// Inertial shallow water on the cells of a terrain (Bates, Horritt & Fewtrell 2010; de Almeida et
// al. 2012), in whole units of water. docs/theory/flood.md has the equations.
//
// The water has its own copy of the ground and of the layer of water, and does not change layers.
#pragma once

#include "core/internal.h"
#include "core/time_series.h"
#include "processes/flood/inertial_kernels.h"
#include "terrain/ground.h"

#include <wadi/archive.h>

enum
{
    INERTIAL_MARGIN = 16, // cells of the planes beside the tiles
    INERTIAL_RING = 3,    // cells beyond a periodic edge that copy those on the other side
    INERTIAL_LEVELS = 3   // waves cross at most the height of a tile in a cycle of 2^3 steps
};

// Constants of the motion.
typedef struct inertial_law
{
    double roughness;   // Manning's n [s/m^(1/3)]
    double theta;       // weight of an edge's own discharge
    double courant;     // share of the longest stable step
    double froude;      // greatest Froude number
    double film;        // water shallower than this does not flow [m]
    double least_slope; // of uniform flow out of the terrain
    double edge_slope;  // the same; 0: that of the ground
    double arrival;     // depth that counts as arrival [m]
    int32_t levels;     // times that a tile's step may be the double of the shortest
} inertial_law;

// A place where water enters: cells of a line or a point, and a hydrograph.
typedef struct inertial_source
{
    int32_t* cells; // of the terrain; owned
    int32_t count;
    wadi_series series; // discharge by hours; rows are borrowed
    int32_t column;     // of the discharge [m3/s]
    int64_t owed;       // units that have come and are not in the terrain yet
} inertial_source;

// A cell beyond an open edge, or a void: what flows into it has left.
typedef struct inertial_outlet
{
    int32_t at;    // in the planes
    int32_t inner; // the cell inside, whose depth it has, or -1: a void
    int32_t side;
    int32_t held; // water that was put there [units]; more has flowed in
} inertial_outlet;

typedef struct inertial
{
    wadi_context* context;
    const inertial_kernels* kernels;
    inertial_law law;
    int32_t width; // of the terrain
    int32_t height;
    double cell; // [m]
    bool wraps_x;
    bool wraps_y;
    ptrdiff_t size; // cells of a plane, with margins
    ptrdiff_t origin;
    inertial_planes planes;
    float* memory; // of all planes
    inertial_outlet* outlets;
    int32_t outlet_count;
    int64_t outlet_room;
    int64_t valid; // cells with data

    int32_t columns; // of tiles
    int32_t rows;
    uint8_t* fresh;   // by tile: water or ground was changed
    uint8_t* active;  // by tile
    uint8_t* level;   // by tile: its step is the shortest, doubled this many times
    float* fastest;   // by tile: greatest velocity
    int32_t* deepest; // by tile: greatest depth
    int32_t* list;    // first tiles of runs of active tiles
    int32_t* lengths; // of the runs
    int32_t count;    // of runs

    inertial_source* sources; // borrowed
    int32_t source_count;
    double rain;       // [mm/h]
    double rain_hours; // duration of the rain

    double time;                   // [s]
    int64_t since;                 // steps since the tiles were chosen
    int64_t steps;                 //
    int64_t cell_steps;            //
    int64_t in;                    // units that entered and are not booked yet [units x cells]
    int64_t left[WADI_SIDE_COUNT]; // units that left and are not booked yet
    bool rests;
} inertial;

wadi_result wadi_inertial_create(wadi_context* context, const wadi_ground* ground,
                                 const inertial_law* law, inertial** out);
void wadi_inertial_destroy(inertial* w);

// Copy ground and water, as other processes have left them. `rough`: Manning's n by cell, or NULL.
wadi_result wadi_inertial_follow(inertial* w, const wadi_ground* ground, const float* rough);
// Copy `ring` cells next to a periodic edge to the margin on the other side. So cells of the first
// ring compute what the cells that they copy compute, and the length of steps is theirs.
void wadi_inertial_wrap(const inertial* w, void* plane, int32_t ring);
// Index of a cell of the terrain in the planes.
ptrdiff_t wadi_inertial_at(const inertial* w, int64_t cell);
int32_t wadi_inertial_tile_of(const inertial* w, ptrdiff_t at);
// First cell of a tile in the planes.
ptrdiff_t wadi_inertial_first(const inertial* w, int32_t tile);
// Choose the tiles with and beside motion; all while it rains.
void wadi_inertial_choose_tiles(inertial* w, bool rains);
// List the runs of active tiles of one level.
void wadi_inertial_list_tiles(inertial* w);
// Level of each active tile for a cycle of steps, and the greatest of them.
int32_t wadi_inertial_choose_levels(inertial* w, double step);
// The longest stable step of water as deep [units] and fast [m/s] [s].
double wadi_inertial_stable_step(const inertial* w, int32_t deepest, float fastest);
// One cycle of steps, whose lengths depend on the state alone: the longest step of a tile.
void wadi_inertial_step(inertial* w);
// Add units of water to a cell.
void wadi_inertial_pour(inertial* w, int64_t cell, int32_t units);

// ---- sources: inertial_source.c ----------------------------------------------------------

// The cells with data on the line from (x0, y0) to (x1, y1), in metres from the south-west corner.
wadi_result wadi_inertial_line(wadi_context* context, const wadi_ground* ground,
                               const double ends[4], inertial_source* source);
// Pour what comes in a step that begins now.
void wadi_inertial_bring(inertial* w, double step);
// Rain of that step, or of a longer one [units].
int32_t wadi_inertial_rain(const inertial* w, double step);
// Does water still come after this time?
bool wadi_inertial_awaits(const inertial* w);

// List the state in an archive; a reading archive fills water that was created for the ground.
wadi_result wadi_inertial_archive(inertial* w, wadi_archive* archive);
