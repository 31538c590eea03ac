// SPDX-License-Identifier: MIT
// Parallel loops: every block runs once, in any order of the executor.
#include "support/fixture.h"

#include "core/internal.h"

#include <stdatomic.h>

enum
{
    BLOCKS = 1000
};

typedef struct visits
{
    atomic_int count[BLOCKS];
    atomic_int worst_worker;
} visits;

static void visit_block(int64_t block, int32_t worker, void* job)
{
    visits* v = job;
    atomic_fetch_add(&v->count[block], 1);
    if (worker > atomic_load(&v->worst_worker))
    {
        atomic_store(&v->worst_worker, worker);
    }
}

static void each_block_runs_once(void** state)
{
    (void)state;
    static const int32_t threads[] = {1, 2, 3, 8};
    for (size_t t = 0; t < 4; ++t)
    {
        static visits v;
        memset(&v, 0, sizeof v);
        fixture f;
        fixture_open(&f, threads[t]);
        wadi_parallel_blocks(f.context, BLOCKS, visit_block, &v);
        for (int i = 0; i < BLOCKS; ++i)
        {
            assert_int_equal(atomic_load(&v.count[i]), 1);
        }
        assert_true(atomic_load(&v.worst_worker) < wadi_context_workers(f.context));
        fixture_close(&f);
    }
}

static void visit_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    assert_true(begin < end);
    for (int32_t row = begin; row < end; ++row)
    {
        visit_block(row, worker, job);
    }
}

// Including grains that do not divide the number of rows, and zero rows.
static void each_row_runs_once(void** state)
{
    (void)state;
    static const int32_t grains[] = {1, 7, 64, 5000};
    for (size_t g = 0; g < 4; ++g)
    {
        static visits v;
        memset(&v, 0, sizeof v);
        fixture f;
        fixture_open(&f, 2);
        wadi_parallel_rows(f.context, BLOCKS, grains[g], visit_rows, &v);
        wadi_parallel_rows(f.context, 0, grains[g], visit_rows, &v);
        for (int i = 0; i < BLOCKS; ++i)
        {
            assert_int_equal(atomic_load(&v.count[i]), 1);
        }
        fixture_close(&f);
    }
}

static void run_backwards(int64_t blocks, wadi_block_fn* fn, void* job, void* user)
{
    *(int64_t*)user += blocks;
    for (int64_t block = blocks - 1; block >= 0; --block)
    {
        fn(block, (int32_t)(block % 4), job);
    }
}

static void the_callers_executor_is_used(void** state)
{
    (void)state;
    static visits v;
    memset(&v, 0, sizeof v);
    int64_t seen = 0;
    wadi_context_def def = wadi_context_def_default();
    def.executor = (wadi_executor){run_backwards, 4, &seen};
    wadi_context* context = NULL;
    assert_int_equal(wadi_context_create(&def, &context), WADI_OK);
    assert_int_equal(wadi_context_workers(context), 4);
    wadi_parallel_blocks(context, BLOCKS, visit_block, &v);
    assert_int_equal(seen, BLOCKS);
    assert_int_equal(atomic_load(&v.count[BLOCKS - 1]), 1);
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_runs_once),
        cmocka_unit_test(each_row_runs_once),
        cmocka_unit_test(the_callers_executor_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
