// SPDX-License-Identifier: MIT
// Shared by all of src/: checks, memory, parallel loops. Not public.
#pragma once

#include <wadi/field.h>

#define WADI_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

// Record a message (what was wrong, expected, and what to do, in one line) and return `code`.
wadi_result wadi_fail(wadi_context* context, wadi_result code, const char* format, ...)
    WADI_PRINTF(3, 4);

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

// Unit of a value as two arguments for "%s%s": a space and the unit, both empty for a pure number.
static inline bool wadi_unit_is_bare(const char* unit)
{
    return unit[0] == '1' && unit[1] == '\0';
}
#define WADI_UNIT_WORDS(unit)                                                                      \
    wadi_unit_is_bare(unit) ? "" : " ", wadi_unit_is_bare(unit) ? "" : (unit)

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

// Double the room of an array of int64_t `room` elements that is full, or return from the calling
// function; `first`: the room of an array that was empty.
#define WADI_GROW(context, array, count, room, first, what)                                        \
    do                                                                                             \
    {                                                                                              \
        if ((count) == (room))                                                                     \
        {                                                                                          \
            const int64_t grow_room = (room) > 0 ? 2 * (room) : (first);                           \
            void* grow_array;                                                                      \
            WADI_TRY(wadi_grow((context), (array), (size_t)(count), (size_t)grow_room,             \
                               sizeof *(array), (what), &grow_array));                             \
            (array) = grow_array;                                                                  \
            (room) = grow_room;                                                                    \
        }                                                                                          \
    } while (0)
wadi_result wadi_grow(wadi_context* context, void* array, size_t count, size_t room, size_t size,
                      const char* what, void** out);

// Run fn(block, worker, job) for each block in [0, blocks). Blocks must depend on the problem only,
// never on the number of workers.
void wadi_parallel_blocks(wadi_context* context, int64_t blocks, wadi_block_fn* fn, void* job);

// Map later shares s of wadi_progress() to from + s x span of the whole; (0, 1) is the default.
void wadi_progress_window(wadi_context* context, double from, double span);
// Map what the window gives to from + share x span of a longer whole, of which the processes know
// nothing; (0, 1) is the default.
void wadi_progress_frame(wadi_context* context, double from, double span);
// Hold: wadi_progress() still shows what is done, but true is its answer. A stop that the hook asks
// for meanwhile is the answer of the next question that is not held. Returns what held before.
bool wadi_progress_hold(wadi_context* context, bool hold);
// Also hold a stop in models without steps of their own, which would go on with other bits. Returns
// the former setting.
bool wadi_progress_whole(wadi_context* context, bool whole);
bool wadi_progress_is_whole(const wadi_context* context);
// Ask although questions are held, at a place where the caller can stop and go on later.
bool wadi_progress_stop(wadi_context* context, double share, const char* what);
// Report that a stage of a step begins; NULL: the step is over.
void wadi_stage(wadi_context* context, const char* stage);

// Cookie of a parameter struct: magic and size.
static inline uint32_t wadi_cookie(size_t size)
{
    return 0x57410000u ^ (uint32_t)size;
}

// Assertions of internal invariants that no input can break; compiled out in Release.
#if defined(NDEBUG)
#define WADI_ASSERT(condition) ((void)0)
#else
void wadi_assert_failed(const char* condition, const char* file, int line);
#define WADI_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : wadi_assert_failed(#condition, __FILE__, __LINE__))
#endif

// Check the rows of a table against the ranges of its columns; the message names row and column.
wadi_result wadi_table_check(wadi_context* context, const wadi_table_info* table,
                             const double* values, int32_t rows);

// Descriptors that the caller registered with a context. Adding fails beyond their number.
wadi_result wadi_context_register(wadi_context* context, const void* descriptor);
int32_t wadi_context_registered_count(const wadi_context* context);
const void* wadi_context_registered(const wadi_context* context, int32_t index);
