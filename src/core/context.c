// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // madvise
#include "core/context.h"
#include "core/partition.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

// One cache line: it suits vector loads and keeps threads off each other's lines.
enum
{
    CONTEXT_ALIGNMENT = 64,
    CONTEXT_PAGE = 2 << 20 // [bytes]
};

// Arrays of two large pages or more get large pages. Particles jump from row to row; on small pages
// the TLB misses cost 5 % of the droplets' time at 1024 x 1024.
static void* context_c_allocate(size_t size, size_t alignment, void* user)
{
    (void)user;
    const size_t unit = size >= 2 * CONTEXT_PAGE ? CONTEXT_PAGE : alignment;
    const size_t rounded = (size + unit - 1) / unit * unit;
#if defined(_WIN32)
    void* memory = _aligned_malloc(rounded, unit);
#else
    void* memory = aligned_alloc(unit, rounded);
#endif
#if defined(__linux__)
    if (memory != NULL && unit == CONTEXT_PAGE)
    {
        (void)madvise(memory, rounded, MADV_HUGEPAGE); // optional: results do not depend on it
    }
#endif
    return memory;
}

static void context_c_release(void* memory, size_t size, void* user)
{
    (void)size;
    (void)user;
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

wadi_context_def wadi_context_def_default(void)
{
    wadi_context_def def = {0};
    def.cookie = wadi_cookie(sizeof def);
    return def;
}

// Allocator hooks come in pairs: a single one would free memory with the wrong library.
static bool context_def_is_sound(const wadi_context_def* def)
{
    return def->cookie == wadi_cookie(sizeof *def) && def->threads >= 0 && def->threads <= 1024 &&
           (def->allocator.allocate == NULL) == (def->allocator.release == NULL) &&
           (def->executor.run == NULL || def->executor.workers >= 1) &&
           wadi_partition_check(&def->partition) == WADI_OK;
}

static wadi_context* context_allocate(const wadi_context_def* def)
{
    wadi_context* context =
        def->allocator.allocate(sizeof *context, CONTEXT_ALIGNMENT, def->allocator.user);
    if (context == NULL)
    {
        return NULL;
    }
    *context = (wadi_context){.def = *def, .progress_span = 1.0, .frame_span = 1.0};
    if (def->executor.run == NULL)
    {
        context->pool = wadi_pool_create(&def->allocator, def->threads);
        if (context->pool == NULL)
        {
            def->allocator.release(context, sizeof *context, def->allocator.user);
            return NULL;
        }
        context->def.executor = wadi_pool_executor(context->pool);
    }
    return context;
}

wadi_result wadi_context_create(const wadi_context_def* user_def, wadi_context** out)
{
    if (out == NULL)
    {
        return WADI_ERROR_ARGUMENT;
    }
    *out = NULL;
    wadi_context_def def = user_def != NULL ? *user_def : wadi_context_def_default();
    if (def.cookie != wadi_cookie(sizeof def))
    {
        return WADI_ERROR_PARAMS;
    }
    if (!context_def_is_sound(&def))
    {
        return WADI_ERROR_ARGUMENT;
    }
    if (def.allocator.allocate == NULL)
    {
        def.allocator = (wadi_allocator){context_c_allocate, context_c_release, NULL};
    }
    *out = context_allocate(&def);
    return *out != NULL ? WADI_OK : WADI_ERROR_MEMORY;
}

void wadi_context_destroy(wadi_context* context)
{
    if (context != NULL)
    {
        WADI_ASSERT(context->used == 0);
        const wadi_allocator allocator = context->def.allocator;
        wadi_pool_destroy(context->pool);
        allocator.release(context, sizeof *context, allocator.user);
    }
}

const char* wadi_error_detail(const wadi_context* context)
{
    return context != NULL ? context->detail : "";
}

size_t wadi_memory_used(const wadi_context* context)
{
    return context->used;
}

size_t wadi_memory_peak(const wadi_context* context)
{
    return context->peak;
}

int32_t wadi_context_workers(const wadi_context* context)
{
    return context->def.executor.workers;
}

// The arguments may point into the previous message, so the new one is formatted in a buffer first.
WADI_PRINTF(2, 0)
static void context_keep_detail(wadi_context* context, const char* format, va_list arguments)
{
    char text[CONTEXT_DETAIL_LENGTH];
    (void)vsnprintf(text, sizeof text, format, arguments);
    memcpy(context->detail, text, sizeof text);
}

wadi_result wadi_fail(wadi_context* context, wadi_result code, const char* format, ...)
{
    if (context != NULL)
    {
        va_list arguments;
        va_start(arguments, format);
        context_keep_detail(context, format, arguments);
        va_end(arguments);
    }
    return code;
}

wadi_result wadi_context_fail(wadi_context* context, wadi_result code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    context_keep_detail(context, format, arguments);
    va_end(arguments);
    return code;
}

wadi_result wadi_fail_memory(wadi_context* context, size_t bytes, const char* what)
{
    return wadi_fail(context, WADI_ERROR_MEMORY,
                     "out of memory: %s needs %zu bytes more (%zu are in use); try a smaller grid",
                     what, bytes, context->used);
}

typedef struct context_clear
{
    unsigned char* memory;
    size_t size;
} context_clear;

static void context_clear_page(int64_t page, int32_t worker, void* job)
{
    (void)worker;
    const context_clear* clear = job;
    const size_t begin = (size_t)page * CONTEXT_PAGE;
    const size_t left = clear->size - begin;
    memset(clear->memory + begin, 0, left < CONTEXT_PAGE ? left : CONTEXT_PAGE);
}

// Set new memory to zero. The system hands out pages at the first touch, a fifth of the time of a
// map of 1024 x 1024 pixels, so all threads take part.
static void context_clear_memory(wadi_context* context, unsigned char* memory, size_t size)
{
    context_clear clear = {memory, size};
    wadi_parallel_blocks(context, (int64_t)((size + CONTEXT_PAGE - 1) / CONTEXT_PAGE),
                         context_clear_page, &clear);
}

void* wadi_alloc(wadi_context* context, size_t count, size_t size)
{
    // the size is stored in the cache line in front of the block, for wadi_free()
    if (size != 0 && count > (SIZE_MAX - 2 * CONTEXT_ALIGNMENT) / size)
    {
        return NULL;
    }
    const size_t total = count * size + CONTEXT_ALIGNMENT;
    const wadi_allocator* allocator = &context->def.allocator;
    unsigned char* memory = allocator->allocate(total, CONTEXT_ALIGNMENT, allocator->user);
    if (memory == NULL)
    {
        return NULL;
    }
    context_clear_memory(context, memory, total);
    memcpy(memory, &total, sizeof total);
    context->used += total;
    context->peak = context->used > context->peak ? context->used : context->peak;
    return memory + CONTEXT_ALIGNMENT;
}

void wadi_free(wadi_context* context, void* memory)
{
    if (memory == NULL)
    {
        return;
    }
    unsigned char* front = (unsigned char*)memory - CONTEXT_ALIGNMENT;
    size_t total;
    memcpy(&total, front, sizeof total);
    context->used -= total;
    context->def.allocator.release(front, total, context->def.allocator.user);
}

wadi_result wadi_grow(wadi_context* context, void* array, size_t count, size_t room, size_t size,
                      const char* what, void** out)
{
    void* larger = wadi_alloc(context, room, size);
    if (larger == NULL)
    {
        return wadi_fail_memory(context, room * size, what);
    }
    if (count > 0)
    {
        memcpy(larger, array, count * size);
    }
    wadi_free(context, array);
    *out = larger;
    return WADI_OK;
}

bool wadi_progress(wadi_context* context, double share, const char* what)
{
    const wadi_context_def* def = &context->def;
    const double part = context->progress_from + share * context->progress_span;
    const double all = context->frame_from + part * context->frame_span;
    const bool goes_on = def->progress == NULL || def->progress(all, what, def->user);
    const bool stops = context->progress_stopped || !goes_on;
    context->progress_stopped = context->progress_held && stops;
    return context->progress_held || !stops;
}

bool wadi_progress_hold(wadi_context* context, bool hold)
{
    const bool before = context->progress_held;
    context->progress_held = hold;
    return before;
}

bool wadi_progress_whole(wadi_context* context, bool whole)
{
    const bool before = context->progress_whole;
    context->progress_whole = whole;
    return before;
}

bool wadi_progress_is_whole(const wadi_context* context)
{
    return context->progress_whole;
}

bool wadi_progress_stop(wadi_context* context, double share, const char* what)
{
    const bool held = wadi_progress_hold(context, false);
    const bool goes_on = wadi_progress(context, share, what);
    (void)wadi_progress_hold(context, held);
    return goes_on;
}

void wadi_context_set_between(wadi_context* context, wadi_between_fn* fn, void* user)
{
    context->between = fn;
    context->between_user = user;
}

void wadi_progress_window(wadi_context* context, double from, double span)
{
    context->progress_from = from;
    context->progress_span = span;
}

void wadi_progress_frame(wadi_context* context, double from, double span)
{
    context->frame_from = from;
    context->frame_span = span;
}

void wadi_stage(wadi_context* context, const char* stage)
{
    if (context->def.stage != NULL)
    {
        context->def.stage(stage, context->def.user);
    }
}

void wadi_log_line(wadi_context* context, const char* format, ...)
{
    if (context->def.log != NULL)
    {
        char line[CONTEXT_DETAIL_LENGTH];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        context->def.log(line, context->def.user);
    }
}

#if !defined(NDEBUG)
void wadi_assert_failed(const char* condition, const char* file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
#endif

wadi_result wadi_context_register(wadi_context* context, const void* descriptor)
{
    WADI_CHECK(context, context->registered_count < CONTEXT_MAX_REGISTERED, WADI_ERROR_RANGE,
               "a context takes %d registered processes, no more", CONTEXT_MAX_REGISTERED);
    context->registered[context->registered_count++] = descriptor;
    return WADI_OK;
}

int32_t wadi_context_registered_count(const wadi_context* context)
{
    return context != NULL ? context->registered_count : 0;
}

const void* wadi_context_registered(const wadi_context* context, int32_t index)
{
    return context->registered[index];
}
