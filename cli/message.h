// SPDX-License-Identifier: MIT
// Exit status and error message of a verb.
#pragma once

#include <wadi/context.h>

// Exit statuses. All functions of the cli return one; the function that detects an error prints the
// message.
typedef enum cli_status
{
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INTERRUPTED = 130
} cli_status;

// Print "wadi: ..." to standard error and return `status`.
cli_status cli_fail(cli_status status, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

// Convert a result of the library to a status; prints the library's message on failure.
cli_status cli_check(const wadi_context* context, wadi_result result);

// Like cli_check() for errors in the command line: a failure is CLI_USAGE.
cli_status cli_check_usage(const wadi_context* context, wadi_result result);

// Return from the function unless the status is CLI_DONE.
#define CLI_TRY(expression)                                                                        \
    do                                                                                             \
    {                                                                                              \
        const cli_status try_status = (expression);                                                \
        if (try_status != CLI_DONE)                                                                \
        {                                                                                          \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)
