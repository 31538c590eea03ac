// SPDX-License-Identifier: MIT
// What a verb came to, and the one line that says so.
#pragma once

#include <wadi/context.h>

// Exit statuses of the command. Functions of the cli return one of these; whoever finds the
// trouble prints the line about it.
typedef enum cli_status
{
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INTERRUPTED = 130
} cli_status;

// Print "wadi: ..." on standard error and return `status`.
cli_status cli_fail(cli_status status, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

// Turn the result of a library call into a status; a failure prints the library's own line.
cli_status cli_check(const wadi_context* context, wadi_result result);

// The same where the command line is to blame: a failure is CLI_USAGE.
cli_status cli_check_usage(const wadi_context* context, wadi_result result);

// Forward anything but CLI_DONE.
#define CLI_TRY(expression)                                                                        \
    do                                                                                             \
    {                                                                                              \
        const cli_status try_status = (expression);                                                \
        if (try_status != CLI_DONE)                                                                \
        {                                                                                          \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)
