// SPDX-License-Identifier: MIT
// The flux model: sand as a continuous flux under the shear stress of the wind.
// docs/theory/dunes.md has the equations.
//
// A step of the solver (flux_advance) holds about FLUX_SAMPLING short steps, each as long as
// step_flux allows. A short step computes these in order, each for all cells:
//     wind       direction and strength in every cell, every few steps     flux_wind.c
//     streamers  gusts that vary in place and time                         flux_streamers.c
//     roof       ground, plants and the sheltered zone in lees             flux_shelter.c
//     shear      shear stress of the wind and transport capacity           flux_shear.c
//     load       advection, lifting and deposition of sand in the air      flux_load.c
//     creep      sand that rolls downslope and crosswind                   flux_creep.c
//     slip faces                                                           laws/slopes/talus.h
#pragma once

#include "laws/sand/sand_storm.h"
#include "laws/slopes/talus.h"
#include "laws/wind/airflow.h"
#include "processes/dunes/dunes_internal.h"
#include "processes/dunes/dunes_plants.h"
#include "processes/dunes/flux_kernels.h"

enum
{
    FLUX_MARGIN = 16,       // ghost columns on both sides of a plane's rows
    FLUX_RIM = FLUX_MARGIN, // cells of assumed land beyond open and closed edges
    FLUX_CLIFF_STAGES = 5,  // of the search for cliffs downwind: 31 cells
    FLUX_STAGES = 9,        // of the shelter: 2^9 - 1 cells
    FLUX_FEWEST_LEVELS = 7, // of the smoothing pyramid: waves of 256 cells
    FLUX_MOST_LEVELS = 12,  // waves of 8192 cells
    FLUX_PASSES = 2,        // advection passes of the load in a step
    FLUX_GRAIN = 16,        // rows per parallel block
    FLUX_SAMPLING = 20 // short steps between two samples of the maps and two updates of the wind
};

// Components of the wind of a cell.
enum
{
    FLUX_WIND_EAST,     // x of the unit vector along the wind
    FLUX_WIND_SOUTH,    // y of the unit vector along the wind
    FLUX_WIND_STRENGTH, // stress on flat ground over that of the fastest wind
    FLUX_WIND_PARTS
};

// Constants of the ground and of the current wind.
typedef struct flux_law
{
    double saturation; // saturation length [cells]
    float ex;          // unit vector along the wind: x to the east, y to the south
    float ey;
    float slope_x; // the wind divided by its larger component; one of the two is 1 or -1
    float slope_y;
    float drop;       // descent of the shelter along (slope_x, slope_y) [m]
    float cliff_drop; // descent at 55 degrees along (slope_x, slope_y) [m]
    float fall;       // descent of the shelter per cell of path [m]
    float cliff_fall; // descent at 55 degrees per cell of path [m]
    float echo;       // sand that the eddy at a cliff moves upwind in a step [units]
    float blur;       // variance of the smoothing of the roof [cells2]
    float path;       // displacement of the load in a pass [cells]
    float share;      // relaxation of the load towards the capacity in a pass
    float hard;       // excess of the capacity over bare rock, as a share of that over sand
    float hard_cover; // [1/units] 1 / thickness of sand that covers rock
    double per_load;  // flux of one unit of load [m2/yr]
    double fastest;   // fastest local wind over the wind of the spell
    flux_shear_law shear;
    flux_creep_law creep;
    flux_wear_law wear;
} flux_law;

// Nodes of the noise of streamers along an axis.
typedef struct flux_streamer_axis
{
    int32_t nodes; // on a torus the last one is the first one
    bool wraps;
    int32_t* node; // by cell: the node before it
    float* weight; // by cell: of the node after it
} flux_streamer_axis;

typedef struct flux_streamers
{
    flux_streamer_axis x;
    flux_streamer_axis y;
    double interval; // sand that passes flat ground in an interval of the noise [m2]
    float* gusts;    // by node: relative excess of the stress now
} flux_streamers;

// What a worker has found in its rows of the ground.
typedef struct flux_found
{
    int32_t low; // [units] of the surface
    int32_t high;
    bool plants;
    bool moist;
    int32_t cliffs; // rows of faces with one
} flux_found;

// Row buffers of one worker, readable a margin beyond both ends.
typedef struct flux_worker
{
    wadi_tally tally;
    flux_found found;
    float range[2];    // of the roof [m]
    float* floats;     // memory of the rows of floats
    float* wide;       // a row with margins for the longest stencil
    float* bank[2];    // sand of two rows [units]
    float* gusts;      // strength of the wind with streamers, of a row
    int32_t* ints;     // memory of the rows of integers
    int32_t* faces[3]; // creep over faces: to the east; to the south of two rows
    int32_t* row;      // a row of load with ghost cells
    int32_t* along[2]; // its outflow along x: forward and backward
    int32_t* moved[3]; // three rows of load after the pass along x
    int32_t* parts[6]; // their outflow along y: forward and backward of each
    int32_t* change;   // [units] of one row of sand
    int32_t* stack;    // sum of all loose layers of a row
} flux_worker;

typedef struct flux
{
    wadi_terrain* terrain;
    wadi_context* context;
    wadi_ground* ground;
    wadi_dunes_params params;
    const flux_kernels* kernels;
    flux_law law;
    wind_course course;
    ptrdiff_t stride; // of planes [cells]
    int32_t rim_x;    // FLUX_RIM, or 0 if the axis is periodic
    int32_t rim_y;
    float fade[FLUX_RIM + 1]; // by distance from an edge: share of the slope there that goes on
    bool wrap_x;
    bool wrap_y;
    int32_t levels; // of the smoothing pyramid
    int32_t base;   // [units] level that heights are counted from

    // planes: rows of `stride` cells, of which the first FLUX_MARGIN lie west of the grid. Planes
    // of floats have rim_y more rows north and south of it; the pointers are to row 0 of the grid.
    float* level;  // [m]
    float* roof;   // [m]
    float* smooth; // the roof, smoothed [m]
    float* shape;  // potential of the roof: weighted sum of its smoothed copies [m2]
    float* deep;   // the same sum over the coarse scales
    float* swap[2];
    float* stress;
    float* drift;
    float* skin;                  // share of the shear stress that reaches the ground
    float* bond;                  // threshold over that of dry sand: a plane, or a row for all
    float* bond_plane;            // memory of the plane, kept when the ground has dried
    float* dry;                   // a row of 1: dry sand
    float* open;                  // a row of 0: height of the plants on open ground
    ptrdiff_t bond_stride;        // 0: `bond` is `dry`
    float* reach;                 // skin, reduced by eddies at cliffs: `shield` or `skin`
    float* shield;                // plane for `reach`; NULL: there are no cliffs
    float* shield_plane;          // its memory
    float* eddy;                  // strength of the reversed eddy at cliffs; NULL: no cliffs
    uint8_t* eddies;              // by row: `eddy` is not 0 everywhere
    float* plants;                // height [m]; NULL: there are none
    float* plants_plane;          // its memory, kept when the last plant has died
    float* wind[FLUX_WIND_PARTS]; // planes, or one row each that holds for all rows
    ptrdiff_t wind_stride;        // stride of `wind`; 0: one row
    bool bends;                   // `wind` has memory for planes
    int32_t* capacity;            // [units]
    int32_t* load;                // [units] sand in the air
    int32_t* next_load;
    sand_top* top;     // crust, coarse grains, dry sand; NULL: there are none
    int32_t* lift;     // [units] capacity of the wind to lift held sand; NULL: `capacity`
    int32_t* supply;   // [units] that a pass may lift of it
    sand_grip* grips;  // of each cell alone
    int32_t* arrived;  // [units] mean load over the passes of a step, before its exchange
    int32_t* change;   // [units]
    int32_t* fill;     // by cell: the nearest valid cell; NULL: all are valid
    int32_t* inner;    // by cell: the same distance inside the ground
    int32_t* entry[4]; // by side and edge cell: load that enters [units]; NULL: none does
    float* relief[4];  // by side: stress that relief gives to the wind at its cells, 3 rows
    float* due;        // rock worn but not yet removed [units]; NULL: no abrasion
    float* wear;       // by cell: rock worn since the start [units]
    float* tangents;   // by cell: tangent of repose under plants; NULL: there are none
    float* tangents_plane;
    float* passed[2]; // by cell: flux east and south x time [m2]

    flux_streamers* streamers; // NULL: the wind is steady

    wadi_airflow* air;   // NULL: the wind is uniform
    int64_t next_survey; // short step at which the wind over the ground is computed again
    double fastest;      // largest wind speed of any cell [m/s]
    double middle;       // middle of the current wind [yr of the terrain's clock]

    sand_shore* shore;     // NULL: waves bring no sand
    dunes_plants* growing; // NULL: constant cover
    int64_t next_growth;   // short step at which plants are updated next
    double ungrown;        // clock time since the last update of the plants [yr]
    double calendar;       // years of the clock in a year of the current wind

    int32_t pass; // of the load, in a step
    flux_worker* workers;
    int32_t worker_count;
    wadi_talus* talus;
    int64_t carried; // [units] load that has been booked
    int64_t steps;
    int64_t sweeps;
    uint32_t stream;
    double unsampled; // years since the last sample
    double years;
    double blown;
    double sand_passed; // [m2]
} flux;

static inline ptrdiff_t flux_wrap(int32_t i, int32_t size, bool wraps)
{
    return wraps ? ((i % size) + size) % size : i < 0 ? 0 : i >= size ? size - 1 : i;
}

// Offset of row y of a plane; beyond an edge, of the wrapped row or of the edge row.
static inline ptrdiff_t flux_at(const flux* f, int32_t y)
{
    return FLUX_MARGIN + flux_wrap(y, f->ground->height, f->wrap_y) * f->stride;
}

// Thresholds of row y of the grid, and the height of its plants.
static inline const float* flux_bond_row(const flux* f, int32_t y)
{
    return f->bond + FLUX_MARGIN + y * f->bond_stride;
}

// Thresholds by which sand in the air settles. Where moist sand dries from above, its surface
// changes between dry and moist from step to step. If it trapped sand while it is moist, its cells
// would take turns.
static inline const float* flux_settling_row(const flux* f, int32_t y)
{
    return wadi_sand_top_dries(f->top) ? f->dry + FLUX_MARGIN : flux_bond_row(f, y);
}

static inline const float* flux_plants_row(const flux* f, int32_t y)
{
    return f->plants != NULL ? f->plants + flux_at(f, y) : f->open + FLUX_MARGIN;
}

static inline dunes_aloft flux_aloft(const flux* f)
{
    return (dunes_aloft){f->load + FLUX_MARGIN, f->stride};
}

// A component of the wind in row y; beyond an edge, in the wrapped row or the edge row.
static inline const float* flux_wind_row(const flux* f, int32_t part, int32_t y)
{
    const ptrdiff_t row = flux_wrap(y, f->ground->height, f->wrap_y);
    return f->wind[part] + FLUX_MARGIN + row * f->wind_stride;
}

// Index of cell i of a row of `count` cells that is mirrored at both ends: -1 is 0, -2 is 1.
static inline int32_t flux_mirror(int32_t i, int32_t count)
{
    const int32_t at = ((i % (2 * count)) + 2 * count) % (2 * count);
    return at < count ? at : 2 * count - 1 - at;
}

// Offset of row y of a plane with a rim; beyond the rim, of the mirrored row.
static inline ptrdiff_t flux_rim_at(const flux* f, int32_t y)
{
    const int32_t rows = f->ground->height + 2 * f->rim_y;
    const ptrdiff_t row = f->wrap_y ? flux_wrap(y, f->ground->height, true)
                                    : flux_mirror(y + f->rim_y, rows) - f->rim_y;
    return FLUX_MARGIN + row * f->stride;
}

// A plane of floats with a rim, and NULL or such a plane back to its memory.
wadi_result wadi_flux_plane_create(const flux* f, float** plane, const char* what);
void wadi_flux_plane_destroy(const flux* f, float* plane);
void wadi_flux_fade_create(flux* f);
// Fill `reach` cells beyond the rim of a row that starts at the first cell of the grid.
void wadi_flux_mirror_margins(const flux* f, float* row, int32_t reach);
// Continue `level` by a cell beyond the edges, and `roof` over the rim.
void wadi_flux_extend_level(flux* f);
void wadi_flux_extend_roof(flux* f);
// Fill `reach` ghost cells beyond the western and eastern edges.
void wadi_flux_fill_margins(const flux* f, float* row, int32_t reach);
void wadi_flux_fill_load_margins(const flux* f, int32_t* row);
// Sand of a row of the grid [units]: the only loose layer, or the sum of all in the worker's stack.
const int32_t* wadi_flux_sand_row(const flux* f, int32_t y, flux_worker* worker);

wadi_result wadi_flux_fill_create(flux* f); // voids
void wadi_flux_fill_voids(flux* f);
// Sand in voids of row y, in the air or rolling, leaves the grid.
void wadi_flux_leave_voids(const flux* f, int32_t y, int32_t* sand, wadi_tally* tally);

wadi_result wadi_flux_law_create(flux* f);
double wadi_flux_law_saturated(const flux* f, double speed); // saturated flux [m2/yr]
double wadi_flux_law_longest(const flux* f, double speed);   // longest short step [yr of wind]
double wadi_flux_law_step(const flux* f);                    // a step of the solver [yr]
// Set the constants of a wind for steps of `years`; call after wadi_flux_wind_blow().
void wadi_flux_law_set(flux* f, const wind_spell* wind, double years);

wadi_result wadi_flux_streamers_create(flux* f);
void wadi_flux_streamers_destroy(flux* f);
void wadi_flux_streamers_blow(flux* f); // compute the gusts of a short step
// Stress of a cell over that without streamers; there are streamers.
float wadi_flux_streamer(const flux* f, int32_t x, int32_t y);
// Strength of the wind times the streamers of row y: `out`, or `strength` where there are none.
const float* wadi_flux_streamer_row(const flux* f, int32_t y, const float* strength, float* out);

wadi_result wadi_flux_wind_create(flux* f);
wadi_result wadi_flux_wind_set_table(flux* f, int32_t index, const double* rows, int32_t count);
// Compute the wind of every cell.
wadi_result wadi_flux_wind_blow(flux* f, const wind_spell* wind);

wadi_result wadi_flux_freeze(flux* f); // read layers that may have changed since the last step
void wadi_flux_skin(flux* f);          // read plants, moisture and water
void wadi_flux_shelter(flux* f);
void wadi_flux_shear(flux* f);
wadi_result wadi_flux_inflow_create(flux* f);
void wadi_flux_inflow_read(flux* f); // sand that enters over open edges
void wadi_flux_carry(flux* f);
void wadi_flux_creep(flux* f);
void wadi_flux_wear(flux* f);

wadi_result wadi_flux_top_create(flux* f);
void wadi_flux_top_note(flux* f);                  // read the level of the ground
void wadi_flux_top_read(flux* f);                  // what holds the sand of each cell
void wadi_flux_top_bind(const flux* f, int32_t y); // capacity to lift sand of row y
// Let the top of the sand age for `years`: of the current wind if it has blown, or of calm.
void wadi_flux_top_age(flux* f, double years, bool blown);

wadi_result wadi_flux_archive(void* user, wadi_archive* archive);

wadi_result wadi_flux_maps_create(flux* f);
void wadi_flux_maps_sample(flux* f);
void wadi_flux_maps_fill(const flux* f, int32_t index, float* out);
