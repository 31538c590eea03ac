// SPDX-License-Identifier: MIT
// Momentum of streams: erosion of outer banks, where it is excluded, and its map.
#include "support/fixture.h"
#include "support/parcels.h"

#include <stdlib.h>

enum
{
    SIDE = 96,
    CELLS = SIDE * SIDE,
    WAVE = 32, // wavelength of the bends [cells]
    SWING = 6, // amplitude [cells]
    INLET_Y = 4
};

static const double DISCHARGE = 1.0; // [m3/s]

typedef struct river
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    float map[CELLS];
} river;

static double phase_of(int32_t y)
{
    return 2.0 * 3.14159265358979323846 * y / WAVE;
}

// Middle of the channel in a row; amplitude 0 is a straight channel.
static int32_t middle_of(int32_t y, int32_t swing)
{
    return SIDE / 2 + (int32_t)lround(swing * sin(phase_of(y)));
}

// A plain that falls to the south by 1 %, with a channel half a metre deep.
static void dig_channel(river* r, int32_t swing, double cell)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t y = i / SIDE;
        const bool bed = abs(i % SIDE - middle_of(y, swing)) <= 1;
        r->map[i] = (float)(10.0 + 0.01 * cell * (SIDE - y) - (bed ? 0.5 : 0.0));
    }
    CHECK_OK(r->f.context, wadi_terrain_set_layer(r->terrain, WADI_LAYER_BEDROCK, r->map, SIDE));
}

static void let_river_in(river* r, int32_t swing, double cell)
{
    memset(r->map, 0, sizeof r->map);
    r->map[INLET_Y * SIDE + middle_of(INLET_Y, swing)] =
        (float)(DISCHARGE * 31557600.0 / (cell * cell));
    CHECK_OK(r->f.context, wadi_solver_set_map(r->solver, "rain", r->map));
}

static river* river_open(int32_t swing, double cell, bool momentum)
{
    river* r = malloc(sizeof *r);
    assert_non_null(r);
    fixture_open(&r->f, 2);
    r->terrain = fixture_plain(&r->f, SIDE, SIDE, cell, WADI_EDGE_OPEN);
    dig_channel(r, swing, cell);
    wadi_hydraulic_params params = parcels_params();
    params.momentum = momentum;
    params.max_step = 1.0;
    params.creep = 0.0;
    CHECK_OK(r->f.context,
             wadi_solver_create(r->terrain, &wadi_hydraulic_process, &params, 0, &r->solver));
    let_river_in(r, swing, cell);
    return r;
}

static void river_close(river* r)
{
    wadi_solver_destroy(r->solver);
    fixture_check_ledger(r->terrain);
    wadi_terrain_destroy(r->terrain);
    fixture_close(&r->f);
    free(r);
}

// Mean of a map on the outer sides of the bends minus that on the inner sides.
static double outer_less_inner(river* r, const char* map)
{
    CHECK_OK(r->f.context, wadi_solver_map(r->solver, map, r->map));
    double sum = 0.0;
    for (int32_t y = WAVE / 2; y < SIDE - WAVE / 2; ++y)
    {
        for (int32_t side = 1; side <= 4; ++side)
        {
            const float* middle = &r->map[y * SIDE + middle_of(y, SWING)];
            sum += sin(phase_of(y)) * ((double)middle[side] - (double)middle[-side]);
        }
    }
    return sum / (SIDE - WAVE);
}

static void outer_banks_go_and_inner_ones_grow(void** state)
{
    (void)state;
    river* with = river_open(SWING, 2.0, true);
    river* without = river_open(SWING, 2.0, false);
    CHECK_OK(with->f.context, wadi_solver_advance(with->solver, 20.0));
    CHECK_OK(without->f.context, wadi_solver_advance(without->solver, 20.0));
    const double wear = outer_less_inner(with, "wear");
    const double deposit = outer_less_inner(with, "deposit");
    print_message("outer less inner: wear %.4f m, deposit %.4f m\n", wear, deposit);
    assert_true(wear > 0.02);
    assert_true(deposit < -0.002);

    // without momentum the shortest path erodes, on the inner side
    assert_true(outer_less_inner(without, "wear") < 0.0);
    CHECK_NEAR(outer_less_inner(without, "deposit"), 0.0, 0.002);
    river_close(with);
    river_close(without);
}

static uint64_t hash_after(double cell, bool momentum)
{
    river* r = river_open(SWING, cell, momentum);
    CHECK_OK(r->f.context, wadi_solver_advance(r->solver, 5.0));
    const uint64_t hash = wadi_terrain_hash(r->terrain);
    river_close(r);
    return hash;
}

static void only_fine_cells_keep_momentum(void** state)
{
    (void)state;
    assert_true(hash_after(10.0, true) == hash_after(10.0, false));
    assert_true(hash_after(9.0, true) != hash_after(9.0, false));
}

static void the_hardest_banks_stand(void** state)
{
    (void)state;
    river* r = river_open(SWING, 2.0, true);
    CHECK_OK(r->f.context, wadi_terrain_fill_layer(r->terrain, WADI_LAYER_HARDNESS, 1.0));
    int32_t* rock = malloc(CELLS * sizeof *rock);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        rock[i] = wadi_terrain_units(r->terrain, WADI_LAYER_BEDROCK, i % SIDE, i / SIDE);
    }
    CHECK_OK(r->f.context, wadi_solver_advance(r->solver, 10.0));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        assert_int_equal(wadi_terrain_units(r->terrain, WADI_LAYER_BEDROCK, i % SIDE, i / SIDE),
                         rock[i]);
    }
    free(rock);
    river_close(r);
}

// In a straight channel momentum is q u, with u from the map of velocity.
static void momentum_points_down_the_stream(void** state)
{
    (void)state;
    river* r = river_open(0, 2.0, true);
    CHECK_OK(r->f.context, wadi_solver_advance(r->solver, 40.0));
    const int32_t cell = SIDE / 2 * SIDE + SIDE / 2;
    double along = 0.0;
    double across = 0.0;
    float* east = malloc(CELLS * sizeof *east);
    CHECK_OK(r->f.context, wadi_solver_map(r->solver, "momentum_north", r->map));
    CHECK_OK(r->f.context, wadi_solver_map(r->solver, "momentum_east", east));
    for (int32_t x = -2; x <= 2; ++x)
    {
        along -= (double)r->map[cell + x];
        across += fabs((double)east[cell + x]);
    }
    free(east);
    CHECK_OK(r->f.context, wadi_solver_map(r->solver, "velocity", r->map));
    print_message("momentum %.3f along, %.3f across, velocity %.3f\n", along, across,
                  (double)r->map[cell]);
    CHECK_NEAR(along, DISCHARGE * (double)r->map[cell], 0.05);
    CHECK_NEAR(across, 0.0, 0.05);
    river_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outer_banks_go_and_inner_ones_grow),
        cmocka_unit_test(only_fine_cells_keep_momentum),
        cmocka_unit_test(the_hardest_banks_stand),
        cmocka_unit_test(momentum_points_down_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
