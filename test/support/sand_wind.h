// SPDX-License-Identifier: MIT
// Ground for the wind that is drawn in the wind's own frame, so that a form can be turned with it:
// `along` metres downwind and `across` metres to its left from the middle of the map.
#pragma once

#include "support/fixture.h"

typedef struct sand_place
{
    double along;  // [m]
    double across; // [m]
} sand_place;

// Height at a place [m].
typedef double sand_shape(sand_place place, const void* user);

typedef struct sand_land
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* wind;
    int32_t size;
    double cell;
    double x; // where the wind blows: east
    double y; // south
    bool wraps;
} sand_land;

typedef struct sand_land_def
{
    int32_t size;
    double cell; // [m]
    wadi_edge edges;
    uint64_t seed;
    wadi_wind_params params;
    sand_shape* rock; // NULL: flat
    sand_shape* sand; // thickness
    const void* user;
} sand_land_def;

// 160 x 160 cells of 2 m with open edges; nothing is set to rest at the end of a run.
sand_land_def sand_land_def_default(void);

void sand_land_open(sand_land* land, const sand_land_def* def);
void sand_land_blow(sand_land* land, double years); // the ledger closes
void sand_land_close(sand_land* land);

// Where a cell is. On a torus at the shortest way from the middle.
sand_place sand_place_of(const sand_land* land, int32_t x, int32_t y);
// A layer between cells [m]; the rim stands for what is outside open edges.
double sand_layer_at(const sand_land* land, wadi_layer layer, sand_place place);
