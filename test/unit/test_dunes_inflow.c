// SPDX-License-Identifier: MIT
// seconds: 2
// Sand that enters over open edges of rough land, models flux and slab: the same bits however years
// are cut, on any number of threads, after a restore and beside a partner that changes the ground;
// closed edges beside open ones bring none.
#include "core/archive.h"
#include "support/fixture.h"

#include <wadi/dunes.h>
#include <wadi/talus.h>

enum
{
    WIDTH = 97,
    HEIGHT = 61
};

// Hills of 8 m with a void, open in the west and the south, under 2 m of sand.
static wadi_terrain* inflow_land(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 2.0;
    def.edges[WADI_SIDE_NORTH] = WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_EAST] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    static float rock[WIDTH * HEIGHT];
    static uint8_t valid[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = i % WIDTH;
        const double y = (double)(i / WIDTH);
        rock[i] = (float)(4.0 * sin(0.21 * x + 0.1 * y) * cos(0.17 * y - 0.05 * x));
        valid[i] = x >= 40.0 && x < 46.0 && y >= 20.0 && y < 27.0 ? 0 : 1;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
    CHECK_OK(f->context, wadi_terrain_set_valid(terrain, valid, WIDTH));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    return terrain;
}

static wadi_solver* inflow_solver(fixture* f, wadi_dunes_model model)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = (int32_t)model;
    params.inflow = 0.8;
    params.direction = 237.0;
    params.streamers = model == WADI_DUNES_FLUX ? 0.3 : 0.0;
    wadi_solver* solver;
    CHECK_OK(f->context,
             wadi_solver_create(inflow_land(f), &wadi_dunes_process, &params, 0, &solver));
    return solver;
}

static wadi_solver* flux_solver(fixture* f)
{
    return inflow_solver(f, WADI_DUNES_FLUX);
}

static wadi_solver* slab_solver(fixture* f)
{
    return inflow_solver(f, WADI_DUNES_SLAB);
}

static fixture_make* const makers[] = {flux_solver, slab_solver};

static void cuts_and_threads_change_nothing(void** state)
{
    (void)state;
    for (int model = 0; model < 2; ++model)
    {
        fixture_check_cuts(makers[model], 2.1);
    }
}

static void a_restored_solver_goes_on(void** state)
{
    (void)state;
    for (int model = 0; model < 2; ++model)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_solver* solver = makers[model](&f);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.9));
        wadi_terrain* copy;
        CHECK_OK(f.context, wadi_terrain_clone(terrain, &copy));
        wadi_bytes bytes = {.context = f.context};
        CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
        wadi_solver* other;
        CHECK_OK(f.context, wadi_solver_load(copy, wadi_bytes_read, &bytes, &other));
        wadi_bytes_free(&bytes);
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.8));
        CHECK_OK(f.context, wadi_solver_advance(other, 0.8));
        assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
        assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
        fixture_check_ledger(copy);
        wadi_solver_destroy(other);
        wadi_terrain_destroy(copy);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Sand that came in within 2.5 years, in turns with rock that weathers and slopes that slide; and
// the hash of the land.
static double inflow_beside_talus(int model, int32_t threads, uint64_t* hash)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_solver* sand = makers[model](&f);
    wadi_terrain* terrain = wadi_solver_terrain(sand);
    wadi_talus_params params = wadi_talus_params_default();
    params.repose = 25.0;
    wadi_solver* talus;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_talus_process, &params, 1, &talus));
    for (int k = 0; k < 5; ++k)
    {
        CHECK_OK(f.context, wadi_solver_advance(sand, 0.5));
        CHECK_OK(f.context, wadi_solver_advance(talus, 0.5));
        CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 0.5));
    }
    fixture_check_ledger(terrain);
    const double came = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).in;
    *hash = wadi_terrain_hash(terrain);
    wadi_solver_destroy(talus);
    wadi_solver_destroy(sand);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return came;
}

static void a_partner_leaves_bits_and_books_whole(void** state)
{
    (void)state;
    for (int model = 0; model < 2; ++model)
    {
        uint64_t hash[2];
        const double came = inflow_beside_talus(model, 1, &hash[0]);
        print_message("model %d: %.0f m3 came in\n", model, came);
        assert_true(came > 500.0);
        assert_true(inflow_beside_talus(model, 3, &hash[1]) == came && hash[0] == hash[1]);
    }
}

// Sand that comes in within half a year under a wind from `direction` [m3].
static double inflow_from(fixture* f, int model, double direction)
{
    wadi_terrain* terrain = inflow_land(f);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = (int32_t)model;
    params.inflow = 1.0;
    params.direction = direction;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 0.5);
    const double came = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).in;
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return came;
}

// The wind from the north-east blows in over closed edges only. The little that comes in then is
// sand that turbulence of model flux carries back over the edges to the lee.
static void closed_edges_bring_no_sand(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    for (int model = 0; model < 2; ++model)
    {
        const double open = inflow_from(&f, model, 225.0);
        const double closed = inflow_from(&f, model, 45.0);
        print_message("model %d: %.0f m3 over open edges, %.0f m3 over closed ones\n", model, open,
                      closed);
        assert_true(open > 500.0 && closed < 0.05 * open);
    }
    fixture_close(&f);
}

// A trough along the western edge, 8 m deep: relief slows the wind there.
static wadi_terrain* trough_land(fixture* f)
{
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 2.0, WADI_EDGE_OPEN);
    static float rock[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = i % WIDTH / 12.0;
        rock[i] = (float)(-8.0 * exp(-x * x));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    return terrain;
}

// No more sand enters than the wind at the edge carries on: else it would be laid down as a bank
// along the edge, which slows the wind further.
static void weak_wind_lays_no_bank_along_an_edge(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    for (int model = 0; model < 2; ++model)
    {
        wadi_terrain* terrain = trough_land(&f);
        wadi_dunes_params params = wadi_dunes_params_default();
        params.model = model;
        params.inflow = 1.0;
        params.direction = 270.0;
        wadi_solver* solver;
        CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
        fixture_advance(solver, 2.0);
        double bank = 0.0;
        for (int32_t i = 0; i < 3 * HEIGHT; ++i)
        {
            bank += fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % 3, i / 3) / (3.0 * HEIGHT);
        }
        print_message("model %d: %.0f m3 came in, %.2f m of sand lie along the edge\n", model,
                      fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).in, bank);
        assert_true(bank < 2.8); // of 2 m at first
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_and_threads_change_nothing),
        cmocka_unit_test(a_restored_solver_goes_on),
        cmocka_unit_test(a_partner_leaves_bits_and_books_whole),
        cmocka_unit_test(closed_edges_bring_no_sand),
        cmocka_unit_test(weak_wind_lays_no_bank_along_an_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
