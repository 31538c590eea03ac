// SPDX-License-Identifier: MIT
// The paper's riverbed against its equations, within 2 % where a particle is at least 10 cells
// large and goes at most a tenth of that in a step: volume of a stamp, depth of a pass, length of a
// trochoid, wavelength; and the same bed at an angle.
#include "support/fixture.h"

#include "processes/articles/stamps/riverbed_path.h"
#include "terrain/ground.h"

#include "core/internal.h"

#include <math.h>

enum
{
    SIDE = 384
};

static wadi_terrain* plain_of(fixture* f)
{
    return fixture_plain(f, SIDE, SIDE, 2.0, WADI_EDGE_OPEN);
}

static wadi_riverbed_params line_of(double size, double step)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.model = WADI_RIVERBED_PAPER;
    params.water = false;
    params.draw = WADI_RIVERBED_EVEN;
    params.width = 0.0;
    params.size = size;
    params.step = step;
    params.rotation = false;
    params.quantity = 20;
    params.kappa = 0.01;
    return params;
}

static void carve(wadi_terrain* terrain, const wadi_riverbed_params* params)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_riverbed_process, params, 0, &solver));
    CHECK_OK(context, wadi_solver_advance(solver, 1.0));
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
}

// Volume lost by the ground, by its layers and by the ledger [m3].
static void check_ledger(wadi_terrain* terrain, double* removed)
{
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    *removed = -wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    assert_true(fabs(rows[WADI_MATERIAL_ROCK].lost / *removed - 1.0) < 1e-12);
    assert_true(rows[WADI_MATERIAL_ROCK].eroded == rows[WADI_MATERIAL_ROCK].lost);
}

// 2/3 pi s3 kappa cell2 a stamp; every particle makes one, at its first step, near the middle.
static void a_stamp_has_the_volume_of_a_hemisphere(void** state)
{
    (void)state;
    static const double row[] = {383.3, 391.9, 90.0, 90.0, 0.0, 50.0, 50.0, 1.0};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plain_of(&f);
    wadi_riverbed_params params = line_of(10.0, 1.0);
    params.collision = WADI_RIVERBED_ALWAYS;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_riverbed_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_table(solver, "emitters", row, 1));
    CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
    wadi_solver_destroy(solver);
    double removed;
    check_ledger(terrain, &removed);
    const double expected = 50.0 * 2.0 / 3.0 * M_PI * 1000.0 * params.kappa * 4.0;
    assert_true(fabs(removed / expected - 1.0) < 0.02);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Depth of the bed along a section through its middle [m].
static double depth_of(wadi_terrain* terrain, double x, double y)
{
    return -(double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, (int32_t)lround(x),
                                       (int32_t)lround(y)) /
           WADI_UNITS_PER_METRE;
}

// N pi s2 kappa d / (2 v) in the middle of a straight bed, d = 1 - hardness; at 0 and 37 degrees.
static void check_pass(double size, double step, double hardness, double direction)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plain_of(&f);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hardness));
    wadi_riverbed_params params = line_of(size, step);
    params.direction = direction;
    carve(terrain, &params);
    const double soft = 1.0 - hardness;
    const double expected = 20.0 * M_PI * size * size * params.kappa * soft / (2.0 * step);
    const double c = cos(direction * M_PI / 180.0);
    const double s = sin(direction * M_PI / 180.0);
    double sum = 0.0;
    for (int32_t i = 0; i < 100; ++i)
    {
        const double way = 60.0 + i;
        sum += depth_of(terrain, -0.5 + way * c, 0.5 * SIDE - 0.5 + way * s);
    }
    assert_true(fabs(0.01 * sum / expected - 1.0) < 0.02);
    // half as wide as the particle, and untouched beyond
    assert_true(depth_of(terrain, -0.5 + 100.0 * c - (size - 1.5) * s,
                         0.5 * SIDE + 100.0 * s + (size - 1.5) * c) > 0.0);
    assert_true(depth_of(terrain, -0.5 + 100.0 * c - (size + 1.5) * s,
                         0.5 * SIDE + 100.0 * s + (size + 1.5) * c) == 0.0);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void a_pass_has_its_depth_at_any_angle(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned)
    {
        const double direction = turned != 0 ? 37.0 : 0.0;
        check_pass(10.0, 1.0, 0.0, direction);
        check_pass(10.0, 0.5, 0.4, direction);
        check_pass(16.0, 1.6, 0.0, direction);
    }
}

// The bed of large steps has ripples, by (max - min) / mean along its middle.
static double ripple_of(double size, double step)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f);
    const wadi_riverbed_params params = line_of(size, step);
    carve(terrain, &params);
    double least = 1e9;
    double most = 0.0;
    double sum = 0.0;
    for (int32_t x = 100; x < 200; ++x)
    {
        const double depth = depth_of(terrain, x, 0.5 * SIDE - 0.5);
        least = fmin(least, depth);
        most = fmax(most, depth);
        sum += depth;
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return (most - least) / (0.01 * sum);
}

// Stamps a radius s apart are f(u) = sqrt(1 - u2) + sqrt(1 - (1 - u)2) thick between two of them,
// in s, and pi / 2 in the mean. Cells see u = 0.05, 0.15, ... here: between 1.311 and 1.728.
static void steps_as_long_as_the_particle_ripple(void** state)
{
    (void)state;
    assert_true(fabs(ripple_of(10.0, 10.0) - (1.728 - 1.311) / (0.5 * M_PI)) < 0.005);
    assert_true(ripple_of(10.0, 2.5) < 0.06); // a quarter of it: even
}

// ---- trochoids ----------------------------------------------------------------------------------

typedef struct bend
{
    double sinuosity;
    double wave; // along the centre's way, from crest to crest [cells]
} bend;

// Of Eq 1 over ten circles, k = r omega / v.
static bend bend_of(double k)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plain_of(&f);
    wadi_riverbed_params params = line_of(10.0, 0.1);
    params.rotation = true;
    params.radius = 5.0;
    params.turn = k * params.step / params.radius * 180.0 / M_PI;
    riverbed_orbit orbit;
    CHECK_OK(f.context, wadi_riverbed_orbit_create(f.context, terrain, &params, 1.0, &orbit));
    const riverbed_path path = {.stride = {params.step, 0.0}, .arm = {params.radius, 0.0}};
    const int32_t steps = (int32_t)lround(10.0 * 360.0 / params.turn);
    assert_true(steps < orbit.steps);
    double way = 0.0;
    riverbed_point last = riverbed_path_at(&path, &orbit, 0);
    for (int32_t n = 1; n <= steps; ++n)
    {
        const riverbed_point p = riverbed_path_at(&path, &orbit, n);
        way += sqrt((p.x - last.x) * (p.x - last.x) + (p.y - last.y) * (p.y - last.y));
        last = p;
    }
    wadi_free(f.context, orbit.turns);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return (bend){way / (steps * params.step), steps * params.step / 10.0};
}

static void trochoids_are_as_long_as_they_should_be(void** state)
{
    (void)state;
    static const double law[][2] = {{0.5, 1.064}, {0.8, 1.168}, {1.0, 4.0 / M_PI}, {1.6, 1.761}};
    for (int i = 0; i < 4; ++i)
    {
        const bend found = bend_of(law[i][0]);
        assert_true(fabs(found.sinuosity / law[i][1] - 1.0) < 0.02);
        assert_true(fabs(found.wave / (2.0 * M_PI * 5.0 / law[i][0]) - 1.0) < 0.02);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_has_the_volume_of_a_hemisphere),
        cmocka_unit_test(a_pass_has_its_depth_at_any_angle),
        cmocka_unit_test(steps_as_long_as_the_particle_ripple),
        cmocka_unit_test(trochoids_are_as_long_as_they_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
