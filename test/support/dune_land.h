// SPDX-License-Identifier: MIT
// Ground for the process `dunes` that is drawn in the frame of its wind, so that a form can be
// turned with it, and what is read from such ground. sand_wind.h has the places and the readings.
#pragma once

#include "support/dunes.h"
#include "support/sand_wind.h"

typedef struct dune_land_def
{
    int32_t size; // cells along a side
    double cell;  // [m]
    wadi_edge edges;
    int32_t threads;
    wadi_dunes_params params; // `direction` is the frame's
    sand_shape* rock;         // NULL: flat
    sand_shape* sand;         // thickness
    sand_shape* plants;       // cover
    sand_shape* hardness;
    const void* user;
    const char* table; // NULL: none
    const double* rows;
    int32_t row_count;
} dune_land_def;

// 256 x 256 cells of 1 m on a torus, one thread, default parameters.
dune_land_def dune_land_def_default(void);

// The land's solver is that of `dunes`; blow and close it as a sand_land.
void dune_land_open(sand_land* land, const dune_land_def* def);

// Let the wind blow; the ledger closes and no sand is below 0.
void dune_land_blow(sand_land* land, double years);

// Bumps of 4 m and up to 0.4 m in a sheet of sand of 4 m, the same land on cells of any size.
double dune_sheet(sand_place place, const void* user);

// Measures for the wind of the land's frame.
dune_measures dune_land_measure(const sand_land* land);
// Share of cells with less than 0.05 m of sand.
double dune_bare_share(const sand_land* land);
// The highest sand, and where.
double dune_summit(const sand_land* land, sand_place* where);
// Centre of mass of the sand.
sand_place dune_centre(const sand_land* land);
// Arms of a star: directions from its middle in which the sand is highest on a circle, and at least
// so many times the circle's mean.
int32_t dune_arms(const sand_land* land, sand_place middle, double radius, double least);
