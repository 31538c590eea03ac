// SPDX-License-Identifier: MIT
// Layers of rectangles: what is read equals a view, what is written equals writing the whole layer,
// and what does not fit is refused and changes nothing.
#include "support/fixture.h"

#include "core/random.h"
#include "terrain/ground.h"

enum
{
    WIDTH = 37,
    HEIGHT = 23,
    CELLS = WIDTH * HEIGHT
};

static int32_t random_below(uint32_t* counter, int32_t most)
{
    return (int32_t)(wadi_random(5, 0, (*counter)++, 0).v[0] % (uint32_t)most);
}

static wadi_rectangle random_rectangle(uint32_t* counter)
{
    wadi_rectangle r;
    r.x = random_below(counter, WIDTH);
    r.y = random_below(counter, HEIGHT);
    r.width = 1 + random_below(counter, WIDTH - r.x);
    r.height = 1 + random_below(counter, HEIGHT - r.y);
    return r;
}

// Ground below 256 m, where a float holds each unit, with holes and two loose layers.
static wadi_terrain* low_terrain(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.loose_count = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, -100.0, 200.0, 1);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 9.0, 2);
    fixture_noise(terrain, WADI_LAYER_LOOSE + 1, 0.0, 4.0, 3);
    fixture_noise(terrain, WADI_LAYER_WATER, 0.0, 3.0, 4);
    fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 1.0, 5);
    fixture_noise(terrain, WADI_LAYER_VEGETATION, 0.0, 1.0, 6);
    fixture_holes(terrain);
    return terrain;
}

static const wadi_layer layers[] = {WADI_LAYER_SURFACE,    WADI_LAYER_BEDROCK,  WADI_LAYER_WATER,
                                    WADI_LAYER_HARDNESS,   WADI_LAYER_MOISTURE, WADI_LAYER_SEDIMENT,
                                    WADI_LAYER_VEGETATION, WADI_LAYER_LOOSE + 1};
enum
{
    LAYERS = sizeof layers / sizeof layers[0]
};

static void what_is_read_is_what_a_view_shows(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = low_terrain(&f);
    static float out[HEIGHT * (WIDTH + 5)];
    uint32_t counter = 0;
    for (int k = 0; k < 20 * LAYERS; ++k)
    {
        const wadi_rectangle r = random_rectangle(&counter);
        const ptrdiff_t stride = r.width + k % 5;
        memset(out, 0x55, sizeof out);
        const float before = out[0];
        wadi_view view;
        CHECK_OK(f.context, wadi_terrain_borrow(terrain, layers[k % LAYERS], &view));
        CHECK_OK(f.context,
                 wadi_terrain_read_rectangle(terrain, layers[k % LAYERS], r, out, stride));
        for (int32_t y = 0; y < r.height; ++y)
        {
            assert_memory_equal(out + y * stride, view.data + (r.y + y) * view.stride + r.x,
                                (size_t)r.width * sizeof *out);
            for (ptrdiff_t x = r.width; x < stride; ++x)
            {
                assert_memory_equal(&out[y * stride + x], &before, sizeof before);
            }
        }
        CHECK_OK(f.context, wadi_terrain_release(terrain, layers[k % LAYERS]));
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A new value for a cell; now and then no data, for elevations.
static float new_value(wadi_layer layer, uint32_t* counter)
{
    const bool elevation = layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK;
    if (elevation && random_below(counter, 9) == 0)
    {
        return NAN;
    }
    const float unit = wadi_unit_float(wadi_random(6, 0, (*counter)++, 0).v[0]);
    return elevation ? 200.0f * unit - 50.0f : unit;
}

// Writing a rectangle and writing the whole layer with the same cells changed give the same bits.
static void writing_a_part_is_writing_the_whole(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* part = low_terrain(&f);
    wadi_terrain* whole = low_terrain(&f);
    static float values[HEIGHT * WIDTH];
    uint32_t counter = 0;
    for (int k = 0; k < 25 * LAYERS; ++k)
    {
        const wadi_layer layer = layers[k % LAYERS];
        const wadi_rectangle r = random_rectangle(&counter);
        const wadi_rectangle all = {0, 0, WIDTH, HEIGHT};
        CHECK_OK(f.context, wadi_terrain_read_rectangle(whole, layer, all, values, WIDTH));
        for (int32_t i = 0; i < r.width * r.height; ++i)
        {
            values[(r.y + i / r.width) * WIDTH + r.x + i % r.width] = new_value(layer, &counter);
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(whole, layer, values, WIDTH));
        CHECK_OK(f.context,
                 wadi_terrain_set_rectangle(part, layer, r, values + r.y * WIDTH + r.x, WIDTH));
        assert_true(wadi_terrain_hash(part) == wadi_terrain_hash(whole));
        assert_int_equal(wadi_terrain_valid_count(part), wadi_terrain_valid_count(whole));
        fixture_check_ledger(part);
    }
    wadi_terrain_destroy(part);
    wadi_terrain_destroy(whole);
    fixture_close(&f);
}

// Processes skip their tests for void cells where there are none.
static void a_whole_mask_is_known(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 6, 5);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const wadi_rectangle left = {1, 1, 2, 1};
    const wadi_rectangle right = {3, 2, 2, 1};
    const float heights[2] = {1.0f, 2.0f};
    const float hole[2] = {1.0f, NAN};
    assert_true(ground->all_valid);
    CHECK_OK(f.context, wadi_terrain_set_rectangle(terrain, WADI_LAYER_SURFACE, left, hole, 2));
    assert_false(ground->all_valid);
    CHECK_OK(f.context, wadi_terrain_set_rectangle(terrain, WADI_LAYER_BEDROCK, right, hole, 2));
    CHECK_OK(f.context, wadi_terrain_set_rectangle(terrain, WADI_LAYER_SURFACE, left, heights, 2));
    assert_false(ground->all_valid);
    CHECK_OK(f.context, wadi_terrain_set_rectangle(terrain, WADI_LAYER_BEDROCK, right, heights, 2));
    assert_true(ground->all_valid);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Rock that is cut or raised shows the hardness of its bed, in the rectangle and nowhere else.
static void beds_come_to_light(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 8, 8);
    static const wadi_stratum beds[] = {{5.0, 0.25}, {1.0, 0.75}};
    CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 2, NULL, 0));
    const float cut[6] = {-6.0f, -6.0f, -6.0f, -6.0f, -1.0f, -6.0f};
    const wadi_rectangle r = {4, 2, 3, 2};
    CHECK_OK(f.context, wadi_terrain_set_rectangle(terrain, WADI_LAYER_SURFACE, r, cut, 3));
    for (int32_t i = 0; i < 64; ++i)
    {
        const bool deep = i / 8 >= 2 && i / 8 < 4 && i % 8 >= 4 && i % 8 < 7 && i != 3 * 8 + 5;
        assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_HARDNESS, i % 8, i / 8),
                         deep ? 49151 : 16384);
    }
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "hardness",
                wadi_terrain_set_rectangle(terrain, WADI_LAYER_HARDNESS, r, cut, 3));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void what_does_not_fit_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = low_terrain(&f);
    const uint64_t before = wadi_terrain_hash(terrain);
    static float values[CELLS];
    static const wadi_rectangle bad[] = {
        {-1, 0, 2, 2},        {0, -1, 2, 2},        {WIDTH - 1, 0, 2, 1}, {0, HEIGHT - 1, 1, 2},
        {3, 3, 0, 1},         {3, 3, 1, -4},        {WIDTH, 0, 1, 1},     {INT32_MAX, 0, 1, 1},
        {1, 1, INT32_MAX, 1}, {1, 1, 1, INT32_MAX}, {INT32_MIN, 0, 5, 5}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "grid of 37 x 23",
                    wadi_terrain_set_rectangle(terrain, WADI_LAYER_WATER, bad[i], values, WIDTH));
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "grid of 37 x 23",
                    wadi_terrain_read_rectangle(terrain, WADI_LAYER_WATER, bad[i], values, WIDTH));
    }
    const wadi_rectangle r = {2, 1, 4, 3};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "3 elements",
                wadi_terrain_set_rectangle(terrain, WADI_LAYER_WATER, r, values, 3));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "99",
                wadi_terrain_read_rectangle(terrain, 99, r, values, 4));
    values[4 + 2] = -1.0f;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "water at column 4, row 2",
                wadi_terrain_set_rectangle(terrain, WADI_LAYER_WATER, r, values, 4));
    values[4 + 2] = 1.0f;
    wadi_view view;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_WATER, &view));
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "water",
                wadi_terrain_set_rectangle(terrain, WADI_LAYER_WATER, r, values, 4));
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_WATER));
    assert_true(wadi_terrain_hash(terrain) == before);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void rectangles_are_cut_to_the_grid(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    uint32_t counter = 0;
    for (int k = 0; k < 500; ++k)
    {
        const wadi_rectangle r = {random_below(&counter, 80) - 40, random_below(&counter, 60) - 30,
                                  random_below(&counter, 70) - 5, random_below(&counter, 70) - 5};
        const wadi_rectangle part = wadi_terrain_clip(terrain, r);
        int32_t inside = 0;
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const int32_t x = i % WIDTH;
            const int32_t y = i / WIDTH;
            const bool in = x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
            const bool in_part =
                x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
            assert_int_equal(in, in_part);
            inside += in ? 1 : 0;
        }
        assert_int_equal(part.width * part.height, inside);
    }
    const wadi_rectangle far = {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX};
    assert_int_equal(wadi_terrain_clip(terrain, far).width, 0);
    const wadi_point centre = wadi_terrain_cell_centre(terrain, 2, 3);
    CHECK_NEAR(centre.x, 25.0, 0.0);
    CHECK_NEAR(centre.y, 10.0 * (HEIGHT - 3.5), 0.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_what_a_view_shows),
        cmocka_unit_test(writing_a_part_is_writing_the_whole),
        cmocka_unit_test(a_whole_mask_is_known),
        cmocka_unit_test(beds_come_to_light),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(rectangles_are_cut_to_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
