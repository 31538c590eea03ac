// SPDX-License-Identifier: MIT
// Internals of the dune measures, for src/maps/judge only.
#pragma once

#include <wadi/dune_forms.h>

#include "core/internal.h"

#include <math.h>

static const double dune_degree = 57.29577951308232; // of one radian
static const double dune_bare_ground = 0.4;          // above it dunes are separate

// Offset of a cell's value, across periodic edges; -1 beyond the grid.
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

// Height of a cell; NaN beyond the grid and in voids.
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
    return within >= turn ? 0.0 : within; // NaN stays NaN
}

// ---- dune_spacing.c ----------------------------------------------------------------------------

// Distance [m] between dunes of a field with order and normal in `forms`; NaN if not found.
wadi_result wadi_dune_spacing(wadi_context* context, const wadi_field2d* field,
                              const wadi_dune_forms* forms, double* out);

// ---- dune_faces.c ------------------------------------------------------------------------------

// Sets `face`, `rest` and `tail`; they are 0 without sloping cells.
void wadi_dune_faces(const wadi_field2d* field, wadi_dune_forms* out);

// ---- dune_brinks.c -----------------------------------------------------------------------------

// Fall of the ground behind the top of the steepest slopes, which have `face` degrees, at three
// lengths of the slope: the median over its height. NaN without such ground.
double wadi_dune_brinks(const wadi_field2d* field, double face);

// ---- dune_bodies.c -----------------------------------------------------------------------------

// Fraction of bare ground and number of sand bodies of a field whose height is in `out`.
wadi_result wadi_dune_bodies(wadi_context* context, const wadi_dune_field* field,
                             wadi_dune_forms* out);
