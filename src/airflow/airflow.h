// SPDX-License-Identifier: MIT
// The wind over a terrain: one wind aloft, sped up by height, turned by relief at two scales, kept
// off the lees, and what a user has laid over it (Paris et al. 2019, section 4, with the readings
// of docs/wind-field.md).
//
//     wadi_airflow_create(terrain, &law, stream, &flow);
//     wadi_airflow_survey(flow);                      // the ground as it is; every few steps
//     wadi_airflow_blow(flow, &(airflow_wind){...});  // x, y, shelter for one wind over it
//
// Everything is a gather with a fixed stencil: the bits do not depend on threads, and on a torus
// ground that is rolled gives a field that is rolled.
#pragma once

#include "airflow/wind_tables.h"
#include "terrain/ground.h"

// How the ground shapes the wind: the members of AIRFLOW_ROWS, see there.
typedef struct airflow_law
{
    double speedup;          // per metre above the mean ground [1/m]
    double speedup_limit;    // the wind stays between 1/limit and limit times the one aloft
    double warp;             // multiplies both turning speeds; 0: the wind keeps its direction
    double warp_wide;        // radius over which the ground is smoothed [m]
    double warp_narrow;      // the same for the finer scale [m]
    double warp_wide_share;  // weight of the wide scale
    double warp_wide_turn;   // [m/s] along the contours per slope and slope
    double warp_narrow_turn; // [m/s]
    double lee_begin;        // angle to the skyline upwind at which shelter begins [degree]
    double lee_full;         // and is whole [degree]
    double plant_height;     // of a full cover; shelter is cast from its top [m]
    bool open;               // nothing shelters: for callers that have lees of their own
} airflow_law;

// A wind aloft, and when.
typedef struct airflow_wind
{
    double direction; // that it comes from [degree]
    double speed;     // at 10 m above flat ground [m/s]
    double years;     // of the terrain's clock, for what is laid over the wind
} airflow_wind;

// The wind of every cell, width x height; valid until the next call.
typedef struct airflow_view
{
    const float* x;       // [m/s] to the east, not yet kept off by shelter
    const float* y;       // [m/s] to the south
    const float* shelter; // [1] 0: open to the wind, 1: in the lee; NULL where the law is open
    float turned;         // largest sine of a turn by relief, or 1 where places have own winds
    bool laid;            // something is laid over the wind
} airflow_view;

typedef struct wadi_airflow wadi_airflow;

// Binds to the terrain, which must outlive it. `stream` keys its random numbers.
wadi_result wadi_airflow_create(wadi_terrain* terrain, const airflow_law* law, uint32_t stream,
                                wadi_airflow** out);
void wadi_airflow_destroy(wadi_airflow* flow); // NULL is allowed

// Rows of a table in [AIRFLOW_TABLE_GUSTS, AIRFLOW_TABLE_COUNT).
wadi_result wadi_airflow_set_table(wadi_airflow* flow, int32_t index, const double* rows,
                                   int32_t count);

// Look at the ground: mean level, smoothed relief. Dunes move slowly against the radii of warping,
// so a caller may do it every few steps; blow() reads heights anew each time.
void wadi_airflow_survey(wadi_airflow* flow);

// One wind over the ground as it is now. Never allocates.
void wadi_airflow_blow(wadi_airflow* flow, const airflow_wind* wind);
// The next year after `year` in which what is laid over the wind changes; infinity: it never does.
// NULL has nothing that could.
double wadi_airflow_next_change(const wadi_airflow* flow, double year);
airflow_view wadi_airflow_view(const wadi_airflow* flow);
