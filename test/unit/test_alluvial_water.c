// SPDX-License-Identifier: MIT
// The books of water of the model "alluvial": what rivers bring, and where it goes, to the unit.
#include "support/front.h"
#include "support/plain.h"

#include "processes/hydraulic/alluvial.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIZE = 40,
    CELLS = SIZE * SIZE,
    RIVERS = 20
};

#define SECONDS 31557600.0 // of a year

// The fall is 0.01, with this edge in the east. A column may have no data: -1 is none.
static wadi_terrain* falling_plain(fixture* f, wadi_edge east, int32_t hole)
{
    plain_land land = plain_falling(SIZE, 0.01);
    land.east = east;
    land.hole = hole;
    return plain_terrain(f, &land);
}

// A river of 0.3 m3/s, ten cells from the west edge.
static wadi_solver* river_on(wadi_terrain* terrain, const wadi_hydraulic_params* params)
{
    return plain_river(terrain, params, 210.0, 410.0, 0.3, 3000.0);
}

static void close_all(fixture* f, wadi_solver* solver)
{
    plain_close(solver);
    fixture_close(f);
}

// An amount of the ledger in units x cells.
static int64_t units_of(double volume)
{
    return llround(volume * 65536.0 / (PLAIN_CELL * PLAIN_CELL));
}

typedef struct waters
{
    int64_t in;
    int64_t out[WADI_SIDE_COUNT];
    int64_t sea;
    int64_t sunk;
    int64_t strayed;
} waters;

// The books of a solver, which agree with the ledger and close to the unit.
static waters read_waters(wadi_solver* solver)
{
    const wadi_terrain* terrain = wadi_solver_terrain(solver);
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
    waters w = {.in = units_of(row.in),
                .sea = units_of(fixture_figure(solver, "into_sea")),
                .sunk = units_of(fixture_figure(solver, "infiltrated")),
                .strayed = units_of(fixture_figure(solver, "strayed"))};
    int64_t out = 0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        w.out[side] = units_of(row.out[side]);
        out += w.out[side];
    }
    assert_true(row.residual_units == 0 && row.transit == 0.0 && row.after == 0.0);
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_WATER) == 0);
    assert_true(units_of(fixture_figure(solver, "inflow")) == w.in);
    assert_true(units_of(fixture_figure(solver, "outflow")) == out);
    assert_true(units_of(row.lost) == w.sea + w.sunk + w.strayed);
    assert_true(w.in == out + w.sea + w.sunk + w.strayed);
    assert_true(fixture_figure(solver, "rain") == 0.0);
    return w;
}

// ---- where it goes -----------------------------------------------------------------------

// All of it leaves where the plain is open.
static void water_leaves_over_the_open_edge(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const wadi_hydraulic_params params = plain_params();
    wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_OPEN, -1);
    wadi_solver* solver = river_on(terrain, &params);
    for (int32_t i = 1; i <= 3; ++i)
    {
        fixture_live(solver, 1.0);
        const waters w = read_waters(solver);
        assert_true(llabs(w.in - units_of(0.3 * SECONDS * i)) <= i);
        assert_true(w.out[WADI_SIDE_EAST] == w.in && w.in > 0);
    }
    close_all(&f, solver);
}

// Without an outlet all of it stays.
static void water_between_walls_strays(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const wadi_hydraulic_params params = plain_params();
    wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_CLOSED, -1);
    wadi_solver* solver = river_on(terrain, &params);
    fixture_live(solver, 1.0);
    const waters w = read_waters(solver);
    assert_true(w.strayed == w.in && w.in > 0);
    close_all(&f, solver);
}

// A column of cells without data takes it, but for parcels that lose their way before it.
static void water_leaves_into_cells_without_data(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const wadi_hydraulic_params params = plain_params();
    wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_CLOSED, 30);
    wadi_solver* solver = river_on(terrain, &params);
    fixture_live(solver, 1.0);
    const waters w = read_waters(solver);
    assert_true(w.out[WADI_SIDE_VOID] + w.strayed == w.in && w.strayed < w.in / 10);
    close_all(&f, solver);
}

// Of a way of at least D no more than exp(-D / L) is left.
static void floods_sink_into_the_ground(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_hydraulic_params params = plain_params();
    params.infiltration = 600.0;
    wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_OPEN, -1);
    wadi_solver* solver = river_on(terrain, &params);
    fixture_live(solver, 2.0);
    const waters w = read_waters(solver);
    const double left = (double)w.out[WADI_SIDE_EAST] / (double)w.in;
    const double way = (SIZE - 12) * PLAIN_CELL; // from the east end of the mouth
    print_message("%.3f of the water leaves after %g m\n", left, way);
    assert_true(left < exp(-way / 600.0) && left > exp(-2.0 * way / 600.0));
    assert_true(w.sunk == w.in - w.out[WADI_SIDE_EAST]);
    close_all(&f, solver);
}

// What ends in the sea has come into it at the shore; less sinks into the land before it than on
// the way over the same ground without a sea.
static void the_sea_takes_what_comes_to_it(void** state)
{
    (void)state;
    waters w[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_hydraulic_params params = plain_params();
        params.infiltration = 600.0;
        wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_OPEN, -1);
        const double year = 0.0;
        const double level = 20.0 - 0.01 * PLAIN_CELL * 25.0; // the shore is in column 25
        CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, &year, &level, i));
        wadi_solver* solver = river_on(terrain, &params);
        fixture_live(solver, 2.0);
        w[i] = read_waters(solver);
        close_all(&f, solver);
    }
    assert_true(w[0].sea == 0 && w[1].sea + w[1].sunk == w[1].in);
    const double left = (double)w[1].sea / (double)w[1].in;
    print_message("%.3f of the water comes to the sea\n", left);
    assert_true(left < exp(-13.0 * PLAIN_CELL / 600.0) && left > exp(-30.0 * PLAIN_CELL / 600.0));
    assert_true(w[1].sunk < w[0].sunk);
}

// ---- how much comes ----------------------------------------------------------------------

// A river that swells and falls brings the water of its hydrograph, in steps of any length.
static void water_is_that_of_the_table(void** state)
{
    (void)state;
    static const double steps[] = {0.25, 1.0, 3.0};
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_hydraulic_params params = plain_params();
        params.flood_step = steps[i];
        wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_OPEN, -1);
        wadi_solver* solver = river_on(terrain, &params);
        const double rows[18] = {210.0, 410.0, 0.0, 0.1, 500.0, 0.0, //
                                 210.0, 410.0, 2.0, 0.5, 500.0, 0.0, //
                                 210.0, 410.0, 3.0, 0.1, 500.0, 0.0};
        CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", rows, 3));
        fixture_live(solver, 3.0);
        // means of 0.3 for two years and again for one
        const waters w = read_waters(solver);
        assert_true(fabs((double)(w.in - units_of(0.9 * SECONDS))) <= 0.5 + 3.0 / steps[i]);
        close_all(&f, solver);
    }
}

// More water than books hold is refused before anything changes.
static void more_than_books_hold_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, RIVERS, 1, 1.0, WADI_EDGE_CLOSED);
    wadi_hydraulic_params params = plain_params();
    params.flood_days = 365.25;
    params.flood_parcels = 8;
    params.channel_width = 0.5;
    params.round_volume = 20.0;
    params.flood_step = 0.13;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    double rows[RIVERS][6];
    for (int32_t i = 0; i < RIVERS; ++i)
    {
        memcpy(rows[i], (double[6]){i + 0.5, 0.5, 0.0, 1e6, 0.0, 0.0}, sizeof rows[i]);
    }
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", rows[0], RIVERS));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "more water", wadi_solver_advance(solver, 0.13));
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_WATER).in == 0.0);
    assert_true(fixture_figure(solver, "inflow") == 0.0);
    close_all(&f, solver);
}

// Books of a saved state that do not close are none.
static void books_that_do_not_close_are_unsound(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 8, 8);
    const wadi_hydraulic_params params = plain_params();
    alluvial* a = NULL;
    CHECK_OK(f.context, wadi_alluvial_create(terrain, &params, 1, &a));
    static const int64_t books[][ALLUVIAL_WATERS] = {{10, 1, 2, 3, 4},      {0},
                                                     {10, 1, 2, 3, 5},      {10, 1, 2, 3, 3},
                                                     {-10, -1, -2, -3, -4}, {10, 12, -2, 0, 0}};
    for (int i = 0; i < 6; ++i)
    {
        memcpy(a->water, books[i], sizeof books[i]);
        assert_true(wadi_alluvial_is_sound(a) == (i < 2));
    }
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Books go on from a saved state.
static void books_are_saved(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_hydraulic_params params = plain_params();
    params.infiltration = 600.0;
    wadi_terrain* terrain = falling_plain(&f, WADI_EDGE_OPEN, -1);
    wadi_solver* solver = river_on(terrain, &params);
    fixture_live(solver, 1.0);
    wadi_solver* other = plain_restored(solver, 1.0);
    const waters w = read_waters(solver);
    const waters again = read_waters(other);
    assert_memory_equal(&w, &again, sizeof w);
    assert_true(w.sunk > 0 && w.out[WADI_SIDE_EAST] > 0);
    plain_close(other);
    close_all(&f, solver);
}

// ---- reaches of streams ------------------------------------------------------------------

// Floods on the plains of streams carry the water of streams, which book it once: in a first step,
// whose streams are the same, books are the same with and without plains.
static void water_of_plains_is_booked_once(void** state)
{
    (void)state;
    wadi_ledger_row rows[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        front_land land = front_plain();
        land.size = SIZE;
        wadi_hydraulic_params params = wadi_hydraulic_params_default();
        params.plains = i == 1;
        params.max_step = 1.0;
        params.rain = 0.3;
        params.plain_reach = 900.0;
        params.flood_parcels = 30;
        wadi_terrain* terrain = front_terrain(&f, &land);
        wadi_solver* solver = front_fan(terrain, &land, &params);
        fixture_live(solver, 1.0);
        rows[i] = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
        const wadi_ledger_row load = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(rows[i].residual_units == 0 && load.residual_units == 0);
        close_all(&f, solver);
    }
    assert_true(rows[0].in > 0.0 && rows[0].in == rows[1].in && rows[0].lost == rows[1].lost);
    assert_memory_equal(rows[0].out, rows[1].out, sizeof rows[0].out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_leaves_over_the_open_edge),
        cmocka_unit_test(water_between_walls_strays),
        cmocka_unit_test(water_leaves_into_cells_without_data),
        cmocka_unit_test(floods_sink_into_the_ground),
        cmocka_unit_test(the_sea_takes_what_comes_to_it),
        cmocka_unit_test(water_is_that_of_the_table),
        cmocka_unit_test(more_than_books_hold_is_refused),
        cmocka_unit_test(books_that_do_not_close_are_unsound),
        cmocka_unit_test(books_are_saved),
        cmocka_unit_test(water_of_plains_is_booked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
