// SPDX-License-Identifier: MIT
// Rivers wider than a cell in the model "streams": the width of their beds by discharge, banks, the
// same on cells of other sizes and at other azimuths; calls, threads and hard rock.
#include "support/fixture.h"

#include <wadi/archive.h>

#include <stdlib.h>

#define LAND 1280.0 // m, a side

// A plane that falls by 0.02 along an azimuth from the east, clockwise in steps of 45 degrees, with
// a groove along its middle that takes the river in, between edges of one kind.
typedef struct plane
{
    double cell; // [m]
    bool diagonal;
    bool periodic; // in the north and south
    double river;  // [m3/s]
} plane;

static const plane usual = {.cell = 10.0, .river = 60.0};

static int32_t plane_size(const plane* p)
{
    return (int32_t)(LAND / p->cell + 0.5);
}

// Distance of a cell's centre from the groove, and along it from its begin [m].
static void plane_place(const plane* p, int32_t x, int32_t y, double* aside, double* along)
{
    const double east = (x + 0.5) * p->cell;
    const double south = (y + 0.5) * p->cell;
    const double half = sqrt(0.5);
    *along = p->diagonal ? (east + south) * half : east;
    *aside = p->diagonal ? (south - east) * half : south - 0.5 * LAND - 0.5 * p->cell;
}

static wadi_terrain* plane_make(fixture* f, const plane* p)
{
    const int32_t size = plane_size(p);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = size;
    def.height = size;
    def.cell_size = p->cell;
    for (int side = 0; side < WADI_SIDE_VOID; ++side)
    {
        const bool along = side == WADI_SIDE_EAST || side == WADI_SIDE_WEST;
        def.edges[side] = p->periodic && !along ? WADI_EDGE_PERIODIC : WADI_EDGE_CLOSED;
    }
    def.edges[WADI_SIDE_EAST] = WADI_EDGE_OPEN;
    def.edges[WADI_SIDE_SOUTH] = p->diagonal ? WADI_EDGE_OPEN : def.edges[WADI_SIDE_SOUTH];
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float* heights = test_calloc((size_t)size * (size_t)size, sizeof *heights);
    for (int32_t i = 0; i < size * size; ++i)
    {
        double aside;
        double along;
        plane_place(p, i % size, i / size, &aside, &along);
        heights[i] = (float)(200.0 - 0.02 * along + fmin(0.05 * fabs(aside), 3.0));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, size));
    test_free(heights);
    return terrain;
}

static wadi_solver* river_of(wadi_terrain* terrain, const plane* p, double width)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.rain = 0.2;
    params.max_step = 200.0;
    params.river_width = width;
    wadi_solver* solver;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double aside = p->diagonal ? LAND - 0.5 * p->cell : 0.5 * LAND - 0.5 * p->cell;
    const double row[] = {0.5 * p->cell, aside, 0.0, p->river, 0.0, 0.0};
    CHECK_OK(context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

// Mean width of the ground across the river that stands less than `high` above the lowest there, in
// the middle third of the land [m].
static double floor_of(wadi_terrain* terrain, const plane* p, double high)
{
    const int32_t size = plane_size(p);
    const double reach = LAND / 3.0;
    double area = 0.0;
    float* low = test_calloc(256, sizeof *low);
    for (int i = 0; i < 256; ++i)
    {
        low[i] = 1e9f;
    }
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int32_t c = 0; c < size * size; ++c)
        {
            double aside;
            double along;
            plane_place(p, c % size, c / size, &aside, &along);
            const double span = p->diagonal ? LAND * sqrt(2.0) : LAND;
            const double from = along - 0.5 * (span - reach);
            const int slice = (int)(from / 20.0);
            if (from < 0.0 || from >= reach || fabs(aside) > 0.3 * LAND)
            {
                continue;
            }
            const double h = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, c % size, c / size) /
                             (double)WADI_UNITS_PER_METRE;
            low[slice] = pass == 0 && h < (double)low[slice] ? (float)h : low[slice];
            area += pass == 1 && h < (double)low[slice] + high ? p->cell * p->cell : 0.0;
        }
    }
    test_free(low);
    return area / reach;
}

typedef struct result
{
    double floor;    // [m]
    double lowering; // [m]
} result;

static result run(const plane* p, double width, double years)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plane_make(&f, p);
    wadi_solver* solver = river_of(terrain, p, width);
    fixture_live(solver, years);
    const result r = {floor_of(terrain, p, 3.6), fixture_figure(solver, "mean_lowering")};
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return r;
}

// ---- shape -------------------------------------------------------------------------------

static bool near(double value, double wanted, double part)
{
    return fabs(value - wanted) <= part * wanted;
}

// Bankfull width 4 Q^0.5 of five times the mean: 69 m at 60 m3/s, where the bank is 3.2 m high.
static void beds_are_as_wide_as_their_discharge(void** state)
{
    (void)state;
    plane p = usual;
    const double law = 9.0 * sqrt(p.river);
    assert_true(near(run(&p, 9.0, 1e4).floor, law, 0.1));
    assert_true(run(&p, 0.0, 1e4).floor < 0.5 * law);
    p.river = 15.0; // half as wide
    assert_true(near(run(&p, 9.0, 1e4).floor, 0.5 * law, 0.2));
}

// Without wide beds the lowering doubles from cells of 10 to 40 m.
static void cells_and_azimuths_agree(void** state)
{
    (void)state;
    plane p = usual;
    const double law = 9.0 * sqrt(p.river);
    const result ten = run(&p, 9.0, 1e4);
    for (p.cell = 5.0; p.cell <= 20.0; p.cell *= 4.0)
    {
        const result other = run(&p, 9.0, 1e4);
        assert_true(near(other.floor, law, 0.12));
        assert_true(near(other.lowering, ten.lowering, 0.03));
    }
    p.cell = 10.0;
    p.diagonal = true;
    assert_true(near(run(&p, 9.0, 1e4).floor, ten.floor, 0.1));
}

// The cross-section: a bed that rises from its middle to its banks, as deep as a bankfull river.
static void beds_rise_to_their_banks(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plane_make(&f, &usual);
    wadi_solver* solver = river_of(terrain, &usual, 9.0);
    fixture_live(solver, 1e4);
    const int32_t middle = plane_size(&usual) / 2;
    double mean[8] = {0};
    for (int32_t x = 40; x < 88; ++x)
    {
        for (int32_t i = 0; i < 8; ++i)
        {
            mean[i] += (wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, middle + i) -
                        wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, middle)) /
                       (48.0 * WADI_UNITS_PER_METRE);
        }
    }
    const double depth = 0.33 * pow(5.0 * usual.river, 0.4);
    for (int32_t i = 1; i <= 3; ++i)
    {
        const double across = 10.0 * i / (4.5 * sqrt(usual.river));
        assert_true(mean[i] > mean[i - 1]);
        assert_true(mean[i] < 1.2 * depth * across * across);
    }
    assert_true(mean[4] > depth); // outside
    assert_true(mean[5] - mean[4] > mean[3] - mean[2]);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The map has the width of every stream: of a river, of the rain on a slope, and none in a lake.
static void the_map_has_the_width_of_rivers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    plane p = usual;
    p.cell = 40.0;
    wadi_terrain* terrain = plane_make(&f, &p);
    wadi_solver* solver = river_of(terrain, &p, 7.0);
    fixture_advance(solver, 200.0);
    const int32_t size = plane_size(&p);
    float* width = test_calloc((size_t)size * (size_t)size, sizeof *width);
    float* flow = test_calloc((size_t)size * (size_t)size, sizeof *flow);
    CHECK_OK(f.context, wadi_solver_map(solver, "river_width", width));
    CHECK_OK(f.context, wadi_solver_map(solver, "discharge", flow));
    for (int32_t c = 0; c < size * size; ++c)
    {
        const double q = (double)flow[c];
        const double head = 3.5e4 / 31557600.0;
        const bool dry = wadi_terrain_units(terrain, WADI_LAYER_WATER, c % size, c / size) == 0;
        const double law = dry ? 7.0 * sqrt(q) * q / (q + head) : 0.0;
        CHECK_NEAR((double)width[c], law, 1e-4 * law + 1e-9);
    }
    assert_true(width[size / 2 * size + 5] > 50.0f);
    test_free(width);
    test_free(flow);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- rock --------------------------------------------------------------------------------

// Rock of hardness 0.9 beside a river on soft ground wears a tenth as fast; of hardness 1 it stays.
static double bank_of(double hardness, double years)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = plane_make(&f, &usual);
    const int32_t size = plane_size(&usual);
    float* hard = test_calloc((size_t)size * (size_t)size, sizeof *hard);
    for (int32_t c = 0; c < size * size; ++c)
    {
        hard[c] = c / size > size / 2 + 1 ? (float)hardness : 0.0f;
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_HARDNESS, hard, size));
    test_free(hard);
    const int32_t row = size / 2 + 3;
    const int32_t before = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, size / 2, row);
    wadi_solver* solver = river_of(terrain, &usual, 9.0);
    fixture_live(solver, years);
    const int32_t after = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, size / 2, row);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return (double)(before - after) / WADI_UNITS_PER_METRE;
}

static void hard_banks_hold(void** state)
{
    (void)state;
    const double soft = bank_of(0.0, 1e3);
    const double hard = bank_of(0.95, 1e3);
    assert_true(soft > 0.5);
    assert_true(hard > 0.0 && hard < 0.5 * soft);
    assert_true(bank_of(1.0, 1e3) == 0.0);
}

// ---- time, threads, nonsense -------------------------------------------------------------

static wadi_solver* periodic_river(fixture* f)
{
    plane p = usual;
    p.cell = 20.0;
    p.periodic = true;
    return river_of(plane_make(f, &p), &p, 20.0);
}

// A river with a load [kg/m3] on rough ground of some hardness, with holes.
static wadi_solver* laden_river(fixture* f, double load, bool plains)
{
    wadi_terrain* terrain = fixture_rough(f, 61, 47, 3);
    fixture_holes(terrain);
    const plane p = {.cell = 10.0, .river = 80.0};
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = 100.0;
    params.plains = plains;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double row[] = {305.0, 235.0, 0.0, p.river, 0.0, load};
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

static wadi_solver* hard_river(fixture* f)
{
    return laden_river(f, 1e-3, false);
}

static void calls_and_threads_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(periodic_river, 2500.0);
    fixture_check_cuts(hard_river, 1500.0);
}

// The widest beds, on lands of any shape: books close, and nothing breaks.
static void absurd_rivers_break_nothing(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 40}, {40, 1}, {3, 5}, {97, 131}};
    static const double cells[] = {0.5, 100.0};
    for (int i = 0; i < 8; ++i)
    {
        fixture f;
        fixture_open(&f, 3);
        const wadi_edge edge = i / 4 == 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN;
        wadi_terrain* terrain =
            fixture_plain(&f, sizes[i % 4][0], sizes[i % 4][1], cells[i / 4], edge);
        fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 500.0, 7);
        wadi_hydraulic_params params = wadi_hydraulic_params_default();
        params.river_width = 100.0;
        params.rain = 20.0;
        params.channel_head = 1.0;
        params.max_step = 1e3;
        wadi_solver* solver;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
        fixture_live(solver, 5e3);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Fail each allocation of the first step with wide rivers in turn; the step can be taken again. A
// load of 2 kg/m3 is 2 million metres of ground on one cell in a step, more than any cell can take.
static void running_out_of_memory_is_survived(void** state)
{
    (void)state;
    for (int plains = 0; plains < 2; ++plains)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_solver* solver = laden_river(&f, 2.0, plains != 0);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        int failures = 0;
        wadi_result outcome = WADI_ERROR_MEMORY;
        while (outcome != WADI_OK)
        {
            f.memory.fail_at = f.memory.calls + 1 + failures % 8;
            outcome = wadi_solver_advance(solver, 100.0);
            assert_true(outcome == WADI_OK || outcome == WADI_ERROR_MEMORY);
            assert_true(fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).residual_units == 0);
            failures += outcome == WADI_OK ? 0 : 1;
        }
        f.memory.fail_at = 0;
        assert_true(failures > 3);
        fixture_live(solver, 500.0);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beds_are_as_wide_as_their_discharge),
        cmocka_unit_test(cells_and_azimuths_agree),
        cmocka_unit_test(beds_rise_to_their_banks),
        cmocka_unit_test(the_map_has_the_width_of_rivers),
        cmocka_unit_test(hard_banks_hold),
        cmocka_unit_test(calls_and_threads_change_nothing),
        cmocka_unit_test(absurd_rivers_break_nothing),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
