// SPDX-License-Identifier: MIT
// The verbs of the ground, entry by entry: which layer gives, which material is booked, what a
// stretch of cells changes, and which bed of rock lies open afterwards.
#include "support/fixture.h"

#include "terrain/ground.h"

#include <stdlib.h>

enum
{
    CLAY = 3, // rows of the material table
    LOAM = 4,
    WIDTH = 10,
    HEIGHT = 4,
    CELLS = WIDTH * HEIGHT
};

static wadi_terrain* two_layers(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 3.0;
    def.loose_count = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    const wadi_material clay = {"clay", 2600.0, 0.4, 0.0, 30.0, 0.0, 1e-5, 1e-4};
    const wadi_material loam = {"loam", 2500.0, 0.3, 0.0, 32.0, 0.0, 1e-5, 1e-4};
    CHECK_OK(f->context, wadi_terrain_set_material(terrain, CLAY, &clay));
    CHECK_OK(f->context, wadi_terrain_set_material(terrain, LOAM, &loam));
    CHECK_OK(f->context, wadi_terrain_set_loose(terrain, 0, "clay", CLAY));
    CHECK_OK(f->context, wadi_terrain_set_loose(terrain, 1, "loam", LOAM));
    return terrain;
}

// Cell 5 has 70 units of loam on 100 units of clay.
typedef struct column
{
    fixture f;
    wadi_terrain* terrain;
    const wadi_ground* ground;
    wadi_tally tally;
} column;

static void column_open(column* c)
{
    *c = (column){0};
    fixture_open(&c->f, 1);
    c->terrain = two_layers(&c->f);
    c->ground = wadi_terrain_ground(c->terrain);
    c->ground->loose[0][5] = 100;
    c->ground->loose[1][5] = 70;
}

static void column_close(column* c)
{
    wadi_terrain_destroy(c->terrain);
    fixture_close(&c->f);
}

static void a_take_goes_down_layer_by_layer(void** state)
{
    (void)state;
    column c;
    column_open(&c);
    const wadi_ground* ground = c.ground;
    ground->hardness[5] = 65535 / 5; // a fifth
    assert_int_equal(wadi_ground_yield(ground, 5, 170), 170);
    assert_int_equal(wadi_ground_yield(ground, 5, 270), 250);
    assert_int_equal(wadi_ground_take(ground, 5, 50, &c.tally), 50);
    assert_int_equal(ground->loose[1][5], 20);
    assert_int_equal(ground->loose[0][5], 100);
    assert_int_equal(wadi_ground_take(ground, 5, 220, &c.tally), 120 + 80);
    assert_int_equal(ground->loose[1][5], 0);
    assert_int_equal(ground->loose[0][5], 0);
    assert_int_equal(ground->bedrock[5], -80);
    assert_int_equal(c.tally.eroded[LOAM], 70);
    assert_int_equal(c.tally.eroded[CLAY], 100);
    assert_int_equal(c.tally.eroded[WADI_MATERIAL_ROCK], 80);
    assert_int_equal(c.tally.converted[LOAM], -70);
    assert_int_equal(c.tally.converted[CLAY], -100);
    assert_int_equal(c.tally.converted[WADI_MATERIAL_ROCK], -80);
    assert_int_equal(c.tally.converted[WADI_MATERIAL_SEDIMENT], 250);
    wadi_ground_put(ground, 5, 250, &c.tally);
    assert_int_equal(c.tally.deposited[WADI_MATERIAL_SEDIMENT], 250);
    assert_int_equal(ground->loose[0][5], 250);
    column_close(&c);
}

// Slides carry layers under their own names.
static void lifted_layers_keep_their_material(void** state)
{
    (void)state;
    column c;
    column_open(&c);
    const wadi_ground* ground = c.ground;
    wadi_ground_lift(ground, 5, 0, 30, &c.tally);
    wadi_ground_lift(ground, 5, 1, 50, &c.tally);
    wadi_ground_lay(ground, 6, 1, 50, &c.tally);
    wadi_ground_lay(ground, 6, 0, 30, &c.tally);
    assert_int_equal(ground->loose[0][5], 70);
    assert_int_equal(ground->loose[1][5], 20);
    assert_int_equal(ground->loose[0][6], 30);
    assert_int_equal(ground->loose[1][6], 50);
    assert_int_equal(c.tally.eroded[CLAY], 30);
    assert_int_equal(c.tally.eroded[LOAM], 50);
    assert_int_equal(c.tally.deposited[CLAY], 30);
    assert_int_equal(c.tally.deposited[LOAM], 50);
    assert_int_equal(c.tally.eroded[WADI_MATERIAL_SEDIMENT], 0);
    column_close(&c);
}

static void removed_matter_is_lost_under_its_material(void** state)
{
    (void)state;
    column c;
    column_open(&c);
    const wadi_ground* ground = c.ground;
    wadi_ground_remove(ground, 5, 210, &c.tally);
    assert_int_equal(ground->bedrock[5], -40);
    assert_int_equal(c.tally.lost[LOAM], 70);
    assert_int_equal(c.tally.lost[CLAY], 100);
    assert_int_equal(c.tally.lost[WADI_MATERIAL_ROCK], 40);
    assert_int_equal(c.tally.eroded[WADI_MATERIAL_ROCK], 40);
    assert_int_equal(c.tally.converted[WADI_MATERIAL_SEDIMENT], 0);
    column_close(&c);
}

// A stretch of the plain case: one layer of sediment on rock. Where the layer holds out rock is not
// touched; where it is a unit short, that unit is rock.
static void stretches_change_loose_matter_first(void** state)
{
    (void)state;
    for (int32_t lacks = 0; lacks <= 1; ++lacks)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
        const wadi_ground* ground = wadi_terrain_ground(terrain);
        int32_t change[WIDTH];
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            ground->loose[0][WIDTH + x] = 100;
            change[x] = x % 2 == 0 ? 10 * x : -10 * x;
        }
        change[9] = -100 - lacks;
        wadi_tally tally = {0};
        wadi_ground_change_row(ground, WIDTH, WIDTH, change, &tally);
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            assert_int_equal(ground->loose[0][WIDTH + x], x == 9 ? 0 : 100 + change[x]);
            assert_int_equal(ground->bedrock[WIDTH + x], x == 9 ? -lacks : 0);
        }
        assert_int_equal(tally.deposited[WADI_MATERIAL_SEDIMENT], 20 + 40 + 60 + 80);
        assert_int_equal(tally.eroded[WADI_MATERIAL_SEDIMENT], 10 + 30 + 50 + 70 + 100);
        assert_int_equal(tally.eroded[WADI_MATERIAL_ROCK], lacks);
        assert_int_equal(tally.converted[WADI_MATERIAL_SEDIMENT], lacks);
        assert_int_equal(tally.converted[WADI_MATERIAL_ROCK], -lacks);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// After any lowering of rock, the hardness layer shows the exposed bed: in the first and in the
// last cell of a stretch, for one cell and for many.
static void stretches_uncover_beds(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{1.0, 0.0}, {1.0, 0.4}, {1.0, 0.8}};
    for (int verb = 0; verb < 3; ++verb)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
        CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 3, NULL, 0));
        const wadi_ground* ground = wadi_terrain_ground(terrain);
        int32_t taken[WIDTH];
        int32_t change[WIDTH];
        const int32_t laid[WIDTH] = {0};
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            taken[x] = x < 5 ? 0 : WADI_UNITS_PER_METRE; // just to the top of the second bed
            change[x] = -taken[x];
        }
        wadi_tally tally = {0};
        if (verb == 0)
        {
            wadi_ground_exchange_row(ground, WIDTH, WIDTH, taken, laid, &tally);
        }
        else if (verb == 1)
        {
            wadi_ground_change_row(ground, WIDTH, WIDTH, change, &tally);
        }
        for (int32_t x = 0; x < WIDTH && verb == 2; ++x)
        {
            wadi_ground_remove(ground, WIDTH + x, taken[x], &tally);
        }
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            CHECK_NEAR(ground->hardness[WIDTH + x] / 65535.0, x < 5 ? 0.0 : 0.4, 1e-5);
        }
        // half a metre more of the second bed costs what hardness 0 would give 0.83 m for; then
        // the third gives a fifth
        assert_int_equal(wadi_ground_rock_yield(ground, WIDTH + 9, 100000),
                         (int32_t)(100000.0 * 0.6));
        const double spent = 65536.0 / 0.6;
        CHECK_NEAR(wadi_ground_rock_yield(ground, WIDTH + 9, 200000),
                   65536.0 + 0.2 * (200000.0 - spent), 3.0);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void the_first_bed_may_be_the_hardest(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{1.0, 1.0}, {1.0, 0.0}};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 2, NULL, 0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    assert_int_equal(wadi_ground_erodible_rock(ground, 5), 0);
    wadi_tally tally = {0};
    assert_int_equal(wadi_ground_take(ground, 5, 1000000, &tally), 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Volumes are units times the area of a cell; the surface's counts all that lies on the rock.
static void volumes_and_ledgers_are_in_cubic_metres(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = two_layers(&f);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 10.0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_LOOSE, 2.0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_LOOSE + 1, 0.5));
    const double area = 9.0 * CELLS;
    CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE), 12.5 * area, 1e-6);
    CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_LOOSE), 2.0 * area, 1e-6);
    wadi_tally tally = {0};
    const int64_t metre = WADI_UNITS_PER_METRE;
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    ground->loose[1][3] += 8 * WADI_UNITS_PER_METRE; // as booked below
    ground->loose[0][3] -= WADI_UNITS_PER_METRE / 2;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        tally.out[LOAM][side] = (side + 1) * metre;
    }
    tally.in[LOAM] = 30 * metre;
    tally.lost[LOAM] = 2 * metre;
    tally.transit[LOAM] = 5 * metre;
    tally.converted[LOAM] = 0;
    tally.lost[CLAY] = metre / 2;
    wadi_terrain_book(terrain, "test", &tally);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    assert_int_equal(WADI_SIDE_COUNT, 5);
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        CHECK_NEAR(rows[LOAM].out[side], 9.0 * (side + 1), 1e-9);
    }
    CHECK_NEAR(rows[LOAM].in, 270.0, 1e-9);
    CHECK_NEAR(rows[LOAM].lost, 18.0, 1e-9);
    CHECK_NEAR(rows[LOAM].transit, 45.0, 1e-9);
    CHECK_NEAR(rows[CLAY].lost, 4.5, 1e-9);
    CHECK_NEAR(rows[CLAY].edited, 2.0 * area, 1e-6);
    CHECK_NEAR(rows[CLAY].residual, 0.0, 0.0);
    // 30 in, 15 out, 2 lost, 5 held: 8 more on the ground
    CHECK_NEAR(rows[LOAM].residual, 0.0, 0.0);
    assert_int_equal(rows[LOAM].residual_units, 0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_take_goes_down_layer_by_layer),
        cmocka_unit_test(lifted_layers_keep_their_material),
        cmocka_unit_test(removed_matter_is_lost_under_its_material),
        cmocka_unit_test(stretches_change_loose_matter_first),
        cmocka_unit_test(stretches_uncover_beds),
        cmocka_unit_test(the_first_bed_may_be_the_hardest),
        cmocka_unit_test(volumes_and_ledgers_are_in_cubic_metres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
