// SPDX-License-Identifier: MIT
// Masks, for every model of every process: where the weight is 0 nothing changes, a full mask
// changes no bit, a share of a change lies between nothing and all of it, the books close, and the
// bits depend neither on threads nor on how time is cut or saved.
#include "support/choice.h"
#include "support/registered.h"

#include "core/archive.h"
#include "terrain/ground.h"

#include <wadi/model.h>

enum
{
    CELLS = CHOICE_WIDTH * CHOICE_HEIGHT
};

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    int32_t before[3][CELLS]; // bedrock, sediment, water
} world;

static const wadi_layer world_layers[3] = {WADI_LAYER_BEDROCK, WADI_LAYER_LOOSE, WADI_LAYER_WATER};

// Weight of a column: 0 in the west, full in the east.
static float stripe(int32_t column)
{
    return column < 20 ? 0.0f : column < 40 ? 0.3f : 1.0f;
}

static float full(int32_t column)
{
    (void)column;
    return 1.0f;
}

static void set_mask(wadi_solver* solver, float (*weight)(int32_t))
{
    float* weights = test_malloc(CELLS * sizeof *weights);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        weights[i] = weight(i % CHOICE_WIDTH);
    }
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)),
             wadi_solver_set_mask(solver, weights));
    test_free(weights);
}

static world* open_world(const choice* c, int32_t threads, float (*weight)(int32_t))
{
    world* w = test_malloc(sizeof *w);
    fixture_open(&w->f, threads);
    w->terrain = fixture_rough(&w->f, CHOICE_WIDTH, CHOICE_HEIGHT, 5);
    fixture_noise(w->terrain, WADI_LAYER_LOOSE, 0.0, 2.0, 8); // for winds
    fixture_holes(w->terrain);
    w->solver = choice_solver(c, w->terrain, 0);
    if (weight != NULL)
    {
        set_mask(w->solver, weight);
    }
    for (int32_t k = 0; k < 3; ++k)
    {
        wadi_terrain_read_units(w->terrain, world_layers[k], w->before[k]);
    }
    return w;
}

static void close_world(world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
    test_free(w);
}

// A number of steps that is not whole, so that time is left; without steps a share of the duration.
static double years_of(const choice* c, const wadi_solver* solver)
{
    const double step = wadi_solver_step(solver);
    return step > 0.0 ? 2.3 * step
                      : 0.05 * wadi_process_years(c->process, wadi_solver_params(solver));
}

static void run(world* w, double years, int calls)
{
    for (int i = 0; i < calls; ++i)
    {
        CHECK_OK(w->f.context, wadi_solver_advance(w->solver, years / calls));
        CHECK_OK(w->f.context, wadi_terrain_advance_clock(w->terrain, years / calls));
    }
    CHECK_OK(w->f.context, wadi_solver_finish(w->solver));
}

// Water is limited only where the model changes nothing else. That of other models keeps its level.
static bool is_limited(const choice* c, int32_t k)
{
    return k < 2 || choice_model(c)->writes == WADI_LAYER_BIT(WADI_LAYER_WATER);
}

// ---- what changes -------------------------------------------------------------------------------

static void check_protected(const choice* c)
{
    world* w = open_world(c, 2, stripe);
    run(w, years_of(c, w->solver), 1);
    CHECK_OK(w->f.context, wadi_solver_settle(w->solver));
    int32_t* after = test_malloc(CELLS * sizeof *after);
    for (int32_t k = 0; k < 3; ++k)
    {
        wadi_terrain_read_units(w->terrain, world_layers[k], after);
        for (int32_t i = 0; i < CELLS; ++i)
        {
            assert_true(!is_limited(c, k) || stripe(i % CHOICE_WIDTH) > 0.0f ||
                        after[i] == w->before[k][i]);
        }
    }
    test_free(after);
    choice_check_layers(w->terrain);
    close_world(w);
}

static void nothing_changes_where_the_weight_is_zero(void** state)
{
    (void)state;
    choice_for_each(check_protected);
}

static void check_full(const choice* c)
{
    world* plain = open_world(c, 1, NULL);
    world* masked = open_world(c, 1, full);
    run(plain, years_of(c, plain->solver), 1);
    run(masked, years_of(c, masked->solver), 1);
    int32_t* units = test_malloc(2 * CELLS * sizeof *units);
    for (int32_t k = 0; k < 3; ++k)
    {
        wadi_terrain_read_units(plain->terrain, world_layers[k], units);
        wadi_terrain_read_units(masked->terrain, world_layers[k], units + CELLS);
        assert_memory_equal(units, units + CELLS, CELLS * sizeof *units);
    }
    test_free(units);
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger_of(masked->terrain, WADI_MASK_ACCOUNT, rows, 3);
    for (int32_t i = 0; i < 3; ++i)
    {
        assert_true(rows[i].in == 0.0 && rows[i].lost == 0.0);
    }
    close_world(plain);
    close_world(masked);
}

static void a_full_mask_is_none(void** state)
{
    (void)state;
    choice_for_each(check_full);
}

// Depth of water that keeps its level on ground that has risen. Models that lay no water leave it.
static int64_t water_on(const choice* c, int32_t depth, int64_t risen)
{
    const bool lays = (choice_model(c)->writes & WADI_LAYER_BIT(WADI_LAYER_WATER)) != 0;
    if (!lays || depth <= 0) // or no data
    {
        return depth;
    }
    return depth > risen ? depth - risen : 0;
}

// One step with and without a mask: each cell keeps its share, rounded up or down.
static void check_share(const choice* c)
{
    world* plain = open_world(c, 1, NULL);
    world* masked = open_world(c, 1, stripe);
    const double step = wadi_solver_step(plain->solver);
    const double years = step > 0.0 ? step : years_of(c, plain->solver);
    run(plain, years, 1);
    run(masked, years, 1);
    int32_t* all = test_malloc(CELLS * sizeof *all);
    int32_t* part = test_malloc(CELLS * sizeof *part);
    int64_t* risen = test_malloc(CELLS * sizeof *risen); // ground, over that without a mask
    memset(risen, 0, CELLS * sizeof *risen);
    for (int32_t k = 0; k < 3; ++k)
    {
        wadi_terrain_read_units(plain->terrain, world_layers[k], all);
        wadi_terrain_read_units(masked->terrain, world_layers[k], part);
        for (int32_t i = 0; i < CELLS; ++i)
        {
            if (!is_limited(c, k))
            {
                assert_true(part[i] == water_on(c, all[i], risen[i]));
                continue;
            }
            const double share = (double)stripe(i % CHOICE_WIDTH);
            const double weight = floor(share * 65535.0 + 0.5) / 65535.0;
            const double change = weight * ((double)all[i] - plain->before[k][i]);
            const double kept = (double)part[i] - masked->before[k][i];
            assert_true(fabs(kept - change) < 1.0);
            risen[i] += (int64_t)part[i] - all[i];
        }
    }
    test_free(all);
    test_free(part);
    test_free(risen);
    close_world(plain);
    close_world(masked);
}

static void a_share_of_each_change_stays(void** state)
{
    (void)state;
    choice_for_each(check_share);
}

// Rock that rises by less than a unit a step: shares of a unit are not lost to rounding.
static void small_changes_sum_to_their_share(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 64, 64);
    const choice c = {&wadi_uplift_process, "default"};
    wadi_solver* solver = choice_solver(&c, terrain, 0);
    float weights[64 * 64];
    for (int32_t i = 0; i < 64 * 64; ++i)
    {
        weights[i] = 0.1f;
    }
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
    CHECK_OK(f.context, wadi_solver_set_mask(solver, weights));
    CHECK_OK(f.context, wadi_solver_fit(solver, 0.1)); // 5 units a step
    for (int32_t i = 0; i < 40; ++i)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.1));
        CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 0.1));
    }
    CHECK_OK(f.context, wadi_solver_finish(solver));
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger_of(terrain, "uplift", rows, 3);
    const double risen = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK) - before;
    assert_true(rows[WADI_MATERIAL_ROCK].in > 0.0);
    CHECK_NEAR(risen / rows[WADI_MATERIAL_ROCK].in, 0.1, 0.002);
    (void)wadi_terrain_ledger_of(terrain, WADI_MASK_ACCOUNT, rows, 3);
    assert_true(rows[WADI_MATERIAL_ROCK].lost > 0.0 && rows[WADI_MATERIAL_ROCK].in == 0.0);
    choice_check_layers(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- bits ---------------------------------------------------------------------------------------

// The default model of water begins its coarse levels anew in each call: see test_time.
static bool is_gap(const choice* c)
{
    return strcmp(choice_model(c)->name, "parcels") == 0;
}

static uint64_t final_hash(const choice* c, int32_t threads, int calls)
{
    world* w = open_world(c, threads, stripe);
    run(w, years_of(c, w->solver), calls);
    const uint64_t hash = wadi_terrain_hash(w->terrain);
    choice_check_layers(w->terrain);
    close_world(w);
    return hash;
}

static void check_bits(const choice* c)
{
    const uint64_t one = final_hash(c, 1, 1);
    assert_true(final_hash(c, 3, 1) == one);
    assert_true(is_gap(c) || final_hash(c, 2, 7) == one);
}

static void threads_and_calls_change_nothing(void** state)
{
    (void)state;
    choice_for_each(check_bits);
}

static void restore(world* w)
{
    wadi_bytes terrain = {.context = w->f.context};
    wadi_bytes solver = {.context = w->f.context};
    const uint64_t own = wadi_solver_hash(w->solver);
    CHECK_OK(w->f.context, wadi_terrain_save(w->terrain, wadi_bytes_write, &terrain));
    CHECK_OK(w->f.context, wadi_solver_save(w->solver, wadi_bytes_write, &solver));
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    CHECK_OK(w->f.context, wadi_terrain_load(w->f.context, wadi_bytes_read, &terrain, &w->terrain));
    CHECK_OK(w->f.context, wadi_solver_load(w->terrain, wadi_bytes_read, &solver, &w->solver));
    assert_true(wadi_solver_hash(w->solver) == own);
    wadi_bytes_free(&terrain);
    wadi_bytes_free(&solver);
}

static void check_restore(const choice* c)
{
    uint64_t hashes[2];
    for (int32_t k = 0; k < 2 && choice_model(c)->api->archive != NULL; ++k)
    {
        world* w = open_world(c, 2, stripe);
        const double years = years_of(c, w->solver);
        CHECK_OK(w->f.context, wadi_solver_advance(w->solver, 0.5 * years));
        CHECK_OK(w->f.context, wadi_terrain_advance_clock(w->terrain, 0.5 * years));
        if (k == 1)
        {
            restore(w);
        }
        run(w, 0.5 * years, 1);
        hashes[k] = wadi_terrain_hash(w->terrain) + wadi_solver_hash(w->solver);
        close_world(w);
        assert_true(k == 0 || hashes[0] == hashes[1]);
    }
}

static void a_mask_is_part_of_the_state(void** state)
{
    (void)state;
    choice_for_each(check_restore);
}

// ---- refusals -----------------------------------------------------------------------------------

static void weights_are_checked_and_masks_taken_away(void** state)
{
    (void)state;
    const choice c = {&wadi_talus_process, "default"};
    world* w = open_world(&c, 1, NULL);
    const uint64_t bare = wadi_solver_hash(w->solver);
    float weights[CELLS] = {0};
    const int32_t cell = CELLS - 3;
    const float bad[] = {-0.01f, 1.01f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        weights[cell] = bad[i];
        CHECK_FAILS(w->f.context, WADI_ERROR_RANGE, "column 58, row 46",
                    wadi_solver_set_mask(w->solver, weights));
        assert_true(wadi_solver_hash(w->solver) == bare);
    }
    weights[cell] = 1.0f;
    CHECK_OK(w->f.context, wadi_solver_set_mask(w->solver, weights));
    assert_true(wadi_solver_hash(w->solver) != bare);
    CHECK_OK(w->f.context, wadi_solver_set_mask(w->solver, NULL));
    CHECK_OK(w->f.context, wadi_solver_set_mask(w->solver, NULL));
    assert_true(wadi_solver_hash(w->solver) == bare);
    close_world(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_where_the_weight_is_zero),
        cmocka_unit_test(a_full_mask_is_none),
        cmocka_unit_test(a_share_of_each_change_stays),
        cmocka_unit_test(small_changes_sum_to_their_share),
        cmocka_unit_test(threads_and_calls_change_nothing),
        cmocka_unit_test(a_mask_is_part_of_the_state),
        cmocka_unit_test(weights_are_checked_and_masks_taken_away),
    };
    choice_registry = registered_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
