// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 10
// The scenes of the article's figures, with fewer grains: each reproduces the result of its figure.
#include "scene/earth_scene.h"

#include <stdio.h>

enum
{
    LAYERS = WADI_GRAIN_MAX_MATERIALS
};

// State of the grains of one body at the end.
typedef struct layer_course
{
    int32_t count;
    double height; // mean at the end [m]
    double fell;   // mean [m]
    double way;    // mean, from where they were [m]
    double west;   // the westernmost [m]
    double east;
    double water; // water over grain mass, mean
    double depth; // of the water's middle below the highest grain [m]
} layer_course;

static layer_course course_of(const earth_scene* e, int32_t material)
{
    layer_course c = {.west = (double)INFINITY, .east = -(double)INFINITY};
    double top = -(double)INFINITY;
    double moment = 0.0;
    for (int32_t i = 0; i < e->count; ++i)
    {
        const double* now = e->grains[i].position;
        if (e->grains[i].material != material)
        {
            continue;
        }
        double square = 0.0;
        for (int a = 0; a < 3; ++a)
        {
            const double d = now[a] - e->before[i].position[a];
            square += d * d;
        }
        c.count += 1;
        c.height += now[2];
        c.fell += e->before[i].position[2] - now[2];
        c.way += sqrt(square);
        c.water += e->grains[i].wetness;
        moment += e->grains[i].wetness * now[2];
        c.west = now[0] < c.west ? now[0] : c.west;
        c.east = now[0] > c.east ? now[0] : c.east;
        top = now[2] > top ? now[2] : top;
    }
    c.depth = c.water > 0.0 ? top - moment / c.water : 0.0;
    c.height /= c.count;
    c.fell /= c.count;
    c.way /= c.count;
    c.water /= c.count;
    return c;
}

static double radius_of(const earth_scene* e)
{
    double most = 0.0;
    for (int32_t i = 0; i < e->count; ++i)
    {
        most = e->grains[i].radius > most ? e->grains[i].radius : most;
    }
    return most;
}

// ---- dry ----------------------------------------------------------------------------------------

static void sand_becomes_a_pile_and_soil_stands(void** state)
{
    (void)state;
    static const char* const few[] = {"earth.most=500", "earth.for=2 s", NULL};
    earth_scene e;
    earth_scene_open(&e, "earth-sand", NULL, few, 1);
    const layer_course sand = course_of(&e, 0);
    const double low = sand.height / (sand.height + sand.fell);
    print_message("sand: its middle falls to %.2f of what it was, %.2f m wide\n", low,
                  sand.east - sand.west);
    assert_true(low < 0.7 && sand.east - sand.west > 1.8);
    earth_scene_close(&e);

    earth_scene_open(&e, "earth-soil", NULL, few, 1);
    const layer_course soil = course_of(&e, 0);
    const double farthest = earth_scene_figure(&e, "farthest");
    print_message("soil: farthest %.4f m of %.3f m\n", farthest, 2.0 * radius_of(&e));
    assert_true(farthest < 0.1 * radius_of(&e) && soil.way < farthest);
    assert_true(earth_scene_figure(&e, "broken") == 0.0);
    earth_scene_close(&e);
}

static void sand_falls_against_soil_which_stands(void** state)
{
    (void)state;
    static const char* const few[] = {"earth.most=900", "earth.for=1.5 s", NULL};
    earth_scene e;
    earth_scene_open(&e, "earth-fall", NULL, few, 1);
    const layer_course soil = course_of(&e, 0);
    const layer_course sand = course_of(&e, 1);
    print_message("soil: mean way %.4f m; sand: %.3f m, as far as %.2f and %.2f m\n", soil.way,
                  sand.way, sand.west, sand.east);
    assert_true(soil.way < 0.2 * radius_of(&e));
    assert_true(sand.way > 4.0 * radius_of(&e));
    assert_true(sand.west < 2.2 + 2.0 * radius_of(&e) && sand.east > 3.6); // soil ends at 2.2 m
    earth_scene_close(&e);
}

enum
{
    COLUMN_BINS = 256
};

// Width of a heap around x = 1.5 m that is 0.1 m deep, over 0.6 m. Its edge is where grains cover
// three tenths of the floor, in strips as wide as a grain; the farthest grain would measure one
// that rolled on alone.
static double column_growth(const earth_scene* e)
{
    const double width = 2.0 * radius_of(e);
    double covered[COLUMN_BINS] = {0.0};
    for (int32_t i = 0; i < e->count; ++i)
    {
        const double bin = floor((e->grains[i].position[0] - 1.5) / width) + COLUMN_BINS / 2.0;
        const double r = e->grains[i].radius;
        if (bin >= 0.0 && bin < COLUMN_BINS)
        {
            covered[(int32_t)bin] += 3.14159265 * r * r / (0.1 * width);
        }
    }
    int32_t east = COLUMN_BINS / 2;
    int32_t west = COLUMN_BINS / 2 - 1;
    while (east < COLUMN_BINS && covered[east] > 0.3)
    {
        ++east;
    }
    while (west >= 0 && covered[west] > 0.3)
    {
        --west;
    }
    return (east - west - 1) * width / 0.6;
}

static double column_collapse(const char* name, const char* most)
{
    const char* const few[] = {most, "earth.for=1.2 s", NULL};
    earth_scene e;
    earth_scene_open(&e, name, NULL, few, 1);
    const double growth = column_growth(&e);
    print_message("%s: %.2f times as wide\n", name, growth);
    earth_scene_close(&e);
    return growth;
}

// Widths at the end over those at the start in granular-column-a0.5 and -a1.42-contact-dynamics.dat
// (Lagree, Staron & Popinet 2011) are 1.94 and 4.48.
static void slow_columns_spread_as_in_contact_dynamics(void** state)
{
    (void)state;
    CHECK_NEAR(column_collapse("earth-column-low", "earth.most=1600") / 1.94, 1.0, 0.15);
    CHECK_NEAR(column_collapse("earth-column-tall", "earth.most=2400") / 4.48, 1.0, 0.15);
}

// ---- wet ----------------------------------------------------------------------------------------

static void rain_goes_as_deep_as_soils_let_it(void** state)
{
    (void)state;
    static const char* const few[] = {"earth.most=900", NULL};
    earth_scene e;
    earth_scene_open(&e, "earth-wetness", NULL, few, 1);
    const layer_course sand = course_of(&e, 0);
    const layer_course loam = course_of(&e, 1);
    const layer_course clay = course_of(&e, 2);
    print_message("water's middle: sand %.3f, loam %.3f, clay %.3f m deep; clay took %.2f\n",
                  sand.depth, loam.depth, clay.depth, clay.water / sand.water);
    assert_true(sand.depth > loam.depth && loam.depth > clay.depth);
    assert_true(clay.water < 0.9 * sand.water); // the rest ran off
    assert_true(fabs(loam.water / sand.water - 1.0) < 0.1);
    assert_true(earth_scene_figure(&e, "runoff") > 0.0);
    earth_scene_close(&e);
}

// The layer of six that is wettest when the tightest is `tight`.
static int32_t wettest_above(int32_t tight)
{
    char tightened[64];
    (void)snprintf(tightened, sizeof tightened, "steps.0.earth.soil.%d.conductivity=5e-7 m/s",
                   tight);
    const char* const overrides[] = {"earth.most=500", "steps.0.earth.soil.3.conductivity=5e-5 m/s",
                                     tightened, NULL};
    earth_scene e;
    earth_scene_open(&e, "earth-layers", NULL, overrides, 1);
    int32_t wettest = 0;
    for (int32_t l = 0; l < 6; ++l)
    {
        const double water = course_of(&e, l).water;
        print_message(" %.3f", water);
        wettest = water > course_of(&e, wettest).water ? l : wettest;
    }
    print_message(", tightest %d, wettest %d\n", tight + 1, wettest + 1);
    earth_scene_close(&e);
    return wettest;
}

static void water_gathers_above_the_tightest_layer(void** state)
{
    (void)state;
    for (int32_t tight = 2; tight < 5; ++tight)
    {
        assert_int_equal(wettest_above(tight), tight - 1);
    }
}

// ---- wet, and moving ----------------------------------------------------------------------------

static void slow_a_roof_stands_dry_and_falls_wet(void** state)
{
    (void)state;
    static const char* const dry[] = {"earth.most=500", "earth.rain=0", NULL};
    earth_scene e;
    earth_scene_open(&e, "earth-roof", NULL, dry, 1);
    const double farthest = earth_scene_figure(&e, "farthest");
    print_message("dry: farthest %.3f m, %g asleep of %d\n", farthest,
                  earth_scene_figure(&e, "asleep"), e.count);
    assert_true(farthest < radius_of(&e) && earth_scene_figure(&e, "broken") == 0.0);
    assert_int_equal((int)earth_scene_figure(&e, "asleep"), e.count);
    earth_scene_close(&e);

    static const char* const wet[] = {"earth.most=500", NULL};
    earth_scene_open(&e, "earth-roof", NULL, wet, 1);
    const double failed = earth_scene_figure(&e, "failed");
    const layer_course roof = course_of(&e, 0);
    print_message("wet: falls after %.0f s, by %.2f m\n", failed, roof.fell);
    assert_true(failed > 600.0 && roof.fell > 0.1); // rain begins after 600 s
    earth_scene_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sand_becomes_a_pile_and_soil_stands),
        cmocka_unit_test(sand_falls_against_soil_which_stands),
        cmocka_unit_test(slow_columns_spread_as_in_contact_dynamics),
        cmocka_unit_test(rain_goes_as_deep_as_soils_let_it),
        cmocka_unit_test(water_gathers_above_the_tightest_layer),
        cmocka_unit_test(slow_a_roof_stands_dry_and_falls_wet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
