// SPDX-License-Identifier: MIT
// The model "alluvial": the same bits, books to the unit, no debts, laws of flow and the sea.
#include "support/front.h"
#include "support/notes.h"
#include "support/plain.h"

#include "processes/hydraulic/alluvial.h"
#include "processes/hydraulic/alluvial_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIZE = 40,
    CELLS = SIZE * SIZE,
    BASIN = 16 // columns without an outlet
};

static front_land small_land(double azimuth)
{
    front_land land = front_plain();
    land.size = SIZE;
    land.azimuth = azimuth;
    return land;
}

static wadi_solver* small_fan(fixture* f)
{
    const front_land land = small_land(37.0);
    wadi_hydraulic_params params = plain_params();
    params.flood_step = 0.5;
    params.fine_share = 0.3;
    params.focus = 1;
    return front_fan(front_terrain(f, &land), &land, &params);
}

// ---- bits --------------------------------------------------------------------------------

static void calls_and_threads_do_not_matter(void** state)
{
    (void)state;
    fixture_check_cuts(small_fan, 4.0);
}

static void a_restored_fan_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = small_fan(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_live(solver, 2.0);
    plain_close(plain_restored(solver, 2.0));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- books -------------------------------------------------------------------------------

// The load of the table comes in to the unit, whatever the steps; what lost parcels hold stays
// under a thousandth of it at all times; rock stays.
static void the_load_arrives_and_nothing_is_owed(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const front_land land = small_land(0.0);
    wadi_terrain* terrain = front_terrain(&f, &land);
    const wadi_hydraulic_params params = plain_params();
    wadi_solver* solver = front_fan(terrain, &land, &params);
    const double scale = 65536.0 / (land.cell * land.cell);
    const double year = 0.01 * 50.0 * 3.0 * 86400.0;
    for (int32_t i = 1; i <= 6; ++i)
    {
        fixture_live(solver, 1.0);
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(row.residual_units == 0);
        CHECK_NEAR(row.in * scale, year * i * scale, 1.01);
        assert_true((double)wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) <=
                    1e-3 * row.in * scale);
        assert_true(row.out[WADI_SIDE_EAST] > 0.0 || i < 3);
    }
    const wadi_ledger_row rock = fixture_ledger_row(terrain, WADI_MATERIAL_ROCK);
    assert_true(rock.residual_units == 0 && rock.eroded == 0.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static wadi_solver* seeping_fan(fixture* f)
{
    const front_land land = small_land(22.5);
    wadi_hydraulic_params params = plain_params();
    params.flood_step = 0.5;
    params.infiltration = 500.0;
    params.seepage = 5e-5;
    return front_fan(front_terrain(f, &land), &land, &params);
}

static void floods_seep_away_with_the_same_bits(void** state)
{
    (void)state;
    fixture_check_cuts(seeping_fan, 3.0);
}

// Flow through a column of the map [m3/s].
static double flow_at(wadi_solver* solver, int32_t x)
{
    static float flow[CELLS];
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_map(solver, "discharge", flow));
    double sum = 0.0;
    for (int32_t y = 0; y < SIZE; ++y)
    {
        sum += (double)flow[y * SIZE + x];
    }
    return sum;
}

// Less water arrives the further it goes, and less load leaves; books close.
static void floods_lose_water_on_their_way(void** state)
{
    (void)state;
    double flow[2];
    double out[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        const front_land land = small_land(0.0);
        wadi_hydraulic_params params = plain_params();
        params.infiltration = i == 0 ? 0.0 : 500.0;
        wadi_terrain* terrain = front_terrain(&f, &land);
        wadi_solver* solver = front_fan(terrain, &land, &params);
        fixture_live(solver, 4.0);
        flow[i] = flow_at(solver, SIZE - 6) / flow_at(solver, 14);
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(row.residual_units == 0);
        out[i] = row.out[WADI_SIDE_EAST] / row.in;
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    print_message("flow kept %.2f and %.2f, load that leaves %.2f and %.2f\n", flow[0], flow[1],
                  out[0], out[1]);
    // 600 m further on, and along longer ways than straight ones
    assert_true(flow[1] < 0.45 * flow[0] && out[1] < 0.8 * out[0]);
}

// Metres across which the flow of a column spreads: its standard deviation.
static double spread_at(wadi_solver* solver, int32_t x)
{
    static float flow[CELLS];
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_map(solver, "discharge", flow));
    double sum = 1e-9;
    double first = 0.0;
    double second = 0.0;
    for (int32_t y = 0; y < SIZE; ++y)
    {
        const double q = (double)flow[y * SIZE + x];
        sum += q;
        first += q * y;
        second += q * y * y;
    }
    return 20.0 * sqrt(second / sum - first / sum * (first / sum));
}

// On a plane of rock water spreads less the more its ways are focussed.
static void focus_keeps_water_together(void** state)
{
    (void)state;
    double spread[3];
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_plain(&f, SIZE, SIZE, 20.0, WADI_EDGE_OPEN);
        static float rock[CELLS];
        for (int32_t k = 0; k < CELLS; ++k)
        {
            rock[k] = (float)(20.0 - 0.3 * (k % SIZE));
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIZE));
        wadi_hydraulic_params params = plain_params();
        params.focus = i;
        wadi_solver* solver = NULL;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
        const double row[6] = {50.0, 390.0, 0.0, 0.2, 2000.0, 0.0};
        CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
        fixture_live(solver, 6.0);
        spread[i] = spread_at(solver, SIZE - 6);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    print_message("water spreads over %.0f, %.0f and %.0f m\n", spread[0], spread[1], spread[2]);
    assert_true(spread[1] < 0.92 * spread[0] && spread[2] < 0.92 * spread[1]);
}

// Clear water over a centimetre of loose ground takes no more than is there.
static void a_thin_cover_gives_no_more_than_it_has(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIZE, SIZE, 20.0, WADI_EDGE_OPEN);
    static float rock[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        rock[i] = (float)(10.0 - 0.3 * (i % SIZE) + 0.1 * abs(i / SIZE - SIZE / 2));
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIZE));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.01));
    const wadi_hydraulic_params params = plain_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double row[6] = {50.0, 390.0, 0.0, 0.4, 0.0, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
    fixture_live(solver, 3.0);
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0 && books.out[WADI_SIDE_EAST] > 0.0);
    int32_t bare = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t loose = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE);
        assert_true(loose >= 0);
        bare += loose == 0 ? 1 : 0;
    }
    assert_true(bare > 0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Without an outlet all parcels get lost; what they hold is booked, and can be laid down.
static void walls_all_around_keep_the_load(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIZE, SIZE, 20.0, WADI_EDGE_CLOSED);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
    const wadi_hydraulic_params params = plain_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double row[6] = {410.0, 390.0, 0.0, 0.1, 2000.0, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
    fixture_live(solver, 1.0);
    CHECK_OK(f.context, wadi_solver_settle(solver));
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == 0);
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0);
    CHECK_NEAR(books.in, 2000.0, 0.1);
    CHECK_NEAR(books.deposited - books.eroded, 2000.0, 0.1);
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        assert_true(books.out[side] == 0.0);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// More than the mouth of a river has room for below the highest height lies down beside it, and
// more than the map has room for is refused.
static void what_fits_nowhere_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIZE, 1, 20.0, WADI_EDGE_CLOSED);
    wadi_hydraulic_params params = plain_params();
    params.flood_days = 365.25;
    params.flood_parcels = 8;
    params.round_volume = 20.0;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double room = 400.0 * WADI_HEIGHT_LIMIT; // of a cell [m3]
    const double much[6] = {410.0, 10.0, 0.0, 100.0, 8.0 * room, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", much, 1));
    fixture_live(solver, 1.0);
    CHECK_OK(f.context, wadi_solver_settle(solver));
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0);
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == 0);
    CHECK_NEAR(books.deposited - books.eroded, 8.0 * room, 1.0);
    const double more[6] = {410.0, 10.0, 0.0, 100.0, 36.0 * room, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", more, 1));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "room for", wadi_solver_advance(solver, 1.0));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A basin without an outlet in the west, a slope to the east, and a high wall between them: a clear
// river runs down the slope, and another brings load into the basin.
static wadi_solver* basin_beside_slope(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 20.0;
    def.edges[WADI_SIDE_NORTH] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_SOUTH] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    static float rock[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIZE;
        rock[i] = x < BASIN ? 0.0f : x < BASIN + 4 ? 200.0f : 20.0f - 0.3f * (float)x;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIZE));
    const wadi_hydraulic_params params = plain_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double rows[12] = {20.0 * (BASIN + 6), 410.0, 0.0, 0.1, 0.0,    0.0, //
                             20.0 * BASIN / 2,   410.0, 0.0, 0.1, 2000.0, 0.0};
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", rows, 2));
    return solver;
}

static int64_t loose_units(const wadi_terrain* terrain, int32_t from, int32_t to)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const bool here = i % SIZE >= from && i % SIZE < to;
        sum += here ? wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE) : 0;
    }
    return sum;
}

// What lost parcels held comes back with their own river, also from a saved state.
static void lost_load_stays_with_its_river(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = basin_beside_slope(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_live(solver, 1.0);
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) > 0);
    plain_close(plain_restored(solver, 1.0));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == 0);
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0 && books.out[WADI_SIDE_EAST] == 0.0);
    const double scale = 65536.0 / 400.0;
    CHECK_NEAR((double)loose_units(terrain, 0, BASIN), books.in * scale, 0.5);
    assert_true(loose_units(terrain, BASIN, SIZE) == 0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// It outlives its river: when the table changes, the nearest river takes it over.
static void lost_load_outlives_its_river(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = basin_beside_slope(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_live(solver, 1.0);
    const int64_t held = wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT);
    assert_true(held > 0);
    const double moved[6] = {20.0 * BASIN / 2, 210.0, 0.0, 0.1, 0.0, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", moved, 1));
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == held);
    plain_close(plain_restored(solver, 1.0));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0);
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == 0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Rows that are joined at their ends, cells without data, a land one cell wide: books close.
static void any_land_will_do(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{SIZE, SIZE}, {SIZE, 3}, {1, SIZE}, {2, 2}};
    for (int i = 0; i < 8; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        const wadi_edge edge = i % 2 == 0 ? WADI_EDGE_CLOSED : WADI_EDGE_OPEN;
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = sizes[i / 2][0];
        def.height = sizes[i / 2][1];
        def.cell_size = 20.0;
        def.edges[WADI_SIDE_NORTH] = WADI_EDGE_PERIODIC;
        def.edges[WADI_SIDE_SOUTH] = WADI_EDGE_PERIODIC;
        def.edges[WADI_SIDE_WEST] = edge;
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 2.0, 5);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
        if (i < 2)
        {
            fixture_holes(terrain);
        }
        const wadi_hydraulic_params params = plain_params();
        wadi_solver* solver = NULL;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
        const double row[6] = {10.0 * def.width, 10.0, 0.0, 0.3, 3000.0, 0.0};
        CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
        fixture_live(solver, 1.0);
        const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(books.residual_units == 0);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// ---- laws --------------------------------------------------------------------------------

static void depths_solve_the_standard_step(void** state)
{
    (void)state;
    static const float pushes[] = {1e-6f, 1e-3f, 0.1f, 5.0f};
    static const float belows[] = {-20.0f, -1.0f, -0.05f, 0.0f, 0.3f, 8.0f};
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            const double d = (double)alluvial_depth(pushes[i], belows[k]);
            const double left = d * d * d * (d - (double)belows[k]);
            // a float's rounding of d
            const double rounding = 1e-6 * d * d * d * fmax(d, 1.0);
            assert_true(d > 0.0 && left > 0.99 * (double)pushes[i] - rounding);
            // Newton's method falls on the root, so depths are too large if anything
            const double less = 0.97 * d;
            assert_true(less * less * less * (less - (double)belows[k]) < (double)pushes[i]);
        }
    }
    assert_true(alluvial_depth(0.0f, 2.0f) == 2.0f && alluvial_depth(0.0f, -2.0f) == 0.0f);
}

static void speed_is_limited_by_the_froude_number(void** state)
{
    (void)state;
    CHECK_NEAR((double)alluvial_speed(2.0f, 2.0f), 1.0, 1e-6);
    const double thin = (double)alluvial_speed(2.0f, 0.01f);
    CHECK_NEAR(thin * thin / (9.81 * (2.0 / thin)), 1.44, 1e-3);
    assert_true(alluvial_speed(0.0f, 1.0f) == 0.0f);
}

static void capacity_follows_the_excess_of_speed(void** state)
{
    (void)state;
    const wadi_hydraulic_params p = plain_params();
    assert_true(alluvial_capacity(&p, 1.0f, 0.8f) == 0.0f);
    // u^2 - u_c^2 = 4: q_s = 1.4e-3 x 8
    CHECK_NEAR((double)alluvial_capacity(&p, 2.0f, sqrtf(4.64f)), 1.4e-3 * 8.0 / 2.0, 1e-7);
}

// A channel narrower than its cell has the width 4.5 Q^0.5.
static void channels_are_narrower_than_cells(void** state)
{
    (void)state;
    const double cell = 60.0;
    const float gather = (float)(sqrt(cell) / 4.5);
    const double discharge = 9.0;
    const double width = 4.5 * 3.0;
    CHECK_NEAR((double)alluvial_channel((float)(discharge / cell), gather, 1.0f), discharge / width,
               1e-4);
    assert_true(alluvial_channel(50.0f, gather, 1.0f) == 50.0f);
}

// ---- the sea -----------------------------------------------------------------------------

// A river fills a shallow sea before its mouth; in the sea the water stands at its level.
static void a_river_builds_into_the_sea(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    front_land land = small_land(0.0);
    land.sea = 2.0;
    wadi_terrain* terrain = front_terrain(&f, &land);
    static float before[CELLS];
    front_heights(terrain, before);
    wadi_hydraulic_params params = plain_params();
    params.fine_share = 0.5;
    wadi_solver* solver = front_fan(terrain, &land, &params);
    fixture_live(solver, 4.0);
    const front_measures m = front_measure(terrain, &land, before);
    assert_true(m.cells > 30 && m.tower < 0.5);
    static float depth[CELLS];
    static float coarse[CELLS];
    CHECK_OK(f.context, wadi_solver_map(solver, "flood_depth", depth));
    CHECK_OK(f.context, wadi_solver_map(solver, "coarse", coarse));
    CHECK_NEAR((double)depth[5 * SIZE + SIZE - 2], 2.0, 0.2);
    // coarse load settles first
    double x;
    double y;
    front_mouth(&land, &x, &y);
    const int32_t mouth = (int32_t)y * SIZE + (int32_t)x;
    assert_true(coarse[mouth + 3] > coarse[mouth + 20] + 0.2f);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- refusals ----------------------------------------------------------------------------

static void bad_places_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, SIZE, SIZE);
    const wadi_hydraulic_params params = plain_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double outside[6] = {-5.0, 10.0, 0.0, 1.0, 0.0, 0.0};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "outside the map",
                wadi_solver_set_table(solver, "inflow", outside, 1));
    const double twice[12] = {50.0, 50.0, 3.0, 1.0, 0.0, 0.0, 50.0, 50.0, 3.0, 1.0, 0.0, 0.0};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "sort the rows",
                wadi_solver_set_table(solver, "inflow", twice, 2));
    const double heavy[6] = {50.0, 50.0, 0.0, 1.0, 1e10, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", heavy, 1));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "shorter flood_step",
                wadi_solver_advance(solver, 1.0));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- notes -------------------------------------------------------------------------------

// What a step says of a load [m3/yr] before it begins, and again. It does not run.
static notes said_of_load(double load, double round_volume)
{
    notes said;
    fixture f = {.context = notes_open(&said)};
    const plain_land land = plain_falling(SIZE, 0.01);
    wadi_terrain* terrain = plain_terrain(&f, &land);
    wadi_hydraulic_params params = plain_params();
    params.round_volume = round_volume;
    alluvial* a = NULL;
    CHECK_OK(f.context, wadi_alluvial_create(terrain, &params, 1, &a));
    const double row[6] = {210.0, 410.0, 0.0, 0.3, load, 0.0};
    CHECK_OK(f.context, wadi_alluvial_set_table(a, HYDRAULIC_TABLE_INFLOW, row, 1));
    for (int64_t i = 0; i < 2; ++i)
    {
        const wadi_span span = {.index = i, .from = (double)i, .years = 1.0};
        CHECK_OK(f.context, wadi_alluvial_read_rivers(a, &span));
    }
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(f.context);
    return said;
}

// A large load on small cells says once how much work it is, and what to change.
static void long_steps_are_noted(void** state)
{
    (void)state;
    const notes large = said_of_load(3e8, 1.5);
    print_message("%s\n", large.last);
    assert_int_equal(large.count, 1);
    assert_non_null(strstr(large.last, "moves of parcels"));
    assert_non_null(strstr(large.last, "round_volume"));
    assert_int_equal(said_of_load(3e8, 20.0).count, 0);
    assert_int_equal(said_of_load(1e5, 1.5).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_threads_do_not_matter),
        cmocka_unit_test(a_restored_fan_goes_on),
        cmocka_unit_test(the_load_arrives_and_nothing_is_owed),
        cmocka_unit_test(floods_seep_away_with_the_same_bits),
        cmocka_unit_test(floods_lose_water_on_their_way),
        cmocka_unit_test(focus_keeps_water_together),
        cmocka_unit_test(a_thin_cover_gives_no_more_than_it_has),
        cmocka_unit_test(walls_all_around_keep_the_load),
        cmocka_unit_test(what_fits_nowhere_is_refused),
        cmocka_unit_test(lost_load_stays_with_its_river),
        cmocka_unit_test(lost_load_outlives_its_river),
        cmocka_unit_test(any_land_will_do),
        cmocka_unit_test(depths_solve_the_standard_step),
        cmocka_unit_test(speed_is_limited_by_the_froude_number),
        cmocka_unit_test(capacity_follows_the_excess_of_speed),
        cmocka_unit_test(channels_are_narrower_than_cells),
        cmocka_unit_test(a_river_builds_into_the_sea),
        cmocka_unit_test(bad_places_are_refused),
        cmocka_unit_test(long_steps_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
