// SPDX-License-Identifier: MIT
// Creep at walls in shorter parts (streams_creep_walls.c): only there, exact, in both axes alike,
// and across periodic edges.
#include "support/fixture.h"

#include "process/solver.h"
#include "processes/hydraulic/streams.h"

#include <stdlib.h>

enum
{
    SIDE = 150, // no multiple of a block
    WALL = 24   // cells of the foot of the tower of rock
};

static const wadi_edge closed[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED,
                                    WADI_EDGE_CLOSED};
static const wadi_edge open[4] = {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN};
static const wadi_edge torus[4] = {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC,
                                   WADI_EDGE_PERIODIC};

// Smooth hills, 10 m cells, and a tower of rock with upright walls whose first corner is (x0, y0).
// `mirror` swaps the axes.
static void hills(float* heights, int32_t x0, int32_t y0, float tower, bool mirror)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = mirror ? i / SIDE : i % SIDE;
        const int32_t y = mirror ? i % SIDE : i / SIDE;
        const int32_t dx = (x - x0 + SIDE) % SIDE;
        const int32_t dy = (y - y0 + SIDE) % SIDE;
        const double turn = 6.283185307179586 / SIDE;
        heights[i] = (float)(300.0 + 30.0 * sin(turn * x) + 20.0 * sin(2.0 * turn * y + 1.0)) +
                     (dx < WALL && dy < WALL ? tower : 0.0f);
    }
}

// Creep alone of `heights`, for 700 years in steps of `years`: heights in units.
static int32_t* creep(int32_t threads, const wadi_edge* edges, const float* heights, double years)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = 10.0;
    memcpy(def.edges, edges, sizeof def.edges);
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.creep = 0.01; // a step of 700 years has five parts at walls, one of 140 years one
    params.erodibility = 0.0;
    params.flushing = 0.0;
    params.rain = 1e-6;
    params.max_step = years;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    fixture_advance(solver, 700.0);
    int32_t* units = malloc(SIDE * SIDE * sizeof *units);
    assert_non_null(units);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        units[i] = (int32_t)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
    }
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return units;
}

// Cells from a cell to the foot of the tower, along the farther axis.
static int32_t away(int32_t cell, int32_t x0, int32_t y0)
{
    const int32_t x = cell % SIDE - x0;
    const int32_t y = cell / SIDE - y0;
    const int32_t across = x < 0 ? -x : x - WALL + 1;
    const int32_t along = y < 0 ? -y : y - WALL + 1;
    return across > along ? across : along;
}

// ---- properties --------------------------------------------------------------------------

// Ground that the wall's blocks do not touch has the bits of land without a wall; but not all other
// ground, or the wall would not move. Where a stretch of shorter parts begins and ends, matter
// creeps in and out as it does without: off by 7/65536 m at most, as five parts round.
static void a_wall_changes_its_surroundings_only(void** state)
{
    (void)state;
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    hills(heights, 40, 55, 0.0f, false);
    int32_t* plain = creep(2, closed, heights, 700.0);
    hills(heights, 40, 55, 100.0f, false);
    int32_t* wall = creep(2, closed, heights, 700.0);
    int32_t near = 0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t cells = away(i, 40, 55);
        assert_true(cells < 60 || plain[i] == wall[i]);
        assert_true(cells < 9 || abs(plain[i] - wall[i]) <= 12);
        near += cells > 0 && cells < 60 && plain[i] != wall[i] ? 1 : 0;
    }
    print_message("%d cells around the wall moved in other ways\n", near);
    assert_true(near > 500);
    free(plain);
    free(wall);
    free(heights);
}

// The same on any threads, in rows and in columns.
static void axes_and_threads_are_alike(void** state)
{
    (void)state;
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    hills(heights, 39, 70, 100.0f, false);
    int32_t* one = creep(1, closed, heights, 700.0);
    int32_t* three = creep(3, closed, heights, 700.0);
    assert_memory_equal(one, three, SIDE * SIDE * sizeof *one);
    hills(heights, 39, 70, 100.0f, true);
    int32_t* turned = creep(2, closed, heights, 700.0);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        assert_int_equal(turned[i], one[i % SIDE * SIDE + i / SIDE]);
    }
    free(one);
    free(three);
    free(turned);
    free(heights);
}

// The root of the mean square of a - b, of cells from `from` to `to` cells away [m].
static double differ(const int32_t* a, const int32_t* b, int32_t from, int32_t to)
{
    double sum = 0.0;
    double count = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t cells = away(i, 40, 55);
        const double d = (double)(a[i] - b[i]) / WADI_UNITS_PER_METRE;
        sum += cells >= from && cells <= to ? d * d : 0.0;
        count += cells >= from && cells <= to ? 1.0 : 0.0;
    }
    return sqrt(sum / count);
}

// The land is that of short steps everywhere, and no seam is seen where parts of two lengths meet.
static void parts_meet_without_a_seam(void** state)
{
    (void)state;
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    hills(heights, 40, 55, 100.0f, false);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] += 4.0f * (float)(i % SIDE); // no lakes
    }
    int32_t* wall = creep(2, open, heights, 700.0);
    int32_t* brief = creep(2, open, heights, 140.0);
    const double at_wall = differ(wall, brief, -WALL, 8);
    const double seam = differ(wall, brief, 9, 60);
    print_message("off short steps by %.4f m at the wall, %.4f m around it\n", at_wall, seam);
    assert_true(at_wall < 0.1);
    assert_true(seam < 0.03);
    free(wall);
    free(brief);
    free(heights);
}

// A tower across the corner of a torus fails as one inside does.
static void walls_cross_periodic_edges(void** state)
{
    (void)state;
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    hills(heights, 40, 55, 100.0f, false);
    int32_t* inside = creep(2, torus, heights, 700.0);
    float* moved = malloc(SIDE * SIDE * sizeof *moved);
    const int32_t shift = 100; // 40 + 100 and 55 + 100 cross the edges
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = (i % SIDE + shift) % SIDE;
        const int32_t y = (i / SIDE + shift) % SIDE;
        moved[y * SIDE + x] = heights[i];
    }
    int32_t* across = creep(3, torus, moved, 700.0);
    double most = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = (i % SIDE + shift) % SIDE;
        const int32_t y = (i / SIDE + shift) % SIDE;
        const double off = fabs((double)(across[y * SIDE + x] - inside[i])) / WADI_UNITS_PER_METRE;
        most = off > most ? off : most;
    }
    print_message("off by %.4f m across the edges\n", most);
    assert_true(most < 0.05);
    free(inside);
    free(across);
    free(moved);
    free(heights);
}

// One tall cell between two outlets comes down to the plain, and not below it.
static void a_tall_cell_at_an_edge_leaves_no_pit(void** state)
{
    (void)state;
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    assert_non_null(heights);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = i == SIDE + 1 ? 600.0f : 100.0f;
    }
    int32_t* units = creep(2, open, heights, 140.0);
    int32_t least = INT32_MAX;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        least = units[i] < least ? units[i] : least;
    }
    free(units);
    free(heights);
    assert_true(least > 99.9 * WADI_UNITS_PER_METRE);
}

// What faces of walls have still to take lowers what cells beside them can lose, and no other
// array.
static void walls_lower_what_cells_can_lose(void** state)
{
    (void)state;
    enum
    {
        MARK = 123456789
    };
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = 10.0;
    memcpy(def.edges, closed, sizeof def.edges);
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    float* heights = malloc(SIDE * SIDE * sizeof *heights);
    assert_non_null(heights);
    hills(heights, 60, 50, 300.0f, false);
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    free(heights);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.creep = 0.01;
    params.erodibility = 0.0;
    params.max_step = 700.0;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    fixture_advance(solver, 700.0);
    streams* s = solver->state;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        s->order[i] = MARK;
    }
    CHECK_OK(f.context, wadi_streams_read(s, 0.0));
    wadi_streams_creep(s);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        assert_int_equal(s->order[i], MARK);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_changes_its_surroundings_only),
        cmocka_unit_test(axes_and_threads_are_alike),
        cmocka_unit_test(parts_meet_without_a_seam),
        cmocka_unit_test(walls_cross_periodic_edges),
        cmocka_unit_test(a_tall_cell_at_an_edge_leaves_no_pit),
        cmocka_unit_test(walls_lower_what_cells_can_lose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
