// SPDX-License-Identifier: MIT
// Hummocks in the deposits of flows of process landslide: books, sizes, the same bits.
#include "support/slope.h"

#include "terrain/ground.h"

#include <wadi/landslide.h>

#include <math.h>
#include <string.h>

enum
{
    SIDE = 120,
    CELLS = SIDE * SIDE
};

static const double second = 1.0 / 31557600.0; // [yr]

static const slope_shape mountain = {
    .side = SIDE,
    .cell = 5.0,
    .tangent = 0.6,
    .azimuth = 180.0,
    .foot = 60.0,
    .soil = 0.5,
    .block = 40.0,
    .half = 60.0,
    .ahead = -120.0,
};

static wadi_landslide_params hummock_params(void)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.kind = WADI_LANDSLIDE_ROCK_AVALANCHE;
    params.start = WADI_LANDSLIDE_REGION;
    params.shape = WADI_LANDSLIDE_CIRCLE;
    params.x = 300.0;
    params.y = 420.0;
    params.radius = 90.0;
    params.longest = 60.0;
    params.hummocks = 0.15;
    params.hummock_width = 70.0;
    return params;
}

static wadi_solver* hummock_solver(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

// Run a slide to its end and copy its surface [units]. Returns the number of hummocks.
static double run_slide(const wadi_landslide_params* params, int32_t out[CELLS])
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = slope_make(&f, &mountain);
    wadi_solver* solver = hummock_solver(terrain, params);
    CHECK_OK(f.context, slope_run(solver, 100.0 * second));
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    for (int64_t c = 0; c < CELLS; ++c)
    {
        out[c] = wadi_ground_surface(ground, c);
    }
    const double count = params->hummocks > 0.0 ? slope_figure(solver, "hummocks") : 0.0;
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return count;
}

// Is a cell higher over the other land than all cells around it?
static bool is_peak(const int32_t change[CELLS], int32_t c)
{
    bool peak = change[c] > 32768;
    for (int32_t k = 0; k < 9; ++k)
    {
        peak = peak && (k == 4 || change[c + (k / 3 - 1) * SIDE + k % 3 - 1] < change[c]);
    }
    return peak;
}

// Distance of a cell from the top of the source [m].
static double way_of(int32_t c)
{
    return 5.0 * hypot(c % SIDE - 60, c / SIDE - 18);
}

// Mounds take their matter from around them to the unit, and fall in size away from the source.
static void mounds_keep_the_books(void** state)
{
    (void)state;
    static int32_t plain[CELLS];
    static int32_t with[CELLS];
    static int32_t change[CELLS];
    wadi_landslide_params params = hummock_params();
    const double count = run_slide(&params, with);
    params.hummocks = 0.0;
    CHECK_NEAR(run_slide(&params, plain), 0.0, 0.0);
    int64_t sum = 0;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        change[c] = with[c] - plain[c];
        sum += change[c];
    }
    double far = 0.0;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        far = change[c] != 0 ? fmax(far, way_of(c)) : far;
    }
    int32_t peaks = 0;
    double most = 0.0;
    for (int32_t c = SIDE + 1; c < CELLS - SIDE - 1; ++c)
    {
        if (is_peak(change, c))
        {
            const double bound = 0.15 * 70.0 * exp(-1.15 * way_of(c) / far);
            most = fmax(most, (double)change[c] / 65536.0 / bound);
            ++peaks;
        }
    }
    print_message("%.0f hummocks, %d peaks, up to %.3f of the largest at their place\n", count,
                  (int)peaks, most);
    assert_true(sum == 0);
    assert_true(count >= 10.0 && peaks >= 0.7 * count && peaks <= 1.3 * count);
    assert_true(most > 0.7 && most < 1.05);
}

// Without matter around it no mound rises, and cells as wide as the largest mound have none.
static void small_slides_have_none(void** state)
{
    (void)state;
    static int32_t land[CELLS];
    wadi_landslide_params params = hummock_params();
    params.hummock_width = 14.0;
    CHECK_NEAR(run_slide(&params, land), 0.0, 0.0);
    params.hummock_width = 0.0; // by the volume of some 0.6 million m3
    params.radius = 30.0;
    CHECK_NEAR(run_slide(&params, land), 0.0, 0.0);
}

static wadi_solver* make_slide(fixture* f)
{
    const wadi_landslide_params template = hummock_params();
    wadi_landslide_params params = template;
    params.interval = 7.0 * second;
    return hummock_solver(slope_make(f, &mountain), &params);
}

static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    fixture_check_cuts(make_slide, 70.0 * second);
}

static uint64_t run_restored(bool restores)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* const solver = make_slide(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(f.context, wadi_solver_advance(solver, 21.0 * second));
    wadi_solver* then = restores ? slope_restore(solver, terrain) : solver;
    CHECK_OK(f.context, wadi_solver_advance(then, 70.0 * second));
    CHECK_OK(f.context, wadi_solver_settle(then));
    assert_true(slope_figure(then, "hummocks") > 0.0);
    const uint64_t hash = wadi_terrain_hash(terrain);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(then);
    if (restores)
    {
        wadi_solver_destroy(solver);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void restored_slides_go_on(void** state)
{
    (void)state;
    assert_true(run_restored(true) == run_restored(false));
}

// On a torus, between closed walls and on land with voids no unit is lost.
static void books_close_on_any_ground(void** state)
{
    (void)state;
    for (int32_t k = 0; k < 4; ++k)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_plain(&f, 97, 61, 4.0, (wadi_edge)(k % 3));
        fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 6.0, 3);
        fixture_noise(terrain, WADI_LAYER_SEDIMENT, 5.0, 25.0, 6);
        if (k == 3)
        {
            fixture_holes(terrain);
        }
        wadi_landslide_params params = hummock_params();
        params.shape = WADI_LANDSLIDE_EVERYWHERE;
        params.hummocks = 0.5;
        params.hummock_width = k == 1 ? 1e4 : 50.0;
        wadi_solver* solver = hummock_solver(terrain, &params);
        CHECK_OK(f.context, slope_run(solver, 100.0 * second));
        print_message("edges %d: %.0f hummocks\n", (int)k, slope_figure(solver, "hummocks"));
        assert_true(slope_figure(solver, "hummocks") > 0.0);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mounds_keep_the_books),           cmocka_unit_test(small_slides_have_none),
        cmocka_unit_test(calls_and_threads_change_no_bit), cmocka_unit_test(restored_slides_go_on),
        cmocka_unit_test(books_close_on_any_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
