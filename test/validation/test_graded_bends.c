// SPDX-License-Identifier: MIT
// labels: medium
// Free bends of graded rivers on cells of 2, 10 and 30 m, at azimuths 0 and 37 degrees: sinuosity
// with and without migration, length of bends, no octagons, cut-offs, half the batches.
#include "support/river.h"

#include <math.h>

enum
{
    SIZE = 192
};

static const double cells[] = {2.0, 10.0, 30.0};
static const double azimuths[] = {0.0, 37.0};

typedef struct course
{
    river_measures m;
    double octal;     // eighth harmonic of the headings of the course; of an octagon 1
    double quadratic; // fourth
    int64_t cutoffs;
    int64_t dead;
} course;

// |mean of exp(i n heading)| over the course, from the axis of the grid.
static double harmonic(const graded_river* river, double n)
{
    double c = 0.0;
    double s = 0.0;
    for (int32_t i = 0; i < river->inside; ++i)
    {
        c += cos(n * river->nodes[i].heading);
        s += sin(n * river->nodes[i].heading);
    }
    return hypot(c, s) / river->inside;
}

// A river 3.2 cells wide.
static course run(double cell, double azimuth, uint64_t seed, double migration, int32_t batches,
                  double chute)
{
    fixture f;
    fixture_open(&f, 2);
    const river_land land = {.size = SIZE,
                             .cell = cell,
                             .slope = 0.003,
                             .azimuth = azimuth,
                             .roughness = 0.02 * cell,
                             .seed = seed};
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.path = WADI_RIVERBED_FREE;
    params.discharge = 0.64 * cell * cell;
    params.batches = batches;
    params.incision = 0.0;
    params.migration = migration;
    params.chute = chute;
    wadi_terrain* terrain = river_terrain(&f, &land);
    const riverbed_emitter emitter = river_emitter(&land, params.discharge);
    wadi_graded* graded = river_run(terrain, &params, &emitter, 1);
    const course c = {
        .m = river_measure(graded),
        .octal = harmonic(&graded->rivers[0], 8.0),
        .quadratic = harmonic(&graded->rivers[0], 4.0),
        .cutoffs = graded->cutoffs,
        .dead = graded->dead,
    };
    print_message("cells of %.0f m, azimuth %.0f, migration %.0f: sinuosity %.3f, bends %.2f "
                  "widths, radius %.2f, harmonics %.3f and %.3f, %lld cut-offs\n",
                  cell, azimuth, migration, c.m.sinuosity, c.m.bend_length, c.m.bend_radius,
                  c.octal, c.quadratic, (long long)c.cutoffs);
    wadi_graded_destroy(graded);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return c;
}

// A course of sixty widths has five or six bends, so lengths are means of four.
static void slow_bends_are_alike_on_cells_of_any_size(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double length = 0.0;
        for (int k = 0; k < 4; ++k)
        {
            const double azimuth = azimuths[k % 2];
            const uint64_t seed = 2 + (uint64_t)k / 2;
            const course straight = run(cells[i], azimuth, seed, 0.0, 60, 4.5);
            const course bends = run(cells[i], azimuth, seed, 30.0, 90, 4.5);
            length += bends.m.bend_length / 4.0;
            assert_true(straight.m.sinuosity <= 1.05 && bends.m.sinuosity >= 1.3);
            assert_true(bends.octal < 0.2 && straight.dead == 0 && bends.dead == 0);
        }
        print_message("cells of %.0f m: bends of %.2f widths\n", cells[i], length);
        assert_true(length >= 8.0 && length <= 14.0);
    }
}

static void slow_long_runs_cut_bends_off(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        const course bends = run(cells[i], 37.0, 2, 70.0, 200, 4.5);
        assert_true(bends.cutoffs >= 2 && bends.m.sinuosity >= 1.3);
        assert_true(bends.octal < 0.2);
    }
}

static void half_the_batches_leave_the_same_course(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        const course all = run(cells[i], 0.0, 2, 24.0, 120, 0.0);
        const course half = run(cells[i], 0.0, 2, 24.0, 60, 0.0);
        assert_true(fabs(half.m.sinuosity / all.m.sinuosity - 1.0) <= 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_bends_are_alike_on_cells_of_any_size),
        cmocka_unit_test(slow_long_runs_cut_bends_off),
        cmocka_unit_test(half_the_batches_leave_the_same_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
