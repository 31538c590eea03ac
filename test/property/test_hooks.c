// SPDX-License-Identifier: MIT
// Hooks that look at the terrain while a process works on it, for every preset of every process:
// they may read all of it, which changes no bit of the result; they may not change it, nor keep a
// view.
#include "support/choice.h"
#include "support/registered.h"

#include <stdlib.h>

enum
{
    CELLS = CHOICE_WIDTH * CHOICE_HEIGHT
};

typedef struct hook_world
{
    wadi_context* context;
    wadi_terrain* terrain; // NULL: the hook does nothing
    wadi_solver* solver;
    counted_memory memory;
    int32_t calls;
    bool edits; // try to change the terrain
    bool keeps; // keep a view
} hook_world;

// Each cell of a view has the value that the rectangle reader gives.
static void hook_read(hook_world* w, wadi_layer layer)
{
    static float part[CELLS];
    wadi_view view;
    const wadi_rectangle r = {w->calls % 7, w->calls % 5, CHOICE_WIDTH - 7, CHOICE_HEIGHT - 5};
    CHECK_OK(w->context, wadi_terrain_borrow(w->terrain, layer, &view));
    CHECK_OK(w->context, wadi_terrain_read_rectangle(w->terrain, layer, r, part, r.width));
    for (int32_t y = 0; y < r.height; ++y)
    {
        assert_memory_equal(part + y * r.width, view.data + (r.y + y) * view.stride + r.x,
                            (size_t)r.width * sizeof *part);
    }
    CHECK_OK(w->context, wadi_terrain_release(w->terrain, layer));
}

// Each way to change the terrain is refused.
static void hook_edit(hook_world* w)
{
    const wadi_brush brush = wadi_brush_default();
    const wadi_rectangle cell = {0, 0, 1, 1};
    const float height = 5.0f;
    const char* text = "while";
    CHECK_FAILS(w->context, WADI_ERROR_STATE, text, wadi_terrain_brush(w->terrain, &brush));
    CHECK_FAILS(w->context, WADI_ERROR_STATE, text,
                wadi_terrain_fill_layer(w->terrain, WADI_LAYER_WATER, 1.0));
    CHECK_FAILS(w->context, WADI_ERROR_STATE, text,
                wadi_terrain_set_rectangle(w->terrain, WADI_LAYER_SURFACE, cell, &height, 1));
    CHECK_FAILS(w->context, WADI_ERROR_STATE, text, wadi_solver_advance(w->solver, 1.0));
    CHECK_FAILS(w->context, WADI_ERROR_STATE, text, wadi_solver_settle(w->solver));
}

static void hook_look(hook_world* w)
{
    static const wadi_layer layers[] = {WADI_LAYER_SURFACE, WADI_LAYER_BEDROCK, WADI_LAYER_WATER,
                                        WADI_LAYER_SEDIMENT, WADI_LAYER_HARDNESS};
    if (w->terrain == NULL)
    {
        return;
    }
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i)
    {
        hook_read(w, layers[i]);
    }
    if (w->edits)
    {
        hook_edit(w);
    }
    if (w->keeps && w->calls == 0)
    {
        wadi_view view;
        CHECK_OK(w->context, wadi_terrain_borrow(w->terrain, WADI_LAYER_WATER, &view));
    }
    w->calls += 1;
}

static bool hook_progress(double share, const char* what, void* user)
{
    (void)what;
    assert_true(share >= 0.0 && share <= 1.0);
    hook_look(user);
    return true;
}

static void hook_stage(const char* stage, void* user)
{
    (void)stage;
    hook_look(user);
}

static void hook_open(hook_world* w, const choice* c, int32_t threads)
{
    *w = (hook_world){0};
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    def.allocator = counted_allocator(&w->memory);
    def.progress = hook_progress;
    def.stage = hook_stage;
    def.user = w;
    assert_int_equal(wadi_context_create(&def, &w->context), WADI_OK);
    registered_add(w->context);
    fixture f = {.context = w->context};
    wadi_terrain* terrain = fixture_rough(&f, CHOICE_WIDTH, CHOICE_HEIGHT, 5);
    w->solver = choice_solver(c, terrain, 0);
}

static void hook_close(hook_world* w, wadi_terrain* terrain)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(terrain);
    assert_int_equal(wadi_memory_used(w->context), 0);
    wadi_context_destroy(w->context);
    assert_int_equal(w->memory.live_blocks, 0);
}

static double hook_years(const choice* c, const wadi_solver* solver)
{
    const double step = wadi_solver_step(solver);
    return step > 0.0 ? 3.0 * step
                      : 0.02 * wadi_process_years(c->process, wadi_solver_params(solver));
}

// Hash after a run whose hooks look at the terrain, or do nothing.
static uint64_t hook_run(const choice* c, bool looks, bool edits, int32_t threads)
{
    hook_world w;
    hook_open(&w, c, threads);
    wadi_terrain* terrain = wadi_solver_terrain(w.solver);
    w.terrain = looks ? terrain : NULL;
    w.edits = edits;
    CHECK_OK(w.context, wadi_solver_advance(w.solver, hook_years(c, w.solver)));
    assert_true(!looks || w.calls > 0);
    const uint64_t hash = wadi_terrain_hash(terrain) + wadi_solver_hash(w.solver);
    w.terrain = NULL;
    fixture_check_ledger(terrain);
    hook_close(&w, terrain);
    return hash;
}

static void check_reading(const choice* c)
{
    const uint64_t plain = hook_run(c, false, false, 1);
    assert_true(hook_run(c, true, false, 1) == plain);
    assert_true(hook_run(c, true, true, 3) == plain);
}

static void hooks_may_read_and_not_write(void** state)
{
    (void)state;
    choice_for_each(check_reading);
}

static void check_keeping(const choice* c)
{
    hook_world w;
    hook_open(&w, c, 1);
    wadi_terrain* terrain = wadi_solver_terrain(w.solver);
    const double years = hook_years(c, w.solver);
    w.terrain = terrain;
    w.keeps = true;
    CHECK_FAILS(w.context, WADI_ERROR_BORROWED, "'water'", wadi_solver_advance(w.solver, years));
    CHECK_FAILS(w.context, WADI_ERROR_BORROWED, "'water'", wadi_solver_advance(w.solver, years));
    CHECK_OK(w.context, wadi_terrain_release(terrain, WADI_LAYER_WATER));

    // nothing is lost: the time that was given is made up for
    w.terrain = NULL;
    CHECK_OK(w.context, wadi_solver_advance(w.solver, years));
    fixture_check_ledger(terrain);
    hook_close(&w, terrain);
}

static void a_kept_view_fails_the_call(void** state)
{
    (void)state;
    choice_for_each(check_keeping);
}

int main(void)
{
    choice_registry = registered_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_may_read_and_not_write),
        cmocka_unit_test(a_kept_view_fails_the_call),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
