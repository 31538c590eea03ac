// SPDX-License-Identifier: MIT
// Saved states with senseless numbers are refused with a message: steps would overflow with them.
// Each row spoils a number of a state, saves it, and mends it again.
#include "core/archive.h"
#include "support/front.h"
#include "support/river.h"
#include "support/slope.h"

#include "process/solver.h"
#include "processes/hydraulic/streams.h"
#include "processes/landslide/landslide_state.h"

#include <math.h>

enum
{
    SIZE = 44
};

static wadi_result read_back(wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_bytes bytes = {.context = context};
    wadi_solver* copy = NULL;
    CHECK_OK(context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    const wadi_result result = wadi_solver_load(terrain, wadi_bytes_read, &bytes, &copy);
    wadi_bytes_free(&bytes);
    if (result == WADI_OK)
    {
        wadi_solver_discard(copy);
    }
    return result;
}

static void check_refused(wadi_solver* solver, const char* words)
{
    const wadi_context* context = wadi_terrain_context(wadi_solver_terrain(solver));
    assert_int_equal(read_back(solver), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_detail(context), words));
}

static void refuse_i64(wadi_solver* solver, int64_t* number, int64_t value, const char* words)
{
    const int64_t kept = *number;
    *number = value;
    check_refused(solver, words);
    *number = kept;
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)), read_back(solver));
}

static void refuse_i32(wadi_solver* solver, int32_t* number, int32_t value, const char* words)
{
    const int32_t kept = *number;
    *number = value;
    check_refused(solver, words);
    *number = kept;
}

static void refuse_float(wadi_solver* solver, float* number, float value, const char* words)
{
    const float kept = *number;
    *number = value;
    check_refused(solver, words);
    *number = kept;
}

static void refuse_double(wadi_solver* solver, double* number, double value, const char* words)
{
    const double kept = *number;
    *number = value;
    check_refused(solver, words);
    *number = kept;
}

static void close_all(fixture* f, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_discard(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(f);
}

// ---- rivers ------------------------------------------------------------------------------

static wadi_solver* front_of(fixture* f, bool plains)
{
    front_land land = front_plain();
    land.size = SIZE;
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.flood_parcels = 8;
    wadi_terrain* terrain = front_terrain(f, &land);
    if (!plains)
    {
        params.model = WADI_HYDRAULIC_ALLUVIAL;
        return front_fan(terrain, &land, &params);
    }
    params.max_step = 1.0;
    params.plains = true;
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    double row[6];
    front_inflow(&land, 0.41, 1.3e5, row);
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

static void spoil_floods(wadi_solver* solver, alluvial* a, const char* words)
{
    assert_true(a->river_count > 0);
    alluvial_river* river = &a->rivers[0];
    refuse_i64(solver, &a->rounds, INT64_MAX, words);
    refuse_i64(solver, &a->carry[0], -1, words);
    refuse_i64(solver, &river->carry[1], INT64_MAX, words);
    const double swing = river->swing;
    river->swing = -1e3;
    check_refused(solver, words);
    river->swing = (double)NAN;
    check_refused(solver, words);
    river->swing = swing;
}

static void floods_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_solver* solver = front_of(&f, false);
    fixture_live(solver, 1.0);
    alluvial* a = solver->state;
    spoil_floods(solver, a, "floods of rivers");
    refuse_i32(solver, &a->wear[7], -1, "below 0");
    refuse_i32(solver, &a->deposit[7], INT32_MIN, "below 0");
    close_all(&f, solver);
}

static void streams_and_plains_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_solver* solver = front_of(&f, true);
    fixture_live(solver, 2.0);
    streams* s = solver->state;
    spoil_floods(solver, s->plains->floods, "floods on plains");
    refuse_i32(solver, &s->wear[7], -1, "below 0");
    refuse_float(solver, &s->discharge[7], NAN, "discharge");
    refuse_float(solver, &s->discharge[7], -1.0f, "discharge");
    close_all(&f, solver);
}

static int64_t loose_sum(const wadi_terrain* terrain)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        sum += wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE);
    }
    return sum;
}

// More load in transit than cells have room for: as much as has lies down, and no unit is lost.
static void a_load_without_room_is_kept(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_solver* solver = front_of(&f, true);
    fixture_live(solver, 2.0);
    streams* s = solver->state;
    s->plains->handed[0] = (plain_handed){SIZE / 2, (int64_t)1 << 45};
    s->plains->handed_count = 1;
    const wadi_terrain* terrain = wadi_solver_terrain(solver);
    const int64_t before = loose_sum(terrain) + wadi_streams_plains_held(s);
    wadi_streams_plains_settle(s);
    assert_true(wadi_streams_plains_held(s) > 0);
    assert_true(loose_sum(terrain) + wadi_streams_plains_held(s) == before);
    close_all(&f, solver);
}

static void rivers_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const river_land land = {.size = 64, .cell = 4.0, .slope = 0.006, .ridge = 8.0, .seed = 1};
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.discharge = 10.0;
    params.breach = 0.5;
    params.batches = 4;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(river_terrain(&f, &land), &wadi_riverbed_process,
                                           &params, 0, &solver));
    fixture_live(solver, 1.0);
    wadi_graded* graded = solver->state;
    const char* const words = "sums of rivers";
    refuse_i64(solver, &graded->worn[70], INT64_MAX, words);
    refuse_i64(solver, &graded->steps, -1, words);
    refuse_i32(solver, &graded->depth[70], INT32_MAX, words);
    refuse_i32(solver, &graded->laid[70], -1, words);
    refuse_i32(solver, &graded->batch, INT32_MAX, "batches");
    close_all(&f, solver);
}

// ---- slides ------------------------------------------------------------------------------

static void slides_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const slope_shape hill = {
        .side = 40, .cell = 5.0, .tangent = 0.6, .azimuth = 160.0, .foot = 35.0, .soil = 1.0};
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.start = WADI_LANDSLIDE_DEEP;
    params.rock_cohesion = 10000.0;
    params.rock_friction = 22.0;
    params.wetness = 0.3;
    params.interval = 7.0 / 31557600.0; // [yr]
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(slope_make(&f, &hill), &wadi_landslide_process, &params,
                                           0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 10.0 / 31557600.0));
    landslide_state* slides = solver->state;
    assert_non_null(slides->flow);
    runner_planes* planes = &slides->flow->planes;
    refuse_i64(solver, &slides->released[70], INT64_MAX, "sums of landslides");
    refuse_i64(solver, &slides->change[1][70], -1, "sums of landslides");
    refuse_double(solver, &slides->clock, (double)NAN, "sums of landslides");
    refuse_double(solver, &slides->waiting, (double)INFINITY, "sums of landslides");
    refuse_i64(solver, &slides->flow_held, INT64_MAX, "holds a mass");
    refuse_i64(solver, &slides->flow->left[0][0], INT64_MAX, "flow of a landslide");
    refuse_i32(solver, &slides->source.soil[70], -1, "soil of a landslide");
    refuse_i32(solver, &slides->lifted[70], INT32_MAX, "lifted soil");
    refuse_i32(solver, &planes->mass[70], INT32_MIN, "flow of a landslide");
    refuse_float(solver, &planes->u[70], INFINITY, "flow of a landslide");
    close_all(&f, solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_are_checked),
        cmocka_unit_test(streams_and_plains_are_checked),
        cmocka_unit_test(a_load_without_room_is_kept),
        cmocka_unit_test(rivers_are_checked),
        cmocka_unit_test(slides_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
