// SPDX-License-Identifier: MIT
// Shapes: forms that have a name, checks, and a shape in its principal axes.
#include "bodies/grains/clump_shape.h"

#include "core/dmath.h"

#include <math.h>
#include <string.h>

// ---- forms -----------------------------------------------------------------------------------

const char* const wadi_grain_form_names[] = {"sphere",      "dumbbell", "rod", "triangle",
                                             "tetrahedron", "star",     NULL};

static const struct
{
    int32_t count;
    double centres[7][3];
} shape_forms[WADI_GRAIN_FORM_COUNT] = {
    [WADI_GRAIN_FORM_SPHERE] = {1, {{0.0, 0.0, 0.0}}},
    [WADI_GRAIN_FORM_DUMBBELL] = {2, {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}},
    [WADI_GRAIN_FORM_ROD] = {3, {{-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}},
    [WADI_GRAIN_FORM_TRIANGLE] =
        {3, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 0.86602540378443865, 0.0}}},
    // corners of a cube with sides of 1.2 / sqrt(2), every other one
    [WADI_GRAIN_FORM_TETRAHEDRON] = {4,
                                     {{0.0, 0.0, 0.0},
                                      {0.8485281374238570, 0.8485281374238570, 0.0},
                                      {0.8485281374238570, 0.0, 0.8485281374238570},
                                      {0.0, 0.8485281374238570, 0.8485281374238570}}},
    [WADI_GRAIN_FORM_STAR] = {7,
                              {{0.0, 0.0, 0.0},
                               {1.2, 0.0, 0.0},
                               {-1.2, 0.0, 0.0},
                               {0.0, 1.2, 0.0},
                               {0.0, -1.2, 0.0},
                               {0.0, 0.0, 1.2},
                               {0.0, 0.0, -1.2}}},
};

wadi_grain_shape wadi_grain_shape_of(wadi_grain_form form)
{
    const int row = (int)form >= 0 && form < WADI_GRAIN_FORM_COUNT ? (int)form : 0;
    wadi_grain_shape shape = {.count = shape_forms[row].count};
    for (int32_t k = 0; k < shape.count; ++k)
    {
        memcpy(shape.centres[k], shape_forms[row].centres[k], sizeof shape.centres[k]);
        shape.radii[k] = 1.0;
    }
    return shape;
}

wadi_result wadi_grain_turn(wadi_context* context, const double axis[3], double angle,
                            double out[4])
{
    const double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    WADI_CHECK(context, square > 1e-200 && square < 1e200 && fabs(angle) <= 1e6, WADI_ERROR_RANGE,
               "a clump is turned about %g, %g, %g by %g rad; expected an axis that is not 0, and "
               "an angle of at most 1e6",
               axis[0], axis[1], axis[2], angle);
    const double share = wadi_sin(0.5 * angle) / sqrt(square);
    out[0] = wadi_cos(0.5 * angle);
    for (int c = 0; c < 3; ++c)
    {
        out[1 + c] = share * axis[c];
    }
    return WADI_OK;
}

void wadi_clump_turn_at_random(const double u[3], double out[4])
{
    const double full = 2.0 * 3.14159265358979323846;
    out[0] = sqrt(1.0 - u[0]) * wadi_sin(full * u[1]);
    out[1] = sqrt(1.0 - u[0]) * wadi_cos(full * u[1]);
    out[2] = sqrt(u[0]) * wadi_sin(full * u[2]);
    out[3] = sqrt(u[0]) * wadi_cos(full * u[2]);
}

// ---- checks ----------------------------------------------------------------------------------

static bool shape_is_joined(const wadi_grain_shape* shape, int32_t i, int32_t j)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double d = shape->centres[i][c] - shape->centres[j][c];
        square += d * d;
    }
    const double reach = (shape->radii[i] + shape->radii[j]) * 1.000001;
    return square <= reach * reach;
}

// Number of spheres that hang together with the first one.
static int32_t shape_joined(const wadi_grain_shape* shape)
{
    bool known[WADI_GRAIN_SHAPE_SPHERES] = {true};
    int32_t order[WADI_GRAIN_SHAPE_SPHERES] = {0};
    int32_t count = 1;
    for (int32_t k = 0; k < count; ++k)
    {
        for (int32_t j = 1; j < shape->count; ++j)
        {
            if (!known[j] && shape_is_joined(shape, order[k], j))
            {
                known[j] = true;
                order[count++] = j;
            }
        }
    }
    return count;
}

static wadi_result shape_check(wadi_context* context, const wadi_grain_shape* shape)
{
    double least = 1e6;
    double most = 1e-6;
    WADI_CHECK(context, shape->count >= 1 && shape->count <= WADI_GRAIN_SHAPE_SPHERES,
               WADI_ERROR_RANGE, "a shape has %d spheres; it must have 1 to %d", shape->count,
               (int)WADI_GRAIN_SHAPE_SPHERES);
    for (int32_t k = 0; k < shape->count; ++k)
    {
        const double* x = shape->centres[k];
        WADI_CHECK(context,
                   fabs(x[0]) <= 1e6 && fabs(x[1]) <= 1e6 && fabs(x[2]) <= 1e6 &&
                       shape->radii[k] >= 1e-6 && shape->radii[k] <= 1e6,
                   WADI_ERROR_RANGE,
                   "sphere %d of a shape lies at %g, %g, %g with a radius of %g; expected centres "
                   "within 1e6 and radii of 1e-6 to 1e6",
                   k, x[0], x[1], x[2], shape->radii[k]);
        least = fmin(least, shape->radii[k]);
        most = fmax(most, shape->radii[k]);
    }
    WADI_CHECK(context, most <= 100.0 * least, WADI_ERROR_RANGE,
               "the radii of a shape are %g to %g; the largest may be 100 times the smallest",
               least, most);
    WADI_CHECK(context, shape_joined(shape) == shape->count, WADI_ERROR_RANGE,
               "%d of the %d spheres of a shape hang together; all must touch or overlap",
               shape_joined(shape), shape->count);
    return WADI_OK;
}

// ---- measures --------------------------------------------------------------------------------

// Shift and scale a shape: `origin` becomes 0, and `unit` becomes 1.
static void shape_fit(wadi_grain_shape* shape, const double origin[3], double unit)
{
    for (int32_t k = 0; k < shape->count; ++k)
    {
        for (int c = 0; c < 3; ++c)
        {
            shape->centres[k][c] = (shape->centres[k][c] - origin[c]) / unit;
        }
        shape->radii[k] /= unit;
    }
}

static double shape_largest(const wadi_grain_shape* shape)
{
    double largest = 0.0;
    for (int32_t k = 0; k < shape->count; ++k)
    {
        largest = fmax(largest, shape->radii[k]);
    }
    return largest;
}

// Inertia about the centre of mass from moments about the origin.
static void shape_inertia(const clump_integral* sum, const double centre[3], double out[3][3])
{
    double second[3][3];
    for (int a = 0; a < 3; ++a)
    {
        for (int b = 0; b < 3; ++b)
        {
            second[a][b] = sum->second[a][b] - sum->volume * centre[a] * centre[b];
        }
    }
    const double trace = second[0][0] + second[1][1] + second[2][2];
    for (int a = 0; a < 3; ++a)
    {
        for (int b = 0; b < 3; ++b)
        {
            out[a][b] = (a == b ? trace : 0.0) - second[a][b];
        }
    }
}

wadi_result wadi_grain_shape_measure(wadi_context* context, const wadi_grain_shape* shape,
                                     wadi_grain_shape_mass* out)
{
    WADI_TRY(shape_check(context, shape));
    wadi_grain_shape near = *shape;
    const double unit = shape_largest(shape);
    double centre[3];
    shape_fit(&near, shape->centres[0], unit);
    const clump_integral sum = wadi_clump_integrate(&near);
    for (int c = 0; c < 3; ++c)
    {
        centre[c] = sum.first[c] / sum.volume;
        out->centre[c] = shape->centres[0][c] + unit * centre[c];
    }
    out->volume = sum.volume * unit * unit * unit;
    shape_inertia(&sum, centre, out->inertia);
    for (int a = 0; a < 3; ++a)
    {
        for (int b = 0; b < 3; ++b)
        {
            out->inertia[a][b] *= unit * unit * unit * unit * unit;
        }
    }
    return WADI_OK;
}

// ---- principal axes --------------------------------------------------------------------------

// Turn axes a and b so that the product of inertia between them vanishes (Jacobi).
static void shape_turn_axes(double m[3][3], double axes[3][3], int a, int b)
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (fabs(m[a][b]) < 1e-13 * trace)
    {
        return;
    }
    const double theta = (m[b][b] - m[a][a]) / (2.0 * m[a][b]);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;
    for (int k = 0; k < 3; ++k)
    {
        const double left = m[k][a];
        m[k][a] = c * left - s * m[k][b];
        m[k][b] = s * left + c * m[k][b];
    }
    for (int k = 0; k < 3; ++k)
    {
        const double left = m[a][k];
        const double axis = axes[k][a];
        m[a][k] = c * left - s * m[b][k];
        m[b][k] = s * left + c * m[b][k];
        axes[k][a] = c * axis - s * axes[k][b];
        axes[k][b] = s * axis + c * axes[k][b];
    }
}

// Principal moments, and the axes as columns of a rotation.
static void shape_find_axes(double m[3][3], double moments[3], double axes[3][3])
{
    enum
    {
        SWEEPS = 12 // of which each squares the error
    };
    for (int k = 0; k < 9; ++k)
    {
        axes[k / 3][k % 3] = k / 3 == k % 3 ? 1.0 : 0.0;
    }
    for (int k = 0; k < SWEEPS; ++k)
    {
        shape_turn_axes(m, axes, 0, 1);
        shape_turn_axes(m, axes, 0, 2);
        shape_turn_axes(m, axes, 1, 2);
    }
    for (int c = 0; c < 3; ++c)
    {
        moments[c] = m[c][c];
    }
}

// Quaternion of a rotation: the column of its largest part.
static void shape_quaternion(const double m[3][3], double out[4])
{
    const double four[4] = {1.0 + m[0][0] + m[1][1] + m[2][2], 1.0 + m[0][0] - m[1][1] - m[2][2],
                            1.0 - m[0][0] + m[1][1] - m[2][2], 1.0 - m[0][0] - m[1][1] + m[2][2]};
    const double x = m[2][1] - m[1][2];
    const double y = m[0][2] - m[2][0];
    const double z = m[1][0] - m[0][1];
    const double xy = m[1][0] + m[0][1];
    const double xz = m[2][0] + m[0][2];
    const double yz = m[2][1] + m[1][2];
    const double rows[4][4] = {
        {four[0], x, y, z}, {x, four[1], xy, xz}, {y, xy, four[2], yz}, {z, xz, yz, four[3]}};
    int best = 0;
    for (int k = 1; k < 4; ++k)
    {
        best = four[k] > four[best] ? k : best;
    }
    double square = 0.0;
    for (int k = 0; k < 4; ++k)
    {
        square += rows[best][k] * rows[best][k];
    }
    for (int k = 0; k < 4; ++k)
    {
        out[k] = rows[best][k] / sqrt(square);
    }
}

// ---- all -------------------------------------------------------------------------------------

static double shape_distance(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// A push at a lever moves more than the mass. A sphere has the share 1 for a push on its centre and
// for a rub at its surface, whose spring is 2/7 as stiff.
static double shape_slowness(const granular_shape* shape, int32_t k)
{
    const double* m = shape->moments;
    const double least = fmin(m[0], fmin(m[1], m[2]));
    const double lever = shape_distance(shape->spheres[k]);
    const double rim = lever + shape->spheres[k][3];
    const double push = 1.0 + lever * lever / least;
    const double rub = (2.0 / 7.0) * (1.0 + rim * rim / least);
    return 1.0 / fmax(push, rub);
}

// Columns of `axes` are the principal axes.
static void shape_place(const wadi_grain_shape* shape, const double axes[3][3], granular_shape* out)
{
    out->count = shape->count;
    out->reach = 0.0;
    out->slowness = 1.0;
    for (int32_t k = 0; k < shape->count; ++k)
    {
        for (int c = 0; c < 3; ++c)
        {
            out->spheres[k][c] = axes[0][c] * shape->centres[k][0] +
                                 axes[1][c] * shape->centres[k][1] +
                                 axes[2][c] * shape->centres[k][2];
        }
        out->spheres[k][3] = shape->radii[k];
        out->reach = fmax(out->reach, shape_distance(out->spheres[k]) + shape->radii[k]);
        out->slowness = fmin(out->slowness, shape_slowness(out, k));
    }
}

wadi_result wadi_clump_shape_make(wadi_context* context, const wadi_grain_shape* shape,
                                  granular_shape* out)
{
    wadi_grain_shape_mass mass;
    WADI_TRY(wadi_grain_shape_measure(context, shape, &mass));
    wadi_grain_shape fit = *shape;
    double axes[3][3];
    const double unit = wadi_pow(mass.volume / (4.0 / 3.0 * 3.14159265358979323846), 1.0 / 3.0);
    shape_fit(&fit, mass.centre, unit);
    shape_find_axes(mass.inertia, out->moments, axes);
    for (int c = 0; c < 3; ++c)
    {
        out->moments[c] /= mass.volume * unit * unit;
    }
    shape_quaternion((const double(*)[3])axes, out->axes);
    shape_place(&fit, (const double(*)[3])axes, out);
    return WADI_OK;
}
