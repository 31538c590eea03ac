// SPDX-License-Identifier: MIT
// Error of the default step of models whose results are partly random: graded rivers, slabs,
// landslides and soil in motion. Each runs with its step, with half of it, and with other random
// numbers, which is the scatter that the step's error is compared with.
// labels: slow
// seconds: 12
#include "support/river.h"
#include "support/slope.h"

#include <wadi/dunes.h>
#include <wadi/earth.h>
#include <wadi/landslide.h>
#include <wadi/riverbed.h>

#include <math.h>
#include <string.h>

enum
{
    SIDE = 128,
    CELLS = SIDE * SIDE,
    GRAINS = 216
};

// What a run has moved: heights, or places of grains.
typedef struct result
{
    double change[CELLS];
    int32_t count;
} result;

// Correlation of two changes, and ratio of what they move.
typedef struct likeness
{
    double correlation;
    double ratio;
} likeness;

static likeness compare(const char* what, const result* a, const result* b)
{
    double mean[2] = {0.0, 0.0};
    double moved[2] = {0.0, 0.0};
    for (int32_t i = 0; i < a->count; ++i)
    {
        mean[0] += a->change[i] / a->count;
        mean[1] += b->change[i] / a->count;
        moved[0] += fabs(a->change[i]);
        moved[1] += fabs(b->change[i]);
    }
    double squares[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < a->count; ++i)
    {
        const double x = a->change[i] - mean[0];
        const double y = b->change[i] - mean[1];
        squares[0] += x * x;
        squares[1] += y * y;
        squares[2] += x * y;
    }
    const likeness l = {squares[2] / sqrt(squares[0] * squares[1]), moved[1] / moved[0]};
    print_message("%s: correlation of change %.5f, moved %.4f times as much\n", what, l.correlation,
                  l.ratio);
    return l;
}

static void levels(const wadi_terrain* terrain, double sign, result* out)
{
    const int32_t width = wadi_terrain_width(terrain);
    out->count = width * wadi_terrain_height(terrain);
    assert_true(out->count <= CELLS);
    for (int32_t i = 0; i < out->count; ++i)
    {
        const int32_t units = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % width, i / width);
        out->change[i] += sign * units / WADI_UNITS_PER_METRE;
    }
}

// Run a process for `years`. Returns its step.
static double run(wadi_terrain* terrain, const wadi_process* process, const void* params,
                  uint32_t instance, double years, result* out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver;
    memset(out, 0, sizeof *out);
    levels(terrain, -1.0, out);
    CHECK_OK(context, wadi_solver_create(terrain, process, params, instance, &solver));
    const double step = wadi_solver_step(solver);
    CHECK_OK(context, wadi_solver_advance(solver, years));
    CHECK_OK(context, wadi_solver_finish(solver));
    CHECK_OK(context, wadi_solver_settle(solver));
    levels(terrain, 1.0, out);
    wadi_solver_destroy(solver);
    return step;
}

// ---- graded rivers ------------------------------------------------------------------------------

static double river(double step, uint64_t seed, result* out)
{
    fixture f;
    fixture_open(&f, 2);
    const river_land land = {
        .size = SIDE, .cell = 5.0, .slope = 0.006, .roughness = 0.1, .seed = seed};
    wadi_terrain* terrain = river_terrain(&f, &land);
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.discharge = 25.0;
    params.max_step = step;
    const double own = run(terrain, &wadi_riverbed_process, &params, 0, params.growth, out);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return own;
}

static void graded_rivers(void** state)
{
    (void)state;
    result* r = test_malloc(3 * sizeof *r);
    const double step = river(0.0, 1, &r[0]);
    (void)river(0.5 * step, 1, &r[1]);
    (void)river(0.1 * step, 1, &r[2]);
    const likeness half = compare("graded, half the step", &r[0], &r[1]);
    const likeness tenth = compare("graded, a tenth of it", &r[0], &r[2]);
    assert_true(half.correlation > 0.999 && fabs(half.ratio - 1.0) < 0.01);
    assert_true(tenth.correlation > 0.999 && fabs(tenth.ratio - 1.0) < 0.01);
    test_free(r);
}

// ---- slabs --------------------------------------------------------------------------------------

static double slabs(double step, uint32_t instance, result* out)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIDE, SIDE, 1.0, WADI_EDGE_PERIODIC);
    // a hill of 10 m turns the wind and shelters the sand behind it
    static float hill[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = (i % SIDE - 0.5 * SIDE) / 20.0;
        const double y = (i / SIDE - 0.5 * SIDE) / 20.0;
        hill[i] = (float)(10.0 / (1.0 + x * x + y * y));
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, hill, SIDE));
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 1.0, 2.0, 9);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.step = step;
    const double own = run(terrain, &wadi_dunes_process, &params, instance, 5.0, out);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return own;
}

static void slabs_of_sand(void** state)
{
    (void)state;
    result* r = test_malloc(3 * sizeof *r);
    const double step = slabs(0.0, 0, &r[0]);
    print_message("slabs, step %.3g yr\n", step);
    (void)slabs(0.5 * step, 0, &r[1]);
    (void)slabs(0.0, 1, &r[2]);
    const likeness half = compare("slabs, half the step", &r[0], &r[1]);
    const likeness other = compare("slabs, other random numbers", &r[0], &r[2]);
    assert_true(half.correlation > 0.9 && half.correlation > other.correlation);
    assert_true(fabs(half.ratio - 1.0) < 0.05);
    test_free(r);
}

// ---- landslides ---------------------------------------------------------------------------------

static double slide(double interval, double step, uint32_t instance, result* out)
{
    static const slope_shape hill = {.side = 48,
                                     .cell = 5.0,
                                     .tangent = 0.7,
                                     .azimuth = 140.0,
                                     .foot = 40.0,
                                     .soil = 0.5,
                                     .block = 2.0,
                                     .half = 30.0,
                                     .ahead = -30.0};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.cohesion = 0.0;
    params.wetness = 1.0;
    params.min_area = 100.0;
    params.most = 1500;
    params.depth = 2.0;
    params.step = step;
    params.interval = interval > 0.0 ? interval : params.interval;
    wadi_solver* solver;
    memset(out, 0, sizeof *out);
    levels(terrain, -1.0, out);
    CHECK_OK(f.context,
             wadi_solver_create(terrain, &wadi_landslide_process, &params, instance, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 10.0));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    levels(terrain, 1.0, out);
    const double own = slope_figure(solver, "step");
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return own;
}

static void landslides(void** state)
{
    (void)state;
    result* r = test_malloc(4 * sizeof *r);
    const double step = slide(0.0, 0.0, 0, &r[0]);
    print_message("landslide, step of grains %.3g s\n", step);
    (void)slide(0.0, 0.5 * step, 0, &r[1]);
    (void)slide(5.0, 0.0, 0, &r[2]);
    (void)slide(0.0, 0.0, 1, &r[3]);
    const likeness half = compare("landslide, half the step of grains", &r[0], &r[1]);
    const likeness often = compare("landslide, half the interval", &r[0], &r[2]);
    const likeness other = compare("landslide, other random numbers", &r[0], &r[3]);
    assert_true(half.correlation > other.correlation - 0.02 && fabs(half.ratio - 1.0) < 0.05);
    assert_true(often.correlation > 0.95 && fabs(often.ratio - 1.0) < 0.15);
    test_free(r);
}

// ---- earth --------------------------------------------------------------------------------------

// A block of loose grains collapses. Its change is the way of each grain along x and y.
static double soil(double step, double shift, result* out)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, 12, 12, 0.25, WADI_EDGE_OPEN);
    wadi_earth_params params = wadi_earth_params_default();
    params.step = step;
    params.friction = 0.5;
    static wadi_grain grains[GRAINS];
    for (int i = 0; i < GRAINS; ++i)
    {
        grains[i] = (wadi_grain){.position = {1.2 + 0.1 * (i % 6) + 0.01 * (i / 36) + shift,
                                              1.2 + 0.1 * (i / 6 % 6), 0.06 + 0.1 * (i / 36)},
                                 .radius = 0.047};
    }
    wadi_body body = {.params = wadi_body_params_default(),
                      .material = wadi_wet_material_default()};
    const wadi_bodies all = {.bodies = &body, .count = 1, .grains = grains, .grain_count = GRAINS};
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_earth_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_bodies(solver, &all));
    CHECK_OK(f.context, wadi_solver_advance(solver, 2.0 / 31557600.0));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    static wadi_grain now[GRAINS];
    assert_int_equal(wadi_solver_grains(solver, now, GRAINS, NULL), GRAINS);
    out->count = 2 * GRAINS;
    for (int i = 0; i < 2 * GRAINS; ++i)
    {
        out->change[i] = now[i / 2].position[i % 2] - grains[i / 2].position[i % 2];
    }
    const double own = slope_figure(solver, "step");
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return own;
}

static void soil_in_motion(void** state)
{
    (void)state;
    result* r = test_malloc(3 * sizeof *r);
    const double step = soil(0.0, 0.0, &r[0]);
    print_message("earth, step of grains %.3g s\n", step);
    (void)soil(0.5 * step, 0.0, &r[1]);
    (void)soil(0.0, 1e-6, &r[2]);
    const likeness half = compare("earth, half the step of grains", &r[0], &r[1]);
    const likeness other = compare("earth, moved by a thousandth of a millimetre", &r[0], &r[2]);
    assert_true(other.correlation > 0.99 && half.correlation > 0.99 &&
                fabs(half.ratio - 1.0) < 0.02);
    test_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graded_rivers),
        cmocka_unit_test(slabs_of_sand),
        cmocka_unit_test(landslides),
        cmocka_unit_test(soil_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
