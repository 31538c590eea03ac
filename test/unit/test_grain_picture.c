// SPDX-License-Identifier: MIT
// Pictures of grains: shape and position of balls, light and shadow, colours, independence of
// threads.
#include "support/fixture.h"

#include <stdlib.h>

#include <wadi/grain_picture.h>

enum
{
    WIDE = 160,
    HIGH = 120
};

typedef struct picture
{
    uint8_t rgb[HIGH][WIDE][3];
} picture;

static wadi_grain_picture_params small_params(void)
{
    wadi_grain_picture_params params = wadi_grain_picture_params_default();
    params.width = WIDE;
    params.height = HIGH;
    params.camera_azimuth = 180.0; // from the south: east is to the right
    return params;
}

static void draw(fixture* f, const wadi_grain* grains, int32_t count,
                 const wadi_grain_picture_params* params, picture* out)
{
    CHECK_OK(f->context, wadi_grain_picture(f->context, grains, count, NULL, NULL, NULL, params,
                                            &out->rgb[0][0][0]));
}

static int brightness(const picture* p, int x, int y)
{
    return p->rgb[y][x][0] + p->rgb[y][x][1] + p->rgb[y][x][2];
}

// A body keeps a given colour; others get theirs from the palette in order.
static void bodies_have_colours(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_grain balls[] = {{.radius = 1.0}, {.position = {4.0}, .radius = 1.0, .material = 1}};
    const int32_t given[] = {WADI_GRAIN_COLOUR_AUTO, WADI_GRAIN_COLOUR_BLACK};
    const int32_t ochre[] = {WADI_GRAIN_COLOUR_OCHRE, WADI_GRAIN_COLOUR_GREY};
    const wadi_grain_picture_params params = small_params();
    static picture p[3];
    const int32_t* const colours[] = {NULL, given, ochre};
    for (int k = 0; k < 3; ++k)
    {
        CHECK_OK(f.context, wadi_grain_picture(f.context, balls, 2, colours[k], NULL, NULL, &params,
                                               &p[k].rgb[0][0][0]));
    }
    assert_memory_equal(&p[2], &p[0], sizeof p[0]);
    int32_t darker[2] = {0, 0}; // shaded pixels in the west and in the east
    for (int i = 0; i < WIDE * HIGH; ++i)
    {
        const int x = i % WIDE;
        const int y = i / WIDE;
        darker[x > WIDE / 2] += brightness(&p[1], x, y) + 60 < brightness(&p[0], x, y);
        assert_true(brightness(&p[1], x, y) <= brightness(&p[0], x, y) + 3);
    }
    assert_int_equal(darker[0], 0);
    assert_true(darker[1] > 20);
    fixture_close(&f);
}

// A ball fills 86 % of the height; the sun in the west lights its left and shades the floor on its
// right.
static void the_sun_lights_one_side(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const wadi_grain ball = {.position = {1e5, -1e5, 300.0}, .radius = 2.0};
    wadi_grain_picture_params params = small_params();
    params.sun_azimuth = 270.0;
    params.sun_altitude = 30.0;
    static picture p;
    draw(&f, &ball, 1, &params, &p);
    const int r = (int)(0.3 * HIGH);
    assert_true(brightness(&p, WIDE / 2 - r, HIGH / 2) >
                brightness(&p, WIDE / 2 + r, HIGH / 2) + 60);
    // ochre: more red than blue, unlike the floor
    assert_true(p.rgb[HIGH / 2][WIDE / 2][0] > p.rgb[HIGH / 2][WIDE / 2][2] + 30);
    // the floor beside the ball, at the height of its foot
    const int y = (int)(0.75 * HIGH);
    assert_true(brightness(&p, 8, y) > brightness(&p, WIDE - 30, y) + 60);
    fixture_close(&f);
}

static void colours_show_the_chosen_property(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_grain grains[2] = {
        {.position = {-1.0, 0.0, 1.0}, .radius = 1.0, .wetness = 0.0, .velocity = {3.0, 0.0, 4.0}},
        {.position = {1.0, 0.0, 1.0}, .radius = 1.0, .wetness = 0.4, .material = 1}};
    wadi_grain_picture_params params = small_params();
    static picture p;
    const int left = WIDE / 2 - HIGH / 5;
    const int right = WIDE / 2 + HIGH / 5;
    params.shade = WADI_GRAIN_SHADE_WETNESS;
    draw(&f, grains, 2, &params, &p);
    assert_true(p.rgb[HIGH / 2][right][2] > p.rgb[HIGH / 2][right][0] + 40); // blue
    assert_true(brightness(&p, left, HIGH / 2) > brightness(&p, right, HIGH / 2) + 100);
    params.shade = WADI_GRAIN_SHADE_SPEED;
    draw(&f, grains, 2, &params, &p);
    assert_true(brightness(&p, left, HIGH / 2) > brightness(&p, right, HIGH / 2) + 200);
    params.value_max = 1e6; // far above both speeds
    draw(&f, grains, 2, &params, &p);
    assert_true(brightness(&p, left, HIGH / 2) < 200);
    fixture_close(&f);
}

enum
{
    POOL = 20
};

// A pool of water of `layers` particles, and a red ball in its middle; returns how many there are.
static int32_t pool_fill(wadi_grain* grains, int32_t layers)
{
    const int32_t count = POOL * POOL * layers;
    for (int32_t i = 0; i < count; ++i)
    {
        grains[i] = (wadi_grain){
            .position = {i % POOL + 0.3 * (i / 7 % 2), i / POOL % POOL, -(double)(i / POOL / POOL)},
            .radius = 0.5,
            .material = WADI_GRAIN_WATER};
    }
    grains[count] = (wadi_grain){
        .position = {0.5 * POOL, 0.5 * POOL, -(double)layers - 2.0}, .radius = 2.0, .material = 2};
    return count;
}

// Largest change of brightness from one pixel of the water to the next, in the middle of the pool.
static int roughness(const picture* p)
{
    int most = 0;
    for (int x = WIDE / 2 - 20; x < WIDE / 2 + 20; ++x)
    {
        for (int y = HIGH / 2 - 12; y < HIGH / 2 + 12; ++y)
        {
            const int step = abs(brightness(p, x, y) - brightness(p, x + 1, y));
            most = step > most ? step : most;
        }
    }
    return most;
}

// Water is one smooth surface, through which what lies behind is seen, less of it in deep water; as
// particles and in colours of speed it is balls.
static void water_is_a_surface(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static wadi_grain grains[POOL * POOL * 6 + 1];
    wadi_grain_picture_params params = small_params();
    params.camera_elevation = 80.0;
    static picture p;
    int red[2];
    for (int k = 0; k < 2; ++k)
    {
        const int32_t count = pool_fill(grains, k == 0 ? 1 : 6);
        draw(&f, grains, count, &params, &p);
        print_message("steps of brightness of a surface: %d\n", roughness(&p));
        assert_true(roughness(&p) <= 12);
        const int bare = p.rgb[HIGH / 2][WIDE / 2][0] - p.rgb[HIGH / 2][WIDE / 2][2];
        assert_true(bare < -20);
        draw(&f, grains, count + 1, &params, &p);
        red[k] = p.rgb[HIGH / 2][WIDE / 2][0] - p.rgb[HIGH / 2][WIDE / 2][2] - bare;
    }
    print_message("a red ball behind one and six layers: %d, %d\n", red[0], red[1]);
    assert_true(red[0] > 30 && red[1] < red[0] / 2);
    params.water = WADI_GRAIN_PICTURE_PARTICLES;
    draw(&f, grains, POOL * POOL * 6, &params, &p);
    assert_true(roughness(&p) > 40);
    static picture speed[2];
    params.shade = WADI_GRAIN_SHADE_SPEED;
    draw(&f, grains, POOL * POOL * 6, &params, &speed[0]);
    params.water = WADI_GRAIN_PICTURE_SURFACE;
    draw(&f, grains, POOL * POOL * 6, &params, &speed[1]);
    assert_memory_equal(&speed[0], &speed[1], sizeof speed[0]);
    fixture_close(&f);
}

// A level surface looks much the same from somewhat lower, down to low angles: its brightness has
// no jump where the slope of its depth passes a limit.
static void water_is_even_at_low_angles(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static wadi_grain grains[POOL * POOL * 6 + 1];
    const int32_t count = pool_fill(grains, 6);
    wadi_grain_picture_params params = small_params();
    params.zoom = 1.5;
    int before = 0;
    for (int elevation = 32; elevation >= 16; elevation -= 4)
    {
        params.camera_elevation = elevation;
        static picture p;
        draw(&f, grains, count, &params, &p);
        const int now = brightness(&p, WIDE / 2, HIGH / 2 - 6);
        print_message("from %d degrees: %d\n", elevation, now);
        if (before > 0)
        {
            CHECK_NEAR(now, before, 15.0);
        }
        before = now;
    }
    fixture_close(&f);
}

// The floor behind a plate of water is darker than without it, and bluer, where the sun comes
// through; beside that it has its own colour.
static void water_casts_a_blue_shadow(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static wadi_grain plate[POOL * POOL * 4];
    for (int i = 0; i < POOL * POOL * 4; ++i)
    {
        plate[i] =
            (wadi_grain){.position = {-19.0 + 0.5 * (i % POOL), -5.0 + 0.5 * (i / POOL % POOL),
                                      12.0 + 0.5 * (i / POOL / POOL)},
                         .radius = 0.25,
                         .material = WADI_GRAIN_WATER};
    }
    const double low[] = {-20.0, -10.0, 0.0};
    const double high[] = {20.0, 10.0, 16.0};
    wadi_grain_picture_params params = small_params();
    params.camera_elevation = 89.0;
    params.sun_azimuth = 270.0; // the shadow lies in the east, in the middle of the picture
    params.sun_altitude = 45.0;
    static picture p[2];
    for (int k = 0; k < 2; ++k)
    {
        CHECK_OK(f.context, wadi_grain_picture(f.context, plate, k * POOL * POOL * 4, NULL, low,
                                               high, &params, &p[k].rgb[0][0][0]));
    }
    const uint8_t* bare = p[0].rgb[HIGH / 2][WIDE / 2 - 6];
    const uint8_t* shaded = p[1].rgb[HIGH / 2][WIDE / 2 - 6];
    print_message("floor %d %d %d, in the shadow of water %d %d %d\n", bare[0], bare[1], bare[2],
                  shaded[0], shaded[1], shaded[2]);
    assert_true(shaded[0] < bare[0] - 30);
    assert_true(shaded[2] - shaded[0] > bare[2] - bare[0] + 10);
    CHECK_NEAR(brightness(&p[1], WIDE - 20, HIGH / 2), brightness(&p[0], WIDE - 20, HIGH / 2), 3.0);
    fixture_close(&f);
}

// Drops that overlap in the picture and are far from each other have no pale rims, nor a seam of
// light between them: hardly a pixel is much brighter than those of each drop alone and of the
// floor (634 were with rims, and 50 with the seam).
static void drops_before_drops_have_no_rims(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_grain drops[] = {
        {.position = {-0.7, 0.0, 1.0}, .radius = 1.0, .material = WADI_GRAIN_WATER},
        {.position = {0.7, 0.0, 16.0}, .radius = 1.0, .material = WADI_GRAIN_WATER}};
    const double low[] = {-3.0, -2.0, 0.0};
    const double high[] = {3.0, 2.0, 17.0};
    wadi_grain_picture_params params = small_params();
    params.camera_elevation = 89.0;
    params.zoom = 2.5;
    static picture p[3];
    for (int k = 0; k < 3; ++k)
    {
        CHECK_OK(f.context, wadi_grain_picture(f.context, drops + k % 2, k == 2 ? 2 : 1, NULL, low,
                                               high, &params, &p[k].rgb[0][0][0]));
    }
    int32_t pale = 0;
    for (int i = 0; i < WIDE * HIGH; ++i)
    {
        const int x = i % WIDE;
        const int y = i / WIDE;
        const int one = brightness(&p[0], x, y);
        const int other = brightness(&p[1], x, y);
        pale += brightness(&p[2], x, y) > (one > other ? one : other) + 15;
    }
    print_message("%d pale pixels\n", (int)pale);
    assert_true(pale < 40);
    fixture_close(&f);
}

enum
{
    LAND = 24 // cells along a side
};

// Ground of 24 m x 24 m: a slope that falls to the east, with a wall of 8 m in its middle and a
// tower in the north-west.
static wadi_grain_ground land_make(float* heights)
{
    for (int i = 0; i < LAND * LAND; ++i)
    {
        const int x = i % LAND;
        const int y = i / LAND;
        const bool high = x == LAND / 2 || (x > 1 && x < 4 && y > 1 && y < 4);
        heights[i] = 100.0F - 0.05F * (float)x + (high ? 8.0F : 0.0F);
    }
    return (wadi_grain_ground){.heights = heights, .width = LAND, .height = LAND, .cell_size = 1.0};
}

// From above, with the sun in the west. `at` is a column of the ground, in its middle row.
static void land_draw(fixture* f, const wadi_grain_ground* ground, const wadi_grain* grains,
                      int32_t count, picture* out)
{
    const double low[] = {0.0, 0.0, 98.0};
    const double high[] = {LAND, LAND, 108.0};
    wadi_grain_picture_params params = small_params();
    params.camera_elevation = 89.0;
    params.sun_azimuth = 270.0;
    params.sun_altitude = 45.0;
    CHECK_OK(f->context, wadi_grain_picture_on_ground(f->context, ground, grains, count, NULL, low,
                                                      high, &params, &out->rgb[0][0][0]));
}

static int land_pixel(double x)
{
    return (int)(WIDE / 2 + 0.86 * HIGH / LAND * (x - LAND / 2));
}

// Ground hides the floor and what lies under it, is lit by its slope, casts shadows and stands on a
// block. Level ground is the floor.
static void ground_is_drawn(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static float heights[LAND * LAND];
    static picture p[3];
    const wadi_grain_ground ground = land_make(heights);
    const wadi_grain balls[] = {{.position = {5.0, 12.0, 97.0}, .radius = 1.0},
                                {.position = {20.0, 12.0, 101.0}, .radius = 1.0, .material = 7}};
    land_draw(&f, &ground, balls, 0, &p[0]);
    land_draw(&f, &ground, balls, 1, &p[1]);
    land_draw(&f, &ground, balls, 2, &p[2]);
    const int y = HIGH / 2;
    const int lit = brightness(&p[0], land_pixel(5.0), y);
    const int shaded = brightness(&p[0], land_pixel(16.0), y);
    const int wall = brightness(&p[0], land_pixel(12.0), y);
    print_message("ground %d, in the shadow of a wall %d, wall %d\n", lit, shaded, wall);
    assert_true(shaded < lit - 100);
    // ochre, unlike the floor, and even: no point is shaded by its neighbours
    assert_true(p[0].rgb[y][land_pixel(5.0)][0] > p[0].rgb[y][land_pixel(5.0)][2] + 20);
    for (int x = land_pixel(2.0); x < land_pixel(10.0); ++x)
    {
        CHECK_NEAR(brightness(&p[0], x + 1, y), brightness(&p[0], x, y), 9.0);
    }
    // the shadow of the tower lies in the north
    const int away = land_pixel(9.0) - land_pixel(0.0);
    assert_true(brightness(&p[0], land_pixel(6.0), y - away) < lit - 100);
    CHECK_NEAR(brightness(&p[0], land_pixel(6.0), y + away), lit, 15.0);
    CHECK_NEAR(brightness(&p[1], land_pixel(5.0), y), lit, 2.0);
    assert_true(
        abs(brightness(&p[2], land_pixel(20.0), y) - brightness(&p[1], land_pixel(20.0), y)) > 40);
    for (int i = 0; i < LAND * LAND; ++i)
    {
        heights[i] = 98.0F;
    }
    land_draw(&f, &ground, balls, 2, &p[0]);
    land_draw(&f, NULL, balls, 2, &p[1]);
    assert_memory_equal(&p[0], &p[1], sizeof p[0]);
    fixture_close(&f);
}

// Seen from the south at a low angle, with the sun behind, the side of the block is browner and
// darker than the floor before it; a cell without data is a hole.
static void ground_has_sides_and_holes(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static float heights[LAND * LAND];
    static picture p[2];
    const wadi_grain_ground ground = land_make(heights);
    const double low[] = {0.0, 0.0, 90.0};
    const double high[] = {LAND, LAND, 110.0};
    wadi_grain_picture_params params = small_params();
    params.camera_elevation = 30.0;
    params.sun_azimuth = 180.0;
    const wadi_grain none = {.radius = 1.0};
    for (int k = 0; k < 2; ++k)
    {
        CHECK_OK(f.context, wadi_grain_picture_on_ground(f.context, &ground, &none, 0, NULL, low,
                                                         high, &params, &p[k].rgb[0][0][0]));
        heights[LAND / 2 * LAND + 4] = NAN;
    }
    int32_t holes = 0;
    for (int i = 0; i < WIDE * HIGH; ++i)
    {
        const uint8_t* one = p[0].rgb[i / WIDE][i % WIDE];
        holes += abs(one[0] - p[1].rgb[i / WIDE][i % WIDE][0]) > 20;
    }
    // a pixel of the side, 6 m below the middle of the box, and one of the floor
    const uint8_t* side = p[0].rgb[HIGH / 2 + 39][WIDE / 2];
    const uint8_t* floor = p[0].rgb[HIGH - 2][WIDE / 2];
    print_message("side %d %d %d, floor %d %d %d, %d pixels of a hole\n", side[0], side[1], side[2],
                  floor[0], floor[1], floor[2], (int)holes);
    assert_true(side[0] - side[2] > floor[0] - floor[2] + 15);
    assert_true(brightness(&p[0], WIDE / 2, HIGH / 2 + 39) <
                brightness(&p[0], WIDE / 2, HIGH - 2) - 60);
    assert_in_range(holes, 4, 200);
    fixture_close(&f);
}

static void threads_do_not_count(void** state)
{
    (void)state;
    static float heights[LAND * LAND];
    const wadi_grain_ground ground = land_make(heights);
    static wadi_grain grains[300];
    for (int i = 0; i < 300; ++i)
    {
        grains[i] = (wadi_grain){.position = {i % 10, i / 10 % 6, 99.0 + 0.3 * i / 60.0},
                                 .radius = 0.3 + 0.01 * (i % 17),
                                 .material = i % 5 > 2 ? WADI_GRAIN_WATER : i % 5};
    }
    static picture first;
    static picture again;
    const wadi_grain_picture_params params = small_params();
    for (int32_t threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5)
    {
        fixture f;
        fixture_open(&f, threads);
        picture* out = threads == 1 ? &first : &again;
        CHECK_OK(f.context, wadi_grain_picture_on_ground(f.context, &ground, grains, 300, NULL,
                                                         NULL, NULL, &params, &out->rgb[0][0][0]));
        fixture_close(&f);
        assert_true(threads == 1 || memcmp(&first, &again, sizeof first) == 0);
    }
}

static void invalid_pictures_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_grain ball = {.radius = 1.0};
    wadi_grain_picture_params params = small_params();
    static picture p;
    uint8_t* rgb = &p.rgb[0][0][0];
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "needs a grain",
                wadi_grain_picture(f.context, &ball, 0, NULL, NULL, NULL, &params, rgb));
    const double low[3] = {0.0, 0.0, 0.0};
    const double high[3] = {1.0, -1.0, 1.0};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "both corners",
                wadi_grain_picture(f.context, &ball, 1, NULL, low, NULL, &params, rgb));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "along axis 2",
                wadi_grain_picture(f.context, &ball, 1, NULL, low, high, &params, rgb));
    static float heights[4];
    wadi_grain_ground ground = {.heights = heights, .width = 2, .height = 2};
    CHECK_FAILS(
        f.context, WADI_ERROR_RANGE, "2 x 2 cells of 0 m",
        wadi_grain_picture_on_ground(f.context, &ground, &ball, 1, NULL, NULL, NULL, &params, rgb));
    ground = (wadi_grain_ground){.width = 2, .height = 2, .cell_size = 1.0};
    CHECK_FAILS(
        f.context, WADI_ERROR_ARGUMENT, "no heights",
        wadi_grain_picture_on_ground(f.context, &ground, &ball, 1, NULL, NULL, NULL, &params, rgb));
    params.samples = 9;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "samples",
                wadi_grain_picture(f.context, &ball, 1, NULL, NULL, NULL, &params, rgb));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_have_colours),
        cmocka_unit_test(the_sun_lights_one_side),
        cmocka_unit_test(colours_show_the_chosen_property),
        cmocka_unit_test(water_is_a_surface),
        cmocka_unit_test(water_is_even_at_low_angles),
        cmocka_unit_test(water_casts_a_blue_shadow),
        cmocka_unit_test(drops_before_drops_have_no_rims),
        cmocka_unit_test(ground_is_drawn),
        cmocka_unit_test(ground_has_sides_and_holes),
        cmocka_unit_test(threads_do_not_count),
        cmocka_unit_test(invalid_pictures_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
