// SPDX-License-Identifier: MIT
// Graded rivers behind barriers: lakes at the level of their sills, deltas at their heads, books,
// bits; without a barrier, or with all of it breached, nothing changes.
#include "core/archive.h"
#include "support/river.h"

#include "process/solver.h"

#include <math.h>

enum
{
    SIZE = 160,
    CELLS = SIZE * SIZE
};

#define RIDGE 12.0 // [m]

// A valley that falls to an azimuth, with a ridge across its middle.
static wadi_terrain* valley(fixture* f, double azimuth, double ridge)
{
    static float heights[CELLS];
    const river_land land = {.size = SIZE, .cell = 4.0, .slope = 0.006, .seed = 1};
    wadi_terrain* terrain = river_terrain(f, &land);
    const double c = cos(azimuth * 0.017453292519943295);
    const double s = sin(azimuth * 0.017453292519943295);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double east = 4.0 * (i % SIZE - SIZE / 2);
        const double north = 4.0 * (SIZE / 2 - i / SIZE);
        const double along = east * c + north * s;
        const double across = north * c - east * s;
        const double far = (along - 40.0) / 25.0;
        heights[i] = (float)(60.0 - 0.006 * along + 0.06 * fabs(across) + ridge * exp(-far * far));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIZE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.0));
    return terrain;
}

static wadi_riverbed_params params_of(double breach)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.discharge = 10.0;
    params.breach = breach;
    params.batches = 24;
    params.outlet = WADI_RIVERBED_EAST;
    return params;
}

static wadi_solver* river(wadi_terrain* terrain, const wadi_riverbed_params* params)
{
    wadi_solver* solver = NULL;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_riverbed_process, params, 0, &solver));
    return solver;
}

static void close_all(fixture* f, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(f);
}

static double ground_at(const wadi_terrain* terrain, int32_t i)
{
    return (double)(wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, i % SIZE, i / SIZE) +
                    wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE)) /
           WADI_UNITS_PER_METRE;
}

typedef struct pond
{
    double area;  // [m2] of water more than three metres deep
    double level; // [m] mean of it
    double rough; // [m] highest less lowest level of it
    double delta; // [m3] laid down west of the ridge
} pond;

static pond measure(wadi_solver* solver, const float* before)
{
    static float depth[CELLS];
    const wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_map(solver, "depth", depth));
    pond p = {0};
    double low = 1e9;
    double high = -1e9;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double level = ground_at(terrain, i) + (double)depth[i];
        if (depth[i] > 3.0f)
        {
            p.area += 16.0;
            p.level += level;
            low = fmin(low, level);
            high = fmax(high, level);
        }
        const double laid = ground_at(terrain, i) - (double)before[i];
        p.delta += i % SIZE < SIZE / 2 && laid > 0.0 ? 16.0 * laid : 0.0;
    }
    p.level /= fmax(1.0, p.area / 16.0);
    p.rough = p.area > 0.0 ? high - low : 0.0;
    return p;
}

static pond run(double azimuth, double breach, uint64_t* hash)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley(&f, azimuth, RIDGE);
    static float before[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        before[i] = (float)ground_at(terrain, i);
    }
    const wadi_riverbed_params params = params_of(breach);
    wadi_solver* solver = river(terrain, &params);
    fixture_live(solver, 1.0);
    fixture_check_ledger(terrain);
    const pond p = measure(solver, before);
    *hash = wadi_terrain_hash(terrain);
    print_message("azimuth %.1f, breach %.1f: %.0f m2 at %.2f m (%.3f), delta %.0f m3\n", azimuth,
                  breach, p.area, p.level, p.rough, p.delta);
    close_all(&f, solver);
    return p;
}

// The lake is level, lower by half of the ridge when half of it is breached, and gone with all.
static void a_lake_stands_at_its_sill(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 22.5, 37.0};
    uint64_t hash;
    for (int i = 0; i < 3; ++i)
    {
        const pond gorge = run(azimuths[i], 1.0, &hash);
        const pond half = run(azimuths[i], 0.5, &hash);
        const pond full = run(azimuths[i], 0.0, &hash);
        assert_true(gorge.area < 500.0 && half.area > 4000.0 && full.area > 1.5 * half.area);
        assert_true(half.rough < 0.3 && full.rough < 0.3);
        // across, at 37 degrees, the full lake leaves over a lower divide beside the ridge
        const double rise = full.level - half.level;
        assert_true(i == 2 ? rise > 0.5 : rise > 0.3 * RIDGE && rise < 0.6 * RIDGE);
        assert_true(half.delta > 500.0);
    }
}

// On land without a barrier nothing changes, to the bit.
static void valleys_without_barriers_stay(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = valley(&f, 0.0, 0.0);
        const wadi_riverbed_params params = params_of(i == 0 ? 1.0 : 0.0);
        wadi_solver* solver = river(terrain, &params);
        fixture_live(solver, 1.0);
        hash[i] = wadi_terrain_hash(terrain);
        close_all(&f, solver);
    }
    assert_true(hash[0] == hash[1]);
}

static wadi_solver* dammed(fixture* f)
{
    wadi_riverbed_params params = params_of(0.5);
    params.max_step = 0.25;
    return river(valley(f, 37.0, RIDGE), &params);
}

static void calls_and_threads_do_not_matter(void** state)
{
    (void)state;
    fixture_check_cuts(dammed, 1.0);
}

// A saved lake goes on to the same bits, and drains when it is drawn anew.
static void a_restored_lake_goes_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = dammed(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_live(solver, 0.5);
    wadi_bytes ground = {.context = f.context};
    wadi_bytes kept = {.context = f.context};
    CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &ground));
    CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &kept));
    wadi_terrain* copy = NULL;
    wadi_solver* other = NULL;
    CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &ground, &copy));
    CHECK_OK(f.context, wadi_solver_load(copy, wadi_bytes_read, &kept, &other));
    fixture_live(solver, 0.5);
    fixture_live(other, 0.5);
    fixture_check_ledger(terrain);
    assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    wadi_bytes_free(&ground);
    wadi_bytes_free(&kept);
    wadi_solver_destroy(other);
    wadi_terrain_destroy(copy);
    close_all(&f, solver);
}

// ---- walls -------------------------------------------------------------------------------

typedef struct gorge
{
    double wall;  // steepest slope between two cells of bare rock beside the river
    double talus; // steepest between two cells with a metre of loose matter
    double width; // mean cells of a row of the ridge that the river has changed
} gorge;

static gorge cut_gorge(double hardness, double wall)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley(&f, 0.0, 20.0);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hardness));
    static float before[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        before[i] = (float)ground_at(terrain, i);
    }
    wadi_riverbed_params params = params_of(1.0);
    params.wall = wall;
    params.batches = 60;
    wadi_solver* solver = river(terrain, &params);
    fixture_live(solver, 1.0);
    fixture_check_ledger(terrain);
    gorge g = {0};
    for (int32_t i = SIZE; i < CELLS - SIZE; ++i)
    {
        const double change = ground_at(terrain, i) - (double)before[i];
        const double next = ground_at(terrain, i + SIZE) - (double)before[i + SIZE];
        const double slope = fabs(ground_at(terrain, i) - ground_at(terrain, i + SIZE)) / 4.0;
        const int32_t x = i % SIZE;
        const bool ridge = x > 84 && x < 96;
        const bool both = fabs(change) > 0.5 && fabs(next) > 0.5;
        const int32_t here = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, x, i / SIZE);
        const int32_t there = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, x, i / SIZE + 1);
        const bool bare = here == 0 || there == 0;
        const bool loose = here > 65536 && there > 65536;
        g.wall = ridge && both && bare ? fmax(g.wall, slope) : g.wall;
        g.talus = both && loose ? fmax(g.talus, slope) : g.talus;
        g.width += ridge && fabs(change) > 0.5 ? 1.0 / 11.0 : 0.0;
    }
    print_message("hardness %.1f, wall %.0f: wall %.2f, talus %.2f, %.1f cells wide\n", hardness,
                  wall, g.wall, g.talus, g.width);
    close_all(&f, solver);
    return g;
}

// Hard rock stands in walls over talus, and its gorge is narrower; soft rock does not.
static void gorges_have_walls_by_their_rock(void** state)
{
    (void)state;
    const gorge slopes = cut_gorge(0.8, 0.0);
    const gorge walls = cut_gorge(0.8, 75.0);
    const gorge soft = cut_gorge(0.0, 75.0);
    assert_true(walls.wall > 1.4 && slopes.wall < 1.1 && soft.wall < 1.1);
    assert_true(walls.talus < 0.8 && walls.width < 0.9 * slopes.width);
}

// Cells without data, and edges that are closed or open: books close.
static void any_land_will_do(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley(&f, 22.5 * i, RIDGE);
        fixture_holes(terrain);
        wadi_riverbed_params params = params_of(0.3);
        params.path = i == 2 ? WADI_RIVERBED_FREE : WADI_RIVERBED_SWING;
        wadi_solver* solver = river(terrain, &params);
        fixture_live(solver, 1.0);
        fixture_check_ledger(terrain);
        close_all(&f, solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_stands_at_its_sill),
        cmocka_unit_test(valleys_without_barriers_stay),
        cmocka_unit_test(calls_and_threads_do_not_matter),
        cmocka_unit_test(a_restored_lake_goes_on),
        cmocka_unit_test(gorges_have_walls_by_their_rock),
        cmocka_unit_test(any_land_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
