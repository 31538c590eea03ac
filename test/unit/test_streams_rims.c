// SPDX-License-Identifier: MIT
// Base level of open edges, and the fronts of deltas, of the model "streams".
#include "support/fixture.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 64
};

#define CELL 30.0

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_hydraulic_params params;
} world;

static void world_open(world* w, wadi_edge north_south, double (*of)(int32_t x, int32_t y))
{
    fixture_open(&w->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = CELL;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = north_south;
    def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST] = WADI_EDGE_OPEN;
    CHECK_OK(w->f.context, wadi_terrain_create(w->f.context, &def, &w->terrain));
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)of(i % SIDE, i / SIDE);
    }
    CHECK_OK(w->f.context, wadi_terrain_set_layer(w->terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    free(heights);
    w->params = wadi_hydraulic_params_default();
}

static void world_run(world* w, double years)
{
    wadi_solver* solver = NULL;
    CHECK_OK(w->f.context,
             wadi_solver_create(w->terrain, &wadi_hydraulic_process, &w->params, 0, &solver));
    fixture_advance(solver, years);
    wadi_solver_destroy(solver);
    fixture_check_ledger(w->terrain);
}

static void world_close(world* w)
{
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static double layer_at(const world* w, wadi_layer layer, int32_t x, int32_t y)
{
    return (double)wadi_terrain_units(w->terrain, layer, x, y) / WADI_UNITS_PER_METRE;
}

// ---- base level --------------------------------------------------------------------------

// A roof whose feet in the west and in the east are at 600 m, but for one outlet in the north-west.
static double roof(int32_t x, int32_t y)
{
    const double foot = 600.0 + 15.0 * (x < 32 ? x : 63 - x);
    return x == 0 && y == 0 ? 505.0 : foot;
}

// The lowest outlet stays. Base level rises from it by the least slope of the outside, and all
// other outlets are cut down towards it, no lower.
static void high_outlets_are_cut_down_to_base_level(void** state)
{
    (void)state;
    world w;
    world_open(&w, WADI_EDGE_CLOSED, roof);
    w.params.settling = 0.0;
    w.params.creep = 0.0;
    world_run(&w, 20e3);
    const double rise = CELL * w.params.outside_slope;
    assert_true(layer_at(&w, WADI_LAYER_SURFACE, 0, 0) == 505.0);
    for (int32_t y = 8; y < 56; ++y)
    {
        const double here = layer_at(&w, WADI_LAYER_SURFACE, 0, y);
        assert_true(here < 599.0 && here >= 505.0 + rise * y - 0.01);
    }
    world_close(&w);
}

// With a steep outside every outlet is at base level.
static void a_steep_outside_keeps_all_outlets(void** state)
{
    (void)state;
    world w;
    world_open(&w, WADI_EDGE_CLOSED, roof);
    w.params.outside_slope = 1000.0;
    w.params.max_step = 2000.0;
    world_run(&w, 100e3);
    assert_true(layer_at(&w, WADI_LAYER_SURFACE, 0, 0) == 505.0);
    for (int32_t y = 8; y < SIDE; ++y) // streams cut into the foot beside the lowest
    {
        assert_true(layer_at(&w, WADI_LAYER_SURFACE, 0, y) == 600.0);
        assert_true(layer_at(&w, WADI_LAYER_SURFACE, SIDE - 1, y) == 600.0);
    }
    world_close(&w);
}

// One step of one outlet: it wears K W0 q (g + q_c)^(m-1) s / L a year, g = q less the rain on 1.3
// cells, like a stream whose slope s does not change.
static void an_outlet_wears_at_the_slope_outside(void** state)
{
    (void)state;
    world w;
    world_open(&w, WADI_EDGE_CLOSED, roof);
    w.params.settling = 0.0;
    w.params.creep = 0.0;
    w.params.floor_width = 0.0;
    w.params.max_step = 100.0;
    world_run(&w, 100.0);
    const double q = 32.0 * CELL * CELL; // a row of the roof
    const double rate =
        w.params.erodibility * 30.0 * q *
        pow(q - 1.3 * CELL * CELL + w.params.channel_head, w.params.discharge_exponent - 1.0);
    const double expected = 600.0 - rate * w.params.outside_slope / CELL * 100.0;
    for (int32_t y = 8; y < 56; ++y)
    {
        CHECK_NEAR(layer_at(&w, WADI_LAYER_SURFACE, 0, y), expected, 1e-4);
    }
    world_close(&w);
}

// In one long step outlets would be cut by 15 m; these have less than 11 m to base level.
static void no_step_cuts_below_base_level(void** state)
{
    (void)state;
    world w;
    world_open(&w, WADI_EDGE_CLOSED, roof);
    w.params.erodibility *= 100.0;
    w.params.settling = 0.0;
    w.params.creep = 0.0;
    w.params.floor_width = 0.0;
    w.params.max_step = 1000.0;
    world_run(&w, 1000.0);
    for (int32_t y = 57; y < SIDE - 1; ++y)
    {
        CHECK_NEAR(layer_at(&w, WADI_LAYER_SURFACE, 0, y), 505.0 + 1.5 * y, 1e-3);
    }
    world_close(&w);
}

// Distance from the lowest outlet, in the middle of the north edge, by steps in eight directions
// [m].
static double way_from_lowest(int32_t x, int32_t y)
{
    const int32_t dx = x > 32 ? x - 32 : 32 - x;
    const int32_t most = dx > y ? dx : y;
    const int32_t least = dx > y ? y : dx;
    return CELL * (most - least + sqrt(2.0) * least);
}

// A mountain whose feet are 5 m above base level.
static double pyramid(int32_t x, int32_t y)
{
    const int32_t across = x < SIDE - 1 - x ? x : SIDE - 1 - x;
    const int32_t along = y < SIDE - 1 - y ? y : SIDE - 1 - y;
    const int32_t inner = across < along ? across : along;
    const bool lowest = x == 32 && y == 0;
    return 505.0 + (lowest ? 0.0 : 5.0 + 0.05 * way_from_lowest(x, y)) + 15.0 * inner;
}

static void base_level_rises_across_the_map(void** state)
{
    (void)state;
    world w;
    world_open(&w, WADI_EDGE_OPEN, pyramid);
    w.params.erodibility = 1e-2;
    w.params.settling = 0.0;
    w.params.creep = 0.0;
    w.params.floor_width = 0.0;
    w.params.outside_slope = 0.05;
    w.params.max_step = 1000.0;
    world_run(&w, 1000.0);
    for (int32_t i = 16; i < SIDE - 16; ++i)
    {
        const int32_t places[4][2] = {{0, i}, {SIDE - 1, i}, {i, SIDE - 1}, {i < 32 ? 8 : 56, 0}};
        for (int32_t k = 0; k < 4; ++k)
        {
            const double base = 505.0 + 0.05 * way_from_lowest(places[k][0], places[k][1]);
            CHECK_NEAR(layer_at(&w, WADI_LAYER_SURFACE, places[k][0], places[k][1]), base, 2e-3);
        }
    }
    world_close(&w);
}

// ---- deltas ------------------------------------------------------------------------------

// A hill in the west sends its load into a hollow with upright walls, 150 m deep.
static double hill_and_hollow(int32_t x, int32_t y)
{
    const double lake = sqrt((x - 42.0) * (x - 42.0) + (y - 32.0) * (y - 32.0));
    const double hill = sqrt((x - 14.0) * (x - 14.0) + (y - 32.0) * (y - 32.0));
    return lake < 13.0 ? 0.0 : 150.0 + 0.2 * x + fmax(0.0, 30.0 * (16.0 - hill));
}

static void fronts_of_deltas_slide_to_their_slope(void** state)
{
    (void)state;
    world w;
    world_open(&w, WADI_EDGE_OPEN, hill_and_hollow);
    world_run(&w, 40e3);
    const double rest = CELL * tan(w.params.lake_repose * 3.14159265358979 / 180.0);
    double thick = 0.0;
    double steepest = 0.0;
    int32_t wet = 0;
    for (int32_t i = 0; i < SIDE * (SIDE - 1); ++i)
    {
        const int32_t x = i % (SIDE - 1);
        const int32_t y = i / (SIDE - 1);
        const bool under = layer_at(&w, WADI_LAYER_WATER, x, y) > 0.5 &&
                           layer_at(&w, WADI_LAYER_WATER, x + 1, y) > 0.5;
        const double a = layer_at(&w, WADI_LAYER_SURFACE, x, y);
        const double b = layer_at(&w, WADI_LAYER_SURFACE, x + 1, y);
        const double cover = layer_at(&w, WADI_LAYER_SEDIMENT, a > b ? x : x + 1, y);
        if (under && cover > 1.0)
        {
            wet += 1;
            thick = fmax(thick, cover);
            steepest = fmax(steepest, fabs(a - b));
        }
    }
    print_message("%d faces, up to %.1f m of sediment, steepest %.2f m of %.2f m\n", wet, thick,
                  steepest, rest);
    assert_true(wet > 100 && thick > 20.0);
    assert_true(steepest < 1.07 * rest); // slopes rest a sixteenth above it
    assert_true(steepest > 0.5 * rest);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(high_outlets_are_cut_down_to_base_level),
        cmocka_unit_test(a_steep_outside_keeps_all_outlets),
        cmocka_unit_test(an_outlet_wears_at_the_slope_outside),
        cmocka_unit_test(no_step_cuts_below_base_level),
        cmocka_unit_test(base_level_rises_across_the_map),
        cmocka_unit_test(fronts_of_deltas_slide_to_their_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
