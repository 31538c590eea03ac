// SPDX-License-Identifier: MIT
// Books of the rivers of the model "alluvial" on any land: random sizes, edges, holes, seas,
// seepage and rivers. Water and load close to the unit in every step, and threads, cuts of time and
// a restore change no bit of them.
#include "support/fixture.h"

#include "core/archive.h"
#include "core/random.h"

#include <math.h>

enum
{
    TRIALS = 16,
    MOST_RIVERS = 3,
    FATES = 4
};

#define YEARS 1.0

typedef struct trial
{
    wadi_terrain_def def;
    wadi_hydraulic_params params;
    double rows[MOST_RIVERS][6];
    int32_t rivers;
    bool holes;
    bool sea;
    uint64_t seed;
} trial;

static double dice(uint32_t* counter)
{
    return (double)wadi_unit_float(wadi_random(17, 0, (*counter)++, 0).v[0]);
}

static wadi_edge some_edge(uint32_t* counter)
{
    return dice(counter) < 0.6 ? WADI_EDGE_OPEN : WADI_EDGE_CLOSED;
}

static trial random_trial(uint32_t* counter, int32_t number)
{
    trial t = {.def = wadi_terrain_def_default(), .params = wadi_hydraulic_params_default()};
    t.seed = (uint64_t)number;
    t.def.width = 1 + (int32_t)(24.0 * dice(counter));
    t.def.height = 1 + (int32_t)(24.0 * dice(counter));
    t.def.cell_size = 10.0 + 30.0 * dice(counter);
    for (int axis = 0; axis < 2; ++axis)
    {
        const wadi_side first = axis == 0 ? WADI_SIDE_NORTH : WADI_SIDE_WEST;
        const wadi_side second = axis == 0 ? WADI_SIDE_SOUTH : WADI_SIDE_EAST;
        const bool wraps = dice(counter) < 0.3;
        t.def.edges[first] = wraps ? WADI_EDGE_PERIODIC : some_edge(counter);
        t.def.edges[second] = wraps ? WADI_EDGE_PERIODIC : some_edge(counter);
    }
    t.holes = dice(counter) < 0.4 && t.def.width > 12 && t.def.height > 12;
    t.sea = dice(counter) < 0.4;
    t.params.model = WADI_HYDRAULIC_ALLUVIAL;
    t.params.flood_parcels = 8 + (int32_t)(8.0 * dice(counter));
    t.params.flood_step = 0.1 + 0.4 * dice(counter);
    t.params.infiltration = dice(counter) < 0.5 ? 0.0 : 20.0 + 600.0 * dice(counter);
    t.params.seepage = number % 4 == 1 ? 1e-4 : 0.0;
    t.params.fine_share = dice(counter);
    t.params.inflow_capacity = number % 3 == 0 ? 1.5 : 0.0;
    t.rivers = 1 + (int32_t)(MOST_RIVERS * dice(counter));
    for (int32_t i = 0; i < t.rivers; ++i)
    {
        const double row[6] = {t.def.cell_size * t.def.width * dice(counter),
                               t.def.cell_size * t.def.height * dice(counter),
                               0.0,
                               i == 2 ? 0.0 : 0.5 * dice(counter),
                               500.0 * dice(counter),
                               0.0};
        memcpy(t.rows[i], row, sizeof row);
    }
    return t;
}

// False: a river has no ground under it.
static bool make_solver(fixture* f, const trial* t, wadi_solver** solver)
{
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &t->def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 3.0, t->seed);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
    if (t->holes)
    {
        fixture_holes(terrain);
    }
    const double year = 0.0;
    const double level = 2.5;
    CHECK_OK(f->context, wadi_terrain_set_sea_level(terrain, &year, &level, t->sea ? 1 : 0));
    CHECK_OK(f->context,
             wadi_solver_create(terrain, &wadi_hydraulic_process, &t->params, 0, solver));
    return wadi_solver_set_table(*solver, "inflow", t->rows[0], t->rivers) == WADI_OK;
}

static void drop(wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

static int64_t units_of(const trial* t, double volume)
{
    return llround(volume * 65536.0 / (t->def.cell_size * t->def.cell_size));
}

// The water of the table, to half a unit for each river and step.
static void check_inflow(const trial* t, const wadi_solver* solver, double years)
{
    double all = 0.0;
    for (int32_t i = 0; i < t->rivers; ++i)
    {
        all += t->rows[i][3] * 31557600.0 * years;
    }
    const double steps = t->rivers * (years / t->params.flood_step + 1.0);
    const int64_t in = units_of(t, fixture_figure(solver, "inflow"));
    assert_true(fabs((double)(in - units_of(t, all))) <= 1.0 + 0.5 * steps);
}

// Trials whose water went over edges, into the sea, into the ground, and astray.
static int32_t seen[FATES];

static void check_books(const trial* t, const wadi_solver* solver)
{
    const wadi_terrain* terrain = wadi_solver_terrain(solver);
    const wadi_ledger_row water = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
    assert_true(water.residual_units == 0 && water.transit == 0.0);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).residual_units == 0);
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_WATER) == 0);
    const int64_t in = units_of(t, water.in);
    const int64_t sea = units_of(t, fixture_figure(solver, "into_sea"));
    const int64_t sunk = units_of(t, fixture_figure(solver, "infiltrated"));
    const int64_t strayed = units_of(t, fixture_figure(solver, "strayed"));
    const int64_t out = units_of(t, fixture_figure(solver, "outflow"));
    assert_true(sea >= 0 && sunk >= 0 && strayed >= 0 && out >= 0);
    const int64_t fates[FATES] = {out, sea, sunk, strayed};
    for (int i = 0; i < FATES; ++i)
    {
        seen[i] += fates[i] > 0 ? 1 : 0;
    }
    assert_true(in == sea + sunk + strayed + out);
    assert_true(units_of(t, water.lost) == sea + sunk + strayed);
    assert_true(t->sea || sea == 0);
    assert_true(t->params.infiltration > 0.0 || t->params.seepage > 0.0 || sunk == 0);
    for (int side = 0; side < WADI_SIDE_VOID; ++side)
    {
        assert_true(t->def.edges[side] == WADI_EDGE_OPEN || water.out[side] == 0.0);
    }
    assert_true(t->holes || water.out[WADI_SIDE_VOID] == 0.0);
}

// Save the solver, and go on with what is restored.
static wadi_solver* reborn(fixture* f, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_bytes ground = {.context = f->context};
    wadi_bytes kept = {.context = f->context};
    CHECK_OK(f->context, wadi_terrain_save(terrain, wadi_bytes_write, &ground));
    CHECK_OK(f->context, wadi_solver_save(solver, wadi_bytes_write, &kept));
    drop(solver);
    wadi_terrain* copy = NULL;
    wadi_solver* other = NULL;
    CHECK_OK(f->context, wadi_terrain_load(f->context, wadi_bytes_read, &ground, &copy));
    CHECK_OK(f->context, wadi_solver_load(copy, wadi_bytes_read, &kept, &other));
    wadi_bytes_free(&ground);
    wadi_bytes_free(&kept);
    return other;
}

// Run a year in `cuts` calls, with a restore after the first of several. Returns the hashes of
// ground, with its ledger, and solver; false: no trial.
static bool run_trial(const trial* t, int threads, int cuts, uint64_t hashes[2])
{
    fixture f;
    fixture_open(&f, threads);
    wadi_solver* solver = NULL;
    const bool can = make_solver(&f, t, &solver);
    for (int k = 0; k < cuts && can; ++k)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, YEARS / cuts));
        CHECK_OK(f.context, wadi_terrain_advance_clock(wadi_solver_terrain(solver), YEARS / cuts));
        check_books(t, solver);
        solver = k == 0 && cuts > 1 ? reborn(&f, solver) : solver;
    }
    if (can)
    {
        CHECK_OK(f.context, wadi_solver_finish(solver));
        check_books(t, solver);
        check_inflow(t, solver, YEARS);
        hashes[0] = wadi_terrain_hash(wadi_solver_terrain(solver));
        hashes[1] = wadi_solver_hash(solver);
    }
    drop(solver);
    fixture_close(&f);
    return can;
}

static void books_close_on_any_land(void** state)
{
    (void)state;
    uint32_t counter = 0;
    int32_t runs = 0;
    for (int32_t i = 0; i < TRIALS; ++i)
    {
        const trial t = random_trial(&counter, i);
        uint64_t once[2];
        uint64_t again[2];
        if (!run_trial(&t, 1, 1, once))
        {
            continue;
        }
        runs += 1;
        assert_true(run_trial(&t, 3, 5, again));
        assert_memory_equal(once, again, sizeof once);
    }
    // trials see all that can happen to water
    assert_true(runs > TRIALS / 2);
    for (int i = 0; i < FATES; ++i)
    {
        assert_true(seen[i] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_close_on_any_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
