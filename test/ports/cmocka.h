// SPDX-License-Identifier: MIT
// The part of cmocka that our unit tests use, for platforms that Debian has no cmocka for. The
// first check that fails ends the program.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest
{
    const char* name;
    void (*function)(void** state);
};

#define cmocka_unit_test(test)                                                                     \
    {                                                                                              \
#test, test                                                                                \
    }

// cmocka's own versions report memory that is not freed
#define test_malloc malloc
#define test_calloc calloc
#define test_free free

#define print_message(...) ((void)printf(__VA_ARGS__))
#define skip() return // ends the test function that calls it

#define fail_msg(...)                                                                              \
    do                                                                                             \
    {                                                                                              \
        (void)fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                      \
        (void)fprintf(stderr, __VA_ARGS__);                                                        \
        (void)fputs("\n", stderr);                                                                 \
        exit(EXIT_FAILURE);                                                                        \
    } while (0)

#define CMOCKA_EXPECT(condition, text)                                                             \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
        {                                                                                          \
            fail_msg("%s", text);                                                                  \
        }                                                                                          \
    } while (0)

#define assert_true(a) CMOCKA_EXPECT(a, #a)
#define assert_false(a) CMOCKA_EXPECT(!(a), "not " #a)
#define assert_null(a) CMOCKA_EXPECT((a) == NULL, #a " is NULL")
#define assert_non_null(a) CMOCKA_EXPECT((a) != NULL, #a " is not NULL")
#define assert_ptr_equal(a, b) CMOCKA_EXPECT((a) == (b), #a " == " #b)
#define assert_string_equal(a, b) CMOCKA_EXPECT(strcmp(a, b) == 0, #a " == " #b)
#define assert_string_not_equal(a, b) CMOCKA_EXPECT(strcmp(a, b) != 0, #a " != " #b)
#define assert_memory_equal(a, b, size) CMOCKA_EXPECT(memcmp(a, b, size) == 0, #a " == " #b)
#define assert_memory_not_equal(a, b, size) CMOCKA_EXPECT(memcmp(a, b, size) != 0, #a " != " #b)

// whole numbers are compared as cmocka compares them, in 64 bits, and printed
#define assert_int_equal(a, b)                                                                     \
    do                                                                                             \
    {                                                                                              \
        const long long cmocka_a = (long long)(a);                                                 \
        const long long cmocka_b = (long long)(b);                                                 \
        if (cmocka_a != cmocka_b)                                                                  \
        {                                                                                          \
            fail_msg("%s is %lld, not %lld", #a, cmocka_a, cmocka_b);                              \
        }                                                                                          \
    } while (0)
#define assert_int_not_equal(a, b) CMOCKA_EXPECT((long long)(a) != (long long)(b), #a " != " #b)
#define assert_in_range(a, low, high)                                                              \
    CMOCKA_EXPECT((long long)(a) >= (long long)(low) && (long long)(a) <= (long long)(high),       \
                  #a " in [" #low ", " #high "]")

static inline int cmocka_run(const struct CMUnitTest* tests, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        (void)printf("%s\n", tests[i].name);
        (void)fflush(stdout);
        void* state = NULL;
        tests[i].function(&state);
    }
    return EXIT_SUCCESS;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    ((void)(setup), (void)(teardown), cmocka_run(tests, sizeof(tests) / sizeof(tests)[0]))
