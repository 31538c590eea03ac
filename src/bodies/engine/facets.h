// SPDX-License-Identifier: MIT
// A height field as something to lie on: two triangles between the centres of four cells, split
// from north-west to south-east; level beyond the centres of the outermost cells. Grains and water
// as particles meet the plane of the triangle under them.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wadi_facets
{
    float* heights; // width x height, row 0 in the north [m]
    int32_t width;
    int32_t height;
    double cell_size; // [m]
    double west;      // x of the west edge [m]
    double south;     // y of the south edge [m]
} wadi_facets;

// Cell whose centre is at or before a place counted in cells, and the share of the way to the next.
static inline int32_t wadi_facets_cell(double place, int32_t cells, double* share)
{
    const double last = (double)(cells - 1);
    const double held = place < 0.0 ? 0.0 : place > last ? last : place;
    const int32_t cell = (int32_t)held < cells - 1 ? (int32_t)held : cells - 2;
    *share = held - (double)cell;
    return cell;
}

// Beyond the centres of the outermost cells.
static inline bool wadi_facets_beyond(double place, int32_t cells)
{
    return place < 0.0 || place > (double)(cells - 1);
}

// Height under a point, and how it slopes to the east and north.
static inline double wadi_facets_height(const wadi_facets* facets, double x, double y,
                                        double slope[2])
{
    double u;
    double v;
    const double across = (x - facets->west) / facets->cell_size - 0.5;
    const double along = (double)facets->height - (y - facets->south) / facets->cell_size - 0.5;
    const int32_t column = wadi_facets_cell(across, facets->width, &u);
    const int32_t row = wadi_facets_cell(along, facets->height, &v);
    const float* north = facets->heights + (ptrdiff_t)row * facets->width + column;
    const float* south = north + facets->width;
    const double nw = (double)north[0];
    const double se = (double)south[1];
    const bool upper = u > v;
    const double corner = upper ? (double)north[1] : (double)south[0];
    const double east = upper ? corner - nw : se - corner;
    const double down = upper ? se - corner : corner - nw;
    slope[0] = wadi_facets_beyond(across, facets->width) ? 0.0 : east / facets->cell_size;
    slope[1] = wadi_facets_beyond(along, facets->height) ? 0.0 : -down / facets->cell_size;
    return nw + u * east + v * down;
}

// Distance of a point from the plane under it, and the plane's normal.
static inline double wadi_facets_distance(const wadi_facets* facets, const double x[3], double n[3])
{
    double slope[2];
    const double over = x[2] - wadi_facets_height(facets, x[0], x[1], slope);
    const double steep = 1.0 / sqrt(slope[0] * slope[0] + slope[1] * slope[1] + 1.0);
    n[0] = -slope[0] * steep;
    n[1] = -slope[1] * steep;
    n[2] = steep;
    return over * steep;
}
