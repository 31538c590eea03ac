// SPDX-License-Identifier: MIT
// Layers: written values are read back, views are borrowed and released, voids are kept, invalid
// values change nothing.
#include "support/fixture.h"

enum
{
    WIDTH = 5,
    HEIGHT = 4,
    STRIDE = 7 // wider than a row
};

static float ramp[HEIGHT * STRIDE];

static int fill_ramp(void** state)
{
    (void)state;
    for (int i = 0; i < HEIGHT * STRIDE; ++i)
    {
        ramp[i] = 0.25f + (float)i / 64.0f;
    }
    return 0;
}

static const wadi_layer writable[] = {
    WADI_LAYER_BEDROCK,  WADI_LAYER_WATER,    WADI_LAYER_HARDNESS, WADI_LAYER_VEGETATION,
    WADI_LAYER_MOISTURE, WADI_LAYER_SEDIMENT, WADI_LAYER_SURFACE};
enum
{
    WRITABLE = sizeof writable / sizeof writable[0]
};

static void layers_written_are_read_back(void** state)
{
    (void)state;
    for (int i = 0; i < WRITABLE; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, writable[i], ramp, STRIDE));
        wadi_view view;
        CHECK_OK(f.context, wadi_terrain_borrow(terrain, writable[i], &view));
        assert_int_equal(view.width, WIDTH);
        assert_int_equal(view.height, HEIGHT);
        for (int32_t y = 0; y < HEIGHT; ++y)
        {
            for (int32_t x = 0; x < WIDTH; ++x)
            {
                // heights are multiples of 1/64 m, exact in units; shares round to 1/65535
                CHECK_NEAR((double)view.data[y * view.stride + x], (double)ramp[y * STRIDE + x],
                           0.5 / 65535.0 + 1e-7);
            }
        }
        CHECK_OK(f.context, wadi_terrain_release(terrain, writable[i]));
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Setting the surface moves the rock below the sediment, whose thickness is kept.
static void the_surface_moves_the_bedrock(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SURFACE, 10.0));
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, 4, 3),
                     8 * WADI_UNITS_PER_METRE);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 4, 3),
                     2 * WADI_UNITS_PER_METRE);
    CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE), 10.0 * 100.0 * 20.0, 0.0);
    CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT), 2.0 * 100.0 * 20.0, 0.0);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, WIDTH, 0), 0);
    assert_int_equal(wadi_terrain_units(terrain, 9, 0, 0), 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// "sand" is an alias of sediment unless a layer has that name; a name can be used once.
static void names_go_before_aliases(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 1.0;
    def.loose_count = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    assert_int_equal(wadi_terrain_layer(terrain, "sand"), WADI_LAYER_SEDIMENT);
    CHECK_OK(f.context, wadi_terrain_set_loose(terrain, 1, "sand", WADI_MATERIAL_SEDIMENT));
    assert_int_equal(wadi_terrain_layer(terrain, "sand"), WADI_LAYER_LOOSE + 1);
    assert_int_equal(wadi_terrain_layer(terrain, "debris"), WADI_LAYER_SEDIMENT);
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "'sand' exists already",
                wadi_terrain_set_loose(terrain, 0, "sand", WADI_MATERIAL_SEDIMENT));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "'bedrock' exists already",
                wadi_terrain_set_loose(terrain, 1, "bedrock", WADI_MATERIAL_SEDIMENT));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void a_borrowed_terrain_does_not_change(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    const uint64_t hash = wadi_terrain_hash(terrain);
    const uint8_t none[WIDTH * HEIGHT] = {0};
    const wadi_material rock = *wadi_terrain_material(terrain, WADI_MATERIAL_ROCK);
    wadi_view a;
    wadi_view b;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_WATER, &a));
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_WATER, &b));
    assert_ptr_equal(a.data, b.data);
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "water",
                wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, ramp, STRIDE));
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "water",
                wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 1.0));
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "water",
                wadi_terrain_set_valid(terrain, none, WIDTH));
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "water",
                wadi_terrain_set_material(terrain, 0, &rock));
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_WATER));
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "water",
                wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 1.0));
    assert_true(wadi_terrain_hash(terrain) == hash);
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_WATER));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 1.0));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void borrowing_is_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    wadi_view view = {ramp, 1, 1, 1};
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "no layer 17",
                wadi_terrain_borrow(terrain, WADI_LAYER_LOOSE + 1, &view));
    assert_null(view.data);
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "no layer", wadi_terrain_borrow(terrain, -5, &view));
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "released",
                wadi_terrain_release(terrain, WADI_LAYER_WATER));
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "released", wadi_terrain_release(terrain, 99));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// An invalid value in the last cell: the message names the cell, nothing is written.
static void expect_bad(fixture* f, wadi_layer layer, float bad)
{
    float values[WIDTH * HEIGHT];
    wadi_terrain* terrain = fixture_flat(f, WIDTH, HEIGHT);
    const uint64_t hash = wadi_terrain_hash(terrain);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        values[i] = 0.5f;
    }
    values[WIDTH * HEIGHT - 1] = bad;
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "column 4, row 3",
                wadi_terrain_set_layer(terrain, layer, values, WIDTH));
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "",
                wadi_terrain_fill_layer(terrain, layer, (double)bad));
    assert_true(wadi_terrain_hash(terrain) == hash);
    wadi_terrain_destroy(terrain);
}

static void bad_values_change_nothing(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < WRITABLE; ++i)
    {
        expect_bad(&f, writable[i], INFINITY);
        expect_bad(&f, writable[i], -INFINITY);
        expect_bad(&f, writable[i], 1e30f);
        expect_bad(&f, writable[i], -1e30f);
        expect_bad(&f, writable[i], 32767.5f);
        if (writable[i] != WADI_LAYER_SURFACE && writable[i] != WADI_LAYER_BEDROCK)
        {
            expect_bad(&f, writable[i], NAN);
            expect_bad(&f, writable[i], -0.01f);
        }
    }
    expect_bad(&f, WADI_LAYER_HARDNESS, 1.01f);
    fixture_close(&f);
}

// Layers within their ranges must not add up to a column out of range.
static void the_sum_of_layers_stays_in_range(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 30000.0));
    const uint64_t hash = wadi_terrain_hash(terrain);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "top of the layers at 33000 m",
                wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 3000.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "top of the layers at 33000 m",
                wadi_terrain_fill_layer(terrain, WADI_LAYER_WATER, 3000.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "bedrock at -33000 m",
                wadi_terrain_fill_layer(terrain, WADI_LAYER_SURFACE, -3000.0));
    assert_true(wadi_terrain_hash(terrain) == hash);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 2000.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "column 0, row 0",
                wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 31000.0));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void nan_heights_make_voids(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, WIDTH, HEIGHT, 3);
    float values[WIDTH * HEIGHT] = {0};
    values[7] = NAN;
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, values, WIDTH));
    assert_int_equal(wadi_terrain_valid_count(terrain), WIDTH * HEIGHT - 1);
    assert_false(wadi_terrain_is_valid(terrain, 2, 1));
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 2, 1), 0);
    fixture_check_ledger(terrain);

    // later writes skip voids and ignore the values there
    values[7] = -5.0f;
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_WATER, values, WIDTH));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_WATER, 2.0));
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_WATER, 2, 1), 0);
    wadi_view view;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    assert_true(isnan(view.data[7]));
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_WATER, &view));
    assert_true(view.data[7] == 0.0f);
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_WATER));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void masked_matter_is_booked_as_lost(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 16, 12, 3);
    fixture_holes(terrain);
    assert_true(wadi_terrain_valid_count(terrain) < 16 * 12);
    fixture_check_ledger(terrain);
    uint8_t all[16 * 12];
    memset(all, 7, sizeof all); // any value but 0 is valid
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, all, 16));
    assert_int_equal(wadi_terrain_valid_count(terrain), 16 * 12);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, 9, 4), 0);
    fixture_check_ledger(terrain);
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "15", wadi_terrain_set_valid(terrain, all, 15));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_written_are_read_back),
        cmocka_unit_test(the_surface_moves_the_bedrock),
        cmocka_unit_test(names_go_before_aliases),
        cmocka_unit_test(a_borrowed_terrain_does_not_change),
        cmocka_unit_test(borrowing_is_checked),
        cmocka_unit_test(bad_values_change_nothing),
        cmocka_unit_test(the_sum_of_layers_stays_in_range),
        cmocka_unit_test(nan_heights_make_voids),
        cmocka_unit_test(masked_matter_is_booked_as_lost),
    };
    return cmocka_run_group_tests(tests, fill_ramp, NULL);
}
