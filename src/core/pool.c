// SPDX-License-Identifier: MIT
// A thread pool instead of OpenMP. An OpenMP team ends each loop at a barrier that all its threads
// must reach, also those that the system has not scheduled: with a third process on two cores an
// erosion run took 17-25 s that takes 3.4 s on one thread. Here the caller takes blocks too, and
// waits only for workers that have taken some.
#define _POSIX_C_SOURCE 200809L
#include "core/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

enum
{
    POOL_SPINS = 2000 // polls for new work before a worker sleeps, about 10 µs
};

typedef struct pool_seat
{
    pthread_t thread;
    wadi_pool* pool;
    int32_t worker;
} pool_seat;

struct wadi_pool
{
    wadi_allocator allocator;
    int32_t workers;    // including the caller's thread
    int32_t seat_count; // capacity of `seats`
    int32_t started;    // threads created
    pthread_mutex_t mutex;
    pthread_cond_t wake; // signalled on new work and on shutdown
    pthread_cond_t idle; // signalled when the last worker has left a job

    // the current job, guarded by the mutex
    wadi_block_fn* fn;
    void* job;
    int64_t blocks;
    int32_t busy; // threads working on the job
    bool open;    // threads may still join the job
    bool stopping;

    _Atomic int64_t next;        // next block to take
    _Atomic uint32_t generation; // number of the current job
    pool_seat seats[];           // workers - 1
};

static void pool_work(wadi_pool* pool, wadi_block_fn* fn, void* job, int64_t blocks, int32_t worker)
{
    int64_t block = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    while (block < blocks)
    {
        fn(block, worker, job);
        block = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    }
}

// Wait for a job newer than `seen`; the mutex is held before and after.
static void pool_wait(wadi_pool* pool, uint32_t seen)
{
    pthread_mutex_unlock(&pool->mutex);
    for (int spin = 0; spin < POOL_SPINS; ++spin)
    {
        if (atomic_load_explicit(&pool->generation, memory_order_relaxed) != seen)
        {
            break;
        }
    }
    pthread_mutex_lock(&pool->mutex);
    while (!pool->stopping &&
           (atomic_load_explicit(&pool->generation, memory_order_relaxed) == seen || !pool->open))
    {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
}

static void* pool_thread(void* user)
{
    const pool_seat* seat = user;
    wadi_pool* pool = seat->pool;
    uint32_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;)
    {
        pool_wait(pool, seen);
        if (pool->stopping)
        {
            break;
        }
        seen = atomic_load_explicit(&pool->generation, memory_order_relaxed);
        wadi_block_fn* fn = pool->fn;
        void* job = pool->job;
        const int64_t blocks = pool->blocks;
        pool->busy += 1;
        pthread_mutex_unlock(&pool->mutex);
        pool_work(pool, fn, job, blocks, seat->worker);
        pthread_mutex_lock(&pool->mutex);
        pool->busy -= 1;
        if (pool->busy == 0)
        {
            pthread_cond_signal(&pool->idle);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

// If the system refuses a thread, the pool works with the threads it has; that is no error.
static void pool_start(wadi_pool* pool)
{
    while (pool->started < pool->workers - 1)
    {
        pool_seat* seat = &pool->seats[pool->started];
        seat->pool = pool;
        seat->worker = pool->started + 1;
        if (pthread_create(&seat->thread, NULL, pool_thread, seat) != 0)
        {
            pool->workers = pool->started + 1;
            return;
        }
        pool->started += 1;
    }
}

static void pool_run(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    wadi_pool* pool = user;
    pool_start(pool);
    pthread_mutex_lock(&pool->mutex);
    pool->fn = fn;
    pool->job = job;
    pool->blocks = blocks;
    pool->open = true;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_relaxed);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);

    pool_work(pool, fn, job, blocks, 0);

    // close the job, then wait for the threads that have taken blocks
    pthread_mutex_lock(&pool->mutex);
    pool->open = false;
    while (pool->busy > 0)
    {
        pthread_cond_wait(&pool->idle, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

wadi_executor wadi_pool_executor(wadi_pool* pool)
{
    return (wadi_executor){pool_run, pool->workers, pool};
}

static size_t pool_size(int32_t workers)
{
    return sizeof(wadi_pool) + (size_t)(workers - 1) * sizeof(pool_seat);
}

static int32_t pool_cores(void)
{
#if defined(_WIN32)
    const long cores = pthread_num_processors_np();
#else
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return cores > 0 ? (int32_t)cores : 1;
}

wadi_pool* wadi_pool_create(const wadi_allocator* allocator, int32_t threads)
{
    const int32_t workers = threads > 0 ? threads : pool_cores();
    wadi_pool* pool = allocator->allocate(pool_size(workers), 64, allocator->user);
    if (pool == NULL)
    {
        return NULL;
    }
    *pool = (wadi_pool){.allocator = *allocator, .workers = workers, .seat_count = workers - 1};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    return pool;
}

void wadi_pool_destroy(wadi_pool* pool)
{
    if (pool == NULL)
    {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int32_t i = 0; i < pool->started; ++i)
    {
        pthread_join(pool->seats[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    const wadi_allocator allocator = pool->allocator;
    allocator.release(pool, pool_size(pool->seat_count + 1), allocator.user);
}
