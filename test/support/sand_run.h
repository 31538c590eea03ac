// SPDX-License-Identifier: MIT
// A run of the default wind over a sheet of sand on a torus.
#pragma once

#include "support/dunes.h"
#include "support/fixture.h"

typedef struct sand_job
{
    int32_t size; // cells along a side
    double cell;  // [m]
    double depth; // of the sand [m]
    int32_t fine; // waves are made on cells this many times finer, and averaged
    uint64_t seed;
    wadi_wind_params params;
} sand_job;

typedef struct sand_run
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* wind;
    double x; // wind direction: east
    double y; // wind direction: south
} sand_run;

// 256 x 256 cells of 2 m under 4 m of sand; no final settling.
sand_job sand_job_default(void);

void sand_open(sand_run* run, const sand_job* job);
void sand_blow(sand_run* run,
               double years); // checks that the ledger closes and no sand thickness is negative
dune_measures sand_measure(const sand_run* run);
double sand_flux(const sand_run* run); // mean along the wind [m2/yr]
void sand_close(sand_run* run);

// Open, blow, measure and close.
dune_measures sand_look(const sand_job* job, double years);

// Mean of values and its standard error.
typedef struct sand_mean
{
    double mean;
    double error;
} sand_mean;

sand_mean sand_mean_of(const double* values, int32_t count);
