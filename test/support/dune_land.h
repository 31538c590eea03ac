// SPDX-License-Identifier: MIT
// Ground for the process `dunes`, described in the frame of its wind so that forms can be rotated
// with it, and measures of the result. See also sand_wind.h.
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
    const char* table; // of winds; NULL: none
    const double* rows;
    int32_t row_count;
} dune_land_def;

// 256 x 256 cells of 1 m on a torus, one thread, default parameters.
dune_land_def dune_land_def_default(void);

// The solver is that of `dunes`; use it as a sand_land.
void dune_land_open(sand_land* land, const dune_land_def* def);

// Let the wind blow; checks that the ledger closes and no sand thickness is negative.
void dune_land_blow(sand_land* land, double years);

// A sheet of sand of 4 m with bumps of up to 0.4 m, 4 m apart; the same land on any cell size.
double dune_sheet(sand_place place, const void* user);

// Measures relative to the wind of the land's frame.
dune_measures dune_land_measure(const sand_land* land);
// Share of cells with less than 0.05 m of sand.
double dune_bare_share(const sand_land* land);
// Greatest sand thickness and its place.
double dune_summit(const sand_land* land, sand_place* where);
// Centre of mass of the sand.
sand_place dune_centre(const sand_land* land);
// Arms of a star dune: maxima of the sand thickness on a circle around its middle that reach
// `least` times the circle's mean.
int32_t dune_arms(const sand_land* land, sand_place middle, double radius, double least);
