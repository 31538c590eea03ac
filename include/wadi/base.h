// SPDX-License-Identifier: MIT
/// \file base.h
/// Result codes, version and the export macro. All other headers include this one.
#pragma once

#include <wadi/version.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// On Windows the library itself is compiled with WADI_BUILD, and programs that link its DLL with
// WADI_SHARED; the target wadi::shared sets it.
#if defined(_WIN32) && defined(WADI_BUILD)
#define WADI_API __declspec(dllexport)
#elif defined(_WIN32) && defined(WADI_SHARED)
#define WADI_API __declspec(dllimport)
#elif defined(_WIN32) || defined(WADI_STATIC) || !defined(__GNUC__)
#define WADI_API
#else
#define WADI_API __attribute__((visibility("default")))
#endif

// Lets the compiler check arguments against a format: that of the C standard, also on Windows.
#if defined(__MINGW32__) && !defined(__clang__)
#define WADI_PRINTF(format_at, first_at) __attribute__((format(gnu_printf, format_at, first_at)))
#elif defined(__GNUC__)
#define WADI_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define WADI_PRINTF(format_at, first_at)
#endif

#ifdef __cplusplus
extern "C"
{
#endif

/// Result of a call. Every function that can fail returns one of these. After a failure its
/// arguments and objects are unchanged, and wadi_error_detail() describes the cause and the remedy.
typedef enum wadi_result
{
    WADI_OK = 0,
    WADI_ERROR_MEMORY,    ///< The allocator returned no memory.
    WADI_ERROR_ARGUMENT,  ///< An invalid argument: NULL, empty grid, overlapping range.
    WADI_ERROR_PARAMS,    ///< A parameter struct that was not set by its *_default() function.
    WADI_ERROR_RANGE,     ///< A value outside the range its field or layer allows, or NaN.
    WADI_ERROR_UNKNOWN,   ///< No process, field, layer, map or preset of that name.
    WADI_ERROR_BORROWED,  ///< The terrain cannot change while a view of it is borrowed.
    WADI_ERROR_STATE,     ///< The call is not possible in the object's state.
    WADI_ERROR_IO,        ///< A file could not be read or written.
    WADI_ERROR_FORMAT,    ///< A file or text has an invalid format.
    WADI_ERROR_CANCELLED, ///< The caller's progress hook returned false; completed work
                          ///< remains.
    WADI_RESULT_COUNT
} wadi_result;

/// Name of a result, such as "out of range". Never NULL, also for values outside the enum.
WADI_API const char* wadi_result_name(wadi_result result);

/// Version of the library that is linked, such as "0.2.0", and as a number. A program that was
/// compiled with other headers finds wadi_version_number() != WADI_VERSION.
WADI_API const char* wadi_version(void);
WADI_API int32_t wadi_version_number(void);

#ifdef __cplusplus
}
#endif
