// SPDX-License-Identifier: MIT
// Libraries that are loaded when they are needed: by name, else from where the build found them,
// with all functions or with a message that says what to install.
#include "support/fixture.h"

#include "io/libraries/library.h"

#if WADI_IO_LOADS

typedef struct two_functions
{
    double (*root)(double x);
    double (*power)(double x, double y);
} two_functions;

static const char* const both[] = {"sqrt", "pow"};

static wadi_io_library library_of(const char* file, const char* path, two_functions* functions)
{
    return (wadi_io_library){.name = "arithmetic",
                             .file = file,
                             .path = path,
                             .names = both,
                             .functions = functions,
                             .count = 2};
}

static void a_library_is_found_by_name_or_by_place(void** state)
{
    (void)state;
    static const char* const ways[][2] = {{"libm.so.6", "/nowhere/libm.so.6"},
                                          {"libnowhere.so.6", "libm.so.6"}};
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < 2; ++i)
    {
        two_functions functions = {0};
        wadi_io_library library = library_of(ways[i][0], ways[i][1], &functions);
        CHECK_OK(f.context, wadi_io_library_need(f.context, &library));
        CHECK_OK(f.context, wadi_io_library_need(f.context, &library));
        assert_true(functions.root(9.0) == 3.0);
        assert_true(functions.power(3.0, 2.0) == 9.0);
    }
    fixture_close(&f);
}

static void an_absent_library_is_named(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    two_functions functions = {0};
    wadi_io_library library = library_of("libnowhere.so.6", "/nowhere/libm.so.6", &functions);
    for (int i = 0; i < 2; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_IO, "install the package that has libnowhere.so.6",
                    wadi_io_library_need(f.context, &library));
    }
    assert_int_equal(wadi_io_library_need(NULL, &library), WADI_ERROR_IO);
    fixture_close(&f);
}

static void a_library_that_lacks_a_function_is_refused(void** state)
{
    (void)state;
    static const char* const names[] = {"sqrt", "wadi_is_not_arithmetic"};
    fixture f;
    fixture_open(&f, 1);
    two_functions functions = {0};
    wadi_io_library library = library_of("libm.so.6", "libm.so.6", &functions);
    library.names = names;
    for (int i = 0; i < 2; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_IO, "wadi_is_not_arithmetic",
                    wadi_io_library_need(f.context, &library));
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_is_found_by_name_or_by_place),
        cmocka_unit_test(an_absent_library_is_named),
        cmocka_unit_test(a_library_that_lacks_a_function_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; // libraries are linked
}

#endif
