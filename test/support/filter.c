// SPDX-License-Identifier: MIT
// Which of a program's tests run: CTest sets these variables for programs with slow tests; see
// test/CMakeLists.txt. By hand, without them, all run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void filter_set(void)
{
    const char* only = getenv("WADI_TESTS_ONLY");
    const char* skip = getenv("WADI_TESTS_SKIP");
    if (only != NULL)
    {
        cmocka_set_test_filter(only);
    }
    if (skip != NULL)
    {
        cmocka_set_skip_filter(skip);
    }
}
