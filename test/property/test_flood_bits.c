// SPDX-License-Identifier: MIT
// Model "inertial" of process flood: the same bits for any threads, calls and after a restart;
// mirrored and turned ground; edges, voids and real ground; the kernels of all instruction sets;
// tables and maps.
#include "support/surge.h"

#include "processes/flood/inertial.h"
#include "terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double hour = 3600.0 / 31557600.0; // [yr]

enum
{
    SIDE = 60
};

// ---- bits ---------------------------------------------------------------------------------------

static wadi_flood_params pouring(void)
{
    wadi_flood_params params = wadi_flood_params_default();
    params.model = WADI_FLOOD_INERTIAL;
    params.discharge = 200.0;
    params.from_x = params.to_x = 300.0;
    params.from_y = params.to_y = 470.0;
    return params;
}

static wadi_solver* pour_on(wadi_terrain* terrain, const wadi_flood_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_flood_process, params, 0, &solver));
    return solver;
}

static wadi_solver* make_cut(fixture* f)
{
    wadi_flood_params params = pouring();
    params.step = 60.0 / 31557600.0;
    params.rain = 40.0;
    params.rain_duration = 0.02;
    return surge_on_rough(f, &params);
}

// Steps of the water are neither whole seconds nor end with those of the process.
static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    fixture_check_cuts(make_cut, 0.2 * hour);
}

// The length of the process's step, by which outputs and other processes cut time, changes no depth
// and no map.
static void steps_of_the_process_change_no_depth(void** state)
{
    (void)state;
    static const int cuts[] = {1, 7, 50};
    uint64_t ground = 0;
    float maps[3][SIDE * SIDE];
    for (int i = 0; i < 3; ++i)
    {
        fixture f;
        fixture_open(&f, 1 + i);
        wadi_terrain* terrain = fixture_rough(&f, SIDE, SIDE, 5);
        const wadi_flood_params params = pouring();
        wadi_solver* solver = pour_on(terrain, &params);
        for (int k = 0; k < cuts[i]; ++k)
        {
            fixture_live(solver, 0.2 * hour / cuts[i]);
        }
        ground = i == 0 ? wadi_terrain_hash(terrain) : ground;
        assert_true(ground == wadi_terrain_hash(terrain));
        CHECK_OK(f.context, wadi_solver_map(solver, "hazard", maps[i]));
        assert_memory_equal(maps[i], maps[0], sizeof maps[i]);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static double cells_computed(const surge* s)
{
    wadi_work rows[8];
    const int32_t count = wadi_solver_work(s->solver, rows, 8);
    double cells = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        cells = strcmp(rows[i].name, "cell_steps") == 0 ? rows[i].count : cells;
    }
    return cells;
}

// ---- symmetry -----------------------------------------------------------------------------------

// The eight ways to turn and mirror a square.
static void turned(int32_t way, double size, double* x, double* y)
{
    *x = (way & 1) != 0 ? size - *x : *x;
    *y = (way & 2) != 0 ? size - *y : *y;
    if ((way & 4) != 0)
    {
        const double swap = *x;
        *x = *y;
        *y = swap;
    }
}

static double turned_ground(double x, double y, const void* shape)
{
    turned(*(const int32_t*)shape, SIDE * 10.0, &x, &y);
    return surge_hills(x, y, NULL);
}

static void turned_and_mirrored_ground_has_the_same_bits(void** state)
{
    (void)state;
    static double depth[8][SIDE * SIDE];
    for (int32_t way = 0; way < 8; ++way)
    {
        surge s;
        surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_OPEN, turned_ground, &way);
        double x = 405.0;
        double y = 215.0;
        // the inverse: swap first
        if ((way & 4) != 0)
        {
            x = 215.0;
            y = 405.0;
        }
        x = (way & 1) != 0 ? SIDE * 10.0 - x : x;
        y = (way & 2) != 0 ? SIDE * 10.0 - y : y;
        s.params.from_x = s.params.to_x = x;
        s.params.from_y = s.params.to_y = y;
        s.params.discharge = 60.0;
        surge_run(&s, 0.4);
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            double cx = i % SIDE + 0.5;
            double cy = SIDE - i / SIDE - 0.5;
            turned(way, SIDE, &cx, &cy);
            const int32_t to = (SIDE - 1 - (int32_t)cy) * SIDE + (int32_t)cx;
            depth[way][to] = surge_depth(&s, i % SIDE, i / SIDE);
        }
        surge_close(&s);
        assert_memory_equal(depth[way], depth[0], sizeof depth[0]);
    }
}

// A torus has no first cell.
static double torus_ground(double x, double y, const void* shape)
{
    const double* shift = shape;
    const double turn = 6.283185307179586 / (SIDE * 10.0);
    const double east = (x - shift[0]) * turn;
    const double north = (y - shift[1]) * turn;
    return 5.0 + sin(east) + cos(2.0 * north) + 0.4 * sin(5.0 * east + 3.0 * north);
}

static void a_torus_has_no_first_cell(void** state)
{
    (void)state;
    static const int32_t shifts[3][2] = {{0, 0}, {17, 9}, {41, 50}};
    static double depth[3][SIDE * SIDE];
    for (int32_t k = 0; k < 3; ++k)
    {
        const double shift[2] = {shifts[k][0] * 10.0, shifts[k][1] * 10.0};
        surge s;
        surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_PERIODIC, torus_ground, shift);
        const double size = SIDE * 10.0;
        s.params.from_x = s.params.to_x = fmod(305.0 + shift[0], size);
        s.params.from_y = s.params.to_y = fmod(215.0 + shift[1], size);
        s.params.discharge = 80.0;
        surge_run(&s, 0.7);
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const int32_t x = (i % SIDE - shifts[k][0] + SIDE) % SIDE;
            const int32_t y = (i / SIDE + shifts[k][1]) % SIDE;
            depth[k][y * SIDE + x] = surge_depth(&s, i % SIDE, i / SIDE);
        }
        surge_close(&s);
        double apart = 0.0;
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            apart = fmax(apart, fabs(depth[k][i] - depth[0][i]));
        }
        print_message("torus, shift %d: %.2e m apart\n", k, apart);
        assert_true(apart == 0.0);
    }
}

// Where the source lies on a ring changes no depth and no step.
static double trench(double x, double y, const void* shape)
{
    (void)x;
    (void)shape;
    const double off = (y - 300.0) / 40.0;
    return 20.0 - 9.0 * exp(-off * off);
}

static void sources_at_a_seam_are_like_others(void** state)
{
    (void)state;
    static const int32_t columns[] = {30, 0, 1, SIDE - 1, SIDE - 9};
    double deepest[WADI_COUNT(columns)];
    double cells[WADI_COUNT(columns)];
    for (int32_t k = 0; k < WADI_COUNT(columns); ++k)
    {
        surge s;
        surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_PERIODIC, trench, NULL);
        s.params.from_x = s.params.to_x = 10.0 * columns[k] + 5.0;
        s.params.from_y = 280.0;
        s.params.to_y = 320.0;
        s.params.discharge = 900.0;
        surge_run(&s, 0.05);
        deepest[k] = 0.0;
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            deepest[k] = fmax(deepest[k], surge_depth(&s, i % SIDE, i / SIDE));
        }
        cells[k] = cells_computed(&s);
        surge_close(&s);
        assert_true(deepest[k] == deepest[0]);
        assert_true(cells[k] < 1.2 * cells[0]);
    }
}

// A valley that crosses the open south at an angle, anywhere along the seam of a ring.
static double ring_ground(double x, double y, const void* shape)
{
    const double turn = 6.283185307179586 / (SIDE * 10.0);
    const double east = (x - *(const double*)shape - 0.4 * y) * turn;
    return 5.0 + 0.012 * y + 1.5 * cos(east) + 0.3 * cos(4.0 * east + 1.0);
}

// The slope by which water leaves over the edge is measured across the seam too.
static void a_ring_has_no_first_column(void** state)
{
    (void)state;
    static double depth[SIDE * SIDE];
    for (int32_t k = 0; k < SIDE; k += 7)
    {
        const double shift = k * 10.0;
        surge s;
        surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_PERIODIC, ring_ground, &shift);
        wadi_terrain_ground(s.terrain)->edges[WADI_SIDE_NORTH] = WADI_EDGE_OPEN;
        wadi_terrain_ground(s.terrain)->edges[WADI_SIDE_SOUTH] = WADI_EDGE_OPEN;
        s.params.from_x = s.params.to_x = fmod(405.0 + shift, SIDE * 10.0);
        s.params.from_y = s.params.to_y = 165.0;
        s.params.discharge = 120.0;
        surge_run(&s, 0.3);
        double apart = 0.0;
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const int32_t x = (i % SIDE - k + SIDE) % SIDE;
            const double here = surge_depth(&s, i % SIDE, i / SIDE);
            double* first = &depth[i / SIDE * SIDE + x];
            *first = k == 0 ? here : *first;
            apart = fmax(apart, fabs(here - *first));
        }
        surge_close(&s);
        assert_true(apart == 0.0);
    }
}

// ---- depths and maps ---------------------------------------------------------------------------

// Depths are whole, above 0 and finite; books close after each call; maps hold what they should.
static void check_flooded(const surge* s, double most)
{
    static float map[4][200 * 200];
    static const char* const names[] = {"peak_depth", "peak_speed", "arrival", "duration"};
    for (int k = 0; k < 4; ++k)
    {
        CHECK_OK(s->f.context, wadi_solver_map(s->solver, names[k], map[k]));
    }
    for (int32_t i = 0; i < s->width * s->height; ++i)
    {
        if (!isnan(map[0][i]))
        {
            const double depth = surge_depth(s, i % s->width, i / s->width);
            assert_true(depth >= 0.0 && depth <= (double)map[0][i] + 1e-4);
            assert_true((double)map[0][i] < most);
            assert_true(map[1][i] >= 0.0f && map[1][i] < 40.0f);
            assert_true((map[2][i] < 0.0f) == (map[0][i] < 0.1f - 1e-5f));
            assert_true((map[3][i] > 0.0f) == (map[2][i] >= 0.0f));
        }
    }
}

// ---- local time steps ---------------------------------------------------------------------------

// A deep channel and its plain, without a step where the sides of a torus meet.
static double channel(double x, double y, const void* shape)
{
    (void)shape;
    const double turn = 6.283185307179586 / (SIDE * 10.0);
    const double off = (y - 300.0) / 40.0;
    return 20.0 + 0.3 * cos(0.5 * turn * x) + 0.2 * sin(2.0 * turn * x + 3.0 * turn * y) -
           9.0 * exp(-off * off);
}

static wadi_solver* make_local(fixture* f)
{
    wadi_terrain* terrain = fixture_rough(f, SIDE, SIDE, 5);
    static float rock[SIDE * SIDE];
    wadi_view view;
    CHECK_OK(f->context, wadi_terrain_borrow(terrain, WADI_LAYER_BEDROCK, &view));
    for (int32_t c = 0; c < SIDE * SIDE; ++c)
    {
        const double row = (double)(c / SIDE) - 0.5 * SIDE;
        rock[c] =
            view.data[c / SIDE * view.stride + c % SIDE] - (float)(9.0 * exp(-0.06 * row * row));
    }
    CHECK_OK(f->context, wadi_terrain_release(terrain, WADI_LAYER_BEDROCK));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    fixture_holes(terrain);
    wadi_flood_params params = pouring();
    params.from_x = params.to_x = 55.0;
    params.from_y = params.to_y = 295.0;
    params.discharge = 900.0;
    params.local_steps = 3;
    params.step = 60.0 / 31557600.0;
    params.rain = 40.0;
    params.rain_duration = 0.02;
    return pour_on(terrain, &params);
}

static void local_steps_are_cut_anywhere(void** state)
{
    (void)state;
    fixture_check_cuts(make_local, 0.1 * hour);
}

// Run water of a deep channel; give the depths and the cells that were computed.
static double run_channel(int32_t local_steps, wadi_edge edge, double* depth)
{
    surge s;
    surge_open(&s, 2 * SIDE, SIDE, 10.0, edge, channel, NULL);
    s.params.from_x = s.params.to_x = 5.0;
    s.params.from_y = 280.0;
    s.params.to_y = 320.0;
    s.params.discharge = 900.0;
    s.params.rain = 20.0;
    s.params.local_steps = local_steps;
    surge_run(&s, 0.15);
    surge_run(&s, 0.1);
    check_flooded(&s, 30.0);
    const double cells = cells_computed(&s);
    for (int32_t i = 0; i < 2 * SIDE * SIDE; ++i)
    {
        depth[i] = surge_depth(&s, i % (2 * SIDE), i / (2 * SIDE));
    }
    surge_close(&s);
    return cells;
}

// Water of a plain takes fewer steps than that of its river, and comes to the same depths.
static void local_steps_come_to_the_same_depths(void** state)
{
    (void)state;
    static const wadi_edge edges[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    static double same[2 * SIDE * SIDE];
    static double local[2 * SIDE * SIDE];
    for (int32_t k = 0; k < 3; ++k)
    {
        const double all = run_channel(0, edges[k], same);
        const double few = run_channel(3, edges[k], local);
        double sum = 0.0;
        double depth = 0.0;
        for (int32_t i = 0; i < 2 * SIDE * SIDE; ++i)
        {
            sum += (local[i] - same[i]) * (local[i] - same[i]);
            depth += same[i] * same[i];
        }
        print_message("edge %d: %.2f of the cells, depths off by %.4f (rms)\n", (int)edges[k],
                      few / all, sqrt(sum / depth));
        assert_true(few < 0.8 * all);
        assert_true(sqrt(sum / depth) < 0.01);
    }
}

// ---- edges, voids, cells ------------------------------------------------------------------------

static void any_cells_and_edges_keep_depths_above_0(void** state)
{
    (void)state;
    static const double cells[] = {0.5, 2.0, 10.0, 100.0};
    static const wadi_edge edges[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int32_t k = 0; k < 12; ++k)
    {
        const double cell = cells[k % 4];
        const int32_t way = 0;
        surge s;
        surge_open(&s, SIDE, SIDE, cell, edges[k / 4], turned_ground, &way);
        fixture_noise(s.terrain, WADI_LAYER_BEDROCK, 0.0, cell, 3);
        fixture_holes(s.terrain);
        s.params.from_x = s.params.to_x = 25.0 * cell;
        s.params.from_y = s.params.to_y = 12.0 * cell;
        s.params.discharge = 5.0 * cell * sqrt(cell);
        s.params.rain = 100.0;
        for (int32_t call = 0; call < 3; ++call)
        {
            surge_run(&s, 0.02 * sqrt(cell));
        }
        check_flooded(&s, 1e3);
        surge_close(&s);
    }
}

// Books: what entered is what the hydrograph and the rain gave.
static void inflow_is_booked_to_the_unit(void** state)
{
    (void)state;
    const int32_t way = 0;
    surge s;
    surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_CLOSED, turned_ground, &way);
    s.params.from_x = 100.0;
    s.params.to_x = 300.0;
    s.params.from_y = s.params.to_y = 200.0;
    s.params.rain = 36.0;
    s.params.rain_duration = 0.1;
    surge_create(&s);
    surge_hydrograph(&s, (const double[]){0.0, 0.0, 0.1, 90.0, 0.2, 0.0}, 3);
    static const double places[] = {55.0, 55.0, 0.0,   10.0, 55.0, 55.0, 0.05,  0.0,  505.0,  55.0,
                                    0.0,  4.0,  505.0, 55.0, 0.2,  4.0,  505.0, 55.0, 0.2001, 0.0};
    CHECK_OK(s.f.context, wadi_solver_set_table(s.solver, "inflow", places, 5));
    surge_run(&s, 0.3);
    const wadi_ledger_row water = fixture_ledger_row(s.terrain, WADI_MATERIAL_WATER);
    const double came = 0.5 * 0.2 * 3600.0 * 90.0 + 0.5 * 0.05 * 3600.0 * 10.0 +
                        (0.2 + 0.00005) * 3600.0 * 4.0 +
                        floor(0.0036 * WADI_UNITS_PER_METRE) / WADI_UNITS_PER_METRE * 360000.0;
    print_message("came %.3f m3 of %.3f m3\n", water.in, came);
    assert_true(fabs(water.in - came) < 0.2);
    assert_true(water.residual_units == 0);
    assert_true(fabs(water.in - water.after) < 1e-6);
    CHECK_FAILS(
        s.f.context, WADI_ERROR_RANGE, "sort the rows",
        wadi_solver_set_table(s.solver, "hydrograph", (const double[]){1.0, 0.0, 0.5, 90.0}, 2));
    surge_close(&s);
}

// ---- a map of roughness -------------------------------------------------------------------------

static double level_ground(double x, double y, const void* shape)
{
    (void)x;
    (void)y;
    (void)shape;
    return 0.0;
}

static void a_map_of_roughness_slows_the_water(void** state)
{
    (void)state;
    surge s;
    surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_CLOSED, level_ground, NULL);
    s.params.from_x = s.params.to_x = 300.0;
    s.params.from_y = s.params.to_y = 300.0;
    s.params.discharge = 20.0;
    static float rough[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        rough[i] = i % SIDE < SIDE / 2 ? 0.15f : 0.0f; // 0: the parameter
    }
    surge_create(&s);
    CHECK_OK(s.f.context, wadi_solver_set_map(s.solver, "roughness", rough));
    surge_run(&s, 0.2);
    static float arrival[SIDE * SIDE];
    CHECK_OK(s.f.context, wadi_solver_map(s.solver, "arrival", arrival));
    const float west = arrival[SIDE / 2 * SIDE + SIDE / 2 - 9];
    const float east = arrival[SIDE / 2 * SIDE + SIDE / 2 + 8];
    assert_true(east > 0.0f && (west < 0.0f || west > 1.5f * east));
    rough[7] = -0.1f;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "roughness",
                wadi_solver_set_map(s.solver, "roughness", rough));
    surge_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_threads_change_no_bit),
        cmocka_unit_test(steps_of_the_process_change_no_depth),
        cmocka_unit_test(turned_and_mirrored_ground_has_the_same_bits),
        cmocka_unit_test(a_torus_has_no_first_cell),
        cmocka_unit_test(sources_at_a_seam_are_like_others),
        cmocka_unit_test(a_ring_has_no_first_column),
        cmocka_unit_test(local_steps_are_cut_anywhere),
        cmocka_unit_test(local_steps_come_to_the_same_depths),
        cmocka_unit_test(any_cells_and_edges_keep_depths_above_0),
        cmocka_unit_test(inflow_is_booked_to_the_unit),
        cmocka_unit_test(a_map_of_roughness_slows_the_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
