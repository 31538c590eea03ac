// SPDX-License-Identifier: MIT
// Deep failures of process landslide: start "deep" with model "slump" and the others.
#include "support/slope.h"

#include "core/internal.h"
#include "terrain/ground.h"

#include <wadi/landslide.h>

#include <math.h>
#include <string.h>

enum
{
    SIDE = 64,
    CELLS = SIDE * SIDE
};

static const double second = 1.0 / 31557600.0; // [yr]

static slope_shape hill_at(double azimuth)
{
    return (slope_shape){
        .side = SIDE, .cell = 5.0, .tangent = 0.6, .azimuth = azimuth, .foot = 50.0, .soil = 1.0};
}

static wadi_landslide_params deep_params(void)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_SLUMP;
    params.start = WADI_LANDSLIDE_DEEP;
    params.rock_cohesion = 20000.0;
    params.rock_friction = 22.0;
    params.wetness = 0.3;
    params.min_area = 2000.0;
    params.interval = 1.0;
    return params;
}

static wadi_solver* deep_solver(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

// ---- what stands -------------------------------------------------------------------------------

static void strong_ground_stands_to_the_bit(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    for (int32_t k = 0; k < 5; ++k)
    {
        wadi_landslide_params params = deep_params();
        const slope_shape hill = hill_at(160.0);
        wadi_terrain* terrain = slope_make(&f, &hill);
        params.rock_cohesion = k == 0 ? 1e6 : params.rock_cohesion;
        params.depth = k == 1 ? 0.5 : 0.0;
        params.shape = k == 2 ? WADI_LANDSLIDE_CIRCLE : WADI_LANDSLIDE_EVERYWHERE;
        params.x = params.y = params.radius = 20.0;
        if (k >= 3) // no surface cuts rock of hardness 1; that of 0.98 is 50 times as strong
        {
            const double hardness = k == 3 ? 1.0 : 0.98;
            CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hardness));
        }
        const uint64_t before = wadi_terrain_hash(terrain);
        wadi_solver* solver = deep_solver(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 3.0));
        assert_true(wadi_terrain_hash(terrain) == before);
        CHECK_NEAR(slope_figure(solver, "failing_areas"), 0.0, 0.0);
        assert_true(slope_figure(solver, "least_stability") > 1.0);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

// ---- slumps ------------------------------------------------------------------------------------

static void load_surface(wadi_terrain* terrain, float out[CELLS])
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    for (int64_t c = 0; c < CELLS; ++c)
    {
        out[c] = (float)wadi_ground_surface(ground, c) / 65536.0f;
    }
}

// A block leaves a scarp, tilts backward by its turn, and is raised at its toe; whatever the
// direction of the slope.
static void blocks_tilt_backward(void** state)
{
    (void)state;
    static const double azimuths[] = {180.0, 90.0, 203.0, 337.0};
    static float before[CELLS];
    static float after[CELLS];
    double least[4];
    double volume[4];
    for (int32_t k = 0; k < WADI_COUNT(azimuths); ++k)
    {
        fixture f;
        fixture_open(&f, 2);
        const slope_shape hill = hill_at(azimuths[k]);
        wadi_terrain* terrain = slope_make(&f, &hill);
        wadi_landslide_params params = deep_params();
        params.shape = WADI_LANDSLIDE_CIRCLE; // one block
        params.x = params.y = 160.0;
        params.radius = 75.0;
        load_surface(terrain, before);
        wadi_solver* solver = deep_solver(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        load_surface(terrain, after);
        const double rotation = slope_figure(solver, "rotation");
        least[k] = slope_figure(solver, "least_stability");
        volume[k] = slope_figure(solver, "released");
        float slide[CELLS];
        CHECK_OK(f.context, wadi_solver_map(solver, "slide", slide));
        double ahead = 0.0; // change by distance down the slope
        double cut = 0.0;
        double rise = 0.0;
        double low = 0.0;
        double high = 0.0;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            const double change = (double)after[c] - (double)before[c];
            const double east = ((double)(c % SIDE) - 0.5 * (double)SIDE + 0.5) *
                                sin(azimuths[k] * 0.017453292519943295);
            const double south = ((double)(c / SIDE) - 0.5 * (double)SIDE + 0.5) *
                                 cos(azimuths[k] * 0.017453292519943295);
            ahead += change * (east - south);
            cut -= fmin(change, 0.0);
            rise += fmax(change, 0.0);
            low = fmin(low, change);
            high = fmax(high, change);
            assert_true(slide[c] >= 0.0f && slide[c] <= 2.0f);
        }
        print_message("azimuth %g: factor %.3f, %.0f m3, turn %.1f degrees, %.1f m down, %.1f up\n",
                      azimuths[k], least[k], volume[k], rotation, -low, high);
        CHECK_NEAR(cut, rise, 0.5);
        assert_true(low < -3.0 && high > 2.0 && ahead > 10.0 * cut);
        CHECK_NEAR(rotation, 23.75, 0.3);
        CHECK_NEAR(least[k] / least[0], 1.0, 0.006);
        CHECK_NEAR(volume[k] / volume[0], 1.0, 1e-3);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// A block breaks into steps where `secondary` lets it, and only within what may fail.
static void blocks_break_on_secondary_surfaces(void** state)
{
    (void)state;
    uint64_t hashes[3];
    double blocks[3];
    for (int32_t k = 0; k < 3; ++k)
    {
        fixture f;
        fixture_open(&f, 1 + k);
        const slope_shape hill = hill_at(180.0);
        wadi_terrain* terrain = slope_make(&f, &hill);
        wadi_landslide_params params = deep_params();
        params.shape = WADI_LANDSLIDE_CIRCLE;
        params.x = params.y = 160.0;
        params.radius = 75.0;
        params.residual = 0.5;
        params.secondary = k;
        wadi_solver* solver = deep_solver(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        blocks[k] = slope_figure(solver, "failing_areas");
        const double secondary = k > 0 ? slope_figure(solver, "secondary_blocks") : 0.0;
        print_message("secondary %d: %.0f blocks, %.0f of them in others\n", (int)k, blocks[k],
                      secondary);
        assert_true(k == 0 || (secondary > 0.0 && blocks[k] > blocks[0]));
        hashes[k] = wadi_terrain_hash(terrain);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_true(blocks[2] >= blocks[1] && hashes[0] != hashes[1]);
}

static slope_shape small_hill(void)
{
    slope_shape hill = hill_at(160.0);
    hill.side = 40;
    hill.foot = 35.0;
    return hill;
}

static wadi_solver* make_slump(fixture* f)
{
    wadi_landslide_params params = deep_params();
    const slope_shape hill = small_hill();
    params.rock_cohesion = 10000.0;
    return deep_solver(slope_make(f, &hill), &params);
}

static wadi_solver* make_steps(fixture* f)
{
    wadi_landslide_params params = deep_params();
    const slope_shape hill = small_hill();
    params.rock_cohesion = 10000.0;
    params.secondary = 2;
    return deep_solver(slope_make(f, &hill), &params);
}

static wadi_solver* make_flow(fixture* f)
{
    wadi_landslide_params params = deep_params();
    const slope_shape hill = small_hill();
    params.rock_cohesion = 10000.0;
    params.model = WADI_LANDSLIDE_RUNNER;
    params.interval = 7.0 * second;
    params.longest = 40.0;
    return deep_solver(slope_make(f, &hill), &params);
}

static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    fixture_check_cuts(make_slump, 1.5);
    fixture_check_cuts(make_steps, 1.5);
    fixture_check_cuts(make_flow, 12.0 * second);
}

static uint64_t run_restored(fixture* f, fixture_make* make, double first, double then,
                             bool restores)
{
    wadi_solver* solver = make(f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(f->context, wadi_solver_advance(solver, first));
    wadi_solver* const saved = solver; // what a flow holds would be booked as lost
    solver = restores ? slope_restore(solver, terrain) : solver;
    CHECK_OK(f->context, wadi_solver_advance(solver, then));
    CHECK_OK(f->context, wadi_solver_settle(solver));
    const uint64_t hash = wadi_terrain_hash(terrain);
    fixture_check_ledger(terrain);
    assert_true(slope_figure(solver, "failing_areas") > 0.0);
    wadi_solver_destroy(solver);
    if (restores)
    {
        wadi_solver_destroy(saved);
    }
    wadi_terrain_destroy(terrain);
    return hash;
}

static void restored_slides_go_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    assert_true(run_restored(&f, make_slump, 1.5, 1.5, true) ==
                run_restored(&f, make_slump, 1.5, 1.5, false));
    assert_true(run_restored(&f, make_flow, 10.0 * second, 40.0 * second, true) ==
                run_restored(&f, make_flow, 10.0 * second, 40.0 * second, false));
    fixture_close(&f);
}

// ---- any ground --------------------------------------------------------------------------------

// Odd grids, edges, voids, rough land and cells of 1 to 60 m, with all models.
static void ledgers_close_on_any_ground(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static const int32_t models[] = {WADI_LANDSLIDE_SLUMP, WADI_LANDSLIDE_RUNNER,
                                     WADI_LANDSLIDE_AUTO, WADI_LANDSLIDE_GRAINS};
    static const double cells[] = {1.0, 10.0, 60.0};
    for (int32_t k = 0; k < 9; ++k)
    {
        const double cell = cells[k / 3];
        wadi_terrain* terrain = fixture_plain(&f, 61, 33, cell, (wadi_edge)(k % 3));
        float rock[61 * 33];
        for (int32_t c = 0; c < 61 * 33; ++c)
        {
            const double x = c % 61 < 31 ? c % 61 : 61 - c % 61; // the same at both edges
            const double rough = (double)(c * 7919 % 101) / 101.0;
            rock[c] = (float)((0.9 * x + 2.0 * rough) * cell);
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, 61));
        fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 2.0, 6);
        fixture_holes(terrain);
        wadi_landslide_params params = deep_params();
        params.model = models[k % 4];
        params.rock_cohesion = 1000.0 * cell;
        params.min_area = 20.0 * cell * cell;
        params.most = 500;
        params.longest = 2.0;
        params.secondary = k % 4 == 0 ? k / 4 : 0;
        wadi_solver* solver = deep_solver(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        CHECK_OK(f.context, wadi_solver_settle(solver));
        print_message("cells of %g m, edges %d: %.0f areas\n", cell, (int)(k % 3),
                      slope_figure(solver, "failing_areas"));
        assert_true(slope_figure(solver, "failing_areas") > 0.0);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

// A hill on a torus whose steep side fails, wherever the seams of the map are.
static double hill_on_torus(fixture* f, int32_t east, int32_t south, float out[CELLS])
{
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, 10.0, WADI_EDGE_PERIODIC);
    float rock[CELLS];
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const double x = (c % SIDE + east) % SIDE - 30.0;
        const double y = (c / SIDE + south) % SIDE - 30.0;
        const double far = sqrt(x * x + 0.7 * y * y + 0.3 * x * y);
        const double steep = 1.0 + 0.35 * (x + 0.4 * y) / (far + 1.0);
        rock[c] = (float)(100.0 * exp(-far * far * steep * steep / 160.0));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    wadi_landslide_params params = deep_params();
    params.length = 120.0; // toes of these lie on all cells
    params.rock_cohesion = 25000.0;
    wadi_solver* solver = deep_solver(terrain, &params);
    CHECK_OK(f->context, wadi_solver_advance(solver, 1.0));
    static float surface[CELLS];
    load_surface(terrain, surface);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        out[(c / SIDE + south) % SIDE * SIDE + (c % SIDE + east) % SIDE] = surface[c];
    }
    const double released = slope_figure(solver, "released");
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    return released;
}

static void slow_seams_of_a_torus_leave_no_trace(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static float inside[CELLS];
    static float across[CELLS];
    const double here = hill_on_torus(&f, 0, 0, inside);
    const double there = hill_on_torus(&f, 30, 37, across);
    double most = 0.0;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        most = fmax(most, fabs((double)inside[c] - (double)across[c]));
    }
    print_message("%.0f and %.0f m3, heights differ by %.3g m\n", here, there, most);
    assert_true(here > 1000.0);
    CHECK_NEAR(there / here, 1.0, 1e-3);
    assert_true(most < 0.02);
    fixture_close(&f);
}

static void slumps_need_deep_surfaces(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const slope_shape hill = hill_at(160.0);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = deep_params();
    params.start = WADI_LANDSLIDE_STORM;
    wadi_solver* solver;
    assert_int_equal(wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver),
                     WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_detail(f.context), "set start deep"));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strong_ground_stands_to_the_bit),
        cmocka_unit_test(blocks_tilt_backward),
        cmocka_unit_test(blocks_break_on_secondary_surfaces),
        cmocka_unit_test(calls_and_threads_change_no_bit),
        cmocka_unit_test(restored_slides_go_on),
        cmocka_unit_test(ledgers_close_on_any_ground),
        cmocka_unit_test(slumps_need_deep_surfaces),
        cmocka_unit_test(slow_seams_of_a_torus_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
