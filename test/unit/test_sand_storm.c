// SPDX-License-Identifier: MIT
// Storms: the sea that a wind raises, the run-up of its waves, the sand that they cut from dunes,
// and where it goes.
#include "laws/sand/sand_shore_state.h"
#include "support/fixture.h"

#include <math.h>

enum
{
    WIDTH = 96,
    HEIGHT = 12
};

static const double hour = 1.0 / 8766.0; // [yr]

static sand_storm_law law_of_gales(void)
{
    return (sand_storm_law){17.0, 270.0, 2e5, 20.0, 0.05, 1e-3};
}

// Wind of 20 m/s over 200 km of sea 20 m deep. Set-up: drag (0.8 + 0.065 x 20) / 1000 x 1.22 / 1025
// x 400 x 2e5 / (9.81 x 20) = 1.019 m. JONSWAP: 0.0016 x sqrt(4905) x 400 / 9.81 = 4.57 m and
// 0.2857 x 4905^(1/3) x 20 / 9.81 = 9.90 s. Stockdon: waves of 153.0 m, 1.1 x (0.35 x 0.05 x 26.44
// + sqrt(699.0 x (0.563 x 0.0025 + 0.004)) / 2) = 1.577 m.
static void a_gale_raises_the_sea(void** state)
{
    (void)state;
    const sand_storm_law law = law_of_gales();
    const sand_storm_wind wind = {270.0, 20.0, hour, 0.0};
    const sand_storm_sea sea = wadi_sand_storm_sea(&law, &wind);
    CHECK_NEAR(sea.surge, 1.019, 0.002);
    CHECK_NEAR(sea.height, 4.569, 0.005);
    CHECK_NEAR(sea.period, 9.90, 0.02);
    CHECK_NEAR(sea.runup, 1.577, 0.006);
}

// Weaker winds and winds off the land do nothing; oblique ones count by the cosine.
static void other_winds_do_less(void** state)
{
    (void)state;
    const sand_storm_law law = law_of_gales();
    const sand_storm_wind weak = {270.0, 16.9, hour, 0.0};
    const sand_storm_wind off = {95.0, 25.0, hour, 0.0};
    const sand_storm_wind straight = {270.0, 20.0, hour, 0.0};
    const sand_storm_wind oblique = {330.0, 20.0, hour, 0.0};
    assert_true(wadi_sand_storm_sea(&law, &weak).runup == 0.0);
    assert_true(wadi_sand_storm_sea(&law, &off).surge == 0.0);
    const sand_storm_sea full = wadi_sand_storm_sea(&law, &straight);
    const sand_storm_sea half = wadi_sand_storm_sea(&law, &oblique);
    CHECK_NEAR(half.surge / full.surge, 0.5, 1e-9);
    CHECK_NEAR(half.height / full.height, sqrt(0.5), 1e-9);
}

// A full sea: 0.243 U^2 / g and 8.134 U / g. Run-up over a foreshore of 1:10 by Stockdon et al.:
// waves of 3 m and 10 s, 2.00 m.
static void limits_of_the_laws(void** state)
{
    (void)state;
    sand_storm_law law = law_of_gales();
    const sand_storm_wind wind = {270.0, 20.0, hour, 0.0};
    law.fetch = 1e7;
    law.slope = 0.1;
    const sand_storm_sea full = wadi_sand_storm_sea(&law, &wind);
    CHECK_NEAR(full.height, 0.243 * 400.0 / 9.81, 1e-9);
    CHECK_NEAR(full.period, 8.134 * 20.0 / 9.81, 1e-9);
    // run-up goes with the period and the square root of the height
    CHECK_NEAR(full.runup * 10.0 / full.period * sqrt(3.0 / full.height), 2.00, 0.01);
}

// From the west: sea that falls off at 1:20, a beach of 1:50 from the calm sea at x = 40, and a
// dune of sand from x = `dune` on, `top` high.
static void draw_coast(wadi_terrain* terrain, int32_t dune, double top)
{
    fixture f = {.context = wadi_terrain_context(terrain)};
    static float rock[WIDTH * HEIGHT];
    static float sand[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = i % WIDTH;
        const double beach = (x - 39.5) * 2.0;
        rock[i] = (float)(beach < 0.0 ? beach / 20.0 : beach / 50.0) - 3.0f;
        sand[i] = x < dune ? 3.0f : (float)(top - (double)rock[i]);
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, WIDTH));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_VEGETATION, 0.5));
}

static double sand_of(const wadi_terrain* terrain, int32_t from, int32_t until, int32_t y)
{
    double sum = 0.0;
    for (int32_t x = from; x < until; ++x)
    {
        sum += 2.0 * fixture_metres(terrain, WADI_LAYER_SEDIMENT, x, y);
    }
    return sum;
}

// A metre of dune loses 4 C (R - z)^2 t / T (Larson et al. 2004), R and z the heights of the run-up
// and of the dune's foot above the calm sea. All of it goes to the sea, without a unit lost. Waves
// end at the dune: its top and its plants stay.
static void waves_cut_dunes_by_the_law(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 2.0, WADI_EDGE_OPEN);
    draw_coast(terrain, 56, 6.0);
    const sand_shore_law law = {.runup = 1.0, .storm = law_of_gales()};
    sand_shore* shore;
    wadi_tally tally = {0};
    CHECK_OK(f->context, wadi_sand_shore_create(terrain, &law, &shore));
    const double before = sand_of(terrain, 56, WIDTH, 5);
    const double sea_before = sand_of(terrain, 0, 40, 5);
    const sand_storm_wind wind = {270.0, 20.0, 0.5 * hour, 0.0};
    assert_true(wadi_sand_storm_cut(shore, &wind, &tally));
    const sand_storm_sea sea = wadi_sand_storm_sea(&law.storm, &wind);
    const double foot = (55.0 - 39.5) * 2.0 / 50.0;
    const double above = sea.surge + sea.runup - fmax(foot, sea.surge);
    const double due = 4.0 * 1e-3 * above * above * 1800.0 / sea.period;
    const double lost = before - sand_of(terrain, 56, WIDTH, 5);
    print_message("run-up %.2f m, foot %.2f m: the dune lost %.3f m2 of %.3f\n",
                  sea.surge + sea.runup, foot, lost, due);
    CHECK_NEAR(lost / due, 1.0, 0.01);
    CHECK_NEAR(sand_of(terrain, 0, 40, 5) - sea_before, lost, 1e-3);
    assert_true(tally.eroded[WADI_MATERIAL_SEDIMENT] == tally.deposited[WADI_MATERIAL_SEDIMENT]);
    assert_true(wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 56, 5) == 0);
    assert_true(wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 60, 5) > 0);
    wadi_sand_shore_destroy(shore);
    wadi_terrain_destroy(terrain);
}

// Waves that do not reach the foot cut nothing, and neither do they cut rock.
static void waves_below_the_foot_cut_nothing(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 2.0, WADI_EDGE_OPEN);
    const sand_shore_law law = {.runup = 1.0, .storm = law_of_gales()};
    const sand_storm_wind wind = {270.0, 17.0, hour, 0.0};
    sand_shore* shore;
    wadi_tally tally = {0};
    draw_coast(terrain, 95, 20.0);
    CHECK_OK(f->context, wadi_sand_shore_create(terrain, &law, &shore));
    assert_false(wadi_sand_storm_cut(shore, &wind, &tally));
    draw_coast(terrain, 56, 6.0);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.0));
    assert_false(wadi_sand_storm_cut(shore, &wind, &tally));
    assert_true(tally.eroded[WADI_MATERIAL_SEDIMENT] == 0);
    wadi_sand_shore_destroy(shore);
    wadi_terrain_destroy(terrain);
}

// ---- in the processes --------------------------------------------------------------------------

// A year of moderate wind with a day of storm, hour by hour.
static wadi_solver* make_coast(fixture* f, const char* name, double speed)
{
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 2.0, WADI_EDGE_OPEN);
    draw_coast(terrain, 56, 6.0);
    const wadi_process* process = wadi_process_find(f->context, name);
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    CHECK_OK(f->context, wadi_field_set(f->context, process->fields, "storm_speed", speed, params));
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, process, params, 0, &solver));
    test_free(params);
    static const double winds[] = {600.0, 260.0, 9.0,  12.0, 265.0, 19.0,  12.0, 280.0,
                                   22.0,  300.0, 90.0, 8.0,  200.0, 270.0, 5.0};
    CHECK_OK(f->context, wadi_solver_set_table(solver, "series", winds, 5));
    return solver;
}

static void storms_take_sand_to_the_shore(void** state)
{
    fixture* f = *state;
    static const char* const names[] = {"dunes", "wind"};
    for (size_t i = 0; i < 2; ++i)
    {
        double dune[2];
        for (int32_t storm = 0; storm < 2; ++storm)
        {
            wadi_solver* solver = make_coast(f, names[i], storm ? 17.0 : 0.0);
            wadi_terrain* terrain = wadi_solver_terrain(solver);
            fixture_advance(solver, 1124.0 / 8766.0);
            fixture_check_ledger(terrain);
            dune[storm] = sand_of(terrain, 56, WIDTH, 5);
            wadi_solver_destroy(solver);
            wadi_terrain_destroy(terrain);
        }
        print_message("%s: storms of a day took %.1f m2 of the dune\n", names[i],
                      dune[0] - dune[1]);
        assert_true(dune[0] - dune[1] > 1.0);
    }
}

static wadi_solver* make_dunes(fixture* f)
{
    return make_coast(f, "dunes", 17.0);
}

static wadi_solver* make_wind(fixture* f)
{
    return make_coast(f, "wind", 17.0);
}

static void cuts_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(make_dunes, 0.13);
    fixture_check_cuts(make_wind, 0.13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gale_raises_the_sea),
        cmocka_unit_test(other_winds_do_less),
        cmocka_unit_test(limits_of_the_laws),
        cmocka_unit_test(waves_cut_dunes_by_the_law),
        cmocka_unit_test(waves_below_the_foot_cut_nothing),
        cmocka_unit_test(storms_take_sand_to_the_shore),
        cmocka_unit_test(cuts_change_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
