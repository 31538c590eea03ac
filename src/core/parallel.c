// SPDX-License-Identifier: MIT
// Splits work into blocks. The blocks depend on the problem only; the executor decides which thread
// runs which block.
#include "core/context.h"

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
