// SPDX-License-Identifier: MIT
// Strength and stiffness from the curve of a test.
#include "bodies/grains/specimen.h"

#include "core/dmath.h"

#define RESULT_DEGREES (180.0 / 3.14159265358979323846)
#define RESULT_ELASTIC (1.0 / 3.0) // share of the rise of shear stress that counts as elastic
#define RESULT_LAST 0.75           // share of strain after which the residual state is taken

// ---- slopes ------------------------------------------------------------------------------

// Points from `first` to before `end`.
typedef struct result_range
{
    const wadi_grain_test_point* points;
    int32_t first;
    int32_t end;
} result_range;

typedef double result_measure(const wadi_grain_test_point* point);

static double result_strain(const wadi_grain_test_point* point)
{
    return point->strain;
}

static double result_volume(const wadi_grain_test_point* point)
{
    return point->volume;
}

static double result_axial(const wadi_grain_test_point* point)
{
    return point->axial;
}

static double result_lateral(const wadi_grain_test_point* point)
{
    return point->lateral;
}

static double result_shear(const wadi_grain_test_point* point)
{
    return point->shear;
}

static double result_mean(result_range range, result_measure* measure)
{
    double sum = 0.0;
    for (int32_t k = range.first; k < range.end; ++k)
    {
        sum += measure(&range.points[k]);
    }
    return sum / (double)(range.end - range.first);
}

// Slope of the line of least squares.
static double result_slope(result_range range, result_measure* x, result_measure* y)
{
    const double mean_x = result_mean(range, x);
    const double mean_y = result_mean(range, y);
    double square = 0.0;
    double product = 0.0;
    for (int32_t k = range.first; k < range.end; ++k)
    {
        const double d = x(&range.points[k]) - mean_x;
        square += d * d;
        product += d * (y(&range.points[k]) - mean_y);
    }
    return square > 0.0 ? product / square : 0.0;
}

// ---- states ------------------------------------------------------------------------------

// Shear stress over the normal stress, or over the mean of the principal stresses: the tangent or
// sine of the friction angle.
static double result_ratio(const wadi_grain_test* test, const wadi_grain_test_point* point)
{
    const double normal =
        specimen_is_shear(test) ? point->axial : 0.5 * (point->axial + point->lateral);
    return normal > 0.0 ? point->shear / normal : 0.0;
}

static double result_angle_of_sine(double sine)
{
    const double square = 1.0 - sine * sine;
    return RESULT_DEGREES * wadi_atan2(sine, square > 0.0 ? sqrt(square) : 0.0);
}

static double result_angle(const wadi_grain_test* test, const wadi_grain_test_point* point)
{
    const double ratio = result_ratio(test, point);
    return specimen_is_shear(test) ? RESULT_DEGREES * wadi_atan2(ratio, 1.0)
                                   : result_angle_of_sine(ratio);
}

static int32_t result_find_peak(const wadi_grain_test* test)
{
    int32_t peak = 0;
    for (int32_t k = 1; k < SPECIMEN_POINTS; ++k)
    {
        const double ratio = result_ratio(test, &test->points[k]);
        peak = ratio > result_ratio(test, &test->points[peak]) ? k : peak;
    }
    return peak;
}

static void result_add_point(wadi_grain_test_point* sum, const wadi_grain_test_point* point,
                             double weight)
{
    sum->strain += weight * point->strain;
    sum->volume += weight * point->volume;
    sum->axial += weight * point->axial;
    sum->lateral += weight * point->lateral;
    sum->shear += weight * point->shear;
    sum->porosity += weight * point->porosity;
    sum->coordination += weight * point->coordination;
}

// Mean over the last quarter of strain: each point counts by the strain since the one before.
static wadi_grain_test_point result_find_last(const wadi_grain_test* test)
{
    const wadi_grain_test_point* points = test->points;
    const wadi_grain_test_point* end = &points[SPECIMEN_POINTS - 1];
    int32_t first = SPECIMEN_POINTS - 1;
    while (first > 1 && points[first - 1].strain > RESULT_LAST * end->strain)
    {
        --first;
    }
    const double whole = end->strain - points[first - 1].strain;
    wadi_grain_test_point mean = {.bonds = end->bonds};
    for (int32_t k = first; k < SPECIMEN_POINTS; ++k)
    {
        result_add_point(&mean, &points[k], (points[k].strain - points[k - 1].strain) / whole);
    }
    return mean;
}

// ---- stiffness ---------------------------------------------------------------------------

// The first points, up to a third of the rise to the peak; at least four. The one before loading is
// of a single step.
static result_range result_elastic(const wadi_grain_test* test, int32_t peak)
{
    const wadi_grain_test_point* points = test->points;
    const double rise = RESULT_ELASTIC * (points[peak].shear - points[1].shear);
    int32_t end = 5;
    while (end < peak && points[end].shear - points[1].shear <= rise)
    {
        ++end;
    }
    return (result_range){points, 1, end};
}

static void result_stiffness(const wadi_grain_test* test, int32_t peak, wadi_grain_test_result* out)
{
    const result_range range = result_elastic(test, peak);
    const double shear = result_slope(range, result_strain, result_shear);
    if (specimen_is_shear(test))
    {
        out->shear_modulus = shear;
        return;
    }
    out->young = 2.0 * shear; // the shear stress is half of the deviator
    out->poisson = 0.5 * (1.0 - result_slope(range, result_strain, result_volume));
    out->shear_modulus = out->young / (2.0 * (1.0 + out->poisson));
}

// Vermeer & de Borst 1984, for triaxial compression; in shear, the slope of the plate's way.
static double result_dilation(const wadi_grain_test* test, int32_t peak)
{
    enum
    {
        BESIDE = 8 // points beside the peak
    };
    const int32_t first = peak > BESIDE ? peak - BESIDE : 0;
    const int32_t end = peak + BESIDE < SPECIMEN_POINTS ? peak + BESIDE : SPECIMEN_POINTS;
    const result_range range = {test->points, first, end};
    const double slope = result_slope(range, result_strain, result_volume);
    return specimen_is_shear(test) ? RESULT_DEGREES * wadi_atan2(-slope, 1.0)
                                   : result_angle_of_sine(-slope / (2.0 - slope));
}

// Elastic constants from the first half of unloading, where the sides do not move:
// lateral / axial = nu / (1 - nu), and axial / strain = E (1 - nu) / ((1 + nu) (1 - 2 nu)).
static void result_oedometer(const wadi_grain_test* test, wadi_grain_test_result* out)
{
    const result_range up = {test->points, SPECIMEN_POINTS / 4, SPECIMEN_POINTS};
    const result_range down = {test->points, SPECIMEN_POINTS, SPECIMEN_POINTS * 3 / 2};
    const double ratio = result_slope(down, result_axial, result_lateral);
    const double nu = ratio / (1.0 + ratio);
    const double modulus = result_slope(down, result_strain, result_axial);
    out->constrained = result_slope(up, result_strain, result_axial);
    out->lateral_ratio =
        test->points[SPECIMEN_POINTS - 1].lateral / test->points[SPECIMEN_POINTS - 1].axial;
    out->poisson = nu;
    out->young = modulus * (1.0 + nu) * (1.0 - 2.0 * nu) / (1.0 - nu);
    out->shear_modulus = out->young / (2.0 * (1.0 + nu));
    out->peak = test->points[SPECIMEN_POINTS - 1];
    out->last = test->points[2 * SPECIMEN_POINTS - 1];
}

// ---- all ---------------------------------------------------------------------------------

static double result_hardness(const wadi_grain_test* test)
{
    const double contact = test->params.law == WADI_GRAIN_LAW_HERTZ
                               ? test->material.young * test->mean_diameter
                               : test->material.stiffness;
    return contact / (test->params.stress * test->mean_diameter);
}

static void result_strength(const wadi_grain_test* test, wadi_grain_test_result* out)
{
    const int32_t peak = result_find_peak(test);
    out->peak = test->points[peak];
    out->last = result_find_last(test);
    out->peak_angle = result_angle(test, &out->peak);
    out->last_angle = result_angle(test, &out->last);
    out->dilation = result_dilation(test, peak);
    result_stiffness(test, peak, out);
}

wadi_result wadi_grain_test_result_of(const wadi_grain_test* test, wadi_grain_test_result* out)
{
    WADI_CHECK(test->context, wadi_grain_test_is_done(test), WADI_ERROR_STATE,
               "the test is not done: advance it further");
    *out = (wadi_grain_test_result){.grains = specimen_grains(test),
                                    .steps = test->state.steps,
                                    .stiffness = result_hardness(test),
                                    .inertia = test->params.inertia,
                                    .unbalanced = test->state.unbalanced,
                                    .start = test->points[0]};
    if (test->kind == WADI_GRAIN_TEST_OEDOMETER)
    {
        result_oedometer(test, out);
    }
    else
    {
        result_strength(test, out);
    }
    return WADI_OK;
}
