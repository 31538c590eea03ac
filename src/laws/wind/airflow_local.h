// SPDX-License-Identifier: MIT
// Local winds: within a radius a rose replaces the regional wind. Each local wind is shaped by
// relief in the same way, and over the rim, `soft` wide, the two are mixed.
//
// Mixing does not conserve air: where two winds meet it rises, as over a real desert, and sand
// piles up. A rim free of divergence would have to carry the whole difference around the place: a
// calm of 900 m with a rim of 200 m in a wind of 10 m/s would get a jet of 65 m/s.
#pragma once

#include "laws/wind/airflow.h"

enum
{
    AIRFLOW_LOCAL_COLUMNS = 7,
    AIRFLOW_LOCAL_DIRECTION = 4 // first column after x, y, radius, soft
};

typedef struct airflow_local airflow_local;

// Create from AIRFLOW_TABLE_LOCAL_WINDS. The first turn of each place begins in year 0 of the
// world's clock, and its turns repeat without end.
wadi_result wadi_airflow_local_create(wadi_terrain* terrain, const double* rows, int32_t count,
                                      airflow_local** out);
void wadi_airflow_local_destroy(airflow_local* local, wadi_context* context); // NULL is allowed

// The next year after `year` in which a local wind changes; infinity if none does.
double wadi_airflow_local_next_change(const airflow_local* local, double year);

// Replace the regional wind by the local winds of that year.
void wadi_airflow_local_blow(airflow_local* local, wadi_airflow* flow, double year);
