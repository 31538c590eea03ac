// SPDX-License-Identifier: MIT
// The rules of graded rivers on courses made by hand: levels, widths and leans of a profile, floors
// of the bed, planed bars, and where a load comes from and comes to rest.
#include "processes/riverbed/graded_internal.h"
#include "support/fixture.h"

enum
{
    WIDTH = 80,
    HEIGHT = 21,
    CELLS = WIDTH * HEIGHT,
    NODES = 65,
    LAST = NODES - 1,
    MIDDLE = HEIGHT / 2
};

static const double CELL = 10.0;

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_graded graded;
    graded_river river;
    graded_axis axis;
    graded_node nodes[NODES];
    float near[CELLS];
    float soft[CELLS];
    int32_t slot[CELLS];
    graded_cell cells[8];
    graded_place places[8];
    int32_t lake[CELLS];
    int64_t worn[CELLS];
    int64_t raised[CELLS];
    int32_t laid[CELLS];
    float last[CELLS];
    int64_t intake[NODES];
    int64_t passing[NODES];
    float swarm[2];
    wadi_tally tally;
} world;

static world w;

// A river along the middle row to the east, one node a cell, on 20 m of sediment.
static void world_open(void)
{
    memset(&w, 0, sizeof w);
    fixture_open(&w.f, 1);
    w.terrain = fixture_flat(&w.f, WIDTH, HEIGHT);
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_SEDIMENT, 20.0));
    w.axis = (graded_axis){.along = {1.0, 0.0}, .width = 40.0, .depth = 2.0, .discharge = 100.0};
    for (int32_t i = 0; i < NODES; ++i)
    {
        w.nodes[i] =
            (graded_node){.at = {8.0 + i, MIDDLE}, .along = {1.0, 0.0}, .width = 40.0, .wear = 1e6};
    }
    for (int32_t i = 0; i < CELLS; ++i)
    {
        w.soft[i] = 1.0f;
    }
    w.river = (graded_river){.axis = &w.axis,
                             .axis_count = 1,
                             .nodes = w.nodes,
                             .count = NODES,
                             .inside = NODES,
                             .radius = 20.0,
                             .spacing = CELL,
                             .end = GRADED_LEAVES,
                             .side = WADI_SIDE_EAST,
                             .meets = -1,
                             .into = -1,
                             .swarm = w.swarm,
                             .steps = 1,
                             .most_steps = 1,
                             .intake = w.intake,
                             .passing = w.passing};
    w.graded = (wadi_graded){.terrain = w.terrain,
                             .context = w.f.context,
                             .ground = wadi_terrain_ground(w.terrain),
                             .params = wadi_riverbed_params_default(),
                             .land = {.width = WIDTH, .height = HEIGHT},
                             .rivers = &w.river,
                             .river_count = 1,
                             .corridor = {.cells = w.cells, .slot = w.slot},
                             .places = w.places,
                             .lake = w.lake,
                             .worn = w.worn,
                             .raised = w.raised,
                             .laid = w.laid,
                             .last = w.last,
                             .tallies = &w.tally};
    w.graded.land.near = w.near;
    w.graded.land.near_soft = w.soft;
    w.graded.params.together = 1;
}

static void world_close(void)
{
    wadi_terrain_destroy(w.terrain);
    fixture_close(&w.f);
}

// Ground that falls by `fall` a cell, by twice as much in the lower half if it is `broken`.
static void lay_ground(double fall, bool broken)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % WIDTH;
        const int32_t beyond = broken && x > WIDTH / 2 ? x - WIDTH / 2 : 0;
        w.near[i] = (float)(500.0 - fall * (x + beyond));
    }
}

// The mouth lies lower than the land by `incision` depths; on flat land a course falls all the
// same.
static void mouths_are_incised_and_levels_fall(void** state)
{
    (void)state;
    for (int flat = 0; flat < 2; ++flat)
    {
        world_open();
        lay_ground(flat != 0 ? 0.0 : 0.1, false);
        wadi_graded_profile(&w.graded, &w.river);
        const double lowered = w.graded.params.incision * w.axis.depth;
        const double least = 3e-4 * CELL;
        const double land = flat != 0 ? 500.0 - least * LAST : 500.0 - 0.1 * (8.0 + LAST);
        CHECK_NEAR(w.nodes[LAST].level, land - lowered, 1e-3);
        for (int32_t i = 1; i < NODES; ++i)
        {
            assert_true(w.nodes[i].level <= w.nodes[i - 1].level - 0.99 * least);
        }
        world_close();
    }
}

// The same as profile_incise(), step by step, over soft ground and then hard.
static void incision_runs_up_with_softness_to_three_halves(void** state)
{
    (void)state;
    world_open();
    lay_ground(0.1, false);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        w.soft[i] = i % WIDTH < 40 ? 1.0f : 0.3f;
    }
    wadi_graded_profile(&w.graded, &w.river);
    double level[NODES];
    double mean = 0.0;
    for (int32_t i = 0; i < NODES; ++i)
    {
        level[i] = 500.0 - 0.1 * (8.0 + i);
        mean += w.nodes[i].soft / NODES;
    }
    const double depths = w.graded.params.incision * w.axis.depth;
    const double reach = 1.5 * depths / (0.1 / CELL);
    for (int step = 0; step < 12; ++step)
    {
        level[LAST] -= depths / 12.0;
        for (int32_t i = LAST - 1; i >= 0; --i)
        {
            const double speed = reach / 12.0 * pow(w.nodes[i].soft / mean, 1.5) / CELL;
            level[i] = (level[i] + speed * level[i + 1]) / (1.0 + speed);
        }
    }
    for (int32_t i = 0; i < NODES; i += 4)
    {
        CHECK_NEAR(w.nodes[i].level, level[i], 0.02);
    }
    world_close();
}

// Steep reaches are narrow; beds are deep on the outside of bends.
static void sections_follow_slope_and_bend(void** state)
{
    (void)state;
    world_open();
    lay_ground(0.05, true);
    w.graded.params.incision = 0.0;
    w.nodes[20].bend = 0.005;
    w.nodes[24].bend = -0.005;
    wadi_graded_profile(&w.graded, &w.river);
    assert_true(w.nodes[10].width > 1.05 * w.nodes[50].width);
    CHECK_NEAR(w.nodes[20].lean, -2.2 * 40.0 * 0.005, 1e-9);
    CHECK_NEAR(w.nodes[24].lean, 2.2 * 40.0 * 0.005, 1e-9);
    world_close();
}

static graded_cell* cell_at(int32_t x, int32_t y, float eta, int32_t below)
{
    const int32_t at = y * WIDTH + x;
    graded_cell* cell = &w.cells[w.graded.corridor.count++];
    *cell = (graded_cell){.cell = at, .eta = eta};
    cell->cap = wadi_ground_surface(w.graded.ground, at) - below;
    w.slot[at] = (int32_t)w.graded.corridor.count;
    return cell;
}

static void beds_end_at_their_floor_and_bars_are_planed_by_half(void** state)
{
    (void)state;
    world_open();
    const graded_cell* bed = cell_at(8, MIDDLE, 0.0f, 1000);
    const graded_cell* bar = cell_at(8, MIDDLE + 3, 1.5f, 600);
    w.laid[bar->cell] = 100000;
    w.swarm[0] = 8.0f; // the particle, over the bed
    w.swarm[1] = MIDDLE;
    wadi_graded_wear(&w.graded);
    assert_int_equal(bed->given, 1000);
    assert_int_equal(bar->given, 300);
    assert_int_equal(w.intake[0], 1300);
    world_close();
}

// The source brings `load` x width^2 x depth a batch; it comes to rest inside the bend.
static void loads_come_in_and_lie_inside_bends(void** state)
{
    (void)state;
    for (int right = 0; right < 2; ++right)
    {
        world_open();
        const double bend = right != 0 ? 0.005 : -0.005;
        for (int32_t i = 0; i < NODES; ++i)
        {
            w.nodes[i].bend = bend;
        }
        // three cells from the course, either hand; bars are 0.75 of 4 cells away
        const graded_cell* south = cell_at(24, MIDDLE + 4, 1.5f, -6553600);
        const graded_cell* north = cell_at(24, MIDDLE - 4, 1.5f, -6553600);
        wadi_graded_load(&w.graded, 0, &w.tally);
        const double brought = w.graded.params.load * 40.0 * 40.0 * 2.0 / (CELL * CELL);
        CHECK_NEAR((double)w.tally.in[WADI_MATERIAL_SEDIMENT], brought * 65536.0, 1.0);
        assert_true((w.raised[south->cell] > 0) == (right != 0));
        assert_true((w.raised[north->cell] > 0) == (right == 0));
        world_close();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mouths_are_incised_and_levels_fall),
        cmocka_unit_test(incision_runs_up_with_softness_to_three_halves),
        cmocka_unit_test(sections_follow_slope_and_bend),
        cmocka_unit_test(beds_end_at_their_floor_and_bars_are_planed_by_half),
        cmocka_unit_test(loads_come_in_and_lie_inside_bends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
