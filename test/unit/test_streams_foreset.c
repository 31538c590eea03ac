// SPDX-License-Identifier: MIT
// Slides on the beds of lakes (streams_foreset.c): where they start and stop, and their number.
#include "support/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 96,
    RIM = 12 // cells of dry land around the lake
};

#define CELL 30.0
#define FLOOR 100.0
#define LEVEL 400.0

// Height of rock above the floor of a lake with upright walls, and sediment on it [m].
typedef double floor_fn(int32_t x, double rest);
typedef double cover_fn(int32_t x, int32_t y, double rest);

typedef struct slides
{
    double count;
    double released; // energy: amounts times the heights that they lost [m2 x cells]
    double steepest; // fall over a step along an axis, by that at rest
    double farthest; // column that matter reaches
} slides;

static bool is_lake(int32_t x, int32_t y)
{
    return x >= RIM && x < SIDE - RIM && y >= RIM && y < SIDE - RIM;
}

static double rest_of(const wadi_hydraulic_params* params)
{
    return CELL * tan(params->lake_repose * 3.14159265358979 / 180.0);
}

static double top_of(const wadi_terrain* terrain, int32_t i)
{
    return (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE) /
           WADI_UNITS_PER_METRE;
}

// No streams wear and nothing creeps, so all that moves is what slides.
static wadi_hydraulic_params still_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.erodibility = 0.0;
    params.creep = 0.0;
    params.outside_slope = 1000.0;
    return params;
}

static double flat(int32_t x, double rest)
{
    (void)x;
    (void)rest;
    return 0.0;
}

static wadi_terrain* lake_of(const fixture* f, floor_fn* rocks, cover_fn* cover, double rest)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = CELL;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* rock = malloc(SIDE * SIDE * sizeof *rock);
    float* loose = malloc(SIDE * SIDE * sizeof *loose);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const bool lake = is_lake(i % SIDE, i / SIDE);
        const double dry = LEVEL + fmin(i % SIDE, SIDE - 1 - i % SIDE);
        rock[i] = (float)(lake ? FLOOR + rocks(i % SIDE, rest) : dry);
        loose[i] = (float)(lake ? cover(i % SIDE, i / SIDE, rest) : 0.0);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, loose, SIDE));
    free(rock);
    free(loose);
    return terrain;
}

static void measure(const wadi_terrain* terrain, double rest, slides* out)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        if (is_lake(i % SIDE, i / SIDE) && is_lake(i % SIDE + 1, i / SIDE))
        {
            const double a = top_of(terrain, i);
            const double b = top_of(terrain, i + 1);
            out->steepest = fmax(out->steepest, fabs(a - b) / rest);
            out->farthest = a > FLOOR ? fmax(out->farthest, i % SIDE) : out->farthest;
        }
        const double top = is_lake(i % SIDE, i / SIDE) ? top_of(terrain, i) - FLOOR : 0.0;
        out->released -= 0.5 * top * top;
    }
}

// The slides of one step.
static slides slide(floor_fn* rocks, cover_fn* cover)
{
    fixture f;
    fixture_open(&f, 2);
    const wadi_hydraulic_params params = still_params();
    const double rest = rest_of(&params);
    wadi_terrain* terrain = lake_of(&f, rocks, cover, rest);
    slides before = {0};
    slides after = {0};
    measure(terrain, rest, &before);
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    fixture_advance(solver, params.max_step);
    wadi_work work[8];
    const int32_t rows = wadi_solver_work(solver, work, 8);
    for (int32_t i = 0; i < rows; ++i)
    {
        after.count = strcmp(work[i].name, "slides") == 0 ? work[i].count : after.count;
    }
    wadi_solver_destroy(solver);
    measure(terrain, rest, &after);
    after.released -= before.released;
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    print_message("%.0f slides, %.3g m2 released, steepest %.3f of rest\n", after.count,
                  after.released, after.steepest);
    return after;
}

// ---- where slides start ------------------------------------------------------------------

static double ramp(int32_t x, double fall)
{
    return fmax(0.0, 200.0 - fall * (x - RIM));
}

static double ramp_near_rest(int32_t x, int32_t y, double rest)
{
    (void)y;
    return ramp(x, 1.05 * rest);
}

static double ramp_too_steep(int32_t x, int32_t y, double rest)
{
    (void)y;
    return ramp(x, 1.08 * rest);
}

static void slopes_rest_up_to_a_sixteenth_above_repose(void** state)
{
    (void)state;
    assert_true(slide(flat, ramp_near_rest).count == 0.0);
    const slides s = slide(flat, ramp_too_steep);
    assert_true(s.count > 100.0);
    assert_true(s.steepest <= 1.0 + 1.0 / 16.0 + 1e-4);
}

// Films on rock that is steeper than repose; their thickness is over the fall at rest.
static double film_floor(int32_t x, double rest)
{
    return ramp(x, 1.5 * rest);
}

static double thin_film(int32_t x, int32_t y, double rest)
{
    (void)y;
    return film_floor(x, rest) > 0.0 ? rest / 70.0 : 0.0;
}

static double thick_film(int32_t x, int32_t y, double rest)
{
    (void)y;
    return film_floor(x, rest) > 0.0 ? rest / 60.0 : 0.0;
}

static void thin_films_stay_on_steep_rock(void** state)
{
    (void)state;
    assert_true(slide(film_floor, thin_film).count == 0.0);
    assert_true(slide(film_floor, thick_film).count > 100.0);
}

// ---- their number ------------------------------------------------------------------------

static double wall(int32_t x, int32_t y, double rest)
{
    (void)y;
    (void)rest;
    return x < SIDE / 3 ? 250.0 : 0.0;
}

static double towers(int32_t x, int32_t y, double rest)
{
    (void)rest;
    return x / 7 % 3 == 0 && y / 5 % 3 == 0 ? 20.0 + 2.5 * x : 0.0;
}

// Each move releases at least the energy of the thinnest slide over the gentlest fall of slides.
static void check_count(const slides* s, double rest)
{
    const double most = s->released / (rest / 64.0 * rest * 15.0 / 16.0);
    print_message("  at most %.0f\n", most);
    assert_true(s->count > 1000.0);
    assert_true(s->count <= most);
}

static void the_energy_released_bounds_the_slides(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_hydraulic_params params = still_params();
    const double rest = rest_of(&params);
    fixture_close(&f);
    const slides a = slide(flat, wall);
    check_count(&a, rest);
    // the wall becomes a slope at rest, half of it in front of the wall
    const double front = 0.5 * 250.0 / rest;
    print_message("  reaches column %.0f, expected %.1f\n", a.farthest, SIDE / 3 + front);
    CHECK_NEAR(a.farthest, SIDE / 3 + front, 3.0);
    const slides b = slide(flat, towers);
    check_count(&b, rest);
}

// ---- deltas ------------------------------------------------------------------------------

static double bare(int32_t x, int32_t y, double rest)
{
    (void)x;
    (void)y;
    (void)rest;
    return 0.0;
}

// Volume under water, and the number of its cells [cells x m].
static double filled(const wadi_terrain* terrain, int32_t* cells)
{
    double volume = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double top = is_lake(i % SIDE, i / SIDE) ? top_of(terrain, i) - FLOOR : 0.0;
        *cells += top > 0.0 ? 1 : 0;
        volume += top;
    }
    return volume;
}

// A river brings a load into deep water, from the north. Nothing levels the bed of the lake.
static double build_delta(double steps, double* volume, int32_t* cells, slides* out)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_hydraulic_params params = still_params();
    params.max_step = 100.0;
    const double rest = rest_of(&params);
    wadi_terrain* terrain = lake_of(&f, flat, bare, rest);
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double river[] = {48.5 * CELL, (SIDE - RIM + 0.5) * CELL, 0.0, 0.05, 4e4, 0.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", river, 1));
    fixture_advance(solver, steps * params.max_step);
    wadi_work work[8];
    const int32_t rows = wadi_solver_work(solver, work, 8);
    for (int32_t i = 0; i < rows; ++i)
    {
        out->count = strcmp(work[i].name, "slides") == 0 ? work[i].count : out->count;
    }
    wadi_solver_destroy(solver);
    measure(terrain, rest, out);
    *volume = filled(terrain, cells);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    print_message("%.3g cells x m of delta on %d cells, %.0f slides, steepest %.3f of rest\n",
                  *volume, *cells, out->count, out->steepest);
    return rest;
}

// The front of a delta is laid down at rest, so that hardly anything slides, and the delta is a
// round fan: half of a cone whose top is as wide as it needs to be.
static void a_delta_is_laid_down_at_rest(void** state)
{
    (void)state;
    double volume;
    int32_t cells = 0;
    slides s = {0};
    const double rest = build_delta(10.0, &volume, &cells, &s);
    assert_true(s.steepest <= 1.0 + 1.0 / 16.0 + 1e-4);
    assert_true(volume > 5.0 * 250.0 * 250.0 / rest);
    assert_true(s.count < 0.25 * volume / rest); // walls that slide: 2.7
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_rest_up_to_a_sixteenth_above_repose),
        cmocka_unit_test(thin_films_stay_on_steep_rock),
        cmocka_unit_test(the_energy_released_bounds_the_slides),
        cmocka_unit_test(a_delta_is_laid_down_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
