// SPDX-License-Identifier: MIT
#include "core/pool.h"

struct wadi_pool
{
    wadi_allocator allocator;
    int32_t workers;
};

static void serial_run(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    const wadi_pool* pool = user;
    for (int64_t block = 0; block < blocks; ++block)
    {
        fn(block, (int32_t)(block % pool->workers), job);
    }
}

wadi_executor wadi_pool_executor(wadi_pool* pool)
{
    return (wadi_executor){serial_run, pool->workers, pool};
}

wadi_pool* wadi_pool_create(const wadi_allocator* allocator, int32_t threads)
{
    wadi_pool* pool = allocator->allocate(sizeof *pool, 64, allocator->user);
    if (pool != NULL)
    {
        *pool = (wadi_pool){*allocator, threads > 0 ? threads : 1};
    }
    return pool;
}

void wadi_pool_destroy(wadi_pool* pool)
{
    if (pool != NULL)
    {
        const wadi_allocator allocator = pool->allocator;
        allocator.release(pool, sizeof *pool, allocator.user);
    }
}
