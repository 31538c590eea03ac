// SPDX-License-Identifier: MIT
// The model "alluvial" on a plain: its open edge, and mud that holds.
#include "support/plain.h"

#include "processes/hydraulic/alluvial.h"

#include <math.h>

enum
{
    SIZE = 40
};

#define EDGE_FALL 0.01 // of the plain, to the east

static wadi_terrain* falling_plain(fixture* f, int32_t width, int32_t height)
{
    plain_land land = plain_falling(width, EDGE_FALL);
    land.height = height;
    return plain_terrain(f, &land);
}

// Floods read the edges of a plain as in a step.
static alluvial* plain_floods(fixture* f, wadi_terrain* terrain)
{
    const wadi_hydraulic_params params = plain_params();
    alluvial* a = NULL;
    CHECK_OK(f->context, wadi_alluvial_create(terrain, &params, 1, &a));
    wadi_alluvial_set_box(a);
    wadi_alluvial_mark(a);
    wadi_alluvial_read_edges(a);
    return a;
}

// Beyond an open edge the plain falls on; beyond a notch it is no lower than the plain, but never
// higher than the ground at the edge.
static void plains_go_on_beyond_open_edges(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = falling_plain(&f, SIZE, SIZE);
    alluvial* a = plain_floods(&f, terrain);
    const float bed = (float)(20.0 - 20.0 * EDGE_FALL * (SIZE - 1));
    CHECK_NEAR((double)wadi_alluvial_beyond(a, SIZE, 9, bed), 0.2, 1e-3);
    CHECK_NEAR((double)wadi_alluvial_beyond(a, SIZE + 1, 0, bed), 0.4, 1e-3);
    CHECK_NEAR((double)wadi_alluvial_beyond(a, SIZE, 9, bed + 3.0f), 0.2, 1e-3);
    CHECK_NEAR((double)wadi_alluvial_beyond(a, SIZE, 9, bed - 0.1f), 0.1, 1e-3);
    assert_true(wadi_alluvial_beyond(a, SIZE, 9, bed - 1.0f) == 0.0f);
    assert_true(wadi_alluvial_beyond(a, -1, 9, 20.0f) == 0.0f);
    assert_true(wadi_alluvial_beyond(a, 9, SIZE, 18.2f) == 0.0f);
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    // too few cells for a slope
    terrain = falling_plain(&f, 3, SIZE);
    a = plain_floods(&f, terrain);
    assert_true(wadi_alluvial_beyond(a, 3, 9, 19.6f) == 0.0f);
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static double column_height(const wadi_terrain* terrain, int32_t x)
{
    double sum = 0.0;
    for (int32_t y = 0; y < SIZE; ++y)
    {
        sum += wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y) / 65536.0 / SIZE;
    }
    return sum;
}

// Clear water wears the plain up to its open edge, and much load fills it up to there: the last
// column lies on the line through those before it. Books close.
static void edges_are_worn_and_filled_like_the_plain(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = falling_plain(&f, SIZE, SIZE);
        const wadi_hydraulic_params params = plain_params();
        wadi_solver* solver = plain_river(terrain, &params, 70.0, 410.0, 0.5, i == 0 ? 0.0 : 4e5);
        const double before = column_height(terrain, SIZE - 1);
        fixture_live(solver, 8.0);
        const double change = column_height(terrain, SIZE - 1) - before;
        double slope = 0.0;
        for (int32_t k = 1; k <= 6; ++k)
        {
            const double to = column_height(terrain, SIZE - 1 - k);
            slope += (column_height(terrain, SIZE - 7 - k) - to) / 36.0;
        }
        const double off =
            column_height(terrain, SIZE - 1) - column_height(terrain, SIZE - 2) + slope;
        print_message("the edge changes by %.2f m and lies %.3f m above the plain\n", change, off);
        assert_true(i == 0 ? change < -0.2 : change > 0.2);
        assert_true(fabs(off) < 0.05);
        const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        assert_true(books.residual_units == 0 && books.out[WADI_SIDE_EAST] > 0.0);
        plain_close(solver);
        fixture_close(&f);
    }
}

// ---- mud ---------------------------------------------------------------------------------

typedef struct worn
{
    double eroded; // [m3]
    uint64_t hash; // of the ground
} worn;

// A river on a plain; both have a share of mud, which holds up to a speed.
static worn wear_of_mud(double share, double speed)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = falling_plain(&f, SIZE, SIZE);
    wadi_hydraulic_params params = plain_params();
    params.fine_share = share;
    params.mud_speed = speed;
    wadi_solver* solver = plain_river(terrain, &params, 70.0, 410.0, 0.5, 3e3);
    fixture_live(solver, 2.0);
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0);
    const worn found = {books.eroded, wadi_terrain_hash(terrain)};
    plain_close(solver);
    fixture_close(&f);
    return found;
}

// Mud stays where the flow is slower than the speed that wears it, and does not roll; less of it
// holds less, and sand does not hold at all.
static void mud_holds_the_ground(void** state)
{
    (void)state;
    const worn free_mud = wear_of_mud(1.0, 0.0);
    assert_true(free_mud.eroded > 100.0);
    assert_true(wear_of_mud(1.0, 10.0).eroded == 0.0);
    const double part = wear_of_mud(0.5, 1.2).eroded;
    assert_true(part > 0.0 && part > wear_of_mud(0.5, 3.0).eroded);
    assert_true(wear_of_mud(0.0, 10.0).hash == wear_of_mud(0.0, 0.0).hash);
}

// A river whose floods are wider than the map leaves it: between walls on all sides its load would
// pile up without end. On 2 x 2 cells there is no room for a mouth with walls at its sides.
static void floods_wider_than_the_map_leave_it(void** state)
{
    (void)state;
    for (int32_t size = 2; size <= 8; ++size)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = falling_plain(&f, size, size);
        wadi_hydraulic_params params = plain_params();
        params.flood_step = 0.1;
        wadi_solver* solver = plain_river(terrain, &params, 10.0, 10.0 * size, 20.0, 4000.0);
        fixture_live(solver, 1.0);
        const wadi_ledger_row water = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
        assert_true(water.residual_units == 0);
        CHECK_NEAR(water.out[WADI_SIDE_EAST] / water.in, 1.0, 0.01);
        plain_close(solver);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plains_go_on_beyond_open_edges),
        cmocka_unit_test(edges_are_worn_and_filled_like_the_plain),
        cmocka_unit_test(floods_wider_than_the_map_leave_it),
        cmocka_unit_test(mud_holds_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
