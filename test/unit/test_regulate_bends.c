// SPDX-License-Identifier: MIT
// Regulated channels: a least radius of bends, and spoil that lies beside the levees.
#include "core/archive.h"
#include "support/fixture.h"

#include <math.h>

enum
{
    SIDE = 160,
    CELLS = SIDE * SIDE
};

static const double degree = 57.29577951308232;

static wadi_terrain* slope_of(fixture* f, wadi_edge edge)
{
    static float heights[CELLS];
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, 2.0, edge);
    for (int i = 0; i < CELLS; ++i)
    {
        heights[i] = (float)(50.0 - 0.002 * (i % SIDE) - 0.004 * (SIDE - i / SIDE));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 10.0));
    return terrain;
}

static wadi_regulate_params params_of(double radius, double spoil)
{
    wadi_regulate_params params = wadi_regulate_params_default();
    params.width = 6.0;
    params.grade = 0.001;
    params.critical_shear = 1e5;
    params.discharge = 10.0;
    params.end_depth = 3.0;
    params.min_radius = radius;
    params.spoil_width = spoil;
    return params;
}

// A line with a corner of 90 degrees in the middle of the land, turned by an azimuth.
static wadi_solver* corner(wadi_terrain* terrain, const wadi_regulate_params* params,
                           double azimuth)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const double c = cos(azimuth / degree);
    const double s = sin(azimuth / degree);
    const double line[] = {SIDE - 100.0 * c, SIDE - 100.0 * s, SIDE, SIDE,
                           SIDE - 100.0 * s, SIDE + 100.0 * c};
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_regulate_process, params, 0, &solver));
    CHECK_OK(context, wadi_solver_set_table(solver, "route", line, 3));
    CHECK_OK(context, wadi_solver_advance(solver, 1.0));
    fixture_check_ledger(terrain);
    return solver;
}

static void close_all(fixture* f, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(f);
}

// ---- bends -------------------------------------------------------------------------------

static void bends_have_the_least_radius(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 22.5, 37.0};
    static const double radii[] = {0.0, 20.0, 60.0};
    for (int i = 0; i < 9; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        const wadi_regulate_params params = params_of(radii[i % 3], 0.0);
        wadi_solver* solver = corner(slope_of(&f, WADI_EDGE_OPEN), &params, azimuths[i / 3]);
        const double least = fixture_figure(solver, "least_radius");
        const double length = fixture_figure(solver, "length");
        print_message("azimuth %.1f, radius %.0f: %.2f, length %.1f\n", azimuths[i / 3],
                      radii[i % 3], least, length);
        assert_true(least >= radii[i % 3] && (radii[i % 3] > 0.0 || least < 10.0));
        // an arc of 90 degrees is shorter than its corner by 0.43 of its radius
        assert_true(length <= 201.0 && length >= 200.0 - 0.43 * radii[i % 3] - 12.0);
        close_all(&f, solver);
    }
}

// A line without sharp bends stays, to the bit.
static void gentle_lines_stay(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = slope_of(&f, WADI_EDGE_OPEN);
        const wadi_regulate_params params = params_of(i == 0 ? 0.0 : 60.0, 0.0);
        const double line[] = {60.0, 60.0, 250.0, 170.0};
        wadi_solver* solver = NULL;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_regulate_process, &params, 0, &solver));
        CHECK_OK(f.context, wadi_solver_set_table(solver, "route", line, 2));
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        hash[i] = wadi_terrain_hash(terrain);
        close_all(&f, solver);
    }
    assert_true(hash[0] == hash[1]);
}

// ---- spoil -------------------------------------------------------------------------------

static int64_t ground_sum(const wadi_terrain* terrain)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, i % SIDE, i / SIDE) +
               wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIDE, i / SIDE);
    }
    return sum;
}

// All that is cut stays on the map; the channel is the same; a second year moves nothing.
static void spoil_lies_beside_the_levees(void** state)
{
    (void)state;
    static int32_t hauled[CELLS];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 1 + i);
        wadi_terrain* terrain = slope_of(&f, WADI_EDGE_OPEN);
        const int64_t before = ground_sum(terrain);
        const wadi_regulate_params params = params_of(40.0, i == 0 ? 0.0 : 20.0);
        wadi_solver* solver = corner(terrain, &params, 37.0);
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        const double surplus = fixture_figure(solver, "cut") - fixture_figure(solver, "fill") -
                               fixture_figure(solver, "levees");
        assert_true(surplus > 100.0);
        CHECK_NEAR(fixture_figure(solver, "spoil"), i == 0 ? 0.0 : surplus, 0.01);
        CHECK_NEAR(row.lost, i == 0 ? surplus : 0.0, 0.01);
        assert_true((ground_sum(terrain) == before) == (i == 1));
        int32_t raised = 0;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            const int32_t h = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, c % SIDE, c / SIDE) +
                              wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, c % SIDE, c / SIDE);
            assert_true(i == 0 || h >= hauled[c]);
            raised += i == 1 && h > hauled[c] ? 1 : 0;
            hauled[c] = h;
        }
        assert_true(i == 0 || raised > 300);
        const uint64_t hash = wadi_terrain_hash(terrain);
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        assert_true(wadi_terrain_hash(terrain) == hash);
        close_all(&f, solver);
    }
}

// A saved channel goes on to the same bits, with its spoil.
static void a_restored_channel_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = slope_of(&f, WADI_EDGE_OPEN);
    const wadi_regulate_params params = params_of(40.0, 20.0);
    wadi_solver* solver = corner(terrain, &params, 22.5);
    wadi_bytes bytes = {.context = f.context};
    wadi_solver* copy = NULL;
    CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    CHECK_OK(f.context, wadi_solver_load(terrain, wadi_bytes_read, &bytes, &copy));
    wadi_bytes_free(&bytes);
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(copy));
    CHECK_NEAR(fixture_figure(copy, "spoil"), fixture_figure(solver, "spoil"), 0.0);
    CHECK_NEAR(fixture_figure(copy, "least_radius"), fixture_figure(solver, "least_radius"), 0.0);
    wadi_solver_destroy(copy);
    close_all(&f, solver);
}

// A river that leaves where it enters has no channel. Its plan holds nothing of the one before,
// which a saved state does not have.
static void a_plan_without_a_channel_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = slope_of(&f, WADI_EDGE_CLOSED);
    wadi_regulate_params params = params_of(40.0, 0.0);
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_regulate_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
    assert_true(fixture_figure(solver, "length") > 0.0);
    params.side = WADI_SIDE_NORTH; // its eastern end is the lowest land
    params.position = 1.0;
    params.window = 4.0;
    CHECK_OK(f.context, wadi_solver_change(solver, &params));
    wadi_bytes bytes = {.context = f.context};
    wadi_solver* copy = NULL;
    CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    CHECK_OK(f.context, wadi_solver_load(terrain, wadi_bytes_read, &bytes, &copy));
    wadi_bytes_free(&bytes);
    CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
    CHECK_OK(f.context, wadi_solver_advance(copy, 1.0));
    assert_true(fixture_figure(solver, "length") == 0.0);
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(copy));
    wadi_solver_destroy(copy);
    close_all(&f, solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_have_the_least_radius),
        cmocka_unit_test(gentle_lines_stay),
        cmocka_unit_test(spoil_lies_beside_the_levees),
        cmocka_unit_test(a_restored_channel_goes_on),
        cmocka_unit_test(a_plan_without_a_channel_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
