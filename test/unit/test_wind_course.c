// SPDX-License-Identifier: MIT
// Winds in time: which wind blows when, and its drift potential.
#include "support/fixture.h"

#include "laws/wind/wind_drift.h"

static const wind_prevailing prevailing = {WADI_WIND_UNIMODAL, 270.0, 10.0, 0.25, 1.0};

// Years within the next `years` in which the wind is within a degree of `direction`.
static double blown(wind_course* course, double years, double direction)
{
    double sum = 0.0;
    while (years > 1e-9)
    {
        wind_spell spell;
        years -= wadi_wind_course_next(course, years, &spell);
        const double off = fabs(spell.direction - direction);
        sum += spell.speed > 0.0 && fmin(off, 360.0 - off) < 1.0 ? spell.years : 0.0;
    }
    return sum;
}

static void one_wind_blows_its_share(void** state)
{
    (void)state;
    wind_course course;
    wadi_wind_course_one(&course, 270.0, 10.0, 0.25);
    CHECK_NEAR(blown(&course, 3.0, 270.0), 0.75, 1e-12);
    const wind_drift drift = wadi_wind_drift(&course, 6.0);
    CHECK_NEAR(drift.ratio, 1.0, 1e-12);
    CHECK_NEAR(drift.direction, 90.0, 1e-9);
}

// The resultant of two equal winds is cos(half the angle); that of evenly spread ones is 0.
static void regimes_cancel_as_vectors_do(void** state)
{
    (void)state;
    static const double ratios[WADI_WIND_REGIME_COUNT] = {
        [WADI_WIND_UNIMODAL] = 1.0,
        [WADI_WIND_ACUTE] = 0.8660254037844386,
        [WADI_WIND_OBTUSE] = 0.5,
        [WADI_WIND_OPPOSED] = 0.0,
        [WADI_WIND_THREE] = 0.0,
        [WADI_WIND_FIVE] = 0.0,
        // mean of cos(60 degrees x sin t) over twelve months
        [WADI_WIND_SEASONAL] = 0.744,
    };
    fixture f;
    fixture_open(&f, 1);
    for (int32_t regime = 0; regime < WADI_WIND_REGIME_COUNT; ++regime)
    {
        wind_prevailing p = prevailing;
        p.regime = regime;
        p.direction = 307.0;
        wind_course course = {0};
        CHECK_OK(f.context, wadi_wind_course_regime(&course, f.context, &p));
        const wind_drift drift = wadi_wind_drift(&course, 6.0);
        CHECK_NEAR(drift.ratio, ratios[regime], 1e-3);
        if (drift.ratio > 0.1)
        {
            CHECK_NEAR(drift.direction, 127.0, 1e-6);
        }
        double all = 0.0;
        for (double years = 2.0; years > 1e-9;)
        {
            wind_spell spell;
            years -= wadi_wind_course_next(&course, years, &spell);
            all += spell.years;
        }
        CHECK_NEAR(all, 0.5, 1e-9);
        wadi_wind_course_destroy(&course, f.context);
    }
    fixture_close(&f);
}

static void a_cycle_gives_each_wind_its_turn(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wind_prevailing p = prevailing;
    p.regime = WADI_WIND_OPPOSED;
    p.cycle = 4.0;
    wind_course course = {0};
    CHECK_OK(f.context, wadi_wind_course_regime(&course, f.context, &p));
    CHECK_NEAR(blown(&course, 2.0, 180.0), 0.5, 1e-12);
    CHECK_NEAR(blown(&course, 2.0, 180.0), 0.0, 0.0);
    CHECK_NEAR(blown(&course, 1.0, 180.0), 0.25, 1e-12);
    wadi_wind_course_destroy(&course, f.context);
    fixture_close(&f);
}

// A rose for two years, then a single wind; the first rose ends in mid-cycle.
static void a_schedule_turns_to_the_next_rose(void** state)
{
    (void)state;
    static const double rows[] = {
        0.0,  270.0, 10.0, 0.5,  //
        0.0,  180.0, 10.0, 0.25, //
        0.0,  0.0,   0.0,  0.25, //
        2.25, 90.0,  10.0, 1.0,
    };
    fixture f;
    fixture_open(&f, 1);
    wind_course course = {0};
    CHECK_OK(f.context,
             wadi_wind_course_table(&course, f.context, WIND_TABLE_SCHEDULE, rows, 4, 1.0, 1.0));
    CHECK_NEAR(wadi_wind_drift(&course, 6.0).direction, 63.43, 0.01);
    wind_course copy = course; // a second pass over the same winds
    CHECK_NEAR(blown(&course, 5.0, 270.0), 1.25, 1e-9);
    CHECK_NEAR(blown(&copy, 5.0, 90.0), 2.75, 1e-9);
    CHECK_NEAR(wadi_wind_drift(&course, 6.0).direction, 270.0, 1e-9);
    wadi_wind_course_destroy(&course, f.context);
    fixture_close(&f);
}

// Each wind blows for its share of time, however time is divided.
static void stretches_do_not_change_the_course(void** state)
{
    (void)state;
    static const double rows[] = {10.0, 270.0, 8.0, 5.0, 30.0, 9.0, 1000.0, 0.0, 0.0};
    fixture f;
    fixture_open(&f, 1);
    wind_course whole = {0};
    wind_course cut = {0};
    CHECK_OK(f.context,
             wadi_wind_course_table(&whole, f.context, WIND_TABLE_SERIES, rows, 3, 1.0, 1.0));
    CHECK_OK(f.context,
             wadi_wind_course_table(&cut, f.context, WIND_TABLE_SERIES, rows, 3, 1.0, 1.0));
    double sum = 0.0;
    for (int32_t i = 0; i < 700; ++i)
    {
        sum += blown(&cut, 0.01, 270.0);
    }
    CHECK_NEAR(blown(&whole, 7.0, 270.0), sum, 1e-9);
    CHECK_NEAR(sum, 7.0 * 10.0 / 1015.0, 2e-3);
    wadi_wind_course_destroy(&whole, f.context);
    wadi_wind_course_destroy(&cut, f.context);
    fixture_close(&f);
}

// Years of each of six directions within 0.37 yr from `now` on.
static void seek_shares(wind_course* course, double now, bool seeks, double shares[6])
{
    static const double directions[6] = {270.0, 180.0, 90.0, 30.0, 0.0, 10.0};
    for (int32_t i = 0; i < 6; ++i)
    {
        wind_course copy = *course;
        if (seeks)
        {
            wadi_wind_course_seek(&copy, now);
        }
        else if (now > 0.0)
        {
            (void)blown(&copy, now, 270.0);
        }
        shares[i] = blown(&copy, 0.37, directions[i]);
    }
}

// A course that is set to a moment goes on like one that ran there.
static void a_course_is_a_function_of_time(void** state)
{
    (void)state;
    static const double series[] = {10.0, 270.0, 8.0, 5000.0, 30.0,  9.0,
                                    0.0,  90.0,  9.0, 1000.0, 180.0, 5.0};
    static const double schedule[] = {
        0.0,  270.0, 10.0, 0.5,  //
        0.0,  180.0, 10.0, 0.25, //
        0.0,  0.0,   8.0,  0.25, //
        2.25, 90.0,  10.0, 1.0,  //
        7.5,  10.0,  10.0, 0.5,  //
        7.5,  270.0, 10.0, 0.5,
    };
    fixture f;
    fixture_open(&f, 1);
    for (int table = 0; table < 2; ++table)
    {
        wind_course course = {0};
        CHECK_OK(f.context, table == 0
                                ? wadi_wind_course_table(&course, f.context, WIND_TABLE_SERIES,
                                                         series, 4, 1.0, 1.0)
                                : wadi_wind_course_table(&course, f.context, WIND_TABLE_SCHEDULE,
                                                         schedule, 6, 1.0, 1.0));
        for (int32_t i = 0; i < 120; ++i)
        {
            double ran[6];
            double sought[6];
            seek_shares(&course, 0.1 * i, false, ran);
            seek_shares(&course, 0.1 * i, true, sought);
            double sum = 0.0;
            for (int32_t d = 0; d < 6; ++d)
            {
                CHECK_NEAR(sought[d], ran[d], 1e-7);
                sum += sought[d];
            }
            CHECK_NEAR(sum, 0.37, 1e-9);
        }
        wadi_wind_course_destroy(&course, f.context);
    }
    fixture_close(&f);
}

// A moment that differs from the end of a spell by rounding alone belongs to the next spell.
static void a_seek_leaves_no_slivers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wind_prevailing p = prevailing;
    p.regime = WADI_WIND_FIVE;
    wind_course course = {0};
    CHECK_OK(f.context, wadi_wind_course_regime(&course, f.context, &p));
    for (int32_t i = 0; i < 5000; ++i)
    {
        wind_spell spell;
        wadi_wind_course_seek(&course, i * 0.2 - 1e-13 * i);
        CHECK_NEAR(wadi_wind_course_next(&course, 10.0, &spell), 0.2, 1e-8);
        assert_int_equal(course.next, (i + 1) % 5);
    }
    wadi_wind_course_destroy(&course, f.context);
    fixture_close(&f);
}

static void bad_tables_are_refused(void** state)
{
    (void)state;
    static const double late[] = {3.0, 270.0, 10.0, 1.0};
    static const double back[] = {0.0, 270.0, 10.0, 1.0, 5.0, 90.0, 10.0, 1.0, 4.0, 0.0, 9.0, 1.0};
    static const double thin[] = {0.0, 270.0, 10.0, 0.7};
    static const double calm[] = {10.0, 270.0, 0.0};
    static const double brief[] = {1e-15, 270.0, 8.0};
    fixture f;
    fixture_open(&f, 1);
    wind_course course = {0};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "begins in year 3",
                wadi_wind_course_table(&course, f.context, WIND_TABLE_SCHEDULE, late, 1, 1.0, 1.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "order of time",
                wadi_wind_course_table(&course, f.context, WIND_TABLE_SCHEDULE, back, 3, 1.0, 1.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "sum to 0.7",
                wadi_wind_course_table(&course, f.context, WIND_TABLE_SCHEDULE, thin, 1, 1.0, 1.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "all calm",
                wadi_wind_course_table(&course, f.context, WIND_TABLE_SERIES, calm, 1, 1.0, 1.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE,
                "series has a total duration of 1e-15 h; give at least",
                wadi_wind_course_table(&course, f.context, WIND_TABLE_SERIES, brief, 1, 1.0, 1.0));
    fixture_close(&f);
}

// With 1 mm of roughness 8 m/s at 2 m are 9.69 m/s at 10 m, and 0.421 m/s of shear velocity at
// either height.
static void speeds_follow_the_log_profile(void** state)
{
    (void)state;
    assert_true(wadi_wind_gain(10.0, 1e-3) == 1.0);
    const double at_ten = 8.0 * wadi_wind_gain(2.0, 1e-3);
    CHECK_NEAR(at_ten, 9.694, 1e-3);
    CHECK_NEAR(wadi_wind_shear_velocity(8.0, 2.0, 1e-3), 0.4210, 1e-4);
    CHECK_NEAR(wadi_wind_shear_velocity(at_ten, 10.0, 1e-3), 0.4210, 1e-4);
}

// One wind of 20 knots at all times: 20^2 x (20 - 12).
static void drift_potential_is_fryberger_s(void** state)
{
    (void)state;
    wind_course course;
    wadi_wind_course_one(&course, 0.0, 20.0 * 0.514444, 1.0);
    const wind_drift drift = wadi_wind_drift(&course, 12.0 * 0.514444);
    CHECK_NEAR(drift.potential, 3200.0, 1e-6);
    CHECK_NEAR(drift.direction, 180.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wind_blows_its_share),
        cmocka_unit_test(regimes_cancel_as_vectors_do),
        cmocka_unit_test(a_cycle_gives_each_wind_its_turn),
        cmocka_unit_test(a_schedule_turns_to_the_next_rose),
        cmocka_unit_test(stretches_do_not_change_the_course),
        cmocka_unit_test(a_course_is_a_function_of_time),
        cmocka_unit_test(a_seek_leaves_no_slivers),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(speeds_follow_the_log_profile),
        cmocka_unit_test(drift_potential_is_fryberger_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
