// SPDX-License-Identifier: MIT
// Droplets: same bits at any vector width and thread count, closed ledger, edges, hard ground,
// refusals.
#include "processes/articles/droplets/droplet_state.h"
#include "support/fixture.h"

enum
{
    SIZE = 96,
    STREAM = 7,
    CROWD = 512
};

static wadi_hydraulic_params droplet_params(double per_cell)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_DROPLETS;
    params.droplets_per_cell = per_cell;
    return params;
}

static wadi_droplets* droplet_make(fixture* f, wadi_terrain* terrain, double per_cell)
{
    const wadi_hydraulic_params params = droplet_params(per_cell);
    wadi_droplets* droplets;
    CHECK_OK(f->context, wadi_droplets_create(terrain, &params, 1.0, STREAM, &droplets));
    return droplets;
}

static void droplet_advance(fixture* f, wadi_terrain* terrain, wadi_droplets* droplets,
                            double years)
{
    CHECK_OK(f->context, wadi_droplets_advance(droplets, &(wadi_span){.years = years}));
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
}

static wadi_terrain* droplet_terrain(fixture* f, int32_t width, int32_t height, wadi_edge edge,
                                     double hardness)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = 10.0;
    def.seed = 3;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = edge;
    }
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 60.0, 5);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 2.0, 6);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hardness));
    return terrain;
}

static double droplet_exported(const wadi_terrain* terrain)
{
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += row.out[side];
    }
    return sum;
}

static uint64_t droplet_hash_of(int32_t threads, wadi_isa isa, double hardness)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = droplet_terrain(&f, SIZE, SIZE - 19, WADI_EDGE_PERIODIC, hardness);
    fixture_holes(terrain);
    wadi_droplets* droplets = droplet_make(&f, terrain, 0.2);
    wadi_droplet_use(droplets, isa);
    droplet_advance(&f, terrain, droplets, 1.0);
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void bits_are_the_same(void** state)
{
    (void)state;
    static const int32_t threads[] = {1, 2, 3, 8};
    for (int hard = 0; hard < 2; ++hard)
    {
        const uint64_t expected = droplet_hash_of(1, WADI_ISA_BASE, hard * 0.3);
        for (wadi_isa isa = WADI_ISA_BASE; isa < WADI_ISA_COUNT; ++isa)
        {
            for (int t = 0; t < 4 && wadi_isa_runs(isa); ++t)
            {
                assert_true(droplet_hash_of(threads[t], isa, hard * 0.3) == expected);
            }
        }
    }
}

static void droplets_erode_and_deposit(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = droplet_terrain(&f, SIZE, SIZE, WADI_EDGE_OPEN, 0.0);
    wadi_droplets* droplets = droplet_make(&f, terrain, 0.2);
    droplet_advance(&f, terrain, droplets, 1.0);
    assert_int_equal(wadi_droplets_work(droplets).droplets, SIZE * SIZE / 5);
    assert_true(droplet_exported(terrain) > 0.0);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).deposited > 0.0);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_ROCK).eroded > 0.0);
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Fractions of a droplet are kept for the next call, so that years can be split in any way.
static void years_add_up(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = droplet_terrain(&f, 33, 31, WADI_EDGE_OPEN, 0.0);
    wadi_droplets* droplets = droplet_make(&f, terrain, 1.0);
    for (int i = 0; i < 7; ++i)
    {
        droplet_advance(&f, terrain, droplets, 1.0 / 7.0);
    }
    CHECK_NEAR((double)wadi_droplets_work(droplets).droplets, 33.0 * 31.0, 1.0);
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void closed_and_periodic_edges_keep_all(void** state)
{
    (void)state;
    static const wadi_edge edges[] = {WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = droplet_terrain(&f, 40, 50, edges[i], 0.0);
        wadi_droplets* droplets = droplet_make(&f, terrain, 0.3);
        droplet_advance(&f, terrain, droplets, 1.0);
        assert_true(droplet_exported(terrain) == 0.0);
        const wadi_ledger_row water = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
        assert_true(water.in > 0.0 && water.in == water.lost);
        wadi_droplets_destroy(droplets);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Rock of hardness 1 is never lowered, and loose matter on it does not become negative.
static void hard_rock_stays(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = droplet_terrain(&f, SIZE, SIZE, WADI_EDGE_OPEN, 1.0);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
    wadi_droplets* droplets = droplet_make(&f, terrain, 0.5);
    droplet_advance(&f, terrain, droplets, 1.0);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK) == before);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).eroded > 0.0);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        assert_true(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE) >= 0);
    }
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Start `count` droplets in one cell at once: few enough for a unit of sand each.
static void droplet_crowd(fixture* f, wadi_droplets* d, int32_t cell, int32_t count)
{
    const double nothing = 1e-9; // years: freezes the ground, starts no droplet
    CHECK_OK(f->context, wadi_droplets_advance(d, &(wadi_span){.years = nothing}));
    CHECK_OK(f->context, wadi_particle_bed_allocate_grants(d->bed));
    for (int32_t waiting = count; waiting > 0 || d->live > 0;)
    {
        for (; waiting > 0 && d->live < CROWD; --waiting)
        {
            const float x = (float)(cell % d->law.width) + 0.5f;
            const float y = (float)(cell / d->law.width) + 0.5f;
            d->pool[d->live++] =
                (droplet){.x = x, .y = y, .volume = 1.0f, .pull = d->law.pull, .cell = cell};
            d->bed->workers[0].tally.in[WADI_MATERIAL_WATER] += d->water;
        }
        d->limited = true;
        wadi_particle_bed_open_demands(d->bed);
        wadi_droplet_run_demands(d, 64);
        wadi_particle_bed_grant(d->bed);
        wadi_droplet_run(d, 64);
        wadi_droplet_pool_compact(d);
        wadi_particle_bed_settle(d->bed);
    }
    CHECK_OK(f->context, wadi_droplets_advance(d, &(wadi_span){.years = nothing}));
}

// 10 000 droplets start in one cell on a slope, with 1 cm of sand on rock that does not erode.
// Together they request more than the cell has.
static void many_takers_share(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_flat(&f, 128, 128);
    float heights[128 * 128];
    float sand[128 * 128] = {0};
    for (int32_t i = 0; i < 128 * 128; ++i)
    {
        heights[i] = 5.0f * (float)(i % 128);
    }
    const int32_t start = 64 * 128 + 64;
    sand[start] = 0.01f;
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, 128));
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, 128));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 1.0));
    wadi_droplets* droplets = droplet_make(&f, terrain, 1.0);
    droplet_crowd(&f, droplets, start, 10000);
    assert_true(droplets->bed->worker_count == 2 && droplets->hard);

    const int32_t left = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 64, 64);
    assert_true(left >= 0 && left < 655);
    assert_true(droplets->capacity >= CROWD);
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void voids_stay_void(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = droplet_terrain(&f, SIZE, SIZE, WADI_EDGE_CLOSED, 0.0);
    fixture_holes(terrain);
    wadi_droplets* droplets = droplet_make(&f, terrain, 0.3);
    droplet_advance(&f, terrain, droplets, 1.0);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).out[WADI_SIDE_VOID] > 0.0);
    float map[SIZE * SIZE];
    for (int m = WADI_DROPLET_DISCHARGE; m <= WADI_DROPLET_DEPOSIT; ++m)
    {
        double sum = 0.0;
        wadi_droplets_map(droplets, (wadi_droplet_map)m, map);
        for (int32_t i = 0; i < SIZE * SIZE; ++i)
        {
            const bool valid = wadi_terrain_is_valid(terrain, i % SIZE, i / SIZE);
            assert_true(valid ? map[i] >= 0.0f : isnan(map[i]));
            sum += valid ? (double)map[i] : 0.0;
        }
        assert_true(sum > 0.0);
    }
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void flat_and_tiny_ground_rests(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {2, 3}, {1, 40}, {65, 2}};
    for (int i = 0; i < 4; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_flat(&f, sizes[i][0], sizes[i][1]);
        wadi_droplets* droplets = droplet_make(&f, terrain, 2.0);
        droplet_advance(&f, terrain, droplets, 1.0);
        assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) == 0.0);
        const wadi_droplet_work work = wadi_droplets_work(droplets);
        assert_int_equal(work.droplets, 2 * sizes[i][0] * sizes[i][1]);
        assert_true(work.steps <= work.droplets * DROPLET_STRIDE); // and so do droplets
        wadi_droplets_destroy(droplets);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static int64_t droplet_rounds_between(wadi_edge edge)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = droplet_terrain(&f, SIZE, SIZE, edge, 0.3);
    wadi_droplets* droplets = droplet_make(&f, terrain, 0.1);
    droplet_advance(&f, terrain, droplets, 1.0);
    const int64_t rounds = wadi_droplets_work(droplets).batches;
    wadi_droplets_destroy(droplets);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return rounds;
}

// Droplets that circle a periodic world on hard ground continue to request matter beyond its edges
// without waiting for the end of a round; waiting took 100 times the rounds of an open world.
static void edges_hold_nobody_up(void** state)
{
    (void)state;
    const int64_t open = droplet_rounds_between(WADI_EDGE_OPEN);
    const int64_t closed = droplet_rounds_between(WADI_EDGE_CLOSED);
    const int64_t periodic = droplet_rounds_between(WADI_EDGE_PERIODIC);
    print_message("rounds: %lld open, %lld closed, %lld periodic\n", (long long)open,
                  (long long)closed, (long long)periodic);
    assert_true(closed <= 10 * open && periodic <= 10 * open);
}

static void unstable_steps_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 8, 8);
    wadi_droplets* droplets;
    wadi_hydraulic_params params = droplet_params(1.0);
    params.droplet_step = 1.9;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "stable limit of 1.8",
                wadi_droplets_create(terrain, &params, 1.0, STREAM, &droplets));
    assert_null(droplets);
    params = droplet_params(1.0);
    params.droplet_friction = 0.6;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "stable limit of 0.5",
                wadi_droplets_create(terrain, &params, 1.0, STREAM, &droplets));
    params = droplet_params(1.0);
    params.droplet_evaporation = 0.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "raise droplet_evaporation",
                wadi_droplets_create(terrain, &params, 1.0, STREAM, &droplets));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The article's transfer in numbers: towards volume squared x pace x fall, and at most half of the
// fall over a cell, or over each cell of a longer step.
static void transfer_is_the_article_s(void** state)
{
    (void)state;
    const droplet_law slow = {.gain = 2.0f, .rate = 0.1f, .reach = 1.0f};
    CHECK_NEAR((double)droplet_exchange(&slow, 0.5f, 0.25f, 8.0f, 0.0f), 0.1, 1e-7);
    CHECK_NEAR((double)droplet_exchange(&slow, 0.5f, 0.25f, 8.0f, 3.0f), -0.2, 1e-7);
    CHECK_NEAR((double)droplet_exchange(&slow, 0.5f, 0.25f, -8.0f, 3.0f), -0.3, 1e-7);
    const droplet_law fast = {.gain = 1000.0f, .rate = 1.0f, .reach = 2.0f};
    CHECK_NEAR((double)droplet_exchange(&fast, 1.0f, 0.5f, 8.0f, 0.0f), 4.0, 1e-7);
    CHECK_NEAR((double)droplet_exchange(&fast, 1.0f, 2.0f, 8.0f, 0.0f), 1.0, 1e-7);
}

// A step settles its share of the load's lack and evaporates its share; discharge is a rate.
static void steps_and_years_scale_what_they_should(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.droplet_step = 0.5;
    params.droplet_deposition = 0.2;
    params.droplet_evaporation = 0.02;
    double mean[2];
    for (int run = 0; run < 2; ++run)
    {
        wadi_terrain* terrain = fixture_rough(&f, 40, 40, 1);
        wadi_droplets* droplets = NULL;
        CHECK_OK(f.context, wadi_droplets_create(terrain, &params, 10.0, 1, &droplets));
        CHECK_NEAR((double)droplets->law.rate, 0.1, 1e-7);
        CHECK_NEAR((double)droplets->law.keep, 0.99, 1e-7);
        CHECK_OK(f.context,
                 wadi_droplets_advance(droplets, &(wadi_span){.years = run == 0 ? 20.0 : 40.0}));
        static float map[40 * 40];
        wadi_droplets_map(droplets, WADI_DROPLET_DISCHARGE, map);
        mean[run] = 0.0;
        for (int i = 0; i < 40 * 40; ++i)
        {
            mean[run] += (double)map[i];
        }
        wadi_droplets_destroy(droplets);
        wadi_terrain_destroy(terrain);
    }
    assert_true(mean[0] > 0.0);
    CHECK_NEAR(mean[1], mean[0], 0.2 * mean[0]); // twice the rain in twice the time
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_years_scale_what_they_should),
        cmocka_unit_test(transfer_is_the_article_s),
        cmocka_unit_test(bits_are_the_same),
        cmocka_unit_test(droplets_erode_and_deposit),
        cmocka_unit_test(years_add_up),
        cmocka_unit_test(closed_and_periodic_edges_keep_all),
        cmocka_unit_test(hard_rock_stays),
        cmocka_unit_test(many_takers_share),
        cmocka_unit_test(voids_stay_void),
        cmocka_unit_test(flat_and_tiny_ground_rests),
        cmocka_unit_test(edges_hold_nobody_up),
        cmocka_unit_test(unstable_steps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
