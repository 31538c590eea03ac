// SPDX-License-Identifier: MIT
#include <wadi/base.h>

const char* wadi_result_name(wadi_result result)
{
    static const char* const names[WADI_RESULT_COUNT] = {
        [WADI_OK] = "ok",
        [WADI_ERROR_MEMORY] = "out of memory",
        [WADI_ERROR_ARGUMENT] = "bad argument",
        [WADI_ERROR_PARAMS] = "uninitialised parameters",
        [WADI_ERROR_RANGE] = "out of range",
        [WADI_ERROR_UNKNOWN] = "unknown name",
        [WADI_ERROR_BORROWED] = "borrowed",
        [WADI_ERROR_STATE] = "wrong state",
        [WADI_ERROR_IO] = "input/output error",
        [WADI_ERROR_FORMAT] = "bad format",
        [WADI_ERROR_CANCELLED] = "cancelled",
    };
    const int index = (int)result;
    return index >= 0 && index < WADI_RESULT_COUNT ? names[index] : "unknown result";
}

const char* wadi_version(void)
{
    return WADI_VERSION_STRING;
}

int32_t wadi_version_number(void)
{
    return WADI_VERSION;
}
