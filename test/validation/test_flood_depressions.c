// SPDX-License-Identifier: MIT
// labels: medium
// Model "inertial" of process flood on ground with depressions, after tests 1 and 2 of the
// Environment Agency's benchmarks (Neelz & Pender 2013), rebuilt from their description: water
// stays behind a sill, and fills depressions one after the other.
#include "support/surge.h"

#include <math.h>

// ---- test 1: a body of water that is cut off ----------------------------------------------------

// 700 m of ground that rises to the west, with a trough behind a sill of 10.25 m.
static double sill_ground(double x, double y, const void* shape)
{
    static const double at[][2] = {{0.0, 11.2},    {100.0, 10.4},  {250.0, 9.8}, {300.0, 9.8},
                                   {450.0, 10.25}, {500.0, 10.25}, {700.0, 9.2}};
    (void)y;
    (void)shape;
    int32_t k = 0;
    while (k < 5 && x > at[k + 1][0])
    {
        ++k;
    }
    return at[k][1] + (at[k + 1][1] - at[k][1]) * (x - at[k][0]) / (at[k + 1][0] - at[k][0]);
}

static void water_stays_behind_a_sill(void** state)
{
    (void)state;
    enum
    {
        LENGTH = 70,
        WIDTH = 10
    };
    surge s;
    surge_open(&s, LENGTH, WIDTH, 10.0, WADI_EDGE_CLOSED, sill_ground, NULL);
    s.params.roughness = 0.03;
    s.params.from_x = s.params.to_x = 695.0;
    // water comes from the low end, until it stands at 10.35 m everywhere
    double room = 0.0;
    for (int32_t x = 0; x < LENGTH; ++x)
    {
        room += fmax(10.35 - sill_ground((x + 0.5) * 10.0, 0.0, NULL), 0.0) * 10.0 * 100.0;
    }
    surge_create(&s);
    const double peak = room / (4.0 * 3600.0);
    const double rise[][2] = {{0.0, peak}, {4.0, peak}, {4.001, 0.0}};
    surge_hydrograph(&s, &rise[0][0], 3);
    surge_run(&s, 9.0);
    print_message("level %.4f m at the low end, %.4f m in the trough\n",
                  surge_level(&s, LENGTH - 1, 5), surge_level(&s, 28, 5));
    assert_true(fabs(surge_level(&s, LENGTH - 1, 5) - 10.35) < 0.003);
    assert_true(fabs(surge_level(&s, 28, 5) - 10.35) < 0.003);

    // then it leaves there; the trough keeps what lies below its sill
    float* water = test_calloc(LENGTH * WIDTH, sizeof *water);
    for (int32_t i = 0; i < LENGTH * WIDTH; ++i)
    {
        water[i] = i % LENGTH < 50 ? (float)surge_depth(&s, i % LENGTH, i / LENGTH) : 0.0f;
    }
    CHECK_OK(s.f.context, wadi_terrain_set_layer(s.terrain, WADI_LAYER_WATER, water, LENGTH));
    test_free(water);
    surge_run(&s, 20.0);
    print_message("afterwards %.4f m in the trough, sill 10.25 m\n", surge_level(&s, 28, 5));
    assert_true(surge_level(&s, 28, 5) > 10.2499 && surge_level(&s, 28, 5) < 10.256);
    surge_close(&s);
}

// ---- test 2: sixteen depressions ----------------------------------------------------------------

// 2 km of ground that falls by 1:1500 to the south and by 1:3000 to the east, with depressions of
// about half a metre, 4 by 4.
static double dented_ground(double x, double y, const void* shape)
{
    (void)shape;
    const double pi = 3.14159265358979;
    const double dent = sin(pi * x / 500.0) * sin(pi * y / 500.0);
    return 10.0 + y / 1500.0 - x / 3000.0 - 0.6 * dent * dent;
}

static void depressions_fill_one_after_the_other(void** state)
{
    (void)state;
    enum
    {
        SIDE = 100
    };
    surge s;
    surge_open(&s, SIDE, SIDE, 20.0, WADI_EDGE_CLOSED, dented_ground, NULL);
    s.params.roughness = 0.03;
    s.params.from_x = s.params.to_x = 10.0;
    s.params.from_y = 1900.0;
    s.params.to_y = 2000.0;
    static const double rows[][2] = {
        {0.0, 0.0}, {0.17, 20.0}, {1.25, 20.0}, {1.42, 0.0}, {48.0, 0.0}};
    surge_create(&s);
    surge_hydrograph(&s, &rows[0][0], 5);
    surge_run(&s, 48.0);
    int32_t wet = 0;
    double stored = 0.0;
    for (int32_t k = 0; k < 16; ++k)
    {
        const int32_t x0 = k % 4 * 25;
        const int32_t y0 = k / 4 * 25;
        double low = 1e9;
        double high = 0.0;
        double volume = 0.0;
        for (int32_t i = 0; i < 625; ++i)
        {
            const int32_t x = x0 + i % 25;
            const int32_t y = y0 + i / 25;
            const double depth = surge_depth(&s, x, y);
            volume += depth * 400.0;
            low = depth > 0.02 ? fmin(low, surge_level(&s, x, y)) : low;
            high = depth > 0.02 ? fmax(high, surge_level(&s, x, y)) : high;
        }
        stored += volume;
        wet += volume > 500.0 ? 1 : 0;
        print_message("%6.0f m3 %s%s", volume, high - low > 0.02 && volume > 500.0 ? "!" : "",
                      k % 4 == 3 ? "\n" : "");
        // still water is level
        assert_true(volume < 500.0 || high - low < 0.02);
    }
    print_message("%d depressions hold %.0f m3\n", wet, stored);
    assert_true(wet >= 4 && wet <= 12);
    assert_true(fabs(stored / 90000.0 - 1.0) < 0.01);
    assert_true(fixture_figure(s.solver, "fastest") < 2.0);
    surge_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_stays_behind_a_sill),
        cmocka_unit_test(depressions_fill_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
