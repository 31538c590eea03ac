// SPDX-License-Identifier: MIT
// The 3 x 3 cells around a cell, with missing neighbours extrapolated.
#pragma once

#include <wadi/derive.h>

#include <math.h>

// Heights by compass direction [m], and the size of the cell.
typedef struct derive_stencil
{
    double nw, n, ne;
    double w, c, e;
    double sw, s, se;
    double dx; // [m]
    double dy;
} derive_stencil;

static inline double stencil_at(const wadi_field2d* field, int32_t column, int32_t row)
{
    if (field->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC)
    {
        column = (column + field->width) % field->width;
    }
    if (field->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        row = (row + field->height) % field->height;
    }
    const bool inside = column >= 0 && column < field->width && row >= 0 && row < field->height;
    return inside ? (double)field->heights[row * field->stride + column] : (double)NAN;
}

// Fill in missing values of two opposite neighbours. A missing value is extrapolated linearly from
// the other and the centre, so that a plane keeps its slope up to borders and voids.
static inline void stencil_extrapolate(double* a, double centre, double* b)
{
    const bool has_a = !isnan(*a);
    const bool has_b = !isnan(*b);
    if (!has_a)
    {
        *a = has_b ? 2.0 * centre - *b : centre;
    }
    if (!has_b)
    {
        *b = has_a ? 2.0 * centre - *a : centre;
    }
}

// Likewise for two corners; if both are missing they lie on the plane of the four sides.
static inline void stencil_extrapolate_corners(double* a, double plane_a, double centre, double* b,
                                               double plane_b)
{
    if (isnan(*a) && isnan(*b))
    {
        *a = plane_a;
        *b = plane_b;
    }
    stencil_extrapolate(a, centre, b);
}

// Stencil of a cell that is not void itself.
static inline derive_stencil stencil_load(const wadi_field2d* field, int32_t column, int32_t row)
{
    derive_stencil z = {
        .nw = stencil_at(field, column - 1, row - 1),
        .n = stencil_at(field, column, row - 1),
        .ne = stencil_at(field, column + 1, row - 1),
        .w = stencil_at(field, column - 1, row),
        .c = stencil_at(field, column, row),
        .e = stencil_at(field, column + 1, row),
        .sw = stencil_at(field, column - 1, row + 1),
        .s = stencil_at(field, column, row + 1),
        .se = stencil_at(field, column + 1, row + 1),
        .dx = field->dx_of_row != NULL ? field->dx_of_row[row] : field->dx,
        .dy = field->dy,
    };
    stencil_extrapolate(&z.w, z.c, &z.e);
    stencil_extrapolate(&z.n, z.c, &z.s);
    stencil_extrapolate_corners(&z.nw, z.n + z.w - z.c, z.c, &z.se, z.s + z.e - z.c);
    stencil_extrapolate_corners(&z.ne, z.n + z.e - z.c, z.c, &z.sw, z.s + z.w - z.c);
    return z;
}

// Gradient [m/m]: x east, y north (Horn 1981, third-order finite difference).
typedef struct derive_gradient
{
    double x;
    double y;
} derive_gradient;

static inline derive_gradient stencil_gradient(const derive_stencil* z)
{
    const double east = z->ne + 2.0 * z->e + z->se;
    const double west = z->nw + 2.0 * z->w + z->sw;
    const double north = z->nw + 2.0 * z->n + z->ne;
    const double south = z->sw + 2.0 * z->s + z->se;
    return (derive_gradient){(east - west) / (8.0 * z->dx), (north - south) / (8.0 * z->dy)};
}
