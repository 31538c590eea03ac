// SPDX-License-Identifier: MIT
// cmocka with its required headers, and checks with detailed messages.
#pragma once

#include <math.h>
#if !defined(__wasm__) // which has none
#include <setjmp.h>
#endif
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <wadi/context.h>

// Expect a call to succeed; on failure the context's own message is printed.
#define CHECK_OK(context, expression)                                                              \
    do                                                                                             \
    {                                                                                              \
        const wadi_result check_result = (expression);                                             \
        if (check_result != WADI_OK)                                                               \
        {                                                                                          \
            fail_msg("%s: %s: %s", #expression, wadi_result_name(check_result),                    \
                     wadi_error_detail(context));                                                  \
        }                                                                                          \
    } while (0)

// Expect a call to fail with `code` and a message that contains `text`.
#define CHECK_FAILS(context, code, text, expression)                                               \
    do                                                                                             \
    {                                                                                              \
        const wadi_result check_result = (expression);                                             \
        if (check_result != (code))                                                                \
        {                                                                                          \
            fail_msg("%s: expected %s, got %s", #expression, wadi_result_name(code),               \
                     wadi_result_name(check_result));                                              \
        }                                                                                          \
        if (strstr(wadi_error_detail(context), (text)) == NULL)                                    \
        {                                                                                          \
            fail_msg("%s: message '%s' lacks '%s'", #expression, wadi_error_detail(context),       \
                     (text));                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_NEAR(value, expected, tolerance)                                                     \
    do                                                                                             \
    {                                                                                              \
        const double check_value = (value);                                                        \
        const double check_expected = (expected);                                                  \
        if (!(fabs(check_value - check_expected) <= (tolerance)))                                  \
        {                                                                                          \
            fail_msg("%s is %.17g, expected %.17g within %g", #value, check_value, check_expected, \
                     (double)(tolerance));                                                         \
        }                                                                                          \
    } while (0)

// Expect a target of docs/GAPS.md not to be met yet, where a test computes the number anyway. Once
// the target is met the test fails, and this line becomes an assertion.
#define CHECK_GAP(target)                                                                          \
    do                                                                                             \
    {                                                                                              \
        if (target)                                                                                \
        {                                                                                          \
            fail_msg("%s is met: assert it, and take its row out of docs/GAPS.md", #target);       \
        }                                                                                          \
    } while (0)
