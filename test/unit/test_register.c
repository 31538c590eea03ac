// SPDX-License-Identifier: MIT
// Processes registered at run time: refusals, lookup by name, and scenes that use them.
#include "support/fixture.h"

#include <wadi/model.h>

#include <stdio.h>

typedef struct rise_params
{
    uint32_t cookie;
    double metres; // of sediment on every cell
} rise_params;

typedef struct rise_state
{
    wadi_terrain* terrain;
    rise_params params;
} rise_state;

static wadi_result rise_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                               void** out)
{
    (void)stream;
    rise_state* state = wadi_alloc(wadi_terrain_context(terrain), 1, sizeof *state);
    assert_non_null(state);
    *state = (rise_state){terrain, *(const rise_params*)params};
    *out = state;
    return WADI_OK;
}

static wadi_result rise_advance(void* user, const wadi_span* span)
{
    const double years = span->years;
    const rise_state* state = user;
    (void)years;
    wadi_tally tally = {0};
    const int32_t amount = (int32_t)(state->params.metres * WADI_UNITS_PER_METRE);
    const int32_t width = wadi_terrain_width(state->terrain);
    for (int32_t i = 0; i < width * wadi_terrain_height(state->terrain); ++i)
    {
        wadi_terrain_put(state->terrain, i % width, i / width, amount, &tally);
        tally.in[WADI_MATERIAL_SEDIMENT] += amount;
    }
    wadi_terrain_book(state->terrain, "rise", &tally);
    return WADI_OK;
}

static void rise_destroy(void* user)
{
    rise_state* state = user;
    wadi_free(wadi_terrain_context(state->terrain), state);
}

static const wadi_field rise_field_list[] = {
    {"metres", WADI_FIELD_DOUBLE, offsetof(rise_params, metres), 2.0, 0.0, 10.0, "m",
     "sediment on every cell", "", NULL, 0},
};
static const wadi_field_table rise_fields = {"rise", rise_field_list, 1, sizeof(rise_params), NULL};
static const wadi_preset rise_presets[] = {{"default", "", NULL, 0}};
static const wadi_model_api rise_api = {
    .create = rise_create, .advance = rise_advance, .destroy = rise_destroy};
static const wadi_model rise_models[] = {{"only", "Puts sediment on every cell.",
                                          WADI_LAYER_BIT(WADI_LAYER_SEDIMENT),
                                          WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), 0, &rise_api}};
static const wadi_process rise = {
    .name = "rise",
    .doc = "Puts sediment on every cell.",
    .fields = &rise_fields,
    .presets = rise_presets,
    .preset_count = 1,
    .models = rise_models,
    .model_count = 1,
    .default_years = 1.0,
};

static void check_refused(fixture* f, const wadi_process* process)
{
    const int32_t count = wadi_process_count(f->context);
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "a process needs",
                wadi_process_register(f->context, process));
    assert_int_equal(wadi_process_count(f->context), count);
}

static void incomplete_descriptors_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    check_refused(&f, NULL);
    static const wadi_map_info map = {"height", "m", "", false, 0};
    static const wadi_map_switch none = {"height", "no_such_field"};
    static const wadi_figure_info mute = {"rise", "m", WADI_FIGURE_SUM, NULL, 0};
    wadi_process bad[14];
    for (int i = 0; i < 14; ++i)
    {
        bad[i] = rise;
    }
    bad[0].name = NULL;
    bad[1].doc = NULL;
    bad[2].fields = NULL;
    bad[3].preset_count = 0;
    bad[4].presets = NULL;
    bad[5].model_count = 0;
    bad[6].models = NULL;
    bad[7].default_years = 0.0;
    bad[8].map_count = 1; // no list of maps
    bad[9].map_count = 1;
    bad[9].maps = &map;       // no model makes it
    bad[10].switch_count = 1; // no list of switches
    bad[11].switches = &none; // no field of the process
    bad[11].switch_count = 1;
    bad[12].figure_count = 1; // no list of figures
    bad[13].figures = &mute;  // without a text
    bad[13].figure_count = 1;
    for (int i = 0; i < 14; ++i)
    {
        check_refused(&f, &bad[i]);
    }
    fixture_close(&f);
}

static void incomplete_models_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_model_api api[3] = {rise_api, rise_api, rise_api};
    api[0].create = NULL;
    api[1].advance = NULL;
    api[2].destroy = NULL;
    const wadi_model good = rise_models[0];
    wadi_model bad[7] = {good, good, good, good, good, good, good};
    bad[0].api = NULL;
    bad[1].api = &api[0];
    bad[2].api = &api[1];
    bad[3].api = &api[2];
    bad[4].traits = WADI_MODEL_HOLDS;  // without settle and held
    bad[5].traits = WADI_MODEL_BODIES; // without set_bodies
    bad[6].traits = WADI_MODEL_GRAINS; // without grains and watch
    wadi_process process = rise;
    for (int i = 0; i < 7; ++i)
    {
        process.models = &bad[i];
        check_refused(&f, &process);
    }
    const wadi_model two[] = {good, good}; // without a field `model`
    process.models = two;
    process.model_count = 2;
    check_refused(&f, &process);
    fixture_close(&f);
}

static void names_are_unique_in_a_context(void** state)
{
    (void)state;
    fixture f;
    fixture other;
    fixture_open(&f, 1);
    fixture_open(&other, 1);
    const int32_t library = wadi_process_count(NULL);
    CHECK_OK(f.context, wadi_process_register(f.context, &rise));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "'rise'", wadi_process_register(f.context, &rise));
    wadi_process talus = rise;
    talus.name = "talus";
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "'talus'",
                wadi_process_register(f.context, &talus));
    assert_int_equal(wadi_process_count(f.context), library + 1);
    assert_ptr_equal(wadi_process_at(f.context, library), &rise);
    assert_null(wadi_process_at(f.context, library + 1));
    assert_ptr_equal(wadi_process_find(f.context, "rise"), &rise);

    // other contexts do not know it
    assert_null(wadi_process_find(other.context, "rise"));
    assert_null(wadi_process_find(NULL, "rise"));
    fixture_close(&other);
    fixture_close(&f);
}

static void there_is_room_for_a_number_of_processes(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static wadi_process processes[WADI_MAX_REGISTERED + 1];
    static char names[WADI_MAX_REGISTERED + 1][16];
    for (int i = 0; i <= WADI_MAX_REGISTERED; ++i)
    {
        (void)snprintf(names[i], sizeof names[i], "rise%d", i);
        processes[i] = rise;
        processes[i].name = names[i];
        if (i < WADI_MAX_REGISTERED)
        {
            CHECK_OK(f.context, wadi_process_register(f.context, &processes[i]));
        }
    }
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "32",
                wadi_process_register(f.context, &processes[WADI_MAX_REGISTERED]));
    assert_ptr_equal(wadi_process_find(f.context, "rise31"), &processes[31]);
    assert_null(wadi_process_find(f.context, "rise32"));
    fixture_close(&f);
}

// A scene of a step found by name; its solver, its maps by "process.map", and the books.
static void scenes_run_registered_processes(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    CHECK_OK(f.context, wadi_process_register(f.context, &rise));
    wadi_scene* scene = NULL;
    CHECK_OK(f.context, wadi_scene_create(f.context, &scene));
    CHECK_OK(f.context, wadi_scene_set_grid(
                            scene, &(wadi_scene_grid){.width = 4, .height = 3, .cell_size = 10.0}));
    const wadi_source_kind* flat = wadi_source_kind_find("flat");
    double level[64];
    wadi_fields_init(flat->fields, level);
    const wadi_scene_ground ground = {.source = {.kind = flat, .params = level}, .weight = 1.0};
    CHECK_OK(f.context, wadi_scene_add_ground(scene, &ground));
    const wadi_process* found = wadi_process_find(f.context, "rise");
    rise_params params;
    wadi_fields_init(found->fields, &params);
    wadi_step step = {.kind = WADI_STEP_PROCESS,
                      .process = {.process = found, .params = &params, .years = 1.0}};
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    params.metres = 11.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "metres", wadi_scene_add_step(scene, &step));

    wadi_run* run = NULL;
    CHECK_OK(f.context, wadi_run_create(scene, &(wadi_host){0}, &run));
    CHECK_OK(f.context, wadi_run_next(run));
    assert_true(wadi_run_is_done(run));
    assert_ptr_equal(wadi_solver_process(wadi_run_solver(run, found)), found);
    wadi_terrain* terrain = wadi_run_terrain(run);
    int32_t units[12];
    wadi_terrain_read_units(terrain, WADI_LAYER_SEDIMENT, units);
    for (int i = 0; i < 12; ++i)
    {
        assert_int_equal(units[i], 2 * WADI_UNITS_PER_METRE);
    }
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger_of(terrain, "rise", rows, 3);
    CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].in, 2.0 * 12.0 * 100.0, 0.0);
    fixture_check_ledger(terrain);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void whole_layers_are_read_in_units(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 9, 7, 3);
    fixture_holes(terrain);
    static const wadi_layer layers[] = {WADI_LAYER_SURFACE, WADI_LAYER_BEDROCK, WADI_LAYER_HARDNESS,
                                        WADI_LAYER_SEDIMENT};
    int32_t units[9 * 7];
    int voids = 0;
    for (int l = 0; l < 4; ++l)
    {
        wadi_terrain_read_units(terrain, layers[l], units);
        for (int32_t i = 0; i < 9 * 7; ++i)
        {
            const bool valid = wadi_terrain_is_valid(terrain, i % 9, i / 9);
            voids += valid ? 0 : 1;
            assert_int_equal(units[i], valid ? wadi_terrain_units(terrain, layers[l], i % 9, i / 9)
                                             : WADI_NO_UNITS);
        }
    }
    assert_true(voids > 0);
    wadi_terrain_read_units(terrain, 99, units);
    assert_int_equal(units[0], WADI_NO_UNITS);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incomplete_descriptors_are_refused),
        cmocka_unit_test(incomplete_models_are_refused),
        cmocka_unit_test(names_are_unique_in_a_context),
        cmocka_unit_test(there_is_room_for_a_number_of_processes),
        cmocka_unit_test(scenes_run_registered_processes),
        cmocka_unit_test(whole_layers_are_read_in_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
