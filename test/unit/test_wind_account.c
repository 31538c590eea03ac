// SPDX-License-Identifier: MIT
// Reporting by the wind: a map of the sand in the air, a note about land without sand, refusal of
// winds given twice. Also stabilisation of slopes by plants.
#include "support/fixture.h"
#include "support/notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    SIZE = 64,
    CELLS = SIZE * SIZE
};

static wadi_terrain* account_terrain(wadi_context* context, double cell, double sand)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = cell;
    def.seed = 5;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    wadi_terrain* terrain;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    CHECK_OK(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, sand));
    return terrain;
}

// ---- the map of what the wind holds
// --------------------------------------------------------------

static double account_transit(const wadi_terrain* terrain)
{
    return fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT).transit;
}

// Volume in the air by the map and by the ledger [m3], on cells of 30 m, where batches are long.
static void account_compare(const char* preset)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = account_terrain(f.context, 30.0, 0.0);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 40.0, 6);
    wadi_wind_params params = wadi_wind_params_default();
    CHECK_OK(f.context, wadi_process_apply_preset(f.context, &wadi_wind_process, preset, &params));
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    float* map = test_malloc(CELLS * sizeof *map);
    CHECK_OK(f.context, wadi_solver_map(solver, "transit", map));
    double volume = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        assert_true(map[i] >= 0.0f);
        volume += (double)map[i] * 900.0;
    }
    const double held = account_transit(terrain);
    print_message("%s: %g m3 on the map, %g m3 in the ledger, %.2g m everywhere\n", preset, volume,
                  held, held / (900.0 * CELLS));
    assert_true(held > 0.0);
    assert_true(fabs(volume - held) < 1e-4 * held);
    test_free(map);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void sand_in_the_air_is_on_a_map(void** state)
{
    (void)state;
    account_compare("default");
    account_compare("paper-repo");
}

// ---- notes and refusals
// --------------------------------------------------------------------------

static notes account_listen(double sand, double inflow)
{
    notes said;
    wadi_context* context = notes_open(&said);
    wadi_terrain* terrain = account_terrain(context, 2.0, sand);
    wadi_wind_params params = wadi_wind_params_default();
    params.inflow = inflow;
    wadi_solver* solver;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    CHECK_OK(context, wadi_solver_advance(solver, 0.01));
    CHECK_OK(context, wadi_solver_finish(solver));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
    return said;
}

static void land_without_sand_is_said(void** state)
{
    (void)state;
    assert_non_null(strstr(account_listen(0.0, 0.0).last, "the terrain has no sand"));
    assert_int_equal(account_listen(0.0, 0.5).count, 0);
    assert_int_equal(account_listen(1.0, 0.0).count, 0);
}

static void winds_given_twice_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = account_terrain(f.context, 2.0, 1.0);
    const double rose[] = {200.0, 8.0, 1.0};
    const double series[] = {10.0, 200.0, 8.0};
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, NULL, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_table(solver, "rose", rose, 1));
    CHECK_OK(f.context,
             wadi_solver_set_table(solver, "rose", rose, 1)); // replaces the previous one
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "as 'rose' and as 'series'",
                wadi_solver_set_table(solver, "series", series, 1));
    wadi_solver_destroy(solver);
    const struct
    {
        const char* name;
        double value;
    } given[] = {{"direction", 240.0}, {"speed", 12.0}, {"blowing", 0.5}, {"regime", 1.0}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; ++i)
    {
        wadi_wind_params params = wadi_wind_params_default();
        CHECK_OK(f.context, wadi_field_set(f.context, &wadi_wind_fields, given[i].name,
                                           given[i].value, &params));
        CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
        CHECK_FAILS(f.context, WADI_ERROR_STATE, given[i].name,
                    wadi_solver_set_table(solver, "series", series, 1));
        wadi_solver_destroy(solver);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- plants
// --------------------------------------------------------------------------------------

// Steepest slope along a row [degree] of a ridge of sand after a short wind, with or without
// plants. It starts at 40 degrees, above the repose of bare sand.
static double account_steepest(double cover)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = account_terrain(f.context, 1.0, 0.0);
    float* sand = test_malloc(CELLS * sizeof *sand);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] = (float)fmax(0.0, 0.8391 * (16.0 - fabs(i % SIZE - 31.5)));
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, SIZE));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_VEGETATION, cover));
    wadi_wind_params params = wadi_wind_params_default();
    params.speed = 6.0; // below the threshold of flat sand
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 0.001));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    wadi_view view;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    double steepest = 0.0;
    for (int32_t x = 1; x < SIZE; ++x)
    {
        const float* row = view.data + 20 * view.stride;
        steepest = fmax(steepest, fabs((double)row[x] - (double)row[x - 1]));
    }
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    test_free(sand);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return atan(steepest) * (180.0 / 3.14159265358979323846);
}

static void plants_hold_steep_sand(void** state)
{
    (void)state;
    const double bare = account_steepest(0.0);
    const double half = account_steepest(0.5);
    const double full = account_steepest(1.0);
    print_message("sand rests at %.1f degrees, under half cover at %.1f, under full at %.1f\n",
                  bare, half, full);
    assert_true(bare < 33.5);
    assert_true(half > 38.0 && half < 40.0); // tangent half way between 32.5 and 45: 39.3
    assert_true(full > 39.9);
}

// Eight solvers, each of which takes over from the one before, on a torus of 442 368 m3 of sand.
static void account_change_hands(const wadi_process* process, const char* preset)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = account_terrain(f.context, 6.0, 3.0);
    const double volume = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    CHECK_OK(f.context, wadi_process_apply_preset(f.context, process, preset, params));
    int64_t held = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        wadi_solver* solver;
        CHECK_OK(f.context, wadi_solver_create(terrain, process, params, i, &solver));
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.2));
        CHECK_OK(f.context, wadi_solver_finish(solver));
        held += wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT);
        CHECK_OK(f.context, wadi_solver_settle(solver));
        wadi_solver_destroy(solver);
    }
    assert_true(held > 0 || process != &wadi_wind_process || strcmp(preset, "default") != 0);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) == volume);
    assert_true(account_transit(terrain) == 0.0);
    fixture_check_ledger(terrain);
    test_free(params);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void sand_stays_when_solvers_are_replaced(void** state)
{
    (void)state;
    account_change_hands(&wadi_wind_process, "default");
    account_change_hands(&wadi_wind_process, "paper");
    account_change_hands(&wadi_dunes_process, "default");
    account_change_hands(&wadi_dunes_process, "paper");
}

// ---- one solver, many calls and events
// --------------------------------------------------------------

// An edit: 1 m of sand on a square. Returns its volume [m3].
static double account_edit(wadi_context* context, wadi_terrain* terrain, int32_t at)
{
    float* sand = test_malloc(CELLS * sizeof *sand);
    wadi_view view;
    CHECK_OK(context, wadi_terrain_borrow(terrain, WADI_LAYER_SEDIMENT, &view));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] = view.data[i / SIZE * view.stride + i % SIZE];
    }
    CHECK_OK(context, wadi_terrain_release(terrain, WADI_LAYER_SEDIMENT));
    for (int32_t i = 0; i < 64; ++i)
    {
        sand[(at + i / 8) % SIZE * SIZE + (3 * at + i % 8) % SIZE] += 1.0f;
    }
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, SIZE));
    test_free(sand);
    return wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) - before;
}

static void account_table(wadi_context* context, wadi_solver* solver, int32_t call)
{
    const double rose[] = {30.0 * (call % 12), 9.0, 0.1, 250.0, 8.0, 0.1, 0.0, 0.0, 0.8};
    CHECK_OK(context, wadi_solver_set_table(solver, "rose", rose, 3));
}

// Other winds, another number of parcels, the feedback on and off.
static void account_params(wadi_context* context, wadi_solver* solver, bool tables, int32_t call,
                           wadi_wind_params* params)
{
    if (!tables)
    {
        params->direction = 37.0 * (call % 9);
    }
    params->visits = call % 3 == 0 ? 0.4 : 1.3;
    params->momentum = call % 2 == 0 ? 0.0 : 0.5;
    params->grain_mass = 0.001 * (call % 5);
    if (params->model == WADI_WIND_GRAINS)
    {
        params->visits = 1.0;
        params->momentum = 0.0;
    }
    else
    {
        params->grain_mass = 0.01;
    }
    CHECK_OK(context, wadi_solver_change(solver, params));
}

// 1.6 years in so many calls, with an event between any two. All sand is there at the end.
static void account_events(const char* preset, int32_t calls, bool tables)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = account_terrain(f.context, 6.0, 3.0);
    double volume = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
    assert_true(volume == 442368.0);
    wadi_wind_params params = wadi_wind_params_default();
    CHECK_OK(f.context, wadi_process_apply_preset(f.context, &wadi_wind_process, preset, &params));
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    int64_t most = 0;
    for (int32_t call = 0; call < calls; ++call)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.6 / calls));
        CHECK_OK(f.context, wadi_terrain_advance_clock(terrain, 1.6 / calls));
        CHECK_OK(f.context, wadi_solver_finish(solver));
        const int64_t held = wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT);
        most = held > most ? held : most;
        assert_true((account_transit(terrain) > 0.0) == (held > 0));
        if (call + 1 < calls && call % 3 == 0)
        {
            account_params(f.context, solver, tables, call, &params);
        }
        else if (call + 1 < calls && call % 3 == 1 && tables)
        {
            account_table(f.context, solver, call);
        }
        else if (call + 1 < calls)
        {
            volume += account_edit(f.context, terrain, call);
        }
        assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == held);
        fixture_check_ledger(terrain);
    }
    // grains of the article lift nothing from a sheet without relief
    assert_true(most > 0 || params.model == WADI_WIND_GRAINS);
    CHECK_OK(f.context, wadi_solver_settle(solver));
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) == volume);
    assert_true(account_transit(terrain) == 0.0);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void events_keep_all_sand(void** state)
{
    (void)state;
    static const int32_t calls[] = {1, 8, 80};
    for (int i = 0; i < 3; ++i)
    {
        account_events("default", calls[i], false);
        account_events("default", calls[i], true);
        account_events("paper-repo", calls[i], false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sand_in_the_air_is_on_a_map),
        cmocka_unit_test(land_without_sand_is_said),
        cmocka_unit_test(winds_given_twice_are_refused),
        cmocka_unit_test(plants_hold_steep_sand),
        cmocka_unit_test(sand_stays_when_solvers_are_replaced),
        cmocka_unit_test(events_keep_all_sand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
