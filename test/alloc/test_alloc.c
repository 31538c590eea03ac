// SPDX-License-Identifier: MIT
// Each allocation of every public function that allocates fails in turn: the call returns
// WADI_ERROR_MEMORY, nothing leaks, and the terrain is unchanged.
#include "support/fixture.h"
#include "support/registered.h"

#include "core/internal.h"

#include <wadi/grain_clump.h>
#include <wadi/grain_contacts.h>
#include <wadi/grain_fields.h>
#include <wadi/grain_flow.h>
#include <wadi/grain_mesh.h>

#include <stdlib.h>

enum
{
    WIDTH = 24,
    HEIGHT = 18
};

// Holds the registry: the library's processes and those registered with each context.
static const wadi_context* registry;

// What a scenario works on; `solver` and `second` are made by scenarios and cleaned up for them.
typedef struct alloc_world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_terrain* second;
    const wadi_process* process;
    const char* preset;
    wadi_solver* solver;
    float* map; // WIDTH x HEIGHT
    wadi_grains* grains;
    void* saved; // grains
    size_t saved_size;
} alloc_world;

// One call, or a few related ones.
typedef wadi_result alloc_call(alloc_world* w);

static void world_open(alloc_world* w)
{
    fixture_open(&w->f, 2);
    w->terrain = fixture_rough(&w->f, WIDTH, HEIGHT, 2);
    fixture_holes(w->terrain);
    w->map = test_calloc((size_t)WIDTH * HEIGHT, sizeof *w->map);
}

static void world_close(alloc_world* w)
{
    wadi_grains_destroy(w->grains);
    test_free(w->saved);
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->second);
    wadi_terrain_destroy(w->terrain);
    test_free(w->map);
    fixture_close(&w->f);
}

// The call may have changed the terrain before memory ran out: finished batches are kept.
typedef enum alloc_promise
{
    KEEPS_TERRAIN,
    KEEPS_LEDGER
} alloc_promise;

// Run `call` with all allocations from the n-th on failing, for n = 1, 2, ... until it succeeds.
// `prepare` runs first, without failures. Returns how many allocations the call makes.
static int64_t fail_each(const alloc_world* setup, alloc_call* prepare, alloc_call* call,
                         alloc_promise promise)
{
    for (int64_t n = 1;; ++n)
    {
        alloc_world w = *setup;
        world_open(&w);
        if (prepare != NULL)
        {
            CHECK_OK(w.f.context, prepare(&w));
        }
        const uint64_t hash = wadi_terrain_hash(w.terrain);
        w.f.memory.calls = 0;
        w.f.memory.fail_at = n;
        const wadi_result result = call(&w);
        const bool reached = w.f.memory.calls >= n;
        w.f.memory.fail_at = 0;
        if (reached)
        {
            assert_int_equal(result, WADI_ERROR_MEMORY);
            assert_non_null(strstr(wadi_error_detail(w.f.context), "memory"));
            assert_true(promise == KEEPS_LEDGER || wadi_terrain_hash(w.terrain) == hash);
            if (promise == KEEPS_LEDGER)
            {
                fixture_check_ledger(w.terrain);
                CHECK_OK(w.f.context, call(&w)); // there is memory again
            }
        }
        else
        {
            CHECK_OK(w.f.context, result);
        }
        fixture_check_ledger(w.terrain);
        world_close(&w);
        if (!reached)
        {
            return n - 1;
        }
    }
}

// ---- terrain ------------------------------------------------------------------------------------

static wadi_result call_create(alloc_world* w)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.loose_count = 3;
    return wadi_terrain_create(w->f.context, &def, &w->second);
}

static wadi_result call_georef(alloc_world* w)
{
    const wadi_georef georef = {true, {0, 1, 0, 0, 0, -1}, "LOCAL_CS[\"x\"]"};
    return wadi_terrain_set_georef(w->terrain, &georef);
}

static wadi_result call_clone(alloc_world* w)
{
    return wadi_terrain_clone(w->terrain, &w->second);
}

static wadi_result call_strata(alloc_world* w)
{
    static const wadi_stratum beds[] = {{5.0, 0.2}, {5.0, 0.8}};
    return wadi_terrain_set_strata(w->terrain, beds, 2, NULL, 0);
}

static wadi_result call_borrow(alloc_world* w)
{
    wadi_view view;
    WADI_TRY(wadi_terrain_borrow(w->terrain, WADI_LAYER_SURFACE, &view));
    return wadi_terrain_release(w->terrain, WADI_LAYER_SURFACE);
}

static void terrain_calls_survive(void** state)
{
    (void)state;
    const alloc_world setup = {0};
    assert_true(fail_each(&setup, NULL, call_create, KEEPS_TERRAIN) >= 10);
    assert_int_equal(fail_each(&setup, NULL, call_georef, KEEPS_TERRAIN), 1);
    assert_int_equal(fail_each(&setup, call_georef, call_georef, KEEPS_TERRAIN), 1);
    assert_true(fail_each(&setup, call_georef, call_clone, KEEPS_TERRAIN) >= 9);
    assert_int_equal(fail_each(&setup, NULL, call_strata, KEEPS_TERRAIN), 2);
    assert_true(fail_each(&setup, call_strata, call_clone, KEEPS_TERRAIN) >= 10);
    assert_int_equal(fail_each(&setup, NULL, call_borrow, KEEPS_TERRAIN), 1);
}

// ---- maps and noise -----------------------------------------------------------------------------

static wadi_result call_noise(alloc_world* w)
{
    const wadi_noise_params params = wadi_noise_params_default();
    return wadi_noise_fill(w->f.context, &params, 1, WIDTH, HEIGHT, 10.0, w->map);
}

static wadi_result call_generators(alloc_world* w)
{
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < wadi_generator_count() && result == WADI_OK; ++i)
    {
        const wadi_generator* generator = wadi_generator_at(i);
        const wadi_field* kind = wadi_field_find(generator->fields, "kind");
        void* params = test_calloc(1, generator->fields->params_size);
        for (int32_t k = 0; k <= (int32_t)kind->max && result == WADI_OK; ++k)
        {
            wadi_fields_init(generator->fields, params);
            result = wadi_field_set(w->f.context, generator->fields, "kind", k, params);
            result = result == WADI_OK ? wadi_generator_fill(w->f.context, generator, params, 1,
                                                             WIDTH, HEIGHT, 100.0, w->map)
                                       : result;
        }
        test_free(params);
    }
    return result;
}

static wadi_field2d world_field(const alloc_world* w)
{
    return (wadi_field2d){.heights = w->map,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .stride = WIDTH,
                          .dx = 10.0,
                          .dy = 10.0};
}

static wadi_result call_derive(alloc_world* w)
{
    const wadi_field2d field = world_field(w);
    float* out = test_malloc((size_t)3 * WIDTH * HEIGHT * sizeof *out);
    wadi_result result = WADI_OK;
    for (int map = 0; map < WADI_DERIVED_COUNT && result == WADI_OK; ++map)
    {
        result = wadi_derive(w->f.context, &field, (wadi_derived)map, NULL, out);
    }
    result = result == WADI_OK ? wadi_derive_normals(w->f.context, &field, out) : result;
    test_free(out);
    return result;
}

static wadi_result call_dune_forms(alloc_world* w)
{
    const wadi_dune_field field = {world_field(w), w->map};
    wadi_dune_forms forms;
    wadi_dune_shift shift;
    static const double rose[] = {240.0, 10.0, 1.0};
    const wadi_wind_history history = {"rose", rose, 1, 0.0, 6.0};
    wadi_sand_drift drift;
    WADI_TRY(wadi_sand_drift_measure(w->f.context, &history, &drift));
    // ridges with slip faces: the map of the world has no dunes
    static float ridges[24 * 24];
    static uint16_t marks[24 * 24];
    static uint8_t pixels[24 * 24 * 3];
    for (int32_t i = 0; i < 24 * 24; ++i)
    {
        ridges[i] = (float)abs((i % 24) % 12 - 6);
    }
    const wadi_dune_field dunes = {.surface = {ridges, 24, 24, 24, 2.0, 2.0, NULL, {0}}};
    wadi_dune_shapes shapes;
    wadi_dune_body body;
    int32_t count;
    WADI_TRY(wadi_dune_shapes_measure(w->f.context, &dunes, 90.0, &shapes, marks));
    assert_false(shapes.none);
    WADI_TRY(wadi_dune_bodies_list(w->f.context, &dunes, 90.0, &body, 1, &count));
    wadi_dune_encounters met;
    WADI_TRY(wadi_dune_encounters_count(w->f.context, &dunes, &dunes, &met));
    WADI_TRY(wadi_dune_marks_draw(w->f.context, &dunes.surface, marks, 1, pixels));
    WADI_TRY(wadi_dune_forms_measure(w->f.context, &field, &forms));
    return wadi_dune_shift_measure(w->f.context, &field.surface, &field.surface, 20.0, &shift);
}

// Four valleys, long enough for channels with chi profiles.
static wadi_result call_land_forms(alloc_world* w)
{
    enum
    {
        SIDE = 128
    };
    static float heights[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = 2.0f * (float)abs(i % 32 - 16) + 0.5f * (float)(i / SIDE);
    }
    const wadi_land land = {.surface = {.heights = heights,
                                        .width = SIDE,
                                        .height = SIDE,
                                        .stride = SIDE,
                                        .dx = 10.0,
                                        .dy = 10.0},
                            .mask_plains = true};
    wadi_land_forms forms;
    WADI_TRY(wadi_land_forms_measure(w->f.context, &land, &forms));
    assert_true(forms.theta_chi >= 0.0); // there are channels
    return WADI_OK;
}

static wadi_result call_flood(alloc_world* w)
{
    const wadi_field2d field = world_field(w);
    wadi_flood_params params = wadi_flood_params_default();
    params.from_x = params.to_x = 5.0;
    params.from_y = params.to_y = 5.0 * HEIGHT;
    wadi_flood* flood = NULL;
    const wadi_result result = wadi_flood_create(w->f.context, &field, &params, &flood);
    assert_int_equal(flood != NULL, result == WADI_OK);
    wadi_flood_destroy(flood);
    return result;
}

static wadi_result call_render(alloc_world* w)
{
    wadi_render_params params = wadi_render_params_default();
    params.width = 32;
    params.height = 20;
    uint8_t* rgb = test_malloc((size_t)3 * 32 * 20);
    wadi_result result = WADI_OK;
    for (int view = 0; view < WADI_RENDER_VIEW_COUNT && result == WADI_OK; ++view)
    {
        params.view = view;
        params.wind = view == WADI_RENDER_MAP ? 10.0 : 0.0;
        result = wadi_render_terrain(w->terrain, w->map, &params, rgb);
    }
    test_free(rgb);
    return result;
}

static wadi_result call_wind_field(alloc_world* w)
{
    static const double eddies[] = {50.0, 50.0, 0.0, 0.0, 1.0, 5.0, 40.0};
    static const double local[] = {50.0, 50.0, 0.0, 0.0, 90.0, 5.0, 1.0};
    const wadi_airflow_params params = wadi_airflow_params_default();
    const size_t cells = (size_t)WIDTH * HEIGHT;
    float* maps = test_malloc(3 * cells * sizeof *maps);
    wadi_wind_field* field = NULL;
    wadi_result result = wadi_wind_field_create(w->terrain, &params, &field);
    assert_int_equal(field != NULL, result == WADI_OK);
    result = result == WADI_OK ? wadi_wind_field_set_table(field, "eddies", eddies, 1) : result;
    result = result == WADI_OK ? wadi_wind_field_set_table(field, "local_winds", local, 1) : result;
    result = result == WADI_OK
                 ? wadi_wind_field_compute(field, 0.5, maps, maps + cells, maps + 2 * cells)
                 : result;
    wadi_wind_field_destroy(field);
    test_free(maps);
    return result;
}

static wadi_result call_amplify(alloc_world* w)
{
    float heights[64 * 64];
    static const double rose[] = {240.0, 10.0, 1.0};
    wadi_amplify_params params = wadi_amplify_params_default();
    WADI_TRY(wadi_amplify_set_winds(w->f.context, "rose", rose, 1, 0.0, &params));
    params.wavelength = 0.0;
    params.width = params.height = 64.0;
    params.cell = 1.0;
    return wadi_amplify(w->terrain, &params, heights);
}

static void maps_noise_and_pictures_survive(void** state)
{
    (void)state;
    const alloc_world setup = {0};
    (void)fail_each(&setup, NULL, call_noise, KEEPS_TERRAIN);
    assert_true(fail_each(&setup, NULL, call_generators, KEEPS_TERRAIN) >= 20);
    (void)fail_each(&setup, call_noise, call_derive, KEEPS_TERRAIN);
    assert_true(fail_each(&setup, call_noise, call_dune_forms, KEEPS_TERRAIN) >= 40);
    assert_true(fail_each(&setup, NULL, call_land_forms, KEEPS_TERRAIN) >= 30);
    assert_true(fail_each(&setup, call_noise, call_flood, KEEPS_TERRAIN) >= 12);
    assert_true(fail_each(&setup, call_noise, call_render, KEEPS_TERRAIN) >= 4);
    assert_true(fail_each(&setup, call_noise, call_wind_field, KEEPS_TERRAIN) >= 15);
    assert_true(fail_each(&setup, call_noise, call_amplify, KEEPS_TERRAIN) >= 15);
}

// ---- processes ----------------------------------------------------------------------------------

static wadi_result call_solver(alloc_world* w)
{
    void* params = test_calloc(1, w->process->fields->params_size);
    wadi_fields_init(w->process->fields, params);
    wadi_result result = wadi_process_apply_preset(w->f.context, w->process, w->preset, params);
    if (result == WADI_OK)
    {
        result = wadi_solver_create(w->terrain, w->process, params, 0, &w->solver);
    }
    test_free(params);
    assert_int_equal(result == WADI_OK, w->solver != NULL);
    return result;
}

static wadi_result call_default_solver(alloc_world* w)
{
    return wadi_solver_create(w->terrain, w->process, NULL, 0, &w->solver);
}

// Cells so fine that streams keep their direction.
static wadi_result call_fine_solver(alloc_world* w)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 2.0;
    const wadi_result result = wadi_terrain_create(w->f.context, &def, &w->second);
    return result != WADI_OK ? result
                             : wadi_solver_create(w->second, w->process, NULL, 0, &w->solver);
}

static wadi_result call_advance(alloc_world* w)
{
    const wadi_result result = wadi_solver_advance(
        w->solver, 0.1 * wadi_process_years(w->process, wadi_solver_params(w->solver)));
    return result == WADI_OK ? wadi_solver_finish(w->solver) : result;
}

static wadi_result call_maps(alloc_world* w)
{
    for (int32_t i = 0; i < w->process->map_count; ++i)
    {
        const wadi_map_info* info = &w->process->maps[i];
        const wadi_result result = info->input ? wadi_solver_set_map(w->solver, info->name, w->map)
                                               : wadi_solver_map(w->solver, info->name, w->map);
        if (result != WADI_OK && result != WADI_ERROR_ARGUMENT) // not every model has every map
        {
            return result;
        }
    }
    return WADI_OK;
}

static void processes_survive(void** state)
{
    (void)state;
    for (int32_t i = 0; i < wadi_process_count(registry); ++i)
    {
        alloc_world setup = {.process = wadi_process_at(registry, i)};
        assert_true(fail_each(&setup, NULL, call_default_solver, KEEPS_TERRAIN) > 2);
        for (int32_t p = 0; p < setup.process->preset_count; ++p)
        {
            setup.preset = setup.process->presets[p].name;
            (void)fail_each(&setup, NULL, call_solver, KEEPS_TERRAIN);
            (void)fail_each(&setup, call_solver, call_advance, KEEPS_LEDGER);
            (void)fail_each(&setup, call_solver, call_maps, KEEPS_TERRAIN);
        }
    }
}

static void streams_survive(void** state)
{
    (void)state;
    const alloc_world setup = {.process = &wadi_hydraulic_process};
    (void)fail_each(&setup, NULL, call_fine_solver, KEEPS_TERRAIN);
    (void)fail_each(&setup, call_fine_solver, call_advance, KEEPS_LEDGER);
}

// All soil slides as a few grains for a moment, and takes up bed.
static wadi_result call_landslide(alloc_world* w)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.start = WADI_LANDSLIDE_REGION;
    params.most = 60;
    params.longest = 0.1;
    params.depth = 1.0;
    params.rain = 1.0;
    params.entrainment = 0.01;
    return wadi_solver_create(w->terrain, w->process, &params, 0, &w->solver);
}

// The same as a flow with an ensemble.
static wadi_result call_flow(alloc_world* w)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.start = WADI_LANDSLIDE_REGION;
    params.longest = 0.5;
    params.ensemble = 2;
    return wadi_solver_create(w->terrain, w->process, &params, 0, &w->solver);
}

// Slides of a cloudburst.
static wadi_result call_storm(alloc_world* w)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.start = WADI_LANDSLIDE_STORM;
    params.duration = 0.1;
    params.rain = 1000.0;
    params.cohesion = 0.0;
    params.soil_cohesion = 0.0;
    params.soil_friction = 10.0;
    params.longest = 0.5;
    params.ensemble = 2;
    return wadi_solver_create(w->terrain, w->process, &params, 0, &w->solver);
}

// Deep failures, by model; slumps that have turned before memory runs out stay.
static wadi_result call_deep(alloc_world* w, int32_t model)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = model;
    params.start = WADI_LANDSLIDE_DEEP;
    params.rock_cohesion = 0.0;
    params.rock_friction = 5.0;
    params.min_area = 100.0;
    params.longest = 0.5;
    params.volume_law =
        model == WADI_LANDSLIDE_RUNNER ? WADI_LANDSLIDE_LUCAS : WADI_LANDSLIDE_ANY_VOLUME;
    return wadi_solver_create(w->terrain, w->process, &params, 0, &w->solver);
}

static wadi_result call_slump(alloc_world* w)
{
    return call_deep(w, WADI_LANDSLIDE_SLUMP);
}

static wadi_result call_deep_flow(alloc_world* w)
{
    return call_deep(w, WADI_LANDSLIDE_RUNNER);
}

// A slide that runs out of memory has not touched the ground.
static void landslides_survive(void** state)
{
    (void)state;
    const alloc_world setup = {.process = &wadi_landslide_process};
    assert_true(fail_each(&setup, call_landslide, call_advance, KEEPS_TERRAIN) > 40);
    assert_true(fail_each(&setup, call_flow, call_advance, KEEPS_TERRAIN) > 20);
    assert_true(fail_each(&setup, call_storm, call_advance, KEEPS_TERRAIN) > 40);
    assert_true(fail_each(&setup, call_deep_flow, call_advance, KEEPS_TERRAIN) > 15);
    assert_true(fail_each(&setup, call_slump, call_advance, KEEPS_LEDGER) > 10);
}

// ---- grains -------------------------------------------------------------------------------------

enum
{
    GRAIN_STEPS = 16 // in which grains come until most arrays have grown
};

static wadi_result grains_add(wadi_grains* grains)
{
    static const double corners[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const int32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const wadi_mesh sheet = {corners, 4, triangles, 2};
    const wadi_grain_motion rises = {.velocity = {0.0, 0.0, 0.1}};
    const wadi_grain_wall wall = {.point = {0.5, 0.0, 0.0}, .normal = {-1.0, 0.0, 0.0}};
    const wadi_grain_feeder feeder = {.low = {-0.2, -0.2, 0.02},
                                      .high = {0.2, 0.2, 0.3},
                                      .number_rate = 2e5,
                                      .every = 1e-9,
                                      .radius_low = 0.01,
                                      .radius_high = 0.01,
                                      .clump_share =
                                          wadi_grains_clump_count(grains) > 0 ? 0.5 : 0.0};
    const wadi_grain_sink sink = {{-0.05, -0.05, 0.0}, {0.05, 0.05, 1.0}, 1e-3};
    int32_t number;
    WADI_TRY(wadi_grains_expect(grains, 0.01, 0.01));
    WADI_TRY(wadi_grains_add_mesh(grains, &sheet, 0, &rises, &number));
    WADI_TRY(wadi_grains_add_wall(grains, &wall, &number));
    WADI_TRY(wadi_grains_add_feeder(grains, &feeder, &number));
    return wadi_grains_add_sink(grains, &sink, &number);
}

static wadi_result call_grains(alloc_world* w)
{
    const wadi_grains_params params = wadi_grains_params_default();
    const wadi_grain_material sand = wadi_grain_material_default();
    const wadi_grain first[2] = {{.position = {0.0, 0.0, 0.0099}, .radius = 0.01},
                                 {.position = {0.4905, 0.3, 0.0099}, .radius = 0.01}};
    wadi_grains_destroy(w->grains);
    w->grains = NULL;
    WADI_TRY(wadi_grains_create(w->f.context, &params, &sand, 1, first, 2, &w->grains));
    return grains_add(w->grains);
}

static wadi_result call_clumps(alloc_world* w)
{
    const wadi_grains_params params = wadi_grains_params_default();
    const wadi_grain_material sand = wadi_grain_material_default();
    const wadi_grain_shape shape = wadi_grain_shape_of(WADI_GRAIN_FORM_DUMBBELL);
    const wadi_grain first = {.position = {0.0, 0.0, 0.0099}, .radius = 0.01};
    const wadi_grain_clump clump = {
        .position = {0.47, 0.3, 0.0099}, .turn = {1.0, 0.0, 0.0, 0.0}, .radius = 0.01};
    const wadi_grain_clumps clumps = {&shape, 1, &clump, 1};
    wadi_grains_destroy(w->grains);
    w->grains = NULL;
    WADI_TRY(wadi_grains_create_clumped(w->f.context, &params, &sand, 1, &first, 1, &clumps,
                                        &w->grains));
    return grains_add(w->grains);
}

static wadi_result prepare_saved(alloc_world* w)
{
    WADI_TRY(wadi_grains_advance(w->grains, 2));
    w->saved_size = wadi_grains_save_size(w->grains);
    w->saved = test_malloc(w->saved_size);
    wadi_grains_save(w->grains, w->saved);
    return WADI_OK;
}

static wadi_result prepare_grains(alloc_world* w)
{
    WADI_TRY(call_grains(w));
    return prepare_saved(w);
}

static wadi_result prepare_clumps(alloc_world* w)
{
    WADI_TRY(call_clumps(w));
    return prepare_saved(w);
}

static wadi_result grains_go_on(alloc_world* w)
{
    const wadi_grain_grid grid = {{0.0, 0.0, 0.0}, 0.1, {2, 2, 2}, 0.05};
    wadi_grain_cell cells[8];
    WADI_TRY(wadi_grains_restore(w->grains, w->saved, w->saved_size));
    WADI_TRY(wadi_grains_advance(w->grains, GRAIN_STEPS));
    return wadi_grain_fields(w->grains, &grid, cells);
}

static wadi_result call_pour_clumps(alloc_world* w)
{
    WADI_TRY(wadi_grains_restore(w->grains, w->saved, w->saved_size));
    const wadi_result result = wadi_grains_advance(w->grains, GRAIN_STEPS);
    assert_true(wadi_grains_save_size(w->grains) > 0);
    assert_true(result != WADI_OK || wadi_grains_clump_count(w->grains) > 10);
    return result;
}

// Grains come until their arrays are too short. A world that could not make longer ones can be
// looked at and restored, and ends with the same bits.
static wadi_result call_pour(alloc_world* w)
{
    static uint64_t expected = 0;
    const wadi_result result = grains_go_on(w);
    const uint64_t hash = wadi_grains_hash(w->grains);
    assert_true(wadi_grains_save_size(w->grains) > 0);
    if (result == WADI_OK)
    {
        assert_true(wadi_grains_count(w->grains) > 64);
        assert_true(expected == 0 || hash == expected);
        expected = hash;
    }
    return result;
}

static void grains_survive(void** state)
{
    (void)state;
    const alloc_world setup = {.process = NULL};
    assert_true(fail_each(&setup, NULL, call_grains, KEEPS_LEDGER) > 20);
    assert_true(fail_each(&setup, prepare_grains, call_pour, KEEPS_LEDGER) > 100);
    assert_true(fail_each(&setup, NULL, call_clumps, KEEPS_LEDGER) > 20);
    assert_true(fail_each(&setup, prepare_clumps, call_pour_clumps, KEEPS_LEDGER) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain_calls_survive), cmocka_unit_test(maps_noise_and_pictures_survive),
        cmocka_unit_test(processes_survive),     cmocka_unit_test(streams_survive),
        cmocka_unit_test(landslides_survive),    cmocka_unit_test(grains_survive),
    };
    registry = registered_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
