// SPDX-License-Identifier: MIT
// What all of src/ shares: checks, memory, parallel loops. Not public.
#pragma once

#include <wadi/context.h>

// Fail with a code and one line of text that says what was wrong, expected, and what to do.
wadi_result wadi_fail(wadi_context* context, wadi_result code, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#define WADI_CHECK(context, condition, code, ...)                                                  \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
        {                                                                                          \
            return wadi_fail((context), (code), __VA_ARGS__);                                      \
        }                                                                                          \
    } while (0)

// Forward a failure.
#define WADI_TRY(expression)                                                                       \
    do                                                                                             \
    {                                                                                              \
        const wadi_result try_result = (expression);                                               \
        if (try_result != WADI_OK)                                                                 \
        {                                                                                          \
            return try_result;                                                                     \
        }                                                                                          \
    } while (0)

// The unit of a value as two words of a message, for "%s%s": a pure number has none.
static inline bool wadi_unit_is_bare(const char* unit)
{
    return unit[0] == '1' && unit[1] == '\0';
}
#define WADI_UNIT_WORDS(unit)                                                                      \
    wadi_unit_is_bare(unit) ? "" : " ", wadi_unit_is_bare(unit) ? "" : (unit)

// Memory of the context, 64-byte aligned and zeroed. NULL when there is none; the caller reports
// with wadi_fail_memory().
void* wadi_alloc(wadi_context* context, size_t count, size_t size);
void wadi_free(wadi_context* context, void* memory); // NULL is allowed; the size is kept in front
wadi_result wadi_fail_memory(wadi_context* context, size_t bytes, const char* what);

// Allocate `count` elements into `pointer` or return from the calling function.
#define WADI_ALLOC(context, pointer, count, what)                                                  \
    do                                                                                             \
    {                                                                                              \
        (pointer) = wadi_alloc((context), (size_t)(count), sizeof *(pointer));                     \
        if ((pointer) == NULL)                                                                     \
        {                                                                                          \
            return wadi_fail_memory((context), (size_t)(count) * sizeof *(pointer), (what));       \
        }                                                                                          \
    } while (0)

// Run fn(block, worker, job) for each block in [0, blocks). Blocks must depend on the problem only,
// never on the number of workers.
void wadi_parallel_blocks(wadi_context* context, int64_t blocks, wadi_block_fn* fn, void* job);

// Same over rows [0, rows) in blocks of `grain` rows: fn(begin, end, worker, job).
typedef void wadi_rows_fn(int32_t begin, int32_t end, int32_t worker, void* job);
void wadi_parallel_rows(wadi_context* context, int32_t rows, int32_t grain, wadi_rows_fn* fn,
                        void* job);

// Report progress; false when the caller wants to stop.
bool wadi_progress(wadi_context* context, double share, const char* what);
// From now on a share is one of a stretch of work: `span` of the whole after `from`; 0 and 1: all.
void wadi_progress_window(wadi_context* context, double from, double span);
// A stage of a step begins; NULL: the step is over.
void wadi_stage(wadi_context* context, const char* stage);
void wadi_log_line(wadi_context* context, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

// Cookie of a parameter struct: magic and size.
static inline uint32_t wadi_cookie(size_t size)
{
    return 0x57410000u ^ (uint32_t)size;
}

// Assertions about what only we can get wrong; gone in Release.
#if defined(NDEBUG)
#define WADI_ASSERT(condition) ((void)0)
#else
void wadi_assert_failed(const char* condition, const char* file, int line);
#define WADI_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : wadi_assert_failed(#condition, __FILE__, __LINE__))
#endif
