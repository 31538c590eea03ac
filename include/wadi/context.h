// SPDX-License-Identifier: MIT
/// \file context.h
/// A context owns memory, threads, the last error and the log hook. The library has no globals: two
/// contexts share nothing. Use a context, and all objects made from it, from one thread at a time;
/// the library distributes work over threads by the context's executor.
#pragma once

#include <wadi/partition.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_context wadi_context;

/// Memory hooks. `allocate` returns NULL on failure; `release` receives the size of the block.
typedef struct wadi_allocator
{
    void* (*allocate)(size_t size, size_t alignment, void* user); ///< alignment: a power of two
    void (*release)(void* memory, size_t size, void* user);       ///< memory is never NULL
    void* user;
} wadi_allocator;

/// One block of a parallel job. `worker` is in [0, workers), and no two blocks run at once on the
/// same worker. Use it to select scratch memory; results must not depend on it.
typedef void wadi_block_fn(int64_t block, int32_t worker, void* job);

/// Thread hooks: `run` calls `fn(block, worker, job)` once for each block in [0, blocks), in any
/// order and on any thread, and returns when all calls have returned.
typedef struct wadi_executor
{
    void (*run)(int64_t blocks, wadi_block_fn* fn, void* job, void* user);
    int32_t workers; ///< Most workers that `run` uses, at least 1.
    void* user;
} wadi_executor;

/// Called from time to time during long work, with the fraction done in [0, 1], always on the
/// thread that called the library. Return false to stop: the current call then fails with
/// WADI_ERROR_CANCELLED and leaves a valid terrain with the completed work.
/// While a solver advances, this hook, the stage hook and wadi_watch may read its terrain: borrow
/// views, which they must release before they return, or call wadi_terrain_read_rectangle(). Calls
/// that would change that terrain then fail with WADI_ERROR_STATE.
typedef bool wadi_progress_fn(double share, const char* what, void* user);

/// Receives one line of text without a newline. The library is silent without it.
typedef void wadi_log_fn(const char* line, void* user);

/// Called when a process enters a stage of a step, such as "flights" of dunes, and with NULL when
/// the step is over: for profilers, which read their own clock. Always on the thread that called
/// the library; \p stage is a constant string.
typedef void wadi_stage_fn(const char* stage, void* user);

/// How to build a context. Start from wadi_context_def_default().
typedef struct wadi_context_def
{
    uint32_t cookie;            ///< Set by wadi_context_def_default(). Do not touch.
    int32_t threads;            ///< Workers of the built-in executor, 0..1024. 0: one per core.
    wadi_allocator allocator;   ///< All zero: malloc and free of the C library.
    wadi_executor executor;     ///< All zero: a pool of threads of this context.
    wadi_progress_fn* progress; ///< May be NULL.
    wadi_log_fn* log;           ///< May be NULL.
    wadi_stage_fn* stage;       ///< May be NULL.
    void* user;                 ///< For progress, log and stage.
    wadi_partition partition;   ///< The window that terrains are; all zero: they are whole grids.
} wadi_context_def;

WADI_API wadi_context_def wadi_context_def_default(void);

/// Create a context. \p def may be NULL for the defaults. On failure *out is NULL.
WADI_API wadi_result wadi_context_create(const wadi_context_def* def, wadi_context** out);

/// Destroy a context after all objects made from it. NULL is allowed.
WADI_API void wadi_context_destroy(wadi_context* context);

/// One line about the last failure in this context: what was wrong, what was expected, what to
/// do. Valid until the next call that fails. Never NULL; "" when nothing has failed.
WADI_API const char* wadi_error_detail(const wadi_context* context);

/// Report a failure from readers, writers and hooks: stores the message for wadi_error_detail() and
/// returns \p code. The arguments may include the previous message.
WADI_API wadi_result wadi_context_fail(wadi_context* context, wadi_result code, const char* format,
                                       ...) WADI_PRINTF(3, 4);

/// Give the log hook one line, such as a doubt about an input that can be read. Nothing without a
/// hook.
WADI_API void wadi_log_line(wadi_context* context, const char* format, ...) WADI_PRINTF(2, 3);

/// Bytes that the context and its objects hold now, and their maximum so far.
WADI_API size_t wadi_memory_used(const wadi_context* context);
WADI_API size_t wadi_memory_peak(const wadi_context* context);

/// Number of workers for parallel work.
WADI_API int32_t wadi_context_workers(const wadi_context* context);

/// The window of a grid that the context is for; NULL: terrains are whole grids.
WADI_API const wadi_partition* wadi_context_partition(const wadi_context* context);

// ---- for those who write models ---------------------------------------------------------------

/// Memory of the context for \p count elements of \p size bytes, 64-byte aligned and zeroed. NULL
/// when there is none, or when the product overflows. The caller owns it until wadi_free().
WADI_API void* wadi_alloc(wadi_context* context, size_t count, size_t size);
/// Give memory of wadi_alloc() back. NULL is allowed.
WADI_API void wadi_free(wadi_context* context, void* memory);

/// Rows [begin, end) of a parallel job. `worker` is in [0, wadi_context_workers()).
typedef void wadi_rows_fn(int32_t begin, int32_t end, int32_t worker, void* job);
/// Call \p fn for all rows [0, rows) in blocks of \p grain rows, in any order and on any thread,
/// and return when all have returned. A job whose blocks write only their own rows gives the same
/// bits for any number of threads.
WADI_API void wadi_parallel_rows(wadi_context* context, int32_t rows, int32_t grain,
                                 wadi_rows_fn* fn, void* job);

/// Report the share of the work that is done, 0 to 1, and what is being done: a constant string.
/// False: the caller wants to stop; end with WADI_ERROR_CANCELLED and leave a valid terrain.
WADI_API bool wadi_progress(wadi_context* context, double share, const char* what);

#ifdef __cplusplus
}
#endif
