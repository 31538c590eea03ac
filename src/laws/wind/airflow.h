// SPDX-License-Identifier: MIT
// The wind over a terrain: a regional wind, accelerated over high ground, deflected by relief at
// two scales, reduced in the lee, plus gusts, vortices and eddies (Paris et al. 2019, section 4,
// with the readings of docs/wind-field.md).
//
//     wadi_airflow_create(terrain, &law, stream, &flow);
//     wadi_airflow_survey(flow);                      // smoothed ground; every few steps
//     wadi_airflow_blow(flow, &(airflow_wind){...});  // x, y, shelter for one wind
//
// All passes gather with a fixed stencil: the bits do not depend on threads, and shifting the
// ground along periodic edges shifts the field.
#pragma once

#include "laws/wind/wind_tables.h"
#include "terrain/ground.h"
#include <wadi/archive.h>

// Parameters of the wind over relief, documented in AIRFLOW_ROWS.
typedef struct airflow_law
{
    double speedup;          // per metre above the mean ground [1/m]
    double speedup_limit;    // the wind stays between 1/limit and limit times the regional wind
    double warp;             // factor of both turning speeds; 0: no deflection
    double warp_wide;        // smoothing radius of the wide scale [m]
    double warp_narrow;      // smoothing radius of the narrow scale [m]
    double warp_wide_share;  // weight of the wide scale
    double warp_wide_turn;   // [m/s] along the contours per squared slope
    double warp_narrow_turn; // [m/s]
    double lee_begin;        // angle to the skyline upwind at which shelter begins [degree]
    double lee_full;         // angle from which shelter is complete [degree]
    double plant_height;     // [m] of a full cover, which adds to the height that casts shelter
    bool open;               // no shelter: for callers that compute it themselves
} airflow_law;

// The regional wind at a point of time.
typedef struct airflow_wind
{
    double direction; // from which the wind blows [degree]
    double speed;     // at 10 m above flat ground [m/s]
    double years;     // of the terrain's clock, for tables that depend on time
} airflow_wind;

// The wind of every cell, width x height; valid until the next call.
typedef struct airflow_view
{
    const float* x;       // [m/s] to the east, not yet reduced by shelter
    const float* y;       // [m/s] to the south
    const float* shelter; // [1] 0: open to the wind, 1: in the lee; NULL where the law is open
    float turned;         // largest sine of a deflection by relief, or 1 with local winds
    bool laid;            // a gust, vortex or eddy is active
} airflow_view;

typedef struct wadi_airflow wadi_airflow;

// The terrain must outlive the flow. `stream` keys its random numbers.
wadi_result wadi_airflow_create(wadi_terrain* terrain, const airflow_law* law, uint32_t stream,
                                wadi_airflow** out);
void wadi_airflow_destroy(wadi_airflow* flow); // NULL is allowed

// Rows of a table in [AIRFLOW_TABLE_GUSTS, AIRFLOW_TABLE_COUNT).
wadi_result wadi_airflow_set_table(wadi_airflow* flow, int32_t index, const double* rows,
                                   int32_t count);

// Compute the mean level and the smoothed relief. Dunes move slowly compared with the radii of
// smoothing, so a caller may do it every few steps; wadi_airflow_blow() reads heights each time.
// In windows of a grid all of them call it, and so wadi_airflow_blow(); both fail if memory for the
// cells around a window runs out or another window has failed, and never otherwise.
wadi_result wadi_airflow_survey(wadi_airflow* flow);

// Compute the field of one wind over the current ground. On a whole grid it never allocates; in a
// window it holds the owned cells.
wadi_result wadi_airflow_blow(wadi_airflow* flow, const airflow_wind* wind);
// The next year after `year` in which a gust, vortex, eddy or local wind changes; infinity if there
// is none or `flow` is NULL.
double wadi_airflow_next_change(const wadi_airflow* flow, double year);
airflow_view wadi_airflow_view(const wadi_airflow* flow);
// Save, restore or hash the last field, for callers that report it as maps. Nothing else is kept
// from one blow to the next after a survey.
wadi_result wadi_airflow_archive(wadi_airflow* flow, wadi_archive* archive);
