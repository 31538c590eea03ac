// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 24
// The parameter sheet of the default wind: each parameter against the base case on the same five
// sheets of sand, beyond two standard errors of the five differences.
#include "support/sand_run.h"

enum
{
    SEEDS = 5
};

// 560 m2 of sand past each metre of the base case: slip faces have come to stand at repose. At 400
// they have not yet, and repose changes their slope but not the height. At 600 ridges of one of the
// seeds have merged, and its spacing is twice that of the others.
static const double years = 11.2; // slides have just ended: they follow every fourth batch

typedef struct sheet_look
{
    double height;
    double spacing;
    double lee;
    double flux;
} sheet_look;

typedef struct sheet
{
    sheet_look base[SEEDS];
} sheet;

static sheet_look sheet_run(uint64_t seed, const char* field, double value)
{
    sand_job job = sand_job_default();
    job.size = 160;
    job.seed = seed;
    const wadi_field* f = field != NULL ? wadi_field_find(&wadi_wind_fields, field) : NULL;
    if (f != NULL)
    {
        *(double*)(void*)((char*)&job.params + f->offset) = value;
    }
    sand_run run;
    sand_open(&run, &job);
    sand_blow(&run, years);
    const dune_measures d = sand_measure(&run);
    const sheet_look look = {d.height, d.spacing, d.lee_p95, sand_flux(&run)};
    sand_close(&run);
    return look;
}

static void sheet_change(const char* field, double value, sheet_look* changed)
{
    print_message("%s = %g\n", field, value);
    for (uint64_t i = 0; i < SEEDS; ++i)
    {
        changed[i] = sheet_run(i + 1, field, value);
    }
}

// Mean of the five differences in one measure, over its standard error.
static double sheet_errors(const sheet* s, const sheet_look* changed, size_t member,
                           const char* name)
{
    double difference[SEEDS];
    double base = 0.0;
    for (int i = 0; i < SEEDS; ++i)
    {
        const double* was = (const double*)(const void*)((const char*)&s->base[i] + member);
        const double* is = (const double*)(const void*)((const char*)&changed[i] + member);
        difference[i] = *is - *was;
        base += *was / SEEDS;
    }
    const sand_mean d = sand_mean_of(difference, SEEDS);
    print_message("  %-8s %7.3f -> %7.3f  %+.1f standard errors\n", name, base, base + d.mean,
                  d.mean / d.error);
    return d.mean / d.error;
}

static int sheet_setup(void** state)
{
    sheet* s = test_malloc(sizeof *s);
    for (uint64_t i = 0; i < SEEDS; ++i)
    {
        s->base[i] = sheet_run(i + 1, NULL, 0.0);
    }
    *state = s;
    return 0;
}

static int sheet_teardown(void** state)
{
    test_free(*state);
    return 0;
}

// Faster settling of sand down slopes.
static void settling_lowers_dunes(void** state)
{
    sheet_look changed[SEEDS];
    sheet_change("creep", 1.0, changed);
    assert_true(sheet_errors(*state, changed, offsetof(sheet_look, height), "height") < -2.0);
}

static void rough_sand_is_steep_and_high(void** state)
{
    sheet_look changed[SEEDS];
    sheet_change("repose", 40.0, changed);
    assert_true(sheet_errors(*state, changed, offsetof(sheet_look, lee), "lee") > 2.0);
    assert_true(sheet_errors(*state, changed, offsetof(sheet_look, height), "height") > 2.0);
}

static void more_suspension_is_more_flux(void** state)
{
    sheet_look changed[SEEDS];
    sheet_change("flux", 600.0, changed);
    assert_true(sheet_errors(*state, changed, offsetof(sheet_look, flux), "flux") > 2.0);
}

static void weak_wind_makes_closer_dunes(void** state)
{
    sheet_look changed[SEEDS];
    sheet_change("speed", 8.0, changed);
    assert_true(sheet_errors(*state, changed, offsetof(sheet_look, spacing), "spacing") < -2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settling_lowers_dunes),
        cmocka_unit_test(rough_sand_is_steep_and_high),
        cmocka_unit_test(more_suspension_is_more_flux),
        cmocka_unit_test(weak_wind_makes_closer_dunes),
    };
    return cmocka_run_group_tests(tests, sheet_setup, sheet_teardown);
}
