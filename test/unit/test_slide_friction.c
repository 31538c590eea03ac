// SPDX-License-Identifier: MIT
// Friction of flows by class and volume, and the volumes of slides that begin together.
#include "support/fixture.h"

#include "processes/landslide/landslide_state.h"

#include <math.h>
#include <string.h>

// Values by the relations as printed, and what a given friction and turbulence replace.
static void friction_falls_with_volume(void** state)
{
    (void)state;
    static const struct
    {
        int32_t law;
        int32_t kind;
        double given;
        double volume;
        double friction;
    } cases[] = {
        {WADI_LANDSLIDE_ANY_VOLUME, WADI_LANDSLIDE_DEBRIS_FLOW, 0.0, 1e6, 0.2},
        {WADI_LANDSLIDE_ANY_VOLUME, WADI_LANDSLIDE_ROCK_AVALANCHE, 0.0, 1e6, 0.1},
        {WADI_LANDSLIDE_LUCAS, WADI_LANDSLIDE_DEBRIS_FLOW, 0.0, 1e3, 0.5858683},
        {WADI_LANDSLIDE_LUCAS, WADI_LANDSLIDE_ROCK_AVALANCHE, 0.0, 1e9, 0.2010944},
        {WADI_LANDSLIDE_LUCAS, WADI_LANDSLIDE_DEBRIS_FLOW, 0.0, 0.0, 1.0},
        {WADI_LANDSLIDE_COROMINAS, WADI_LANDSLIDE_DEBRIS_FLOW, 0.0, 1e4, 0.3698282},
        {WADI_LANDSLIDE_COROMINAS, WADI_LANDSLIDE_CHANNELISED, 0.0, 1e4, 0.3698282},
        {WADI_LANDSLIDE_COROMINAS, WADI_LANDSLIDE_ROCK_AVALANCHE, 0.0, 1e7, 0.2798981},
        {WADI_LANDSLIDE_COROMINAS, WADI_LANDSLIDE_ROCK_AVALANCHE, 0.0, 1.0, 1.0},
        {WADI_LANDSLIDE_LUCAS, WADI_LANDSLIDE_DEBRIS_FLOW, 0.3, 1e9, 0.3},
    };
    for (int32_t k = 0; k < WADI_COUNT(cases); ++k)
    {
        wadi_landslide_params params = wadi_landslide_params_default();
        params.volume_law = cases[k].law;
        params.kind = cases[k].kind;
        params.friction = cases[k].given;
        CHECK_NEAR(wadi_landslide_flow_friction(&params, cases[k].volume), cases[k].friction, 1e-6);
    }
    wadi_landslide_params params = wadi_landslide_params_default();
    CHECK_NEAR(wadi_landslide_flow_turbulence(&params), 200.0, 0.0);
    params.volume_law = WADI_LANDSLIDE_LUCAS;
    CHECK_NEAR(wadi_landslide_flow_turbulence(&params), 1e6, 0.0);
    params.friction = 0.3; // then no relation holds
    CHECK_NEAR(wadi_landslide_flow_turbulence(&params), 200.0, 0.0);
    params.turbulence = 700.0;
    CHECK_NEAR(wadi_landslide_flow_turbulence(&params), 700.0, 0.0);
}

enum
{
    SIDE = 8
};

// Two areas that touch at a corner, one across a periodic edge, and one alone.
static void volumes_are_those_of_connected_areas(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    landslide_state slides;
    memset(&slides, 0, sizeof slides);
    slides.terrain = fixture_plain(&f, SIDE, SIDE, 10.0, WADI_EDGE_PERIODIC);
    slides.source.soil = test_calloc((size_t)SIDE * SIDE, sizeof *slides.source.soil);
    slides.source.rock = test_calloc((size_t)SIDE * SIDE, sizeof *slides.source.rock);
    slides.source.soil[1 * SIDE + 0] = 1 << 16;
    slides.source.rock[1 * SIDE + 7] = 1 << 15; // across the edge
    slides.source.soil[2 * SIDE + 1] = 1 << 16; // at a corner
    slides.source.soil[5 * SIDE + 4] = 3 << 16;
    CHECK_OK(f.context, wadi_landslide_volumes(&slides));
    CHECK_NEAR((double)slides.volumes[1 * SIDE + 0], 250.0, 1e-3);
    CHECK_NEAR((double)slides.volumes[1 * SIDE + 7], 250.0, 1e-3);
    CHECK_NEAR((double)slides.volumes[2 * SIDE + 1], 250.0, 1e-3);
    CHECK_NEAR((double)slides.volumes[5 * SIDE + 4], 300.0, 1e-3);
    CHECK_NEAR((double)slides.volumes[0], 0.0, 0.0);
    wadi_free(f.context, slides.volumes);
    test_free(slides.source.soil);
    test_free(slides.source.rock);
    wadi_terrain_destroy(slides.terrain);
    fixture_close(&f);
}

// A block of ten times the thickness runs farther for its fall.
static void large_slides_run_farther(void** state)
{
    (void)state;
    double reach[2];
    for (int32_t k = 0; k < 2; ++k)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_plain(&f, 100, 40, 10.0, WADI_EDGE_OPEN);
        float rock[100 * 40];
        for (int32_t c = 0; c < 100 * 40; ++c)
        {
            rock[c] = fmaxf(0.0f, 200.0f - 6.0f * (float)(c % 100));
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, 100));
        CHECK_OK(f.context,
                 wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, k == 0 ? 1.0 : 10.0));
        wadi_landslide_params params = wadi_landslide_params_default();
        params.model = WADI_LANDSLIDE_RUNNER;
        params.start = WADI_LANDSLIDE_REGION;
        params.shape = WADI_LANDSLIDE_CIRCLE;
        params.x = 100.0;
        params.y = 200.0;
        params.radius = 50.0;
        params.volume_law = WADI_LANDSLIDE_LUCAS;
        params.bed_rate = 0.0;
        params.longest = 120.0;
        params.interval = 1e-5;
        wadi_solver* solver;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
        CHECK_OK(f.context, wadi_solver_advance(solver, 1e-5));
        CHECK_OK(f.context, wadi_solver_settle(solver));
        reach[k] = fixture_figure(solver, "fall") / fixture_figure(solver, "runout");
        print_message("%.0f m3: fall over run-out %.3f\n", fixture_figure(solver, "released"),
                      reach[k]);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_true(reach[1] < 0.9 * reach[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_falls_with_volume),
        cmocka_unit_test(volumes_are_those_of_connected_areas),
        cmocka_unit_test(large_slides_run_farther),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
