// SPDX-License-Identifier: MIT
// Parcels of the model "alluvial" that lose their way go round in a hollow. They fill it.
#include "support/front.h"

#include "processes/hydraulic/alluvial.h"

#include <math.h>

enum
{
    SIZE = 48,
    CELLS = SIZE * SIZE,
    HOLLOW = 5 // cells: its radius
};

#define CELL 20.0
#define DEEP 3.0 // [m]

// A plain that falls to the east by 0.005, with a hollow in the way of its river.
static void plain_heights(float* heights)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % SIZE - 0.5 * SIZE;
        const double y = i / SIZE - 0.5 * SIZE;
        const double near = 1.0 - (x * x + y * y) / (HOLLOW * HOLLOW);
        heights[i] = (float)(-0.005 * CELL * x - DEEP * fmax(near, 0.0));
    }
}

static wadi_solver* plain_open(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = CELL;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    static float heights[CELLS];
    plain_heights(heights);
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIZE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 20.0));
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    CHECK_OK(f->context,
             wadi_process_apply_preset(f->context, &wadi_hydraulic_process, "braid", &params));
    params.flood_step = 0.02;
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double row[6] = {100.0, 0.5 * SIZE * CELL, 0.0, 10.0, 1e6, 0.0};
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

// The lowest place in and around the hollow [m].
static double hollow_low(const float* heights)
{
    double low = HUGE_VAL;
    for (int32_t y = SIZE / 2 - 2 * HOLLOW; y < SIZE / 2 + 2 * HOLLOW; ++y)
    {
        for (int32_t x = SIZE / 2 - HOLLOW; x < SIZE / 2 + HOLLOW; ++x)
        {
            low = fmin(low, (double)heights[y * SIZE + x]);
        }
    }
    return low;
}

// Rounds of lost parcels were streams that went round in the hollow and dug it out.
static void lost_parcels_fill_hollows(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = plain_open(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    static float before[CELLS];
    static float after[CELLS];
    front_heights(terrain, before);
    double low = HUGE_VAL;
    for (int32_t i = 0; i < 10; ++i)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.02));
        front_heights(terrain, after);
        low = fmin(low, hollow_low(after) - hollow_low(before));
    }
    const double end = hollow_low(after) - hollow_low(before);
    print_message("the floor of the hollow rose by %.2f m, and by %.2f m at least\n", end, low);
    assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).residual_units == 0);
    assert_true(low > 0.0 && end > 1.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Load that settles at the end lies below the water of a lake, whose level stays.
static void settled_load_keeps_the_level_of_lakes(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 4, 4, CELL, WADI_EDGE_OPEN);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_WATER, 3.0));
    const int64_t level = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 1, 1) +
                          wadi_terrain_units(terrain, WADI_LAYER_WATER, 1, 1);
    const wadi_hydraulic_params params = wadi_hydraulic_params_default();
    alluvial* a = NULL;
    CHECK_OK(f.context, wadi_alluvial_create(terrain, &params, 1, &a));
    assert_true(wadi_alluvial_settle_cell(a, 5, 65536) == 65536);
    assert_true(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 1, 1) +
                    wadi_terrain_units(terrain, WADI_LAYER_WATER, 1, 1) ==
                level);
    assert_true(a->tally.lost[WADI_MATERIAL_WATER] == 65536);
    assert_true(wadi_alluvial_settle_cell(a, 5, 655360) == 655360);
    assert_true(wadi_terrain_units(terrain, WADI_LAYER_WATER, 1, 1) == 0);
    assert_true(a->tally.lost[WADI_MATERIAL_WATER] == 3 * 65536);
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_parcels_fill_hollows),
        cmocka_unit_test(settled_load_keeps_the_level_of_lakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
