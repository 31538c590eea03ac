// SPDX-License-Identifier: MIT
// A grid in windows: bad cuts, models that do not run there, and a window that fails while the
// others wait for it.
#include "support/fixture.h"
#include "support/windows_land.h"

#include "core/internal.h"

static wadi_result run_own(wadi_context* context, int32_t index, void* user)
{
    (void)index;
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    wadi_result result = windows_land_make(context, user, &terrain);
    result = result == WADI_OK
                 ? wadi_solver_create(terrain, wadi_process_find(context, "own"), NULL, 0, &solver)
                 : result;
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return result;
}

static void refuses_bad_cuts(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    windows_land land = {130, 200, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false};
    wadi_windows_def def = windows_land_cut(&land, 3, 1, 4, false);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE,
                "3 windows along 130 columns: expected 1 to 2, as each window needs 62 of them",
                wadi_windows_run(f.context, &def, run_own, &land));
    def = windows_land_cut(&land, 1, 1, 3, false);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "a halo of 3 cells; expected 4 to 60",
                wadi_windows_run(f.context, &def, run_own, &land));
    def.cookie = 0;
    assert_int_equal(wadi_windows_run(f.context, &def, run_own, &land), WADI_ERROR_PARAMS);
    fixture_close(&f);
}

static void names_a_process_without_windows(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    windows_land land = {130, 200, WADI_EDGE_OPEN, WADI_EDGE_OPEN, .voids = false};
    const wadi_windows_def def = windows_land_cut(&land, 2, 2, 4, false);
    wadi_process own = *wadi_process_find(f.context, "talus");
    wadi_model model = own.models[0];
    model.traits = 0;
    own.name = "own";
    own.models = &model;
    CHECK_OK(f.context, wadi_context_register(f.context, &own));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT,
                "own, model relaxation, does not run in windows: it does not say that it can "
                "(WADI_MODEL_WINDOWS); run it on the whole grid",
                wadi_windows_run(f.context, &def, run_own, &land));
    fixture_close(&f);
}

// One window fails while the others wait for it.
static wadi_result fail_late(wadi_context* context, int32_t index, void* user)
{
    wadi_terrain* terrain = NULL;
    wadi_result result = windows_land_make(context, user, &terrain);
    (void)wadi_terrain_hash(terrain);
    if (result == WADI_OK && index == 2)
    {
        result = wadi_context_fail(context, WADI_ERROR_IO, "window 2 has no disk");
    }
    const int64_t count = result == WADI_OK ? wadi_terrain_valid_count(terrain) : 0;
    wadi_terrain_destroy(terrain);
    return result == WADI_OK && count < 0 ? WADI_ERROR_STATE : result;
}

// Windows that make other calls than the rest end with a failure, and do not hang.
static wadi_result call_too_often(wadi_context* context, int32_t index, void* user)
{
    wadi_terrain* terrain = NULL;
    const wadi_result result = windows_land_make(context, user, &terrain);
    for (int32_t i = 0; i < (index == 1 ? 3 : 1); ++i)
    {
        (void)wadi_terrain_valid_count(terrain);
    }
    wadi_terrain_destroy(terrain);
    return result;
}

static void a_failure_ends_all_windows(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    windows_land land = {130, 200, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, .voids = false};
    for (int turn = 0; turn < 2; ++turn)
    {
        const wadi_windows_def def = windows_land_cut(&land, 2, 3, 4, turn == 1);
        CHECK_FAILS(f.context, WADI_ERROR_IO, "window 2 has no disk",
                    wadi_windows_run(f.context, &def, fail_late, &land));
        CHECK_FAILS(f.context, WADI_ERROR_STATE, "made other calls than the rest",
                    wadi_windows_run(f.context, &def, call_too_often, &land));
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_cuts),
        cmocka_unit_test(names_a_process_without_windows),
        cmocka_unit_test(a_failure_ends_all_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
