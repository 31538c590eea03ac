// SPDX-License-Identifier: MIT
// Changing part of a layer: exact outside the change, booked, and refused as a whole.
#include "support/fixture.h"

#include "terrain/change.h"

#include <wadi/ledger.h>

enum
{
    CELLS = 12
};

static wadi_terrain* change_terrain(fixture* f)
{
    return fixture_plain(f, 4, 3, 2.0, WADI_EDGE_OPEN);
}

// At 4000 m a float cannot hold a unit of 2^-16 m, so writing floats back would move every cell.
static void cells_without_change_keep_their_units(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = change_terrain(&f);
    double change[CELLS] = {0};
    for (int i = 0; i < CELLS; ++i)
    {
        change[i] = 4000.0 + (i + 0.0) / WADI_UNITS_PER_METRE;
    }
    CHECK_OK(f.context, wadi_terrain_change_layer(terrain, WADI_LAYER_BEDROCK, change));
    memset(change, 0, sizeof change);
    change[5] = -1.5;
    CHECK_OK(f.context, wadi_terrain_change_layer(terrain, WADI_LAYER_SURFACE, change));
    for (int i = 0; i < CELLS; ++i)
    {
        const int32_t expected = 4000 * WADI_UNITS_PER_METRE + i - (i == 5 ? 98304 : 0);
        assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, i % 4, i / 4), expected);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void thickness_stops_at_nothing_and_the_ledger_agrees(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = change_terrain(&f);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
    double change[CELLS] = {0};
    change[0] = -0.25;
    change[1] = -7.0;
    CHECK_OK(f.context, wadi_terrain_change_layer(terrain, WADI_LAYER_SEDIMENT, change));
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 0, 0), 49152);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 1, 0), 0);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].edited, (12.0 - 1.25) * 4.0, 0.0);
    assert_int_equal(rows[WADI_MATERIAL_SEDIMENT].residual_units, 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void shares_stay_between_none_and_all(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = change_terrain(&f);
    double change[CELLS] = {0.25, 3.0, -1.0};
    CHECK_OK(f.context, wadi_terrain_change_layer(terrain, WADI_LAYER_HARDNESS, change));
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_HARDNESS, 0, 0), 16384);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_HARDNESS, 1, 0), 65535);
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_HARDNESS, 2, 0), 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void one_bad_cell_refuses_the_whole_change(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = change_terrain(&f);
    const uint64_t before = wadi_terrain_hash(terrain);
    static const double bad[] = {40000.0, -40000.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        double change[CELLS] = {1.0, 1.0};
        change[6] = bad[i];
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "column 2, row 1",
                    wadi_terrain_change_layer(terrain, WADI_LAYER_BEDROCK, change));
        assert_true(wadi_terrain_hash(terrain) == before);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void void_cells_stay_void(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = change_terrain(&f);
    uint8_t valid[CELLS];
    memset(valid, 1, sizeof valid);
    valid[3] = 0;
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, 4));
    double change[CELLS] = {0};
    change[3] = (double)NAN; // ignored: no change
    CHECK_OK(f.context, wadi_terrain_change_layer(terrain, WADI_LAYER_BEDROCK, change));
    assert_false(wadi_terrain_is_valid(terrain, 3, 0));
    assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, 3, 0), 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_without_change_keep_their_units),
        cmocka_unit_test(thickness_stops_at_nothing_and_the_ledger_agrees),
        cmocka_unit_test(shares_stay_between_none_and_all),
        cmocka_unit_test(one_bad_cell_refuses_the_whole_change),
        cmocka_unit_test(void_cells_stay_void),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
