// SPDX-License-Identifier: MIT
// The process landslide as a whole: triggers, the same bits on any threads and after a restart,
// ledger, report, refusals.
#include "support/slope.h"

#include "terrain/ground.h"

#include <stdlib.h>

static const slope_shape hill = {
    .side = 40,
    .cell = 5.0,
    .tangent = 0.6,
    .azimuth = 160.0,
    .foot = 40.0,
    .soil = 1.0,
    .block = 2.0,
    .half = 25.0,
    .ahead = -20.0,
};

// Soil of 3 m in a square of 50 m: roots hold it when dry, not when wet.
static wadi_landslide_params few_grains(void)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.most = 600;
    params.longest = 20.0;
    params.cohesion = 4000.0;
    params.min_area = 500.0;
    return params;
}

static wadi_solver* slide_solver(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

// Run for an hour; returns the released volume [m3].
static double an_hour(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver = slide_solver(terrain, params);
    CHECK_OK(wadi_terrain_context(terrain), slope_run(solver, 1.0 / 8766.0));
    const double released = slope_figure(solver, "released");
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    return released;
}

// ---- trigger ------------------------------------------------------------------------------------

// Stable dry soil is unchanged bit for bit; rain, moisture or wetness release it.
static void only_water_brings_the_hill_down(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = slope_make(&f, &hill);
    const uint64_t before = wadi_terrain_hash(terrain);
    wadi_landslide_params params = few_grains();
    assert_true(an_hour(terrain, &params) == 0.0);
    params.rain = 0.05; // the soil conducts a hundred times as much
    assert_true(an_hour(terrain, &params) == 0.0);
    assert_true(wadi_terrain_hash(terrain) == before);
    wadi_terrain* wet;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &wet));
    params.rain = 20.0;
    assert_true(an_hour(terrain, &params) > 5000.0);
    params.rain = 0.0;
    CHECK_OK(f.context, wadi_terrain_fill_layer(wet, WADI_LAYER_MOISTURE, 1.0));
    assert_true(an_hour(wet, &params) > 5000.0);
    wadi_terrain_destroy(wet);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// the failing square has 2500 m2
static void small_areas_stay(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = few_grains();
    params.wetness = 1.0;
    params.min_area = 4000.0;
    assert_true(an_hour(terrain, &params) == 0.0);
    params.shape = WADI_LANDSLIDE_CIRCLE; // the circle is far from it
    params.min_area = 0.0;
    params.radius = 20.0;
    assert_true(an_hour(terrain, &params) == 0.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- bits ---------------------------------------------------------------------------------------

static uint64_t slid(int32_t threads, double* reported)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = few_grains();
    params.wetness = 1.0;
    params.entrainment = 0.002;
    wadi_solver* solver = slide_solver(terrain, &params);
    CHECK_OK(f.context, slope_run(solver, 1.0 / 8766.0));
    *reported = slope_figure(solver, "slide_clock") * slope_figure(solver, "largest_overlap") *
                slope_figure(solver, "runout");
    fixture_check_ledger(terrain);

    // a solver that is restored goes on with the same bits
    wadi_terrain* copy;
    params.start = WADI_LANDSLIDE_REGION;
    params.longest = 2.0;
    wadi_solver_destroy(solver);
    solver = slide_solver(terrain, &params);
    CHECK_OK(f.context, slope_run(solver, 1.0 / 8766.0));
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &copy));
    wadi_solver* restarted = slope_restore(solver, copy);
    CHECK_OK(f.context, slope_run(solver, 1.0 / 8766.0));
    CHECK_OK(f.context, slope_run(restarted, 1.0 / 8766.0));
    const uint64_t hash = wadi_terrain_hash(terrain);
    assert_true(wadi_terrain_hash(copy) == hash);
    wadi_solver_destroy(restarted);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(copy);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void threads_and_restarts_change_nothing(void** state)
{
    (void)state;
    static const int32_t threads[] = {2, 3, 8};
    double report;
    const uint64_t one = slid(1, &report);
    assert_true(report > 0.0);
    for (int i = 0; i < 3; ++i)
    {
        double again;
        assert_true(slid(threads[i], &again) == one);
        assert_true(again == report);
    }
}

// ---- bed ----------------------------------------------------------------------------------------

// Bed is entrained along the track, limited by the soil there, and increases with the rate; layers
// keep their volume.
static void bed_is_taken_up(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    double worn[3];
    for (int i = 0; i < 3; ++i)
    {
        wadi_terrain* terrain = slope_make(&f, &hill);
        const double volume = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
        wadi_landslide_params params = few_grains();
        params.wetness = 1.0;
        params.entrainment = 0.003 * i * i;
        assert_true(an_hour(terrain, &params) > 5000.0);
        wadi_ledger_row rows[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
        const double left = rows[WADI_MATERIAL_SEDIMENT].out[WADI_SIDE_SOUTH];
        CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) + left, volume, 1e-6);
        worn[i] = rows[WADI_MATERIAL_SEDIMENT].eroded;
        wadi_terrain_destroy(terrain);
    }
    print_message("moved without, with 0.003 and 0.012 per metre: %.0f, %.0f, %.0f m3\n", worn[0],
                  worn[1], worn[2]);
    assert_true(worn[1] > 1.05 * worn[0] && worn[2] > 1.1 * worn[1]);
    fixture_close(&f);
}

// ---- regions ------------------------------------------------------------------------------------

static double released_in(fixture* f, wadi_landslide_params params, const double* outline,
                          int32_t corners, const float* depth)
{
    wadi_terrain* terrain = slope_make(f, &hill);
    params.start = WADI_LANDSLIDE_REGION;
    params.longest = 0.1;
    wadi_solver* solver = slide_solver(terrain, &params);
    if (outline != NULL)
    {
        CHECK_OK(f->context, wadi_solver_set_table(solver, "outline", outline, corners));
    }
    if (depth != NULL)
    {
        CHECK_OK(f->context, wadi_solver_set_map(solver, "depth", depth));
    }
    CHECK_OK(f->context, slope_run(solver, 1e-6));
    const double released = slope_figure(solver, "released");
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return released;
}

// The same 40 x 40 m in the north-west with 1 m of soil, selected in four ways.
static void regions_hold_what_they_enclose(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_landslide_params params = few_grains();
    static const double corners[] = {10, 150, 50, 150, 50, 190, 10, 190};
    CHECK_NEAR(released_in(&f, params, corners, 4, NULL), 1600.0, 1.0);

    float depth[40 * 40] = {0.0f};
    for (int i = 0; i < 64; ++i)
    {
        depth[(2 + i / 8) * 40 + 2 + i % 8] = i % 2 == 0 ? 0.5f : -0.5f; // noise as in survey data
    }
    CHECK_NEAR(released_in(&f, params, NULL, 0, depth), 800.0, 1.0);
    params.depth = 0.25;
    CHECK_NEAR(released_in(&f, params, NULL, 0, depth), 400.0, 1.0);

    params.depth = 0.0;
    params.shape = WADI_LANDSLIDE_RECTANGLE;
    params.x = 30.0;
    params.y = 170.0;
    params.width = params.height = 40.0;
    CHECK_NEAR(released_in(&f, params, NULL, 0, NULL), 1600.0, 1.0);
    params.azimuth = 45.0;
    CHECK_NEAR(released_in(&f, params, NULL, 0, NULL), 1600.0, 160.0);
    params.shape = WADI_LANDSLIDE_CIRCLE;
    params.radius = 20.0;
    CHECK_NEAR(released_in(&f, params, NULL, 0, NULL), 1256.6, 80.0);
    fixture_close(&f);
}

// ---- refusals -----------------------------------------------------------------------------------

static void refuse(fixture* f, wadi_landslide_params params, double soil, wadi_result code,
                   const char* words)
{
    slope_shape shape = hill;
    shape.soil = soil;
    shape.block = 0.0;
    wadi_terrain* terrain = slope_make(f, &shape);
    const uint64_t before = wadi_terrain_hash(terrain);
    params.start = WADI_LANDSLIDE_REGION;
    wadi_solver* solver = slide_solver(terrain, &params);
    CHECK_FAILS(f->context, code, words, slope_run(solver, 1e-6));
    assert_true(wadi_terrain_hash(terrain) == before);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

static void invalid_slides_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_landslide_params params = few_grains();
    refuse(&f, params, 0.0, WADI_ERROR_STATE, "no soil in the region");
    params.step = 0.9;
    refuse(&f, params, 1.0, WADI_ERROR_RANGE, "step");
    params = few_grains();
    params.diameter = 0.5;
    refuse(&f, params, 1.0, WADI_ERROR_RANGE, "more than the 600 that `most` allows");
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_solver* solver;
    params = few_grains();
    params.overlap = 0.0; // would need infinite stiffness
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "overlap",
                wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    params = few_grains();
    solver = slide_solver(terrain, &params);
    float depth[40 * 40] = {0.0f};
    depth[41] = 2000.0f;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "depths is 2000 at cell (1, 1)",
                wadi_solver_set_map(solver, "depth", depth));
    static const double line[] = {0, 0, 10, 10};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "2 corners",
                wadi_solver_set_table(solver, "outline", line, 2));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_water_brings_the_hill_down),
        cmocka_unit_test(small_areas_stay),
        cmocka_unit_test(threads_and_restarts_change_nothing),
        cmocka_unit_test(bed_is_taken_up),
        cmocka_unit_test(regions_hold_what_they_enclose),
        cmocka_unit_test(invalid_slides_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
