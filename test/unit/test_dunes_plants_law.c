// SPDX-License-Identifier: MIT
// Growth of plants in both modes: to full height on still ground, decline in a drought, burial and
// exposure by moving ground, none on rock, unchanged at rate 0.
#include "processes/dunes/dunes_plants.h"
#include "support/fixture.h"

#include <wadi/dunes.h>

enum
{
    SIDE = 24
};

typedef struct garden
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
} garden;

// A wind below the threshold over 2 m of sand; bare rock in the north.
static void garden_open(garden* g, int32_t model, double growth, double rain, double cover)
{
    fixture_open(&g->f, 2);
    g->terrain = fixture_plain(&g->f, SIDE, SIDE, 1.0, WADI_EDGE_OPEN);
    static float sand[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sand[i] = i < SIDE * SIDE / 2 ? 0.0f : 2.0f;
    }
    CHECK_OK(g->f.context, wadi_terrain_set_layer(g->terrain, WADI_LAYER_SEDIMENT, sand, SIDE));
    CHECK_OK(g->f.context, wadi_terrain_fill_layer(g->terrain, WADI_LAYER_VEGETATION, cover));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = model;
    params.speed = 1.0;
    params.threshold = 7.0;
    params.plant_growth = growth;
    params.plant_rain = rain;
    params.plant_wilting = 0.5;
    params.plant_height = 0.5;
    CHECK_OK(g->f.context,
             wadi_solver_create(g->terrain, &wadi_dunes_process, &params, 0, &g->solver));
}

static void garden_close(garden* g)
{
    wadi_solver_destroy(g->solver);
    wadi_terrain_destroy(g->terrain);
    fixture_close(&g->f);
}

static double garden_cover(const garden* g, int32_t x, int32_t y)
{
    return wadi_terrain_units(g->terrain, WADI_LAYER_VEGETATION, x, y) / 65535.0;
}

static double square(double x)
{
    return x * x;
}

static void still_ground_fills_with_plants(void** state)
{
    (void)state;
    for (int32_t model = 0; model < WADI_DUNES_MODEL_COUNT; ++model)
    {
        garden g;
        garden_open(&g, model, 0.8, 1.0, 0.0);
        for (int year = 1; year <= 5; ++year)
        {
            CHECK_OK(g.f.context, wadi_solver_advance(g.solver, 1.0));
            CHECK_OK(g.f.context, wadi_solver_finish(g.solver));
            CHECK_NEAR(garden_cover(&g, 9, 19), square(1.0 - exp(-0.8 * year)), 0.02);
        }
        assert_true(garden_cover(&g, 9, 3) == 0.0); // rock has no room for roots
        garden_close(&g);
    }
}

static void nothing_grows_at_rate_0(void** state)
{
    (void)state;
    for (int32_t model = 0; model < WADI_DUNES_MODEL_COUNT; ++model)
    {
        garden g;
        garden_open(&g, model, 0.0, 0.0, 0.3);
        CHECK_OK(g.f.context, wadi_solver_advance(g.solver, 20.0));
        CHECK_OK(g.f.context, wadi_solver_finish(g.solver));
        CHECK_NEAR(garden_cover(&g, 9, 19), 0.3, 1e-4);
        garden_close(&g);
    }
}

// Without rain plants die, except on moist ground.
static void droughts_kill_but_on_moist_ground(void** state)
{
    (void)state;
    garden g;
    garden_open(&g, WADI_DUNES_FLUX, 2.0, 0.0, 0.81);
    static float moist[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        moist[i] = i % SIDE < 4 ? 1.0f : 0.0f;
    }
    CHECK_OK(g.f.context, wadi_terrain_set_layer(g.terrain, WADI_LAYER_MOISTURE, moist, SIDE));
    CHECK_OK(g.f.context, wadi_solver_advance(g.solver, 2.0));
    CHECK_OK(g.f.context, wadi_solver_finish(g.solver));
    CHECK_NEAR(garden_cover(&g, 9, 19), square(0.9 * exp(-0.5 * 2.0)), 0.02);
    assert_true(garden_cover(&g, 2, 19) > 0.95);
    garden_close(&g);
}

// A quarter of a metre of sand, half the height of plants, deposited on them or eroded.
static void sand_that_comes_or_goes_kills(void** state)
{
    (void)state;
    garden g;
    garden_open(&g, WADI_DUNES_FLUX, 1e-6, 1.0, 1.0);
    CHECK_OK(g.f.context, wadi_solver_advance(g.solver, 1e-3));
    CHECK_OK(g.f.context, wadi_solver_finish(g.solver));
    static float sand[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sand[i] = 2.0f + (i % SIDE < 8 ? 0.25f : i % SIDE < 16 ? -0.25f : 0.0f);
    }
    CHECK_OK(g.f.context, wadi_terrain_set_layer(g.terrain, WADI_LAYER_SEDIMENT, sand, SIDE));
    CHECK_OK(g.f.context, wadi_solver_advance(g.solver, 1e-3));
    CHECK_OK(g.f.context, wadi_solver_finish(g.solver));
    CHECK_NEAR(garden_cover(&g, 4, 19), 0.25, 1e-3);
    CHECK_NEAR(garden_cover(&g, 12, 19), 0.25, 1e-3);
    assert_true(garden_cover(&g, 20, 19) > 0.999);
    // a new layer of plants replaces the cover
    CHECK_OK(g.f.context, wadi_terrain_fill_layer(g.terrain, WADI_LAYER_VEGETATION, 0.64));
    CHECK_OK(g.f.context, wadi_solver_advance(g.solver, 1e-3));
    CHECK_OK(g.f.context, wadi_solver_finish(g.solver));
    CHECK_NEAR(garden_cover(&g, 4, 19), 0.64, 1e-3);
    garden_close(&g);
}

static void plants_without_height_do_not_grow(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    wadi_terrain* terrain;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.plant_growth = 1.0;
    params.plant_height = 0.0;
    wadi_solver* solver;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "plant_height",
                wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Cover of full plants 0.5 m high after the sand has risen by `risen` metres at once, and of none
// after a year of growth.
static double cover_after(double thickness, double risen, double cover, double roots)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 4, 4, 1.0, WADI_EDGE_OPEN);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, thickness));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_VEGETATION, cover));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.plant_growth = 1.0;
    params.plant_uproot = 3.0;
    params.plant_roots = roots;
    dunes_plants* plants;
    CHECK_OK(f.context, wadi_dunes_plants_create(terrain, &params, &plants));
    wadi_dunes_plants_read(plants, (dunes_aloft){0});
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, thickness + risen));
    wadi_dunes_plants_grow(plants, (dunes_aloft){0}, 1.0);
    const double left = wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 1, 2) / 65535.0;
    wadi_dunes_plants_destroy(plants);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return left;
}

static void erosion_takes_more_plants_than_burial(void** state)
{
    (void)state;
    CHECK_NEAR(cover_after(1.0, 0.1, 1.0, 0.2), square(1.0 - 0.1 / 0.5), 0.01);
    CHECK_NEAR(cover_after(1.0, -0.1, 1.0, 0.2), square(1.0 - 3.0 * 0.1 / 0.5), 0.01);
}

static void plants_grow_where_their_roots_have_room(void** state)
{
    (void)state;
    const double grown = square(1.0 - exp(-1.0));
    assert_true(cover_after(0.0, 0.0, 0.0, 0.2) == 0.0);
    CHECK_NEAR(cover_after(0.0, 0.0, 0.0, 0.0), grown, 0.01);
    assert_true(cover_after(0.3, 0.0, 0.0, 0.7) == 0.0);
    CHECK_NEAR(cover_after(0.4, 0.0, 0.0, 0.7), grown, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_ground_fills_with_plants),
        cmocka_unit_test(nothing_grows_at_rate_0),
        cmocka_unit_test(droughts_kill_but_on_moist_ground),
        cmocka_unit_test(sand_that_comes_or_goes_kills),
        cmocka_unit_test(plants_without_height_do_not_grow),
        cmocka_unit_test(erosion_takes_more_plants_than_burial),
        cmocka_unit_test(plants_grow_where_their_roots_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
