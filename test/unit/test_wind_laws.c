// SPDX-License-Identifier: MIT
// The numbers that saltating parcels work with, compared with the formulas of docs/theory/wind.md:
// flux and threshold, where the wind looks, what plants, moisture and water hold, wraps and gates.
#include "processes/wind/saltation_state.h"
#include "support/fixture.h"

enum
{
    WIDTH = 20,
    HEIGHT = 14
};

typedef struct sandbox
{
    fixture f;
    wadi_terrain* terrain;
    saltation* s;
} sandbox;

static void sandbox_open(sandbox* box, wadi_edge along_x, wadi_edge along_y)
{
    fixture_open(&box->f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 2.0;
    def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST] = along_x;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = along_y;
    CHECK_OK(box->f.context, wadi_terrain_create(box->f.context, &def, &box->terrain));
    fixture_noise(box->terrain, WADI_LAYER_SEDIMENT, 1.0, 2.0, 4);
    const wadi_wind_params params = wadi_wind_params_default();
    void* state;
    CHECK_OK(box->f.context, wadi_saltation_api.create(box->terrain, &params, 1, &state));
    box->s = state;
}

static void sandbox_close(sandbox* box)
{
    wadi_saltation_api.destroy(box->s);
    wadi_terrain_destroy(box->terrain);
    fixture_close(&box->f);
}

static void flux_and_threshold_go_with_the_speed_squared(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    const double ratio = 7.07 / 20.0;
    CHECK_NEAR(wadi_saltation_law_flux(box.s, 20.0), 400.0 * 4.0 * (1.0 - ratio * ratio) / 0.5,
               1e-9);
    const wind_spell wind = {0.0, 20.0, 1.0};
    wadi_saltation_law_set(box.s, &wind, 0.01);
    CHECK_NEAR((double)box.s->law.threshold, ratio * ratio, 1e-7);
    CHECK_NEAR((double)box.s->law.memory_gain[0], 2.5, 1e-6);
    CHECK_NEAR((double)box.s->law.memory_gain[2], 1.25, 1e-6);
    CHECK_NEAR((double)box.s->law.ahead_gain[0], 0.8, 1e-6);
    sandbox_close(&box);
}

// A wind from north looks to the south, twice as far as it remembers.
static void the_wind_looks_ahead_along_itself(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    const double length[SALTATION_SCALES] = {6.1, 18.3, 55.0};
    const double scale = box.s->scale;
    for (int turn = 0; turn < 4; ++turn)
    {
        static const double x[4] = {0.0, -1.0, 0.0, 1.0};
        static const double y[4] = {1.0, 0.0, -1.0, 0.0};
        const wind_spell wind = {90.0 * turn, 10.0, 1.0};
        wadi_saltation_law_set(box.s, &wind, 0.01);
        for (int i = 0; i < SALTATION_SCALES; ++i)
        {
            CHECK_NEAR((double)box.s->law.ahead_x[i], 2.0 * length[i] * scale * x[turn], 1e-3);
            CHECK_NEAR((double)box.s->law.ahead_y[i], 2.0 * length[i] * scale * y[turn], 1e-3);
        }
    }
    sandbox_close(&box);
}

static void each_axis_wraps_for_itself(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN);
    assert_true(box.s->law.wrap_x == (float)WIDTH && box.s->law.wrap_y == 0.0f);
    sandbox_close(&box);
    sandbox_open(&box, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC);
    assert_true(box.s->law.wrap_x == 0.0f && box.s->law.wrap_y == (float)HEIGHT);
    sandbox_close(&box);
}

// Beyond a periodic edge lies the opposite one, beyond others the edge itself.
static void the_rim_shows_what_lies_beyond(void** state)
{
    (void)state;
    for (int wraps = 0; wraps < 2; ++wraps)
    {
        const wadi_edge edge = wraps != 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN;
        sandbox box;
        sandbox_open(&box, edge, edge);
        const saltation* s = box.s;
        wadi_saltation_freeze(box.s);
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            const float first = s->level[saltation_rim(s, 0) + x];
            const float last = s->level[saltation_rim(s, HEIGHT - 1) + x];
            assert_true(s->level[saltation_rim(s, -1) + x] == (wraps ? last : first));
            assert_true(s->level[saltation_rim(s, HEIGHT) + x] == (wraps ? first : last));
        }
        for (int32_t y = 0; y < HEIGHT; ++y)
        {
            const float* row = s->level + saltation_rim(s, y);
            assert_true(row[-1] == (wraps ? row[WIDTH - 1] : row[0]));
            assert_true(row[WIDTH] == (wraps ? row[0] : row[WIDTH - 1]));
        }
        sandbox_close(&box);
    }
}

// A word: 256 x what the wind must exceed, and 16384 x the stress that reaches the sand.
static void check_skin(wadi_layer layer, double value, double needed, double stress)
{
    sandbox box;
    sandbox_open(&box, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    CHECK_OK(box.f.context, wadi_terrain_fill_layer(box.terrain, layer, value));
    wadi_saltation_freeze_skin(box.s);
    const int32_t word = box.s->skin[saltation_rim(box.s, HEIGHT - 1) + WIDTH - 1];
    CHECK_NEAR((double)(word / 65536), 256.0 * needed, 1.0);
    CHECK_NEAR((double)(word % 65536), 16384.0 * stress, 1.0);
    sandbox_close(&box);
}

static void the_skin_holds_by_the_theory(void** state)
{
    (void)state;
    check_skin(WADI_LAYER_VEGETATION, 0.0, 1.0, 1.0);
    check_skin(WADI_LAYER_VEGETATION, 1.0, 17.0, 1.0 / 17.0); // 1 / (1 + 16)
    check_skin(WADI_LAYER_MOISTURE, 0.25, 5.112, 1.0);        // 1 + (3.4^2 - 1) x 0.25^0.68
    check_skin(WADI_LAYER_WATER, 1.0, 127.0, 0.0);
}

// A wind along an axis comes in through every cell of the side it comes from, and through no other.
static void every_cell_of_a_side_is_a_gate(void** state)
{
    (void)state;
    static const int32_t sides[4] = {WADI_SIDE_NORTH, WADI_SIDE_EAST, WADI_SIDE_SOUTH,
                                     WADI_SIDE_WEST};
    for (int turn = 0; turn < 4; ++turn)
    {
        for (int closed = 0; closed < 2; ++closed)
        {
            const wadi_edge edge = closed != 0 ? WADI_EDGE_CLOSED : WADI_EDGE_OPEN;
            sandbox box;
            sandbox_open(&box, edge, edge);
            const wind_spell wind = {90.0 * turn, 10.0, 1.0};
            wadi_saltation_law_set(box.s, &wind, 0.01);
            wadi_saltation_edge_list_gates(box.s);
            const int32_t count = turn % 2 == 0 ? WIDTH : HEIGHT;
            assert_int_equal(box.s->gate_count, count);
            for (int32_t i = 0; i < count; ++i)
            {
                const saltation_gate* gate = &box.s->gates[i];
                assert_int_equal(gate->side, sides[turn]);
                assert_true(gate->open == (closed == 0));
                CHECK_NEAR(gate->reach, i + 1.0, 1e-6);
            }
            sandbox_close(&box);
        }
    }
}

// Sand of 1 m with a heap of 1.5 m, over which nothing has passed yet.
static void sandbox_heap(sandbox* box, int32_t x, int32_t y)
{
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        box->s->ground->loose[0][i] = i == y * WIDTH + x ? 98304 : 65536;
    }
    wadi_saltation_freeze(box->s);
}

static void sandbox_pass(const sandbox* box, int32_t x, int32_t y, int32_t load)
{
    const int32_t column = (x + WIDTH) % WIDTH;
    const int32_t row = (y + HEIGHT) % HEIGHT;
    box->s->sums[0][saltation_rim(box->s, row) + column] = load / SALTATION_LOAD_PART;
}

// Sand creeps from a heap to each of four neighbours: creep x the load that passed x the slope.
static void sand_creeps_by_load_and_slope(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    saltation* s = box.s;
    const int32_t heap = 7 * WIDTH + 9;
    sandbox_heap(&box, 9, 7);
    for (int32_t i = 0; i < 9; ++i)
    {
        sandbox_pass(&box, 8 + i % 3, 6 + i / 3, 20000);
    }
    wadi_saltation_settle(s);
    const double flow = s->params.creep * 20000.0 * 0.25; // 0.5 m over a cell of 2 m
    const int32_t beside[4] = {heap - 1, heap + 1, heap - WIDTH, heap + WIDTH};
    for (int k = 0; k < 4; ++k)
    {
        CHECK_NEAR((double)(s->ground->loose[0][beside[k]] - 65536), flow, 2.0);
    }
    CHECK_NEAR((double)(98304 - s->ground->loose[0][heap]), 4.0 * flow, 8.0);
    sandbox_close(&box);
}

// A heap loses `parts` / 16 of the sand that it would lose if as much passed everywhere as passes
// (dx, dy) cells from it.
static void check_creep_from(wadi_edge edge, const int32_t heap[2], int32_t dx, int32_t dy,
                             double parts)
{
    sandbox box;
    sandbox_open(&box, edge, edge);
    const int32_t before = 98304;
    sandbox_heap(&box, heap[0], heap[1]);
    sandbox_pass(&box, heap[0] + dx, heap[1] + dy, 16000);
    wadi_saltation_settle(box.s);
    const int32_t lost = before - box.s->ground->loose[0][heap[1] * WIDTH + heap[0]];
    const bool open = edge == WADI_EDGE_OPEN;
    const int sides = 4 - (open && heap[0] % (WIDTH - 1) == 0 ? 1 : 0) -
                      (open && heap[1] % (HEIGHT - 1) == 0 ? 1 : 0);
    CHECK_NEAR((double)lost, sides * box.s->params.creep * 1000.0 * 0.25 * parts, 8.0);
    sandbox_close(&box);
}

// What passes nine cells makes the sand of one creep, by 1 2 1 along both axes. Beyond an edge as
// much has passed as at the edge, or as at the opposite one.
static void creep_goes_by_what_passes_nine_cells(void** state)
{
    (void)state;
    static const int32_t inside[2] = {9, 7};
    static const int32_t first[2] = {0, 0};
    static const int32_t last[2] = {WIDTH - 1, HEIGHT - 1};
    static const double parts[3] = {2.0, 1.0, 0.0};
    static const double at_edge[3] = {3.0, 1.0, 0.0};
    for (int32_t i = 0; i < 25; ++i)
    {
        const int32_t dx = i % 5 - 2;
        const int32_t dy = i / 5 - 2;
        const double share = parts[dx < 0 ? -dx : dx] * parts[dy < 0 ? -dy : dy];
        check_creep_from(WADI_EDGE_OPEN, inside, dx, dy, share);
        check_creep_from(WADI_EDGE_PERIODIC, first, dx, dy, share);
        check_creep_from(WADI_EDGE_PERIODIC, last, dx, dy, share);
        if (dx >= 0 && dy >= 0)
        {
            check_creep_from(WADI_EDGE_OPEN, first, dx, dy, at_edge[dx] * at_edge[dy]);
            check_creep_from(WADI_EDGE_OPEN, last, -dx, -dy, at_edge[dx] * at_edge[dy]);
        }
    }
}

// Parcels that pass every other cell of a slope leave no pattern on it.
static void uneven_loads_leave_a_slope_even(void** state)
{
    (void)state;
    sandbox box;
    sandbox_open(&box, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    int32_t* sand = box.s->ground->loose[0];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        sand[i] = 65536 + 20000 * (i % WIDTH) + 10000 * (i / WIDTH);
        sandbox_pass(&box, i % WIDTH, i / WIDTH, (i % WIDTH + i / WIDTH) % 2 * 20000);
    }
    wadi_saltation_freeze(box.s);
    wadi_saltation_settle(box.s);
    for (int32_t y = 2; y < HEIGHT - 2; ++y)
    {
        for (int32_t x = 2; x < WIDTH - 2; ++x)
        {
            assert_int_equal(sand[y * WIDTH + x], 65536 + 20000 * x + 10000 * y);
        }
    }
    sandbox_close(&box);
}

static void sand_that_goes_north_flows_north(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_falling(&f, 40, 40, WADI_SIDE_NORTH, 0.02);
    wadi_wind_params params = wadi_wind_params_default();
    params.direction = 180.0;
    void* s;
    CHECK_OK(f.context, wadi_saltation_api.create(terrain, &params, 1, &s));
    CHECK_OK(f.context, wadi_saltation_api.advance(s, &(wadi_span){.years = 1.0}));
    static float map[40 * 40];
    double sum = 0.0;
    CHECK_OK(f.context, wadi_saltation_api.map(s, WIND_MAP_FLUX_Y, map));
    for (int32_t i = 0; i < 40 * 40; ++i)
    {
        sum += (double)map[i];
    }
    assert_true(sum / (40.0 * 40.0) > 10.0); // of 50 m2/yr
    wadi_saltation_api.destroy(s);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flux_and_threshold_go_with_the_speed_squared),
        cmocka_unit_test(the_wind_looks_ahead_along_itself),
        cmocka_unit_test(each_axis_wraps_for_itself),
        cmocka_unit_test(the_rim_shows_what_lies_beyond),
        cmocka_unit_test(the_skin_holds_by_the_theory),
        cmocka_unit_test(every_cell_of_a_side_is_a_gate),
        cmocka_unit_test(sand_creeps_by_load_and_slope),
        cmocka_unit_test(creep_goes_by_what_passes_nine_cells),
        cmocka_unit_test(uneven_loads_leave_a_slope_even),
        cmocka_unit_test(sand_that_goes_north_flows_north),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
