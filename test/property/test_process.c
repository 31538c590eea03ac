// SPDX-License-Identifier: MIT
// What every process owes, whatever it does: a sound descriptor, checked parameters, a ledger that
// closes, no negative layer, voids and hard rock left alone, the same bits on any thread count,
// and an orderly stop.
#include "support/fixture.h"

#include "core/internal.h"
#include "terrain/ground.h"

enum
{
    WIDTH = 61, // odd on purpose
    HEIGHT = 47
};

// One preset of one process; `fn` is called for each that there is.
typedef struct choice
{
    const wadi_process* process;
    const char* preset;
} choice;

static void for_each_preset(void (*fn)(const choice* c))
{
    assert_true(wadi_process_count() >= 1);
    for (int32_t i = 0; i < wadi_process_count(); ++i)
    {
        const wadi_process* process = wadi_process_at(i);
        assert_true(process->preset_count >= 1);
        for (int32_t p = 0; p < process->preset_count; ++p)
        {
            const choice c = {process, process->presets[p].name};
            fn(&c);
        }
    }
}

// Soil stands by its roots, and slides as many grains for minutes: here it has none, and few grains
// fall for two seconds.
static void tune(const choice* c, void* params)
{
    if (c->process == &wadi_landslide_process)
    {
        wadi_landslide_params* landslide = params;
        landslide->cohesion = 0.0;
        landslide->most = 400;
        landslide->longest = 2.0;
    }
}

static wadi_solver* solver_of(const choice* c, wadi_terrain* terrain, uint32_t instance)
{
    wadi_context* context = wadi_terrain_context(terrain);
    void* params = test_calloc(1, c->process->fields->params_size);
    wadi_fields_init(c->process->fields, params);
    CHECK_OK(context, wadi_process_apply_preset(context, c->process, c->preset, params));
    tune(c, params);
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, c->process, params, instance, &solver));
    test_free(params);
    return solver;
}

// Let a share of the default duration pass and destroy the solver again.
static void run(const choice* c, wadi_terrain* terrain, double share)
{
    wadi_solver* solver = solver_of(c, terrain, 0);
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_advance(solver, share * c->process->default_years));
    wadi_solver_destroy(solver);
}

static void check_layers(wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->water[i] >= 0);
        for (int32_t l = 0; l < ground->loose_count; ++l)
        {
            assert_true(ground->loose[l][i] >= 0);
        }
    }
    fixture_check_ledger(terrain);
}

// ---- descriptors --------------------------------------------------------------------------------

static void check_descriptor(const choice* c)
{
    const wadi_process* process = c->process;
    assert_ptr_equal(wadi_process_find(process->name), process);
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

static void descriptors_are_sound(void** state)
{
    (void)state;
    for_each_preset(check_descriptor);
    assert_null(wadi_process_at(-1));
    assert_null(wadi_process_at(wadi_process_count()));
    assert_null(wadi_process_find("magic"));
}

static void unknown_names_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    const choice c = {wadi_process_at(0), "default"};
    char params[4096];
    wadi_fields_init(c.process->fields, params);
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "default",
                wadi_process_apply_preset(f.context, c.process, "psychedelic", params));
    CHECK_OK(f.context, wadi_process_apply_preset(f.context, c.process, NULL, params));

    wadi_solver* solver = solver_of(&c, terrain, 0);
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

// Each double field just outside its range: no solver, and the message names the field.
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
    for_each_preset(check_refusals);
}

// ---- laws ---------------------------------------------------------------------------------------

// On a grid of several tiles, the last of them narrow.
static void check_conservation(const choice* c)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_rough(&f, 3 * WIDTH, 2 * HEIGHT, 3);
    fixture_holes(terrain);
    const uint64_t before = wadi_terrain_hash(terrain);
    run(c, terrain, 0.1);
    // something happened, but to bodies of soil, of which there are none here
    assert_true(wadi_terrain_hash(terrain) != before || c->process->takes_bodies);
    check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void matter_is_conserved(void** state)
{
    (void)state;
    for_each_preset(check_conservation);
}

static void check_voids(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, WIDTH, HEIGHT, 4);
    fixture_holes(terrain);
    const int64_t valid = wadi_terrain_valid_count(terrain);
    wadi_solver* solver = solver_of(c, terrain, 0);
    CHECK_OK(f.context, wadi_solver_advance(solver, 0.1 * c->process->default_years));
    assert_int_equal(wadi_terrain_valid_count(terrain), valid);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    float* map = test_malloc((size_t)ground->cells * sizeof *map);
    for (int32_t m = 0; m < c->process->map_count; ++m)
    {
        if (c->process->maps[m].input)
        {
            continue;
        }
        CHECK_OK(f.context, wadi_solver_map(solver, c->process->maps[m].name, map));
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
    for_each_preset(check_voids);
}

static void check_hard_rock(const choice* c)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_rough(&f, WIDTH, HEIGHT, 5);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 1.0));
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
    run(c, terrain, 0.1);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK) == before);
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    assert_true(rows[WADI_MATERIAL_ROCK].eroded == 0.0);
    check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void rock_of_hardness_one_is_never_lowered(void** state)
{
    (void)state;
    for_each_preset(check_hard_rock);
}

static void check_closed_edges(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 200.0, 6);
    run(c, terrain, 0.1);
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        assert_true(rows[WADI_MATERIAL_ROCK].out[side] == 0.0);
        assert_true(rows[WADI_MATERIAL_SEDIMENT].out[side] == 0.0);
    }
    check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void nothing_passes_a_closed_edge(void** state)
{
    (void)state;
    for_each_preset(check_closed_edges);
}

// ---- determinism --------------------------------------------------------------------------------

static uint64_t hash_of(const choice* c, int32_t threads, uint64_t seed, uint32_t instance)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.seed = seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 300.0, 7);
    fixture_noise(terrain, WADI_LAYER_LOOSE, 0.0, 2.0, 8); // slabs of sand need some
    wadi_solver* solver = solver_of(c, terrain, instance);
    CHECK_OK(f.context, wadi_solver_advance(solver, 0.1 * c->process->default_years));
    wadi_solver_destroy(solver);
    // layers only: the seed itself is part of the state hash
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

// The flux of dunes, floods and regulated channels are arithmetic from end to end, and where bodies
// of soil move the land stays as it is.
static bool draws_lots(const choice* c)
{
    const bool flux = c->process == &wadi_dunes_process && strcmp(c->preset, "default") == 0;
    return !flux && c->process != &wadi_flood_process && c->process != &wadi_regulate_process &&
           !c->process->takes_bodies;
}

static void check_bits(const choice* c)
{
    const uint64_t one = hash_of(c, 1, 1, 0);
    for (int32_t threads = 1; threads <= 8; ++threads)
    {
        assert_true(hash_of(c, threads, 1, 0) == one);
    }
    assert_true((hash_of(c, 1, 2, 0) != one) == draws_lots(c));
    assert_true((hash_of(c, 1, 1, 1) != one) == draws_lots(c));
}

static void threads_change_nothing_and_seeds_do(void** state)
{
    (void)state;
    for_each_preset(check_bits);
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
        run(c, terrain, 0.05);
        check_layers(terrain);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void tiny_grids_are_grids(void** state)
{
    (void)state;
    for_each_preset(check_tiny_grids);
}

// Where there is no room to cut a process does without, or refuses and leaves all as it was.
static void run_at_bottom(const choice* c, wadi_terrain* terrain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = solver_of(c, terrain, 0);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    const wadi_result result = wadi_solver_advance(solver, 0.02 * c->process->default_years);
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
    check_layers(terrain);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_WATER, 0.0));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 17000.0, 31000.0, 9); // at the top
    run(c, terrain, 0.02);
    check_layers(terrain);

    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SURFACE, 0.0)); // flat
    run(c, terrain, 0.02);
    check_layers(terrain);

    uint8_t none[24 * 24] = {0};
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, none, 24)); // nothing at all
    wadi_solver* solver = solver_of(c, terrain, 0);
    const wadi_result result = wadi_solver_advance(solver, c->process->default_years);
    assert_true(result == WADI_OK || result == WADI_ERROR_STATE); // done at once, or says so
    wadi_solver_destroy(solver);
    check_layers(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void extremes_are_survived(void** state)
{
    (void)state;
    for_each_preset(check_extremes);
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
    wadi_terrain* terrain = fixture_rough(&f, WIDTH, HEIGHT, 10);
    wadi_solver* solver = solver_of(c, terrain, 0);
    assert_int_equal(wadi_solver_advance(solver, c->process->default_years), WADI_ERROR_CANCELLED);
    assert_int_equal(asked, 1);
    wadi_solver_destroy(solver);
    check_layers(terrain);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(f.context);
}

static void a_run_can_be_stopped(void** state)
{
    (void)state;
    for_each_preset(check_cancelling);
}

static void durations_are_checked(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, 8, 8, 1);
    const choice c = {wadi_process_at(0), "default"};
    wadi_solver* solver = solver_of(&c, terrain, 0);
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
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(parameters_out_of_range_are_refused),
        cmocka_unit_test(matter_is_conserved),
        cmocka_unit_test(voids_stay_void),
        cmocka_unit_test(rock_of_hardness_one_is_never_lowered),
        cmocka_unit_test(nothing_passes_a_closed_edge),
        cmocka_unit_test(threads_change_nothing_and_seeds_do),
        cmocka_unit_test(tiny_grids_are_grids),
        cmocka_unit_test(extremes_are_survived),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(durations_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
