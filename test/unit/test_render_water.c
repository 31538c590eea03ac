// SPDX-License-Identifier: MIT
// Lakes, streams and the sea in pictures.
#include "maps/render/open_water.h"
#include "support/drawn_scene.h"

#include <math.h>
#include <stdlib.h>

// Water is bluer than the ground around it, and deep water more than shallow.
static void water_is_blue_and_darkens_with_depth(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        water[i] = i % SIZE < 16 ? 0.0f : (i % SIZE < 32 ? 1.0f : 40.0f);
    }
    scene.water = water;
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const int row = HEIGHT / 2 * WIDTH;
    const uint8_t* dry = picture + 3 * (row + 24);
    const uint8_t* shallow = picture + 3 * (row + 48);
    const uint8_t* deep = picture + 3 * (row + 72);
    assert_true(dry[2] < dry[1]);
    assert_true(deep[2] > deep[0] + 40);
    assert_true(shallow[0] < dry[0] && deep[0] < shallow[0]);
    wadi_context_destroy(context);
}

// A layer of water that is 0 everywhere is not drawn, with any colours and from any side; neither
// is the dry half of one that is not.
static void no_water_is_not_blue(void** state)
{
    (void)state;
    static uint8_t bare[sizeof picture];
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < 2 * WADI_RENDER_PALETTE_COUNT; ++i)
    {
        wadi_render_params params = small_params();
        params.view = i % 2;
        params.palette = i / 2;
        params.snow_line = 0.9;
        scene.water = NULL;
        CHECK_OK(context, wadi_render(context, &scene, &params, bare));
        memset(water, 0, sizeof water);
        scene.water = water;
        CHECK_OK(context, wadi_render(context, &scene, &params, picture));
        assert_memory_equal(bare, picture, sizeof picture);

        for (int k = 0; k < SIZE * SIZE; ++k)
        {
            water[k] = k % SIZE < SIZE / 2 ? 0.0f : 10.0f;
        }
        params.view = WADI_RENDER_MAP;
        CHECK_OK(context, wadi_render(context, &scene, &params, picture));
        const uint8_t* row = picture + 3 * (HEIGHT / 2 * WIDTH + (WIDTH - HEIGHT) / 2);
        const int dry = row[3 * 8 + 2] - row[3 * 8];
        const int wet = row[3 * (HEIGHT - 8) + 2] - row[3 * (HEIGHT - 8)];
        assert_true(dry < 4 && wet > 20);
    }
    wadi_context_destroy(context);
}

// A sea is drawn over all ground below its level as water of that depth would be, and nowhere else.
static void the_sea_is_water_up_to_its_level(void** state)
{
    (void)state;
    static uint8_t flooded[sizeof picture];
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        water[i] = i % SIZE < 24 ? 0.0f : 10.0f;
        surface[i] -= water[i];
    }
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.palette = WADI_RENDER_CLAY;
    scene.water = water;
    CHECK_OK(context, wadi_render(context, &scene, &params, flooded));
    scene.water = NULL;
    scene.has_sea = true;
    scene.sea_level = 99.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const int row = 3 * (HEIGHT / 2 * WIDTH);
    assert_memory_equal(picture + row + 3 * 20, flooded + row + 3 * 20, 3);
    assert_true(picture[row + 3 * 70 + 2] > picture[row + 3 * 70] + 40);
    CHECK_NEAR(picture[row + 3 * 70 + 2], flooded[row + 3 * 70 + 2], 8.0); // a metre less deep
    scene.sea_level = 89.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_true(picture[row + 3 * 70 + 2] < picture[row + 3 * 70 + 1]);
    wadi_context_destroy(context);
}

static int blue_of_cell(int x, int y)
{
    const double scale = (double)HEIGHT / SIZE;
    const int column = (int)(0.5 * (WIDTH - HEIGHT) + (x + 0.5) * scale);
    const uint8_t* p = picture + 3 * ((int)((y + 0.5) * scale) * WIDTH + column);
    return p[2] - p[0];
}

// A hollow has a lake up to its spill, and a valley a stream where it drains enough; neither is
// drawn unasked, and none of them below the sea.
static void lakes_and_streams_are_drawn_on_request(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    for (int y = 0; y < SIZE; ++y)
    {
        for (int x = 0; x < SIZE; ++x)
        {
            // a valley that falls to the south, with a hollow of 60 m in its upper half
            const bool hollow = abs(x - 24) < 6 && abs(y - 12) < 6;
            surface[y * SIZE + x] =
                500.0f + 4.0f * (float)abs(x - 24) - 3.0f * (float)y - (hollow ? 60.0f : 0.0f);
        }
    }
    wadi_render_params params = small_params();
    draw_clay(context, &scene, params);
    const int dry = blue_of_cell(24, 40);
    const int slope = blue_of_cell(14, 40);
    assert_true(blue_of_cell(24, 12) < 10 && dry < 10);
    params.lakes = true;
    draw_clay(context, &scene, params);
    assert_true(blue_of_cell(24, 12) > 40);
    assert_true(blue_of_cell(24, 40) < 10 && blue_of_cell(8, 12) < 10);
    params.lakes = false;
    params.rivers = 0.3;
    draw_clay(context, &scene, params);
    const int drawn = blue_of_cell(24, 40);
    assert_true(drawn > dry + 12);
    assert_int_equal(blue_of_cell(14, 40), slope);
    params.rivers = 2.2; // the valley drains 1.25 km2 here, little more than half of that
    draw_clay(context, &scene, params);
    assert_true(blue_of_cell(24, 40) < dry + (drawn - dry) / 4);
    params.rivers = 100.0; // more than all of the land
    draw_clay(context, &scene, params);
    assert_int_equal(blue_of_cell(24, 40), dry);
    wadi_context_destroy(context);
}

// Ground of cell i of a round bowl [m].
static float bowl(int i)
{
    const double x = i % SIZE - 23.5;
    const double y = i / SIZE - 23.5;
    return (float)(100.0 + 6.0 * sqrt(x * x + y * y));
}

// The shore of a lake in a round bowl is a circle, and not the border of cells.
static void a_lake_in_a_bowl_is_round(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = bowl(i);                             // full at 11.5 cells
        surface[i] = i % SIZE > 35 ? 120.0f : surface[i]; // it spills over a cliff in the east
    }
    wadi_render_params params = small_params();
    params.lakes = true;
    draw_clay(context, &scene, params);
    const double scale = (double)HEIGHT / SIZE;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = (i % WIDTH + 0.5 - 0.5 * (WIDTH - HEIGHT)) / scale - 24.0;
        const double y = (i / WIDTH + 0.5) / scale - 24.0;
        const double r = sqrt(x * x + y * y);
        const bool blue = picture[3 * i + 2] > picture[3 * i] + 10;
        const bool deep = picture[3 * i + 2] > picture[3 * i] + 40;
        assert_true(r < 12.2 || r > 18.0 || x > 9.0 || !blue);
        assert_true(x < 12.6 || !deep);
        assert_true(r > 11.0 || blue);
    }
    wadi_context_destroy(context);
}

// Surf lies along the shore of a sea, not along that of a lake.
static void a_sea_has_surf(void** state)
{
    (void)state;
    static uint8_t lake[sizeof picture];
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = 100.0f - 2.0f * (float)(i % SIZE);
        water[i] = fmaxf(0.0f, 50.0f - surface[i]);
    }
    scene.water = water;
    draw_clay(context, &scene, small_params());
    memcpy(lake, picture, sizeof lake);
    scene.water = NULL;
    scene.has_sea = true;
    scene.sea_level = 50.0;
    draw_clay(context, &scene, small_params());
    int32_t brighter[2] = {0, 0};
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const int x = (i % WIDTH - 16) * 3 / 4; // the shore is at cell 25
        brighter[abs(x - 25) < 3] += picture[3 * i] > lake[3 * i] + 3;
    }
    assert_true(brighter[1] > HEIGHT / 4);
    assert_int_equal(brighter[0], 0);
    wadi_context_destroy(context);
}

// Ground below the level of the sea without room for 3 x 3 cells is dry, whether it reaches the
// border or not, unless it is a channel that leads on from the sea. Open water is sea, whether it
// reaches the border or not.
static void small_hollows_are_no_sea(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const int y = i / SIZE;
        const bool open = abs(x - 32) < 8 && abs(y - 24) < 8;
        const bool creek = y == 24 && x >= 16 && x <= 24;
        const bool hollow = x < 14 && (x % 3 == 1 || y % 3 == 1); // in one piece, and at the border
        surface[i] = open || creek || hollow ? 90.0f : 101.0f;
    }
    scene.has_sea = true;
    scene.sea_level = 100.0;
    draw_clay(context, &scene, small_params());
    assert_true(blue_of_cell(32, 24) > 40 && blue_of_cell(26, 18) > 40);
    assert_true(blue_of_cell(25, 17) > 10 && blue_of_cell(39, 31) > 10);
    assert_true(blue_of_cell(22, 24) > 20 && blue_of_cell(17, 24) > 20);
    for (int i = 0; i < 13 * SIZE; ++i)
    {
        assert_true(blue_of_cell(i % 13, i / 13) < 4);
    }
    wadi_context_destroy(context);
}

// A channel leads the sea on if it is deeper than 0.02 cells; a shallow rim of open water is sea
// too, and the picture may draw water as far as one cell beyond.
static void channels_are_deeper_than_scratches(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const int y = i / SIZE;
        const bool open = x > 24;
        const bool channel = y == 12 && x >= 8 && x <= 24;
        const bool scratch = y == 36 && x >= 8 && x <= 24;
        surface[i] = open || channel ? 99.7f : 101.0f;
        const bool bank = y == 13 && x >= 8 && x <= 24;
        surface[i] = x == 25 || bank || scratch ? 99.9f : surface[i];
    }
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] *= 3.0f / 10.0f; // cells of 10 m, heights times 3
    }
    const render_relief relief = {.context = context,
                                  .cell = 10.0f,
                                  .exaggeration = 3.0f,
                                  .sea_channel = 0.02f,
                                  .ground = surface,
                                  .width = SIZE,
                                  .height = SIZE,
                                  .refined = 1};
    sea_map sea;
    CHECK_OK(context, wadi_sea_find(&relief, 30.0f, &sea));
    for (int y = 0; y < SIZE; ++y)
    {
        assert_int_equal(sea.may[y * SIZE + 25], 1);
        assert_int_equal(sea.may[y * SIZE + 24], y != 36);
        for (int x = 0; x < 23; ++x)
        {
            assert_int_equal(sea.may[y * SIZE + x], y >= 11 && y <= 14 && x >= 7);
        }
    }
    wadi_sea_destroy(context, &sea);
    wadi_context_destroy(context);
}

// Waves come over deep water with room for 9 x 9 cells, and go on for two cells from there: not to
// the back of a platform at the level of the sea, nor into a strait of eight cells between islets.
static void waves_need_deep_water_with_room(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const int y = i / SIZE;
        const bool islets = y < 20 && (y % 9 == 0 || x % 9 == 0); // straits between them
        surface[i] = x < 8 ? 101.0f : (x < 16 ? 99.9f : 95.0f);   // land, platform, sea
        surface[i] = islets ? 101.0f : surface[i];
        surface[i] /= 10.0f; // cells of 10 m
    }
    const render_relief relief = {.context = context,
                                  .cell = 10.0f,
                                  .exaggeration = 1.0f,
                                  .sea_channel = 0.02f,
                                  .ground = surface,
                                  .width = SIZE,
                                  .height = SIZE,
                                  .refined = 1};
    sea_map sea;
    CHECK_OK(context, wadi_sea_find(&relief, 10.0f, &sea));
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const int y = i / SIZE;
        const bool islets = y > 16 && y < 20 && x > 12;
        assert_true(islets || sea.surf[i] == (x >= 14 && y >= 20 - 3));
    }
    wadi_sea_destroy(context, &sea);
    wadi_context_destroy(context);
}

static uint8_t calm[sizeof picture]; // the same land with a layer of water, which has no surf

// Pixels between two columns of cells of a map that are lighter than in calm water.
static int32_t surf_between(int x0, int x1)
{
    const double scale = (double)HEIGHT / SIZE;
    const int left = (WIDTH - HEIGHT) / 2;
    int32_t count = 0;
    for (int y = 3; y + 3 < HEIGHT; ++y)
    {
        for (int x = left + (int)(x0 * scale); x < left + (int)(x1 * scale); ++x)
        {
            const int i = 3 * (y * WIDTH + x);
            count += picture[i] > calm[i] + 3;
        }
    }
    return count;
}

// A platform at the level of the sea, with rubble on it, has surf at its edge and hardly any around
// the rubble.
static void platforms_have_surf_at_the_edge(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const bool rubble = x % 5 == 1 && i / SIZE % 5 == 1;
        surface[i] = x < 8 ? 101.0f : (x < 24 ? (rubble ? 101.2f : 99.9f) : 90.0f);
        water[i] = fmaxf(0.0f, 100.0f - surface[i]);
    }
    scene.water = water;
    draw_clay(context, &scene, small_params());
    memcpy(calm, picture, sizeof calm);
    scene.water = NULL;
    scene.has_sea = true;
    scene.sea_level = 100.0;
    draw_clay(context, &scene, small_params());
    assert_true(10 * surf_between(9, 20) < surf_between(22, 26));
    assert_true(surf_between(22, 26) > SIZE / 4);
    wadi_context_destroy(context);
}

static double brightness_of_columns(int x0, int x1)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE * (x1 - x0); ++i)
    {
        sum += brightness_of_cell(x0 + i / SIZE, i % SIZE);
    }
    return sum / (SIZE * (x1 - x0));
}

// Ground that the sea floods or wets is bare; a few metres above it plants grow. Without a sea they
// grow on low ground too.
static void tides_keep_ground_bare(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        surface[i] = x < 8 ? 900.0f : (x < 28 ? 103.0f : (x < 40 ? 99.99f : 80.0f));
    }
    double light[2][2]; // of the wet ground and of the plain, without and with a sea
    for (int sea = 0; sea < 2; ++sea)
    {
        scene.has_sea = sea == 1;
        scene.sea_level = 100.0;
        CHECK_OK(context, wadi_render(context, &scene, &params, picture));
        light[sea][0] = brightness_of_columns(30, 38);
        light[sea][1] = brightness_of_columns(16, 24);
    }
    CHECK_NEAR(light[0][0], light[0][1], 10.0);
    assert_true(light[1][0] > light[1][1] + 25.0);
    CHECK_NEAR(light[0][1], light[1][1], 10.0);
    wadi_context_destroy(context);
}

// The shore of a layer of water in a round bowl is a circle, and not the border of cells.
static void a_pond_in_a_bowl_is_round(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = bowl(i); // full at 11.5 cells
        water[i] = fmaxf(0.0f, 169.0f - surface[i]);
    }
    scene.water = water;
    wadi_render_params params = small_params();
    params.water_clarity = 0.1; // blue at the very shore
    draw_clay(context, &scene, params);
    const double scale = (double)HEIGHT / SIZE;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = (i % WIDTH + 0.5 - 0.5 * (WIDTH - HEIGHT)) / scale - 24.0;
        const double y = (i / WIDTH + 0.5) / scale - 24.0;
        const double r = sqrt(x * x + y * y);
        const bool blue = picture[3 * i + 2] > picture[3 * i] + 10;
        assert_true(r > 11.1 || blue);
        assert_true(r < 11.9 || !blue);
    }
    wadi_context_destroy(context);
}

// A river a cell wide between steep banks is whole along a diagonal, and a cell wide along a row.
static void a_narrow_river_is_whole(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int diagonal = 0; diagonal < 2; ++diagonal)
    {
        for (int i = 0; i < SIZE * SIZE; ++i)
        {
            const bool wet = i / SIZE == (diagonal == 1 ? i % SIZE : 24);
            surface[i] = wet ? 80.0f : 100.0f;
            water[i] = wet ? (i % 2 == 0 ? 2.0f : 12.0f) : 0.0f; // pools and riffles
        }
        scene.water = water;
        wadi_render_params params = small_params();
        params.water_clarity = 0.1;
        draw_clay(context, &scene, params);
        for (int at = 2; at + 2 < HEIGHT; ++at)
        {
            const int y = diagonal == 1 ? at : (int)(24.5 * HEIGHT / SIZE);
            const uint8_t* p = picture + 3 * (y * WIDTH + (WIDTH - HEIGHT) / 2 + at);
            assert_true(p[2] > p[0] + 10);
            assert_true(diagonal == 0 || p[3 * 5 + 2] < p[3 * 5] + 4);
        }
        assert_true(diagonal == 1 || (blue_of_cell(20, 25) < 10 && blue_of_cell(20, 23) < 10));
    }
    wadi_context_destroy(context);
}

// Mean brightness of a part of the sea, 12 pixels wide.
static double brightness_of_sea(int x0)
{
    double sum = 0.0;
    for (int i = 0; i < 12 * 4; ++i)
    {
        sum += brightness(x0 + i % 12, HEIGHT * 5 / 8 + i / 12) / 48.0;
    }
    return sum;
}

// Water seen at a low angle mirrors the grey cliff behind one half of it, which is darker than the
// sky behind the other. The sun is in the east, and the cliff casts no shadow on the sea.
static void water_mirrors_the_land(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const bool cliff = i / SIZE < 6 && i % SIZE < 24;
        surface[i] = cliff ? 800.0f : 50.0f;
    }
    scene.has_sea = true;
    scene.sea_level = 90.0;
    wadi_render_params params = small_params();
    params.base = false;
    params.fog = 0.0;
    params.exaggeration = 1.0;
    params.camera_azimuth = 180.0;
    params.camera_elevation = 12.0;
    params.sun_azimuth = 90.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_true(brightness_of_sea(WIDTH / 4) < brightness_of_sea(WIDTH * 5 / 8) - 12.0);
    wadi_context_destroy(context);
}

// A pool a hand deep on the lowest ground looks as it does where lower ground is far away.
static void a_shallow_pool_has_no_surf(void** state)
{
    (void)state;
    static uint8_t lowest[sizeof picture];
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int x = i % SIZE;
        const int y = i / SIZE;
        water[i] = x < 24 || y < 24 ? 0.0f : fmaxf(0.0f, 0.28f - 0.28f * (float)abs(x - 36));
    }
    scene.water = water;
    draw_clay(context, &scene, small_params());
    memcpy(lowest, picture, sizeof lowest);
    surface[2 * SIZE + 2] -= 1.0f;
    draw_clay(context, &scene, small_params());
    int32_t wet = 0;
    for (int y = HEIGHT / 2; y < HEIGHT; ++y)
    {
        for (int x = WIDTH / 2; x < WIDTH; ++x)
        {
            const int i = 3 * (y * WIDTH + x);
            assert_memory_equal(picture + i, lowest + i, 3);
            wet += picture[i] != picture[3 * (y * WIDTH + WIDTH / 2)];
        }
    }
    assert_true(wet > HEIGHT);
    wadi_context_destroy(context);
}

// Wind makes lanes and patches on deep water: its colour varies, but not much.
static void deep_water_is_not_of_one_colour(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        water[i] = 40.0f;
    }
    scene.water = water;
    draw_clay(context, &scene, small_params());
    double least = 255.0;
    double most = 0.0;
    for (int y = 2; y < SIZE - 2; ++y)
    {
        for (int x = 2; x < SIZE - 2; ++x)
        {
            const double here = brightness_of_cell(x, y);
            least = fmin(least, here);
            most = fmax(most, here);
        }
    }
    assert_true(most - least > 5.0 && most - least < 40.0);
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_is_blue_and_darkens_with_depth),
        cmocka_unit_test(no_water_is_not_blue),
        cmocka_unit_test(the_sea_is_water_up_to_its_level),
        cmocka_unit_test(lakes_and_streams_are_drawn_on_request),
        cmocka_unit_test(a_lake_in_a_bowl_is_round),
        cmocka_unit_test(a_sea_has_surf),
        cmocka_unit_test(small_hollows_are_no_sea),
        cmocka_unit_test(channels_are_deeper_than_scratches),
        cmocka_unit_test(waves_need_deep_water_with_room),
        cmocka_unit_test(platforms_have_surf_at_the_edge),
        cmocka_unit_test(tides_keep_ground_bare),
        cmocka_unit_test(a_pond_in_a_bowl_is_round),
        cmocka_unit_test(a_narrow_river_is_whole),
        cmocka_unit_test(water_mirrors_the_land),
        cmocka_unit_test(a_shallow_pool_has_no_surf),
        cmocka_unit_test(deep_water_is_not_of_one_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
