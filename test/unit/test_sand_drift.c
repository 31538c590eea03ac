// SPDX-License-Identifier: MIT
// Sand drift of wind histories with known resultants, and the picture of its rose.
#include "support/fixture.h"

#include <wadi/sand_drift.h>

#include <stdlib.h>

enum
{
    SIZE = 200
};

static const double knot = 0.514444; // [m/s]
static const double degree = 57.29577951308232;

static uint8_t picture[SIZE * SIZE * 3];

static wadi_sand_drift measure(wadi_context* context, const double* rose, int32_t rows)
{
    const wadi_wind_history history = {"rose", rose, rows, 0.0, 12.0 * knot};
    wadi_sand_drift drift;
    CHECK_OK(context, wadi_sand_drift_measure(context, &history, &drift));
    return drift;
}

// One wind of 20 knots during a quarter of the time: 20^2 x (20 - 12) / 4.
static void one_wind_has_fryberger_s_potential(void** state)
{
    fixture* f = *state;
    for (double from = 0.0; from < 360.0; from += 37.0)
    {
        const double rose[] = {from, 20.0 * knot, 0.25, 0.0, 11.0 * knot, 0.5, 0.0, 0.0, 0.25};
        const wadi_sand_drift drift = measure(f->context, rose, 3);
        CHECK_NEAR(drift.potential, 800.0, 1e-6);
        CHECK_NEAR(drift.resultant, 800.0, 1e-6);
        CHECK_NEAR(drift.ratio, 1.0, 1e-12);
        CHECK_NEAR(drift.direction, fmod(from + 180.0, 360.0), 1e-9);
        CHECK_NEAR(drift.crests, fmod(from, 180.0), 1e-9);
        CHECK_NEAR(drift.moving, 0.25, 1e-12);
        const int32_t sector = (int32_t)floor(from / 22.5 + 0.5) % WADI_SAND_ROSE_SECTORS;
        CHECK_NEAR(drift.sectors[sector], 800.0, 1e-6);
    }
}

// Two winds at an angle: the resultant is cos(half of it). Crests lie across the bisector below 90
// degrees and along it above (Rubin & Hunter 1987); a ratio of two turns them by their theory.
static void two_winds_sum_as_vectors(void** state)
{
    fixture* f = *state;
    for (double angle = 30.0; angle < 180.0; angle += 30.0)
    {
        const double rose[] = {217.0 - angle / 2.0, 9.0, 0.5, 217.0 + angle / 2.0, 9.0, 0.5};
        const wadi_sand_drift drift = measure(f->context, rose, 2);
        CHECK_NEAR(drift.ratio, cos(angle / 2.0 / degree), 1e-9);
        CHECK_NEAR(drift.direction, 37.0, 1e-6);
        if (angle != 90.0) // where all orientations of two equal winds are alike
        {
            CHECK_NEAR(drift.crests, angle < 90.0 ? 37.0 : 127.0, 1e-9);
        }
    }
    // 2:1 at 120 degrees: tan of the crests from the bisector is 3 tan 60, across 79 degrees
    const double uneven[] = {217.0 - 60.0, 9.0, 2.0 / 3.0, 217.0 + 60.0, 9.0, 1.0 / 3.0};
    const double crests = measure(f->context, uneven, 2).crests;
    CHECK_NEAR(fabs(remainder(crests - 37.0, 180.0)), 79.0, 1.01);
}

static void winds_that_cancel_have_no_direction(void** state)
{
    fixture* f = *state;
    const double rose[] = {90.0, 9.0, 0.5, 270.0, 9.0, 0.5};
    const wadi_sand_drift drift = measure(f->context, rose, 2);
    assert_true(drift.ratio < 1e-9 && isnan(drift.direction));
    double sum = 0.0;
    for (int32_t s = 0; s < WADI_SAND_ROSE_SECTORS; ++s)
    {
        sum += drift.sectors[s];
    }
    CHECK_NEAR(sum, drift.potential, 1e-9 * drift.potential);
    CHECK_NEAR(drift.sectors[4], drift.sectors[12], 1e-9);
}

static void mistakes_are_refused(void** state)
{
    fixture* f = *state;
    const double gentle[] = {90.0, 5.0, 1.0};
    wadi_wind_history history = {"rose", gentle, 1, 0.0, 6.17};
    wadi_sand_drift drift;
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "there is no sand drift",
                wadi_sand_drift_measure(f->context, &history, &drift));
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "measure it first",
                wadi_sand_rose_draw(f->context, &drift, SIZE, picture));
    history.threshold = -1.0;
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "expected 0 to 60",
                wadi_sand_drift_measure(f->context, &history, &drift));
    history.table = "gusts";
    CHECK_FAILS(f->context, WADI_ERROR_UNKNOWN, "rose, series or schedule",
                wadi_sand_drift_measure(f->context, &history, &drift));
    history = (wadi_wind_history){"rose", gentle, 0, 0.0, 4.0};
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "no rows",
                wadi_sand_drift_measure(f->context, &history, &drift));
    history.rows = 1;
    CHECK_OK(f->context, wadi_sand_drift_measure(f->context, &history, &drift));
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "64 to 4096",
                wadi_sand_rose_draw(f->context, &drift, 63, picture));
}

// Difference of red and blue at a point of the picture, in shares of the outer circle: above 0 in
// arms, below 0 in the arrow.
static int warmth(double azimuth, double radius)
{
    const double scale = 0.5 * SIZE / 1.16;
    const int32_t x = (int32_t)(0.5 * SIZE + scale * radius * sin(azimuth / degree));
    const int32_t y = (int32_t)(0.5 * SIZE - scale * radius * cos(azimuth / degree));
    const uint8_t* pixel = &picture[3 * (y * SIZE + x)];
    return pixel[0] - pixel[2];
}

// The arm points to where the wind comes from, the arrow the other way.
static void the_rose_points_into_the_wind(void** state)
{
    fixture* f = *state;
    for (double from = 22.5; from < 360.0; from += 45.0)
    {
        const double rose[] = {from, 12.0, 1.0};
        const wadi_sand_drift drift = measure(f->context, rose, 1);
        CHECK_OK(f->context, wadi_sand_rose_draw(f->context, &drift, SIZE, picture));
        assert_true(warmth(from, 0.8) > 80);
        assert_true(warmth(from + 180.0, 0.8) < -30);
        assert_true(abs(warmth(from + 70.0, 0.8)) < 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wind_has_fryberger_s_potential),
        cmocka_unit_test(two_winds_sum_as_vectors),
        cmocka_unit_test(winds_that_cancel_have_no_direction),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(the_rose_points_into_the_wind),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
