// SPDX-License-Identifier: MIT
// The process talus against known results: soil production by its closed form, retreat of cliffs by
// weathering at any azimuth, scree at its angle of repose.
#include "support/fixture.h"

#include <stdlib.h>

enum
{
    SIDE = 96,
    CELLS = SIDE * SIDE
};

static const double degree = 3.14159265358979323846 / 180.0;

static wadi_terrain* plain_of(fixture* f, double cell)
{
    return fixture_plain(f, SIDE, SIDE, cell, WADI_EDGE_OPEN);
}

// Rock 80 m high behind a straight cliff through the middle that faces `azimuth`.
static wadi_terrain* cliff_of(fixture* f, double azimuth)
{
    wadi_terrain* terrain = plain_of(f, 4.0);
    float* heights = test_malloc(CELLS * sizeof *heights);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % SIDE - 0.5 * SIDE;
        const double y = 0.5 * SIDE - i / SIDE;
        const double ahead = x * sin(azimuth * degree) + y * cos(azimuth * degree);
        heights[i] = ahead < 0.0 ? 80.0f : 0.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    test_free(heights);
    return terrain;
}

static wadi_talus_params params_of(double rate)
{
    wadi_talus_params params = wadi_talus_params_default();
    params.weathering = rate;
    params.rock_repose = 90.0; // walls change by weathering only
    return params;
}

// Mean over all cells of weathering beyond `least` [m]: more than that is weathering of the cliff,
// not of soil.
static double weather(wadi_terrain* terrain, const wadi_talus_params* params, double years,
                      double least)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = NULL;
    float* map = test_malloc(CELLS * sizeof *map);
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_talus_process, params, 0, &solver));
    fixture_advance(solver, years);
    CHECK_OK(context, wadi_solver_map(solver, "weathered", map));
    double sum = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += (double)map[i] > least ? (double)map[i] : 0.0;
    }
    wadi_solver_destroy(solver);
    test_free(map);
    fixture_check_ledger(terrain);
    return sum / CELLS;
}

// H = H0 ln(1 + W0 t / H0) on flat rock, in one step or in many.
static void soil_is_made_as_the_closed_form_says(void** state)
{
    (void)state;
    static const double steps[] = {20000.0, 100.0, 1.0};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = plain_of(&f, 10.0);
        wadi_talus_params params = params_of(0.1);
        params.max_step = steps[i];
        const double years = steps[i] > 1.0 ? 20000.0 : 300.0;
        const double expected = params.cover_depth * log(1.0 + 1e-4 * years / params.cover_depth);
        CHECK_NEAR(weather(terrain, &params, years, 0.0), expected, 2e-3 * expected);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Without the feedback of the cover, soil production would not slow down.
static void cover_protects_rock(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_talus_params params = params_of(0.1);
    wadi_terrain* covered = plain_of(&f, 10.0);
    wadi_terrain* bare = plain_of(&f, 10.0);
    const double with = weather(covered, &params, 50000.0, 0.0);
    params.cover_depth = 100.0;
    const double without = weather(bare, &params, 50000.0, 0.0);
    assert_true(with < 0.25 * without);
    wadi_terrain_destroy(covered);
    wadi_terrain_destroy(bare);
    fixture_close(&f);
}

static double weather_cliff(double azimuth, double max_step)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = cliff_of(&f, azimuth);
    wadi_talus_params params = params_of(1.0);
    params.max_step = max_step;
    params.cover_depth = 0.01; // so that only faces matter
    const double mean = weather(terrain, &params, 1000.0, 0.5);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return mean;
}

// In 1000 years a wall retreats by a metre; a tenth of its height is buried by its own debris
// meanwhile.
static void cliffs_retreat_alike_at_any_azimuth(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 37.0, 90.0, 217.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        const double mean = weather_cliff(azimuths[i], 100.0);
        const double turn = azimuths[i] * degree;
        const double length = SIDE * 4.0 / fmax(fabs(sin(turn)), fabs(cos(turn)));
        const double back = mean * CELLS * 16.0 / (length * 80.0);
        print_message("cliff to %g degrees: went back %.3f m in 1000 years\n", azimuths[i], back);
        CHECK_NEAR(back, 1.0, 0.15);
    }
}

static void half_the_step_changes_little(void** state)
{
    (void)state;
    const double once = weather_cliff(37.0, 500.0);
    const double twice = weather_cliff(37.0, 250.0);
    print_message("mean weathering %.4f m in steps of 500 years, %.4f of 250\n", once, twice);
    CHECK_NEAR(twice, once, 0.1 * once);
}

// Slope of the ground [degree] by central differences.
static double slope_at(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    const double run = 2.0 * wadi_terrain_cell_size(terrain) * WADI_UNITS_PER_METRE;
    const double dx = (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x + 1, y) -
                      wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x - 1, y);
    const double dy = (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y + 1) -
                      wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y - 1);
    return atan(sqrt(dx * dx + dy * dy) / run) / degree;
}

// A cell and its eight neighbours have more debris than soil production makes.
static bool is_scree(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    bool deep = true;
    for (int32_t k = 0; k < 9; ++k)
    {
        deep = deep && wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, x + k % 3 - 1,
                                          y + k / 3 - 1) > 4 * WADI_UNITS_PER_METRE;
    }
    return deep;
}

static void scree_rests_at_repose(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 37.0};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = cliff_of(&f, azimuths[i]);
        const wadi_talus_params params = params_of(2.0);
        (void)weather(terrain, &params, 10000.0, 0.0);
        double sum = 0.0;
        double most = 0.0;
        int32_t count = 0;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            const int32_t x = c % SIDE;
            const int32_t y = c / SIDE;
            const bool inside = x > 1 && y > 1 && x < SIDE - 2 && y < SIDE - 2;
            if (inside && is_scree(terrain, x, y))
            {
                sum += slope_at(terrain, x, y);
                most = fmax(most, slope_at(terrain, x, y));
                count += 1;
            }
        }
        print_message("cliff to %g degrees: %d cells of scree at %.2f degrees, at most %.2f\n",
                      azimuths[i], count, sum / count, most);
        assert_true(count > 200);
        assert_true(most < params.repose + 1.0);
        CHECK_NEAR(sum / count, params.repose, 1.5);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void rock_must_hold_more_than_its_debris(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f, 10.0);
    wadi_talus_params params = wadi_talus_params_default();
    params.rock_repose = 20.0;
    wadi_solver* solver = NULL;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "rock_repose is 20",
                wadi_solver_create(terrain, &wadi_talus_process, &params, 0, &solver));
    assert_null(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soil_is_made_as_the_closed_form_says),
        cmocka_unit_test(cover_protects_rock),
        cmocka_unit_test(cliffs_retreat_alike_at_any_azimuth),
        cmocka_unit_test(half_the_step_changes_little),
        cmocka_unit_test(scree_rests_at_repose),
        cmocka_unit_test(rock_must_hold_more_than_its_debris),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
