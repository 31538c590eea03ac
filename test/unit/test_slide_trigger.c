// SPDX-License-Identifier: MIT
// Triggers of landslides compared with factors of safety computed by hand: rain that drains through
// a plane, moisture, roots, layers, and areas below the minimum.
#include "support/fixture.h"

#include "processes/landslide/landslide_internal.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

enum
{
    WIDTH = 24,
    HEIGHT = 12,
    CELLS = WIDTH * HEIGHT
};

static const double CELL = 5.0;
static const double TANGENT = 0.6;

typedef struct hill
{
    fixture f;
    wadi_terrain* terrain;
    wadi_ground* ground;
    wadi_landslide_params params;
    slide_source source;
    wadi_material top;
    wadi_material base;
} hill;

// A plane that falls to the east under two layers of soil, each with a material of its own.
static void hill_open(hill* h, double base, double top)
{
    *h = (hill){0};
    fixture_open(&h->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = CELL;
    def.loose_count = 2;
    CHECK_OK(h->f.context, wadi_terrain_create(h->f.context, &def, &h->terrain));
    h->base = (wadi_material){.name = "clay",
                              .density = 2700.0,
                              .porosity = 0.5,
                              .friction_angle = 26.0,
                              .cohesion = 3000.0,
                              .conductivity = 2e-4,
                              .grain_diameter = 1e-4};
    h->top = (wadi_material){.name = "loam",
                             .density = 2500.0,
                             .porosity = 0.3,
                             .friction_angle = 38.0,
                             .cohesion = 9000.0,
                             .conductivity = 8e-4,
                             .grain_diameter = 1e-4};
    CHECK_OK(h->f.context, wadi_terrain_set_material(h->terrain, 3, &h->base));
    CHECK_OK(h->f.context, wadi_terrain_set_material(h->terrain, 4, &h->top));
    CHECK_OK(h->f.context, wadi_terrain_set_loose(h->terrain, 0, "clay", 3));
    CHECK_OK(h->f.context, wadi_terrain_set_loose(h->terrain, 1, "loam", 4));
    h->ground = wadi_terrain_ground(h->terrain);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double rock = 500.0 - TANGENT * CELL * (i % WIDTH);
        h->ground->bedrock[i] = (int32_t)(rock * WADI_UNITS_PER_METRE);
        h->ground->loose[0][i] = (int32_t)(base * WADI_UNITS_PER_METRE);
        h->ground->loose[1][i] = (int32_t)(top * WADI_UNITS_PER_METRE);
    }
    wadi_terrain_changed(h->terrain);
    h->params = wadi_landslide_params_default();
    h->params.start = WADI_LANDSLIDE_FAILING;
    h->params.cohesion = 0.0;
    h->params.wetness = 0.0;
    h->params.rain = 0.0;
    h->params.min_area = 0.0;
}

// Parameters with which all soil, and two metres of rock, may slide.
static void hill_trigger(hill* h)
{
    h->source.soil = wadi_alloc(h->f.context, CELLS, sizeof *h->source.soil);
    h->source.rock = wadi_alloc(h->f.context, CELLS, sizeof *h->source.rock);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        h->source.soil[i] = h->ground->loose[0][i] + h->ground->loose[1][i];
        h->source.rock[i] = 2 * WADI_UNITS_PER_METRE;
    }
    CHECK_OK(h->f.context, wadi_slide_trigger(h->terrain, &h->params, &h->source));
}

static void hill_close(hill* h)
{
    wadi_slide_source_destroy(h->f.context, &h->source);
    wadi_terrain_destroy(h->terrain);
    fixture_close(&h->f);
}

// The infinite slope with the strength of the base layer and the weights of both.
static double factor_of(const hill* h, double base, double top, double roots, double wet)
{
    const double depth = base + top;
    const double density = (base * h->base.density + top * h->top.density) / depth;
    const double porosity = (base * h->base.porosity + top * h->top.porosity) / depth;
    const double weight = 9.81 * ((1.0 - porosity) * density + porosity * wet * 1000.0);
    const double friction = tan((base > 0.0 ? h->base : h->top).friction_angle * PI / 180.0);
    const double cohesion = (base > 0.0 ? h->base : h->top).cohesion + roots;
    const double angle = atan(TANGENT);
    const double normal = (weight - wet * 9810.0) * depth * cos(angle) * cos(angle);
    return (cohesion + normal * friction) / (weight * depth * sin(angle) * cos(angle));
}

static void check_all(const hill* h, double expected)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        CHECK_NEAR((double)h->source.stability[i], expected, 2e-4 * expected);
    }
}

static void a_dry_plane_has_the_factor_of_its_base(void** state)
{
    (void)state;
    static const double soils[][2] = {{1.5, 1.0}, {0.0, 1.2}, {2.5, 0.0}};
    for (size_t i = 0; i < sizeof soils / sizeof soils[0]; ++i)
    {
        hill h;
        hill_open(&h, soils[i][0], soils[i][1]);
        hill_trigger(&h);
        check_all(&h, factor_of(&h, soils[i][0], soils[i][1], 0.0, 0.0));
        hill_close(&h);
    }
}

static void roots_hold_and_moisture_lifts(void** state)
{
    (void)state;
    hill h;
    hill_open(&h, 1.5, 0.5);
    h.params.cohesion = 4000.0;
    h.params.wetness = 0.25;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        h.ground->moisture[i] = (uint16_t)(i % WIDTH < WIDTH / 2 ? 0 : 39321); // 0.6
    }
    hill_trigger(&h);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double wet = i % WIDTH < WIDTH / 2 ? 0.25 : 0.6;
        const double expected = factor_of(&h, 1.5, 0.5, 4000.0, wet);
        CHECK_NEAR((double)h.source.stability[i], expected, 2e-4 * expected);
    }
    hill_close(&h);
}

// Rain drains along the plane: m = R a / (b K z sin cos), at most 1 and at least the given
// moisture.
static void rain_raises_the_water_table_down_the_slope(void** state)
{
    (void)state;
    hill h;
    hill_open(&h, 1.5, 0.5);
    h.params.rain = 20.0; // [mm/h]
    h.params.wetness = 0.1;
    hill_trigger(&h);
    const double conductivity = (1.5 * h.base.conductivity + 0.5 * h.top.conductivity) / 2.0;
    const double angle = atan(TANGENT);
    bool saturated = false;
    bool dry = false;
    for (int32_t x = 0; x < WIDTH; ++x)
    {
        const double through = 20.0e-3 / 3600.0 * CELL * (x + 1); // [m2/s] per width of the slope
        const double room = conductivity * 2.0 * sin(angle) * cos(angle);
        const double table = fmin(1.0, fmax(0.1, through / room));
        const double expected = factor_of(&h, 1.5, 0.5, 0.0, table);
        CHECK_NEAR((double)h.source.stability[5 * WIDTH + x], expected, 2e-4 * expected);
        saturated = saturated || table == 1.0;
        dry = dry || table == 0.1;
    }
    assert_true(saturated && dry);
    hill_close(&h);
}

// Cells with a factor below 1 are released with soil and rock; others, and areas that are too
// small, are not.
static void only_large_failing_areas_slide(void** state)
{
    (void)state;
    hill h;
    hill_open(&h, 1.5, 0.5);
    h.params.wetness = 0.0;
    h.params.min_area = 6.0 * CELL * CELL;
    // factors: dry 1.02, wet 0.5
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % WIDTH;
        const int32_t y = i / WIDTH;
        const bool six = x >= 3 && x < 6 && y >= 3 && y < 5;
        const bool five = x >= 12 && x < 17 && y == 7;
        h.ground->moisture[i] = six || five ? 65535 : 0;
    }
    hill_trigger(&h);
    const double dry = factor_of(&h, 1.5, 0.5, 0.0, 0.0);
    assert_true(dry > 1.0 && dry < 1.1);
    assert_true(factor_of(&h, 1.5, 0.5, 0.0, 1.0) < 1.0);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % WIDTH;
        const int32_t y = i / WIDTH;
        const bool slides = x >= 3 && x < 6 && y >= 3 && y < 5;
        assert_int_equal(h.source.soil[i], slides ? 2 * WADI_UNITS_PER_METRE : 0);
        assert_int_equal(h.source.rock[i], slides ? 2 * WADI_UNITS_PER_METRE : 0);
    }
    assert_int_equal(h.source.areas, 1);
    assert_int_equal(h.source.largest, 6);
    CHECK_NEAR(h.source.wetness, 1.0, 1e-6);
    hill_close(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dry_plane_has_the_factor_of_its_base),
        cmocka_unit_test(roots_hold_and_moisture_lifts),
        cmocka_unit_test(rain_raises_the_water_table_down_the_slope),
        cmocka_unit_test(only_large_failing_areas_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
