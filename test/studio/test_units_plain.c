// SPDX-License-Identifier: MIT
// Units without a library give the bits of udunits, so that a scene means the same in a page.
#include "support/fixture.h"

#include "io/units.h"

#include <stdio.h>

// studio/wasm/units_plain.c and what it shares, under other names, beside io/units.c
wadi_result units_plain_parse_value(wadi_context* context, const char* what, const char* text,
                                    const char* unit, double* value);
void units_plain_factors(const char* const* from, int32_t count, const char* to, double* factors);
#define wadi_io_parse_value units_plain_parse_value
#define wadi_units_factors units_plain_factors
#include "io/units_value.c"
#include "studio/wasm/units_plain.c"
#undef wadi_io_parse_value
#undef wadi_units_factors

static const char* const numbers[] = {"1", "15", "0.3", "7.25e-3", "-800", "1234.5"};

static const char* const units[] = {
    "m",     "km",       "cm",    "mm",    "um",        "s",      "min",       "h",      "d",
    "yr",    "kyr",      "Myr",   "a",     "ka",        "kg",     "g",         "t",      "N",
    "kN",    "Pa",       "kPa",   "MPa",   "l",         "ha",     "degree",    "deg",    "rad",
    "%",     "percent",  "1",     "m/s",   "km/h",      "m/yr",   "mm/yr",     "mm/kyr", "m/Myr",
    "mm/d",  "m2",       "km2",   "m^2",   "m2/yr",     "m2/kyr", "m3/s",      "l/s",    "m3/d",
    "m3/yr", "kg/m3",    "g/cm3", "t/m3",  "kg m-3",    "kg.m-3", "kg*m-3",    "N/m2",   "1/yr",
    "yr-1",  "1/m",      "m/s2",  "m s-2", "m3/m/s",    "m2/s",   "metres",    "hours",  "days",
    "years", "\xC2\xB0", "L",     "m/",    "/m",        "m//s",   "2m",        "m^",     "m-",
    "mm2/h", "feet",     "K",     "m s",   "kg m2 s-2", "m3 s-1", "\xC2\xB5m", "Gyr",
};

static const char* const targets[] = {"m",    "s",     "yr",    "kg",    "Pa",    "degree", "1",
                                      "m/s",  "m/yr",  "m2",    "m2/yr", "m3/s",  "m3/yr",  "kg/m3",
                                      "1/yr", "1/m",   "m/s2",  "m2/s",  "N",     "h",      "mm",
                                      "m3/m", "mm/yr", "kg/m2", "hours", "m3/m/s"};

static int32_t compare(fixture* f, const char* text, const char* unit, int32_t* wrong)
{
    double here = -1.0;
    double there = -1.0;
    const wadi_result a = wadi_io_parse_value(f->context, "x", text, unit, &there);
    const wadi_result b = units_plain_parse_value(f->context, "x", text, unit, &here);
    if ((a == WADI_OK) != (b == WADI_OK) || (a == WADI_OK && here != there))
    {
        print_message("'%s' in '%s': %d %.17g, but %d %.17g by udunits\n", text, unit, (int)b, here,
                      (int)a, there);
        *wrong += 1;
    }
    return a == WADI_OK;
}

static void all_pairs_agree(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    int32_t converted = 0;
    int32_t wrong = 0;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; ++u)
    {
        for (size_t t = 0; t < sizeof targets / sizeof targets[0]; ++t)
        {
            char text[64];
            const size_t n = (u + t) % (sizeof numbers / sizeof numbers[0]);
            (void)snprintf(text, sizeof text, "%s %s", numbers[n], units[u]);
            converted += compare(&f, text, targets[t], &wrong);
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(converted > 150);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
