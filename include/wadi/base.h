// SPDX-License-Identifier: MIT
/// \file base.h
/// Result codes, version and the export macro. Everything else in the library stands on this.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(WADI_STATIC) || !defined(__GNUC__)
#define WADI_API
#else
#define WADI_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C"
{
#endif

/// What a call came to. Every function that can fail returns one of these and, on failure,
/// leaves its arguments and objects as they were; wadi_error_detail() then says what to do
/// about it.
typedef enum wadi_result
{
    WADI_OK = 0,
    WADI_ERROR_MEMORY,    ///< The allocator had no more to give.
    WADI_ERROR_ARGUMENT,  ///< An argument makes no sense: NULL, empty grid, overlapping range.
    WADI_ERROR_PARAMS,    ///< A parameter struct that no *_default() function filled in.
    WADI_ERROR_RANGE,     ///< A value outside the range its field or layer allows, or NaN.
    WADI_ERROR_UNKNOWN,   ///< No process, field, layer, map or preset of that name.
    WADI_ERROR_BORROWED,  ///< The terrain cannot change while a view of it is borrowed.
    WADI_ERROR_STATE,     ///< The call does not fit the object's state.
    WADI_ERROR_IO,        ///< A file could not be read or written.
    WADI_ERROR_FORMAT,    ///< A file or text is not what it should be.
    WADI_ERROR_CANCELLED, ///< The caller's progress hook asked to stop; what is done stays
                          ///< done.
    WADI_RESULT_COUNT
} wadi_result;

/// Name of a result, such as "out of range". Never NULL, also for values outside the enum.
WADI_API const char* wadi_result_name(wadi_result result);

/// Version of the library that is linked, such as "0.1.0".
WADI_API const char* wadi_version(void);

#ifdef __cplusplus
}
#endif
