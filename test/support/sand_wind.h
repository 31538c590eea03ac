// SPDX-License-Identifier: MIT
// Ground for the wind, described in the wind's frame so that forms can be rotated with it: `along`
// metres downwind and `across` metres to the left from the middle of the map.
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
    double x; // wind direction: east
    double y; // wind direction: south
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

// 160 x 160 cells of 2 m with open edges; no final settling.
sand_land_def sand_land_def_default(void);

void sand_land_open(sand_land* land, const sand_land_def* def);
// Fill a layer with a shape; NULL: leave it.
void sand_land_draw(const sand_land* land, wadi_layer layer, sand_shape* shape, const void* user);
void sand_land_blow(sand_land* land, double years); // checks that the ledger closes
void sand_land_close(sand_land* land);

// Position of a cell; on periodic terrain the image nearest to the middle.
sand_place sand_place_of(const sand_land* land, int32_t x, int32_t y);
// Bilinear value of a layer [m]; outside open edges it continues with the edge cells.
double sand_layer_at(const sand_land* land, wadi_layer layer, sand_place place);

// A paraboloid, as thick as `height` at the middle of the map [m].
double sand_heap(sand_place place, double height, double radius);
// Downwind end of the sand on a line along the wind, `across` metres beside a dune's summit, at
// most `reach` metres away; -reach: there is no sand.
double sand_front(const sand_land* land, sand_place summit, double across, double reach,
                  double step);
// Slope of log y over log x.
double sand_exponent(const double* x, const double* y, int32_t count);
