// SPDX-License-Identifier: MIT
// Parsing of numbers: the nearest double, independent of the locale; other text is refused.
#include "support/comma.h"
#include "support/fixture.h"

#include <stdlib.h>

static const struct
{
    const char* text;
    double value;
    const char* rest;
} numbers[] = {
    {"12", 12.0, ""},
    {"-3.5e2", -350.0, ""},
    {"+.5", 0.5, ""},
    {"7.", 7.0, ""},
    {"0.1", 0.1, ""},
    {"2m", 2.0, "m"},
    {"1.25 km", 1.25, " km"},
    {"5em", 5.0, "em"},
    {"5e+", 5.0, "e+"},
    {"1.5.2", 1.5, ".2"},
    {"1,5", 1.0, ",5"},
    {"1.000,5", 1.0, ",5"},
    {"0x10", 0.0, "x10"},
    {"-0", -0.0, ""},
    // halfway between two doubles, and just above: correct rounding
    {"9007199254740993", 9007199254740992.0, ""},
    {"9007199254740993.0000000000000000000001", 9007199254740994.0, ""},
    {"2.2250738585072011e-308", 2.2250738585072011e-308, ""},
    {"1e999", HUGE_VAL, ""},
};

static void check_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    {
        const char* end = NULL;
        const double value = wadi_number_parse(numbers[i].text, &end);
        assert_memory_equal(&value, &numbers[i].value, sizeof value);
        assert_string_equal(end, numbers[i].rest);
    }
}

static void numbers_end_where_they_end(void** state)
{
    (void)state;
    check_numbers();
}

static void text_without_a_number_is_refused(void** state)
{
    (void)state;
    static const char* const others[] = {"",  " 1", "nan", "inf", "-inf", ".",
                                         "-", "e5", "+.",  "m",   "--1",  ",5"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    {
        const char* end = NULL;
        (void)wadi_number_parse(others[i], &end);
        assert_ptr_equal(end, others[i]);
    }
    char longest[258];
    memset(longest, '1', sizeof longest);
    longest[257] = '\0';
    const char* end = NULL;
    (void)wadi_number_parse(longest, &end);
    assert_ptr_equal(end, longest);
    longest[256] = '\0';
    assert_true(wadi_number_parse(longest, &end) > 1e255);
    assert_ptr_equal(end, longest + 256);
}

static void a_comma_in_the_locale_changes_nothing(void** state)
{
    (void)state;
    if (!comma_enter())
    {
        print_message("no locale with a comma can be made here: install the package locales\n");
        skip();
    }
    assert_true(strtod("1,5", NULL) == 1.5); // the locale is active
    check_numbers();
    fixture f;
    fixture_open(&f, 1);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    CHECK_OK(f.context,
             wadi_field_set_text(f.context, &wadi_hydraulic_fields, "rain", "1.25", &params));
    assert_true(params.rain == 1.25);
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "takes a number",
                wadi_field_set_text(f.context, &wadi_hydraulic_fields, "rain", "1,5", &params));
    fixture_close(&f);
    comma_leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_end_where_they_end),
        cmocka_unit_test(text_without_a_number_is_refused),
        cmocka_unit_test(a_comma_in_the_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
