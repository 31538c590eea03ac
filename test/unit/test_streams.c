// SPDX-License-Identifier: MIT
// The model "streams" against what its equations say: a graded profile under uplift, lakes, the
// sea, and the error of its steps and of its cells.
#include "support/fixture.h"

#include <stdlib.h>

// The values of the preset.
static void run(wadi_terrain* terrain, const wadi_hydraulic_params* params, double years)
{
    wadi_solver* solver = NULL;
    wadi_context* context = wadi_terrain_context(terrain);
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    fixture_advance(solver, years);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
}

static wadi_terrain* ground(fixture* f, int32_t width, int32_t height, double cell,
                            const wadi_edge* edges)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = cell;
    memcpy(def.edges, edges, sizeof def.edges);
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

static double height_at(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    return (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y) / WADI_UNITS_PER_METRE;
}

static const wadi_edge open_edges[4] = {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN,
                                        WADI_EDGE_OPEN};

// ---- a graded stream ---------------------------------------------------------------------

enum
{
    REACH = 60
};

// One line of cells that drains to the south rises at U until it wears as fast. Then the drop from
// each cell to the next is U L2 / (K W0 q (q + q_c)^(m-1)), with q of all cells above.
static void a_stream_under_uplift_is_graded(void** state)
{
    (void)state;
    static const wadi_edge edges[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_OPEN,
                                       WADI_EDGE_CLOSED};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground(&f, 1, REACH, 50.0, edges);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.creep = 0.0;
    params.settling = 0.0;
    params.floor_width = 0.0;
    params.max_step = 1000.0;
    wadi_uplift_params uplift = wadi_uplift_params_default();
    uplift.rate = 0.5;
    wadi_solver* rise = NULL;
    wadi_solver* water = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_uplift_process, &uplift, 0, &rise));
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &water));
    for (int i = 0; i < 6000; ++i)
    {
        CHECK_OK(f.context, wadi_solver_advance(rise, 1000.0));
        CHECK_OK(f.context, wadi_solver_advance(water, 1000.0));
        CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 1000.0));
    }
    for (int32_t y = 5; y < REACH - 1; ++y)
    {
        const double q = 2500.0 * (y + 1);
        const double power =
            params.erodibility * 30.0 * q *
            pow(q - 0.75 * 2500.0 + params.channel_head, params.discharge_exponent - 1.0);
        const double expected = 0.5e-3 * 2500.0 / power;
        const double drop = height_at(terrain, 0, y) - height_at(terrain, 0, y + 1);
        assert_true(fabs(drop / expected - 1.0) < 0.01);
    }
    fixture_check_ledger(terrain);
    wadi_solver_destroy(water);
    wadi_solver_destroy(rise);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- lakes and the sea -------------------------------------------------------------------

enum
{
    SIDE = 64
};

// A cone that stands in the middle, from `low` at the corners to `high`.
static void set_cone(wadi_terrain* terrain, double low, double high)
{
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double x = i % SIDE - 31.5;
        const double y = i / SIDE - 31.5;
        heights[i] = (float)(high - (high - low) * sqrt(x * x + y * y) / 44.6);
    }
    wadi_context* context = wadi_terrain_context(terrain);
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    free(heights);
}

// Nothing below the sea is worn, its bed rises no higher than its level, and most of it stays sea.
static void the_sea_takes_what_rivers_bring(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground(&f, SIDE, SIDE, 90.0, open_edges);
    set_cone(terrain, -900.0, 600.0);
    const double level = 0.0;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    float* before = malloc(SIDE * SIDE * sizeof *before);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        before[i] = (float)height_at(terrain, i % SIDE, i / SIDE);
    }
    const wadi_hydraulic_params params = wadi_hydraulic_params_default();
    run(terrain, &params, 50e3);
    int32_t sea = 0;
    int32_t filled = 0;
    double gain = 0.0;
    double loss = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double now = height_at(terrain, i % SIDE, i / SIDE);
        if (before[i] < 0.0f)
        {
            assert_true(now >= (double)before[i] - 1e-3);
            sea += 1;
            filled += now > 0.0 ? 1 : 0;
            gain += now - (double)before[i];
        }
        else
        {
            loss += (double)before[i] - now;
        }
    }
    print_message("%d of %d cells of the sea are land; they took %.2f of the wear\n", filled, sea,
                  gain / loss);
    assert_true(loss > 1000.0);
    assert_true(gain > 0.95 * loss && gain < 1.05 * loss); // in cells x metres
    assert_true(filled < sea / 5);
    free(before);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A closed bowl keeps its matter, and its floor is level within a metre.
static void a_closed_bowl_fills_to_a_plain(void** state)
{
    (void)state;
    static const wadi_edge closed[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED,
                                        WADI_EDGE_CLOSED};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground(&f, SIDE, SIDE, 30.0, closed);
    set_cone(terrain, 400.0, 0.0); // a hollow
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    const wadi_hydraulic_params params = wadi_hydraulic_params_default();
    run(terrain, &params, 100e3);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) == before);
    double low = 1e9;
    double high = -1e9;
    for (int32_t i = 0; i < 16; ++i)
    {
        const double h = height_at(terrain, 30 + i % 4, 30 + i / 4);
        low = fmin(low, h);
        high = fmax(high, h);
    }
    assert_true(low > 3.0); // it has been filled
    assert_true(high - low < 1.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- errors of steps and cells -----------------------------------------------------------

typedef struct comparison
{
    double correlation;
    double wear; // ratio of the lowering
} comparison;

static void lay_noise(wadi_terrain* terrain, const float* heights)
{
    CHECK_OK(
        wadi_terrain_context(terrain),
        wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, wadi_terrain_width(terrain)));
}

// Change of `side` x `side` blocks of a terrain [m].
static double* change_of(fixture* f, const float* heights, int32_t width, double cell, int32_t side,
                         double step)
{
    wadi_terrain* terrain = ground(f, width, width, cell, open_edges);
    lay_noise(terrain, heights);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = step;
    run(terrain, &params, 60e3);
    double* change = calloc((size_t)side * (size_t)side, sizeof *change);
    const int32_t block = width / side;
    for (int32_t i = 0; i < width * width; ++i)
    {
        const int32_t x = i % width;
        const int32_t y = i / width;
        change[y / block * side + x / block] +=
            (height_at(terrain, x, y) - (double)heights[i]) / (block * block);
    }
    wadi_terrain_destroy(terrain);
    return change;
}

static comparison compare(const double* a, const double* b, int32_t count)
{
    double means[2] = {0.0, 0.0};
    double lowered[2] = {0.0, 0.0};
    for (int32_t i = 0; i < count; ++i)
    {
        means[0] += a[i] / count;
        means[1] += b[i] / count;
        lowered[0] -= fmin(a[i], 0.0);
        lowered[1] -= fmin(b[i], 0.0);
    }
    double sums[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; ++i)
    {
        sums[0] += (a[i] - means[0]) * (a[i] - means[0]);
        sums[1] += (b[i] - means[1]) * (b[i] - means[1]);
        sums[2] += (a[i] - means[0]) * (b[i] - means[1]);
    }
    return (comparison){sums[2] / sqrt(sums[0] * sums[1]), lowered[0] / lowered[1]};
}

static float* noise_of(fixture* f, int32_t width, double cell)
{
    float* heights = malloc((size_t)width * (size_t)width * sizeof *heights);
    const wadi_noise_params noise = wadi_noise_params_default();
    CHECK_OK(f->context, wadi_noise_fill(f->context, &noise, 23, width, width, cell, heights));
    return heights;
}

static void half_the_step_gives_nearly_the_same_land(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    float* heights = noise_of(&f, 128, 30.0);
    double* whole = change_of(&f, heights, 128, 30.0, 128, 500.0);
    double* half = change_of(&f, heights, 128, 30.0, 128, 250.0);
    const comparison c = compare(whole, half, 128 * 128);
    print_message("half the step: correlation %.4f, wear %.4f\n", c.correlation, c.wear);
    assert_true(c.correlation >= 0.995);
    assert_true(fabs(c.wear - 1.0) < 0.02);
    free(whole);
    free(half);
    free(heights);
    fixture_close(&f);
}

static void cells_of_30_and_60_metres_wear_alike(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    float* fine = noise_of(&f, 192, 30.0);
    float* coarse = calloc(96 * 96, sizeof *coarse);
    for (int32_t i = 0; i < 192 * 192; ++i)
    {
        coarse[i / 192 / 2 * 96 + i % 192 / 2] += 0.25f * fine[i];
    }
    double* a = change_of(&f, fine, 192, 30.0, 96, 500.0);
    double* b = change_of(&f, coarse, 96, 60.0, 96, 500.0);
    const comparison c = compare(b, a, 96 * 96);
    print_message("60 m against 30 m: correlation %.4f, wear %.4f\n", c.correlation, c.wear);
    assert_true(c.correlation >= 0.97);
    assert_true(fabs(c.wear - 1.0) < 0.05);
    free(a);
    free(b);
    free(fine);
    free(coarse);
    fixture_close(&f);
}

// ---- steep slopes ------------------------------------------------------------------------

// How far a cell inside stands above the highest of its neighbours, at most [m].
static double highest_tower(const wadi_terrain* terrain, int32_t size)
{
    double most = 0.0;
    for (int32_t i = 0; i < (size - 2) * (size - 2); ++i)
    {
        const int32_t x = 1 + i % (size - 2);
        const int32_t y = 1 + i / (size - 2);
        double top = -1e9;
        for (int32_t k = 0; k < 9; ++k)
        {
            const double h = height_at(terrain, x - 1 + k % 3, y - 1 + k / 3);
            top = k != 4 && h > top ? h : top;
        }
        const double above = height_at(terrain, x, y) - top;
        most = above > most ? above : most;
    }
    return most;
}

// Land that rises is steeper than rock can stand, obliquely to the grid too. It fails evenly.
static void steep_land_has_no_towers(void** state)
{
    (void)state;
    enum
    {
        STEEP = 64
    };
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground(&f, STEEP, STEEP, 5.0, open_edges);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    wadi_uplift_params uplift = wadi_uplift_params_default();
    uplift.rate = 0.0;
    uplift.dome_rate = 0.8;
    uplift.dome_x = 0.5 * 5.0 * STEEP;
    uplift.dome_y = 0.5 * 5.0 * STEEP;
    uplift.dome_length = 5.0 * STEEP;
    uplift.dome_width = 4.0 * STEEP;
    uplift.dome_azimuth = 60.0;
    wadi_solver* rise = NULL;
    wadi_solver* water = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_uplift_process, &uplift, 0, &rise));
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &water));
    for (int i = 0; i < 150; ++i)
    {
        CHECK_OK(f.context, wadi_solver_advance(rise, params.max_step));
        CHECK_OK(f.context, wadi_solver_advance(water, params.max_step));
        CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, params.max_step));
    }
    const double tower = highest_tower(terrain, STEEP);
    print_message("towers of %.2f m\n", tower);
    assert_true(tower < 5.0);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(rise);
    wadi_solver_destroy(water);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A wall of 100 m around a plateau, a cell wide and oblique to the grid, as elevation models have:
// with creep in one part it grew towers of 28 m.
static void a_wall_fails_without_towers(void** state)
{
    (void)state;
    enum
    {
        WALL = 96
    };
    fixture f;
    fixture_open(&f, 2);
    float* heights = noise_of(&f, WALL, 10.0);
    for (int32_t i = 0; i < WALL * WALL; ++i)
    {
        const int32_t x = i % WALL - WALL / 2;
        const int32_t y = i / WALL - WALL / 2;
        const bool inside = abs(3 * x + y) < 84 && abs(3 * y - x) < 90;
        heights[i] = 500.0f + 0.02f * heights[i] + (inside ? 100.0f : 0.0f);
    }
    wadi_terrain* terrain = ground(&f, WALL, WALL, 10.0, open_edges);
    lay_noise(terrain, heights);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = 1000.0;
    run(terrain, &params, 4000.0);
    const double tower = highest_tower(terrain, WALL);
    print_message("towers at a wall of %.2f m\n", tower);
    assert_true(tower < 2.0);
    wadi_terrain_destroy(terrain);
    free(heights);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_under_uplift_is_graded),
        cmocka_unit_test(the_sea_takes_what_rivers_bring),
        cmocka_unit_test(a_closed_bowl_fills_to_a_plain),
        cmocka_unit_test(half_the_step_gives_nearly_the_same_land),
        cmocka_unit_test(cells_of_30_and_60_metres_wear_alike),
        cmocka_unit_test(steep_land_has_no_towers),
        cmocka_unit_test(a_wall_fails_without_towers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
