// SPDX-License-Identifier: MIT
// The flux mode: sand as a continuous flux under the shear stress of the wind.
// docs/theory/dunes.md has the equations.
//
// A step computes, each for all cells before the next begins:
//     the wind    of every cell, every few steps                              flux_wind.c
//     the roof    the ground, its plants and the shelter behind brinks        flux_shelter.c
//     the shear   stress of the wind and what it can carry                    flux_shear.c
//     the load    sand in the air moves on, and is lifted and laid down       flux_load.c
//     the creep   sand that rolls down slopes and across the wind             flux_creep.c
//     slip faces                                                              talus/talus.h
#pragma once

#include "airflow/airflow.h"
#include "dunes/dunes_internal.h"
#include "dunes/dunes_plants.h"
#include "dunes/flux_kernels.h"
#include "talus/talus.h"

enum
{
    FLUX_MARGIN = 16,       // columns on both sides of a plane's rows
    FLUX_CLIFF_STAGES = 5,  // of the look ahead at cliffs: 31 cells
    FLUX_STAGES = 9,        // of the shelter: 2^9 - 1 cells
    FLUX_FEWEST_LEVELS = 7, // of the pyramid: waves of 256 cells
    FLUX_MOST_LEVELS = 12,  // 8192 cells
    FLUX_PASSES = 2,        // of the load in a step
    FLUX_GRAIN = 16,        // rows of a block
    FLUX_SAMPLING = 16 // steps between two samples for the flux maps, and two looks at the wind
};

// What is known of the wind of a cell.
enum
{
    FLUX_WIND_EAST,     // its direction: a unit vector
    FLUX_WIND_SOUTH,    //
    FLUX_WIND_STRENGTH, // stress on flat ground over that of the fastest wind
    FLUX_WIND_PARTS
};

// Constants of the ground and of the wind that blows.
typedef struct flux_law
{
    double saturation; // length [cells]
    float ex;          // the wind blows along it: x to the east, y to the south
    float ey;
    float slope_x; // one stage of the shelter leads this far upwind [cells]; one of them is 1 or -1
    float slope_y;
    float drop;       // of the shelter in that distance [m]
    float cliff_drop; // of 55 degrees, likewise
    float fall;       // of the shelter in a cell [m]
    float cliff_fall; // of 55 degrees, likewise
    float echo;       // [units] that the eddy before a cliff moves back in a step
    float blur;       // variance of the smoothed roof [cells2]
    float path;       // of a pass of the load [cells]
    float share;      // of the lack of load that a pass makes up for
    int32_t inflow;   // [units] load of the wind beyond open edges
    double per_load;  // flux of one unit of load [m2/yr]
    double fastest;   // wind over that aloft
    flux_shear_law shear;
    flux_creep_law creep;
    flux_wear_law wear;
} flux_law;

// What each worker has to itself: rows of cells, readable a margin beyond both ends.
typedef struct flux_worker
{
    wadi_tally tally;
    float range[2];    // of the roof [m]
    float* floats;     // memory of the rows of floats
    float* wide;       // a row with margins as wide as the longest look
    float* bank[2];    // sand of two rows [units]
    int32_t* ints;     // memory of the rows of integers
    int32_t* faces[3]; // creep over faces: to the east; to the south of two rows
    int32_t* row;      // a row of load with what lies beyond its ends
    int32_t* along[2]; // what it gives along itself: forward and back
    int32_t* moved[3]; // three rows of load that have moved along x
    int32_t* parts[6]; // what they give along y: forward and back of each
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
    bool wrap_x;
    bool wrap_y;
    int32_t levels; // of the pyramid: as many as the grid has waves for
    int32_t base;   // [units] level that heights are counted from

    // planes: rows of `stride` cells, of which the first FLUX_MARGIN lie west of the grid
    float* level;  // [m]
    float* roof;   // [m]
    float* smooth; // the roof, smoothed [m]
    float* shape;  // potential of the roof's shape [m2]
    float* deep;   // of its coarse scales
    float* swap[2];
    float* stress;
    float* drift;
    float* skin;                  // share of the stress that reaches the sand
    float* reach;                 // the same before cliffs; where there are none, the skin
    float* shield;                // memory of that; NULL: there are no cliffs
    float* eddy;                  // share of the reversed eddy before cliffs, likewise
    float* plants;                // height [m]; NULL: there are none
    float* wind[FLUX_WIND_PARTS]; // planes, or one row each that stands for all
    ptrdiff_t wind_stride;        // of them; 0: one row
    bool bends;                   // they are planes
    int32_t* capacity;            // [units]
    int32_t* load;                // [units] sand in the air
    int32_t* next_load;
    int32_t* change;  // [units]
    int32_t* fill;    // by cell: a valid cell near by; NULL: all are valid
    float* due;       // [units] rock that is worn but not yet taken; NULL: no abrasion
    float* wear;      // by cell [units]
    float* tangents;  // by cell, of repose under plants; NULL: there are none
    float* passed[2]; // by cell: flux east and south x time [m2]

    wadi_airflow* air;   // NULL: nothing bends the wind
    int64_t next_survey; // step before which the wind looks at the ground again
    double fastest;      // wind of any cell on flat ground [m/s]
    double middle;       // of the wind that blows [yr of the terrain's clock]

    dunes_plants* growing; // NULL: cover is as given
    int64_t next_growth;   // step before which plants live on
    double unlived;        // [yr] of the clock that they have not lived yet
    double calendar;       // years of the clock in a year of the wind that blows

    flux_worker* workers;
    int32_t worker_count;
    wadi_talus* talus;
    int64_t carried; // [units] load that has been booked
    int64_t steps;
    int64_t sweeps;
    uint32_t stream;
    double began;     // year of the terrain's clock
    double unsampled; // years since the last sample
    double years;
    double blown;
    double sand_passed; // [m2]
} flux;

static inline ptrdiff_t flux_wrap(int32_t i, int32_t size, bool wraps)
{
    return wraps ? ((i % size) + size) % size : i < 0 ? 0 : i >= size ? size - 1 : i;
}

// Offset of row y of a plane; beyond an edge, of the row that is seen there.
static inline ptrdiff_t flux_at(const flux* f, int32_t y)
{
    return FLUX_MARGIN + flux_wrap(y, f->ground->height, f->wrap_y) * f->stride;
}

static inline dunes_aloft flux_aloft(const flux* f)
{
    return (dunes_aloft){f->load + FLUX_MARGIN, f->stride};
}

// A part of the wind in row y, or in what is seen beyond an edge there.
static inline const float* flux_wind_row(const flux* f, int32_t part, int32_t y)
{
    const ptrdiff_t row = flux_wrap(y, f->ground->height, f->wrap_y);
    return f->wind[part] + FLUX_MARGIN + row * f->wind_stride;
}

// Show what lies beyond the western and eastern edge, `reach` cells far.
void flux_fill_margins(const flux* f, float* row, int32_t reach);
void flux_fill_load_margins(const flux* f, int32_t* row);
// Sand of a row of the grid [units]: the only loose layer, or the sum of all in the worker's stack.
const int32_t* flux_sand_row(const flux* f, int32_t y, flux_worker* worker);

wadi_result flux_fill_create(flux* f); // voids
void flux_fill_voids(flux* f);

wadi_result flux_law_create(flux* f);
double flux_law_saturated(const flux* f, double speed); // flux of a wind that blows on [m2/yr]
// The wind of a spell as flux_wind_blow() has left it, in steps of `years`.
void flux_law_set(flux* f, const wind_spell* wind, double years);

wadi_result flux_wind_create(flux* f);
wadi_result flux_wind_lay(flux* f, int32_t index, const double* rows, int32_t count);
// The wind of every cell.
wadi_result flux_wind_blow(flux* f, const wind_spell* wind);

wadi_result flux_freeze(flux* f); // what others may have changed since the last advance
void flux_skin(flux* f);          // the cover as it is now
void flux_shelter(flux* f);
void flux_shear(flux* f);
void flux_carry(flux* f);
void flux_creep(flux* f);
void flux_wear(flux* f);

wadi_result flux_maps_create(flux* f);
void flux_maps_sample(flux* f);
void flux_maps_fill(const flux* f, int32_t index, float* out);
