// SPDX-License-Identifier: MIT
// Gusts, vortices and eddies that a user adds to the wind, for a time and within a radius. All are
// the curl of a stream function and so free of divergence.
#pragma once

#include "laws/wind/wind_tables.h"
#include "terrain/ground.h"

typedef struct airflow_laid airflow_laid;

wadi_result wadi_airflow_laid_create(wadi_terrain* terrain, uint32_t stream, airflow_laid** out);
void wadi_airflow_laid_destroy(airflow_laid* laid, wadi_context* context); // NULL is allowed
wadi_result wadi_airflow_laid_set_table(airflow_laid* laid, wadi_terrain* terrain, int32_t index,
                                        const double* rows, int32_t count);

// The next year after `year` in which a part begins or ends; infinity: none does.
double wadi_airflow_laid_next_change(const airflow_laid* laid, double year);

// Add the parts active in that year to the wind: x to the east, y to the south [m/s]. False: none.
bool wadi_airflow_laid_add(airflow_laid* laid, wadi_terrain* terrain, double year, float* x,
                           float* y);
