// SPDX-License-Identifier: MIT
// Winds of places: within a radius a rose of its own stands in place of the wind of the map. Each
// is shaped by relief as that is, and over the rim, `soft` wide, the two are mixed.
//
// Mixing does not keep the air: where winds of two places meet, it rises, as over a real desert,
// and sand piles up. A rim without divergence would lead past the place what the place does not
// take: a calm of 900 m with a rim of 200 m in a wind of 10 m/s, by a jet of 65 m/s.
#pragma once

#include "airflow/airflow.h"

enum
{
    AIRFLOW_LOCAL_COLUMNS = 7,
    AIRFLOW_LOCAL_DIRECTION = 4 // the first that does not say where: x, y, radius, soft
};

typedef struct airflow_local airflow_local;

// Rows of the table AIRFLOW_TABLE_LOCAL_WINDS. The first turn of each place begins now.
wadi_result airflow_local_create(wadi_terrain* terrain, const double* rows, int32_t count,
                                 airflow_local** out);
void airflow_local_destroy(airflow_local* local, wadi_context* context); // NULL is allowed

// The next year after `year` in which a place has another wind; infinity: none ever does.
double airflow_local_next_change(const airflow_local* local, double year);

// Put the winds of that year in place of the wind of the map.
void airflow_local_blow(airflow_local* local, wadi_airflow* flow, double year);
