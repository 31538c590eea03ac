// SPDX-License-Identifier: MIT
/// \file context.h
/// A context owns memory, threads, the last error and the log hook. The library has no globals:
/// two contexts share nothing. Use a context, and all objects made from it, from one thread at a
/// time; the library itself spreads work over threads through the context's executor.
#pragma once

#include <wadi/base.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_context wadi_context;

/// Memory hooks. `allocate` returns NULL when there is none; `release` gets the size back.
typedef struct wadi_allocator
{
    void* (*allocate)(size_t size, size_t alignment, void* user); ///< alignment: a power of two
    void (*release)(void* memory, size_t size, void* user);       ///< memory is never NULL
    void* user;
} wadi_allocator;

/// One block of a parallel job. `worker` is in [0, workers) and no two blocks run at once on
/// the same worker; it picks scratch memory and must never reach a result.
typedef void wadi_block_fn(int64_t block, int32_t worker, void* job);

/// Thread hooks: call `fn(block, worker, job)` once for each block in [0, blocks), in any order
/// and on any thread, and return when all have returned.
typedef struct wadi_executor
{
    void (*run)(int64_t blocks, wadi_block_fn* fn, void* job, void* user);
    int32_t workers; ///< Most workers that `run` uses, at least 1.
    void* user;
} wadi_executor;

/// Called now and then during long work with the share done in [0, 1], always on the thread
/// that called the library. Return false to stop: the call in progress ends with
/// WADI_ERROR_CANCELLED and leaves a valid terrain with what is done.
typedef bool wadi_progress_fn(double share, const char* what, void* user);

/// Receives one line of text without a newline. The library is silent without it.
typedef void wadi_log_fn(const char* line, void* user);

/// Told when a process enters a stage of a step, such as "flights" of dunes, and with NULL when
/// the step is over: for profilers, which read their own clock. On the thread that called the
/// library; \p stage is a constant of it.
typedef void wadi_stage_fn(const char* stage, void* user);

/// How to build a context. Start from wadi_context_def_default().
typedef struct wadi_context_def
{
    uint32_t cookie;            ///< Set by wadi_context_def_default(). Do not touch.
    int32_t threads;            ///< Workers of the built-in executor, 0..1024. 0: one per core.
    wadi_allocator allocator;   ///< All zero: the C library's.
    wadi_executor executor;     ///< All zero: a pool of threads of this context.
    wadi_progress_fn* progress; ///< May be NULL.
    wadi_log_fn* log;           ///< May be NULL.
    wadi_stage_fn* stage;       ///< May be NULL.
    void* user;                 ///< For progress, log and stage.
} wadi_context_def;

WADI_API wadi_context_def wadi_context_def_default(void);

/// Create a context. \p def may be NULL for the defaults. On failure *out is NULL.
WADI_API wadi_result wadi_context_create(const wadi_context_def* def, wadi_context** out);

/// Destroy a context; every object made from it must be gone. NULL is allowed.
WADI_API void wadi_context_destroy(wadi_context* context);

/// One line about the last failure in this context: what was wrong, what was expected, what to
/// do. Valid until the next call that fails. Never NULL; "" when nothing has failed.
WADI_API const char* wadi_error_detail(const wadi_context* context);

/// Fail on behalf of the library, for readers, writers and hooks around it: keeps the message for
/// wadi_error_detail() and returns \p code. The message may quote the previous one.
WADI_API wadi_result wadi_context_fail(wadi_context* context, wadi_result code, const char* format,
                                       ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/// Bytes that the context and its objects hold now, and the most they ever held.
WADI_API size_t wadi_memory_used(const wadi_context* context);
WADI_API size_t wadi_memory_peak(const wadi_context* context);

/// Workers that parallel work is spread over.
WADI_API int32_t wadi_context_workers(const wadi_context* context);

#ifdef __cplusplus
}
#endif
