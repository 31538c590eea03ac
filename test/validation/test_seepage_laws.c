// SPDX-License-Identifier: MIT
// Water in soil against closed forms: diffusion, two layers, the front of Green and Ampt, water
// perched on a tight layer, and the wettest of six layers.
#include "support/fixture.h"

#include <stdlib.h>

#include <wadi/seepage.h>

enum
{
    MOST = 2000
};

// A column of cubes along z, the first at the bottom.
typedef struct column
{
    fixture f;
    wadi_seepage_params params;
    wadi_soil soils[6];
    int32_t soil_count;
    wadi_seepage_node nodes[MOST];
    int32_t count;
    double cell; // [m]
    wadi_seepage* seepage;
} column;

static column the_column;

static column* column_open(int32_t count, double cell, double saturation)
{
    column* c = &the_column;
    memset(c, 0, sizeof *c);
    fixture_open(&c->f, 1);
    c->params = wadi_seepage_params_default();
    for (int i = 0; i < 6; ++i)
    {
        c->soils[i] = wadi_soil_default();
        c->soils[i].shape = 1.0;
        c->soils[i].suction = 0.5;
    }
    c->soil_count = 1;
    c->count = count;
    c->cell = cell;
    for (int32_t i = 0; i < count; ++i)
    {
        c->nodes[i] = (wadi_seepage_node){.position = {0.0, 0.0, cell * (i + 0.5)},
                                          .room = cell * cell * cell,
                                          .saturation = saturation};
    }
    return c;
}

static void column_fill(column* c)
{
    CHECK_OK(c->f.context, wadi_seepage_create(c->f.context, &c->params, c->soils, c->soil_count,
                                               c->nodes, c->count, &c->seepage));
}

static void column_close(column* c)
{
    assert_int_equal(wadi_seepage_account(c->seepage).residual, 0);
    wadi_seepage_destroy(c->seepage);
    fixture_close(&c->f);
}

static void advance(column* c, double seconds)
{
    CHECK_OK(c->f.context, wadi_seepage_advance(c->seepage, seconds));
}

static double saturation[MOST];

// Linear suction and conductivity make a diffusion: w = erfc(x / 2 sqrt(D t)), D = K suction / n.
static void a_horizontal_column_diffuses(void** state)
{
    (void)state;
    column* c = column_open(200, 0.01, 0.0);
    c->soils[0].exponent = 0.0;
    c->params.gravity = 0.0;
    c->params.step = 2.0;
    column_fill(c);
    CHECK_OK(c->f.context, wadi_seepage_hold(c->seepage, 0, 0.0));
    const double diffusivity = 3e-6 * 0.5 / 0.4;
    const double time = 5e3;
    advance(c, time);
    wadi_seepage_saturation(c->seepage, saturation);
    for (int32_t i = 0; i < 150; ++i)
    {
        const double x = 0.01 * i; // from the middle of the held node
        CHECK_NEAR(saturation[i], erfc(x / (2.0 * sqrt(diffusivity * time))), 0.01);
    }
    column_close(c);
}

// Two layers between a wet and a dry end: the value between them, and one flux through both.
static void two_layers_share_a_flux(void** state)
{
    (void)state;
    column* c = column_open(60, 0.01, 0.5);
    c->soil_count = 2;
    c->soils[0].exponent = 0.0;
    c->soils[1].exponent = 0.0;
    c->soils[1].conductivity = 1e-6;
    for (int32_t i = 40; i < 60; ++i)
    {
        c->nodes[i].soil = 1;
    }
    c->params.gravity = 0.0;
    c->params.step = 1e4;
    column_fill(c);
    CHECK_OK(c->f.context, wadi_seepage_hold(c->seepage, 0, 0.0));
    CHECK_OK(c->f.context, wadi_seepage_hold(c->seepage, 59, -0.5));
    advance(c, 1e7);
    wadi_seepage_saturation(c->seepage, saturation);
    // from the middles of the held nodes: 0.395 m of the first soil, 0.195 m of the second
    const double a = 3e-6 / 0.395;
    const double b = 1e-6 / 0.195;
    const double between = a * 1.0 / (a + b);
    // the two nodes beside the border, half a cell from it each
    const double flux = a * (1.0 - between);
    CHECK_NEAR(saturation[39], between + flux * 0.005 / 3e-6, 0.005);
    CHECK_NEAR(saturation[40], between - flux * 0.005 / 1e-6, 0.005);
    column_close(c);
}

// Green & Ampt 1911 under a pond: F - d n ln(1 + F / (d n)) = K t, where d is the mean suction over
// conductivity, here suction x B(exponent + 1, 1 / shape) / shape. Their soil conducts fully up to
// a sharp front: a curve that is flat near saturation comes near it, a straight one does not (with
// shape 1 the law is Talsma & Parlange's 1972, which soaks 12 % less after 10 h).
static void a_front_follows_green_and_ampt(void** state)
{
    (void)state;
    column* c = column_open(300, 0.01, 0.0);
    c->params.step = 240.0;
    c->soils[0].exponent = 3.0;
    c->soils[0].shape = 8.0;
    c->soils[0].suction = 0.15;
    column_fill(c);
    CHECK_OK(c->f.context, wadi_seepage_hold(c->seepage, 299, 0.0));
    const double start = wadi_seepage_account(c->seepage).now;
    // B(4, 1/8) / 8 = 3! / ((1/8 + 1)(1/8 + 2)(1/8 + 3))
    const double d = 0.15 * 6.0 / (1.125 * 2.125 * 3.125) * 0.4;
    for (int hour = 10; hour <= 80; hour += 35)
    {
        advance(c, hour * 3600.0 - wadi_seepage_account(c->seepage).time);
        const wadi_seepage_books books = wadi_seepage_account(c->seepage);
        // what is below the held node's middle, per area
        const double soaked = (books.now - start) / (0.01 * 0.01) - 0.5 * 0.4 * 0.01;
        double low = 0.0;
        double high = 10.0;
        for (int i = 0; i < 60; ++i)
        {
            const double f = 0.5 * (low + high);
            *(f - d * log(1.0 + f / d) < 3e-6 * books.time ? &low : &high) = f;
        }
        CHECK_NEAR(soaked, low, 0.05 * low);
    }
    column_close(c);
}

// Rain between the conductivities of a loose layer and a tight one below it: water ponds on the
// tight one and rises by (R - K2) over the free pore volume.
static void water_stands_on_a_tight_layer(void** state)
{
    (void)state;
    column* c = column_open(120, 0.025, 0.0);
    c->soil_count = 2;
    c->soils[0].conductivity = 5e-7;
    c->soils[1].conductivity = 8e-5;
    c->soils[0].suction = 0.02;
    c->soils[1].suction = 0.02;
    const double rain = 2e-6;
    const double wet = cbrt(rain / 8e-5); // saturation that carries the rain
    for (int32_t i = 0; i < 120; ++i)
    {
        c->nodes[i].soil = i < 40 ? 0 : 1;
        c->nodes[i].saturation = i < 40 ? 1.0 : wet;
    }
    c->params.base = WADI_SEEPAGE_BASE_FREE;
    c->params.rain = rain;
    c->params.step = 30.0;
    column_fill(c);
    double level[2];
    for (int k = 0; k < 2; ++k)
    {
        advance(c, k == 0 ? 6e3 : 3e4);
        wadi_seepage_saturation(c->seepage, saturation);
        double sum = 0.0;
        for (int32_t i = 40; i < 120; ++i)
        {
            sum += (saturation[i] - wet) / (1.0 - wet) * 0.025;
        }
        level[k] = sum;
    }
    // the flux under a head of H over a tight layer of 1 m is K2 (1 + H / 1 m)
    const double room = 0.4 * (1.0 - wet);
    const double mean = 0.5 * (level[0] + level[1]);
    const double rise = (rain - 5e-7 * (1.0 + mean)) / room;
    CHECK_NEAR((level[1] - level[0]) / 3e4, rise, 0.05 * rise);
    assert_true(level[1] > 0.1);
    assert_true(saturation[45] > 0.999 && saturation[110] < 0.5);
    column_close(c);
}

// Six layers, rain from above: the wettest on average lies on the tightest, in any order.
static void water_gathers_above_the_tightest(void** state)
{
    (void)state;
    static const double conductivities[6] = {3e-5, 1e-5, 3e-6, 4e-5, 2e-5, 1e-7};
    for (int shift = 0; shift < 5; ++shift)
    {
        column* c = column_open(60, 0.025, 0.2);
        c->soil_count = 6;
        int tight = -1;
        for (int i = 0; i < 6; ++i)
        {
            c->soils[i].conductivity = conductivities[(i + shift + 1) % 6];
            c->soils[i].suction = 0.05;
            tight = c->soils[i].conductivity == 1e-7 ? i : tight;
        }
        for (int32_t i = 0; i < 60; ++i)
        {
            c->nodes[i].soil = i / 10;
        }
        c->params.rain = 1e-6;
        c->params.base = WADI_SEEPAGE_BASE_FREE;
        column_fill(c);
        advance(c, 2.5e5);
        wadi_seepage_saturation(c->seepage, saturation);
        int wettest = 0;
        double most = 0.0;
        for (int layer = 0; layer < 6; ++layer)
        {
            double sum = 0.0;
            for (int32_t i = 10 * layer; i < 10 * layer + 10; ++i)
            {
                sum += saturation[i];
            }
            wettest = sum > most ? layer : wettest;
            most = sum > most ? sum : most;
        }
        assert_int_equal(wettest, tight + 1);
        column_close(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_horizontal_column_diffuses),
        cmocka_unit_test(two_layers_share_a_flux),
        cmocka_unit_test(a_front_follows_green_and_ampt),
        cmocka_unit_test(water_stands_on_a_tight_layer),
        cmocka_unit_test(water_gathers_above_the_tightest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
