// SPDX-License-Identifier: MIT
// Measurements of landslides: the failing layer, run-out across periodic edges, and released
// volumes beyond the range of heights.
#include "support/slope.h"

#include "terrain/ground.h"

#include <wadi/landslide.h>

#include <math.h>

static wadi_solver* solver_of(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

// ---- which layer
// ---------------------------------------------------------------------------------

enum
{
    SLOPE_SIDE = 16,
    CLAY = 3 // row of the materials
};

// Two metres of sand on one of clay, on a slope of 0.5.
static wadi_terrain* sand_on_clay(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SLOPE_SIDE;
    def.cell_size = 5.0;
    def.loose_count = 2;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    wadi_material clay = *wadi_terrain_material(terrain, WADI_MATERIAL_SEDIMENT);
    clay.friction_angle = 10.0;
    CHECK_OK(f->context, wadi_terrain_set_material(terrain, CLAY, &clay));
    CHECK_OK(f->context, wadi_terrain_set_loose(terrain, 0, "clay", CLAY));
    CHECK_OK(f->context, wadi_terrain_set_loose(terrain, 1, "sand", WADI_MATERIAL_SEDIMENT));
    float rock[SLOPE_SIDE * SLOPE_SIDE];
    for (int32_t c = 0; c < SLOPE_SIDE * SLOPE_SIDE; ++c)
    {
        rock[c] = 100.0f - 0.5f * 5.0f * (float)(c % SLOPE_SIDE);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SLOPE_SIDE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_LOOSE, 1.0));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_LOOSE + 1, 2.0));
    return terrain;
}

static double least_stability(fixture* f, double depth)
{
    wadi_terrain* terrain = sand_on_clay(f);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.cohesion = 0.0;
    params.depth = depth;
    params.min_area = 1e9; // compute stability only
    wadi_solver* solver = solver_of(terrain, &params);
    CHECK_OK(f->context, slope_run(solver, 1e-6));
    const double least = slope_figure(solver, "least_stability");
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return least;
}

// Factor of safety of dry soil without cohesion: tan phi of the layer at the base over the slope,
// independent of the layers below it.
static void the_layer_at_the_base_gives_way(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const double radian = 0.017453292519943295;
    const double sand = least_stability(&f, 1.5);
    const double clay = least_stability(&f, 2.5);
    print_message("1.5 m deep %.3f, 2.5 m deep %.3f\n", sand, clay);
    CHECK_NEAR(clay, tan(10.0 * radian) / 0.5, 1e-3);
    assert_true(sand > 2.0 * clay);
    CHECK_NEAR(least_stability(&f, 0.0), clay, 1e-6);
    fixture_close(&f);
}

// ---- how far
// -------------------------------------------------------------------------------------

enum
{
    BOWL_SIDE = 24
};

static double bowl_apart(int32_t cell)
{
    return cell < BOWL_SIDE / 2 ? cell + 0.5 : BOWL_SIDE - cell - 0.5;
}

// A bowl around the corner of a periodic world, with soil on one side.
static wadi_terrain* bowl(fixture* f)
{
    wadi_terrain* terrain = fixture_plain(f, BOWL_SIDE, BOWL_SIDE, 5.0, WADI_EDGE_PERIODIC);
    float rock[BOWL_SIDE * BOWL_SIDE];
    float soil[BOWL_SIDE * BOWL_SIDE];
    for (int32_t c = 0; c < BOWL_SIDE * BOWL_SIDE; ++c)
    {
        const int32_t x = c % BOWL_SIDE;
        const int32_t y = c / BOWL_SIDE;
        rock[c] = (float)(4.0 * hypot(bowl_apart(x), bowl_apart(y)));
        soil[c] = x >= 4 && x < 10 && bowl_apart(y) < 3.0 ? 3.0f : 0.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, BOWL_SIDE));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, soil, BOWL_SIDE));
    return terrain;
}

// Soil runs west through the corner and stops just beyond the periodic edge.
static void runout_goes_the_shorter_way_round(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = bowl(&f);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.start = WADI_LANDSLIDE_REGION;
    params.wetness = 1.0;
    params.most = 300;
    params.longest = 30.0;
    wadi_solver* solver = solver_of(terrain, &params);
    CHECK_OK(f.context, slope_run(solver, 1e-5));
    int64_t beyond = 0;
    for (int32_t c = 0; c < BOWL_SIDE * BOWL_SIDE; ++c)
    {
        beyond += c % BOWL_SIDE >= BOWL_SIDE - 4
                      ? wadi_terrain_ground(terrain)->loose[0][c] / WADI_UNITS_PER_METRE
                      : 0;
    }
    const double runout = slope_figure(solver, "runout");
    print_message("run-out %.1f m; %d m x cells beyond the seam\n", runout, (int)beyond);
    assert_true(beyond > 0);
    assert_true(runout > 20.0 && runout < 0.75 * BOWL_SIDE * 5.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- how much
// ------------------------------------------------------------------------------------

// Twelve kilometres of soil, released three times: the sum exceeds the range of heights.
static void released_volume_may_exceed_the_range_of_heights(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 8, 8, 100.0, WADI_EDGE_CLOSED);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 12000.0));
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.start = WADI_LANDSLIDE_REGION;
    params.most = 150;
    params.overlap = 0.1; // softer, to keep the stiffness within its limit
    params.longest = 0.1;
    wadi_solver* solver = solver_of(terrain, &params);
    for (int i = 0; i < 3; ++i)
    {
        CHECK_OK(f.context, slope_run(solver, 1e-6));
    }
    float source[64];
    CHECK_OK(f.context, wadi_solver_map(solver, "source", source));
    double sum = 0.0;
    for (int i = 0; i < 64; ++i)
    {
        sum += (double)source[i];
    }
    CHECK_NEAR(sum / 64.0, 36000.0, 1.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_layer_at_the_base_gives_way),
        cmocka_unit_test(runout_goes_the_shorter_way_round),
        cmocka_unit_test(released_volume_may_exceed_the_range_of_heights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
