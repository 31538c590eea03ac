// SPDX-License-Identifier: MIT
// Alluvial reaches of model "streams": the same bits, books to the unit, fans and deltas before
// mouths, load that goes on, any land.
#include "core/archive.h"
#include "support/front.h"

#include "processes/hydraulic/streams.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIZE = 44,
    CELLS = SIZE * SIZE
};

static wadi_hydraulic_params plain_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.plains = true;
    params.max_step = 1.0;
    params.rain = 0.3;
    params.plain_reach = 900.0;
    params.flood_parcels = 30;
    return params;
}

static front_land small_land(double azimuth)
{
    front_land land = front_plain();
    land.size = SIZE;
    land.azimuth = azimuth;
    return land;
}

// A river that enters the map in a gap of mountains, as model `streams` has it.
static wadi_solver* small_front(fixture* f, const front_land* land,
                                const wadi_hydraulic_params* params)
{
    wadi_terrain* terrain = front_terrain(f, land);
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    double row[6];
    front_inflow(land, 0.41, 1.3e5, row);
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

static void close_all(fixture* f, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(f);
}

// ---- bits --------------------------------------------------------------------------------

static wadi_solver* odd_front(fixture* f)
{
    const front_land land = small_land(37.0);
    wadi_hydraulic_params params = plain_params();
    params.max_step = 0.5;
    params.fine_share = 0.3;
    return small_front(f, &land, &params);
}

static void calls_and_threads_do_not_matter(void** state)
{
    (void)state;
    fixture_check_cuts(odd_front, 4.0);
}

// A copy from the saved state goes on to the same bits, with load between reach and streams.
static void a_restored_front_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = odd_front(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_live(solver, 6.0);
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) > 0);
    wadi_bytes ground = {.context = f.context};
    wadi_bytes kept = {.context = f.context};
    CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &ground));
    CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &kept));
    wadi_terrain* copy = NULL;
    wadi_solver* other = NULL;
    CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &ground, &copy));
    CHECK_OK(f.context, wadi_solver_load(copy, wadi_bytes_read, &kept, &other));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    fixture_live(solver, 2.0);
    fixture_live(other, 2.0);
    assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    wadi_bytes_free(&ground);
    wadi_bytes_free(&kept);
    wadi_solver_destroy(other);
    wadi_terrain_destroy(copy);
    close_all(&f, solver);
}

// ---- books -------------------------------------------------------------------------------

// What a river brings lies on the ground, has left or is on its way: to the unit, in every step.
static void nothing_is_lost(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const front_land land = small_land(0.0);
    const wadi_hydraulic_params params = plain_params();
    wadi_solver* solver = small_front(&f, &land, &params);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    for (int32_t i = 1; i <= 8; ++i)
    {
        fixture_live(solver, 1.0);
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(row.residual_units == 0);
        CHECK_NEAR(row.in, 1.3e5 * i, 0.1);
        // what is on its way is at most what came in two steps
        const double area = land.cell * land.cell;
        assert_true((double)wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) / 65536.0 * area <=
                    2.0 * 1.3e5);
    }
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) > 0);
    const wadi_ledger_row before = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(before.out[WADI_SIDE_EAST] > 0.0);
    CHECK_OK(f.context, wadi_solver_settle(solver));
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == 0);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).residual_units == 0);
    close_all(&f, solver);
}

// ---- forms -------------------------------------------------------------------------------

static front_measures grow(double azimuth, double sea, bool plains)
{
    fixture f;
    fixture_open(&f, 2);
    front_land land = small_land(azimuth);
    land.sea = sea;
    wadi_hydraulic_params params = plain_params();
    params.plains = plains;
    params.plain_reach = 2000.0;
    params.creep = 0.0; // it lays a ridge down at the foot of the front
    wadi_solver* solver = small_front(&f, &land, &params);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    static float before[CELLS];
    front_heights(terrain, before);
    // fans of 8 years are small, and the chance of one seed decides on their form
    fixture_live(solver, sea > 0.0 ? 8.0 : 20.0);
    const front_measures m = front_measure(terrain, &land, before);
    print_message("azimuth %.0f, sea %.0f, plains %d: %d cells, cone %.3f, plane %.3f, slope "
                  "%.4f, off %.1f, tower %.2f\n",
                  azimuth, sea, plains, m.cells, m.cone, m.plane, m.slope, m.off, m.tower);
    close_all(&f, solver);
    return m;
}

// A fan before the mouth at two azimuths; streams alone lay down no cone.
static void rivers_build_fans(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 37.0};
    for (int i = 0; i < 2; ++i)
    {
        const front_measures m = grow(azimuths[i], 0.0, true);
        assert_true(m.cells > 30 && m.cone >= 0.85 && m.cone >= m.plane + 0.1);
        assert_true(m.off < 12.0 && m.tower < 0.5);
        const front_measures plain = grow(azimuths[i], 0.0, false);
        assert_true(plain.cells < 5);
    }
}

static void rivers_build_into_the_sea(void** state)
{
    (void)state;
    const front_measures m = grow(37.0, 2.0, true);
    assert_true(m.cells > 40 && m.tower < 0.5);
}

// ---- reaches -----------------------------------------------------------------------------

static double map_sum(wadi_solver* solver, const char* name)
{
    static float map[CELLS];
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_map(solver, name, map));
    double sum = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += isnan(map[i]) ? 0.0 : (double)map[i];
    }
    return sum;
}

// The reach ends where it is told to; without plains, with a larger least river, with a thicker
// least cover or a gentler slope than those of the land there is none.
static void reaches_are_where_they_are_asked_for(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 5; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        const front_land land = small_land(0.0);
        wadi_hydraulic_params params = plain_params();
        params.plains = i != 0;
        params.plain_river = i == 1 ? 0.5 : params.plain_river;
        params.plain_cover = i == 2 ? 30.0 : params.plain_cover;
        params.plain_slope = i == 3 ? 1e-3 : params.plain_slope;
        wadi_solver* solver = small_front(&f, &land, &params);
        fixture_live(solver, 1.0);
        const double cells = map_sum(solver, "plains");
        const double flow = map_sum(solver, "flood_flow");
        assert_true(i < 4 ? cells == 0.0 : cells > 400.0 && cells < 0.9 * (double)CELLS);
        assert_true((flow > 0.0) == (i == 4));
        close_all(&f, solver);
    }
}

// Load that leaves a reach goes on in the streams below it: more of it leaves the map, or lies
// there.
static void load_goes_on_below_a_reach(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const front_land land = small_land(0.0);
    wadi_hydraulic_params params = plain_params();
    params.plain_reach = 300.0;
    wadi_solver* solver = small_front(&f, &land, &params);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_live(solver, 10.0);
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(row.residual_units == 0 && row.out[WADI_SIDE_EAST] > 0.0);
    static float deposit[CELLS];
    CHECK_OK(f.context, wadi_solver_map(solver, "deposit", deposit));
    double below = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        below += i % SIZE > 30 && i % SIZE < SIZE - 1 ? (double)deposit[i] : 0.0;
    }
    assert_true(below > 0.0);
    close_all(&f, solver);
}

// Rows joined at their ends, cells without data, narrow land, lakes: books close.
static void any_land_will_do(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{SIZE, SIZE}, {SIZE, 3}, {1, SIZE}, {2, 2}, {37, 29}};
    for (int i = 0; i < 20; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = sizes[i / 4][0];
        def.height = sizes[i / 4][1];
        def.cell_size = 20.0;
        def.edges[WADI_SIDE_NORTH] = WADI_EDGE_PERIODIC;
        def.edges[WADI_SIDE_SOUTH] = WADI_EDGE_PERIODIC;
        def.edges[WADI_SIDE_WEST] = i % 2 == 0 ? WADI_EDGE_CLOSED : WADI_EDGE_OPEN;
        def.edges[WADI_SIDE_EAST] = i % 4 == 2 ? WADI_EDGE_CLOSED : WADI_EDGE_OPEN;
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 2.0, 5);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.5));
        if (i < 4 || i >= 16)
        {
            fixture_holes(terrain);
        }
        wadi_hydraulic_params params = plain_params();
        params.plain_slope = 0.5;
        params.plain_river = 1e-4;
        params.plain_reach = i % 3 == 0 ? 150.0 : 900.0;
        params.lake_evaporation = i % 4 == 3 ? 1.0 : 0.0;
        wadi_solver* solver = NULL;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
        const double row[6] = {10.0 * def.width, 10.0, 0.0, 0.3, 3000.0, 0.0};
        CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
        fixture_live(solver, 3.0);
        fixture_check_ledger(terrain);
        CHECK_OK(f.context, wadi_solver_settle(solver));
        fixture_check_ledger(terrain);
        close_all(&f, solver);
    }
}

// A reach two cells beside the seam of a ring, and what earlier rounds left on the seam's far side:
// no load comes over from there.
static void old_fluxes_stay_beyond_a_reach(void** state)
{
    (void)state;
    static uint8_t reach[CELLS];
    static int32_t still[CELLS];
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIZE, SIZE, 20.0, WADI_EDGE_PERIODIC);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 5.0));
    const wadi_hydraulic_params params = plain_params();
    alluvial* a = NULL;
    CHECK_OK(f.context, wadi_alluvial_create(terrain, &params, 1, &a));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIZE;
        const int32_t y = i / SIZE;
        reach[i] = x >= 2 && x < 20 && y >= 2 && y < 20 ? 1 : 0;
        still[i] = INT32_MIN;
        a->over_east[i] = x == SIZE - 1 ? 1000 : 0;
        a->over_south[i] = y == SIZE - 1 ? 1000 : 0;
    }
    a->reach = (alluvial_reach){reach, still};
    a->steps = 3;
    wadi_alluvial_run(a);
    for (int32_t k = 0; k < SIZE; ++k)
    {
        assert_true(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 0, k) == 5 * 65536);
        assert_true(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, k, 0) == 5 * 65536);
    }
    fixture_check_ledger(terrain);
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_threads_do_not_matter),
        cmocka_unit_test(a_restored_front_goes_on),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(rivers_build_fans),
        cmocka_unit_test(rivers_build_into_the_sea),
        cmocka_unit_test(reaches_are_where_they_are_asked_for),
        cmocka_unit_test(load_goes_on_below_a_reach),
        cmocka_unit_test(any_land_will_do),
        cmocka_unit_test(old_fluxes_stay_beyond_a_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
