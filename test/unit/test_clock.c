// SPDX-License-Identifier: MIT
// The clock: durations cut into parts add up to the same time, from milliseconds to millions of
// years, and solvers take the same number of steps in them.
#include "support/fixture.h"

#include "core/clock.h"
#include "process/solver.h"

static wadi_clock cut(double years, int parts)
{
    wadi_clock clock = {0};
    for (int i = 0; i < parts; ++i)
    {
        wadi_clock_add(&clock, years / parts);
    }
    return clock;
}

static void parts_add_up_to_the_whole(void** state)
{
    (void)state;
    static const double years[] = {1.0, 37.0, 5000.0, 100e3, 250e3, 1e6, 3e6, 12345678.0, 3.4e7};
    static const int parts[] = {3, 7, 50, 999};
    for (size_t y = 0; y < sizeof years / sizeof years[0]; ++y)
    {
        const wadi_clock whole = cut(years[y], 1);
        assert_true(whole.ms == (int64_t)years[y] * INT64_C(31557600000) && whole.rest == 0.0);
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p)
        {
            assert_true(cut(years[y], parts[p]).ms == whole.ms);
        }
    }
}

// The unit grows with the time, and nothing is lost to it: the rest is kept.
static void the_unit_is_four_times_the_error(void** state)
{
    (void)state;
    assert_int_equal(wadi_clock_unit(0), 1);
    assert_int_equal(wadi_clock_unit((INT64_C(1) << 51) - 1), 1);
    assert_int_equal(wadi_clock_unit(INT64_C(1) << 51), 2);
    assert_int_equal(wadi_clock_unit(INT64_C(1) << 54), 16);
    assert_int_equal(wadi_clock_unit(INT64_MAX), 256);
    wadi_clock clock = {.ms = INT64_C(1) << 54};
    for (int i = 0; i < 1000; ++i)
    {
        wadi_clock_add(&clock, 1.0 / WADI_MS_PER_YEAR);
    }
    assert_true(clock.ms % 16 == 0 && fabs(clock.rest) <= 8.0);
    const int64_t since = clock.ms - (INT64_C(1) << 54);
    CHECK_NEAR((double)since + clock.rest, 1000.0, 1e-3);
}

static void long_calls_take_the_same_steps(void** state)
{
    (void)state;
    static const int parts[] = {1, 7, 50, 333};
    uint64_t hashes[4];
    for (int p = 0; p < 4; ++p)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = fixture_flat(&f, 4, 4);
        wadi_uplift_params params = wadi_uplift_params_default();
        params.max_step = 25e3;
        params.rate = 0.01;
        wadi_solver* solver;
        CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_uplift_process, &params, 0, &solver));
        for (int i = 0; i < parts[p]; ++i)
        {
            CHECK_OK(f.context, wadi_solver_advance(solver, 3e6 / parts[p]));
            CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 3e6 / parts[p]));
        }
        assert_int_equal(solver->steps, 120);
        CHECK_OK(f.context, wadi_solver_finish(solver));
        assert_int_equal(solver->index, 120);
        hashes[p] = wadi_terrain_hash(terrain) ^ wadi_solver_hash(solver);
        assert_true(hashes[p] == hashes[0]);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up_to_the_whole),
        cmocka_unit_test(the_unit_is_four_times_the_error),
        cmocka_unit_test(long_calls_take_the_same_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
