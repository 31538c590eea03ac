// SPDX-License-Identifier: MIT
// The only place that knows about threads.
#include "core/context.h"

#if defined(_OPENMP)
#include <omp.h>

static void parallel_run_openmp(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    const int workers = (int)(intptr_t)user;

    // blocks are handed out as workers become free: their cost varies (dry tiles, lakes)
#pragma omp parallel for schedule(dynamic, 1) num_threads(workers)
    for (int64_t block = 0; block < blocks; ++block)
    {
        fn(block, (int32_t)omp_get_thread_num(), job);
    }
}

wadi_executor wadi_builtin_executor(int32_t threads)
{
    const int32_t workers = threads > 0 ? threads : (int32_t)omp_get_num_procs();
    return (wadi_executor){parallel_run_openmp, workers, (void*)(intptr_t)workers};
}

#else

static void parallel_run_serial(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    (void)user;
    for (int64_t block = 0; block < blocks; ++block)
    {
        fn(block, 0, job);
    }
}

wadi_executor wadi_builtin_executor(int32_t threads)
{
    (void)threads;
    return (wadi_executor){parallel_run_serial, 1, NULL};
}
#endif

void wadi_parallel_blocks(wadi_context* context, int64_t blocks, wadi_block_fn* fn, void* job)
{
    const wadi_executor* executor = &context->def.executor;
    if (blocks == 1 || executor->workers == 1)
    {
        for (int64_t block = 0; block < blocks; ++block)
        {
            fn(block, 0, job);
        }
    }
    else if (blocks > 1)
    {
        executor->run(blocks, fn, job, executor->user);
    }
}

typedef struct parallel_rows_job
{
    int32_t rows;
    int32_t grain;
    wadi_rows_fn* fn;
    void* job;
} parallel_rows_job;

static void parallel_rows_block(int64_t block, int32_t worker, void* job)
{
    const parallel_rows_job* rows = job;
    const int64_t begin = block * rows->grain;
    const int64_t end = begin + rows->grain < rows->rows ? begin + rows->grain : rows->rows;
    rows->fn((int32_t)begin, (int32_t)end, worker, rows->job);
}

void wadi_parallel_rows(wadi_context* context, int32_t rows, int32_t grain, wadi_rows_fn* fn,
                        void* job)
{
    parallel_rows_job split = {rows, grain, fn, job};
    const int64_t blocks = ((int64_t)rows + grain - 1) / grain;
    wadi_parallel_blocks(context, blocks, parallel_rows_block, &split);
}
