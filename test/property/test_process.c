// SPDX-License-Identifier: MIT
// Requirements on every process, of the library or registered at run time: a valid descriptor,
// checked parameters, a closed ledger, no negative layer, voids and hard rock untouched, the same
// bits on any thread count, and cancellation.
#include "support/choice.h"
#include "support/registered.h"

#include "core/internal.h"
#include "terrain/ground.h"

// ---- descriptors --------------------------------------------------------------------------------

static void check_descriptor(const choice* c)
{
    const wadi_process* process = c->process;
    assert_ptr_equal(wadi_process_find(choice_registry, process->name), process);
    assert_true(strlen(process->doc) > 20);
    assert_true(process->default_years > 0.0);
    assert_string_equal(process->presets[0].name, "default");
    assert_int_equal(process->presets[0].count, 0);
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        assert_true(strlen(process->maps[i].name) > 0 && strlen(process->maps[i].unit) > 0);
        assert_true(strlen(process->maps[i].doc) > 0);
        for (int32_t j = 0; j < i; ++j)
        {
            assert_string_not_equal(process->maps[i].name, process->maps[j].name);
        }
    }
}

// Groups have names of their own and follow the order of the fields, so the fields of each stand
// together; processes of the library put every field into one.
static void check_groups(const choice* c)
{
    const wadi_field_table* table = c->process->fields;
    int32_t count = 0;
    while (table->groups != NULL && table->groups[count].first != NULL)
    {
        for (int32_t i = 0; i < count; ++i)
        {
            assert_string_not_equal(table->groups[i].name, table->groups[count].name);
        }
        count += 1;
    }
    int32_t changes = 0;
    const char* before = NULL;
    for (int32_t i = 0; i < table->count; ++i)
    {
        const char* group = wadi_field_group_of(table, &table->fields[i]);
        assert_true(group != NULL || table->groups == NULL);
        changes += group != before ? 1 : 0;
        before = group;
    }
    assert_int_equal(changes, count); // no group is empty
    const bool ours =
        strcmp(c->process->name, "ice") != 0 && strcmp(c->process->name, "drift") != 0;
    assert_true(!ours || table->groups != NULL);
    assert_null(wadi_field_group_of(table, NULL));
}

static void every_field_has_a_group(void** state)
{
    (void)state;
    choice_for_each(check_groups);
}

static void descriptors_are_sound(void** state)
{
    (void)state;
    choice_for_each(check_descriptor);
    assert_null(wadi_process_at(choice_registry, -1));
    assert_null(wadi_process_at(choice_registry, wadi_process_count(choice_registry)));
    assert_null(wadi_process_find(choice_registry, "magic"));
}

static void unknown_names_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    const choice c = {wadi_process_at(choice_registry, 0), "default"};
    char params[4096];
    wadi_fields_init(c.process->fields, params);
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "default",
                wadi_process_apply_preset(f.context, c.process, "psychedelic", params));
    CHECK_OK(f.context, wadi_process_apply_preset(f.context, c.process, NULL, params));

    wadi_solver* solver = choice_solver(&c, terrain, 0);
    float map[64];
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "no map 'mood'",
                wadi_solver_map(solver, "mood", map));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "no map 'mood'",
                wadi_solver_set_map(solver, "mood", map));
    wadi_solver_destroy(solver);
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "process",
                wadi_solver_create(terrain, NULL, NULL, 0, &solver));
    assert_null(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Values just outside the range of each double field are refused with a message that names the
// field.
static void check_refusals(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    const wadi_field_table* table = c->process->fields;
    char* params = test_malloc(table->params_size);
    for (int32_t i = 0; i < table->count; ++i)
    {
        if (table->fields[i].type == WADI_FIELD_DOUBLE)
        {
            const double bad = table->fields[i].max * 2.0 + 1.0;
            wadi_fields_init(table, params);
            memcpy(params + table->fields[i].offset, &bad, sizeof bad);
            wadi_solver* solver = (wadi_solver*)0x1; // must be overwritten
            CHECK_FAILS(f.context, WADI_ERROR_RANGE, table->fields[i].name,
                        wadi_solver_create(terrain, c->process, params, 0, &solver));
            assert_null(solver);
        }
    }
    test_free(params);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void parameters_out_of_range_are_refused(void** state)
{
    (void)state;
    choice_for_each(check_refusals);
}

// ---- laws ---------------------------------------------------------------------------------------

// A grid of several tiles of talus, 128 x 32 cells; the last ones are three cells wide and high.
enum
{
    TILES_WIDTH = 131,
    TILES_HEIGHT = 67
};

static void check_conservation(const choice* c)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_rough(&f, TILES_WIDTH, TILES_HEIGHT, 3);
    fixture_holes(terrain);
    const uint64_t before = wadi_terrain_hash(terrain);
    choice_run(c, terrain, 0.1);
    // the state has changed, unless the process needs bodies of soil, of which there are none here
    assert_true(wadi_terrain_hash(terrain) != before || choice_has(c, WADI_MODEL_BODIES));
    choice_check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void matter_is_conserved(void** state)
{
    (void)state;
    choice_for_each(check_conservation);
}

static void check_voids(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, CHOICE_WIDTH, CHOICE_HEIGHT, 4);
    fixture_holes(terrain);
    const int64_t valid = wadi_terrain_valid_count(terrain);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    CHECK_OK(f.context,
             wadi_solver_advance(solver,
                                 0.1 * wadi_process_years(c->process, wadi_solver_params(solver))));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    assert_int_equal(wadi_terrain_valid_count(terrain), valid);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    float* map = test_malloc((size_t)ground->cells * sizeof *map);
    for (int32_t m = 0; m < c->process->map_count; ++m)
    {
        const wadi_map_info* info = &c->process->maps[m];
        if (info->input || !wadi_model_is_in(c->process, choice_model(c), info->models))
        {
            continue;
        }
        CHECK_OK(f.context, wadi_solver_map(solver, info->name, map));
        for (int64_t i = 0; i < ground->cells; ++i)
        {
            assert_int_equal(isnan(map[i]) != 0, ground->valid[i] == 0);
            assert_true(isnan(map[i]) || isfinite(map[i]));
        }
    }
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->valid[i] != 0 ||
                    (ground->bedrock[i] == 0 && ground->water[i] == 0 && ground->loose[0][i] == 0));
    }
    test_free(map);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void voids_stay_void(void** state)
{
    (void)state;
    choice_for_each(check_voids);
}

static void check_hard_rock(const choice* c)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_rough(&f, CHOICE_WIDTH, CHOICE_HEIGHT, 5);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 1.0));
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
    choice_run(c, terrain, 0.1);
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    const double risen = rows[WADI_MATERIAL_ROCK].in; // whatever its hardness
    assert_true(risen == 0.0 || c->process == &wadi_uplift_process);
    CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK), before + risen, 1e-6 * risen);
    assert_true(rows[WADI_MATERIAL_ROCK].eroded == 0.0);
    choice_check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void rock_of_hardness_one_is_never_lowered(void** state)
{
    (void)state;
    choice_for_each(check_hard_rock);
}

static void check_closed_edges(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = CHOICE_WIDTH;
    def.height = CHOICE_HEIGHT;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 200.0, 6);
    choice_run(c, terrain, 0.1);
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        assert_true(rows[WADI_MATERIAL_ROCK].out[side] == 0.0);
        assert_true(rows[WADI_MATERIAL_SEDIMENT].out[side] == 0.0);
    }
    choice_check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void nothing_passes_a_closed_edge(void** state)
{
    (void)state;
    choice_for_each(check_closed_edges);
}

// ---- budgets by side ---------------------------------------------------------------------

// Gentle ground for winds: shear stress vanishes where it falls by more.
static double fall_of(const choice* c)
{
    return c->process == &wadi_wind_process || c->process == &wadi_dunes_process ? 0.02 : 0.3;
}

// Volume that leaves by all sides [m3]; all of it must be booked to the open one.
static double check_side(const choice* c, int side)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_falling(&f, CHOICE_WIDTH, CHOICE_HEIGHT, side, fall_of(c));
    wadi_solver* solver = choice_solver_aimed(c, terrain, 0, side);
    CHECK_OK(f.context,
             wadi_solver_advance(solver,
                                 0.1 * wadi_process_years(c->process, wadi_solver_params(solver))));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    wadi_ledger_row rows[3];
    const int32_t count = wadi_terrain_ledger(terrain, rows, 3);
    for (int32_t i = 0; i < count; ++i)
    {
        for (int other = 0; other < WADI_SIDE_COUNT; ++other)
        {
            assert_true(other == side || rows[i].out[other] == 0.0);
        }
    }
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return rows[WADI_MATERIAL_SEDIMENT].out[side];
}

// Scree comes to rest before an edge, and stamps take matter out of the terrain where they are.
static bool carries_over_edges(const choice* c)
{
    return c->process == &wadi_hydraulic_process || c->process == &wadi_wind_process ||
           c->process == &wadi_dunes_process || c->process == &wadi_soil_cover_process ||
           (c->process == &wadi_riverbed_process && strcmp(c->preset, "paper") != 0);
}

// As much leaves to either end of an axis, but for the roughness of the ground.
static void check_sides(const choice* c)
{
    double out[4];
    for (int side = 0; side < 4; ++side)
    {
        out[side] = check_side(c, side);
        assert_true((out[side] > 0.0) == carries_over_edges(c));
    }
    CHECK_NEAR(out[WADI_SIDE_SOUTH], out[WADI_SIDE_NORTH], 0.1 * out[WADI_SIDE_NORTH]);
    CHECK_NEAR(out[WADI_SIDE_WEST], out[WADI_SIDE_EAST], 0.1 * out[WADI_SIDE_EAST]);
}

static void budgets_are_booked_by_side(void** state)
{
    (void)state;
    choice_for_each(check_sides);
}

// ---- determinism --------------------------------------------------------------------------------

static uint64_t hash_of(const choice* c, int32_t threads, uint64_t seed, uint32_t instance)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = CHOICE_WIDTH;
    def.height = CHOICE_HEIGHT;
    def.seed = seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 300.0, 7);
    fixture_noise(terrain, WADI_LAYER_LOOSE, 0.0, 2.0, 8); // slabs need sand
    wadi_solver* solver = choice_solver(c, terrain, instance);
    CHECK_OK(f.context,
             wadi_solver_advance(solver,
                                 0.1 * wadi_process_years(c->process, wadi_solver_params(solver))));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    wadi_solver_destroy(solver);
    // hash the layers only: the seed is part of the state hash
    uint64_t hash = 0;
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const uint32_t surface = (uint32_t)wadi_ground_surface(ground, i);
        hash = (hash ^ surface) * UINT64_C(1099511628211);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void check_bits(const choice* c)
{
    const uint64_t one = hash_of(c, 1, 1, 0);
    static const int32_t threads[] = {2, 3, 8};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; ++i)
    {
        assert_true(hash_of(c, threads[i], 1, 0) == one);
    }
    assert_true((hash_of(c, 1, 2, 0) != one) == choice_has(c, WADI_MODEL_RANDOM));
    assert_true((hash_of(c, 1, 1, 1) != one) == choice_has(c, WADI_MODEL_RANDOM));
}

static void threads_change_nothing_and_seeds_do(void** state)
{
    (void)state;
    choice_for_each(check_bits);
}

// ---- odd cases ----------------------------------------------------------------------------------

static void check_tiny_grids(const choice* c)
{
    static const int32_t sizes[][2] = {{1, 1}, {2, 3}, {1, 40}, {40, 1}, {3, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = fixture_rough(&f, sizes[i][0], sizes[i][1], 8);
        choice_run(c, terrain, 0.05);
        choice_check_layers(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void tiny_grids_are_grids(void** state)
{
    (void)state;
    choice_for_each(check_tiny_grids);
}

// At the lowest possible ground a process either runs or refuses and leaves the terrain unchanged.
static void run_at_bottom(const choice* c, wadi_terrain* terrain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    wadi_result result = wadi_solver_advance(
        solver, 0.02 * wadi_process_years(c->process, wadi_solver_params(solver)));
    result = result == WADI_OK ? wadi_solver_finish(solver) : result;
    if (result != WADI_OK)
    {
        assert_int_equal(result, WADI_ERROR_RANGE);
        assert_non_null(strstr(wadi_error_detail(context), "ground ends at -32767 m"));
        assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) == before);
    }
    wadi_solver_destroy(solver);
}

static void check_extremes(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 24, 24);
    fixture_noise(terrain, WADI_LAYER_BEDROCK, -32767.0, -20000.0, 9); // at the bottom
    run_at_bottom(c, terrain);
    choice_check_layers(terrain);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_WATER, 0.0));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 17000.0, 31000.0, 9); // at the top
    choice_run(c, terrain, 0.02);
    choice_check_layers(terrain);

    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SURFACE, 0.0)); // flat
    choice_run(c, terrain, 0.02);
    choice_check_layers(terrain);

    uint8_t none[24 * 24] = {0};
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, none, 24)); // no valid cell
    wadi_solver* solver = choice_solver(c, terrain, 0);
    const wadi_result result =
        wadi_solver_advance(solver, wadi_process_years(c->process, wadi_solver_params(solver)));
    assert_true(result == WADI_OK || result == WADI_ERROR_STATE); // runs, or reports an error
    wadi_solver_destroy(solver);
    choice_check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void extremes_are_survived(void** state)
{
    (void)state;
    choice_for_each(check_extremes);
}

static bool stop_at_once(double share, const char* what, void* user)
{
    assert_true(share >= 0.0 && share <= 1.0);
    assert_non_null(what);
    *(int*)user += 1;
    return false;
}

static void check_cancelling(const choice* c)
{
    int asked = 0;
    wadi_context_def def = wadi_context_def_default();
    def.progress = stop_at_once;
    def.user = &asked;
    fixture f = {0};
    assert_int_equal(wadi_context_create(&def, &f.context), WADI_OK);
    registered_add(f.context);
    wadi_terrain* terrain = fixture_rough(&f, CHOICE_WIDTH, CHOICE_HEIGHT, 10);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    CHECK_OK(f.context,
             wadi_solver_fit(solver, wadi_process_years(c->process, wadi_solver_params(solver))));
    assert_int_equal(
        wadi_solver_advance(solver, wadi_process_years(c->process, wadi_solver_params(solver))),
        WADI_ERROR_CANCELLED);
    assert_int_equal(asked, 1);
    wadi_solver_destroy(solver);
    choice_check_layers(terrain);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(f.context);
}

static void a_run_can_be_stopped(void** state)
{
    (void)state;
    choice_for_each(check_cancelling);
}

static void durations_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    const choice c = {wadi_process_at(choice_registry, 0), "default"};
    wadi_solver* solver = choice_solver(&c, terrain, 0);
    const uint64_t hash = wadi_terrain_hash(terrain);
    const double bad[] = {0.0, -1.0, 2e9, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "yr", wadi_solver_advance(solver, bad[i]));
    }
    wadi_view view;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    CHECK_FAILS(f.context, WADI_ERROR_BORROWED, "surface", wadi_solver_advance(solver, 1.0));
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    assert_true(wadi_terrain_hash(terrain) == hash);
    assert_ptr_equal(wadi_solver_process(solver), c.process);
    assert_ptr_equal(wadi_solver_terrain(solver), terrain);
    wadi_solver_destroy(solver);
    wadi_solver_destroy(NULL);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_sound),
        cmocka_unit_test(every_field_has_a_group),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(parameters_out_of_range_are_refused),
        cmocka_unit_test(matter_is_conserved),
        cmocka_unit_test(voids_stay_void),
        cmocka_unit_test(rock_of_hardness_one_is_never_lowered),
        cmocka_unit_test(nothing_passes_a_closed_edge),
        cmocka_unit_test(budgets_are_booked_by_side),
        cmocka_unit_test(threads_change_nothing_and_seeds_do),
        cmocka_unit_test(tiny_grids_are_grids),
        cmocka_unit_test(extremes_are_survived),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(durations_are_checked),
    };
    choice_registry = registered_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
