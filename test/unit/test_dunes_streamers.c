// SPDX-License-Identifier: MIT
// Streamers of dunes: noise in the stress and in the inflow; and the capacity over bare rock.
#include "processes/dunes/flux.h"
#include "support/fixture.h"

#include "terrain/ground.h"

enum
{
    SIZE = 64,
    COUNT = 3
};

typedef struct gusty
{
    fixture f;
    wadi_terrain* terrain;
    flux* own;
} gusty;

static void gusty_open(gusty* g, wadi_edge edge, double streamers)
{
    fixture_open(&g->f, 1);
    g->terrain = fixture_plain(&g->f, SIZE, SIZE, 2.0, edge);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.streamers = streamers;
    params.streamer_size = 16.0;
    params.streamer_life = 10.0;
    void* made;
    CHECK_OK(g->f.context, wadi_dunes_flux_api.create(g->terrain, &params, 0, &made));
    g->own = made;
}

static void gusty_close(gusty* g)
{
    wadi_dunes_flux_api.destroy(g->own);
    wadi_terrain_destroy(g->terrain);
    fixture_close(&g->f);
}

// Sum of products of the excess of the stress at two times, over the cells.
static double gusty_product(gusty* g, double now, double then)
{
    static double excess[SIZE * SIZE];
    double sum = 0.0;
    g->own->sand_passed = now;
    wadi_flux_streamers_blow(g->own);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        excess[i] = (double)wadi_flux_streamer(g->own, i % SIZE, i / SIZE) - 1.0;
    }
    g->own->sand_passed = then;
    wadi_flux_streamers_blow(g->own);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        sum += excess[i] * ((double)wadi_flux_streamer(g->own, i % SIZE, i / SIZE) - 1.0);
    }
    return sum / (SIZE * SIZE);
}

// Uniform numbers at the nodes have a variance of 1/3. Between two nodes w of one and 1 - w of the
// other are mixed, with w = p^2 (3 - 2 p): the mean of w^2 + (1 - w)^2 is 26/35.
static void gusts_keep_their_variance(void** state)
{
    (void)state;
    gusty g;
    gusty_open(&g, WADI_EDGE_PERIODIC, 0.3);
    double mean = 0.0;
    for (int k = 0; k < 40; ++k)
    {
        mean += gusty_product(&g, 2.3 * k, 2.3 * k) / 40.0;
    }
    const double expected = 0.09 / 3.0 * (26.0 / 35.0) * (26.0 / 35.0);
    CHECK_NEAR(mean, expected, 0.1 * expected);
    gusty_close(&g);
}

static void gusts_change_with_the_sand_that_passes(void** state)
{
    (void)state;
    gusty g;
    gusty_open(&g, WADI_EDGE_PERIODIC, 0.3);
    double at_once = 0.0;
    double soon = 0.0;
    double late = 0.0;
    for (int k = 0; k < 20; ++k)
    {
        at_once += gusty_product(&g, 50.0 * k, 50.0 * k);
        soon += gusty_product(&g, 50.0 * k, 50.0 * k + 1.0);
        late += gusty_product(&g, 50.0 * k, 50.0 * k + 25.0);
    }
    CHECK_NEAR(soon / at_once, cos(1.5707963267948966 / 10.0), 0.03);
    CHECK_NEAR(late / at_once, 0.0, 0.15);
    gusty_close(&g);
}

// Neighbours differ by little, across the seam of a torus too.
static void gusts_are_continuous(void** state)
{
    (void)state;
    gusty g;
    gusty_open(&g, WADI_EDGE_PERIODIC, 1.0);
    wadi_flux_streamers_blow(g.own);
    // 8 cells from node to node, which differ by 2 at most; smooth weights are 1.5 times as steep
    const float most = 2.0f * 1.5f / 8.0f;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const int32_t x = i % SIZE;
        const int32_t y = i / SIZE;
        const float here = wadi_flux_streamer(g.own, x, y);
        assert_true(here >= 0.0f);
        assert_true(fabsf(wadi_flux_streamer(g.own, (x + 1) % SIZE, y) - here) <= most);
        assert_true(fabsf(wadi_flux_streamer(g.own, x, (y + 1) % SIZE) - here) <= most);
    }
    gusty_close(&g);
}

static void streamers_too_small_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 16, 16, 2.0, WADI_EDGE_OPEN);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.streamers = 0.3;
    params.streamer_size = 3.0;
    wadi_solver* solver;
    assert_int_equal(wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver),
                     WADI_ERROR_RANGE);
    assert_non_null(strstr(wadi_error_detail(f.context), "streamer_size 3 m"));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- sand that enters
// ----------------------------------------------------------------------------

// Volume that a west wind brings in, by years [m3], and the spread of the sand along the edge.
static double inflow_of(double streamers, uint64_t seed, double years, double* spread)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 2.0;
    def.seed = seed;
    wadi_terrain* terrain;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.inflow = 0.5;
    params.streamers = streamers;
    params.streamer_life = 5.0;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, years));
    fixture_check_ledger(terrain);
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    double least = HUGE_VAL;
    double most = 0.0;
    float* air = test_calloc(SIZE * SIZE, sizeof *air);
    CHECK_OK(f.context, wadi_solver_map(solver, "airborne", air));
    for (int32_t y = 0; y < SIZE; ++y)
    {
        least = fmin(least, (double)air[y * SIZE]);
        most = fmax(most, (double)air[y * SIZE]);
    }
    *spread = most / fmax(least, 1e-9);
    test_free(air);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return (double)row.in * 4.0 / WADI_UNITS_PER_METRE;
}

static void inflow_varies_about_that_of_a_steady_wind(void** state)
{
    (void)state;
    double spread;
    const double steady = inflow_of(0.0, 1, 0.5, &spread);
    assert_true(spread < 1.01);
    // the mean excess of the stress stays the same while no gust falls below the threshold
    const double gusty_wind = inflow_of(0.3, 1, 0.5, &spread);
    assert_true(spread > 1.3);
    CHECK_NEAR(gusty_wind / steady, 1.0, 0.15);
    double other_spread;
    assert_true(inflow_of(0.3, 2, 0.5, &other_spread) != gusty_wind);
    assert_true(inflow_of(0.0, 2, 0.5, &other_spread) == steady);
}

// ---- bare rock
// -----------------------------------------------------------------------------------

static int32_t load_over(int32_t sand, float hard)
{
    const int32_t capacity[COUNT] = {1000, 1000, 1000};
    const int32_t bed[COUNT] = {sand, sand, sand};
    const float skin[COUNT] = {1.0f, 1.0f, 1.0f};
    int32_t load[COUNT] = {1300, 1300, 1300};
    int32_t change[COUNT];
    int32_t arrived[COUNT];
    const flux_settle_row row = {.count = COUNT,
                                 .capacity = capacity,
                                 .sand = bed,
                                 .hard = hard,
                                 .cover = 1e-4f,
                                 .share = 0.5f,
                                 .load = load,
                                 .change = change,
                                 .skin = skin,
                                 .arrived = arrived,
                                 .pass = 0};
    flux_kernels_of(wadi_isa_best())->settle(&row);
    assert_int_equal(load[0] + change[0], 1300);
    return load[0];
}

static void rock_holds_more_sand_in_the_air(void** state)
{
    (void)state;
    assert_int_equal(load_over(0, 0.0f), 1150);
    assert_int_equal(load_over(20000, 0.5f), 1150); // a bed of sand
    assert_int_equal(load_over(5000, 0.5f), 1275);  // half of it: a capacity of 1250
    assert_int_equal(load_over(0, 0.2f), 1250);     // 1200
    assert_int_equal(load_over(0, 0.5f), 1300);     // 1500, but there is nothing to lift
}

// ---- time
// ----------------------------------------------------------------------------------------

static wadi_solver* make_gusty(fixture* f)
{
    wadi_terrain* terrain = fixture_plain(f, 61, 47, 2.0, WADI_EDGE_OPEN);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 1.0, 5);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = 203.0;
    params.streamers = 0.5;
    params.hard_bed = 1.3;
    params.inflow = 0.7;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    return solver;
}

static void time_adds_up_with_streamers(void** state)
{
    (void)state;
    fixture_check_cuts(make_gusty, 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gusts_keep_their_variance),
        cmocka_unit_test(gusts_change_with_the_sand_that_passes),
        cmocka_unit_test(gusts_are_continuous),
        cmocka_unit_test(streamers_too_small_are_refused),
        cmocka_unit_test(inflow_varies_about_that_of_a_steady_wind),
        cmocka_unit_test(rock_holds_more_sand_in_the_air),
        cmocka_unit_test(time_adds_up_with_streamers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
