// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 12
// Fans and deltas of the model "alluvial": cones about the mouth at two azimuths of the grid,
// without towers; platforms that end in a front before the mouth, of one radius along the axis and
// across it.
#include "support/front.h"

#include <math.h>
#include <stdlib.h>

static wadi_hydraulic_params fan_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_ALLUVIAL;
    return params;
}

// A river of sand and mud, as in scene `delta-river`.
static wadi_hydraulic_params delta_params(void)
{
    wadi_hydraulic_params params = fan_params();
    params.flood_days = 30.0;
    params.flood_spread = 0.3;
    params.flood_memory = 6.0;
    params.flood_step = 0.25;
    params.flood_parcels = 60;
    params.round_volume = 1.6;
    params.depth_power = 3.2;
    params.gathering = 0.0;
    params.bed_friction = 0.003;
    params.bed_speed = 0.3;
    params.bed_exponent = 5.0;
    params.bed_rate = 2e-4;
    params.adaptation = 100.0;
    params.cross_slope = 0.6;
    params.deposit_depth = 0.003;
    params.fine_share = 0.7;
    return params;
}

typedef struct fan
{
    front_measures form;
    double most_held; // of the load fed, after any year
    int32_t turns;    // of the strongest flow by more than 30 degrees, between sixteen frames
} fan;

static fan grow_fan_on(front_land land, double years)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = front_terrain(&f, &land);
    const size_t cells = (size_t)land.size * (size_t)land.size;
    float* before = malloc(cells * sizeof *before);
    front_heights(terrain, before);
    const wadi_hydraulic_params params = fan_params();
    wadi_solver* solver = front_fan(terrain, &land, &params);
    fan grown = {0};
    double last = 0.0;
    for (int32_t i = 1; i <= 16; ++i)
    {
        fixture_live(solver, years / 16.0);
        const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        const double held = (double)wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) / 65536.0 *
                            land.cell * land.cell;
        grown.most_held = fmax(grown.most_held, held / row.in);
        const double heading = front_heading(solver, &land, 400.0);
        grown.turns += i > 1 && fabs(heading - last) > 30.0 ? 1 : 0;
        last = heading;
    }
    grown.form = front_measure(terrain, &land, before);
    free(before);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return grown;
}

static fan grow_fan(uint64_t seed, double azimuth, double years)
{
    front_land land = front_plain();
    land.seed = seed;
    land.azimuth = azimuth;
    return grow_fan_on(land, years);
}

// The same land on cells of 30 and 60 m, with a gap of ten and of five cells; in one of fewer a
// heap grows.
static void slow_slopes_depend_little_on_cells(void** state)
{
    (void)state;
    double slope[2];
    for (int i = 0; i < 2; ++i)
    {
        front_land land = front_plain();
        land.cell = 30.0 * (1 + i);
        land.size = 96 / (1 + i);
        land.gap = 300.0;
        const fan grown = grow_fan_on(land, 24.0);
        slope[i] = grown.form.slope;
        print_message("cells of %.0f m: slope %.4f, cone %.3f, plane %.3f\n", land.cell, slope[i],
                      grown.form.cone, grown.form.plane);
        assert_true(grown.form.cone >= 0.88 && grown.form.plane <= grown.form.cone - 0.1);
    }
    assert_true(fabs(slope[1] / slope[0] - 1.0) <= 0.25);
}

static void fans_are_cones_at_two_azimuths(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 37.0};
    for (int i = 0; i < 2; ++i)
    {
        const fan grown = grow_fan(1, azimuths[i], 24.0);
        const front_measures* m = &grown.form;
        print_message("azimuth %.0f: cone %.3f, parabola %.3f, plane %.3f, slope %.4f, off %.1f, "
                      "tower %.2f, turns %d, held %.1e\n",
                      azimuths[i], m->cone, m->parabola, m->plane, m->slope, m->off, m->tower,
                      grown.turns, grown.most_held);
        assert_true(m->cone >= 0.84 && m->parabola >= 0.93 && m->plane <= m->cone - 0.2);
        assert_true(m->off <= 12.0 && m->tower <= 0.5);
        assert_true(m->slope >= 0.008 && m->slope <= 0.025);
        assert_true(grown.most_held <= 1e-3);
    }
}

typedef struct delta
{
    double radius; // [m] of half a disc of the same area
    double dry;    // share of the platform above the sea
    double front;  // slope of the steepest quarter of cells under -1 m
} delta;

static int by_size(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// Slope of the ground at a cell inside.
static double slope_at(const float* h, const front_land* land, int32_t i)
{
    const double east = (double)(h[i + 1] - h[i - 1]);
    const double south = (double)(h[i + land->size] - h[i - land->size]);
    return hypot(east, south) / (2.0 * land->cell);
}

static delta measure_delta(wadi_solver* solver, const front_land* land, const float* before)
{
    const int32_t cells = land->size * land->size;
    float* h = malloc((size_t)cells * sizeof *h);
    double* slopes = malloc((size_t)cells * sizeof *slopes);
    front_heights(wadi_solver_terrain(solver), h);
    delta d = {0};
    int32_t platform = 0;
    int32_t dry = 0;
    int32_t fronts = 0;
    for (int32_t i = land->size; i < cells - land->size; ++i)
    {
        const bool built = before[i] < -4.9f && h[i] > -4.0f;
        const bool above = built && h[i] > 0.0f;
        platform += built ? 1 : 0;
        dry += above ? 1 : 0;
        if (built && h[i] < -1.0f)
        {
            slopes[fronts++] = slope_at(h, land, i);
        }
    }
    qsort(slopes, (size_t)fronts, sizeof *slopes, by_size);
    d.front = fronts > 0 ? slopes[fronts * 3 / 4] : 0.0;
    d.radius = sqrt(platform * land->cell * land->cell * 2.0 / 3.14159265358979);
    d.dry = platform > 0 ? (double)dry / platform : 0.0;
    free(h);
    free(slopes);
    return d;
}

static delta grow_delta(double azimuth, double years)
{
    fixture f;
    fixture_open(&f, 2);
    const front_land land = {.size = 80,
                             .cell = 50.0,
                             .azimuth = azimuth,
                             .sea = 5.0,
                             .gap = 250.0,
                             .back = 500.0,
                             .seed = 1};
    wadi_terrain* terrain = front_terrain(&f, &land);
    const size_t cells = (size_t)land.size * (size_t)land.size;
    float* before = malloc(cells * sizeof *before);
    front_heights(terrain, before);
    const wadi_hydraulic_params params = delta_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    double row[6];
    const double mean = 1000.0 * params.flood_days / 365.25;
    front_inflow(&land, mean, 0.001 * mean * 31557600.0, row);
    CHECK_OK(f.context, wadi_solver_set_table(solver, "inflow", row, 1));
    fixture_live(solver, years);
    const delta d = measure_delta(solver, &land, before);
    free(before);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return d;
}

// The radius is the same along an axis of the grid and along a diagonal.
static void deltas_have_platforms_and_fronts(void** state)
{
    (void)state;
    delta d[2];
    for (int i = 0; i < 2; ++i)
    {
        d[i] = grow_delta(45.0 * i, 3.0);
        print_message("azimuth %d: radius %.0f m, dry %.2f, front %.3f\n", 45 * i, d[i].radius,
                      d[i].dry, d[i].front);
        assert_true(d[i].front > 0.02 && d[i].front < 0.3);
        assert_true(d[i].radius > 600.0);
    }
    assert_true(fabs(d[1].radius / d[0].radius - 1.0) < 0.10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fans_are_cones_at_two_azimuths),
        cmocka_unit_test(slow_slopes_depend_little_on_cells),
        cmocka_unit_test(deltas_have_platforms_and_fronts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
