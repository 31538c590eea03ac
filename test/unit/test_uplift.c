// SPDX-License-Identifier: MIT
// Uplift: closed forms of every part, exact sums over any steps, layers that ride along, rims,
// books.
#include "support/fixture.h"

#include "processes/uplift/uplift_rate.h"
#include "terrain/ground.h"

enum
{
    WIDTH = 40,
    HEIGHT = 30 // cells of 10 m
};

typedef struct uplift_world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    wadi_uplift_params params;
} uplift_world;

static void world_open(uplift_world* w, wadi_edge edge)
{
    fixture_open(&w->f, 2);
    w->terrain = fixture_plain(&w->f, WIDTH, HEIGHT, 10.0, edge);
    w->params = wadi_uplift_params_default();
    w->solver = NULL;
}

static void world_start(uplift_world* w)
{
    CHECK_OK(w->f.context,
             wadi_solver_create(w->terrain, &wadi_uplift_process, &w->params, 0, &w->solver));
}

static void world_run(uplift_world* w, double years)
{
    fixture_live(w->solver, years);
}

static void world_close(uplift_world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static double metres(const uplift_world* w, int32_t x, int32_t y)
{
    return fixture_metres(w->terrain, WADI_LAYER_SURFACE, x, y);
}

#define UNIT (1.0 / WADI_UNITS_PER_METRE)

// The default rate lifts all land, keeps the rim, and sinks it when negative; the books name it.
static void land_rises_and_sinks_by_its_rate(void** state)
{
    (void)state;
    for (int down = 0; down < 2; ++down)
    {
        uplift_world w;
        world_open(&w, WADI_EDGE_OPEN);
        w.params.rate = down ? -2.0 : 2.0;
        world_start(&w);
        world_run(&w, 12345.6);
        CHECK_NEAR(metres(&w, 7, 9), w.params.rate * 12.3456, UNIT);
        assert_true(metres(&w, 0, 9) == 0.0 && metres(&w, WIDTH - 1, 9) == 0.0);
        assert_true(metres(&w, 9, 0) == 0.0 && metres(&w, 9, HEIGHT - 1) == 0.0);
        wadi_ledger_row rows[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger(w.terrain, rows, WADI_MAX_MATERIALS);
        const double volume = 2.0 * 12.3456 * (WIDTH - 2) * (HEIGHT - 2) * 100.0;
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].in, down ? 0.0 : volume, 2.0);
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].lost, down ? volume : 0.0, 2.0);
        world_close(&w);
    }
}

static void the_rim_is_where_matter_leaves(void** state)
{
    (void)state;
    for (int rim = 0; rim < WADI_UPLIFT_RIM_COUNT; ++rim)
    {
        uplift_world w;
        world_open(&w, WADI_EDGE_CLOSED);
        static uint8_t valid[WIDTH * HEIGHT];
        memset(valid, 1, sizeof valid);
        valid[10 * WIDTH + 20] = 0;
        CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, WIDTH));
        w.params.rate = 1.0;
        w.params.rim = rim;
        world_start(&w);
        world_run(&w, 5000.0);
        CHECK_NEAR(metres(&w, 0, 0), 5.0, UNIT); // a closed edge is no rim
        CHECK_NEAR(metres(&w, 19, 10), rim == WADI_UPLIFT_RIM_FIXED ? 0.0 : 5.0, UNIT);
        CHECK_NEAR(metres(&w, 20, 11), rim == WADI_UPLIFT_RIM_FIXED ? 0.0 : 5.0, UNIT);
        CHECK_NEAR(metres(&w, 19, 11), 5.0, UNIT);
        world_close(&w);
    }
}

// All that lies on the rock keeps its thickness, and beds rise with it.
static void what_lies_on_rock_rides_along(void** state)
{
    (void)state;
    uplift_world w;
    world_open(&w, WADI_EDGE_CLOSED);
    fixture_noise(w.terrain, WADI_LAYER_SEDIMENT, 0.0, 3.0, 4);
    fixture_noise(w.terrain, WADI_LAYER_WATER, 0.0, 2.0, 5);
    static const wadi_stratum beds[] = {{5.0, 0.25}, {1.0, 0.75}};
    CHECK_OK(w.f.context, wadi_terrain_set_strata(w.terrain, beds, 2, NULL, 0));
    static const wadi_layer layers[] = {WADI_LAYER_SEDIMENT, WADI_LAYER_WATER, WADI_LAYER_HARDNESS};
    int32_t before[3];
    for (int i = 0; i < 3; ++i)
    {
        before[i] = wadi_terrain_units(w.terrain, layers[i], 11, 12);
    }
    world_start(&w);
    world_run(&w, 1e5);
    for (int i = 0; i < 3; ++i)
    {
        assert_int_equal(wadi_terrain_units(w.terrain, layers[i], 11, 12), before[i]);
    }
    wadi_ground* ground = wadi_terrain_ground(w.terrain);
    assert_int_equal(ground->strata->top[12 * WIDTH + 11], ground->bedrock[12 * WIDTH + 11]);
    CHECK_NEAR((double)ground->bedrock[12 * WIDTH + 11] * UNIT, 50.0, UNIT);
    world_close(&w);
}

// The height at a time does not depend on the steps up to it, to the last unit.
static void any_steps_give_one_height(void** state)
{
    (void)state;
    uint64_t first = 0;
    static const double steps[] = {1000.0, 37.0, 40000.0};
    for (int i = 0; i < 3; ++i)
    {
        uplift_world w;
        world_open(&w, WADI_EDGE_OPEN);
        w.params.rate = 0.377;
        w.params.tilt = 0.61;
        w.params.noise = 0.3;
        w.params.noise_wavelength = 90.0;
        w.params.max_step = steps[i];
        world_start(&w);
        world_run(&w, 20000.0);
        world_run(&w, 20000.0);
        const uint64_t hash = wadi_terrain_hash(w.terrain);
        first = i == 0 ? hash : first;
        assert_true(hash == first);
        world_close(&w);
    }
}

// A dome alone, around the middle of cell (20, 14).
static void world_open_dome(uplift_world* w, double azimuth)
{
    world_open(w, WADI_EDGE_CLOSED);
    w->params.rate = 0.0;
    w->params.dome_rate = 4.0;
    w->params.dome_x = 205.0;
    w->params.dome_y = 155.0;
    w->params.dome_length = 100.0;
    w->params.dome_width = 50.0;
    w->params.dome_azimuth = azimuth;
    world_start(w);
}

static void a_dome_is_an_ellipse(void** state)
{
    (void)state;
    uplift_world w;
    world_open_dome(&w, 90.0);
    static const double more[] = {205.0, 155.0, 30.0, 30.0, 0.0, -1.0};
    CHECK_OK(w.f.context, wadi_solver_set_table(w.solver, "domes", more, 1));
    world_run(&w, 1e4);
    CHECK_NEAR(metres(&w, 20, 14), 30.0, 2 * UNIT);
    CHECK_NEAR(metres(&w, 25, 14), 40.0 * 0.75 * 0.75, 2 * UNIT); // half of the length east
    CHECK_NEAR(metres(&w, 20, 9), 0.0, UNIT);                     // the width north
    CHECK_NEAR(metres(&w, 20, 10), 40.0 * 0.36 * 0.36, 2 * UNIT);
    CHECK_NEAR(metres(&w, 30, 14), 0.0, UNIT);
    world_close(&w);
}

// The axis of a dome points to its azimuth, clockwise from north.
static void a_dome_has_an_azimuth(void** state)
{
    (void)state;
    uplift_world w;
    world_open_dome(&w, 45.0);
    world_run(&w, 1e4);
    // 1800 m2 is the square of the distance of both
    CHECK_NEAR(metres(&w, 23, 11), 40.0 * 0.82 * 0.82, 2 * UNIT); // north-east, along the axis
    CHECK_NEAR(metres(&w, 23, 17), 40.0 * 0.28 * 0.28, 2 * UNIT); // south-east, across it
    world_close(&w);
}

// Mean step of the height from one column to another.
static double step_between(const uplift_world* w, int32_t a, int32_t b)
{
    double sum = 0.0;
    for (int32_t y = 0; y < HEIGHT; ++y)
    {
        sum += fabs(metres(w, a, y) - metres(w, b, y)) / HEIGHT;
    }
    return sum;
}

// Over periodic edges noise is as smooth at the seam as elsewhere.
static void noise_has_no_seam(void** state)
{
    (void)state;
    uplift_world w;
    world_open(&w, WADI_EDGE_PERIODIC);
    w.params.rate = 1.0;
    w.params.noise = 0.5;
    w.params.noise_wavelength = 100.0;
    world_start(&w);
    world_run(&w, 1e5);
    double inside = 0.0;
    for (int32_t x = 0; x + 1 < WIDTH; ++x)
    {
        inside += step_between(&w, x, x + 1) / (WIDTH - 1);
    }
    const double seam = step_between(&w, WIDTH - 1, 0);
    print_message("step at the seam over that inside: %.2f\n", seam / inside);
    assert_true(inside > 0.1);
    assert_true(seam < 1.5 * inside);
    world_close(&w);
}

// Over periodic edges a dome goes on, and the noise has no seam.
static void periodic_edges_have_no_seam(void** state)
{
    (void)state;
    uplift_world w;
    world_open(&w, WADI_EDGE_PERIODIC);
    w.params.rate = 1.0;
    w.params.noise = 0.5;
    w.params.noise_wavelength = 100.0;
    w.params.dome_rate = 1.0;
    w.params.dome_length = w.params.dome_width = 100.0;
    world_start(&w);
    world_run(&w, 1e4);
    CHECK_NEAR(metres(&w, 0, 7), metres(&w, WIDTH - 1, 7), 1.5);
    double most = 0.0;
    for (int32_t x = 0; x + 1 < WIDTH; ++x)
    {
        most = fmax(most, fabs(metres(&w, x, 7) - metres(&w, x + 1, 7)));
    }
    assert_true(fabs(metres(&w, 0, 7) - metres(&w, WIDTH - 1, 7)) < 1.5 * most);
    assert_true(most > 0.1);
    wadi_solver* solver;
    w.params.tilt = 1.0;
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "tilt",
                wadi_solver_create(w.terrain, &wadi_uplift_process, &w.params, 1, &solver));
    world_close(&w);
}

static void tilted_land_turns_about_its_axis(void** state)
{
    (void)state;
    uplift_world w;
    world_open(&w, WADI_EDGE_CLOSED);
    w.params.rate = 0.0;
    w.params.tilt = 10.0; // 0.01 mm/yr for each metre
    w.params.tilt_azimuth = 90.0;
    w.params.tilt_offset = -45.0; // the axis is at x = 155 m
    world_start(&w);
    world_run(&w, 1e5);
    CHECK_NEAR(metres(&w, 15, 3), 0.0, UNIT);
    CHECK_NEAR(metres(&w, 25, 20), 100.0, 2 * UNIT);
    CHECK_NEAR(metres(&w, 5, 20), -100.0, 2 * UNIT);
    world_close(&w);
}

// A trace from south to north with a corner; rates of the sides, their fade and the zone between.
static void faults_move_their_sides(void** state)
{
    (void)state;
    const uplift_corner trace[] = {{1, 100, 0, -1, 2, 20, 0, 50},
                                   {1, 100, 100, -1, 2, 20, 0, 50},
                                   {1, 200, 200, 0, 4, 20, 0, 50}};
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 60.0, 50.0), -1.0, 1e-12);
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 125.0, 50.0), 1.0, 1e-12); // half of its reach
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 160.0, 50.0), 0.0, 1e-12);
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 100.0, 50.0), 0.5, 1e-12); // on the trace: the mean
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 90.0, 50.0), -1.0, 1e-12); // edge of the zone
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 109.999, 50.0), 1.6, 1e-3);
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 60.0, -500.0), -1.0, 1e-12); // goes on for ever
    // halfway up the second segment, 20 m to its right
    const double h = 20.0 / sqrt(2.0);
    CHECK_NEAR(wadi_uplift_of_faults(trace, 3, 150.0 + h, 150.0 - h), 3.0 * 0.6, 1e-12);
    // around the corner the side does not jump: the outside is left all the way
    for (double angle = 0.55; angle < 0.95; angle += 0.01)
    {
        const double a = angle * 3.14159265358979;
        const double rate =
            wadi_uplift_of_faults(trace, 3, 100.0 + 30.0 * cos(a), 100.0 + 30.0 * sin(a));
        assert_true(rate <= -0.7 && rate >= -1.0);
    }
    // a trace that turns back: all around its tip is left of it
    const uplift_corner back[] = {
        {1, 100, 0, -1, 2, 20, 0, 0}, {1, 100, 100, -1, 2, 20, 0, 0}, {1, 150, 0, -1, 2, 20, 0, 0}};
    for (double angle = 0.2; angle < 0.98; angle += 0.02)
    {
        const double a = angle * 3.14159265358979;
        CHECK_NEAR(wadi_uplift_of_faults(back, 3, 100.0 + 30.0 * cos(a), 100.0 + 30.0 * sin(a)),
                   -1.0, 1e-12);
    }
    // several add up; a lone point is nothing
    const uplift_corner two[] = {{1, 0, 0, 1, 2, 0, 0, 0},
                                 {1, 0, 10, 1, 2, 0, 0, 0},
                                 {2, 5, 0, 4, 8, 0, 0, 0},
                                 {2, 5, 10, 4, 8, 0, 0, 0},
                                 {3, 7, 0, 9, 9, 0, 0, 0}};
    CHECK_NEAR(wadi_uplift_of_faults(two, 5, -1.0, 5.0), 5.0, 1e-12);
    CHECK_NEAR(wadi_uplift_of_faults(two, 5, 2.0, 5.0), 6.0, 1e-12);
    CHECK_NEAR(wadi_uplift_of_faults(two, 5, 9.0, 5.0), 10.0, 1e-12);
}

static void maps_and_tables_are_read(void** state)
{
    (void)state;
    uplift_world w;
    world_open(&w, WADI_EDGE_OPEN);
    static float map[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        map[i] = i % WIDTH < 20 ? 1.0f : -3.0f;
    }
    world_start(&w);
    CHECK_OK(w.f.context, wadi_solver_set_map(w.solver, "rate", map));
    // the base level falls 40 m between the years 1000 and 3000
    static const double base[] = {0.0, 7.0, 1000.0, 7.0, 3000.0, -33.0};
    CHECK_OK(w.f.context, wadi_solver_set_table(w.solver, "base_level", base, 3));
    world_run(&w, 2000.0);
    CHECK_NEAR(metres(&w, 5, 5), 2.0, UNIT);
    CHECK_NEAR(metres(&w, 30, 5), -6.0, UNIT);
    CHECK_NEAR(metres(&w, 0, 5), -20.0, UNIT);
    world_run(&w, 8000.0);
    CHECK_NEAR(metres(&w, 0, 5), -40.0, UNIT);
    static float out[WIDTH * HEIGHT];
    CHECK_OK(w.f.context, wadi_solver_map(w.solver, "rise", out));
    CHECK_NEAR((double)out[5 * WIDTH + 5], 10.0, 1e-4);
    CHECK_OK(w.f.context, wadi_solver_map(w.solver, "speed", out));
    CHECK_NEAR((double)out[5 * WIDTH + 30], -3.0, 1e-6);

    map[3] = 101.0f;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "column 3",
                wadi_solver_set_map(w.solver, "rate", map));
    static const double back[] = {5.0, 0.0, 5.0, 1.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "row 2",
                wadi_solver_set_table(w.solver, "base_level", back, 2));
    static const double lone[] = {1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "fault 1",
                wadi_solver_set_table(w.solver, "faults", lone, 1));
    const double still[16] = {1, 10, 10, 1, -1, 0, 0, 0, 1, 10, 10, 1, -1, 0, 0, 0};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "all points of fault 1",
                wadi_solver_set_table(w.solver, "faults", still, 2));
    world_close(&w);
}

// Land stops at the limits of heights, and the books still close.
// Cells rise side by side where all of a row of 32 have room, and one by one elsewhere: by the same
// amount, in the books too.
static void high_and_low_cells_rise_alike(void** state)
{
    (void)state;
    static float before[WIDTH * HEIGHT];
    static const float levels[] = {-16384.0f, -3.5f, 200.0f, 16128.0f, 20480.0f};
    for (int down = 0; down < 2; ++down)
    {
        uplift_world w;
        world_open(&w, WADI_EDGE_CLOSED);
        for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
        {
            // rows of low land, and rows in which one cell is high or deep
            before[i] = i / WIDTH % 2 == 0 ? 200.0f : levels[i % 5];
        }
        CHECK_OK(w.f.context, wadi_terrain_set_layer(w.terrain, WADI_LAYER_BEDROCK, before, WIDTH));
        w.params.rate = down ? -1.0 : 1.0;
        world_start(&w);
        for (int32_t step = 0; step < 8; ++step)
        {
            // to the unit, wherever the years end
            world_run(&w, 2500.0 + (step < 4 ? 1.3 : -1.3) * (step % 4 + 1));
            const double first = metres(&w, 0, 0) - (double)before[0];
            for (int32_t i = 1; i < WIDTH * HEIGHT; ++i)
            {
                CHECK_NEAR(metres(&w, i % WIDTH, i / WIDTH) - (double)before[i], first, 0.0);
            }
        }
        CHECK_NEAR(metres(&w, 9, 9) - (double)before[9 * WIDTH + 9], down ? -20.0 : 20.0,
                   2.0 * UNIT);
        wadi_ledger_row rows[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger(w.terrain, rows, WADI_MAX_MATERIALS);
        const double volume = 20.0 * WIDTH * HEIGHT * 100.0;
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].in, down ? 0.0 : volume, 10.0);
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].lost, down ? volume : 0.0, 10.0);
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].residual, 0.0, 0.0);
        world_close(&w);
    }
}

// Rises of a step that are too large for the sums of cells side by side go one by one, and are
// booked in full.
static void rises_of_kilometres_are_booked(void** state)
{
    (void)state;
    for (int down = 0; down < 2; ++down)
    {
        uplift_world w;
        world_open(&w, WADI_EDGE_CLOSED);
        w.params.rate = down ? -75.0 : 75.0;
        w.params.max_step = 2e4;
        world_start(&w);
        const double before = metres(&w, 9, 9);
        world_run(&w, 2e4);
        CHECK_NEAR(metres(&w, 9, 9) - before, down ? -1500.0 : 1500.0, UNIT);
        wadi_ledger_row rows[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger(w.terrain, rows, WADI_MAX_MATERIALS);
        const double volume = 1500.0 * WIDTH * HEIGHT * 100.0;
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].in, down ? 0.0 : volume, 10.0);
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].lost, down ? volume : 0.0, 10.0);
        CHECK_NEAR(rows[WADI_MATERIAL_ROCK].residual, 0.0, 0.0);
        world_close(&w);
    }
}

static void land_stops_at_the_limit(void** state)
{
    (void)state;
    uplift_world w;
    world_open(&w, WADI_EDGE_CLOSED);
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_BEDROCK, 32700.0));
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_WATER, 10.0));
    w.params.rate = 100.0;
    world_start(&w);
    world_run(&w, 1e4);
    CHECK_NEAR(metres(&w, 5, 5), WADI_HEIGHT_LIMIT - 10.0, UNIT);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(land_rises_and_sinks_by_its_rate),
        cmocka_unit_test(the_rim_is_where_matter_leaves),
        cmocka_unit_test(what_lies_on_rock_rides_along),
        cmocka_unit_test(any_steps_give_one_height),
        cmocka_unit_test(a_dome_is_an_ellipse),
        cmocka_unit_test(a_dome_has_an_azimuth),
        cmocka_unit_test(noise_has_no_seam),
        cmocka_unit_test(periodic_edges_have_no_seam),
        cmocka_unit_test(tilted_land_turns_about_its_axis),
        cmocka_unit_test(faults_move_their_sides),
        cmocka_unit_test(maps_and_tables_are_read),
        cmocka_unit_test(high_and_low_cells_rise_alike),
        cmocka_unit_test(rises_of_kilometres_are_booked),
        cmocka_unit_test(land_stops_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
