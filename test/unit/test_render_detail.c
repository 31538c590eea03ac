// SPDX-License-Identifier: MIT
// The ground of pictures below the size of a cell, and colours that follow from its form.
#include "maps/render/detail.h"
#include "maps/render/palette.h"
#include "support/drawn_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POINTS = 40 // in a row and a column
};

static float lit_share[SIZE * SIZE];
static uint8_t rough[SIZE * SIZE];

// Ground that rises by `slope` a cell to the east; a rough one is rock at 255.
static render_relief slope_of(float slope, uint8_t how_rough, float sun)
{
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = 20.0f + slope * (float)(i % SIZE);
        lit_share[i] = sun;
        rough[i] = how_rough;
    }
    return (render_relief){.width = SIZE,
                           .height = SIZE,
                           .refined = 1,
                           .cell = 10.0f,
                           .exaggeration = 1.0f,
                           .ground = surface,
                           .sun = lit_share,
                           .rough = rough};
}

static float detail_of(const render_relief* r, float x, float y, float pixel)
{
    wadi_render_params params = small_params();
    params.sun_azimuth = 180.0;
    const sunlight light = wadi_light_of(&params);
    const relief_point at = relief_locate(r, x, y);
    return wadi_picture_detail(r, &at, x, y, pixel, &light);
}

typedef struct detail_stats
{
    double mean, deviation;
    double east, south; // mean difference of neighbours a fifth of a cell apart
} detail_stats;

static detail_stats stats_of(const render_relief* r, float pixel)
{
    detail_stats s = {0};
    double squares = 0.0;
    for (int i = 0; i < POINTS * POINTS; ++i)
    {
        const float x = 2.0f + 1.03f * (float)(i % POINTS);
        const float y = 2.0f + 1.03f * (float)(i / POINTS);
        const double here = (double)detail_of(r, x, y, pixel);
        s.mean += here / (POINTS * POINTS);
        squares += (here - 1.0) * (here - 1.0) / (POINTS * POINTS);
        s.east += fabs((double)detail_of(r, x + 0.2f, y, pixel) - here);
        s.south += fabs((double)detail_of(r, x, y + 0.2f, pixel) - here);
    }
    s.deviation = sqrt(squares);
    return s;
}

// Rough ground close by is uneven, less so in the shade, and as bright as its cells in the mean.
// Smooth ground is not, nor is any whose cells a pixel covers.
static void rough_ground_is_uneven_close_by(void** state)
{
    (void)state;
    render_relief r = slope_of(0.0f, 128, 1.0f);
    const detail_stats near = stats_of(&r, 0.1f);
    CHECK_NEAR(near.mean, 1.0, 0.02);
    assert_true(near.deviation > 0.04);
    const detail_stats far = stats_of(&r, 2.0f);
    assert_true(fabs(far.mean - 1.0) < 1e-9 && far.deviation == 0.0);
    r = slope_of(0.0f, 128, 0.0f);
    assert_true(stats_of(&r, 0.1f).deviation < 0.5 * near.deviation);
    r = slope_of(0.0f, 0, 1.0f);
    assert_true(stats_of(&r, 0.1f).deviation == 0.0);
}

// Waves grow with the distance of the camera without a step where one octave gives way to the next.
static void detail_changes_smoothly_with_distance(void** state)
{
    (void)state;
    const render_relief r = slope_of(0.9f, 255, 1.0f);
    double moved = 0.0;
    for (int i = 0; i < POINTS; ++i)
    {
        const float x = 2.0f + 1.03f * (float)i;
        for (int k = 0; k < 300; ++k)
        {
            const float pixel = 0.14f + 0.002f * (float)k;
            const float before = detail_of(&r, x, 20.3f, pixel);
            const double step = (double)(detail_of(&r, x, 20.3f, pixel + 0.002f) - before);
            assert_true(fabs(step) < 0.07);
            moved += fabs(step);
        }
    }
    assert_true(moved / POINTS > 0.05);
}

// Ribs of rock run down the slope: in relation to soil, brightness changes less along the fall line
// than across it.
static void ribs_of_rock_run_down(void** state)
{
    (void)state;
    const render_relief rock = slope_of(0.9f, 255, 1.0f);
    const detail_stats ribs = stats_of(&rock, 0.3f);
    const render_relief soil = slope_of(0.9f, 128, 1.0f);
    const detail_stats tufts = stats_of(&soil, 0.3f);
    assert_true(ribs.south / ribs.east > 1.3 * tufts.south / tufts.east);
}

// A relief whose heights are those of a palette, under light of any kind.
static render_palette desert_of(render_relief* r)
{
    r->base = 20.0f;
    r->high = 70.0f;
    wadi_render_params params = small_params();
    params.palette = WADI_RENDER_DESERT;
    render_palette palette;
    assert_int_equal(wadi_palette_create(r, &params, &palette), WADI_OK);
    return palette;
}

// Loose matter that lies steeper than sand is rubble, mostly as red as the rock of a desert.
static void steep_debris_is_no_sand(void** state)
{
    (void)state;
    static float loose[SIZE * SIZE];
    render_relief r = slope_of(0.6f, 0, 1.0f);
    const render_palette palette = desert_of(&r);
    r.sediment = loose;
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        loose[i] = 4.0f;
    }
    float rock[2]; // how far the colour is from sand to rock
    for (int steep = 0; steep < 2; ++steep)
    {
        const palette_cell cell = {20, 20, steep == 1 ? 0.8f : 0.6f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        const rgb colour = wadi_palette_ground(&palette, &r, &cell).colour;
        rock[steep] = (palette.loose.g - colour.g) / (palette.loose.g - palette.rock.g);
    }
    assert_true(rock[0] < 0.3f && rock[1] > 0.5f);
}

// Sand lies at the shore; deeper down the floor of a sea is dark, however clear the water. That of
// a lake is the ground of before.
static void the_floor_of_a_sea_is_dark(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    scene.has_sea = true;
    scene.sea_level = 100.0;
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.water_clarity = 1000.0;
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        surface[i] = x < 8 ? 900.0f : (x < 28 ? 99.7f : 92.0f);
    }
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const double deep = brightness_of_cell(40, 24);
    assert_true(brightness_of_cell(18, 24) > deep + 15.0);
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        water[i] = fmaxf(0.0f, 100.0f - surface[i]);
    }
    scene.has_sea = false;
    scene.water = water;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    CHECK_NEAR(brightness_of_cell(18, 24), brightness_of_cell(40, 24), 10.0);
    wadi_context_destroy(context);
}

// Stones that rise a few metres from a platform which the tide wets are as bare as the platform.
static void stones_on_platforms_are_bare(void** state)
{
    (void)state;
    static uint8_t level[sizeof picture];
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    scene.has_sea = true;
    scene.sea_level = 100.0;
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.sun_altitude = 80.0;
    for (int stones = 0; stones < 2; ++stones)
    {
        for (int i = 0; i < SIZE * SIZE; ++i)
        {
            const int x = i % SIZE;
            surface[i] = x < 8 ? 900.0f : (x < 30 ? 100.1f : (x < 44 ? 102.0f : 80.0f));
        }
        surface[24 * SIZE + 20] += stones == 1 ? 2.0f : 0.0f;
        CHECK_OK(context, wadi_render(context, &scene, &params, picture));
        if (stones == 0)
        {
            memcpy(level, picture, sizeof picture);
        }
    }
    const int spot = 3 * ((int)(24.5 * HEIGHT / SIZE) * WIDTH + 16 + (int)(20.5 * HEIGHT / SIZE));
    const int hill = 3 * ((int)(24.5 * HEIGHT / SIZE) * WIDTH + 16 + (int)(36.5 * HEIGHT / SIZE));
    const int platform = level[spot + 1] - level[spot]; // green less red
    assert_true(picture[spot + 1] - picture[spot] < platform + 4);
    assert_true(picture[hill + 1] - picture[hill] > platform + 8); // a plain of the same height
    wadi_context_destroy(context);
}

// Beds crop out in lines of cells that touch at corners. Their colour follows the bed, not the
// cells: cells of hard and of soft rock by turns have one colour.
static void beds_do_not_zigzag(void** state)
{
    (void)state;
    static float hardness[SIZE * SIZE];
    render_relief r = slope_of(1.0f, 0, 1.0f);
    const render_palette palette = desert_of(&r);
    r.hardness = hardness;
    const palette_cell cell = {20, 20, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    float red[3]; // of soft rock, of hard rock, and of both by turns
    for (int kind = 0; kind < 3; ++kind)
    {
        for (int i = 0; i < SIZE * SIZE; ++i)
        {
            hardness[i] = kind < 2 ? (float)kind : (float)((i + i / SIZE) % 2);
        }
        red[kind] = wadi_palette_ground(&palette, &r, &cell).colour.r;
    }
    hardness[20 * SIZE + 20] = 1.0f - hardness[20 * SIZE + 20]; // a cell alone still counts
    const float other = wadi_palette_ground(&palette, &r, &cell).colour.r;
    assert_true(red[1] < red[2] && red[2] < red[0] && other != red[2]);
    const double share = (double)((red[0] - red[2]) / (red[0] - red[1]));
    CHECK_NEAR(share, (double)smooth(0.2f, 0.8f, 0.5f), 0.01);
}

// Above a landscape the sky is pale at the horizon and bluer higher up, over land that ends at the
// border of the map too.
static void the_sky_is_blue_above_a_landscape(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    const wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.base = false;
    params.camera_elevation = 12.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const uint8_t* top = picture + 3 * (WIDTH / 2);
    const uint8_t* low = top;
    while (low[2] >= low[1] && low < picture + sizeof picture - 3 * WIDTH)
    {
        low += 3 * WIDTH; // down to the first green of the land
    }
    low -= 2 * 3 * WIDTH;
    assert_true(low > top + 6 * 3 * WIDTH);
    assert_true(top[2] - top[0] > low[2] - low[0] + 15);
    wadi_context_destroy(context);
}

// Filled holes are hatched grey, which no snow or ice is.
static void holes_are_hatched(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const int y = i / SIZE;
        surface[i] = x >= 16 && x < 32 && y >= 16 && y < 32 ? NAN : 100.0f;
    }
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    double least = 255.0;
    double most = 0.0;
    for (int y = 26; y < 38; ++y)
    {
        for (int x = 42; x < 54; ++x)
        {
            const uint8_t* p = picture + 3 * (y * WIDTH + x);
            assert_true(abs(p[0] - p[1]) < 12 && abs(p[1] - p[2]) < 16);
            least = fmin(least, brightness(x, y));
            most = fmax(most, brightness(x, y));
        }
    }
    assert_true(most > least + 8.0 && most < 200.0);
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rough_ground_is_uneven_close_by),
        cmocka_unit_test(detail_changes_smoothly_with_distance),
        cmocka_unit_test(ribs_of_rock_run_down),
        cmocka_unit_test(steep_debris_is_no_sand),
        cmocka_unit_test(the_floor_of_a_sea_is_dark),
        cmocka_unit_test(stones_on_platforms_are_bare),
        cmocka_unit_test(beds_do_not_zigzag),
        cmocka_unit_test(the_sky_is_blue_above_a_landscape),
        cmocka_unit_test(holes_are_hatched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
