// SPDX-License-Identifier: MIT
// A host program with its own memory, its own threads and a preview while the solver works.
#include <wadi/wadi.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 128
#define WORKERS 3
#define TRY(call)                                                                                  \
    if ((call) != WADI_OK)                                                                         \
    return false

// ---- memory: counted, and given back with its size ---------------------------------------------

typedef struct host
{
    size_t bytes; // in use
    size_t most;
    wadi_terrain* terrain; // for the preview
    int previews;
} host;

static void* host_allocate(size_t size, size_t alignment, void* user)
{
    host* h = user;
    h->bytes += size;
    h->most = h->bytes > h->most ? h->bytes : h->most;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void host_release(void* memory, size_t size, void* user)
{
    ((host*)user)->bytes -= size;
    free(memory);
}

// ---- threads: a host with a job system of its own would queue the blocks there -----------------

typedef struct host_job
{
    wadi_block_fn* fn;
    void* job;
    int64_t blocks;
    _Atomic int64_t next;
    _Atomic int32_t worker;
} host_job;

static void* host_work(void* user)
{
    host_job* j = user;
    const int32_t worker = atomic_fetch_add(&j->worker, 1);
    for (int64_t block = atomic_fetch_add(&j->next, 1); block < j->blocks;
         block = atomic_fetch_add(&j->next, 1))
    {
        j->fn(block, worker, j->job);
    }
    return NULL;
}

static void host_run(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    (void)user;
    host_job j = {.fn = fn, .job = job, .blocks = blocks};
    pthread_t threads[WORKERS];
    int started = 0;
    while (started + 1 < WORKERS && started + 1 < blocks &&
           pthread_create(&threads[started], NULL, host_work, &j) == 0)
    {
        ++started;
    }
    (void)host_work(&j); // this thread works too
    for (int i = 0; i < started; ++i)
    {
        (void)pthread_join(threads[i], NULL);
    }
}

// ---- preview: hooks may read the terrain while a solver advances --------------------------------

static bool host_progress(double share, const char* what, void* user)
{
    host* h = user;
    float part[16];
    const wadi_rectangle middle = {SIZE / 2 - 2, SIZE / 2 - 2, 4, 4};
    if (h->terrain != NULL &&
        wadi_terrain_read_rectangle(h->terrain, WADI_LAYER_SURFACE, middle, part, 4) == WADI_OK &&
        h->previews++ % 5 == 0)
    {
        printf("%s %3.0f %%: %.2f m in the middle\n", what, 100.0 * share, (double)part[0]);
    }
    return true; // false would stop the run
}

static bool run(wadi_context* context, host* h, wadi_solver** water)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    static float heights[SIZE * SIZE];
    wadi_noise_params noise = wadi_noise_params_default();
    TRY(wadi_noise_fill(context, &noise, 7, SIZE, SIZE, def.cell_size, heights));
    TRY(wadi_terrain_create(context, &def, &h->terrain));
    TRY(wadi_terrain_set_layer(h->terrain, WADI_LAYER_SURFACE, heights, SIZE));
    TRY(wadi_solver_create(h->terrain, wadi_process_find(NULL, "hydraulic"), NULL, 0, water));
    TRY(wadi_solver_advance(*water, 20000.0)); // [yr]
    printf("state %016llx\n", (unsigned long long)wadi_terrain_hash(h->terrain));
    return h->previews > 0;
}

int main(void)
{
    host h = {0};
    wadi_context_def def = wadi_context_def_default();
    def.allocator = (wadi_allocator){host_allocate, host_release, &h};
    def.executor = (wadi_executor){host_run, WORKERS, NULL};
    def.progress = host_progress;
    def.user = &h;
    wadi_context* context = NULL;
    wadi_solver* water = NULL;
    const bool done = wadi_context_create(&def, &context) == WADI_OK && run(context, &h, &water);
    fputs(done ? "" : wadi_error_detail(context), stderr);
    wadi_solver_destroy(water);
    wadi_terrain_destroy(h.terrain);
    wadi_context_destroy(context);
    printf("%zu bytes at most, %zu left\n", h.most, h.bytes);
    return done && h.bytes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
