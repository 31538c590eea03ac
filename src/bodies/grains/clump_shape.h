// SPDX-License-Identifier: MIT
// Shapes of clumps: what the spheres of a shape fill together, and shapes in their principal axes.
#pragma once

#include "core/internal.h"

#include <wadi/grain_clump.h>

// Integrals over the body, of density 1: volume, first and second moments.
typedef struct clump_integral
{
    double volume;
    double first[3];
    double second[3][3];
} clump_integral;

// Over the spheres' union; they are near the origin, and of a size near 1.
clump_integral wadi_clump_integrate(const wadi_grain_shape* shape);

// A shape around its centre of mass, in its principal axes, in units in which its volume is that of
// the unit sphere.
typedef struct granular_shape
{
    int32_t count;
    double spheres[WADI_GRAIN_SHAPE_SPHERES][4]; // centre and radius
    double moments[3];                           // of inertia over the mass
    double axes[4];  // quaternion from the principal axes to those the shape was given in
    double reach;    // farthest point from the centre of mass
    double slowness; // mass that counts at a contact over the whole mass, at least: for the step
} granular_shape;

wadi_result wadi_clump_shape_make(wadi_context* context, const wadi_grain_shape* shape,
                                  granular_shape* out);

// Orientation from three numbers in [0, 1): every one is as likely as any other (Shoemake 1992).
void wadi_clump_turn_at_random(const double u[3], double out[4]);

// ---- quaternions (w, x, y, z) ----------------------------------------------------------------

static inline void clump_multiply(const double a[4], const double b[4], double out[4])
{
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

// Rows of the rotation by a quaternion of length 1.
static inline void clump_rotation(const double q[4], double out[3][3])
{
    const double w = q[0];
    const double x = q[1];
    const double y = q[2];
    const double z = q[3];
    const double rows[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
        {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
        {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            out[r][c] = rows[r][c];
        }
    }
}
