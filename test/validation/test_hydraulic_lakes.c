// SPDX-License-Identifier: MIT
// Lakes of the parcel model: a bowl on a tilted plain stores the rain of its catchment, spills over
// its sill, dries by evaporation and silts up.
#include "support/fixture.h"
#include "support/flooding.h"
#include "support/parcels.h"

#include <stdlib.h>

enum
{
    SIDE = 64,
    CELLS = SIDE * SIDE,
    RADIUS = 15 // of the bowl [cells]
};

static const double CELL = 10.0;  // [m]
static const double DEPTH = 20.0; // of the bowl [m]

typedef struct pond
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    wadi_hydraulic_params params;
    float ground[CELLS]; // as it was
    float level[CELLS];  // of the sill
    double capacity;     // [m3]
} pond;

static void bowl_heights(float* out)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % SIDE - SIDE / 2;
        const double y = i / SIDE - SIDE / 2;
        const double square = (x * x + y * y) / (RADIUS * RADIUS);
        out[i] = (float)(100.0 - 0.1 * y - (square < 1.0 ? DEPTH * (1.0 - square) : 0.0));
    }
}

static double capacity_of(const float* ground, const float* level)
{
    double sum = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += ((double)level[i] - (double)ground[i]) * CELL * CELL;
    }
    return sum;
}

// Water alone: nothing erodes unless a test says so.
static pond* pond_open(void)
{
    pond* p = calloc(1, sizeof *p);
    fixture_open(&p->f, 2);
    p->terrain = fixture_flat(&p->f, SIDE, SIDE);
    bowl_heights(p->ground);
    CHECK_OK(p->f.context, wadi_terrain_set_layer(p->terrain, WADI_LAYER_SURFACE, p->ground, SIDE));
    flooding_levels(p->ground, SIDE, SIDE, p->level);
    p->capacity = capacity_of(p->ground, p->level);
    p->params = parcels_params();
    p->params.erodibility = 0.0;
    p->params.creep = 0.0;
    p->params.levels = 0;
    return p;
}

static void pond_run(pond* p, double years, int32_t batches)
{
    p->params.max_step = years / batches;
    CHECK_OK(p->f.context,
             wadi_solver_create(p->terrain, &wadi_hydraulic_process, &p->params, 0, &p->solver));
    CHECK_OK(p->f.context, wadi_solver_advance(p->solver, years));
    fixture_check_ledger(p->terrain);
}

static void pond_close(pond* p)
{
    wadi_solver_destroy(p->solver);
    wadi_terrain_destroy(p->terrain);
    fixture_close(&p->f);
    free(p);
}

static double water_of(const pond* p)
{
    return wadi_terrain_volume(p->terrain, WADI_LAYER_WATER);
}

static wadi_ledger_row water_row(const pond* p)
{
    return fixture_ledger_row(p->terrain, WADI_MATERIAL_WATER);
}

static double left_over_sides(const wadi_ledger_row* row)
{
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += row->out[side];
    }
    return sum;
}

// The surface of the bowl's water is level to one unit, and no higher than the sill.
static void check_level(const pond* p)
{
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        const int32_t water = wadi_terrain_units(p->terrain, WADI_LAYER_WATER, x, y);
        const int32_t top = wadi_terrain_units(p->terrain, WADI_LAYER_SURFACE, x, y) + water;
        if (water > 1)
        {
            low = top < low ? top : low;
            high = top > high ? top : high;
            assert_true((double)top / WADI_UNITS_PER_METRE <= (double)p->level[i] + 1e-4);
        }
    }
    assert_true(low <= high);
    assert_true(high - low <= 1);
}

static void a_bowl_stores_the_rain_of_its_catchment(void** state)
{
    (void)state;
    double volume[2];
    for (int k = 0; k < 2; ++k)
    {
        pond* p = pond_open();
        pond_run(p, k == 0 ? 2.0 : 4.0, 20);
        volume[k] = water_of(p);
        check_level(p);
        const wadi_ledger_row row = water_row(p);
        const double rain = (k == 0 ? 2.0 : 4.0) * CELLS * CELL * CELL;

        // a parcel stands for whole units of water: over two years they round by up to 0.5 %
        assert_true(fabs(row.in - rain) < 6e-3 * rain);
        assert_true(volume[k] < p->capacity);
        pond_close(p);
    }

    // the bowl itself is 707 cells; the plain above it, 30 cells wide and 17 long, drains into it
    assert_true(volume[0] > 2.0 * 707 * CELL * CELL);
    assert_true(volume[0] < 2.0 * 1500 * CELL * CELL);
    assert_true(fabs(volume[1] / volume[0] - 2.0) < 0.1);
}

static void a_full_bowl_spills_what_it_cannot_hold(void** state)
{
    (void)state;
    pond* p = pond_open();
    pond_run(p, 100.0, 50);
    const wadi_ledger_row row = water_row(p);
    assert_true(fabs(water_of(p) - p->capacity) < 1e-3 * p->capacity);
    check_level(p);

    // less than one parcel of water is lost
    assert_true(row.lost < 1e-3 * row.in);
    assert_true(fabs(left_over_sides(&row) - (row.in - row.lost - water_of(p))) < 1e-9 * row.in);
    pond_close(p);
}

static void inflow_is_spill_plus_evaporation(void** state)
{
    (void)state;
    pond* p = pond_open();
    p->params.lake_evaporation = 1.0;
    pond_run(p, 100.0, 50);
    const wadi_ledger_row row = water_row(p);
    const double area =
        650.0 * CELL * CELL; // of the full lake: the tilt leaves a dry rim in the north
    print_message("lost %.3g m3, the lake's area would lose %.3g\n", row.lost, 100.0 * area);
    assert_true(row.lost > 0.8 * 100.0 * area);
    assert_true(row.lost < 1.2 * 100.0 * area);
    assert_true(fabs(left_over_sides(&row) - (row.in - row.lost - water_of(p))) < 1e-9 * row.in);
    pond_close(p);

    // more than flows in: the lake stays below its sill for good
    p = pond_open();
    p->params.lake_evaporation = 10.0;
    pond_run(p, 100.0, 50);
    assert_true(water_of(p) < 0.9 * p->capacity);
    pond_close(p);
}

// Control: with lakes switched off, the same rain leaves no lake.
static void without_lakes_nothing_stands(void** state)
{
    (void)state;
    pond* p = pond_open();
    p->params.lakes = false;
    pond_run(p, 100.0, 50);
    assert_true(water_of(p) == 0.0);
    pond_close(p);
}

// Rock that nothing lowers in the southern half, so that the sill stays where it is.
static void harden_the_sill(pond* p)
{
    float hardness[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        hardness[i] = i / SIDE >= SIDE / 2 ? 1.0f : 0.0f;
    }
    CHECK_OK(p->f.context, wadi_terrain_set_layer(p->terrain, WADI_LAYER_HARDNESS, hardness, SIDE));
}

static void a_bowl_silts_up_by_the_sediment_deposited(void** state)
{
    (void)state;
    pond* p = pond_open();
    p->params.erodibility = 2e-4;
    harden_the_sill(p);
    pond_run(p, 20000.0, 100);
    float* wear = malloc(CELLS * sizeof *wear);
    float* deposit = malloc(CELLS * sizeof *deposit);
    CHECK_OK(p->f.context, wadi_solver_map(p->solver, "wear", wear));
    CHECK_OK(p->f.context, wadi_solver_map(p->solver, "deposit", deposit));
    wadi_view view;
    CHECK_OK(p->f.context, wadi_terrain_borrow(p->terrain, WADI_LAYER_SURFACE, &view));
    double laid = 0.0;
    double raised = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        if (p->level[i] - p->ground[i] > 0.0f)
        {
            laid += ((double)deposit[i] - (double)wear[i]) * CELL * CELL;
            raised += ((double)view.data[i] - (double)p->ground[i]) * CELL * CELL;
        }
    }
    float level_after[CELLS];
    flooding_levels(view.data, SIDE, SIDE, level_after);
    const double after = capacity_of(view.data, level_after);
    CHECK_OK(p->f.context, wadi_terrain_release(p->terrain, WADI_LAYER_SURFACE));
    print_message("of %.0f m3 %.0f m3 are left, %.0f m3 were laid down\n", p->capacity, after,
                  laid);
    assert_true(laid > 0.2 * p->capacity);
    assert_true(fabs(raised - laid) < 1e-3 * laid);
    assert_true(after < p->capacity - 0.8 * laid);
    free(wear);
    free(deposit);
    pond_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bowl_stores_the_rain_of_its_catchment),
        cmocka_unit_test(a_full_bowl_spills_what_it_cannot_hold),
        cmocka_unit_test(inflow_is_spill_plus_evaporation),
        cmocka_unit_test(without_lakes_nothing_stands),
        cmocka_unit_test(a_bowl_silts_up_by_the_sediment_deposited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
