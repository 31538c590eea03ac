// SPDX-License-Identifier: MIT
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>

cli_status cli_fail(cli_status status, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("wadi: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    return status;
}

static cli_status message_of(cli_status status, const wadi_context* context, wadi_result result)
{
    const char* detail = wadi_error_detail(context);
    return cli_fail(status, "%s", detail[0] != '\0' ? detail : wadi_result_name(result));
}

cli_status cli_check(const wadi_context* context, wadi_result result)
{
    // an interruption is not a failure: the caller writes its results and reports it
    return result == WADI_OK                ? CLI_DONE
           : result == WADI_ERROR_CANCELLED ? CLI_INTERRUPTED
                                            : message_of(CLI_FAILED, context, result);
}

cli_status cli_check_usage(const wadi_context* context, wadi_result result)
{
    return result == WADI_OK ? CLI_DONE : message_of(CLI_USAGE, context, result);
}
