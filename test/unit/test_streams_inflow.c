// SPDX-License-Identifier: MIT
// Rivers that enter the map of the model "streams": water that arrives, loads booked to the unit,
// hydrographs by the world's clock, and places that are refused.
#include "support/fixture.h"

#include <wadi/archive.h>

#include <stdlib.h>

#define SECONDS 31557600.0

enum
{
    SIZE = 40, // cells of 50 m
    OUTLET = SIZE / 2
};

static const wadi_edge walls[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED,
                                   WADI_EDGE_CLOSED};

// A valley that falls to the east; its floor is row OUTLET.
static wadi_terrain* valley(fixture* f, wadi_edge east)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 50.0;
    memcpy(def.edges, walls, sizeof walls);
    def.edges[WADI_SIDE_EAST] = east;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_OPEN;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* heights = malloc(SIZE * SIZE * sizeof *heights);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        heights[i] = (float)(300.0 - 2.0 * (i % SIZE) + 4.0 * abs(i / SIZE - OUTLET));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIZE));
    free(heights);
    return terrain;
}

static wadi_hydraulic_params params_of(double rain)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAMS;
    params.rain = rain;
    params.max_step = 100.0;
    return params;
}

// The south-west corner is the origin: the floor of the valley at its western edge.
#define FLOOR ((SIZE - 1 - OUTLET + 0.5) * 50.0)

static wadi_solver* solver_of(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                              const double* rows, int32_t count)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    CHECK_OK(context, wadi_solver_set_table(solver, "inflow", rows, count));
    return solver;
}

static double map_at(wadi_solver* solver, const char* name, int32_t x, int32_t y)
{
    static float map[SIZE * SIZE];
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)), wadi_solver_map(solver, name, map));
    return (double)map[y * SIZE + x];
}

static wadi_ledger_row books(const wadi_terrain* terrain, int32_t material)
{
    const wadi_ledger_row row = fixture_ledger_row(terrain, material);
    assert_true(row.residual_units == 0);
    return row;
}

// ---- water -------------------------------------------------------------------------------

// Without rain all water of the river, and no other, arrives at the far edge.
static void the_discharge_arrives(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
    const wadi_hydraulic_params params = params_of(0.0);
    const double river[] = {0.0, FLOOR, 0.0, 12.5, 0.0, 0.0};
    wadi_solver* solver = solver_of(terrain, &params, river, 1);
    fixture_advance(solver, 100.0);
    for (int32_t x = 0; x < SIZE; x += 13)
    {
        assert_true(fabs(map_at(solver, "discharge", x, OUTLET) - 12.5) < 1e-5);
    }
    assert_true(fabs(fixture_figure(solver, "inflow") / (12.5 * SECONDS * 100.0) - 1.0) < 1e-9);
    assert_true(fixture_figure(solver, "rain") == 0.0);
    assert_true(fabs(fixture_figure(solver, "outflow") - fixture_figure(solver, "inflow")) < 1.0);
    assert_true(
        fabs(books(terrain, WADI_MATERIAL_WATER).out[WADI_SIDE_EAST] / (12.5 * SECONDS * 100.0) -
             1.0) < 1e-6);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// With rain the outlet carries both, and the books of water close.
static void rain_and_rivers_add_up(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
    const wadi_hydraulic_params params = params_of(0.8);
    const double river[] = {0.0, FLOOR, 0.0, 3.0, 0.0, 0.0, 975.0, 1200.0, 0.0, 0.5, 0.0, 0.0};
    wadi_solver* solver = solver_of(terrain, &params, river, 2);
    fixture_advance(solver, 200.0);
    const double rain = 0.8 * SIZE * SIZE * 2500.0 * 200.0;
    assert_true(fabs(fixture_figure(solver, "rain") / rain - 1.0) < 1e-9);
    assert_true(fabs(fixture_figure(solver, "inflow") / (3.5 * SECONDS * 200.0) - 1.0) < 1e-9);
    assert_true(fabs(fixture_figure(solver, "outflow") / (rain + 3.5 * SECONDS * 200.0) - 1.0) <
                1e-6);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The mean of a hydrograph over a step: 100 years that rise from 2 to 4, 100 years of 4, and 50
// that fall to 1 and 50 of 1.
static void a_step_takes_the_mean_of_the_hydrograph(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
    const wadi_hydraulic_params params = params_of(0.0);
    const double river[] = {0, FLOOR, 0,   2, 0, 0, 0, FLOOR, 100, 4, 0, 0,
                            0, FLOOR, 200, 4, 0, 0, 0, FLOOR, 250, 1, 0, 0};
    wadi_solver* solver = solver_of(terrain, &params, river, 4);
    static const double means[] = {3.0, 4.0, 0.5 * 2.5 + 0.5 * 1.0, 1.0};
    for (int i = 0; i < 4; ++i)
    {
        fixture_advance(solver, 100.0);
        assert_true(fabs(map_at(solver, "discharge", SIZE - 1, OUTLET) - means[i]) < 1e-6);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- loads -------------------------------------------------------------------------------

// What a river brings is in the books to the unit, whatever the steps: a volume, and a
// concentration times a discharge that both change, whose integral is known.
static void loads_are_booked_to_the_unit(void** state)
{
    (void)state;
    static const double steps[] = {100.0, 37.0, 700.0};
    // from year 0 to 700: load 1000 + 2 t m3/yr; discharge 1 + t / 700, concentration t / 700
    const double river[] = {0, FLOOR, 0, 1, 1000, 0, 0, FLOOR, 700, 2, 2400, 1};
    const double soil = 2650.0 * (1.0 - 0.4); // checked below
    const double dissolved = SECONDS * 700.0 * (0.5 + 1.0 / 3.0) / soil;
    const double volume = 1000.0 * 700.0 + 700.0 * 700.0 + dissolved;
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
        const wadi_material* sediment = wadi_terrain_material(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(fabs(sediment->density * (1.0 - sediment->porosity) - soil) < 1e-6);
        wadi_hydraulic_params params = params_of(0.5);
        params.max_step = steps[i];
        wadi_solver* solver = solver_of(terrain, &params, river, 2);
        fixture_advance(solver, 700.0);
        CHECK_OK(f.context, wadi_solver_finish(solver));
        const double unit = 2500.0 / WADI_UNITS_PER_METRE;
        const double in = books(terrain, WADI_MATERIAL_SEDIMENT).in;
        assert_true(fabs(in - floor(volume / unit) * unit) < 1.5 * unit);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// A river that brings more than it can carry builds up its bed from where it enters; one that
// brings nothing cuts.
static void a_loaded_river_builds_and_a_clear_one_cuts(void** state)
{
    (void)state;
    for (int loaded = 0; loaded < 2; ++loaded)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
        const wadi_hydraulic_params params = params_of(1.0);
        const double river[] = {0.0, FLOOR, 0.0, 2.0, loaded ? 3e6 : 0.0, 0.0};
        wadi_solver* solver = solver_of(terrain, &params, river, 1);
        const int32_t before = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 0, OUTLET);
        fixture_advance(solver, 500.0);
        const int32_t after = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 0, OUTLET);
        assert_true(loaded ? after > before : after < before);
        fixture_check_ledger(terrain);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// A load that finds no way out fills the land, and none of it is lost.
static void a_closed_land_keeps_the_load(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_CLOSED);
    wadi_hydraulic_params params = params_of(0.0);
    const double river[] = {1925.0, FLOOR, 0.0, 2.0, 1e4, 0.0};
    wadi_solver* solver = solver_of(terrain, &params, river, 1);
    fixture_advance(solver, 300.0);
    const wadi_ledger_row row = books(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(fabs(row.in - 3e6) < 1.0);
    double left = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        left += row.out[side];
    }
    assert_true(fabs(row.after - (row.in - left + row.converted)) < 1.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- time and state ----------------------------------------------------------------------

typedef struct bytes
{
    uint8_t data[1 << 20];
    size_t length;
    size_t at;
} bytes;

static wadi_result bytes_write(void* user, const void* data, size_t size)
{
    bytes* b = user;
    assert_true(b->length + size <= sizeof b->data);
    memcpy(b->data + b->length, data, size);
    b->length += size;
    return WADI_OK;
}

static wadi_result bytes_read(void* user, void* data, size_t size)
{
    bytes* b = user;
    assert_true(b->at + size <= b->length);
    memcpy(data, b->data + b->at, size);
    b->at += size;
    return WADI_OK;
}

static const double flood_rows[] = {0, FLOOR, 0,   2, 800, 0.2, 0, FLOOR, 333,  9, 90, 1.5,
                                    0, FLOOR, 900, 1, 5,   0,   0, FLOOR, 2000, 6, 0,  0.1};
static const double climate_rows[] = {0, 1, 1000, 2, 2000, 0.5};
static const double season_rows[] = {0.1, 6, 0.9, 0.5};

static wadi_solver* flood_solver(wadi_terrain* terrain)
{
    const wadi_hydraulic_params params = params_of(0.3);
    wadi_solver* solver = solver_of(terrain, &params, flood_rows, 4);
    wadi_context* context = wadi_terrain_context(terrain);
    CHECK_OK(context, wadi_solver_set_table(solver, "climate", climate_rows, 3));
    CHECK_OK(context, wadi_solver_set_table(solver, "seasons", season_rows, 2));
    return solver;
}

static wadi_solver* valley_solver(fixture* f)
{
    return flood_solver(valley(f, WADI_EDGE_OPEN));
}

static void any_cut_of_the_years_gives_one_hash(void** state)
{
    (void)state;
    fixture_check_cuts(valley_solver, 2100.0);
}

static void a_restored_run_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
    wadi_solver* solver = flood_solver(terrain);
    fixture_advance(solver, 1000.0);
    static bytes land;
    static bytes water;
    land.length = land.at = water.length = water.at = 0;
    CHECK_OK(f.context, wadi_terrain_save(terrain, bytes_write, &land));
    CHECK_OK(f.context, wadi_solver_save(solver, bytes_write, &water));
    wadi_terrain* again = NULL;
    wadi_solver* later = NULL;
    CHECK_OK(f.context, wadi_terrain_load(f.context, bytes_read, &land, &again));
    CHECK_OK(f.context, wadi_solver_load(again, bytes_read, &water, &later));
    fixture_advance(solver, 1000.0);
    fixture_advance(later, 1000.0);
    assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(again));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(later));
    wadi_solver_destroy(solver);
    wadi_solver_destroy(later);
    wadi_terrain_destroy(terrain);
    wadi_terrain_destroy(again);
    fixture_close(&f);
}

// ---- refusals ----------------------------------------------------------------------------

// A land without outlet has room up to the highest height, and says so before it is full.
static void a_full_land_is_told(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 8, 8, 1.0, WADI_EDGE_CLOSED);
    const wadi_hydraulic_params params = params_of(0.0);
    const double river[] = {4.0, 4.0, 0.0, 2.0, 0.4 * 64.0 * WADI_HEIGHT_LIMIT / 100.0, 0.0};
    wadi_solver* solver = solver_of(terrain, &params, river, 1);
    fixture_advance(solver, 200.0);
    fixture_check_ledger(terrain);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "has room for", wadi_solver_advance(solver, 100.0));
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Books count water in 64 bits: a river that brings more is refused before they overflow, in one
// step or in many, and what came before stays in them.
static void more_water_than_books_hold_is_told(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 8, 8, 1.0, WADI_EDGE_OPEN);
    wadi_hydraulic_params params = params_of(0.0);
    // 2^62 units of 2^-16 m on cells of 1 m are 2^46 m3
    const double river[] = {4.0, 4.0, 0.0, 0.4 * 0x1p46 / (100.0 * SECONDS), 0.0, 0.0};
    wadi_solver* solver = solver_of(terrain, &params, river, 1);
    fixture_advance(solver, 200.0);
    fixture_check_ledger(terrain);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "the books of", wadi_solver_advance(solver, 100.0));
    fixture_check_ledger(terrain);
    assert_true(books(terrain, WADI_MATERIAL_WATER).in > 0.79 * 0x1p46);
    wadi_solver_destroy(solver);
    params.rain = 20.0;
    params.max_step = 1e6;
    solver = solver_of(terrain, &params, river, 1);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "larger cells", wadi_solver_advance(solver, 1e6));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void check_refused(wadi_solver* solver, const char* word, const double* rows, int32_t count)
{
    wadi_context* context = wadi_terrain_context(wadi_solver_terrain(solver));
    CHECK_FAILS(context, WADI_ERROR_RANGE, word,
                wadi_solver_set_table(solver, "inflow", rows, count));
}

static void bad_rivers_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
    static uint8_t valid[SIZE * SIZE];
    memset(valid, 1, sizeof valid);
    valid[0] = 0; // the north-west corner
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, SIZE));
    const wadi_hydraulic_params params = params_of(0.3);
    const double good[] = {0, FLOOR, 0, 2, 0, 0};
    wadi_solver* solver = solver_of(terrain, &params, good, 1);
    const double outside[] = {-1, FLOOR, 0, 2, 0, 0};
    const double beyond[] = {0, 2001, 0, 2, 0, 0};
    const double hole[] = {10, 1990, 0, 2, 0, 0};
    const double negative[] = {0, FLOOR, 0, -2, 0, 0};
    const double starved[] = {0, FLOOR, 0, 2, -1, 0};
    const double order[] = {0, FLOOR, 10, 2, 0, 0, 0, FLOOR, 10, 3, 0, 0};
    check_refused(solver, "outside the map", outside, 1);
    check_refused(solver, "outside the map", beyond, 1);
    check_refused(solver, "no data", hole, 1);
    check_refused(solver, "discharge", negative, 1);
    check_refused(solver, "load", starved, 1);
    check_refused(solver, "does not come after", order, 2);
    const double level = 1000.0;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    const uint64_t before = wadi_terrain_hash(terrain);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "under the sea", wadi_solver_advance(solver, 100.0));
    assert_true(wadi_terrain_hash(terrain) == before);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A sea that rises over the mouth of a river later is no mistake: its load comes down there.
static void a_river_may_drown(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = valley(&f, WADI_EDGE_OPEN);
    static const double years[] = {0.0, 150.0, 300.0};
    static const double levels[] = {0.0, 0.0, 350.0};
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, years, levels, 3));
    const wadi_hydraulic_params params = params_of(0.3);
    const double river[] = {0, FLOOR, 0, 2, 1e4, 0};
    wadi_solver* solver = solver_of(terrain, &params, river, 1);
    fixture_advance(solver, 1000.0);
    assert_true(fabs(books(terrain, WADI_MATERIAL_SEDIMENT).in - 1e7) < 1.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_discharge_arrives),
        cmocka_unit_test(rain_and_rivers_add_up),
        cmocka_unit_test(a_step_takes_the_mean_of_the_hydrograph),
        cmocka_unit_test(loads_are_booked_to_the_unit),
        cmocka_unit_test(a_loaded_river_builds_and_a_clear_one_cuts),
        cmocka_unit_test(a_closed_land_keeps_the_load),
        cmocka_unit_test(a_full_land_is_told),
        cmocka_unit_test(more_water_than_books_hold_is_told),
        cmocka_unit_test(any_cut_of_the_years_gives_one_hash),
        cmocka_unit_test(a_restored_run_goes_on),
        cmocka_unit_test(bad_rivers_are_refused),
        cmocka_unit_test(a_river_may_drown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
