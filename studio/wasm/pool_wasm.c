// SPDX-License-Identifier: MIT
// The executor over atomics of WebAssembly. The workers are instances of this module that share its
// memory; each calls wadi_studio_worker(), which never returns. A worker enters a job by raising
// `inside`, and works only while the job's door is open. Blocks neither allocate nor use state of
// the C library, which has no locks here.
#include "studio/wasm/pool_wasm.h"

#if defined(__wasm_atomics__)

#include <stdatomic.h>

enum
{
    POOL_SPINS = 2000 // polls for new work before a worker sleeps
};

static struct
{
    wadi_block_fn* fn;
    void* job;
    int64_t blocks;
    _Atomic int64_t next;   // next block to take
    _Atomic int32_t newest; // number of the newest job; workers sleep on it
    _Atomic int32_t open;   // number of the job that may be entered; 0: none
    _Atomic int32_t inside; // workers that have entered
} pool;

static void pool_work(int32_t worker)
{
    int64_t block = atomic_fetch_add(&pool.next, 1);
    while (block < pool.blocks)
    {
        pool.fn(block, worker, pool.job);
        block = atomic_fetch_add(&pool.next, 1);
    }
}

static void pool_run(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    (void)user;
    pool.fn = fn;
    pool.job = job;
    pool.blocks = blocks;
    atomic_store(&pool.next, 0);
    int32_t number = atomic_load(&pool.newest) + 1;
    number = number < 1 ? 1 : number;
    atomic_store(&pool.open, number);
    atomic_store(&pool.newest, number);
    (void)__builtin_wasm_memory_atomic_notify((int32_t*)&pool.newest, UINT32_MAX);
    pool_work(0);
    atomic_store(&pool.open, 0);
    while (atomic_load(&pool.inside) > 0)
    {
        // a worker finishes its block
    }
}

wadi_executor wadi_wasm_pool(int32_t threads)
{
    return threads > 1 ? (wadi_executor){pool_run, threads, NULL} : (wadi_executor){0};
}

static void pool_wait(int32_t seen)
{
    for (int32_t i = 0; i < POOL_SPINS && atomic_load(&pool.newest) == seen; ++i)
    {
    }
    if (atomic_load(&pool.newest) == seen)
    {
        (void)__builtin_wasm_memory_atomic_wait32((int32_t*)&pool.newest, seen, -1);
    }
}

__attribute__((export_name("wadi_studio_worker"))) void wadi_studio_worker(int32_t worker)
{
    for (int32_t seen = 0;;)
    {
        pool_wait(seen);
        seen = atomic_load(&pool.newest);
        atomic_fetch_add(&pool.inside, 1);
        if (atomic_load(&pool.open) == seen && seen != 0)
        {
            pool_work(worker);
        }
        atomic_fetch_sub(&pool.inside, 1);
    }
}

#else

wadi_executor wadi_wasm_pool(int32_t threads)
{
    (void)threads;
    return (wadi_executor){0};
}

#endif
