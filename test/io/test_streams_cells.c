// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 10
// gap: land that drains at 60 and 120 m, the Pyrenees at 80 and 160 m, and the default step
// Model "streams" wears a land alike on cells of any size, and in steps of a thousand years or
// less, on noise, on land that drains, on a dome that rises, and on real mountains.
#include "io/streams_file.h"

enum
{
    SIDE = 192
};

static const cells_run rain = {.years = 60e3, .step = 500.0};
static const cells_run brief = {.years = 10e3, .step = 500.0};

static void check(const char* what, cells_comparison c, double correlation, double wear)
{
    cells_print(what, c);
    assert_true(c.correlation >= correlation);
    assert_true(fabs(c.wear - 1.0) <= wear);
}

// Half the step gives the same land.
static void check_half(fixture* f, const char* what, const cells_land* land, double step)
{
    const cells_run run = {.years = 200e3, .step = step};
    check(what, cells_halve(f, land, &run), 0.995, 0.02);
}

// Noise after 60 000 years: it drains.
static cells_land drained_land(fixture* f)
{
    cells_land noise = cells_noise(f, 24, SIDE, 30.0);
    cells_land land = cells_after(f, &noise, &rain);
    cells_free(&noise);
    return land;
}

static void raw_noise_wears_alike(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land land = cells_noise(&f, 23, SIDE, 30.0);
    check("noise, 60 m for 30 m", cells_compare(&f, &land, 2, &rain), 0.93, 0.05);
    check("noise, 120 m for 30 m", cells_compare(&f, &land, 4, &rain), 0.92, 0.05);
    cells_free(&land);
    fixture_close(&f);
}

static void slow_land_that_drains_wears_alike(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land land = drained_land(&f);
    check("drained, 60 m for 30 m", cells_compare(&f, &land, 2, &rain), 0.975, 0.05);
    check("drained, 120 m for 30 m", cells_compare(&f, &land, 4, &rain), 0.92, 0.05);
    cells_free(&land);
    fixture_close(&f);
}

// Heights of a range that rose for a million years.
static void slow_a_rising_dome_is_as_high(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land land = cells_noise(&f, 5, SIDE, 30.0);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        land.heights[i] *= 0.03f;
    }
    const cells_run run = {.years = 1e6, .step = 5000.0, .uplift = 1.0};
    check("dome, 60 m for 30 m", cells_compare(&f, &land, 2, &run), 0.975, 0.05);
    check("dome, 120 m for 30 m", cells_compare(&f, &land, 4, &run), 0.92, 0.05);
    cells_land half = cells_mean(&land, 2);
    check("dome, 120 m for 60 m", cells_compare(&f, &half, 2, &run), 0.975, 0.05);
    cells_free(&half);
    cells_free(&land);
    fixture_close(&f);
}

// Crops of SRTM: cells count as 80 m.
static void real_mountains_wear_alike(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land alps =
        cells_file(&f, WADI_SOURCE_DIR "/scenes/data/bernese-alps-256.tif", 256, 80.0);
    check("Alps, 160 m for 80 m", cells_compare(&f, &alps, 2, &brief), 0.975, 0.05);
    cells_free(&alps);
    cells_land low = cells_file(&f, WADI_SOURCE_DIR "/test/data/pyrenees-256.tif", 256, 80.0);
    check("Pyrenees, 160 m for 80 m", cells_compare(&f, &low, 2, &brief), 0.93, 0.05);
    cells_free(&low);
    fixture_close(&f);
}

static void slow_steps_of_a_thousand_years_are_short_enough_in_mountains(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land alps =
        cells_file(&f, WADI_SOURCE_DIR "/scenes/data/bernese-alps-256.tif", 256, 80.0);
    check_half(&f, "Alps, half the step", &alps, 1000.0);
    cells_free(&alps);
    cells_land low = cells_file(&f, WADI_SOURCE_DIR "/test/data/pyrenees-256.tif", 256, 80.0);
    check_half(&f, "Pyrenees, half the step", &low, 1000.0);
    cells_free(&low);
    fixture_close(&f);
}

static void steps_of_a_thousand_years_are_short_enough_on_noise(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land land = cells_noise(&f, 23, SIDE, 30.0);
    check_half(&f, "noise, half the step", &land, 1000.0);
    cells_free(&land);
    fixture_close(&f);
}

// ---- gaps --------------------------------------------------------------------------------

static void drained_land_of_coarse_cells_agrees(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land land = drained_land(&f);
    cells_land half = cells_mean(&land, 2);
    check("drained, 120 m for 60 m", cells_compare(&f, &half, 2, &rain), 0.975, 0.05);
    cells_free(&half);
    cells_free(&land);
    fixture_close(&f);
}

static void the_pyrenees_agree(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land low = cells_file(&f, WADI_SOURCE_DIR "/test/data/pyrenees-256.tif", 256, 80.0);
    check("Pyrenees, 160 m for 80 m", cells_compare(&f, &low, 2, &brief), 0.975, 0.05);
    cells_free(&low);
    fixture_close(&f);
}

static void the_default_step_is_short_enough(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    cells_land land = cells_noise(&f, 23, SIDE, 30.0);
    check_half(&f, "noise, half the default step", &land, wadi_hydraulic_params_default().max_step);
    cells_free(&land);
    fixture_close(&f);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_noise_wears_alike),
        cmocka_unit_test(slow_land_that_drains_wears_alike),
        cmocka_unit_test(slow_a_rising_dome_is_as_high),
        cmocka_unit_test(real_mountains_wear_alike),
        cmocka_unit_test(slow_steps_of_a_thousand_years_are_short_enough_in_mountains),
        cmocka_unit_test(steps_of_a_thousand_years_are_short_enough_on_noise),
    };
    const struct CMUnitTest gaps[] = {
        cmocka_unit_test(drained_land_of_coarse_cells_agrees),
        cmocka_unit_test(the_pyrenees_agree),
        cmocka_unit_test(the_default_step_is_short_enough),
    };
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
