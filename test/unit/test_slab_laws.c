// SPDX-License-Identifier: MIT
// The slabs' rules in numbers: what lifts and comes to rest under plants, moisture and water, what
// strikes the ground, what wears rock, and how grains roll.
#include "processes/articles/slabs/slab_creep.h"
#include "processes/articles/slabs/slab_creep_kernels.h"
#include "processes/articles/slabs/slab_state.h"
#include "support/fixture.h"

enum
{
    WIDTH = 8,
    HEIGHT = 5,
    CELLS = WIDTH * HEIGHT,
    CELL = 2 * WIDTH + 3
};

// Sand of 1 m under a wind of 6 m/s to the east and 8 m/s to the south.
typedef struct bench
{
    fixture f;
    wadi_terrain* terrain;
    slab_bed bed;
    wadi_tally tally;
    slab_site sites[CELLS];
    _Atomic uint64_t landings[CELLS];
    int32_t struck[CELLS];
    float flow_x[CELLS];
    float flow_y[CELLS];
    int64_t worn[CELLS];
    float x[CELLS];
    float y[CELLS];
    float shelter[CELLS];
} bench;

static void bench_open(bench* b)
{
    memset(b, 0, sizeof *b);
    fixture_open(&b->f, 1);
    b->terrain = fixture_flat(&b->f, WIDTH, HEIGHT);
    CHECK_OK(b->f.context, wadi_terrain_fill_layer(b->terrain, WADI_LAYER_SEDIMENT, 1.0));
    for (int i = 0; i < CELLS; ++i)
    {
        b->x[i] = 6.0f;
        b->y[i] = 8.0f;
    }
    b->bed = (slab_bed){.context = b->f.context,
                        .ground = wadi_terrain_ground(b->terrain),
                        .law = {.hop = 0.5f,
                                .threshold = 7.0f,
                                .skin = {.plant_drag = 16.0, .wet_gain = 1.0},
                                .gain = (float)(10.0 / 0.6),
                                .slab = 4096,
                                .settle_sand = 0.6f,
                                .settle_rock = 0.4f,
                                .wear = 0.001f,
                                .wear_limit = 512.0f,
                                .wear_seldom = 1,
                                .bare_depth = 1 << 20,
                                .turns = 1},
                        .air = {.x = b->x, .y = b->y, .shelter = b->shelter},
                        .sites = b->sites,
                        .landings = b->landings,
                        .struck = b->struck,
                        .flow_x = b->flow_x,
                        .flow_y = b->flow_y,
                        .worn = b->worn,
                        .tallies = &b->tally};
}

static void bench_close(bench* b)
{
    wadi_terrain_destroy(b->terrain);
    fixture_close(&b->f);
}

// Survey of a cell whose layer has a value, by the article's law or the common one.
static slab_site site_under(bool common, wadi_layer layer, double value)
{
    bench b;
    bench_open(&b);
    b.bed.law.common = common;
    CHECK_OK(b.f.context, wadi_terrain_fill_layer(b.terrain, layer, value));
    wadi_slab_survey(&b.bed);
    const slab_site site = b.sites[CELL];
    bench_close(&b);
    return site;
}

static void plants_moisture_and_water_hold_slabs(void** state)
{
    (void)state;
    const slab_site bare = site_under(false, WADI_LAYER_VEGETATION, 0.0);
    CHECK_NEAR((double)bare.hop_x, 3.0, 1e-6);
    CHECK_NEAR((double)bare.hop_y, 4.0, 1e-6);
    CHECK_NEAR((double)bare.settle, 0.6, 1e-6);
    assert_int_equal(bare.lift, 4096);
    const slab_site green = site_under(false, WADI_LAYER_VEGETATION, 0.5);
    CHECK_NEAR((double)green.settle, 0.8, 1e-4); // 0.6 + (1 - 0.6) / 2
    CHECK_NEAR((double)green.lift, 2048.0, 1.0);
    // wet sand needs 7 sqrt(1 + 3 moisture^0.68) m/s of the 10 that blow
    assert_int_equal(site_under(false, WADI_LAYER_MOISTURE, 0.2).lift, 4096);
    assert_int_equal(site_under(false, WADI_LAYER_MOISTURE, 0.25).lift, 0);
    const slab_site pool = site_under(false, WADI_LAYER_WATER, 0.1);
    assert_true(pool.lift == 0 && pool.settle == 1.0f);
}

// The thickness of a slab over the chance that it comes to rest, which the flux goes by.
static double lift_of(wadi_layer layer, double value)
{
    const slab_site site = site_under(true, layer, value);
    return (double)site.lift / (double)site.settle * 0.6;
}

// (stress - threshold) / 50 of a wind of 10 m/s over a threshold of 7 m/s.
static void slabs_lift_what_the_common_law_asks_for(void** state)
{
    (void)state;
    CHECK_NEAR(lift_of(WADI_LAYER_VEGETATION, 0.0), 4096.0 * 51.0 / 50.0, 1.0);
    CHECK_NEAR(lift_of(WADI_LAYER_VEGETATION, 0.05), 4096.0 * (100.0 / 1.8 - 49.0) / 50.0, 2.0);
    assert_true(lift_of(WADI_LAYER_VEGETATION, 0.07) == 0.0);
    const double bond = 1.0 + 3.0 * pow(0.1, 0.68);
    CHECK_NEAR(lift_of(WADI_LAYER_MOISTURE, 0.1), 4096.0 * (100.0 - 49.0 * bond) / 50.0, 2.0);
    assert_true(lift_of(WADI_LAYER_MOISTURE, 0.25) == 0.0);
    assert_true(lift_of(WADI_LAYER_WATER, 0.1) == 0.0);
}

// The share of landing sand that strikes the ground is the share without plants; the flux is the
// sand in motion times its hop.
static void plants_shield_what_lies_under_them(void** state)
{
    (void)state;
    for (int planted = 0; planted < 2; ++planted)
    {
        bench b;
        bench_open(&b);
        CHECK_OK(b.f.context, wadi_terrain_fill_layer(b.terrain, WADI_LAYER_SEDIMENT, 0.0));
        CHECK_OK(b.f.context, wadi_terrain_fill_layer(b.terrain, WADI_LAYER_VEGETATION,
                                                      planted != 0 ? 0.5 : 0.0));
        b.sites[CELL] = (slab_site){.hop_x = 3.0f, .hop_y = 4.0f};
        b.landings[CELL] = (uint64_t)40 << 32 | 1000; // 40 bounced, 1000 came to rest
        wadi_slab_settle(&b.bed);
        const double bare = planted != 0 ? 0.5 : 1.0;
        CHECK_NEAR((double)b.struck[CELL], bare * 1040.0, 1.0);
        CHECK_NEAR((double)b.flow_x[CELL], 40.0 * 3.0, 1e-3);
        CHECK_NEAR((double)b.flow_y[CELL], 40.0 * 4.0, 1e-3);
        // 0.001 x 40 x 10 m/s of the full wear of 512; a random part of a unit more
        CHECK_NEAR((double)b.worn[CELL], bare * 0.4 * 512.0, 1.0);
        assert_int_equal(b.struck[CELL + 1], 0);
        bench_close(&b);
    }
}

// A heap of one cell gives to its two steepest neighbours; over a diagonal the way is longer.
static void grains_roll_by_steepness(void** state)
{
    (void)state;
    enum
    {
        COUNT = 3
    };
    static int32_t rows[3][COUNT + 2];
    static int32_t way[3][2][COUNT + 2];
    static int32_t amount[3][2][COUNT + 2];
    for (int corner = 0; corner < 4; ++corner)
    {
        int32_t total[9] = {0};
        for (int y = 0; y < 3; ++y)
        {
            for (int x = 0; x < COUNT + 2; ++x)
            {
                rows[y][x] = 0;
                amount[y][0][x] = amount[y][1][x] = 0;
            }
        }
        rows[1][2] = 0;
        rows[corner / 2 * 2][1 + corner % 2 * 2] = -1000; // the deepest neighbour is a corner
        const int32_t sand[COUNT] = {0, 1000000, 0};
        const int32_t struck[COUNT] = {0, 100, 0};
        const slab_creep_kernels* kernels = slab_creep_kernels_of(wadi_isa_best());
        creep_gifts gifts[3];
        for (int y = 0; y < 3; ++y)
        {
            gifts[y] =
                (creep_gifts){{way[y][0] + 1, way[y][1] + 1}, {amount[y][0] + 1, amount[y][1] + 1}};
        }
        kernels->plan(&(creep_plan_row){.north = rows[0] + 1,
                                        .here = rows[1] + 1,
                                        .south = rows[2] + 1,
                                        .sand = sand,
                                        .struck = struck,
                                        .rate = 0.001f,
                                        .count = COUNT,
                                        .gifts = gifts[1]});
        // slope 1000 / sqrt 2, and 0.1 of the grains, less over the longer way: 1000 x 0.1 / 2
        CHECK_NEAR((double)gifts[1].amount[0][1], 50.0, 1.0);
        // the row beside it gets what was given, in the right column
        const bool from_south = corner / 2 == 0; // then the receiver lies in the north
        kernels->sum(&(creep_sum_row){.north = from_south ? gifts[0] : gifts[1],
                                      .here = from_south ? gifts[0] : gifts[2],
                                      .south = from_south ? gifts[1] : gifts[2],
                                      .count = COUNT,
                                      .change = total});
        for (int x = 0; x < COUNT; ++x)
        {
            CHECK_NEAR((double)total[x], x == corner % 2 * 2 ? 50.0 : 0.0, 1.0);
        }
    }
}

// A heap in the first or the last row and a pit beyond the periodic edge: the grains struck roll
// through the edge.
static void grains_roll_through_a_periodic_edge(void** state)
{
    (void)state;
    for (int last = 0; last < 2; ++last)
    {
        bench b;
        bench_open(&b);
        b.bed.law.creep = 0.001f;
        wadi_ground* ground = b.bed.ground;
        ground->edges[WADI_SIDE_NORTH] = ground->edges[WADI_SIDE_SOUTH] = WADI_EDGE_PERIODIC;
        CHECK_OK(b.f.context, wadi_slab_creep_create(&b.bed));
        const int32_t heap = (last != 0 ? HEIGHT - 1 : 0) * WIDTH + 3;
        const int32_t pit = (last != 0 ? 0 : HEIGHT - 1) * WIDTH + 3;
        ground->loose[0][heap] += 500;
        ground->loose[0][pit] -= 500;
        b.struck[heap] = 100;
        wadi_slab_creep_roll(&b.bed);
        // to the pit 1000 x 0.1, to the neighbour in the east 500 x 0.1
        CHECK_NEAR((double)ground->loose[0][pit], 65536.0 - 500.0 + 100.0, 1.0);
        CHECK_NEAR((double)ground->loose[0][heap + 1], 65536.0 + 50.0, 1.0);
        CHECK_NEAR((double)ground->loose[0][heap], 65536.0 + 500.0 - 150.0, 2.0);
        wadi_slab_creep_destroy(&b.bed);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_moisture_and_water_hold_slabs),
        cmocka_unit_test(slabs_lift_what_the_common_law_asks_for),
        cmocka_unit_test(plants_shield_what_lies_under_them),
        cmocka_unit_test(grains_roll_by_steepness),
        cmocka_unit_test(grains_roll_through_a_periodic_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
