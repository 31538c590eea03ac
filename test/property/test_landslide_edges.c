// SPDX-License-Identifier: MIT
// Landslides at open and periodic edges, and with invalid input.
#include "support/slope.h"

#include "terrain/ground.h"

#include <wadi/landslide.h>

#include <stdlib.h>

enum
{
    LONG = 48, // cells down the slope
    WIDE = 8   // cells across it (periodic)
};
static const double CELL = 5.0;

static int32_t strip_place(int32_t x, int32_t y, bool north)
{
    return north ? LONG - 1 - y : x; // cells from the upper end
}

// A strip of a slope to the east or north, periodic across; `valley` adds a slope towards the
// periodic edge.
static wadi_terrain* strip(fixture* f, bool north, double tangent, double valley)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = north ? WIDE : LONG;
    def.height = north ? LONG : WIDE;
    def.cell_size = CELL;
    def.seed = 5;
    def.edges[north ? WADI_SIDE_WEST : WADI_SIDE_NORTH] = WADI_EDGE_PERIODIC;
    def.edges[north ? WADI_SIDE_EAST : WADI_SIDE_SOUTH] = WADI_EDGE_PERIODIC;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float rock[LONG * WIDE];
    float soil[LONG * WIDE];
    for (int32_t c = 0; c < LONG * WIDE; ++c)
    {
        const int32_t x = c % def.width;
        const int32_t y = c / def.width;
        const int32_t across = north ? x : y;
        const int32_t aside = across < WIDE / 2 ? across : WIDE - 1 - across;
        rock[c] = (float)(200.0 + CELL * (valley * aside - tangent * strip_place(x, y, north)));
        soil[c] = 1.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, def.width));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, soil, def.width));
    return terrain;
}

// Soil of a band across the strip.
static wadi_landslide_params band(bool north)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.start = WADI_LANDSLIDE_REGION;
    params.shape = WADI_LANDSLIDE_RECTANGLE;
    params.x = north ? 0.5 * WIDE * CELL : 8.0 * CELL;
    params.y = north ? 8.0 * CELL : 0.5 * WIDE * CELL;
    params.width = north ? 2.0 * WIDE * CELL : 8.0 * CELL;
    params.height = north ? 8.0 * CELL : 2.0 * WIDE * CELL;
    params.depth = 0.8;
    params.wetness = 1.0;
    params.most = 400;
    params.longest = 12.0;
    return params;
}

// Soil entrained from the bed in addition to the released soil [m3].
static double taken_up(fixture* f, bool north)
{
    wadi_terrain* terrain = strip(f, north, 0.1, 0.8);
    wadi_landslide_params params = band(north);
    params.entrainment = 0.003;
    params.wetness = 1.0;
    params.pressure = 2.0;
    // release the soil on one side only, so that it runs up the other
    *(north ? &params.x : &params.y) *= 0.5;
    *(north ? &params.width : &params.height) = 0.5 * WIDE * CELL;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    CHECK_OK(f->context, slope_run(solver, 1.0 / 8766.0));
    fixture_check_ledger(terrain);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    const double taken = rows[WADI_MATERIAL_SEDIMENT].eroded - slope_figure(solver, "released");
    print_message("to the %s: %.0f m3 released, %.0f taken up, farthest grain %.0f m\n",
                  north ? "north" : "east", slope_figure(solver, "released"), taken,
                  slope_figure(solver, "farthest_grain"));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return taken;
}

// A grain that crosses a periodic edge has not travelled the length of the world, whichever side is
// longer.
static void entrainment_is_the_same_across_either_periodic_edge(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const double east = taken_up(&f, false);
    const double north = taken_up(&f, true);
    assert_true(north > 0.0);
    CHECK_NEAR(east, north, 0.25 * north);
    fixture_close(&f);
}

// Level soil stays at rest, also where stacks of grains meet across a periodic edge.
static void level_soil_rests_at_a_periodic_edge(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = strip(&f, false, 0.0, 0.0);
    wadi_landslide_params params = band(false);
    params.longest = 4.0;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    CHECK_OK(f.context, slope_run(solver, 1.0 / 8766.0));
    print_message("farthest grain %.2f m of %.2f m\n", slope_figure(solver, "farthest_grain"),
                  slope_figure(solver, "grain_diameter"));
    assert_true(slope_figure(solver, "farthest_grain") < slope_figure(solver, "grain_diameter"));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Before the first check the factor of safety is at its maximum, not 0.
static void nothing_fails_before_it_is_looked_at(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = strip(&f, false, 0.7, 0.0);
    const wadi_landslide_params params = band(false);
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    float stability[LONG * WIDE];
    CHECK_OK(f.context, wadi_solver_map(solver, "stability", stability));
    for (int c = 0; c < LONG * WIDE; ++c)
    {
        assert_true(stability[c] == 100.0f);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Too many grains are refused before they are counted for hours.
static void dust_is_refused_at_once(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = strip(&f, false, 0.7, 0.0);
    wadi_landslide_params params = band(false);
    static const double dust[] = {1e-3, 1e-9, 1e-300};
    for (int i = 0; i < 3; ++i)
    {
        params.diameter = dust[i];
        wadi_solver* solver;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "more than the 400 that `most` allows",
                    slope_run(solver, 1.0 / 8766.0));
        wadi_solver_destroy(solver);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entrainment_is_the_same_across_either_periodic_edge),
        cmocka_unit_test(level_soil_rests_at_a_periodic_edge),
        cmocka_unit_test(nothing_fails_before_it_is_looked_at),
        cmocka_unit_test(dust_is_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
