// SPDX-License-Identifier: MIT
// Lakes of the model "streams" that evaporate: areas of closed ones against their balance, what is
// left of those that spill, pans, chains of lakes, and the books of water.
#include "support/fixture.h"

#include <stdlib.h>

enum
{
    SIDE = 96 // cells of 50 m
};

#define AREA 2500.0 // of a cell [m2]

typedef float map[SIDE * SIDE];

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    wadi_hydraulic_params params;
} world;

static void world_open(world* w, wadi_edge edge, const float* heights)
{
    fixture_open(&w->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = 50.0;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = edge;
    CHECK_OK(w->f.context, wadi_terrain_create(w->f.context, &def, &w->terrain));
    CHECK_OK(w->f.context, wadi_terrain_set_layer(w->terrain, WADI_LAYER_SURFACE, heights, SIDE));
    w->params = wadi_hydraulic_params_default();
    w->params.model = WADI_HYDRAULIC_STREAMS;
    w->params.erodibility = 0.0;
    w->params.creep = 0.0;
    w->params.max_step = 100.0;
    w->params.rain = 0.2;
    w->params.lake_evaporation = 1.5;
    w->solver = NULL;
}

static void world_run(world* w, double years)
{
    if (w->solver == NULL)
    {
        CHECK_OK(w->f.context, wadi_solver_create(w->terrain, &wadi_hydraulic_process, &w->params,
                                                  0, &w->solver));
    }
    fixture_advance(w->solver, years);
    fixture_check_ledger(w->terrain);
}

static void world_close(world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static double figure(const world* w, const char* name)
{
    return fixture_figure(w->solver, name);
}

static void check_balance(const world* w)
{
    const double in = figure(w, "rain") + figure(w, "inflow");
    const double out = figure(w, "outflow") + figure(w, "evaporation");
    assert_true(fabs(in - out) < 1e-6 * in + 1.0);
}

static int32_t wet_cells(const world* w)
{
    int32_t count = 0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        count += wadi_terrain_units(w->terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE) > 0 ? 1 : 0;
    }
    return count;
}

// ---- one hollow --------------------------------------------------------------------------

enum
{
    RADIUS = 40 // of the rim of the cone-shaped hollow [cells]
};

// Distance from the middle of the map [cells]; the centre is a little off the middle of a cell.
static double distance(int32_t i)
{
    const double x = i % SIDE - 47.6;
    const double y = i / SIDE - 47.3;
    return sqrt(x * x + y * y);
}

// 5 m up a cell to the rim, then down again.
static double cone(int32_t i)
{
    const double r = distance(i);
    return r < RADIUS ? 100.0 + 5.0 * r : 100.0 + 5.0 * RADIUS - 2.0 * (r - RADIUS);
}

static void set_cone(float* heights)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)cone(i);
    }
}

static int32_t cells_within(double radius)
{
    int32_t count = 0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        count += distance(i) < radius ? 1 : 0;
    }
    return count;
}

// Rain on the hollow over evaporation is the area; the level is that of the cone at its radius. No
// drop leaves the hollow.
static void a_closed_lake_covers_gain_over_loss(void** state)
{
    (void)state;
    static const double rains[] = {0.05, 0.2, 0.6, 1.2};
    static map heights;
    set_cone(heights);
    for (int i = 0; i < 4; ++i)
    {
        world w;
        world_open(&w, WADI_EDGE_OPEN, heights);
        w.params.rain = rains[i];
        world_run(&w, 100.0);
        const double catchment = cells_within(RADIUS);
        const double expected = catchment * rains[i] / 1.5;
        assert_true(fabs(wet_cells(&w) - expected) < 0.03 * expected + 4.0);
        const double radius = sqrt(expected / 3.14159265358979);
        const double depth =
            (double)wadi_terrain_units(w.terrain, WADI_LAYER_WATER, 48, 47) / WADI_UNITS_PER_METRE;
        const double bed = 5.0 * distance(47 * SIDE + 48);
        assert_true(fabs(depth + bed - 5.0 * radius) < 3.0);
        const double outside = (SIDE * SIDE - catchment) * AREA * rains[i] * 100.0;
        assert_true(fabs(figure(&w, "outflow") / outside - 1.0) < 0.04);
        check_balance(&w);
        world_close(&w);
    }
}

// With more rain than its whole area can lose, it stands at the sill and passes on the rest.
static void a_lake_that_spills_passes_on_what_is_left(void** state)
{
    (void)state;
    static map heights;
    set_cone(heights);
    world w;
    world_open(&w, WADI_EDGE_OPEN, heights);
    w.params.rain = 2.0;
    world_run(&w, 100.0);
    const double lost = wet_cells(&w) * AREA * 1.5 * 100.0;
    assert_true(wet_cells(&w) > 0.9 * cells_within(RADIUS));
    assert_true(fabs(figure(&w, "evaporation") / lost - 1.0) < 1e-6);
    check_balance(&w);
    world_close(&w);
}

// A land without outlets has a lake in its lowest place too.
static void a_closed_land_has_a_lake(void** state)
{
    (void)state;
    static map heights;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)(100.0 + 5.0 * distance(i));
    }
    world w;
    world_open(&w, WADI_EDGE_CLOSED, heights);
    world_run(&w, 100.0);
    const double expected = SIDE * SIDE * 0.2 / 1.5;
    assert_true(fabs(wet_cells(&w) - expected) < 0.02 * expected);
    assert_true(figure(&w, "outflow") < 1.0);
    check_balance(&w);
    const int32_t before = wet_cells(&w);
    world_run(&w, 300.0);
    assert_true(wet_cells(&w) == before); // it stands still
    world_close(&w);
}

static double level(const world* w, int32_t x, int32_t y)
{
    const int64_t units = wadi_terrain_units(w->terrain, WADI_LAYER_BEDROCK, x, y) +
                          (int64_t)wadi_terrain_units(w->terrain, WADI_LAYER_SEDIMENT, x, y) +
                          wadi_terrain_units(w->terrain, WADI_LAYER_WATER, x, y);
    return (double)units / WADI_UNITS_PER_METRE;
}

static bool is_wet(const world* w, int32_t x, int32_t y)
{
    return wadi_terrain_units(w->terrain, WADI_LAYER_WATER, x, y) > 0;
}

static void set_hollows(float* heights)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double x = i % SIDE;
        const double y = (double)(i / SIDE);
        heights[i] = (float)(300.0 + 90.0 * sin(0.21 * x) * cos(0.17 * y) +
                             60.0 * sin(0.9 * x + y) + 0.4 * x);
    }
}

// Streams that wear, and lakes that stand at their sills.
static void open_hollows(world* w, wadi_edge edge)
{
    static map heights;
    set_hollows(heights);
    world_open(w, edge, heights);
    const wadi_hydraulic_params usual = wadi_hydraulic_params_default();
    w->params.erodibility = usual.erodibility;
    w->params.creep = usual.creep;
    w->params.rain = usual.rain;
    w->params.lake_evaporation = 0.0;
    w->params.max_step = 1000.0;
}

static void check_level(const world* w)
{
    assert_true(wet_cells(w) > SIDE * SIDE / 8);
    for (int32_t i = 0; i < SIDE * (SIDE - 1); ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        if (is_wet(w, x, y) && is_wet(w, x, y + 1))
        {
            CHECK_NEAR(level(w, x, y), level(w, x, y + 1), 0.01);
        }
    }
}

// Load that finds no place in a land without outlets lies in its lowest places, which are beds of
// lakes; their water is as level as before.
static void lakes_over_the_last_load_are_level(void** state)
{
    (void)state;
    world w;
    open_hollows(&w, WADI_EDGE_CLOSED);
    world_run(&w, 3000.0);
    check_level(&w);
    world_close(&w);
}

// A mask undoes a half of what the beds of lakes have gained and lost, below level water.
static void lakes_under_a_mask_are_level(void** state)
{
    (void)state;
    static map half;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        half[i] = 0.5f;
    }
    world w;
    open_hollows(&w, WADI_EDGE_OPEN);
    CHECK_OK(w.f.context,
             wadi_solver_create(w.terrain, &wadi_hydraulic_process, &w.params, 0, &w.solver));
    CHECK_OK(w.f.context, wadi_solver_set_mask(w.solver, half));
    world_run(&w, 3000.0);
    check_level(&w);
    world_close(&w);
}

// Too little water for one cell: a pan, which is dry, and which the load of a river fills from
// below to a level floor.
static void a_pan_is_dry_and_level(void** state)
{
    (void)state;
    static map heights;
    set_cone(heights);
    world w;
    world_open(&w, WADI_EDGE_OPEN, heights);
    w.params.rain = 1e-4;
    CHECK_OK(w.f.context,
             wadi_solver_create(w.terrain, &wadi_hydraulic_process, &w.params, 0, &w.solver));
    const double river[] = {48.0 * 50.0, (SIDE - 30.5) * 50.0, 0.0, 1e-6, 3000.0, 0.0};
    CHECK_OK(w.f.context, wadi_solver_set_table(w.solver, "inflow", river, 1));
    world_run(&w, 2000.0);
    assert_int_equal(wet_cells(&w), 0);
    int32_t lowest = INT32_MAX;
    int32_t level = 0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t h = wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        lowest = h < lowest ? h : lowest;
    }
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t h = wadi_terrain_units(w.terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        level += distance(i) < 20.0 && h - lowest < WADI_UNITS_PER_METRE / 2 ? 1 : 0;
    }
    // a cone of 6e6 m3, less what lies along the river: 8 cells in radius
    assert_true(level > 150 && lowest > 130 * WADI_UNITS_PER_METRE);
    check_balance(&w);
    world_close(&w);
}

// ---- two hollows -------------------------------------------------------------------------

// The upper hollow, in the west, spills into the lower, closed one: that gains the rain of both
// less what the upper loses.
static void lakes_in_a_chain_pass_on_their_water(void** state)
{
    (void)state;
    static map heights;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double y = fabs(i / SIDE - 47.4);
        const double upper = fabs(i % SIDE - 20.3);
        const double lower = fabs(i % SIDE - 64.2);
        const double a = 300.0 + (upper > y ? upper : y);
        const double b = 100.0 + 5.0 * (lower > y ? lower : y);
        heights[i] = (float)(a < b ? a : b) + 0.01f * (float)(i % 7);
    }
    world w;
    world_open(&w, WADI_EDGE_CLOSED, heights);
    w.params.rain = 0.7;
    world_run(&w, 100.0);
    int32_t east = 0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const bool wet = wadi_terrain_units(w.terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE) > 0;
        east += wet && i % SIDE > 40 ? 1 : 0;
    }
    const int32_t west = wet_cells(&w) - east;
    assert_true(west > 100 && east > 100);
    const double left = SIDE * SIDE * 0.7 / 1.5 - west;
    assert_true(fabs(east - left) < 0.03 * left + 5.0);
    check_balance(&w);
    world_close(&w);
}

// ---- time --------------------------------------------------------------------------------

static wadi_solver* rough_solver(fixture* f)
{
    wadi_terrain* terrain = fixture_rough(f, 100, 80, 8);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAMS;
    params.erodibility = 1e-5;
    params.rain = 0.3;
    params.lake_evaporation = 1.2;
    params.max_step = 100.0;
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    return solver;
}

static void any_calls_and_threads_give_one_land(void** state)
{
    (void)state;
    fixture_check_cuts(rough_solver, 2100.0);
}

// A lake may reach over a periodic edge: what drains to it from beyond knows its level, and the
// load that comes there is booked.
static void lakes_reach_over_periodic_edges(void** state)
{
    (void)state;
    static const int32_t sizes[3][2] = {{2, 9}, {1, 40}, {12, 17}};
    for (uint64_t seed = 1; seed <= 6; ++seed)
    {
        world w;
        fixture_open(&w.f, 1);
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = sizes[seed % 3][0];
        def.height = sizes[seed % 3][1];
        def.cell_size = 5.0;
        def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = WADI_EDGE_PERIODIC;
        CHECK_OK(w.f.context, wadi_terrain_create(w.f.context, &def, &w.terrain));
        wadi_noise_params noise = wadi_noise_params_default();
        noise.relief = 200.0;
        noise.wavelength = 20.0;
        map heights;
        CHECK_OK(w.f.context, wadi_noise_fill(w.f.context, &noise, seed, def.width, def.height,
                                              def.cell_size, heights));
        CHECK_OK(w.f.context,
                 wadi_terrain_set_layer(w.terrain, WADI_LAYER_SURFACE, heights, def.width));
        CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_SEDIMENT, 5.0));
        w.params = wadi_hydraulic_params_default();
        w.params.max_step = 2000.0;
        w.params.lake_evaporation = 1.5;
        w.solver = NULL;
        world_run(&w, 8000.0);
        check_balance(&w);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_lake_covers_gain_over_loss),
        cmocka_unit_test(a_lake_that_spills_passes_on_what_is_left),
        cmocka_unit_test(a_closed_land_has_a_lake),
        cmocka_unit_test(lakes_over_the_last_load_are_level),
        cmocka_unit_test(lakes_under_a_mask_are_level),
        cmocka_unit_test(a_pan_is_dry_and_level),
        cmocka_unit_test(lakes_in_a_chain_pass_on_their_water),
        cmocka_unit_test(lakes_reach_over_periodic_edges),
        cmocka_unit_test(any_calls_and_threads_give_one_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
