// SPDX-License-Identifier: MIT
// The inside of the measures of dunes; only src/derive/dune_*.c look at it.
#pragma once

#include <wadi/dune_forms.h>

#include "core/internal.h"

#include <math.h>

static const double dune_degree = 57.29577951308232; // of one radian
static const double dune_bare_ground = 0.4;          // share of it above which sand lies in heaps

// Where a cell's value lies, around the world where it is endless; -1 beyond its edges.
static inline ptrdiff_t dune_index(const wadi_field2d* f, int32_t x, int32_t y)
{
    if (f->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC)
    {
        x = (x % f->width + f->width) % f->width;
    }
    if (f->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        y = (y % f->height + f->height) % f->height;
    }
    const bool inside = x >= 0 && x < f->width && y >= 0 && y < f->height;
    return inside ? y * f->stride + x : -1;
}

// NaN where there is none.
static inline double dune_level(const wadi_field2d* f, int32_t x, int32_t y)
{
    const ptrdiff_t at = dune_index(f, x, y);
    return at >= 0 ? (double)f->heights[at] : (double)NAN;
}

static inline double dune_cell_width(const wadi_field2d* f, int32_t y)
{
    return f->dx_of_row != NULL ? f->dx_of_row[y] : f->dx;
}

// An azimuth in [0, turn).
static inline double dune_azimuth(double degrees, double turn)
{
    const double within = degrees - turn * floor(degrees / turn);
    return within >= turn ? 0.0 : within; // NaN stays what it is
}

// ---- dune_spacing.c ----------------------------------------------------------------------------

// Distance [m] between dunes of a field whose order and normal are in `forms`; NaN: none.
wadi_result wadi_dune_spacing(wadi_context* context, const wadi_field2d* field,
                              const wadi_dune_forms* forms, double* out);

// ---- dune_faces.c ------------------------------------------------------------------------------

// Slope [degree] that one in a hundred of the sloping cells exceeds; 0: none slopes.
double wadi_dune_faces(const wadi_field2d* field);

// ---- dune_bodies.c -----------------------------------------------------------------------------

// Bare share and bodies of sand of a field whose height is in `out`.
wadi_result wadi_dune_bodies(wadi_context* context, const wadi_dune_field* field,
                             wadi_dune_forms* out);
