// SPDX-License-Identifier: MIT
// Cohesion and friction of a material: the line of Mohr and Coulomb through tests at several
// stresses.
#include "bodies/grains/specimen.h"

#include "core/dmath.h"

#define FIT_DEGREES (180.0 / 3.14159265358979323846)

typedef struct fit_line
{
    double slope;
    double height; // at 0
    double misfit;
} fit_line;

// Shear stress over normal stress: of the plane of shear, or of the top of Mohr's circle.
static double fit_normal(wadi_grain_test_kind kind, const wadi_grain_test_point* point)
{
    return kind == WADI_GRAIN_TEST_SHEAR ? point->axial : 0.5 * (point->axial + point->lateral);
}

static const wadi_grain_test_point* fit_point(const wadi_grain_test_result* result, bool last)
{
    return last ? &result->last : &result->peak;
}

static double fit_misfit(wadi_grain_test_kind kind, const wadi_grain_test_result* results,
                         int32_t count, bool last, const fit_line* line)
{
    double most = 0.0;
    for (int32_t k = 0; k < count; ++k)
    {
        const wadi_grain_test_point* point = fit_point(&results[k], last);
        const double off = point->shear - line->height - line->slope * fit_normal(kind, point);
        const double share = fabs(off) / point->shear;
        most = share > most ? share : most;
    }
    return most;
}

static fit_line fit_results(wadi_grain_test_kind kind, const wadi_grain_test_result* results,
                            int32_t count, bool last)
{
    double n[2] = {0.0, 0.0}; // means of normal and shear stress
    for (int32_t k = 0; k < count; ++k)
    {
        n[0] += fit_normal(kind, fit_point(&results[k], last)) / count;
        n[1] += fit_point(&results[k], last)->shear / count;
    }
    double square = 0.0;
    double product = 0.0;
    for (int32_t k = 0; k < count; ++k)
    {
        const double d = fit_normal(kind, fit_point(&results[k], last)) - n[0];
        square += d * d;
        product += d * (fit_point(&results[k], last)->shear - n[1]);
    }
    fit_line line = {.slope = product / square};
    line.height = n[1] - line.slope * n[0];
    line.misfit = fit_misfit(kind, results, count, last, &line);
    return line;
}

// The top of Mohr's circle lies below the envelope: the slope is the sine of the angle, and the
// height cohesion times its cosine.
static void fit_envelope(wadi_grain_test_kind kind, const fit_line* line, double* cohesion,
                         double* friction)
{
    const bool shear = kind == WADI_GRAIN_TEST_SHEAR;
    const double square = 1.0 - line->slope * line->slope;
    const double cosine = shear ? 1.0 : sqrt(square > 1e-6 ? square : 1e-6);
    *cohesion = line->height / cosine;
    *friction = FIT_DEGREES * wadi_atan2(line->slope, cosine);
}

static bool fit_differ(const wadi_grain_test_result* results, int32_t count)
{
    bool differ = false;
    for (int32_t k = 1; k < count; ++k)
    {
        const double first = results[0].start.axial;
        differ = differ || fabs(results[k].start.axial - first) > 0.1 * first;
    }
    return differ;
}

wadi_result wadi_grain_strength_fit(wadi_context* context, wadi_grain_test_kind kind,
                                    const wadi_grain_test_result* results, int32_t count,
                                    wadi_grain_strength* out)
{
    memset(out, 0, sizeof *out);
    WADI_CHECK(context, kind == WADI_GRAIN_TEST_TRIAXIAL || kind == WADI_GRAIN_TEST_SHEAR,
               WADI_ERROR_ARGUMENT, "an oedometer does not measure strength");
    WADI_CHECK(context, count >= 2 && fit_differ(results, count), WADI_ERROR_ARGUMENT,
               "cohesion and friction need 2 or more tests at stresses that differ by a tenth; "
               "there are %d",
               count);
    const fit_line peak = fit_results(kind, results, count, false);
    const fit_line last = fit_results(kind, results, count, true);
    fit_envelope(kind, &peak, &out->cohesion, &out->friction);
    fit_envelope(kind, &last, &out->last_cohesion, &out->last_friction);
    out->misfit = peak.misfit;
    return WADI_OK;
}
