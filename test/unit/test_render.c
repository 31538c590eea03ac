// SPDX-License-Identifier: MIT
#include "maps/render/sun.h"
#include "support/drawn_scene.h"

#include <stdlib.h>

#include <wadi/synthesis.h>

static float sediment[SIZE * SIZE];
static float overlay[SIZE * SIZE];

// Golden: all features of pictures, in every view, at any thread count.
static void pictures_are_deterministic(void** state)
{
    (void)state;
    static const uint64_t golden[WADI_RENDER_VIEW_COUNT] = {0x0F3753D9040754CDu,
                                                            0xCE4EA22821BB8392u};
    static const int32_t threads[] = {1, 2, 3, 8};
    for (int t = 0; t < 4; ++t)
    {
        wadi_context* context = context_with(threads[t]);
        wadi_noise_params noise = wadi_noise_params_default();
        noise.relief = 1800.0; // independent of the default
        CHECK_OK(context, wadi_noise_fill(context, &noise, 7, SIZE, SIZE, 300.0, surface));
        for (int i = 0; i < SIZE * SIZE; ++i)
        {
            water[i] = fmaxf(0.0f, 500.0f - surface[i]);
            sediment[i] = surface[i] < 700.0f ? 3.0f : 0.0f;
            overlay[i] = surface[i];
        }
        surface[20 * SIZE + 20] = NAN; // a void, which is filled in
        const wadi_render_scene scene = {SIZE,    SIZE, SIZE, 300.0, surface, water, sediment, NULL,
                                         overlay, NULL, NULL, false, 0.0,     NULL,  NULL};
        for (int32_t view = 0; view < WADI_RENDER_VIEW_COUNT; ++view)
        {
            wadi_render_params params = small_params();
            params.view = view;
            params.overlay_place = WADI_RENDER_INSET;
            params.snow_line = 0.8;
            CHECK_OK(context, wadi_render(context, &scene, &params, picture));
            uint64_t hash = 0xCBF29CE484222325u;
            for (size_t i = 0; i < sizeof picture; ++i)
            {
                hash = (hash ^ picture[i]) * 0x100000001B3u;
            }
            if (hash != golden[view])
            {
                fail_msg("view %d: hash 0x%016llXu", (int)view, (unsigned long long)hash);
            }
        }
        assert_int_equal(wadi_memory_used(context), 0);
        wadi_context_destroy(context);
    }
}

// A pillar's shadow points away from the sun at any azimuth, with the length given by the altitude.
static void shadows_fall_away_from_the_sun(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    static const int dx[] = {0, 1, 0, -1}; // towards the sun, in columns and rows
    static const int dy[] = {-1, 0, 1, 0};
    for (int side = 0; side < 4; ++side)
    {
        const wadi_render_scene scene = flat_scene();
        for (int i = 0; i < 9; ++i)
        {
            surface[(23 + i / 3) * SIZE + 23 + i % 3] = 100.0f + 300.0f; // ten cells high
        }
        wadi_render_params params = small_params();
        params.view = WADI_RENDER_MAP;
        params.palette = WADI_RENDER_CLAY;
        params.sun_azimuth = 90.0 * side;
        params.sun_altitude = 45.0;
        params.sun_size = 0.5;
        CHECK_OK(context, wadi_render(context, &scene, &params, picture));
        const double shadow = brightness_of_cell(24 - 7 * dx[side], 24 - 7 * dy[side]);
        const double light = brightness_of_cell(24 + 7 * dx[side], 24 + 7 * dy[side]);
        const double beyond = brightness_of_cell(24 - 17 * dx[side], 24 - 17 * dy[side]);
        assert_true(shadow < 0.7 * light);
        assert_true(beyond > 0.9 * light);
    }
    wadi_context_destroy(context);
}

// The block fits into the picture from every azimuth: background on all sides, ground in the
// middle.
static void the_block_is_in_the_picture(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    const wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.fog = 0.0;
    for (int azimuth = 0; azimuth < 360; azimuth += 45)
    {
        params.camera_azimuth = azimuth;
        CHECK_OK(context, wadi_render(context, &scene, &params, picture));
        for (int x = 0; x < WIDTH; ++x)
        {
            // the background is bluish, meadow is not
            assert_true(picture[3 * x + 2] >= picture[3 * x]);
            const uint8_t* foot = picture + 3 * ((HEIGHT - 1) * WIDTH + x);
            assert_true(foot[2] + 3 >= foot[0]);
        }
        const uint8_t* middle = picture + 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
        assert_true(middle[0] > middle[2] + 20);
    }
    wadi_context_destroy(context);
}

// A draped map colours the ground where it is high and has no effect where it has no data.
static void a_draped_map_is_shown_where_it_has_values(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.overlay_max = 10.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const int left = 3 * (HEIGHT / 2 * WIDTH + 28);
    const int right = 3 * (HEIGHT / 2 * WIDTH + 68);
    const uint8_t before = picture[right];
    const uint8_t bare[3] = {picture[left], picture[left + 1], picture[left + 2]};
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        overlay[i] = i % SIZE < SIZE / 2 ? NAN : 10.0f;
    }
    scene.overlay = overlay;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_memory_equal(picture + left, bare, 3);
    assert_true(picture[right] + 40 < before);
    assert_true(picture[right + 2] > picture[right] + 40);

    // what is laid down is brown, so that it is not taken for water
    params.ramp = WADI_RENDER_RAMP_OCHRE;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_true(picture[right] > picture[right + 1] + 10);
    assert_true(picture[right + 1] > picture[right + 2]);
    wadi_context_destroy(context);
}

// An enclosed void is filled in and painted grey; voids at the border stay open.
static void holes_are_bridged_and_the_sea_is_not(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    const wadi_render_scene scene = flat_scene();
    for (int y = 0; y < SIZE; ++y)
    {
        for (int x = 0; x < SIZE; ++x)
        {
            const bool hole = abs(x - 12) < 4 && abs(y - 24) < 4;
            surface[y * SIZE + x] = hole || x > 32 ? NAN : 100.0f;
        }
    }
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const uint8_t* hole = picture + 3 * (HEIGHT / 2 * WIDTH + 16 + 16);
    const uint8_t* sea = picture + 3 * (HEIGHT / 2 * WIDTH + 16 + 56);
    const uint8_t* paper = picture + 3 * (HEIGHT / 2 * WIDTH + 4);
    assert_true(abs(hole[0] - hole[2]) < 12);
    assert_true(hole[0] + 30 < paper[0]);
    for (int i = 0; i < 3; ++i)
    {
        assert_true(abs(sea[i] - paper[i]) <= 1); // except for dithering
    }
    wadi_context_destroy(context);
}

// Mean difference of two pictures in levels of 255.
static double mean_difference(const uint8_t* a, const uint8_t* b)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * WIDTH * HEIGHT; ++i)
    {
        sum += abs(a[i] - b[i]);
    }
    return sum / (3.0 * WIDTH * HEIGHT);
}

// A block and its shadow are drawn as if the voids of a map that is twice as wide were not there.
static void voids_beside_a_block_change_nothing(void** state)
{
    (void)state;
    static uint8_t alone[3 * WIDTH * HEIGHT];
    wadi_context* context = context_with(2);
    wadi_render_params params = small_params();
    params.palette = WADI_RENDER_CLAY;
    wadi_render_scene scene = flat_scene();
    scene.width = scene.height = SIZE / 2;
    scene.stride = SIZE;
    CHECK_OK(context, wadi_render(context, &scene, &params, alone));
    for (int place = 0; place < 3; ++place)
    {
        const int west = place * SIZE / 4;
        for (int i = 0; i < SIZE * SIZE; ++i)
        {
            const int x = i % SIZE - west;
            const int y = i / SIZE - SIZE / 4;
            const bool ground = x >= 0 && x < SIZE / 2 && y >= 0 && y < SIZE / 2;
            surface[i] = ground ? 100.0f : NAN;
        }
        const wadi_render_scene wide = {.width = SIZE,
                                        .height = SIZE,
                                        .stride = SIZE,
                                        .cell_size = scene.cell_size,
                                        .surface = surface};
        CHECK_OK(context, wadi_render(context, &wide, &params, picture));
        assert_true(mean_difference(picture, alone) < 1.0);
    }
    wadi_context_destroy(context);
}

// The smallest surface, a void cell, and a terrain with extra layers all give a picture.
static void any_terrain_gives_a_picture(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    scene.width = 2;
    scene.height = 3;
    const wadi_render_params params = small_params();
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    surface[0] = NAN;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));

    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = 5;
    def.cell_size = 10.0;
    wadi_terrain* terrain = NULL;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    CHECK_OK(context, wadi_render_terrain(terrain, NULL, &params, picture));
    CHECK_OK(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT,
                                              1.0)); // no layer is still borrowed
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
}

// Render a terrain with two loose layers, one of them two metres thick: 0, 1, or -1 for none.
static void draw_layered(wadi_context* context, int32_t thick, uint8_t* out)
{
    const wadi_render_params params = small_params();
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 10.0;
    def.loose_count = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    if (thick >= 0)
    {
        CHECK_OK(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_LOOSE + thick, 2.0));
        CHECK_OK(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SURFACE, 0.0));
    }
    CHECK_OK(context, wadi_render_terrain(terrain, NULL, &params, out));
    wadi_terrain_destroy(terrain);
}

static void every_loose_layer_shows(void** state)
{
    (void)state;
    static uint8_t lower[sizeof picture];
    static uint8_t upper[sizeof picture];
    wadi_context* context = context_with(1);
    draw_layered(context, -1, picture);
    draw_layered(context, 0, lower);
    draw_layered(context, 1, upper);
    assert_memory_equal(lower, upper, sizeof lower);
    assert_true(memcmp(lower, picture, sizeof lower) != 0);
    wadi_context_destroy(context);
}

// Arrows appear where there is wind, not in calm places, and point downwind.
static void wind_shows_as_arrows(void** state)
{
    (void)state;
    static float east[SIZE * SIZE];
    static float north[SIZE * SIZE];
    static uint8_t calm[sizeof picture];
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.arrow_spacing = 16.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    memcpy(calm, picture, sizeof calm);
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        east[i] = i % SIZE >= SIZE / 2 ? 10.0f : 0.0f;
    }
    scene.wind_east = east;
    scene.wind_north = north;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    int32_t changed[2] = {0, 0};
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        // the arrow around column 56 ends at column 46
        changed[i % WIDTH < 46] += memcmp(picture + 3 * i, calm + 3 * i, 3) != 0;
    }
    assert_int_equal(changed[1], 0);
    assert_true(changed[0] > 100);
    // the arrow around pixel (56, 40): shaft on both sides, head on the east side
    assert_true(brightness(51, 40) < 100.0 && brightness(61, 40) < 100.0);
    assert_true(brightness(60, 41) < brightness(51, 41) - 30.0);
    params.view = WADI_RENDER_PERSPECTIVE;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "only a map shows the wind",
                wadi_render(context, &scene, &params, picture));
    wadi_context_destroy(context);
}

// The wind of a terrain: a wall of 30 m has no arrows in its lee.
static void a_terrain_shows_its_own_wind(void** state)
{
    (void)state;
    static uint8_t calm[sizeof picture];
    wadi_context* context = context_with(1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 10.0;
    wadi_terrain* terrain = NULL;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    (void)flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = i % SIZE == SIZE / 2 ? 30.0f : 0.0f;
    }
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, surface, SIZE));
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.arrow_spacing = 8.0;
    CHECK_OK(context, wadi_render_terrain(terrain, NULL, &params, calm));
    params.wind = 10.0;
    CHECK_OK(context, wadi_render_terrain(terrain, NULL, &params, picture));
    int32_t changed[WIDTH] = {0};
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        changed[i % WIDTH] += memcmp(picture + 3 * i, calm + 3 * i, 3) != 0;
    }
    assert_true(changed[28] > 0); // upwind of the wall
    assert_int_equal(changed[52], 0);
    assert_true(changed[76] > 0); // 20 cells behind the wall, out of its lee
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
}

// Without a sun a cell has the light of the sky that it sees. At the foot of a long wall of height
// h, at a distance d, the sky ends at an angle of e = atan(h / d) on one side; the light is that of
// a level cell times (1 + cos(e)) / 2. The picture darkens it further by the share of hidden sky,
// and gives some light back.
static void a_wall_hides_its_share_of_the_sky(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.sun_light = 0.0;
    draw_clay(context, &scene, params);
    const double open = brightness_of_cell(24, 24);
    assert_true(fabs(brightness_of_cell(3, 3) - open) <= 1.0);
    assert_true(fabs(brightness_of_cell(40, 20) - open) <= 1.0);
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = i % SIZE < 24 ? 100.0f : 100.0f + 300.0f; // ten cells high
    }
    draw_clay(context, &scene, params);
    const double foot = brightness_of_cell(20, 24);
    const double afar = brightness_of_cell(2, 24);
    assert_true(foot < 0.85 * open && foot > 0.4 * open);
    assert_true(afar > foot + 8.0 && afar < open);
    assert_true(fabs(brightness_of_cell(40, 24) - open) <= 1.0); // on top of the wall
    wadi_context_destroy(context);
}

// Slopes that look to the bright side of the sky, that of the sun, are lighter, though the sun
// gives no light.
static void the_sky_is_brighter_beside_the_sun(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = 100.0f + 15.0f * (float)abs(i % SIZE - 24); // a valley from north to south
    }
    wadi_render_params params = small_params();
    params.sun_light = 0.0;
    params.sun_azimuth = 90.0;
    draw_clay(context, &scene, params);
    assert_true(brightness_of_cell(12, 24) > brightness_of_cell(36, 24) + 5.0);
    params.sun_azimuth = 270.0;
    draw_clay(context, &scene, params);
    assert_true(brightness_of_cell(36, 24) > brightness_of_cell(12, 24) + 5.0);
    wadi_context_destroy(context);
}

// At an equinox the sun rises in the east at six, and at nine it stands at asin(cos(latitude) /
// sqrt(2)); at noon it stands in the south, or in the north beyond the equator.
static void the_sun_follows_the_hour(void** state)
{
    (void)state;
    static const struct
    {
        double hour, latitude, day, azimuth, altitude;
    } cases[] = {{9.0, 45.0, 81.0, 125.264, 30.0},  {15.0, 45.0, 81.0, -125.264, 30.0},
                 {12.0, 45.0, 172.0, 180.0, 68.45}, {12.0, 47.0, 355.0, 180.0, 19.55},
                 {12.0, -33.0, 355.0, 0.0, 80.45},  {12.0, -33.0, 172.0, 0.0, 33.55},
                 {24.0, 80.0, 172.0, 0.0, 13.45}};
    wadi_context* context = context_with(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        wadi_render_params params = small_params();
        params.hour = cases[i].hour;
        params.latitude = cases[i].latitude;
        params.day = cases[i].day;
        CHECK_OK(context, wadi_sun_of_hour(context, &params));
        const double turn = fabs(params.sun_azimuth - cases[i].azimuth);
        assert_float_equal(fmin(turn, 360.0 - turn), 0.0, 0.01);
        assert_float_equal(params.sun_altitude, cases[i].altitude, 0.02);
    }
    const wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.hour = 5.9;
    params.day = 81.0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "hour is 5.9",
                wadi_render(context, &scene, &params, picture));
    wadi_context_destroy(context);
}

// Wet ground reflects half the light of dry ground, except in palettes without colours.
static void wet_ground_is_dark(void** state)
{
    (void)state;
    static float moisture[SIZE * SIZE];
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        moisture[i] = i % SIZE < SIZE / 2 ? 1.0f : 0.0f;
    }
    scene.moisture = moisture;
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.palette = WADI_RENDER_DESERT;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const double ratio = brightness_of_cell(12, 24) / brightness_of_cell(36, 24);
    assert_true(ratio > 0.65 && ratio < 0.85); // half of the light in sRGB
    draw_clay(context, &scene, params);
    assert_float_equal(brightness_of_cell(12, 24), brightness_of_cell(36, 24), 1.0);
    wadi_context_destroy(context);
}

// Draw flat ground with a dark spot at a cell, in the place of the middle; find it in the picture.
static void find_spot(wadi_context* context, int cell_x, int cell_y, double* x, double* y)
{
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const bool spot = abs(i % SIZE - cell_x) < 3 && abs(i / SIZE - cell_y) < 3;
        overlay[i] = spot ? 1.0f : 0.0f;
    }
    scene.overlay = overlay;
    wadi_render_params params = small_params();
    params.palette = WADI_RENDER_CLAY;
    params.ramp = WADI_RENDER_RAMP_HEAT;
    params.overlay_max = 1.5; // a red
    params.zoom = 2.0;
    params.fog = 0.0;
    params.look_x = (cell_x + 0.5) / SIZE;
    params.look_y = 1.0 - (cell_y + 0.5) / SIZE;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    double count = 0.0;
    *x = *y = 0.0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        if (picture[3 * i] > picture[3 * i + 1] + 60)
        {
            *x += i % WIDTH;
            *y += i / WIDTH;
            count += 1.0;
        }
    }
    assert_true(count > 10.0);
    *x /= count;
    *y /= count;
}

// Where the camera looks is in the same place of the picture wherever it is on the map.
static void the_camera_looks_at_a_point(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    double x;
    double y;
    double moved_x;
    double moved_y;
    find_spot(context, 23, 23, &x, &y);
    find_spot(context, 36, 30, &moved_x, &moved_y);
    assert_true(fabs(moved_x - x) < 2.0 && fabs(moved_y - y) < 2.0);
    find_spot(context, 15, 40, &moved_x, &moved_y);
    assert_true(fabs(moved_x - x) < 2.0 && fabs(moved_y - y) < 2.0);
    wadi_context_destroy(context);
}

static bool differs_from_neighbours(const uint8_t* rgb, int x, int y)
{
    for (int i = 0; i < 9; ++i)
    {
        const int nx = x + i % 3 - 1;
        const int ny = y + i / 3 - 1;
        if (nx >= 0 && nx < WIDTH && ny >= 0 && ny < HEIGHT &&
            abs(rgb[3 * (ny * WIDTH + nx)] - rgb[3 * (y * WIDTH + x)]) > 3)
        {
            return true;
        }
    }
    return false;
}

// Pixels that look like all of their neighbours take one ray whatever is asked for; outlines take
// them all, and change.
static void few_rays_are_enough_where_nothing_changes(void** state)
{
    (void)state;
    static uint8_t one[sizeof picture];
    wadi_context* context = context_with(2);
    const wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    CHECK_OK(context, wadi_render(context, &scene, &params, one));
    params.samples = 4;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    int32_t smoothed = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        if (!differs_from_neighbours(one, i % WIDTH, i / WIDTH))
        {
            assert_int_equal(picture[3 * i], one[3 * i]);
        }
        smoothed += abs(picture[3 * i] - one[3 * i]) > 8;
    }
    assert_true(smoothed > 50);
    wadi_context_destroy(context);
}

static void a_map_takes_the_shape_of_the_terrain(void** state)
{
    (void)state;
    const wadi_render_scene scene = {.width = 300, .height = 200};
    wadi_render_params params = wadi_render_params_default();
    wadi_render_fit_map(&scene, 600, &params);
    assert_int_equal(params.width, 600);
    assert_int_equal(params.height, 400);
}

// Spread of the brightness of cells from (x, y) on, `step` of which lie side by side.
static double spread_along(int x, int y, int step_x, int step_y)
{
    double sum = 0.0;
    double squares = 0.0;
    for (int k = 0; k < 36; ++k)
    {
        const double here = brightness_of_cell(x + k * step_x, y + k * step_y);
        sum += here;
        squares += here * here;
    }
    return sqrt(fmax(0.0, squares / 36.0 - sum / 36.0 * sum / 36.0));
}

// Steep grey rock has cracks side by side at one height, and beds one above the other; a colour
// without texture has neither.
static void steep_grey_rock_has_cracks_and_beds(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = 36.0f * (float)(i / SIZE);
    }
    wadi_render_params params = small_params();
    params.plants = 0.0;
    draw_clay(context, &scene, params);
    assert_true(spread_along(6, 24, 1, 0) < 1.0 && spread_along(24, 6, 0, 1) < 1.0);
    params.view = WADI_RENDER_MAP;
    params.palette = WADI_RENDER_ALPINE;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_true(spread_along(6, 24, 1, 0) > 8.0);
    assert_true(spread_along(24, 6, 0, 1) > 8.0);
    wadi_context_destroy(context);
}

// Mean of red less blue of a part of the picture 12 cells wide: high for sand, low for plants.
static double sand_of_cells(int x0)
{
    double sum = 0.0;
    for (int i = 0; i < 12 * 12; ++i)
    {
        const double scale = (double)HEIGHT / SIZE;
        const int column = (int)(0.5 * (WIDTH - HEIGHT) + (x0 + i % 12 + 0.5) * scale);
        const uint8_t* p = picture + 3 * ((int)((30 + i / 12 + 0.5) * scale) * WIDTH + column);
        sum += (p[0] - p[1]) / 144.0;
    }
    return sum;
}

// A plain of loose matter at the foot of mountains is about as green as the ground beside it;
// without plants it has a colour of its own.
static void plants_cover_deposits(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = 100.0f + (i / SIZE < 4 ? 1500.0f : 0.0f);
        sediment[i] = i % SIZE < 24 ? 20.0f : 0.0f;
    }
    scene.sediment = sediment;
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    params.palette = WADI_RENDER_ALPINE;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_true(fabs(sand_of_cells(4) - sand_of_cells(32)) < 5.0);
    params.plants = 0.0;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    assert_true(sand_of_cells(4) > sand_of_cells(32) + 10.0);
    wadi_context_destroy(context);
}

// Mean brightness of a plain of 32 x 32 cells.
static double brightness_of_plain(void)
{
    double sum = 0.0;
    for (int i = 0; i < 32 * 32; ++i)
    {
        sum += brightness_of_cell(8 + i / 32, 8 + i % 32) / 1024.0;
    }
    return sum;
}

// A filled lake high in the relief is no paler than such ground without a fill.
static void high_fills_are_green(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        const int y = i / SIZE;
        surface[i] = y < 4 ? 1600.0f : (y < 44 ? 1100.0f : 0.0f);
        sediment[i] = 20.0f;
    }
    wadi_render_params params = small_params();
    params.view = WADI_RENDER_MAP;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    const double beside = brightness_of_plain();
    scene.sediment = sediment;
    CHECK_OK(context, wadi_render(context, &scene, &params, picture));
    CHECK_NEAR(brightness_of_plain(), beside, 4.0);
    wadi_context_destroy(context);
}

static void bad_requests_are_refused(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_render_scene scene = flat_scene();
    wadi_render_params params = small_params();
    params.width = 0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "width", wadi_render(context, &scene, &params, picture));
    params = small_params();
    params.sun_altitude = (double)NAN;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "sun_altitude",
                wadi_render(context, &scene, &params, picture));
    params = small_params();
    params.cookie = 0;
    CHECK_FAILS(context, WADI_ERROR_PARAMS, "render",
                wadi_render(context, &scene, &params, picture));
    params = small_params();
    scene.width = 1;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "1 x 48",
                wadi_render(context, &scene, &params, picture));
    scene = flat_scene();
    scene.cell_size = -1.0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "cell size",
                wadi_render(context, &scene, &params, picture));
    scene = flat_scene();
    scene.stride = 10;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "10 elements",
                wadi_render(context, &scene, &params, picture));
    scene = flat_scene();
    for (int i = 0; i < SIZE * SIZE; ++i)
    {
        surface[i] = NAN;
    }
    CHECK_FAILS(context, WADI_ERROR_RANGE, "void", wadi_render(context, &scene, &params, picture));
    surface[0] = 1e30f;
    surface[1] = -1e30f;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "relief",
                wadi_render(context, &scene, &params, picture));
    assert_int_equal(wadi_memory_used(context), 0);
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_deterministic),
        cmocka_unit_test(shadows_fall_away_from_the_sun),
        cmocka_unit_test(the_block_is_in_the_picture),
        cmocka_unit_test(a_draped_map_is_shown_where_it_has_values),
        cmocka_unit_test(holes_are_bridged_and_the_sea_is_not),
        cmocka_unit_test(voids_beside_a_block_change_nothing),
        cmocka_unit_test(any_terrain_gives_a_picture),
        cmocka_unit_test(every_loose_layer_shows),
        cmocka_unit_test(wind_shows_as_arrows),
        cmocka_unit_test(a_terrain_shows_its_own_wind),
        cmocka_unit_test(a_wall_hides_its_share_of_the_sky),
        cmocka_unit_test(the_sky_is_brighter_beside_the_sun),
        cmocka_unit_test(the_sun_follows_the_hour),
        cmocka_unit_test(wet_ground_is_dark),
        cmocka_unit_test(the_camera_looks_at_a_point),
        cmocka_unit_test(few_rays_are_enough_where_nothing_changes),
        cmocka_unit_test(a_map_takes_the_shape_of_the_terrain),
        cmocka_unit_test(steep_grey_rock_has_cracks_and_beds),
        cmocka_unit_test(plants_cover_deposits),
        cmocka_unit_test(high_fills_are_green),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
