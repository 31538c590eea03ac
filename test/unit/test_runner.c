// SPDX-License-Identifier: MIT
// The runner: dam breaks against the analytic solution, azimuths, heaps at rest, positive depths,
// books, voids and edges.
#include "support/fixture.h"

#include "processes/landslide/runner.h"

#include <math.h>

static const double degree = 0.017453292519943295;
static const double gravity = 9.81;

static runner_law dry_law(double friction)
{
    return (runner_law){
        .drained = friction, .density = 1900.0, .thinnest = 0.001, .lake = 1.0, .arrival = 0.1};
}

// A plane that falls by `tangent` in the direction `azimuth`, clockwise from north.
static wadi_terrain* plane_of(fixture* f, int32_t width, int32_t height, double cell,
                              double tangent, double azimuth, wadi_edge along, wadi_edge across)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = cell;
    def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST] = along;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = across;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* z = test_calloc((size_t)width * (size_t)height, sizeof *z);
    for (int32_t i = 0; i < width * height; ++i)
    {
        const double x = (i % width - 0.5 * width) * cell;
        const double y = (0.5 * height - i / width) * cell;
        z[i] = (float)(2000.0 - tangent * (x * sin(azimuth * degree) + y * cos(azimuth * degree)));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, z, width));
    test_free(z);
    return terrain;
}

static runner* runner_on(const wadi_terrain* terrain, const runner_law* law)
{
    runner* r;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_runner_create(wadi_terrain_context(terrain), wadi_terrain_ground_const(terrain),
                                law, &r));
    return r;
}

// ---- dam breaks ---------------------------------------------------------------------------------

// Depth normal to the slope (Mangeney et al. 2000) at a place along it.
static double dam_depth(double x, double t, double h0, double slope, double friction)
{
    const double gc = gravity * cos(slope);
    const double push = gravity * (sin(slope) - cos(slope) * tan(friction));
    const double wave = sqrt(gc * h0);
    const double way = x - 0.5 * push * t * t;
    if (way < -wave * t)
    {
        return h0;
    }
    const double root = 2.0 * wave - way / t;
    return way > 2.0 * wave * t ? 0.0 : root * root / (9.0 * gc);
}

static double dam_error(double slope, double friction, double seconds)
{
    enum
    {
        WIDTH = 400,
        DAM = 200
    };
    fixture f;
    fixture_open(&f, 1);
    const double cell = 5.0;
    const double h0 = 20.0;
    wadi_terrain* terrain =
        plane_of(&f, WIDTH, 4, cell, tan(slope * degree), 90.0, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC);
    const runner_law law = dry_law(tan(friction * degree));
    runner* r = runner_on(terrain, &law);
    const double cosine = cos(slope * degree);
    for (int32_t i = 0; i < 4 * WIDTH; ++i)
    {
        if (i % WIDTH < DAM)
        {
            wadi_runner_pour(r, i, (int32_t)(h0 / cosine * WADI_UNITS_PER_METRE),
                             tan(friction * degree));
        }
    }
    while (r->time < seconds)
    {
        wadi_runner_step(r);
    }
    double apart = 0.0;
    double sum = 0.0;
    double front = 0.0;
    for (int32_t x = 0; x < WIDTH; ++x)
    {
        const double way = (x + 0.5 - DAM) * cell / cosine;
        const double exact = dam_depth(way, r->time, h0, slope * degree, friction * degree);
        const double depth =
            (double)r->planes.mass[wadi_runner_at(r, x)] / WADI_UNITS_PER_METRE * cosine;
        const bool fan = fabs(way) < 500.0;
        apart += fan ? fabs(depth - exact) : 0.0;
        sum += fan ? exact : 0.0;
        front = depth >= 0.05 * h0 ? way : front;
    }
    const double push = gravity * (sin(slope * degree) - cosine * tan(friction * degree));
    const double wave = sqrt(gravity * cosine * h0);
    const double toe = (2.0 - 3.0 * sqrt(0.05)) * wave * r->time + 0.5 * push * r->time * r->time;
    print_message("slope %g, friction %g: L1 %.2f %%, front %.1f %% of %.0f m\n", slope, friction,
                  100.0 * apart / sum, 100.0 * front / toe, toe);
    wadi_runner_destroy(r);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    assert_true(front > 0.93 * toe && front < 1.03 * toe);
    return apart / sum;
}

// L1 of the depth over 1000 m around the dam, where the analytic depth is not 0 or not the first
// one on 400 to 700 m.
static void dams_break_as_the_analytic_solution(void** state)
{
    (void)state;
    assert_true(dam_error(0.0, 0.0, 10.0) < 0.03);
    assert_true(dam_error(20.0, 0.0, 8.0) < 0.03);
    assert_true(dam_error(30.0, 25.0, 10.0) < 0.03);
    assert_true(dam_error(45.0, 30.0, 8.0) < 0.03);
}

// ---- azimuths -----------------------------------------------------------------------------------

typedef struct way
{
    double along; // over that of a block
    double aside;
} way;

// Way of the centre of a round heap on a plane.
static way heap_way(double azimuth, double slope, double friction, double seconds)
{
    enum
    {
        SIDE = 200
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = plane_of(&f, SIDE, SIDE, 5.0, tan(slope * degree), azimuth,
                                     WADI_EDGE_CLOSED, WADI_EDGE_CLOSED);
    const runner_law law = dry_law(tan(friction * degree));
    runner* r = runner_on(terrain, &law);
    double middle[2][3] = {{0.0}};
    for (int32_t turn = 0; turn < 2; ++turn)
    {
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const double x = (i % SIDE + 0.5 - 0.5 * SIDE) * 5.0;
            const double y = (0.5 * SIDE - i / SIDE - 0.5) * 5.0;
            const double far = sqrt(x * x + y * y) / 60.0;
            if (turn == 0 && far < 1.0)
            {
                wadi_runner_pour(r, i, (int32_t)(5.0 * (1.0 - far * far) * WADI_UNITS_PER_METRE),
                                 tan(friction * degree));
            }
            const double mass = r->planes.mass[wadi_runner_at(r, i)];
            middle[turn][0] += mass;
            middle[turn][1] += mass * (x * sin(azimuth * degree) + y * cos(azimuth * degree));
            middle[turn][2] += mass * (x * cos(azimuth * degree) - y * sin(azimuth * degree));
        }
        while (turn == 0 && r->time < seconds)
        {
            wadi_runner_step(r);
        }
    }
    way w = {(middle[1][1] - middle[0][1]) / middle[0][0],
             (middle[1][2] - middle[0][2]) / middle[0][0]};
    const double push =
        gravity * (sin(slope * degree) - cos(slope * degree) * tan(friction * degree));
    const double exact = 0.5 * push * r->time * r->time * cos(slope * degree);
    print_message("azimuth %g, slope %g: %.2f m along (%.2f), %.2f aside\n", azimuth, slope,
                  w.along, exact, w.aside);
    assert_true(middle[1][0] == middle[0][0]);
    assert_true(fabs(w.along / exact - 1.0) < 0.04);
    w.along /= exact;
    w.aside /= exact;
    wadi_runner_destroy(r);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return w;
}

static void heaps_slide_alike_in_all_directions(void** state)
{
    (void)state;
    const way east = heap_way(90.0, 35.0, 15.0, 9.0);
    const double azimuths[] = {0.0, 23.0, 37.0, 45.0, 200.0, 315.0};
    for (int32_t k = 0; k < WADI_COUNT(azimuths); ++k)
    {
        const way w = heap_way(azimuths[k], 35.0, 15.0, 9.0);
        assert_true(fabs(w.along / east.along - 1.0) < 0.01);
        assert_true(fabs(w.aside) < 0.01);
    }
}

// ---- rest ---------------------------------------------------------------------------------------

static uint64_t masses(const runner* r)
{
    uint64_t hash = 0;
    for (int64_t c = 0; c < (int64_t)r->width * r->height; ++c)
    {
        hash = hash * 1099511628211u + (uint64_t)r->planes.mass[wadi_runner_at(r, c)];
    }
    return hash;
}

// A cone of slope `cone` on a plane; returns the steepest slope between two cells at rest.
static double cone_at_rest(double tangent, double cone, double friction, bool stands)
{
    enum
    {
        SIDE = 60
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain =
        plane_of(&f, SIDE, SIDE, 2.0, tangent, 37.0, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED);
    const runner_law law = dry_law(friction);
    runner* r = runner_on(terrain, &law);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double x = 2.0 * (i % SIDE - 30);
        const double y = 2.0 * (i / SIDE - 30);
        const double high = 8.0 - cone * sqrt(x * x + y * y);
        wadi_runner_pour(r, i, high > 0.0 ? (int32_t)(high * WADI_UNITS_PER_METRE) : 0, friction);
    }
    const int64_t holds = wadi_runner_holds(r);
    const uint64_t before = masses(r);
    do
    {
        wadi_runner_step(r);
    } while (!r->rests && r->time < 200.0);
    assert_true(r->rests);
    assert_true(wadi_runner_holds(r) == holds);
    assert_true((masses(r) == before) == stands);
    double steepest = 0.0;
    for (int32_t i = 0; i + 1 < SIDE * SIDE; ++i)
    {
        const ptrdiff_t at = wadi_runner_at(r, i);
        const int32_t here = r->planes.mass[at] + r->planes.bed[at];
        const int32_t next = r->planes.mass[at + 1] + r->planes.bed[at + 1];
        const double slope = fabs((double)(next - here)) / WADI_UNITS_PER_METRE / 2.0;
        steepest = i % SIDE + 1 < SIDE && slope > steepest ? slope : steepest;
    }
    wadi_runner_destroy(r);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return steepest;
}

static void heaps_stand_to_the_unit(void** state)
{
    (void)state;
    (void)cone_at_rest(0.0, 0.4, 0.5, true);
    (void)cone_at_rest(0.17, 0.2, 0.5, true);
    const double rests = cone_at_rest(0.0, 0.8, 0.5, false);
    print_message("a cone of 0.8 with friction 0.5 comes to rest at %.3f\n", rests);
    assert_true(rests < 0.5);
}

// ---- books, edges, water ------------------------------------------------------------------------

// Nothing lies beyond the margins, and states of it can be read.
static void check_planes(const runner* r)
{
    int64_t all = 0;
    for (ptrdiff_t i = 0; i < r->size; ++i)
    {
        assert_true(r->planes.mass[i] >= 0);
        const ptrdiff_t column = i % r->planes.stride - r->origin % r->planes.stride;
        const ptrdiff_t row = i / r->planes.stride - r->origin / r->planes.stride;
        const bool margin = column >= -1 && column <= r->width && row >= -1 && row <= r->height;
        all += margin ? 0 : r->planes.mass[i];
    }
    assert_true(all == 0);
}

// Rough ground with voids: no depth is below 0, and what leaves is counted.
static void no_unit_is_lost(void** state)
{
    (void)state;
    const wadi_edge edges[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int32_t k = 0; k < WADI_COUNT(edges); ++k)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = plane_of(&f, 61, 47, 3.0, 0.6, 25.0, edges[k], edges[k]);
        fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 3.0, 5);
        if (edges[k] == WADI_EDGE_OPEN)
        {
            fixture_holes(terrain);
        }
        runner_law law = dry_law(0.6);
        law.bed_depth = 0.1;
        law.bed_rate = 0.05;
        law.turbulence = 300.0;
        runner* r = runner_on(terrain, &law);
        const wadi_ground* ground = wadi_terrain_ground_const(terrain);
        for (int64_t c = 0; c < ground->cells; c += 3)
        {
            wadi_runner_release(r, c, ground->valid[c] != 0 ? ground->loose[0][c] : 0, 0.3);
        }
        while (!r->rests && r->time < 60.0)
        {
            wadi_runner_step(r);
        }
        check_planes(r);
        int64_t sum = 0;
        for (int64_t c = 0; c < ground->cells; ++c)
        {
            const ptrdiff_t i = wadi_runner_at(r, c);
            assert_true(r->planes.mass[i] >= 0 && r->planes.soil[i] >= 0);
            const bool valid = ground->valid[c] != 0;
            assert_true(valid || r->planes.mass[i] == 0);
            sum +=
                valid ? r->planes.mass[i] + r->planes.bed[i] - wadi_ground_surface(ground, c) : 0;
        }
        int64_t left = 0;
        for (int32_t t = 0; t < r->columns * r->rows; ++t)
        {
            for (int32_t side = 0; side < WADI_SIDE_COUNT; ++side)
            {
                left += r->left[t][side];
            }
        }
        assert_true(sum + left == 0);
        assert_true((left > 0) == (edges[k] == WADI_EDGE_OPEN));
        wadi_runner_destroy(r);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// A flow into a lake stops at its shore until it reaches above the water; without water it runs on.
static void lakes_stop_flows(void** state)
{
    (void)state;
    double reach[2];
    for (int32_t wet = 0; wet < 2; ++wet)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain =
            plane_of(&f, 120, 8, 5.0, 0.3, 90.0, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC);
        float water[120 * 8];
        for (int32_t i = 0; i < 120 * 8; ++i)
        {
            water[i] = wet != 0 && i % 120 > 60 ? 1.5f * (float)(i % 120 - 60) : 0.0f;
        }
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_WATER, water, 120));
        const runner_law law = dry_law(0.2);
        runner* r = runner_on(terrain, &law);
        for (int32_t i = 0; i < 120 * 8; ++i)
        {
            wadi_runner_pour(r, i, i % 120 < 20 ? 2 * WADI_UNITS_PER_METRE : 0, 0.2);
        }
        while (!r->rests && r->time < 120.0)
        {
            wadi_runner_step(r);
        }
        reach[wet] = 0.0;
        for (int32_t x = 0; x < 120; ++x)
        {
            reach[wet] = r->planes.mass[wadi_runner_at(r, x)] > 0 ? 5.0 * x : reach[wet];
        }
        wadi_runner_destroy(r);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    print_message("reach %.0f m, with a lake from 300 m on %.0f m\n", reach[0], reach[1]);
    assert_true(reach[0] > 500.0);
    assert_true(reach[1] >= 300.0 && reach[1] < 350.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dams_break_as_the_analytic_solution),
        cmocka_unit_test(heaps_slide_alike_in_all_directions),
        cmocka_unit_test(heaps_stand_to_the_unit),
        cmocka_unit_test(no_unit_is_lost),
        cmocka_unit_test(lakes_stop_flows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
