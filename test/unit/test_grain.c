// SPDX-License-Identifier: MIT
// Wind grains: same bits at any vector width and thread count, closed ledger, edges, thin sand,
// bare rock, any wind, refusals.
#include "processes/articles/wind_grains/grain_state.h"
#include "processes/articles/wind_grains/grains.h"
#include "support/fixture.h"

enum
{
    SIZE = 96,
    STREAM = 7,
    CROWD = 1000, // pool size
    CROWDS = 10
};

static wadi_wind_params grain_params(double grains)
{
    wadi_wind_params params = wadi_wind_params_default();
    params.model = WADI_WIND_GRAINS;
    params.direction = 315.0;
    params.grains_per_cell = grains;
    params.grain_wind = 2.0;
    params.grain_suspension = 0.002;
    params.grain_abrasion = 0.01;
    params.grain_settling = 0.05;
    return params;
}

static wadi_grains* grain_make(fixture* f, wadi_terrain* terrain, const wadi_wind_params* params)
{
    void* grains = NULL;
    CHECK_OK(f->context, wadi_grains_api.create(terrain, params, STREAM, &grains));
    return grains;
}

static void grain_advance(fixture* f, wadi_terrain* terrain, wadi_grains* grains, double years)
{
    CHECK_OK(f->context, wadi_grains_api.advance(grains, &(wadi_span){.years = years}));
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
}

static wadi_terrain* grain_flat(fixture* f, int32_t width, int32_t height, wadi_edge edge)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = 2.0;
    def.seed = 3;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = edge;
    }
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

// Rock of `rock` m with sand of 0 to `sand` m, partly thinner than a grain takes.
static wadi_terrain* grain_terrain(fixture* f, wadi_edge edge, double rock, double sand)
{
    wadi_terrain* terrain = grain_flat(f, SIZE, SIZE - 19, edge);
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, rock, 5);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, sand, 6);
    return terrain;
}

static double grain_exported(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
    return sum;
}

static void grain_close(fixture* f, wadi_terrain* terrain, wadi_grains* grains)
{
    for (int32_t i = 0; i < grains->law.width * grains->law.height; ++i)
    {
        assert_true(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % grains->law.width,
                                       i / grains->law.width) >= 0);
    }
    wadi_grains_api.destroy(grains);
    wadi_terrain_destroy(terrain);
    fixture_close(f);
}

static uint64_t grain_hash_of(int32_t threads, wadi_isa isa, double sand, int64_t* again)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = grain_terrain(&f, WADI_EDGE_PERIODIC, 20.0, sand);
    fixture_holes(terrain);
    const wadi_wind_params params = grain_params(20.0);
    wadi_grains* grains = grain_make(&f, terrain, &params);
    wadi_grain_use(grains, isa);
    grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS / 2.0);
    grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS / 2.0);
    const uint64_t hash = wadi_terrain_hash(terrain);
    *again = grains->again;
    grain_close(&f, terrain, grains);
    return hash;
}

// Thick sand, and thin sand where batches are repeated.
static void bits_are_the_same(void** state)
{
    (void)state;
    static const int32_t threads[] = {1, 2, 3, 8};
    static const double sand[] = {40.0, 0.01};
    for (int s = 0; s < 2; ++s)
    {
        int64_t again;
        const uint64_t expected = grain_hash_of(1, WADI_ISA_BASE, sand[s], &again);
        assert_true(s == 0 || again > 0);
        for (wadi_isa isa = WADI_ISA_BASE; isa < WADI_ISA_COUNT; ++isa)
        {
            for (int t = 0; t < 4 && wadi_isa_runs(isa); ++t)
            {
                assert_true(grain_hash_of(threads[t], isa, sand[s], &again) == expected);
            }
        }
    }
}

static void closed_and_periodic_edges_keep_all(void** state)
{
    (void)state;
    static const wadi_edge edges[] = {WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = grain_terrain(&f, edges[i], 0.0, 40.0);
        const double before = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
        const wadi_wind_params params = grain_params(20.0);
        wadi_grains* grains = grain_make(&f, terrain, &params);
        grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS);
        assert_true(grains->lifted > 0);
        assert_true(grain_exported(terrain) == 0.0);
        // the difference is in the air, until it settles
        const double cell = 2.0 * 2.0 / WADI_UNITS_PER_METRE;
        const double air = (double)wadi_grain_pool_load(grains) * cell;
        CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) + air, before, 1e-12 * before);
        assert_true(air > 0.0);
        wadi_grains_api.settle(grains);
        wadi_terrain_changed(terrain);
        fixture_check_ledger(terrain);
        assert_true(wadi_grain_pool_load(grains) == 0);
        assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) == before);
        grain_close(&f, terrain, grains);
    }
}

// At a closed edge downwind a grain ends and lays down its load; at the others it is reflected.
static void closed_edges_downwind_end_grains(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = grain_terrain(&f, WADI_EDGE_CLOSED, 0.0, 40.0);
    const wadi_wind_params params = grain_params(0.0); // wind to the south-east
    wadi_grains* grains = grain_make(&f, terrain, &params);
    wadi_grain_land_read(&grains->land);
    const float width = (float)SIZE;
    const float height = (float)(SIZE - 19);
    const float across[4][2] = {
        {width + 0.25f, 20.5f}, {20.5f, height + 0.25f}, {-0.25f, 20.5f}, {20.5f, -0.25f}};
    for (int side = 0; side < 4; ++side)
    {
        grain g = {.x = across[side][0], .y = across[side][1], .load = 5000};
        const float x = fminf(fmaxf(g.x, 0.0f), width - 1.0f);
        const float y = fminf(fmaxf(g.y, 0.0f), height - 1.0f);
        g.cell = grain_padded(&grains->land, (int32_t)x, (int32_t)y);
        g.u = side < 2 ? 1.0f : -1.0f;
        g.v = g.u;
        grain_worker* worker = &grains->workers[0];
        memset(worker->sums.cells, 0, (size_t)grains->land.total * sizeof *worker->sums.cells);
        wadi_grain_edge_cross(grains, worker, &g);
        int64_t laid = 0;
        for (int32_t i = 0; i < grains->land.total; ++i)
        {
            laid += particle_matter(worker->sums.cells[i].moved);
        }
        assert_int_equal(laid, side < 2 ? 5000 : 0);
        assert_int_equal(g.load, 5000 - laid);
        assert_int_equal(g.state == GRAIN_ENDED, side < 2);
        assert_true(side < 2 || (side == 2 ? g.u : g.v) == 1.0f);
    }
    memset(grains->workers[0].sums.cells, 0,
           (size_t)grains->land.total * sizeof *grains->workers[0].sums.cells);
    grain_close(&f, terrain, grains);
}

// Start many grains in one cell; together they request more than it has.
static void grain_crowd(wadi_grains* grains, int32_t x, int32_t y)
{
    const int32_t cell = grain_padded(&grains->land, x, y);
    for (int32_t i = 0; i < CROWD; ++i)
    {
        grains->pool[grains->live++] = (grain){.x = (float)x + 0.5f,
                                               .y = (float)y + 0.5f,
                                               .z = grains->land.frozen[cell].level,
                                               .u = grains->law.wind_x,
                                               .v = grains->law.wind_y,
                                               .w = -0.05f,
                                               .cell = cell};
    }
}

// The cell holds 1 cm, less than a unit per visit; then 60 m, a part of the request.
static void many_takers_get_what_is_there(void** state)
{
    (void)state;
    static const double sand[] = {0.01, 60.0};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = grain_flat(&f, 256, 256, WADI_EDGE_OPEN);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, sand[i]));
        wadi_wind_params params = grain_params(0.0);
        params.grain_suspension = 0.5;
        wadi_grains* grains = grain_make(&f, terrain, &params);
        grains->per_year = 1.0;                  // a batch in each advance
        grain_advance(&f, terrain, grains, 1.0); // freezes the ground
        for (int crowd = 0; crowd < CROWDS; ++crowd)
        {
            grain_crowd(grains, 220, 220);
            grain_advance(&f, terrain, grains, 1.0);
            wadi_grains_api.settle(grains);
            wadi_terrain_changed(terrain);
            fixture_check_ledger(terrain);
        }
        assert_true(grains->again > 0);
        assert_true(i == 0 || grains->lifted > 0);
        grain_close(&f, terrain, grains);
    }
}

// Where every cell grants all, the second run repeats the first.
static void grants_of_thick_sand_change_nothing(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = grain_terrain(&f, WADI_EDGE_PERIODIC, 0.0, 4000.0);
    const wadi_wind_params params = grain_params(20.0);
    wadi_grains* grains = grain_make(&f, terrain, &params);
    grain_advance(&f, terrain, grains, 1.0);
    const size_t pool = (size_t)grains->live * sizeof(grain);
    const size_t cells = (size_t)grains->land.total * sizeof(int32_t);
    grain* first = test_malloc(pool);
    int32_t* changes = test_malloc(cells);
    assert_true(grains->live > 10);
    memset(grains->land.changes, 0, cells);
    wadi_grain_run(grains, 256, false);
    assert_true(wadi_grain_land_plan(&grains->land, grains->workers, grains->worker_count, false));
    memcpy(first, grains->spare, pool);
    memcpy(changes, grains->land.changes, cells);
    for (int32_t i = 0; i < grains->land.total * grains->worker_count; ++i)
    {
        grain_worker* worker = &grains->workers[i / grains->land.total];
        worker->sums.cells[i % grains->land.total].demand = GRANT_ALL;
    }
    wadi_grain_run(grains, 256, true);
    assert_true(wadi_grain_land_plan(&grains->land, grains->workers, grains->worker_count, true));
    assert_memory_equal(first, grains->spare, pool);
    assert_memory_equal(changes, grains->land.changes, cells);
    test_free(first);
    test_free(changes);
    wadi_grains_api.destroy(grains);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A new grain abrades bare rock, which becomes sand; rock of hardness 1 is kept.
static void bare_rock_is_worn(void** state)
{
    (void)state;
    for (int hard = 0; hard < 2; ++hard)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = grain_terrain(&f, WADI_EDGE_OPEN, 30.0, 0.0);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hard));
        const double before = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
        const wadi_wind_params params = grain_params(20.0);
        wadi_grains* grains = grain_make(&f, terrain, &params);
        grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS);
        const double worn = before - wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
        assert_true(hard != 0 ? worn == 0.0 : worn > 0.0);
        grain_close(&f, terrain, grains);
    }
}

// Sand lost by a cone of sand on each side, and the displacement of its centre along and across the
// wind.
typedef struct drift
{
    double along;
    double across;
    double lifted;
} drift;

static drift grain_drift(double direction)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = grain_flat(&f, SIZE, SIZE, WADI_EDGE_OPEN);
    float* cone = test_malloc(sizeof(float) * SIZE * SIZE);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double x = i % SIZE + 0.5 - SIZE / 2.0;
        const double y = i / SIZE + 0.5 - SIZE / 2.0;
        cone[i] = (float)fmax(0.2, 30.0 - sqrt(x * x + y * y));
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, cone, SIZE));
    wadi_wind_params params = grain_params(60.0);
    params.direction = direction;
    wadi_grains* grains = grain_make(&f, terrain, &params);
    grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS);
    drift d = {.lifted = (double)grains->lifted};
    const wind_heading to = wadi_wind_heading(direction);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double x = i % SIZE + 0.5 - SIZE / 2.0;
        const double y = i / SIZE + 0.5 - SIZE / 2.0;
        const int32_t units = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE);
        const double change = (double)units / WADI_UNITS_PER_METRE - (double)cone[i];
        d.along += change * (x * (double)to.x + y * (double)to.y);
        d.across += change * (y * (double)to.x - x * (double)to.y);
    }
    test_free(cone);
    grain_close(&f, terrain, grains);
    return d;
}

// A cone of sand migrates downwind, the same distance at any azimuth, without lateral drift.
static void sand_goes_where_the_wind_blows(void** state)
{
    (void)state;
    static const double directions[] = {90.0, 180.0, 37.0, 127.0, 315.0};
    const drift first = grain_drift(270.0);
    assert_true(first.along > 0.0);
    for (int i = 0; i < 5; ++i)
    {
        const drift d = grain_drift(directions[i]);
        print_message("%g: along %+.3f, across %+.3f, lifted %+.3f\n", directions[i],
                      d.along / first.along, d.across / first.along, d.lifted / first.lifted);
        CHECK_NEAR(d.along / first.along, 1.0, 0.15);
        CHECK_NEAR(d.across / first.along, 0.0, 0.15);
        CHECK_NEAR(d.lifted / first.lifted, 1.0, 0.15);
    }
}

// Fractions of a grain are kept for the next call, so that years can be split in any way.
static void years_add_up(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = grain_terrain(&f, WADI_EDGE_OPEN, 0.0, 10.0);
    wadi_wind_params params = grain_params(10.0);
    params.direction = 270.0;
    wadi_grains* grains = grain_make(&f, terrain, &params);
    for (int i = 0; i < 7; ++i)
    {
        grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS / 7.0);
    }
    CHECK_NEAR((double)grains->started, 10.0 * (SIZE - 19), 1.0);
    grain_close(&f, terrain, grains);
}

static void grains_refuse(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = grain_terrain(&f, WADI_EDGE_OPEN, 0.0, 10.0);
    wadi_wind_params params = grain_params(10.0);
    params.grain_step = 0.6;
    void* none = NULL;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "stable limit of 0.5",
                wadi_grains_api.create(terrain, &params, STREAM, &none));
    assert_null(none);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Ground at height 0 beside an edge and voids: sanitizers check the arithmetic.
static void sea_level_at_the_edge_is_ground(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = grain_flat(&f, SIZE, SIZE, WADI_EDGE_OPEN);
    fixture_holes(terrain);
    const wadi_wind_params params = grain_params(2.0);
    wadi_grains* grains = grain_make(&f, terrain, &params);
    grain_advance(&f, terrain, grains, WIND_DEFAULT_YEARS);
    grain_close(&f, terrain, grains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_the_same),
        cmocka_unit_test(closed_and_periodic_edges_keep_all),
        cmocka_unit_test(closed_edges_downwind_end_grains),
        cmocka_unit_test(many_takers_get_what_is_there),
        cmocka_unit_test(grants_of_thick_sand_change_nothing),
        cmocka_unit_test(bare_rock_is_worn),
        cmocka_unit_test(sand_goes_where_the_wind_blows),
        cmocka_unit_test(years_add_up),
        cmocka_unit_test(sea_level_at_the_edge_is_ground),
        cmocka_unit_test(grains_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
