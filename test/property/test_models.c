// SPDX-License-Identifier: MIT
// labels: fast
// Requirements on every model of a process: its row in the table is true, and it refuses what other
// models read.
#include "support/choice.h"
#include "support/registered.h"

#include "core/internal.h"
#include "terrain/ground.h"

// ---- models -------------------------------------------------------------------------------------

static void check_models(const wadi_process* process)
{
    const wadi_field* field = wadi_field_find(process->fields, "model");
    assert_true(process->model_count >= 1 && (process->model_count > 1) == (field != NULL));
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        const wadi_model* model = &process->models[m];
        assert_true(strlen(model->name) > 0 && strlen(model->doc) > 0 && model->reads != 0);
        assert_true(field == NULL || strcmp(field->names[m], model->name) == 0);
        assert_true(model->api->create != NULL && model->api->destroy != NULL);
    }
    assert_true(field == NULL || field->names[process->model_count] == NULL);
}

static void models_have_names_of_their_field(void** state)
{
    (void)state;
    for (int32_t i = 0; i < wadi_process_count(choice_registry); ++i)
    {
        check_models(wadi_process_at(choice_registry, i));
    }
}

// One field at its largest value under one model: refused, with its name, by models that do not
// read it.
static void check_field_of_model(fixture* f, wadi_terrain* terrain, const wadi_process* process,
                                 int32_t m, const wadi_field* field)
{
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    CHECK_OK(f->context, wadi_field_set(f->context, process->fields, "model", m, params));
    const double other = field->initial == field->max ? field->min : field->max;
    CHECK_OK(f->context, wadi_field_set(f->context, process->fields, field->name, other, params));
    const bool reads = wadi_model_is_in(process, &process->models[m], field->models);
    const wadi_result said = wadi_process_check_field(f->context, process, params, field->name);
    assert_int_equal(said, reads ? WADI_OK : WADI_ERROR_ARGUMENT);
    if (!reads)
    {
        wadi_solver* solver = NULL;
        CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, field->name,
                    wadi_solver_create(terrain, process, params, 0, &solver));
        assert_non_null(strstr(wadi_error_detail(f->context), process->models[m].name));
    }
    test_free(params);
}

static void parameters_of_other_models_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    int32_t models = 0;
    for (int32_t i = 0; i < wadi_process_count(choice_registry); ++i)
    {
        const wadi_process* process = wadi_process_at(choice_registry, i);
        for (int32_t m = 0; process->model_count > 1 && m < process->model_count; ++m, ++models)
        {
            for (int32_t k = 0; k < process->fields->count; ++k)
            {
                if (strcmp(process->fields->fields[k].name, "model") != 0)
                {
                    check_field_of_model(&f, terrain, process, m, &process->fields->fields[k]);
                }
            }
        }
    }
    assert_true(models >= 8);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Ground with something in every layer; `other` varies the layers of one set.
static wadi_terrain* varied(fixture* f, uint32_t other)
{
    wadi_terrain* terrain = fixture_rough(f, CHOICE_WIDTH, CHOICE_HEIGHT, 11);
    static const wadi_layer layers[] = {WADI_LAYER_WATER, WADI_LAYER_HARDNESS,
                                        WADI_LAYER_VEGETATION, WADI_LAYER_MOISTURE};
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 2.0, 12);
    for (uint64_t i = 0; i < sizeof layers / sizeof layers[0]; ++i)
    {
        const uint64_t seed = 20 + i + ((other & WADI_LAYER_BIT(layers[i])) != 0 ? 10 : 0);
        fixture_noise(terrain, layers[i], 0.0, 0.6, seed);
    }
    return terrain;
}

static uint64_t layer_hash(const wadi_terrain* terrain, wadi_layer layer)
{
    uint64_t hash = 0;
    for (int32_t y = 0; y < CHOICE_HEIGHT; ++y)
    {
        for (int32_t x = 0; x < CHOICE_WIDTH; ++x)
        {
            const uint32_t units = (uint32_t)wadi_terrain_units(terrain, layer, x, y);
            hash = (hash ^ units) * UINT64_C(1099511628211);
        }
    }
    return hash;
}

enum
{
    SOME_LAYERS = 6
};
static const wadi_layer some_layers[SOME_LAYERS] = {WADI_LAYER_BEDROCK,    WADI_LAYER_WATER,
                                                    WADI_LAYER_HARDNESS,   WADI_LAYER_MOISTURE,
                                                    WADI_LAYER_VEGETATION, WADI_LAYER_SEDIMENT};

// Layers that a model says it does not write stay as they are; those that it says it does not read
// change nothing in those that it writes.
static void check_reads_and_writes(const choice* c)
{
    const wadi_model* model = choice_model(c);
    uint64_t after[2][SOME_LAYERS];
    for (int pass = 0; pass < 2; ++pass)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = varied(&f, pass == 0 ? 0 : ~model->reads);
        uint64_t before[SOME_LAYERS];
        for (int i = 0; i < SOME_LAYERS; ++i)
        {
            before[i] = layer_hash(terrain, some_layers[i]);
        }
        choice_run(c, terrain, 0.1);
        for (int i = 0; i < SOME_LAYERS; ++i)
        {
            after[pass][i] = layer_hash(terrain, some_layers[i]);
            assert_true((model->writes & WADI_LAYER_BIT(some_layers[i])) != 0 ||
                        after[pass][i] == before[i]);
        }
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    for (int i = 0; i < SOME_LAYERS; ++i)
    {
        assert_true((model->writes & WADI_LAYER_BIT(some_layers[i])) == 0 ||
                    (model->reads & WADI_LAYER_BIT(some_layers[i])) == 0 ||
                    after[0][i] == after[1][i]);
    }
}

static void models_read_and_write_what_they_say(void** state)
{
    (void)state;
    choice_for_each(check_reads_and_writes);
}

// Views show the layer as it is, also when they were made before the last change.
static void check_view(wadi_terrain* terrain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_view view;
    CHECK_OK(context, wadi_terrain_borrow(terrain, WADI_LAYER_SEDIMENT, &view));
    for (int32_t y = 0; y < view.height; ++y)
    {
        for (int32_t x = 0; x < view.width; ++x)
        {
            const int32_t units = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, x, y);
            // the nearest float: layers of more than 256 m have more digits than a float
            assert_true(view.data[y * view.stride + x] ==
                        (float)((double)units / WADI_UNITS_PER_METRE));
        }
    }
    CHECK_OK(context, wadi_terrain_release(terrain, WADI_LAYER_SEDIMENT));
}

// Sediment that has left over the edges [m3].
static double sediment_gone(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        sum += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
    return sum;
}

// The transit of the ledger is the matter that the solver holds; settling deposits it, destroying
// the solver before that loses it, and the ledger says so.
static void check_holding_once(const choice* c, bool settle)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = varied(&f, 0);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    for (int call = 0; call < 3; ++call)
    {
        CHECK_OK(f.context,
                 wadi_solver_advance(
                     solver, 0.03 * wadi_process_years(c->process, wadi_solver_params(solver))));
        CHECK_OK(f.context, wadi_solver_finish(solver));
        for (int32_t m = 0; m < 3; ++m)
        {
            const int64_t held = wadi_solver_held(solver, m);
            assert_true(wadi_terrain_transit(terrain, c->process->name, m) == held);
            assert_true(held == 0 || choice_has(c, WADI_MODEL_HOLDS));
        }
    }
    const int64_t held = wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
    const double cell = wadi_terrain_cell_size(terrain);
    const double volume = (double)held / WADI_UNITS_PER_METRE * cell * cell;
    const double gone = sediment_gone(terrain);
    if (settle)
    {
        check_view(terrain);
        CHECK_OK(f.context, wadi_solver_settle(solver));
        check_view(terrain);
        assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) == 0);
        // slopes that come to rest may slide over an edge
        const double slid = sediment_gone(terrain) - gone;
        CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) - before + slid, volume,
                   1e-9 * before + 1e-9);
    }
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    const double lost = rows[WADI_MATERIAL_SEDIMENT].lost;
    wadi_solver_destroy(solver);
    (void)wadi_terrain_ledger(terrain, rows, 3);
    assert_true(rows[WADI_MATERIAL_SEDIMENT].transit == 0.0);
    CHECK_NEAR(rows[WADI_MATERIAL_SEDIMENT].lost - lost, settle ? 0.0 : volume, 1e-9 * before);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void check_holding(const choice* c)
{
    check_holding_once(c, true);
    check_holding_once(c, false);
}

static void only_models_that_hold_have_matter_in_transit(void** state)
{
    (void)state;
    choice_for_each(check_holding);
}

// A model that takes no tables refuses each table of its process, and names a model that takes it.
static void check_tables(const choice* c)
{
    const wadi_model* model = choice_model(c);
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    for (int32_t i = 0; i < c->process->table_count && model->api->set_table == NULL; ++i)
    {
        const wadi_table_info* table = &c->process->tables[i];
        double row[16];
        assert_true(table->column_count <= 16);
        for (int32_t k = 0; k < table->column_count; ++k)
        {
            row[k] = table->columns[k].max;
        }
        CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, table->name,
                    wadi_solver_set_table(solver, table->name, row, 1));
        assert_non_null(strstr(wadi_error_detail(f.context), model->name));
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void tables_of_other_models_are_refused(void** state)
{
    (void)state;
    choice_for_each(check_tables);
}

// ---- figures ------------------------------------------------------------------------------------

// The row of a figure in the table of a process. The test fails if it is not there once.
static const wadi_figure_info* figure_info(const wadi_process* process, const char* name)
{
    const wadi_figure_info* found = NULL;
    for (int32_t i = 0; i < process->figure_count; ++i)
    {
        if (strcmp(process->figures[i].name, name) == 0)
        {
            assert_null(found);
            found = &process->figures[i];
        }
    }
    if (found == NULL)
    {
        fail_msg("%s: figure '%s' is not in the table of the process", process->name, name);
    }
    return found;
}

// All figures that a model reports are described, as its own.
static void check_figures(const choice* c)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = varied(&f, 0);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    fixture_advance(solver, 0.1 * c->process->default_years);
    wadi_figure figures[WADI_MODEL_MAX_ROWS];
    const int32_t count = wadi_solver_figures(solver, figures, WADI_MODEL_MAX_ROWS);
    assert_true(count > 0 || c->process->figure_count == 0);
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_figure_info* info = figure_info(c->process, figures[i].name);
        assert_true(wadi_model_is_in(c->process, choice_model(c), info->models));
        assert_string_equal(figures[i].unit, info->unit);
        assert_true(figures[i].kind == info->kind && strlen(info->doc) > 0);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void figures_are_described(void** state)
{
    (void)state;
    choice_for_each(check_figures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_names_of_their_field),
        cmocka_unit_test(parameters_of_other_models_are_refused),
        cmocka_unit_test(models_read_and_write_what_they_say),
        cmocka_unit_test(only_models_that_hold_have_matter_in_transit),
        cmocka_unit_test(tables_of_other_models_are_refused),
        cmocka_unit_test(figures_are_described),
    };
    choice_registry = registered_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
