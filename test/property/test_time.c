// SPDX-License-Identifier: MIT
// gap: one state for any number of calls of model parcels of water
// Time adds up and state is data, for every model of every process: a duration cut into 1, 7 and 50
// calls, with a save and a restore between any two of them, gives one state.
#include "support/choice.h"
#include "support/registered.h"

#include "core/archive.h"

#include <wadi/model.h>

// Steps of the test: not a whole number, so that time waits between calls and is left at the end.
#define TIME_STEPS 7.3

// Model parcels of water has coarse levels that begin anew in each call, and no steps
// (docs/GAPS.md).
static bool time_is_gap(const choice* c)
{
    return strcmp(choice_model(c)->name, "parcels") == 0;
}

typedef struct time_world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
} time_world;

static void time_open(time_world* w, const choice* c)
{
    fixture_open(&w->f, 2);
    w->terrain = fixture_rough(&w->f, CHOICE_WIDTH, CHOICE_HEIGHT, 5);
    fixture_holes(w->terrain);
    w->solver = choice_solver(c, w->terrain, 0);
}

static void time_close(time_world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

// Put terrain and solver away and bring them back from bytes.
static void time_restore(time_world* w)
{
    wadi_bytes terrain = {.context = w->f.context};
    wadi_bytes solver = {.context = w->f.context};
    const uint64_t hash = wadi_terrain_hash(w->terrain);
    const uint64_t own = wadi_solver_hash(w->solver);
    CHECK_OK(w->f.context, wadi_terrain_save(w->terrain, wadi_bytes_write, &terrain));
    CHECK_OK(w->f.context, wadi_solver_save(w->solver, wadi_bytes_write, &solver));
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    CHECK_OK(w->f.context, wadi_terrain_load(w->f.context, wadi_bytes_read, &terrain, &w->terrain));
    CHECK_OK(w->f.context, wadi_solver_load(w->terrain, wadi_bytes_read, &solver, &w->solver));
    assert_true(wadi_terrain_hash(w->terrain) == hash);
    assert_true(wadi_solver_hash(w->solver) == own);
    wadi_bytes_free(&terrain);
    wadi_bytes_free(&solver);
}

typedef struct time_sums
{
    uint64_t waiting; // hash before the last, short step
    uint64_t terrain;
    uint64_t solver;
} time_sums;

static time_sums time_run(const choice* c, int calls, bool restores)
{
    time_world w;
    time_open(&w, c);
    const double step = wadi_solver_step(w.solver);
    const double years = step > 0.0
                             ? TIME_STEPS * step
                             : 0.05 * wadi_process_years(c->process, wadi_solver_params(w.solver));
    for (int i = 0; i < calls; ++i)
    {
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, years / calls));
        CHECK_OK(w.f.context, wadi_terrain_advance_clock(w.terrain, years / calls));
        if (restores)
        {
            time_restore(&w);
        }
    }
    time_sums sums = {.waiting = wadi_terrain_hash(w.terrain) + wadi_solver_hash(w.solver)};
    CHECK_OK(w.f.context, wadi_solver_finish(w.solver));
    sums.terrain = wadi_terrain_hash(w.terrain);
    sums.solver = wadi_solver_hash(w.solver);
    choice_check_layers(w.terrain);
    time_close(&w);
    return sums;
}

static void time_compare(const choice* c, const time_sums* one, int calls, bool restores)
{
    const time_sums many = time_run(c, calls, restores);
    const bool same =
        many.waiting == one->waiting && many.terrain == one->terrain && many.solver == one->solver;
    if (!same)
    {
        print_message("%s %s: %d calls%s: terrain %s, solver %s, before the end %s\n",
                      c->process->name, c->preset, calls, restores ? " with restores" : "",
                      many.terrain == one->terrain ? "same" : "differs",
                      many.solver == one->solver ? "same" : "differs",
                      many.waiting == one->waiting ? "same" : "differs");
    }
    assert_true(same);
}

static void compare_calls(const choice* c)
{
    const time_sums one = time_run(c, 1, false);
    time_compare(c, &one, 7, false);
    time_compare(c, &one, 50, false);
    time_compare(c, &one, 7, true);
}

static void check_calls(const choice* c)
{
    if (time_is_gap(c))
    {
        return;
    }
    assert_non_null(choice_model(c)->api->step);
    compare_calls(c);
}

static void check_gap(const choice* c)
{
    if (time_is_gap(c))
    {
        compare_calls(c);
    }
}

// Without steps the calls matter, but not the restores between them.
static void check_restores(const choice* c)
{
    if (time_is_gap(c))
    {
        const time_sums kept = time_run(c, 7, false);
        time_compare(c, &kept, 7, true);
    }
}

static void calls_do_not_matter(void** state)
{
    (void)state;
    choice_for_each(check_calls);
}

// Parameters that stay what they are change nothing, at the end of a step.
static void check_change(const choice* c)
{
    if (time_is_gap(c))
    {
        return;
    }
    uint64_t hash[2];
    for (int changes = 0; changes < 2; ++changes)
    {
        time_world w;
        time_open(&w, c);
        void* params = test_calloc(1, c->process->fields->params_size);
        choice_params(c, params);
        const double step = wadi_solver_step(w.solver);
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 3.0 * step));
        if (changes == 1)
        {
            CHECK_OK(w.f.context, wadi_solver_change(w.solver, params));
        }
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 3.0 * step));
        hash[changes] = wadi_terrain_hash(w.terrain);
        test_free(params);
        time_close(&w);
    }
    if (hash[0] != hash[1])
    {
        print_message("%s %s: a change to the same parameters changes the result\n",
                      c->process->name, c->preset);
    }
    assert_true(hash[0] == hash[1]);
}

static void a_change_keeps_the_state(void** state)
{
    (void)state;
    choice_for_each(check_change);
}

// A flipped bit anywhere, and a cut anywhere, are refused.
static void check_damage(const choice* c)
{
    assert_non_null(choice_model(c)->api->archive);
    time_world w;
    time_open(&w, c);
    const double step = wadi_solver_step(w.solver);
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, step > 0.0 ? 2.5 * step : 1e-3));
    wadi_bytes bytes = {.context = w.f.context};
    CHECK_OK(w.f.context, wadi_solver_save(w.solver, wadi_bytes_write, &bytes));
    for (size_t i = 0; i < 64; ++i)
    {
        const size_t at = i * bytes.size / 64;
        wadi_solver* copy = NULL;
        bytes.bytes[at] ^= (unsigned char)(1u << (i % 8));
        bytes.at = 0;
        assert_int_equal(wadi_solver_load(w.terrain, wadi_bytes_read, &bytes, &copy),
                         WADI_ERROR_FORMAT);
        assert_null(copy);
        bytes.bytes[at] ^= (unsigned char)(1u << (i % 8));
        wadi_bytes cut = bytes;
        cut.at = 0;
        cut.size = at;
        assert_int_equal(wadi_solver_load(w.terrain, wadi_bytes_read, &cut, &copy),
                         WADI_ERROR_FORMAT);
        assert_null(copy);
    }
    wadi_bytes_free(&bytes);
    time_close(&w);
}

static void damaged_states_are_refused(void** state)
{
    (void)state;
    choice_for_each(check_damage);
}

static void calls_do_not_matter_without_steps(void** state)
{
    (void)state;
    choice_for_each(check_gap);
}

static void restores_do_not_matter_without_steps(void** state)
{
    (void)state;
    choice_for_each(check_restores);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_do_not_matter),
        cmocka_unit_test(restores_do_not_matter_without_steps),
        cmocka_unit_test(a_change_keeps_the_state),
        cmocka_unit_test(damaged_states_are_refused),
    };
    const struct CMUnitTest gaps[] = {cmocka_unit_test(calls_do_not_matter_without_steps)};
    (void)argv;
    choice_registry = registered_open();
    const int failed = argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                                : cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
