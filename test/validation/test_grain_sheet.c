// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 23
// The article's parameter sheet, with the constants of its released code: each change against the
// base case on the same five lands, beyond two standard errors of the five differences.
#include "support/grain_run.h"

enum
{
    SEEDS = 5
};

typedef struct sheet
{
    grain_land_look base[SEEDS];
} sheet;

static grain_land_look sheet_run(uint32_t seed, const char* field, double factor)
{
    grain_job job = {256, 1.0, 100.0, seed, grain_preset("paper-repo")};
    const wadi_field* f = field != NULL ? wadi_field_find(&wadi_wind_fields, field) : NULL;
    if (f != NULL)
    {
        double* value = (double*)(void*)((char*)&job.params + f->offset);
        *value *= factor;
    }
    return grain_look(&job, NULL);
}

typedef double sheet_measure(const grain_land_look* look);

static double sheet_relief(const grain_land_look* look)
{
    return look->relief;
}

static double sheet_dunes(const grain_land_look* look)
{
    return look->dunes;
}

static double sheet_lee(const grain_land_look* look)
{
    return look->lee;
}

static double sheet_texture(const grain_land_look* look)
{
    return look->texture;
}

static double sheet_spacing(const grain_land_look* look)
{
    return look->spacing;
}

static double sheet_flux(const grain_land_look* look)
{
    return look->flux;
}

static double sheet_exported(const grain_land_look* look)
{
    return look->exported;
}

// Mean difference of five lands over its standard error, times `sign`: above 2 the measure rises
// (+1) or falls (-1) significantly.
static double sheet_errors(const sheet* s, const grain_land_look* changed, sheet_measure* measure,
                           const char* name, int sign)
{
    double sum = 0.0;
    double squares = 0.0;
    double base = 0.0;
    for (int i = 0; i < SEEDS; ++i)
    {
        const double d = measure(&changed[i]) - measure(&s->base[i]);
        base += measure(&s->base[i]) / SEEDS;
        sum += d;
        squares += d * d;
    }
    const double mean = sum / SEEDS;
    const double error = sqrt((squares / SEEDS - mean * mean) / (SEEDS - 1));
    print_message("  %-9s %9.4g -> %9.4g  %+.1f standard errors\n", name, base, base + mean,
                  mean / error);
    return (double)sign * mean / error;
}

static void sheet_change(const char* field, double factor, grain_land_look* changed)
{
    print_message("%s x %g\n", field, factor);
    for (uint32_t i = 0; i < SEEDS; ++i)
    {
        changed[i] = sheet_run(i + 1, field, factor);
    }
}

static int sheet_setup(void** state)
{
    sheet* s = test_malloc(sizeof *s);
    for (uint32_t i = 0; i < SEEDS; ++i)
    {
        s->base[i] = sheet_run(i + 1, NULL, 1.0);
    }
    *state = s;
    return 0;
}

static int sheet_teardown(void** state)
{
    test_free(*state);
    return 0;
}

static void settling_lowers_dunes(void** state)
{
    grain_land_look changed[SEEDS];
    sheet_change("grain_settling", 4.0, changed);
    assert_true(sheet_errors(*state, changed, sheet_dunes, "dunes", -1) > 2.0);
    assert_true(sheet_errors(*state, changed, sheet_relief, "relief", -1) > 2.0);
}

static void roughness_steepens_lees(void** state)
{
    grain_land_look changed[SEEDS];
    sheet_change("grain_roughness", 2.0, changed);
    assert_true(sheet_errors(*state, changed, sheet_lee, "lee", 1) > 2.0);
    assert_true(sheet_errors(*state, changed, sheet_relief, "relief", 1) > 2.0);
    assert_true(sheet_errors(*state, changed, sheet_texture, "texture", 1) > 2.0);
}

static void suspension_moves_more(void** state)
{
    grain_land_look changed[SEEDS];
    sheet_change("grain_suspension", 2.0, changed);
    assert_true(sheet_errors(*state, changed, sheet_flux, "flux", 1) > 2.0);
    assert_true(sheet_errors(*state, changed, sheet_exported, "exported", 1) > 2.0);
}

static void less_wind_brings_dunes_together(void** state)
{
    grain_land_look changed[SEEDS];
    sheet_change("speed", 0.5, changed);
    assert_true(sheet_errors(*state, changed, sheet_spacing, "spacing", -1) > 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settling_lowers_dunes),
        cmocka_unit_test(roughness_steepens_lees),
        cmocka_unit_test(suspension_moves_more),
        cmocka_unit_test(less_wind_brings_dunes_together),
    };
    return cmocka_run_group_tests(tests, sheet_setup, sheet_teardown);
}
