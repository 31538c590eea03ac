// SPDX-License-Identifier: MIT
// Rivers of the terrain in model "streams": water of those that process "riverbed" has made, once,
// whatever the calls and restarts.
#include "support/river.h"

#include "core/archive.h"

#include <stdlib.h>

#define SECONDS 31557600.0

enum
{
    SIZE = 40, // cells of 50 m
    FLOOR = SIZE / 2,
    SIDE = 128 // cells of 4 m of a plain with a graded river
};

// A valley that falls to the east, with a flat floor of five cells; `dip`: the floor beside row
// FLOOR is lower than that [m].
static wadi_terrain* valley(fixture* f, double dip)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 50.0;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* heights = malloc(SIZE * SIZE * sizeof *heights);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const int32_t off = abs(i / SIZE - FLOOR);
        heights[i] = (float)(300.0 - 0.2 * (i % SIZE) + (off > 2 ? 4.0 * (off - 2) : 0.0) -
                             (off > 0 && off <= 2 ? dip : 0.0));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIZE));
    free(heights);
    return terrain;
}

// It enters in the middle of the western edge, and its bed is five cells wide.
static const wadi_river guest = {0.0, (SIZE - 1 - FLOOR + 0.5) * 50.0, 3000.0, 250.0};

static wadi_hydraulic_params params_of(double rain, double share)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.rain = rain;
    params.river_share = share;
    params.max_step = 100.0;
    return params;
}

static wadi_solver* solver_of(wadi_terrain* terrain, const wadi_hydraulic_params* params)
{
    wadi_solver* solver = NULL;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    return solver;
}

static double out_over(const wadi_terrain* terrain, wadi_side side)
{
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
    assert_true(row.residual_units == 0);
    return row.out[side];
}

static bool is_close(double value, double expected)
{
    return fabs(value / expected - 1.0) < 1e-6;
}

// The share of its discharge, and no other water, arrives at the far side: none leaves beside the
// place of entry, where the bed is lower.
static void the_mean_discharge_arrives(void** state)
{
    (void)state;
    static const double shares[] = {0.2, 0.5};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, 1.0);
        CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, &guest, 1));
        const wadi_hydraulic_params params = params_of(0.0, shares[i]);
        wadi_solver* solver = solver_of(terrain, &params);
        fixture_advance(solver, 300.0);
        const double water = shares[i] * 3000.0 * SECONDS * 300.0;
        assert_true(is_close(fixture_figure(solver, "inflow"), water));
        assert_true(is_close(fixture_figure(solver, "outflow"), water));
        assert_true(is_close(out_over(terrain, WADI_SIDE_EAST), water));
        assert_true(out_over(terrain, WADI_SIDE_WEST) == 0.0);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// A river brings its concentration times its water over the bulk density, to the unit of a step,
// and no more than that leaves or stays.
static void the_load_of_a_river_arrives(void** state)
{
    (void)state;
    static const double loads[] = {0.0, 0.5, 40.0};
    double height[3];
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, 0.0);
        CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, &guest, 1));
        wadi_hydraulic_params params = params_of(0.0, 0.2);
        params.river_load = loads[i];
        wadi_solver* solver = solver_of(terrain, &params);
        fixture_advance(solver, 300.0);
        const wadi_material* soil = wadi_terrain_material(terrain, WADI_MATERIAL_SEDIMENT);
        const double bulk = soil->density * (1.0 - soil->porosity);
        const double volume = 600.0 * SECONDS * 300.0 * loads[i] / bulk;
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        CHECK_NEAR(row.in, volume, 1.0 + 1e-9 * volume);
        assert_true(row.residual_units == 0);
        height[i] = fixture_metres(terrain, WADI_LAYER_SURFACE, 1, FLOOR);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_true(height[2] > height[1] + 0.1);
}

// With a share of 0 the land is that of a terrain without rivers, to the bit.
static void a_share_of_zero_leaves_rivers_out(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, 0.0);
        CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, &guest, i));
        const wadi_hydraulic_params params = params_of(0.5, 0.0);
        wadi_solver* solver = solver_of(terrain, &params);
        fixture_advance(solver, 300.0);
        assert_true(fixture_figure(solver, "inflow") == 0.0);
        CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, NULL, 0));
        hash[i] = wadi_terrain_hash(terrain);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_true(hash[0] == hash[1]);
}

// A row of `inflow` within the reach of a river has its water; one farther off is another river.
static void a_row_of_inflow_replaces_the_river(void** state)
{
    (void)state;
    static const double off[] = {200.0, 300.0};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, 0.0);
        CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, &guest, 1));
        const wadi_hydraulic_params params = params_of(0.0, 0.2);
        wadi_solver* solver = solver_of(terrain, &params);
        fixture_advance(solver, 100.0);
        assert_true(is_close(fixture_figure(solver, "inflow"), 600.0 * SECONDS * 100.0));
        const double row[] = {off[i], guest.y, 0.0, 70.0, 0.0, 0.0};
        CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
        fixture_advance(solver, 100.0);
        const double later = i == 0 ? 70.0 : 670.0;
        assert_true(is_close(fixture_figure(solver, "inflow"), (600.0 + later) * SECONDS * 100.0));
        CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, NULL, 0));
        fixture_advance(solver, 100.0);
        assert_true(is_close(fixture_figure(solver, "inflow"), (670.0 + later) * SECONDS * 100.0));
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Rivers off the map or on cells without data bring nothing, and fail nothing.
static void rivers_without_ground_are_left_out(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = valley(&f, 0.0);
    static uint8_t valid[SIZE * SIZE];
    memset(valid, 1, sizeof valid);
    valid[0] = 0; // the north-west corner
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, SIZE));
    const wadi_river rivers[] = {{-1.0, 500.0, 10.0, 5.0}, {10.0, 1990.0, 10.0, 5.0}, guest};
    CHECK_OK(f.context, wadi_terrain_set_rivers(terrain, rivers, 3));
    const wadi_hydraulic_params params = params_of(0.0, 0.2);
    wadi_solver* solver = solver_of(terrain, &params);
    fixture_advance(solver, 100.0);
    assert_true(is_close(fixture_figure(solver, "inflow"), 600.0 * SECONDS * 100.0));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static wadi_solver* guest_solver(fixture* f)
{
    wadi_terrain* terrain = valley(f, 0.5);
    CHECK_OK(f->context, wadi_terrain_set_rivers(terrain, &guest, 1));
    const wadi_hydraulic_params params = params_of(0.3, 0.2);
    return solver_of(terrain, &params);
}

static void any_cut_of_the_years_gives_one_hash(void** state)
{
    (void)state;
    fixture_check_cuts(guest_solver, 2100.0);
}

// ---- with riverbed -----------------------------------------------------------------------

typedef struct world
{
    wadi_terrain* terrain;
    wadi_solver* river;
    wadi_solver* rain;
} world;

static world world_open(fixture* f)
{
    const river_land land = {
        .size = SIDE, .cell = 4.0, .slope = 0.006, .roughness = 0.1, .seed = 1};
    world w = {.terrain = river_terrain(f, &land)};
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.discharge = 25.0;
    params.growth = 4.0;
    params.batches = 8;
    params.max_step = 0.5;
    const wadi_hydraulic_params rain = params_of(0.5, 0.2);
    CHECK_OK(f->context,
             wadi_solver_create(w.terrain, &wadi_riverbed_process, &params, 0, &w.river));
    w.rain = solver_of(w.terrain, &rain);
    CHECK_OK(f->context, wadi_solver_fit(w.rain, 0.5));
    return w;
}

static void world_close(world* w)
{
    wadi_solver_destroy(w->river);
    wadi_solver_destroy(w->rain);
    wadi_terrain_destroy(w->terrain);
}

// Ticks of a year: first the river, then rain, each in so many calls.
static void world_run(const world* w, int ticks, int calls)
{
    wadi_context* context = wadi_terrain_context(w->terrain);
    for (int t = 0; t < ticks; ++t)
    {
        for (int k = 0; k < 2 * calls; ++k)
        {
            CHECK_OK(context, wadi_solver_advance(k < calls ? w->river : w->rain, 1.0 / calls));
        }
        CHECK_OK(context, wadi_terrain_advance_clock(w->terrain, 1.0));
    }
    fixture_check_ledger(w->terrain);
}

// Water out over the side where the river leaves, from the river and from rain.
static double world_leaves(const world* w)
{
    const wadi_ledger_row row = fixture_ledger_row(w->terrain, WADI_MATERIAL_WATER);
    return row.out[WADI_SIDE_EAST];
}

// Rain alone would be 0.004 m3/s; all of the river leaves at its far end, also years after its
// solver is gone.
static void the_river_that_riverbed_made_flows_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    world w = world_open(&f);
    world_run(&w, 2, 1);
    wadi_river river;
    assert_int_equal(wadi_terrain_rivers(w.terrain, &river, 1), 1);
    assert_true(river.x == 0.0 && river.y > 0.0 && river.y < 4.0 * SIDE);
    assert_true(river.discharge == 25.0 && river.reach >= 20.0);
    assert_true(is_close(fixture_figure(w.rain, "inflow"), 5.0 * SECONDS * 2.0));
    wadi_solver_destroy(w.river);
    w.river = NULL;
    const double before = world_leaves(&w);
    CHECK_OK(f.context, wadi_solver_advance(w.rain, 10.0));
    assert_true(is_close(fixture_figure(w.rain, "inflow"), 5.0 * SECONDS * 12.0));
    const double left = (world_leaves(&w) - before) / (SECONDS * 10.0);
    assert_true(left > 5.0 && left < 5.01);
    fixture_check_ledger(w.terrain);
    world_close(&w);
    fixture_close(&f);
}

// A new river of another solver in the same place, with another discharge, takes the place of the
// first.
static void the_same_river_made_again_flows_once(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    world w = world_open(&f);
    world_run(&w, 1, 1);
    wadi_riverbed_params params = *(const wadi_riverbed_params*)wadi_solver_params(w.river);
    wadi_solver_destroy(w.river);
    params.discharge = 30.0;
    CHECK_OK(f.context,
             wadi_solver_create(w.terrain, &wadi_riverbed_process, &params, 1, &w.river));
    world_run(&w, 1, 1);
    assert_true(is_close(fixture_figure(w.rain, "inflow"), (5.0 + 6.0) * SECONDS));
    world_close(&w);
    fixture_close(&f);
}

static void calls_and_threads_do_not_matter(void** state)
{
    (void)state;
    static const int calls[] = {1, 7, 50};
    uint64_t hash[3];
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 1 + i);
        world w = world_open(&f);
        world_run(&w, 4, calls[i]);
        hash[i] = wadi_terrain_hash(w.terrain) ^ wadi_solver_hash(w.river) ^
                  (wadi_solver_hash(w.rain) << 1);
        world_close(&w);
        fixture_close(&f);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static wadi_solver* again(fixture* f, const wadi_solver* solver, wadi_terrain* terrain)
{
    wadi_bytes bytes = {.context = f->context};
    wadi_solver* copy = NULL;
    CHECK_OK(f->context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    CHECK_OK(f->context, wadi_solver_load(terrain, wadi_bytes_read, &bytes, &copy));
    wadi_bytes_free(&bytes);
    return copy;
}

static void a_restored_pair_goes_on(void** state)
{
    (void)state;
    for (int ticks = 0; ticks < 4; ticks += 3) // before the river is there, and after
    {
        fixture f;
        fixture_open(&f, 2);
        world w = world_open(&f);
        world_run(&w, ticks, 1);
        wadi_bytes bytes = {.context = f.context};
        world copy = {0};
        CHECK_OK(f.context, wadi_terrain_save(w.terrain, wadi_bytes_write, &bytes));
        CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &bytes, &copy.terrain));
        wadi_bytes_free(&bytes);
        copy.river = again(&f, w.river, copy.terrain);
        copy.rain = again(&f, w.rain, copy.terrain);
        world_run(&w, 4 - ticks, 1);
        world_run(&copy, 4 - ticks, 1);
        assert_true(wadi_terrain_hash(w.terrain) == wadi_terrain_hash(copy.terrain));
        assert_true(wadi_solver_hash(w.rain) == wadi_solver_hash(copy.rain));
        world_close(&w);
        world_close(&copy);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_discharge_arrives),
        cmocka_unit_test(the_load_of_a_river_arrives),
        cmocka_unit_test(a_share_of_zero_leaves_rivers_out),
        cmocka_unit_test(a_row_of_inflow_replaces_the_river),
        cmocka_unit_test(rivers_without_ground_are_left_out),
        cmocka_unit_test(any_cut_of_the_years_gives_one_hash),
        cmocka_unit_test(the_river_that_riverbed_made_flows_on),
        cmocka_unit_test(the_same_river_made_again_flows_once),
        cmocka_unit_test(calls_and_threads_do_not_matter),
        cmocka_unit_test(a_restored_pair_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
