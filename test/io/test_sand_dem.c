// SPDX-License-Identifier: MIT
// labels: medium data
// seconds: 20
// Sand on a crop of a real elevation model, the volcano St Helens: no model and no preset marks it
// with lines at the distances of a pyramid from its edges, or with waves along the axes of the
// grid, and sand that enters lays no bank along its edges.
#include "sample.h"

#include "support/grid_marks.h"

#include <wadi/wadi.h>

enum
{
    SIDE = 128
};

typedef struct sand_case
{
    const char* process;
    const char* preset;
    double direction;
    double years;
    wadi_edge edge;
    double most_line; // over the rows beside it
    double most_axes; // docs/GAPS.md
} sand_case;

static void* sand_params(wadi_context* context, const wadi_process* process, const sand_case* c)
{
    void* params = calloc(1, process->fields->params_size);
    assert_non_null(params);
    wadi_fields_init(process->fields, params);
    CHECK_OK(context, wadi_process_apply_preset(context, process, c->preset, params));
    CHECK_OK(context, wadi_field_set(context, process->fields, "direction", c->direction, params));
    return params;
}

static void sand_fill(wadi_context* context, wadi_terrain* terrain, const float* heights)
{
    static float rock[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        rock[i] = heights[i] - 3.0f;
    }
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    CHECK_OK(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
}

static void sand_change(const wadi_terrain* terrain, const float* before, float* change)
{
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        const double height = wadi_terrain_units(terrain, WADI_LAYER_BEDROCK, x, y) +
                              (double)wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, x, y);
        change[i] = (float)(height / 65536.0 - (double)before[i]);
    }
}

static void sand_check(wadi_context* context, const float* heights, const sand_case* c)
{
    static float change[SIDE * SIDE];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = 10.0;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = c->edge;
    }
    wadi_terrain* terrain;
    wadi_solver* solver;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    sand_fill(context, terrain, heights);
    const wadi_process* process = wadi_process_find(context, c->process);
    void* params = sand_params(context, process, c);
    CHECK_OK(context, wadi_solver_create(terrain, process, params, 0, &solver));
    free(params);
    CHECK_OK(context, wadi_solver_advance(solver, c->years));
    CHECK_OK(context, wadi_solver_settle(solver));
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    sand_change(terrain, heights, change);
    const grid_line line = grid_marks_lines(change, SIDE, SIDE);
    const double axes = grid_marks_axes(change, SIDE);
    const double rms = grid_marks_rms(change, SIDE);
    print_message("%s, %s, edges %d, wind from %.0f: axes %.2f at %.3f m, line %.2f of %.3f m\n",
                  c->process, c->preset, (int)c->edge, c->direction, axes, rms, line.ratio,
                  line.bend);
    assert_true(rms > 0.0); // something has moved
    assert_true(axes <= c->most_axes || rms <= 0.01);
    assert_true(line.ratio <= c->most_line);
    wadi_terrain_destroy(terrain);
}

static void sand_keeps_no_marks_of_the_grid(void** state)
{
    (void)state;
    static const sand_case cases[] = {
        {"dunes", "default", 240.0, 20.0, WADI_EDGE_OPEN, 1.5, 1.2},
        {"dunes", "default", 62.0, 20.0, WADI_EDGE_CLOSED, 2.5, 1.3},
        {"dunes", "paper", 240.0, 5.0, WADI_EDGE_OPEN, 1.5, 1.2},
        {"dunes", "paper", 62.0, 5.0, WADI_EDGE_CLOSED, 2.5, 1.3},
        {"wind", "default", 240.0, 40.0, WADI_EDGE_OPEN, 1.5, 1.2},
        {"wind", "default", 62.0, 40.0, WADI_EDGE_CLOSED, 2.5, 1.3},
        {"wind", "paper", 240.0, 5.0, WADI_EDGE_OPEN, 1.5, 1.6},
    };
    fixture f;
    fixture_open(&f, 2);
    wadi_io_raster raster;
    CHECK_OK(f.context,
             wadi_io_raster_read(f.context, SAMPLE_DATA "st-helens-128.tif", 0.0, true, &raster));
    assert_int_equal(raster.width, SIDE);
    assert_int_equal(raster.height, SIDE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        sand_check(f.context, raster.values, &cases[i]);
    }
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// ---- sand that enters --------------------------------------------------------------------------

// Mean change of the outermost cells of a side, over a depth of three.
static double bank_of(const float* change, wadi_side side)
{
    double sum = 0.0;
    for (int32_t i = 0; i < 3 * SIDE; ++i)
    {
        const int32_t along = i % SIDE;
        const int32_t in = i / SIDE;
        const int32_t far = SIDE - 1 - in;
        sum += (double)(side == WADI_SIDE_WEST    ? change[along * SIDE + in]
                        : side == WADI_SIDE_EAST  ? change[along * SIDE + far]
                        : side == WADI_SIDE_NORTH ? change[in * SIDE + along]
                                                  : change[far * SIDE + along]);
    }
    return sum / (3.0 * SIDE);
}

// Highest bank along the sides over which the wind brings sand.
static double bank_under(wadi_context* context, const float* heights, wadi_dunes_model model,
                         double years)
{
    static float change[SIDE * SIDE];
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = 10.0;
    wadi_terrain* terrain;
    wadi_solver* solver;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    sand_fill(context, terrain, heights);
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = (int32_t)model;
    params.inflow = 1.0;
    params.direction = 287.0;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    CHECK_OK(context, wadi_solver_advance(solver, years));
    CHECK_OK(context, wadi_solver_settle(solver));
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    sand_change(terrain, heights, change);
    const double west = bank_of(change, WADI_SIDE_WEST);
    const double north = bank_of(change, WADI_SIDE_NORTH);
    print_message("model %d, %.0f years: banks of %.1f and %.1f m, %.0f m3 came in\n", (int)model,
                  years, west, north, rows[WADI_MATERIAL_SEDIMENT].in);
    assert_true(rows[WADI_MATERIAL_SEDIMENT].in > 1e5); // sand does enter
    wadi_terrain_destroy(terrain);
    return fmax(west, north);
}

// The slopes behind the western and northern edges slow the wind, which brings the sand of flat
// ground over no edge where it can carry less. When it did, 21 m of sand lay there with `flux`.
static void slow_sand_that_enters_lays_no_bank(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_io_raster raster;
    CHECK_OK(f.context,
             wadi_io_raster_read(f.context, SAMPLE_DATA "st-helens-128.tif", 0.0, true, &raster));
    assert_true(bank_under(f.context, raster.values, WADI_DUNES_FLUX, 60.0) < 3.0);
    assert_true(bank_under(f.context, raster.values, WADI_DUNES_SLAB, 20.0) < 2.0);
    wadi_io_raster_free(&raster);
    fixture_close(&f);
}

// Moist sand that dries on star dunes, drawn on cells of 1 m: its cells do not take turns to trap
// sand and to lose it.
static void drying_sand_keeps_no_marks_of_the_grid(void** state)
{
    (void)state;
    static float heights[SIDE * SIDE];
    static float sand[SIDE * SIDE];
    fixture f;
    fixture_open(&f, 2);
    wadi_io_raster raster;
    CHECK_OK(f.context,
             wadi_io_raster_read(f.context, SAMPLE_DATA "rub-al-khali-star-dunes-30m.tif", 0.0,
                                 true, &raster));
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = raster.values[i / SIDE * raster.width + i % SIDE] / 30.0f;
    }
    wadi_io_raster_free(&raster);
    wadi_terrain* terrain = fixture_plain(&f, SIDE, SIDE, 1.0, WADI_EDGE_PERIODIC);
    sand_fill(f.context, terrain, heights);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, 0.3));
    wadi_dunes_params params = wadi_dunes_params_default();
    params.dry_rate = 0.02;
    params.dry_rain = 10.0;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 0.6);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sand[i] = (float)fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % SIDE, i / SIDE);
        heights[i] = heights[i] - 3.0f + sand[i];
    }
    const double marks = grid_marks_alternating(heights, sand, SIDE, SIDE);
    print_message("%.3f of the sand cells alternate\n", marks);
    assert_true(marks <= 0.03);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sand_keeps_no_marks_of_the_grid),
        cmocka_unit_test(slow_sand_that_enters_lays_no_bank),
        cmocka_unit_test(drying_sand_keeps_no_marks_of_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
