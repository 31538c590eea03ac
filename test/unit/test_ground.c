// SPDX-License-Identifier: MIT
// The operations take and put and their ledger: conservation, no negative layer, hardness 1 never
// lowered, and a dropped load is detected. The nearest ground of voids.
#include "support/fixture.h"

#include "core/random.h"
#include "terrain/ground.h"

static int32_t metres(double value)
{
    return (int32_t)(value * WADI_UNITS_PER_METRE);
}

static void loose_matter_goes_first(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    assert_int_equal(wadi_ground_take(ground, 4, metres(0.5), &tally), metres(0.5));
    assert_int_equal(ground->loose[0][4], metres(1.5));
    assert_int_equal(ground->bedrock[4], 0);
    assert_int_equal(wadi_ground_take(ground, 4, metres(2.0), &tally), metres(2.0));
    assert_int_equal(ground->loose[0][4], 0);
    assert_int_equal(ground->bedrock[4], -metres(0.5));
    assert_int_equal(tally.eroded[WADI_MATERIAL_SEDIMENT], metres(2.0));
    assert_int_equal(tally.eroded[WADI_MATERIAL_ROCK], metres(0.5));
    wadi_ground_put(ground, 4, metres(2.5), &tally);
    assert_int_equal(wadi_ground_surface(ground, 4), metres(2.0));
    wadi_terrain_book(terrain, "test", &tally);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void upper_layers_go_before_lower_ones(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 2;
    def.height = 2;
    def.loose_count = 3;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    for (int32_t i = 0; i < 3; ++i)
    {
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_LOOSE + i, 1.0));
    }
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    assert_int_equal(wadi_ground_take_loose(ground, 0, metres(1.5), &tally), metres(1.5));
    assert_int_equal(ground->loose[2][0], 0);
    assert_int_equal(ground->loose[1][0], metres(0.5));
    assert_int_equal(ground->loose[0][0], metres(1.0));
    assert_int_equal(wadi_ground_take_loose(ground, 0, metres(9.0), &tally), metres(1.5));
    assert_int_equal(ground->bedrock[0], 0); // take_loose never reaches the rock
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void hardness_scales_rock_once(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 1);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 0.8));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    assert_int_equal(wadi_ground_take(ground, 0, 65535, &tally), 65535 / 5);

    // the hardness of rock does not protect loose matter above it
    wadi_ground_put(ground, 0, 1000, &tally);
    assert_int_equal(wadi_ground_take(ground, 0, 1000, &tally), 1000);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void hardness_one_is_never_lowered(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 1);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 1.0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    for (int32_t amount = 1; amount > 0 && amount < INT32_MAX / 2; amount *= 2)
    {
        assert_int_equal(wadi_ground_take(ground, 0, amount, &tally), 0);
    }
    assert_int_equal(ground->bedrock[0], 0);

    // the material's hardness is added to the layer's
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 0.0));
    wadi_material rock = *wadi_terrain_material(terrain, WADI_MATERIAL_ROCK);
    rock.hardness = 0.75;
    CHECK_OK(f.context, wadi_terrain_set_material(terrain, WADI_MATERIAL_ROCK, &rock));
    assert_int_equal(wadi_ground_take(ground, 0, 1000, &tally), 250);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// 10 000 takers request a millimetre each from a cell with a centimetre over hard rock.
static void many_takers_share_what_is_there(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 1, 1);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.01));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 1.0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const int32_t there = ground->loose[0][0];
    wadi_tally tally = {0};
    int64_t got = 0;
    for (int i = 0; i < 10000; ++i)
    {
        const int32_t part = wadi_ground_take(ground, 0, metres(0.001), &tally);
        assert_true(part >= 0);
        assert_true(ground->loose[0][0] >= 0);
        got += part;
    }
    assert_int_equal(got, there);
    assert_int_equal(ground->loose[0][0], 0);
    assert_int_equal(ground->bedrock[0], 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Random takes and puts between cells; loads that are still held are counted as transit.
static void random_traffic_closes_to_the_last_unit(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 20, 15, 11);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    int64_t load = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        const wadi_philox r = wadi_random(3, 0, i, 0);
        const int64_t cell = r.v[0] % (uint32_t)ground->cells;
        load += wadi_ground_take(ground, cell, (int32_t)(r.v[1] % 100000u), &tally);
        const int32_t drop = load < 50000 ? (int32_t)load : 50000;
        wadi_ground_put(ground, r.v[2] % (uint32_t)ground->cells, drop, &tally);
        load -= drop;
        assert_true(ground->loose[0][cell] >= 0);
    }
    tally.transit[WADI_MATERIAL_SEDIMENT] = load;
    wadi_terrain_book(terrain, "test", &tally);
    fixture_check_ledger(terrain);

    // half a load leaves over the east edge, the rest is dropped: the ledger must show it
    wadi_tally rest = {0};
    rest.transit[WADI_MATERIAL_SEDIMENT] = -load;
    rest.out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_EAST] = load / 2;
    wadi_terrain_book(terrain, "test", &rest);
    wadi_ledger_row rows[3];
    assert_int_equal(wadi_terrain_ledger(terrain, rows, 3), 3);
    assert_int_equal(rows[WADI_MATERIAL_SEDIMENT].residual_units, -(load - load / 2));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void each_process_has_its_own_account(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    (void)wadi_ground_take(ground, 0, metres(1.0), &tally);
    wadi_ground_put(ground, 1, metres(1.0), &tally);
    wadi_terrain_book(terrain, "digger", &tally);

    wadi_ledger_row rows[3];
    assert_int_equal(wadi_terrain_ledger_of(terrain, "digger", rows, 3), 3);
    CHECK_NEAR(rows[WADI_MATERIAL_ROCK].eroded, 100.0, 0.0);
    CHECK_NEAR(rows[WADI_MATERIAL_ROCK].converted, -100.0, 0.0);
    CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].deposited, 100.0, 0.0);
    assert_string_equal(rows[WADI_MATERIAL_ROCK].material, "rock");
    (void)wadi_terrain_ledger_of(terrain, "nobody", rows, 3);
    CHECK_NEAR(rows[WADI_MATERIAL_ROCK].eroded, 0.0, 0.0);

    // an output with too few rows is filled; nothing is written beyond it
    wadi_ledger_row one[2] = {{.material = "untouched"}, {.material = "untouched"}};
    assert_int_equal(wadi_terrain_ledger(terrain, one, 1), 3);
    assert_string_equal(one[1].material, "untouched");
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- voids -------------------------------------------------------------------------------------

enum
{
    HOLED_WIDE = 15,
    HOLED_HIGH = 12,
    HOLED_CELLS = HOLED_WIDE * HOLED_HIGH
};

static int32_t holed_way(int32_t from, int32_t to, int32_t count, bool wraps)
{
    const int32_t way = to - from;
    return wraps && 2 * way < -count ? way + count : wraps && 2 * way >= count ? way - count : way;
}

// The nearest valid cell by comparing all: the fewest steps, then north, then west.
static int32_t holed_nearest(const wadi_ground* ground, int32_t cell, bool wraps)
{
    int32_t best = -1;
    int64_t least = INT64_MAX;
    for (int32_t i = 0; i < HOLED_CELLS; ++i)
    {
        const int32_t x = holed_way(cell % HOLED_WIDE, i % HOLED_WIDE, HOLED_WIDE, wraps);
        const int32_t y = holed_way(cell / HOLED_WIDE, i / HOLED_WIDE, HOLED_HIGH, wraps);
        const int64_t rank =
            (int64_t)((x < 0 ? -x : x) + (y < 0 ? -y : y)) * 10000 + (y + 50) * 100 + x + 50;
        best = ground->valid[i] != 0 && rank < least ? i : best;
        least = ground->valid[i] != 0 && rank < least ? rank : least;
    }
    return best;
}

// Random voids of few and of many cells, with open and with periodic edges.
static void voids_know_the_nearest_ground(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int32_t round = 0; round < 40; ++round)
    {
        const bool wraps = round % 2 == 1;
        wadi_terrain* terrain = fixture_plain(&f, HOLED_WIDE, HOLED_HIGH, 1.0,
                                              wraps ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN);
        uint8_t valid[HOLED_CELLS];
        int32_t source[HOLED_CELLS];
        int32_t queue[HOLED_CELLS];
        for (uint32_t i = 0; i < HOLED_CELLS; ++i)
        {
            valid[i] =
                wadi_random(7, 0, i, (uint32_t)round).v[0] % 40 <= (uint32_t)round / 2 ? 1 : 0;
        }
        valid[round] = 1;
        CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, HOLED_WIDE));
        const wadi_ground* ground = wadi_terrain_ground(terrain);
        wadi_ground_nearest_valid(ground, source, queue);
        for (int32_t i = 0; i < HOLED_CELLS; ++i)
        {
            assert_int_equal(source[i], holed_nearest(ground, i, wraps));
        }
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_matter_goes_first),
        cmocka_unit_test(upper_layers_go_before_lower_ones),
        cmocka_unit_test(hardness_scales_rock_once),
        cmocka_unit_test(hardness_one_is_never_lowered),
        cmocka_unit_test(many_takers_share_what_is_there),
        cmocka_unit_test(random_traffic_closes_to_the_last_unit),
        cmocka_unit_test(each_process_has_its_own_account),
        cmocka_unit_test(voids_know_the_nearest_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
