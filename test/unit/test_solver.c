// SPDX-License-Identifier: MIT
// Solvers of all processes: maps and tables of other models are refused, figures and state are
// handed on, and a terrain knows that it has changed.
#include "support/fixture.h"

#include <wadi/hydraulic.h>
#include <wadi/landslide.h>

enum
{
    WIDTH = 61,
    HEIGHT = 47
};

typedef struct bench
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
} bench;

// A solver of one model on rough ground.
static void bench_open(bench* b, const wadi_process* process, int32_t model)
{
    fixture_open(&b->f, 1);
    b->terrain = fixture_falling(&b->f, WIDTH, HEIGHT, WADI_SIDE_EAST, 0.1);
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    if (process->model_count > 1)
    {
        CHECK_OK(b->f.context,
                 wadi_field_set(b->f.context, process->fields, "model", model, params));
    }
    if (process == &wadi_landslide_process && model == WADI_LANDSLIDE_SLUMP)
    {
        CHECK_OK(b->f.context, wadi_field_set(b->f.context, process->fields, "start",
                                              WADI_LANDSLIDE_DEEP, params));
    }
    CHECK_OK(b->f.context, wadi_solver_create(b->terrain, process, params, 0, &b->solver));
    test_free(params);
}

static void bench_close(bench* b)
{
    wadi_solver_destroy(b->solver);
    wadi_terrain_destroy(b->terrain);
    fixture_close(&b->f);
}

static bool takes(const wadi_process* process, int32_t model, uint32_t models)
{
    return wadi_model_is_in(process, &process->models[model], models);
}

// How many maps and tables a model refused.
static int32_t check_model(const wadi_process* process, int32_t model)
{
    static float map[WIDTH * HEIGHT];
    bench b;
    bench_open(&b, process, model);
    wadi_context* context = b.f.context;
    int32_t refused = 0;
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* info = &process->maps[i];
        if (info->input)
        {
            // none was set
            const bool taken = takes(process, model, info->models);
            CHECK_FAILS(context, taken ? WADI_ERROR_STATE : WADI_ERROR_ARGUMENT, info->name,
                        wadi_solver_map(b.solver, info->name, map));
        }
        else
        {
            CHECK_FAILS(context, WADI_ERROR_UNKNOWN, info->name,
                        wadi_solver_set_map(b.solver, info->name, map));
        }
        if (!info->input && !takes(process, model, info->models))
        {
            CHECK_FAILS(context, WADI_ERROR_ARGUMENT, info->name,
                        wadi_solver_map(b.solver, info->name, map));
            ++refused;
        }
    }
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        const wadi_table_info* table = &process->tables[i];
        if (!takes(process, model, table->models))
        {
            double row[16];
            for (int32_t c = 0; c < table->column_count; ++c)
            {
                row[c] = fmax(table->columns[c].min, fmin(table->columns[c].max, 1.0));
            }
            CHECK_FAILS(context, WADI_ERROR_ARGUMENT, table->name,
                        wadi_solver_set_table(b.solver, table->name, row, 1));
            ++refused;
        }
    }
    bench_close(&b);
    return refused;
}

static void maps_and_tables_of_other_models_are_refused(void** state)
{
    (void)state;
    int32_t refused = 0;
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        const wadi_process* process = wadi_process_at(NULL, i);
        for (int32_t m = 0; m < process->model_count; ++m)
        {
            refused += check_model(process, m);
        }
    }
    assert_true(refused > 5);
}

static void figures_are_handed_on(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, &wadi_wind_process, WADI_WIND_SALTATION);
    CHECK_OK(b.f.context, wadi_solver_advance(b.solver, 0.25));
    CHECK_OK(b.f.context, wadi_solver_finish(b.solver));
    wadi_figure figures[2] = {{.value = -1.0}, {.value = -1.0}};
    assert_true(wadi_solver_figures(b.solver, figures, 1) > 1);
    assert_string_equal(figures[0].name, "years");
    CHECK_NEAR(figures[0].value, 0.25, 1e-9);
    assert_true(figures[1].value == -1.0);
    bench_close(&b);
}

// A ten-millionth of a year starts no droplet, but is added to the time of the next call: later
// results differ.
static void state_counts_in_the_hash(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, &wadi_hydraulic_process, WADI_HYDRAULIC_DROPLETS);
    CHECK_OK(b.f.context, wadi_solver_advance(b.solver, 1e-7));
    const uint64_t first = wadi_solver_hash(b.solver);
    CHECK_OK(b.f.context, wadi_solver_advance(b.solver, 1e-7));
    assert_true(wadi_solver_hash(b.solver) != first);
    bench_close(&b);
}

static void sand_that_comes_down_changes_the_terrain(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, &wadi_dunes_process, WADI_DUNES_FLUX);
    CHECK_OK(b.f.context, wadi_solver_advance(b.solver, 0.1));
    CHECK_OK(b.f.context, wadi_solver_finish(b.solver));
    const double before = wadi_terrain_volume(b.terrain, WADI_LAYER_SEDIMENT);
    const uint64_t hash = wadi_terrain_hash(b.terrain);
    CHECK_OK(b.f.context, wadi_solver_settle(b.solver));
    assert_true(wadi_terrain_volume(b.terrain, WADI_LAYER_SEDIMENT) > before);
    assert_true(wadi_terrain_hash(b.terrain) != hash);
    bench_close(&b);
}

static void bodies_are_checked(void** state)
{
    (void)state;
    bench b;
    wadi_bodies bodies = {.count = 0};
    bench_open(&b, &wadi_talus_process, 0);
    CHECK_FAILS(b.f.context, WADI_ERROR_UNKNOWN, "talus",
                wadi_solver_set_bodies(b.solver, &bodies));
    bench_close(&b);
    bench_open(&b, &wadi_earth_process, 0);
    CHECK_FAILS(b.f.context, WADI_ERROR_RANGE, "0 bodies",
                wadi_solver_set_bodies(b.solver, &bodies));
    bodies.count = WADI_GRAIN_MAX_MATERIALS + 1;
    CHECK_FAILS(b.f.context, WADI_ERROR_RANGE, "bodies of soil",
                wadi_solver_set_bodies(b.solver, &bodies));
    bench_close(&b);
}

// After a change, and of a copy after the caller's struct is gone.
static void parameters_are_those_in_force(void** state)
{
    (void)state;
    bench b;
    bench_open(&b, &wadi_hydraulic_process, 0);
    const wadi_hydraulic_params* held = wadi_solver_params(b.solver);
    assert_true(held->rain == 1.0 && held->creep == 0.012);
    wadi_hydraulic_params params = *held;
    params.rain = 0.25;
    CHECK_OK(b.f.context, wadi_solver_change(b.solver, &params));
    params.rain = 2.0;
    held = wadi_solver_params(b.solver);
    assert_true(held->rain == 0.25 && held->creep == 0.012);
    params.rain = -1.0;
    CHECK_FAILS(b.f.context, WADI_ERROR_RANGE, "rain", wadi_solver_change(b.solver, &params));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_and_tables_of_other_models_are_refused),
        cmocka_unit_test(figures_are_handed_on),
        cmocka_unit_test(state_counts_in_the_hash),
        cmocka_unit_test(sand_that_comes_down_changes_the_terrain),
        cmocka_unit_test(bodies_are_checked),
        cmocka_unit_test(parameters_are_those_in_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
