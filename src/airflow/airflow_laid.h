// SPDX-License-Identifier: MIT
// What a user lays over the wind, here and there and for a time: gusts, vortices and eddies. All
// are the curl of a stream function, and so divergence-free: they neither make nor swallow air.
#pragma once

#include "airflow/wind_tables.h"
#include "terrain/ground.h"

typedef struct airflow_laid airflow_laid;

wadi_result airflow_laid_create(wadi_terrain* terrain, uint32_t stream, airflow_laid** out);
void airflow_laid_destroy(airflow_laid* laid, wadi_context* context); // NULL is allowed
wadi_result airflow_laid_set_table(airflow_laid* laid, wadi_terrain* terrain, int32_t index,
                                   const double* rows, int32_t count);

// The next year after `year` in which a part begins or ends; infinity: none does.
double airflow_laid_next_change(const airflow_laid* laid, double year);

// Add what there is in that year to the wind: x to the east, y to the south [m/s]. False: nothing.
bool airflow_laid_add(airflow_laid* laid, wadi_terrain* terrain, double year, float* x, float* y);
