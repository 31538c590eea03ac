// SPDX-License-Identifier: MIT
// The equations of the flux model of dunes, one by one, in numbers: docs/theory/dunes.md.
#include "processes/dunes/dunes_plants.h"
#include "processes/dunes/flux.h"
#include "support/fixture.h"

#include "terrain/ground.h"

enum
{
    COUNT = 3 // cells of a row that are computed
};

static const flux_kernels* kernels(void)
{
    return flux_kernels_of(wadi_isa_best());
}

static void constants_follow_from_the_parameters(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 16, 16, 2.0, WADI_EDGE_OPEN);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.abrasion = 0.01;
    void* made;
    CHECK_OK(f.context, wadi_dunes_flux_api.create(terrain, &params, 0, &made));
    flux* own = made;
    const wind_spell wind = {270.0, 20.0, 1.0};
    own->fastest = wind.speed;
    wadi_flux_law_set(own, &wind, 0.01);
    const double ratio = 7.07 / 20.0;
    const double path = 0.85; // cells of a pass; the load's lag and half a cell are a length of 1
    CHECK_NEAR(wadi_flux_law_saturated(own, 20.0), 400.0 * 4.0 * (1.0 - ratio * ratio) / 0.5, 1e-9);
    CHECK_NEAR((double)own->law.share, path / (path + 1.0 - 0.5), 1e-6);
    CHECK_NEAR((double)own->law.creep.slope, 0.8 / 2.0, 1e-6);
    CHECK_NEAR((double)own->law.wear.rate, 0.01 * FLUX_PASSES * path * 2.0, 1e-8);
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// One cell of plants on a plain, at the corner where the edges meet: the share of the stress that
// reaches the ground there, one cell east and two cells east of it, and diagonally west and north.
static void plants_shelter_their_neighbours(wadi_edge edges, float beside, float across)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 8, 6, 2.0, edges);
    static float cover[6 * 8];
    cover[0] = 1.0f;
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_VEGETATION, cover, 8));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.plant_drag = 16.0;
    params.plant_growth = 1.0;
    void* made;
    CHECK_OK(f.context, wadi_dunes_flux_api.create(terrain, &params, 0, &made));
    flux* own = made;
    CHECK_OK(f.context, wadi_flux_freeze(own));
    const float* first = own->skin + flux_at(own, 0);
    CHECK_NEAR((double)first[1], (double)beside, 1e-6);
    CHECK_NEAR((double)first[2], 1.0, 1e-6);
    CHECK_NEAR((double)own->skin[flux_at(own, 5) + 7], (double)across, 1e-6);
    wadi_dunes_flux_api.destroy(own);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Weights 1 2 1 along both axes, over 16. Beyond an edge the cell at the edge counts again.
static void plants_shelter_a_neighbourhood(void** state)
{
    (void)state;
    plants_shelter_their_neighbours(WADI_EDGE_PERIODIC, 1.0f / (1.0f + 2.0f), 1.0f / (1.0f + 1.0f));
    plants_shelter_their_neighbours(WADI_EDGE_OPEN, 1.0f / (1.0f + 3.0f), 1.0f);
}

// Stress over ground whose potential is bend x y, which rises by (0.1, 0.2) a cell, under shelter.
// The cell stands `high` above its neighbours, under a roof 1 m above them.
static float stress_of(float bend, float lead, float shelter, float high)
{
    const flux_shear_law law = {
        .gain = 1.0f, .lead = lead, .cap = 4.0f, .shelter = shelter, .exposure = 0.25f};
    float shape[3][COUNT + 2];
    float smooth[3][COUNT + 2];
    for (int y = 0; y < 3; ++y)
    {
        for (int x = 0; x < COUNT + 2; ++x)
        {
            shape[y][x] = bend * (float)((x - 2) * (y - 1));
            smooth[y][x] = 0.1f * (float)x + 0.2f * (float)y;
        }
    }
    float level[3][COUNT + 2];
    for (int y = 0; y < 3; ++y)
    {
        for (int x = 0; x < COUNT + 2; ++x)
        {
            level[y][x] = y == 1 && x == 2 ? high : 0.0f;
        }
    }
    const float roof[COUNT] = {1.0f, 1.0f, 1.0f};
    const float one[COUNT] = {1.0f, 1.0f, 1.0f};
    const float none[COUNT] = {0.0f, 0.0f, 0.0f};
    const float ex[COUNT] = {0.6f, 0.6f, 0.6f};
    const float ey[COUNT] = {0.8f, 0.8f, 0.8f};
    float stress[COUNT];
    float drift[COUNT];
    int32_t capacity[COUNT];
    const flux_shear_row row = {.count = COUNT,
                                .law = &law,
                                .shape = {shape[0] + 1, shape[1] + 1, shape[2] + 1},
                                .deep = {shape[0] + 1, shape[1] + 1, shape[2] + 1},
                                .smooth = {smooth[0] + 1, smooth[1] + 1, smooth[2] + 1},
                                .level = {level[0] + 1, level[1] + 1, level[2] + 1},
                                .roof = roof,
                                .plants = none,
                                .skin = one,
                                .bond = one,
                                .ex = ex,
                                .ey = ey,
                                .strength = one,
                                .stress = stress,
                                .drift = drift,
                                .capacity = capacity};
    kernels()->shear(&row);
    return stress[1];
}

static void stress_follows_shape_slope_and_shelter(void** state)
{
    (void)state;
    CHECK_NEAR((double)stress_of(0.0f, 0.0f, 0.0f, 0.0f), 1.0, 1e-6);
    CHECK_NEAR((double)stress_of(0.25f, 0.0f, 0.0f, 0.0f), 1.0 - 2.0 * 0.48 * 0.25, 1e-6);
    CHECK_NEAR((double)stress_of(0.0f, 1.0f, 0.0f, 0.0f), 1.0 + 0.6 * 0.1 + 0.8 * 0.2, 1e-6);
    CHECK_NEAR((double)stress_of(0.0f, 0.0f, 0.4f, 0.0f), 0.36, 1e-6); // (1 - 0.4)^2
    // 1 - 1/4 of the height is above the mean of the neighbourhood
    CHECK_NEAR((double)stress_of(0.0f, 0.0f, 0.0f, 0.4f), 1.0 + 0.25 * 0.75 * 0.4, 1e-6);
}

// A pass has the mean c and the variance `spread` beyond it.
static void loads_move_with_their_wind(void** state)
{
    (void)state;
    const int32_t load[COUNT] = {100000, 200000, 400000};
    const float e[COUNT] = {1.0f, -0.5f, 0.0f};
    int32_t forward[COUNT];
    int32_t back[COUNT];
    const flux_parts_row row = {.count = COUNT,
                                .load = load,
                                .e = e,
                                .path = 0.8f,
                                .spread = 0.1f,
                                .forward = forward,
                                .back = back};
    kernels()->parts(&row);
    for (int i = 0; i < COUNT; ++i)
    {
        const double c = 0.8 * (double)e[i];
        CHECK_NEAR((double)(forward[i] - back[i]), c * load[i], 2.0);
        CHECK_NEAR((double)(forward[i] + back[i]), (0.1 + c * c) * load[i], 2.0);
    }
}

// Equation 13 on a slope of 0.5 that faces the wind, and on its brink.
static void rock_wears_by_exposure_and_on_edges(void** state)
{
    (void)state;
    const flux_wear_law law = {.rate = 1e-3f, .per_cell = 1.0f, .edge = 2.0f, .cover = 0.01f};
    const float here[COUNT + 2] = {0.0f, 0.5f, 1.0f, 1.5f, 1.5f};
    const int32_t sand[COUNT] = {0, 50, 0};
    const int32_t load[COUNT] = {1000, 1000, 1000};
    const float stress[COUNT] = {1.0f, 1.0f, 1.0f};
    const float ex[COUNT] = {1.0f, 1.0f, 1.0f};
    const float ey[COUNT] = {0.0f};
    float due[COUNT] = {0.0f};
    const flux_wear_row row = {.count = COUNT,
                               .law = &law,
                               .level = {here + 1, here + 1, here + 1},
                               .floor = here + 1,
                               .sand = sand,
                               .load = load,
                               .stress = stress,
                               .ex = ex,
                               .ey = ey,
                               .due = due};
    (void)kernels()->wear(&row);
    CHECK_NEAR((double)due[0], 0.65, 1e-5);
    CHECK_NEAR((double)due[1], 0.5 * 0.65, 1e-5);                        // half covered
    CHECK_NEAR((double)due[2], (0.15 + 0.25) * (1.0 + 2.0 * 0.5), 1e-5); // convex by 0.5
}

// Grains fly in a cloud 2 m high over a floor at 0: what a plain and a face of slope 1 at 3 m,
// whose foot is at 2 m, lose over a plain at the floor.
static void rock_wears_less_above_the_floor(void** state)
{
    (void)state;
    const flux_wear_law law = {.rate = 1e-3f, .per_cell = 1.0f, .cover = 0.01f, .above = 0.5f};
    const float level[COUNT][3] = {{0.0f, 0.0f, 0.0f}, {3.0f, 3.0f, 3.0f}, {2.0f, 3.0f, 4.0f}};
    const float lowest[1] = {0.0f};
    const int32_t sand[1] = {0};
    const int32_t load[1] = {1000};
    const float one[1] = {1.0f};
    const float none[1] = {0.0f};
    float due[COUNT] = {0.0f};
    for (int i = 0; i < COUNT; ++i)
    {
        const flux_wear_row row = {.count = 1,
                                   .law = &law,
                                   .level = {level[i] + 1, level[i] + 1, level[i] + 1},
                                   .floor = lowest,
                                   .sand = sand,
                                   .load = load,
                                   .stress = one,
                                   .ex = one,
                                   .ey = none,
                                   .due = due + i};
        (void)kernels()->wear(&row);
    }
    const double high = pow(1.0 + 1.5 / 16.0, -16.0); // close to exp(-1.5)
    const double foot = pow(1.0 + 1.0 / 16.0, -16.0);
    CHECK_NEAR((double)due[0], 0.15, 1e-6);
    CHECK_NEAR((double)due[1], 0.15 * high, 1e-6);
    CHECK_NEAR((double)due[2], 0.15 * high + foot, 1e-5);
}

// Wind over bare rock: the share `dust` of it leaves the map and the ledger, the rest is sand.
static void worn_rock_becomes_dust_and_sand(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 24, 16, 1.0, WADI_EDGE_OPEN);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.abrasion = 0.5;
    params.inflow = 0.5;
    params.dust = 0.75;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        assert_int_equal(rows[i].residual_units, 0);
    }
    const wadi_ledger_row* rock = &rows[WADI_MATERIAL_ROCK];
    assert_true(rock->eroded > 1.0);
    CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].lost, 0.75 * rock->eroded, 0.01 * rock->eroded);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Sand rolls down with the load of the cell that it comes from, whichever side that is.
static void creep_uses_the_load_of_the_giving_cell(void** state)
{
    (void)state;
    const flux_creep_law law = {.slope = 0.5f, .most = 1e6f, .amount = 1.0f};
    const float high[COUNT] = {1.0f, 0.0f, 1.0f};
    const float low[COUNT] = {0.0f, 1.0f, 1.0f};
    const float sand[COUNT] = {1e6f, 1e6f, 1e6f};
    const float none[COUNT] = {0.0f};
    const int32_t much[COUNT] = {1000, 1000, 1000};
    const int32_t little[COUNT] = {100, 100, 100};
    int32_t moved[COUNT];
    const flux_creep_row row = {.count = COUNT,
                                .law = &law,
                                .near = {high, sand, much, none, none},
                                .far = {low, sand, little, none, none},
                                .turn = 1.0f,
                                .flux = moved};
    kernels()->creep(&row);
    assert_int_equal(moved[0], 500);
    assert_int_equal(moved[1], -50);
    assert_int_equal(moved[2], 0);
}

// In a drought the height of plants falls as exp(-t / 2), within a percent; cover is its square.
// Burial or exposure by a tenth of their height reduces it as much.
static void plants_wilt_at_their_rate(void** state)
{
    (void)state;
    for (int moved = -1; moved <= 1; ++moved)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = fixture_flat(&f, 8, 8);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_VEGETATION, 1.0));
        wadi_dunes_params params = wadi_dunes_params_default();
        params.plant_growth = 1.0;
        params.plant_rain = 0.0;
        params.plant_wilting = 0.5;
        params.plant_height = 0.5;
        dunes_plants* plants = NULL;
        CHECK_OK(f.context, wadi_dunes_plants_create(terrain, &params, &plants));
        wadi_dunes_plants_read(plants, (dunes_aloft){0});
        CHECK_OK(f.context,
                 wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0 + 0.05 * moved));
        wadi_dunes_plants_grow(plants, (dunes_aloft){0}, 1.0);
        const double share = exp(-0.5) - (moved != 0 ? 0.1 : 0.0);
        const wadi_ground* ground = wadi_terrain_ground(terrain);
        CHECK_NEAR((double)ground->vegetation[9] / 65535.0, share * share, 0.005);
        wadi_dunes_plants_destroy(plants);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_shelter_a_neighbourhood),
        cmocka_unit_test(constants_follow_from_the_parameters),
        cmocka_unit_test(stress_follows_shape_slope_and_shelter),
        cmocka_unit_test(loads_move_with_their_wind),
        cmocka_unit_test(rock_wears_by_exposure_and_on_edges),
        cmocka_unit_test(rock_wears_less_above_the_floor),
        cmocka_unit_test(worn_rock_becomes_dust_and_sand),
        cmocka_unit_test(creep_uses_the_load_of_the_giving_cell),
        cmocka_unit_test(plants_wilt_at_their_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
