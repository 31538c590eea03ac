// SPDX-License-Identifier: MIT
// Load that rivers of the model "alluvial" bring by the capacity of their flow.
#include "support/front.h"
#include "support/plain.h"

#include "processes/hydraulic/alluvial.h"

#include <math.h>

enum
{
    SIZE = 40,
    CELLS = SIZE * SIZE,
    NODES = 20
};

static wadi_hydraulic_params feed_params(double capacity)
{
    wadi_hydraulic_params params = plain_params();
    params.flood_step = 0.5;
    params.inflow_capacity = capacity;
    return params;
}

// A river of 60 m3/s in flood on a plain of loose ground that falls to the east by 0.02.
static wadi_solver* steep_river(fixture* f, const wadi_hydraulic_params* params, double load)
{
    const plain_land land = plain_falling(SIZE, 0.02);
    return plain_river(plain_terrain(f, &land), params, 50.0, 410.0,
                       60.0 * params->flood_days / 365.25, load);
}

static void close_all(fixture* f, wadi_solver* solver)
{
    plain_close(solver);
    fixture_close(f);
}

typedef struct grown
{
    double in;   // [m3] load that came in
    double head; // [m] mean change in height of the five rows and columns at the entry
} grown;

static grown grow(const wadi_hydraulic_params* params, double load)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = steep_river(&f, params, load);
    const wadi_terrain* terrain = wadi_solver_terrain(solver);
    static float before[CELLS];
    static float after[CELLS];
    front_heights(terrain, before);
    fixture_live(solver, 3.0);
    front_heights(terrain, after);
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0);
    grown g = {.in = books.in};
    for (int32_t i = 0; i < 25; ++i)
    {
        const int32_t c = (SIZE / 2 - 2 + i / 5) * SIZE + 2 + i % 5;
        g.head += ((double)after[c] - (double)before[c]) / 25.0;
    }
    close_all(&f, solver);
    return g;
}

// ---- what comes in -----------------------------------------------------------------------

// Clear water wears the bed where it enters; a river with the load that it can carry does not, and
// one with twice that load raises it.
static void the_bed_of_a_river_in_equilibrium_stays(void** state)
{
    (void)state;
    grown g[3];
    for (int i = 0; i < 3; ++i)
    {
        const wadi_hydraulic_params params = feed_params(i);
        g[i] = grow(&params, 0.0);
        print_message("capacity %d: %.0f m3 came in, the head rose by %.2f m\n", i, g[i].in,
                      g[i].head);
    }
    assert_true(g[0].in == 0.0 && g[0].head < -0.5);
    assert_true(g[1].in > 0.0 && fabs(g[1].head) < 0.4 * fabs(g[0].head));
    assert_true(g[2].in > g[1].in && g[2].head > g[1].head);
}

// A bed that never moves takes no load, and the load of the table comes as well.
static void the_table_counts_as_well(void** state)
{
    (void)state;
    wadi_hydraulic_params params = feed_params(1.0);
    params.bed_speed = 10.0;
    assert_true(grow(&params, 0.0).in == 0.0);
    CHECK_NEAR(grow(&params, 2000.0).in, 6000.0, 0.1);
    params.bed_speed = 0.8;
    const double fed = grow(&params, 2000.0).in;
    assert_true(fed > 7000.0);
}

static wadi_solver* fed_river(fixture* f)
{
    const wadi_hydraulic_params params = feed_params(1.2);
    return steep_river(f, &params, 500.0);
}

static void calls_and_threads_do_not_matter(void** state)
{
    (void)state;
    fixture_check_cuts(fed_river, 2.0);
}

static void a_restored_river_is_fed_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = fed_river(&f);
    fixture_live(solver, 1.0);
    plain_close(plain_restored(solver, 1.0));
    close_all(&f, solver);
}

// ---- by hand -----------------------------------------------------------------------------

typedef struct bench
{
    alluvial a;
    alluvial_river river;
    alluvial_parcel fleet[2];
    alluvial_node nodes[2 * NODES];
    alluvial_offer offers[2 * NODES];
} bench;

// Two parcels, each with cells of its own; one cubic metre of water in each, on cells of 1 m. The
// cells of the first carry (k + 1) / 100 of its water, those of the second the double.
static void bench_open(bench* b, double capacity, int64_t room)
{
    *b = (bench){.river = {.parcel = 2.0f}};
    b->a.params = feed_params(capacity);
    b->a.seconds = 0.5;
    b->a.cell = 1.0;
    b->a.rivers = &b->river;
    b->a.fleet = b->fleet;
    b->a.nodes = b->nodes;
    b->a.offers = b->offers;
    b->a.longest = NODES;
    b->a.fleet_count = 2;
    b->a.feed = room;
    for (int32_t i = 0; i < 2 * NODES; ++i)
    {
        b->nodes[i].cell = i;
        b->offers[i].capacity = 0.01f * (float)((i % NODES + 1) * (i / NODES + 1));
    }
    for (int32_t i = 0; i < 2; ++i)
    {
        b->fleet[i].count = NODES;
        b->fleet[i].end = ALLUVIAL_WALK;
        b->fleet[i].load[ALLUVIAL_COARSE] = 7;
        b->fleet[i].load[ALLUVIAL_FINE] = 3;
    }
}

// The mean of moves 2 to 13, times the water and the share; mud does not count, and books have it.
static void parcels_get_the_mean_capacity_of_their_way(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, 0.5, INT64_MAX);
    wadi_alluvial_feed(&b.a);
    const double first = 0.5 * 0.085 * 65536.0;
    CHECK_NEAR((double)b.fleet[0].load[ALLUVIAL_COARSE], 7.0 + first, 1.0);
    CHECK_NEAR((double)b.fleet[1].load[ALLUVIAL_COARSE], 7.0 + 2.0 * first, 1.0);
    assert_true(b.fleet[0].load[ALLUVIAL_FINE] == 3 && b.fleet[1].load[ALLUVIAL_FINE] == 3);
    const int64_t fed = b.fleet[0].load[ALLUVIAL_COARSE] + b.fleet[1].load[ALLUVIAL_COARSE] - 14;
    assert_true(b.a.tally.in[WADI_MATERIAL_SEDIMENT] == fed);
}

// The place by which a parcel leaves is no cell, and a parcel that leaves at once gets nothing.
static void short_ways_count_what_they_have(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, 1.0, INT64_MAX);
    b.fleet[0].count = 4;
    b.fleet[0].end = ALLUVIAL_EXIT + WADI_SIDE_EAST;
    b.nodes[3].cell = -1;
    b.fleet[1].count = 2;
    wadi_alluvial_feed(&b.a);
    CHECK_NEAR((double)b.fleet[0].load[ALLUVIAL_COARSE], 7.0 + 0.03 * 65536.0, 1.0);
    assert_true(b.fleet[1].load[ALLUVIAL_COARSE] == 7);
}

// No more comes than the map has room for, and reaches of streams get their load from streams.
static void room_bounds_what_comes(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, 1.0, 8000);
    wadi_alluvial_feed(&b.a);
    const int64_t first = b.fleet[0].load[ALLUVIAL_COARSE] - 7;
    assert_true(first > 5000 && first < 6000);
    assert_true(b.fleet[1].load[ALLUVIAL_COARSE] == 7 + 8000 - first);
    assert_true(b.a.feed == 0 && b.a.tally.in[WADI_MATERIAL_SEDIMENT] == 8000);
    bench_open(&b, 1.0, INT64_MAX);
    const uint8_t reach[1] = {1};
    b.a.reach.cells = reach;
    wadi_alluvial_feed(&b.a);
    assert_true(b.fleet[0].load[ALLUVIAL_COARSE] == 7);
    assert_true(b.a.tally.in[WADI_MATERIAL_SEDIMENT] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bed_of_a_river_in_equilibrium_stays),
        cmocka_unit_test(the_table_counts_as_well),
        cmocka_unit_test(calls_and_threads_do_not_matter),
        cmocka_unit_test(a_restored_river_is_fed_on),
        cmocka_unit_test(parcels_get_the_mean_capacity_of_their_way),
        cmocka_unit_test(short_ways_count_what_they_have),
        cmocka_unit_test(room_bounds_what_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
