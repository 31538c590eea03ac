// SPDX-License-Identifier: MIT
// What a region of a landslide cuts out of each cell: where the region lies, how deep it reaches,
// how much rock hardness lets go; and which cell lies under a place.
#include "support/fixture.h"

#include "processes/landslide/landslide_internal.h"

enum
{
    WIDTH = 20,
    HEIGHT = 12,
    CELLS = WIDTH * HEIGHT
};

static const double CELL = 5.0;

static wadi_terrain* soil_on_rock(fixture* f, double soil, double hardness)
{
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, CELL, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, soil));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hardness));
    return terrain;
}

static double metres(int32_t units)
{
    return units / 65536.0;
}

static void a_region_is_cut_down_to_its_depth(void** state)
{
    (void)state;
    static const struct
    {
        double soil, hardness, depth, rock_depth, cut, rock;
    } cases[] = {
        {3.0, 0.0, 0.0, 0.0, 3.0, 0.0}, {3.0, 0.0, 2.0, 0.0, 2.0, 0.0},
        {3.0, 0.0, 5.0, 1.0, 3.0, 1.0}, {3.0, 0.25, 9.0, 2.0, 3.0, 1.5},
        {3.0, 0.0, 4.0, 2.0, 3.0, 1.0}, {3.0, 0.5, 3.2, 1.0, 3.0, 0.2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = soil_on_rock(&f, cases[i].soil, cases[i].hardness);
        wadi_landslide_params params = wadi_landslide_params_default();
        params.shape = WADI_LANDSLIDE_CIRCLE;
        params.x = 30.0;
        params.y = 20.0;
        params.radius = 12.0;
        params.depth = cases[i].depth;
        params.rock_depth = cases[i].rock_depth;
        const slide_region region = {.params = &params};
        slide_source source = {0};
        CHECK_OK(f.context, wadi_slide_source_create(terrain, &region, &source));
        for (int32_t c = 0; c < CELLS; ++c)
        {
            // y is counted from the southern edge
            const double dx = (c % WIDTH + 0.5) * CELL - 30.0;
            const double dy = (HEIGHT - c / WIDTH - 0.5) * CELL - 20.0;
            const bool inside = dx * dx + dy * dy <= 144.0;
            CHECK_NEAR(metres(source.soil[c]), inside ? cases[i].cut : 0.0, 1e-4);
            CHECK_NEAR(metres(source.rock[c]), inside ? cases[i].rock : 0.0, 1e-4);
        }
        wadi_slide_source_destroy(f.context, &source);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void rectangles_turn_clockwise_and_outlines_close(void** state)
{
    (void)state;
    wadi_landslide_params params = wadi_landslide_params_default();
    params.shape = WADI_LANDSLIDE_RECTANGLE;
    params.x = 10.0;
    params.y = 20.0;
    params.width = 40.0;
    params.height = 4.0;
    params.azimuth = 30.0;
    slide_region region = {.params = &params};
    // its long axis points to the east and, turned, to the south of it
    assert_true(wadi_slide_region_holds(&region, 10.0 + 16.0, 20.0 - 9.2));
    assert_false(wadi_slide_region_holds(&region, 10.0 + 16.0, 20.0 + 9.2));
    assert_true(wadi_slide_region_holds(&region, 10.0 - 16.0, 20.0 + 9.2));
    assert_false(wadi_slide_region_holds(&region, 10.0 + 19.0, 20.0 - 11.0 - 3.0));
    static const double corners[4][2] = {{0.0, 0.0}, {10.0, 0.0}, {10.0, 10.0}, {0.0, 10.0}};
    region.corners = corners;
    region.corner_count = 4;
    assert_true(wadi_slide_region_holds(&region, 5.0, 5.0));
    assert_true(wadi_slide_region_holds(&region, 0.5, 9.5));
    assert_false(wadi_slide_region_holds(&region, -0.5, 5.0));
    assert_false(wadi_slide_region_holds(&region, 10.5, 5.0));
}

static void the_cell_under_a_place_is_counted_from_the_north(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = soil_on_rock(&f, 1.0, 0.0);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const double at[3] = {(c % WIDTH + 0.3) * CELL, (HEIGHT - c / WIDTH - 0.2) * CELL, 1.0};
        assert_int_equal(wadi_slide_cell_under(ground, at), c);
    }
    const double beyond[4][3] = {{-0.1, 5.0, 0.0},
                                 {5.0, -0.1, 0.0},
                                 {WIDTH * CELL + 0.1, 5.0, 0.0},
                                 {5.0, HEIGHT * CELL + 0.1, 0.0}};
    for (int i = 0; i < 4; ++i)
    {
        assert_int_equal(wadi_slide_cell_under(ground, beyond[i]), -1);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_is_cut_down_to_its_depth),
        cmocka_unit_test(rectangles_turn_clockwise_and_outlines_close),
        cmocka_unit_test(the_cell_under_a_place_is_counted_from_the_north),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
