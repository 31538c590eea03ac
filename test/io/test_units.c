// SPDX-License-Identifier: MIT
// Numbers with units: exact values, and refusals.
#include "support/comma.h"
#include "support/fixture.h"

#include "io/units.h"

static const struct
{
    const char* text;
    const char* unit;
    double value;
} good[] = {
    {"12", "m", 12.0},
    {"-3.5e2", "m", -350.0},
    {"10 yr", "yr", 10.0},
    {"2m", "m", 2.0},
    {"2 m", "m", 2.0},
    {"1.2 km", "m", 1200.0},
    {"25 cm", "m", 0.25},
    {"150 um", "m", 150e-6},
    {"35 km/h", "m/s", 35.0 / 3.6},
    {"800 mm/yr", "m/yr", 0.8},
    {"0.1 mm/h", "m/yr", 0.1e-3 * 24.0 * 365.25},
    {"100 kyr", "yr", 1e5},
    {"2 Ma", "yr", 2e6},
    {"365.25 d", "yr", 1.0},
    {"6 hours", "s", 21600.0},
    {"33 deg", "degree", 33.0},
    {"33\xC2\xB0", "degree", 33.0},
    {"3.14159265358979 rad", "degree", 180.0},
    {"80 %", "1", 0.8},
    {"0.5", "1", 0.5},
    {"2.65 g/cm3", "kg/m3", 2650.0},
    {"5 kPa", "Pa", 5000.0},
    {"1 m2/yr", "m2/yr", 1.0},
    {"3 l/s", "m3/s", 0.003},
};

static void check_good_values(void)
{
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
    {
        double value = (double)NAN;
        CHECK_OK(f.context,
                 wadi_io_parse_value(f.context, "x", good[i].text, good[i].unit, &value));
        CHECK_NEAR(value, good[i].value, 1e-12 * fabs(good[i].value));
    }
    fixture_close(&f);
}

static void values_convert_to_their_unit(void** state)
{
    (void)state;
    check_good_values();
}

// One state for "20 kyr" and "20000 yr": factors that are whole, or one over a whole, are exact.
static void whole_factors_are_exact(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* unit;
        double value;
    } exact[] = {{"20 kyr", "yr", 20000.0},    {"0.02 Myr", "yr", 20000.0},
                 {"730.5 d", "yr", 2.0},       {"800 mm/yr", "m/yr", 0.8},
                 {"3 km", "m", 3000.0},        {"2 h", "s", 7200.0},
                 {"5 kPa", "Pa", 5000.0},      {"3 ha", "m2", 30000.0},
                 {"7 l/s", "m3/s", 7.0 / 1e3}, {"2 m3/yr", "m3/yr", 2.0}};
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; ++i)
    {
        double value = (double)NAN;
        CHECK_OK(f.context,
                 wadi_io_parse_value(f.context, "x", exact[i].text, exact[i].unit, &value));
        assert_true(value == exact[i].value);
    }
    fixture_close(&f);
}

static void a_comma_in_the_locale_changes_nothing(void** state)
{
    (void)state;
    if (!comma_enter())
    {
        print_message("no locale with a comma can be made here: install the package locales\n");
        skip();
    }
    check_good_values();
    comma_leave();
}

static const struct
{
    const char* text;
    const char* unit;
} bad[] = {
    {"", "m"},
    {"m", "m"},
    {"3 kg", "m"},
    {"3 kg", "m/yr"},
    {"1,5 m", "m"},
    {"nan", "m"},
    {"inf m", "m"},
    {"1e999", "m"},
    {"0x10", "m"},
    {"3 m m", "m"},
    {"3 %", "m"},
    {"35 %", "degree"}, // a slope, not a hundredth of a radian
    {"35 percent", "degree"},
    {"3 m", "1"},
    {"2 m 3", "m"},
    {"3 parsec", "m"},
    {"12 foot", "m"},
    {"3 m/", "m"},
    {"3 lg(re mW)", "m"},
    {"3 m since 2000", "m"},
    {"3 0.001 km", "m"},
    {"3 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", "m"},
};

static void nonsense_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        double value = 7.0;
        if (wadi_io_parse_value(f.context, "depth", bad[i].text, bad[i].unit, &value) == WADI_OK)
        {
            fail_msg("'%s' was read as %g %s", bad[i].text, value, bad[i].unit);
        }
        assert_non_null(strstr(wadi_error_detail(f.context), "depth is '"));
        CHECK_NEAR(value, 7.0, 0.0);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_convert_to_their_unit),
        cmocka_unit_test(whole_factors_are_exact),
        cmocka_unit_test(a_comma_in_the_locale_changes_nothing),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
