// SPDX-License-Identifier: MIT
// Contexts: the definition is checked, hooks are called, messages and byte counts are right.
#include "support/fixture.h"

#include "core/internal.h"

#include <inttypes.h>
#include <stdio.h>

static void default_context_works(void** state)
{
    (void)state;
    wadi_context* context = NULL;
    assert_int_equal(wadi_context_create(NULL, &context), WADI_OK);
    assert_true(wadi_context_workers(context) >= 1);
    assert_string_equal(wadi_error_detail(context), "");
    assert_int_equal(wadi_memory_used(context), 0);
    wadi_context_destroy(context);
    wadi_context_destroy(NULL);
}

static void expect_refused(const wadi_context_def* def, wadi_result code)
{
    wadi_context* context = (wadi_context*)0x1; // must be overwritten
    assert_int_equal(wadi_context_create(def, &context), code);
    assert_null(context);
}

static void broken_definitions_are_refused(void** state)
{
    (void)state;
    counted_memory memory = {0};
    wadi_context_def def = wadi_context_def_default();
    def.cookie ^= 1u;
    expect_refused(&def, WADI_ERROR_PARAMS);

    def = wadi_context_def_default();
    def.threads = -1;
    expect_refused(&def, WADI_ERROR_ARGUMENT);
    def.threads = 1025;
    expect_refused(&def, WADI_ERROR_ARGUMENT);

    def = wadi_context_def_default();
    def.allocator = counted_allocator(&memory);
    def.allocator.release = NULL;
    expect_refused(&def, WADI_ERROR_ARGUMENT);

    assert_int_equal(wadi_context_create(NULL, NULL), WADI_ERROR_ARGUMENT);
}

static void no_memory_for_a_context(void** state)
{
    (void)state;
    counted_memory memory = {.fail_at = 1};
    wadi_context_def def = wadi_context_def_default();
    def.allocator = counted_allocator(&memory);
    expect_refused(&def, WADI_ERROR_MEMORY);
    assert_int_equal(memory.live_blocks, 0);
}

static void memory_is_aligned_zeroed_and_counted(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    unsigned char* a = wadi_alloc(f.context, 1000, 1);
    double* b = wadi_alloc(f.context, 100, sizeof *b);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_int_equal((uintptr_t)b % 64, 0);
    for (int i = 0; i < 1000; ++i)
    {
        assert_int_equal(a[i], 0);
    }
    const size_t both = wadi_memory_used(f.context);
    assert_true(both >= 1800);
    wadi_free(f.context, a);
    assert_true(wadi_memory_used(f.context) <= both - 1000);
    assert_int_equal(wadi_memory_peak(f.context), both);
    wadi_free(f.context, b);
    wadi_free(f.context, NULL);
    fixture_close(&f);
}

static void a_size_that_overflows_is_no_memory(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    assert_null(wadi_alloc(f.context, SIZE_MAX / 2, 8));
    assert_null(wadi_alloc(f.context, SIZE_MAX - 8, 1));
    assert_int_equal(f.memory.calls, 2); // the context and its thread pool
    fixture_close(&f);
}

static void the_last_failure_has_a_message(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    assert_int_equal(wadi_fail(f.context, WADI_ERROR_RANGE, "%d is %s", 7, "too much"),
                     WADI_ERROR_RANGE);
    assert_string_equal(wadi_error_detail(f.context), "7 is too much");

    // a message may quote the previous one, and a long message is truncated
    (void)wadi_fail(f.context, WADI_ERROR_IO, "file: %s", wadi_error_detail(f.context));
    assert_string_equal(wadi_error_detail(f.context), "file: 7 is too much");
    (void)wadi_fail(f.context, WADI_ERROR_IO, "%2000d", 1);
    assert_true(strlen(wadi_error_detail(f.context)) < 2000);
    assert_string_equal(wadi_error_detail(NULL), "");
    fixture_close(&f);
}

static bool stop_at_half(double share, const char* what, void* user)
{
    assert_string_equal(what, "work");
    *(double*)user = share;
    return share < 0.5;
}

static void keep_line(const char* line, void* user)
{
    *(double*)user = (double)strlen(line);
}

static void progress_and_log_reach_the_caller(void** state)
{
    (void)state;
    double seen = 0.0;
    wadi_context_def def = wadi_context_def_default();
    def.progress = stop_at_half;
    def.log = keep_line;
    def.user = &seen;
    wadi_context* context = NULL;
    assert_int_equal(wadi_context_create(&def, &context), WADI_OK);
    assert_true(wadi_progress(context, 0.25, "work"));
    assert_true(seen == 0.25);
    assert_false(wadi_progress(context, 0.75, "work"));
    wadi_log_line(context, "%s", "four");
    assert_true(seen == 4.0);
    wadi_context_destroy(context);
}

static void keep_stage(const char* stage, void* user)
{
    *(const char**)user = stage;
}

static void stages_reach_the_caller(void** state)
{
    (void)state;
    const char* seen = "none";
    wadi_context_def def = wadi_context_def_default();
    def.stage = keep_stage;
    def.user = (void*)&seen;
    wadi_context* context = NULL;
    assert_int_equal(wadi_context_create(&def, &context), WADI_OK);
    wadi_stage(context, "flights");
    assert_string_equal(seen, "flights");
    wadi_stage(context, NULL);
    assert_null(seen);
    wadi_context_destroy(context);
    assert_int_equal(wadi_context_create(NULL, &context), WADI_OK);
    wadi_stage(context, "heard by nobody");
    wadi_context_destroy(context);
}

static void every_result_has_its_own_name(void** state)
{
    (void)state;
    for (int i = 0; i < WADI_RESULT_COUNT; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            assert_string_not_equal(wadi_result_name((wadi_result)i),
                                    wadi_result_name((wadi_result)j));
        }
    }
    assert_string_equal(wadi_result_name(WADI_RESULT_COUNT), "unknown result");
}

// The macros of the headers, the linked library and the build agree.
static void versions_agree(void** state)
{
    (void)state;
    int32_t parts[3];
    assert_int_equal(
        sscanf(wadi_version(), "%" SCNd32 ".%" SCNd32 ".%" SCNd32, &parts[0], &parts[1], &parts[2]),
        3);
    assert_int_equal(parts[0], WADI_VERSION_MAJOR);
    assert_int_equal(parts[1], WADI_VERSION_MINOR);
    assert_int_equal(parts[2], WADI_VERSION_PATCH);
    assert_string_equal(wadi_version(), WADI_VERSION_STRING);
    assert_int_equal(wadi_version_number(), WADI_VERSION);
    assert_int_equal(WADI_VERSION, 10000 * parts[0] + 100 * parts[1] + parts[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_context_works),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(broken_definitions_are_refused),
        cmocka_unit_test(no_memory_for_a_context),
        cmocka_unit_test(memory_is_aligned_zeroed_and_counted),
        cmocka_unit_test(a_size_that_overflows_is_no_memory),
        cmocka_unit_test(the_last_failure_has_a_message),
        cmocka_unit_test(progress_and_log_reach_the_caller),
        cmocka_unit_test(stages_reach_the_caller),
        cmocka_unit_test(every_result_has_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
