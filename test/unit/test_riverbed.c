// SPDX-License-Identifier: MIT
// Riverbeds: vectorised and tiled kernels compared with the plain law, emitters, collisions,
// interpretations of the layer, water, refusals.
#include "support/fixture.h"

#include "core/isa.h"
#include "plain_riverbed.h"
#include "processes/articles/stamps/riverbed_stamp.h"
#include "terrain/ground.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 320, // one tile and part of the next
    CELLS = SIDE * SIDE
};

static wadi_terrain* plain_of(fixture* f, int32_t side, double cell, uint64_t seed)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = side;
    def.height = side;
    def.cell_size = cell;
    def.seed = seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

static wadi_riverbed_params paper(void)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.model = WADI_RIVERBED_PAPER;
    params.water = false;
    return params;
}

// One particle at a time, from the middle of the window.
static wadi_riverbed_params single(void)
{
    wadi_riverbed_params params = paper();
    params.draw = WADI_RIVERBED_EVEN;
    params.width = 0.0;
    params.quantity = 1;
    return params;
}

static wadi_solver* solver_of(wadi_terrain* terrain, const wadi_riverbed_params* params)
{
    wadi_solver* solver = NULL;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_riverbed_process, params, 0, &solver));
    return solver;
}

static void carve(wadi_terrain* terrain, const wadi_riverbed_params* params, double years)
{
    wadi_solver* solver = solver_of(terrain, params);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_advance(solver, years));
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
}

static double steps_of(wadi_solver* solver)
{
    wadi_work work[2];
    assert_int_equal(wadi_solver_work(solver, work, 2), 2);
    assert_string_equal(work[1].name, "particle_steps");
    return work[1].count;
}

static double depth_at(wadi_terrain* terrain, int32_t x, int32_t y)
{
    return -(double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y) / WADI_UNITS_PER_METRE;
}

static double volume(wadi_terrain* terrain)
{
    return -wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
}

// ---- the law ------------------------------------------------------------------------------------

static void instruction_sets_agree_to_the_bit(void** state)
{
    (void)state;
    static const int32_t corner[] = {0, 3 * 64 + 7, 70};
    static const float x[] = {0.0f, 0.37f, 0.999f};
    static const float y[] = {0.5f, 0.0f, 0.62f};
    int32_t sums[WADI_ISA_COUNT][64 * 64] = {{0}};
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        if (wadi_isa_runs((wadi_isa)isa))
        {
            const riverbed_stamps stamps = {sums[isa], 64, 10, 24, 9.3f * 9.3f, 3, corner, x, y};
            riverbed_build_of((wadi_isa)isa)->stamp(&stamps);
            assert_memory_equal(sums[isa], sums[0], sizeof sums[0]);
        }
    }
    assert_true(sums[0][9 * 64 + 9] > 9 * RIVERBED_PARTS);

    // points of a path that leaves the tile and returns equal those of riverbed_path_at()
    riverbed_point turns[RIVERBED_STRETCH + 1];
    for (int n = 0; n <= RIVERBED_STRETCH; ++n)
    {
        turns[n] = (riverbed_point){cos(0.3 * n), sin(0.3 * n)};
    }
    const riverbed_orbit orbit = {.turns = turns};
    const riverbed_path path = {{-3.0, 4.5}, {0.5, 0.1}, {6.0, 1.0}, RIVERBED_STRETCH};
    const riverbed_stretch stretch = {&path, &orbit, 1, 61, 0.0, 0.0, 25.0, 10.0, 40, 7};
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        if (wadi_isa_runs((wadi_isa)isa))
        {
            int32_t corners[RIVERBED_STRETCH];
            float beyond[2][RIVERBED_STRETCH];
            const int32_t count =
                riverbed_build_of((wadi_isa)isa)->place(&stretch, corners, beyond[0], beyond[1]);
            int32_t k = 0;
            for (int32_t n = 1; n < 62; ++n)
            {
                const riverbed_point p = riverbed_path_at(&path, &orbit, n);
                if (p.x > 0.0 && p.y > 0.0 && p.x < 25.0 && p.y < 10.0)
                {
                    assert_int_equal(corners[k], (int32_t)p.y * 40 + (int32_t)p.x + 7);
                    assert_true(beyond[0][k] == (float)(p.x - floor(p.x)));
                    assert_true(beyond[1][k] == (float)(p.y - floor(p.y)));
                    ++k;
                }
            }
            assert_int_equal(count, k);
            assert_true(k > 20 && k < 55);
        }
    }
}

// On ground of every susceptibility, with circles across the border between tiles.
static void tiles_agree_with_the_plain_law(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plain_of(&f, SIDE, 1.0, 1);
    fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 1.0, 3);
    wadi_riverbed_params params = single();
    params.quantity = 7;
    params.width = 60.0;
    params.kappa = 0.5;
    params.radius = 20.0;
    params.turn = 2.5;
    carve(terrain, &params, 1.0);

    double* ground = test_calloc(2 * (size_t)CELLS, sizeof *ground);
    double* soft = ground + CELLS;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        soft[i] =
            1.0 - wadi_terrain_units(terrain, WADI_LAYER_HARDNESS, i % SIDE, i / SIDE) / 65535.0;
    }
    const plain_riverbed bed = {SIDE, SIDE, ground, soft, 3.0, 0.5, 20.0, 2.5 * M_PI / 180.0, 0.5};
    static const double corput[] = {0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875};
    for (int p = 0; p < 7; ++p)
    {
        (void)plain_riverbed_roll(&bed, -0.5, 0.5 * SIDE - 0.5 + (corput[p] - 0.5) * 60.0);
    }
    for (int32_t i = 0; i < CELLS; ++i)
    {
        // at most about 200 stamps per cell, each rounded to 1/4096
        assert_true(fabs(depth_at(terrain, i % SIDE, i / SIDE) + ground[i]) < 2e-3);
    }
    test_free(ground);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void cuts_commute(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_riverbed_params params = paper();
    params.phase = WADI_RIVERBED_SPREAD;
    wadi_terrain* whole = plain_of(&f, SIDE, 10.0, 5);
    carve(whole, &params, 1.0);
    wadi_terrain* parts = plain_of(&f, SIDE, 10.0, 5);
    wadi_solver* solver = solver_of(parts, &params);
    for (int i = 0; i < 10; ++i)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.1));
    }
    wadi_solver_destroy(solver);
    // each of ten cuts is rounded to a unit
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t a = wadi_terrain_units(whole, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        const int32_t b = wadi_terrain_units(parts, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        assert_true(abs(a - b) <= 5);
    }
    wadi_terrain_destroy(parts);
    wadi_terrain_destroy(whole);
    fixture_close(&f);
}

// ---- emitters -----------------------------------------------------------------------------------

static void the_order_of_emitters_does_not_matter(void** state)
{
    (void)state;
    static const double rows[2][2][8] = {
        {{0.0, 600.0, 200.0, 90.0, 5.0, 40.0, 100.0, 1.0},
         {800.0, 0.0, 100.0, 0.0, 0.0, 30.0, 30.0, 1.0}},
        {{800.0, 0.0, 100.0, 0.0, 0.0, 30.0, 30.0, 1.0},
         {0.0, 600.0, 200.0, 90.0, 5.0, 40.0, 100.0, 1.0}},
    };
    fixture f;
    fixture_open(&f, 3);
    wadi_riverbed_params params = paper();
    params.draw = WADI_RIVERBED_EVEN;
    wadi_terrain* made[2];
    for (int i = 0; i < 2; ++i)
    {
        made[i] = plain_of(&f, SIDE, 10.0, (uint64_t)i); // independent of the seed
        wadi_solver* solver = solver_of(made[i], &params);
        CHECK_OK(f.context, wadi_solver_set_table(solver, "emitters", rows[i][0], 2));
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        wadi_solver_destroy(solver);
    }
    assert_memory_equal(wadi_terrain_ground(made[0])->bedrock,
                        wadi_terrain_ground(made[1])->bedrock, CELLS * sizeof(int32_t));
    assert_true(depth_at(made[0], 80, 20) > 0.0);   // the particle that goes north
    assert_true(depth_at(made[0], 150, 259) > 0.0); // the particle that goes east
    wadi_terrain_destroy(made[1]);
    wadi_terrain_destroy(made[0]);
    fixture_close(&f);
}

static void emitters_off_the_terrain_are_refused(void** state)
{
    (void)state;
    static const double row[] = {5000.0, 10.0, 10.0, 90.0, 0.0, 10.0, 10.0, 1.0};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f, 32, 10.0, 1);
    const wadi_riverbed_params params = single();
    wadi_solver* solver = solver_of(terrain, &params);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "row 1 lies off",
                wadi_solver_set_table(solver, "emitters", row, 1));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Straight through from each side: the same bed, rotated.
static void sides_are_alike(void** state)
{
    (void)state;
    double carved[4];
    fixture f;
    fixture_open(&f, 1);
    for (int32_t side = 0; side < 4; ++side)
    {
        wadi_terrain* terrain = plain_of(&f, SIDE, 1.0, 1);
        wadi_riverbed_params params = single();
        params.side = side;
        carve(terrain, &params, 1.0);
        carved[side] = volume(terrain);
        const bool upright = side == WADI_SIDE_WEST || side == WADI_SIDE_EAST;
        assert_true(depth_at(terrain, upright ? 3 : 20, upright ? 20 : 3) == 0.0);
        assert_true(carved[side] > 0.0 && fabs(carved[side] / carved[0] - 1.0) < 0.01);
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

static void emitters_let_out_so_many_a_year(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f, 32, 10.0, 1);
    wadi_riverbed_params params = paper();
    params.quantity = 50;
    params.rate = 20.0;
    wadi_solver* solver = solver_of(terrain, &params);
    static const double out[] = {20.0, 40.0, 50.0, 50.0};
    for (int year = 0; year < 4; ++year)
    {
        wadi_work work;
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        (void)wadi_solver_work(solver, &work, 1);
        assert_true(work.count == out[year]);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- particles and ground -----------------------------------------------------------------------

static void collisions_end_particles(void** state)
{
    (void)state;
    double steps[WADI_RIVERBED_COLLISION_COUNT];
    fixture f;
    fixture_open(&f, 1);
    for (int32_t rule = 0; rule < WADI_RIVERBED_COLLISION_COUNT; ++rule)
    {
        wadi_terrain* terrain = plain_of(&f, SIDE, 1.0, 1);
        float* heights = test_calloc(CELLS, sizeof *heights);
        for (int32_t i = 0; i < CELLS; ++i)
        {
            heights[i] = i % SIDE < 80 ? 0.0f : 30.0f; // a wall a quarter of the way
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIDE));
        wadi_riverbed_params params = single();
        params.rotation = false;
        params.collision = rule;
        wadi_solver* solver = solver_of(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        steps[rule] = steps_of(solver);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        test_free(heights);
    }
    assert_true(steps[WADI_RIVERBED_ALWAYS] == 1.0);
    assert_true(steps[WADI_RIVERBED_CLIMB] ==
                160.0); // 80 cells at half a cell per step; the last step cuts
    assert_true(steps[WADI_RIVERBED_NEVER] > 638.0 && steps[WADI_RIVERBED_NEVER] <= 640.0);
    fixture_close(&f);
}

// On ground that rises at 0.8 and 1.25 times `climb`, with a step of two cells: only the second
// ends the particle, at its first step on the grid.
static void the_climb_is_a_slope_not_a_rise(void** state)
{
    (void)state;
    double steps[2];
    fixture f;
    fixture_open(&f, 1);
    for (int steep = 0; steep < 2; ++steep)
    {
        wadi_terrain* terrain = plain_of(&f, 32, 10.0, 1);
        float heights[32 * 32];
        for (int32_t i = 0; i < 32 * 32; ++i)
        {
            heights[i] = (float)(i % 32) * 10.0f * 0.5f * (steep != 0 ? 1.25f : 0.8f);
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, 32));
        wadi_riverbed_params params = single();
        params.rotation = false;
        params.step = 2.0;
        params.collision = WADI_RIVERBED_CLIMB;
        params.climb = 0.5;
        params.kappa = 1e-4;
        wadi_solver* solver = solver_of(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        steps[steep] = steps_of(solver);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
    assert_true(steps[0] >= 15.0); // 32 cells
    assert_true(steps[1] == 2.0);
    fixture_close(&f);
}

// The circle turns with the direction of the river: the arm points along heading + phase.
static void the_arm_starts_at_the_phase_from_the_heading(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f, 64, 10.0, 1);
    const wadi_riverbed_params params = single();
    riverbed_orbit orbit;
    CHECK_OK(f.context, wadi_riverbed_orbit_create(f.context, terrain, &params, 1.0, &orbit));
    const riverbed_start start = {.x = 30.0, .y = 30.0, .heading = 0.7, .phase = 0.2};
    const riverbed_path path =
        wadi_riverbed_path_of(&orbit, &start, &params, wadi_terrain_ground(terrain));
    const double angle = 0.7 + 0.2 * 2.0 * M_PI;
    CHECK_NEAR(path.arm.x, params.radius * cos(angle), 1e-9);
    CHECK_NEAR(path.arm.y, params.radius * sin(angle), 1e-9);
    CHECK_NEAR(path.stride.x, params.step * cos(0.7), 1e-9);
    CHECK_NEAR(path.stride.y, params.step * sin(0.7), 1e-9);
    wadi_free(f.context, orbit.turns);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void the_layer_is_hardness_or_susceptibility(void** state)
{
    (void)state;
    static const double layer[] = {0.0, 0.25, 1.0};
    double cut[2][3];
    fixture f;
    fixture_open(&f, 1);
    for (int32_t i = 0; i < 6; ++i)
    {
        wadi_terrain* terrain = plain_of(&f, SIDE, 1.0, 1);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, layer[i % 3]));
        wadi_riverbed_params params = single();
        params.reading = i / 3;
        carve(terrain, &params, 1.0);
        cut[i / 3][i % 3] = volume(terrain);
        wadi_terrain_destroy(terrain);
    }
    assert_true(cut[0][0] > 1.0 && cut[0][2] == 0.0);
    assert_true(cut[1][0] == 0.0 && cut[1][2] == cut[0][0]);
    assert_true(fabs(cut[0][1] / cut[0][0] - 0.75) < 1e-3);
    assert_true(fabs(cut[1][1] / cut[0][0] - 0.25) < 1e-3);
    fixture_close(&f);
}

static void water_stands_level_below_the_rim(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f, SIDE, 1.0, 1);
    wadi_riverbed_params params = paper();
    params.kappa = 0.1;
    params.water = true;
    params.freeboard = 0.5;
    carve(terrain, &params, 1.0);
    int32_t wet = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t depth = wadi_terrain_units(terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE);
        const int32_t ground = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        assert_true(depth == 0 ? ground >= -32768 : ground + depth == -32768);
        wet += depth > 0;
    }
    assert_true(wet > 1000);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The same bed in metres on cells of 4 m and 2 m.
static void a_paper_cell_makes_beds_independent_of_the_grid(void** state)
{
    (void)state;
    double carved[2];
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < 2; ++i)
    {
        wadi_terrain* terrain = plain_of(&f, SIDE << i, 4.0 / (1 << i), 1);
        wadi_riverbed_params params = single();
        params.quantity = 50;
        params.paper_cell = 4.0;
        carve(terrain, &params, 1.0);
        carved[i] = volume(terrain);
        wadi_terrain_destroy(terrain);
    }
    assert_true(fabs(carved[1] / carved[0] - 1.0) < 0.01);
    fixture_close(&f);
}

static void too_deep_a_bed_is_refused_with_its_depth(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plain_of(&f, SIDE, 1.0, 1);
    wadi_riverbed_params params = single();
    params.quantity = 2000; // 2000 pi 9 / (2 x 0.5): 57 km
    params.rate = 2000.0;
    params.kappa = 1.0;
    params.rotation = false;
    wadi_solver* solver = solver_of(terrain, &params);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "would cut down to -5",
                wadi_solver_advance(solver, 1.0));
    assert_true(volume(terrain) == 0.0);
    fixture_advance(solver, 0.1); // all particles are counted
    assert_true(depth_at(terrain, 80, SIDE / 2) > 4000.0);
    wadi_solver_destroy(solver);

    params.paper_cell = 1e6;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "paper_cell",
                wadi_solver_create(terrain, &wadi_riverbed_process, &params, 0, &solver));
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruction_sets_agree_to_the_bit),
        cmocka_unit_test(tiles_agree_with_the_plain_law),
        cmocka_unit_test(cuts_commute),
        cmocka_unit_test(the_order_of_emitters_does_not_matter),
        cmocka_unit_test(emitters_off_the_terrain_are_refused),
        cmocka_unit_test(sides_are_alike),
        cmocka_unit_test(emitters_let_out_so_many_a_year),
        cmocka_unit_test(collisions_end_particles),
        cmocka_unit_test(the_climb_is_a_slope_not_a_rise),
        cmocka_unit_test(the_arm_starts_at_the_phase_from_the_heading),
        cmocka_unit_test(the_layer_is_hardness_or_susceptibility),
        cmocka_unit_test(water_stands_level_below_the_rim),
        cmocka_unit_test(a_paper_cell_makes_beds_independent_of_the_grid),
        cmocka_unit_test(too_deep_a_bed_is_refused_with_its_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
