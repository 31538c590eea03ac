// SPDX-License-Identifier: MIT
// Print one `name hash` line per scenario, computed with the number of threads given.
// test/golden/golden.txt holds what every build, on any number of threads, must print.
#include "golden_grains.h"
#include "golden_water.h"

#include "core/dmath.h"
#include "core/random.h"

#include <wadi/wadi.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GOLDEN_WIDTH = 150, // no multiple of a vector, a tile or a block of rows
    GOLDEN_HEIGHT = 131,
    GOLDEN_CELLS = GOLDEN_WIDTH * GOLDEN_HEIGHT
};

static void golden_check(const wadi_context* context, wadi_result result)
{
    if (result != WADI_OK)
    {
        (void)fprintf(stderr, "golden: %s: %s\n", wadi_result_name(result),
                      wadi_error_detail(context));
        exit(EXIT_FAILURE);
    }
}

static void* golden_allocate(size_t count, size_t size)
{
    void* memory = calloc(count, size);
    if (memory == NULL)
    {
        (void)fputs("golden: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

// FNV-1a over the bits of values.
static uint64_t golden_hash(uint64_t hash, const void* values, size_t size)
{
    const unsigned char* bytes = values;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

// The same over floats; all NaNs hash alike.
static uint64_t golden_hash_floats(uint64_t hash, const float* values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        const uint32_t bits = isnan(values[i]) ? 0x7FC00000u : wadi_bits_of_float(values[i]);
        hash = golden_hash(hash, &bits, sizeof bits);
    }
    return hash;
}

static void golden_print(const char* group, const char* name, uint64_t hash)
{
    (void)printf("%s%s %016" PRIx64 "\n", group, name, hash);
}

// ---- deterministic functions -------------------------------------------------------------------

static void golden_functions(void)
{
    uint64_t doubles = 0;
    uint64_t floats = 0;
    for (int i = 1; i <= 20000; ++i)
    {
        const double x = (double)i * 0.0137;
        const double d[] = {wadi_exp(x - 137.0), wadi_log(x), wadi_pow(x, 0.55),
                            wadi_sin(x),         wadi_cos(x), wadi_atan2(x - 100.0, 50.0 - x)};
        const float f[] = {wadi_exp2f((float)x - 100.0f), wadi_log2f((float)x),
                           wadi_powf((float)x, 0.55f)};
        doubles = golden_hash(doubles, d, sizeof d);
        floats = golden_hash(floats, f, sizeof f);
    }
    golden_print("functions/", "double", doubles);
    golden_print("functions/", "float", floats);
}

// ---- noise -------------------------------------------------------------------------------------

static void golden_noise(wadi_context* context)
{
    const wadi_field* kinds = wadi_field_find(&wadi_noise_fields, "kind");
    float* values = golden_allocate(GOLDEN_CELLS, sizeof *values);
    for (int tiled = 0; tiled < 2; ++tiled)
    {
        for (int kind = 0; kinds->names[kind] != NULL; ++kind)
        {
            wadi_noise_params params = wadi_noise_params_default();
            params.kind = kind;
            params.tileable = tiled != 0;
            golden_check(context, wadi_noise_fill(context, &params, 11, GOLDEN_WIDTH, GOLDEN_HEIGHT,
                                                  25.0, values));
            golden_print(tiled != 0 ? "noise/tileable/" : "noise/", kinds->names[kind],
                         golden_hash_floats(0, values, GOLDEN_CELLS));
        }
    }
    free(values);
}

// ---- terrains ----------------------------------------------------------------------------------

typedef struct golden_case
{
    const char* name;
    wadi_edge north_south;
    wadi_edge east_west;
    bool holes;
    float relief;
    double cell;
} golden_case;

static const golden_case golden_cases[] = {
    {"open", WADI_EDGE_OPEN, WADI_EDGE_OPEN, false, 1.0f, 25.0},
    {"voids", WADI_EDGE_OPEN, WADI_EDGE_CLOSED, true, 1.0f, 25.0},
    {"periodic", WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, false, 1.0f, 25.0},
};

// Gentle slopes on cells so fine that the momentum of streams matters.
static const golden_case golden_plain = {
    "momentum", WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, true, 0.0078125f, 2.0,
};

// Hills of 20 cells on a slope, from random words and exact arithmetic alone.
static float golden_height(const golden_case* c, int32_t x, int32_t y)
{
    const uint64_t hill = (uint64_t)(y / 20) << 32 | (uint32_t)(x / 20);
    const uint64_t cell = (uint64_t)y << 32 | (uint32_t)x;
    const float broad = wadi_unit_float(wadi_random(9, 0, hill, 0).v[0]);
    const float fine = wadi_unit_float(wadi_random(9, 1, cell, 0).v[0]);
    const bool hole = c->holes && ((x > 60 && x < 80 && y > 30 && y < 70) || x + y < 20);
    return hole ? NAN : c->relief * (300.0f * broad + 40.0f * fine + 2.0f * (float)(x + y));
}

static wadi_terrain* golden_terrain(wadi_context* context, const golden_case* c)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = GOLDEN_WIDTH;
    def.height = GOLDEN_HEIGHT;
    def.cell_size = c->cell;
    def.seed = 4711;
    def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = c->north_south;
    def.edges[WADI_SIDE_EAST] = def.edges[WADI_SIDE_WEST] = c->east_west;
    wadi_terrain* terrain = NULL;
    golden_check(context, wadi_terrain_create(context, &def, &terrain));

    float* heights = golden_allocate(GOLDEN_CELLS, sizeof *heights);
    for (int32_t y = 0; y < GOLDEN_HEIGHT; ++y)
    {
        for (int32_t x = 0; x < GOLDEN_WIDTH; ++x)
        {
            heights[y * GOLDEN_WIDTH + x] = golden_height(c, x, y);
        }
    }
    golden_check(context,
                 wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, GOLDEN_WIDTH));
    golden_check(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.5));
    golden_check(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 0.2));
    free(heights);
    return terrain;
}

static void golden_generator(wadi_context* context, const wadi_generator* generator, float* values)
{
    const wadi_field* kinds = wadi_field_find(generator->fields, "kind");
    void* params = golden_allocate(1, generator->fields->params_size);
    for (int kind = 0; kinds->names[kind] != NULL; ++kind)
    {
        wadi_fields_init(generator->fields, params);
        golden_check(context, wadi_field_set(context, generator->fields, "kind", kind, params));
        golden_check(context, wadi_generator_fill(context, generator, params, 11, GOLDEN_WIDTH,
                                                  GOLDEN_HEIGHT, 25.0, values));
        char group[64];
        (void)snprintf(group, sizeof group, "generator/%s/", generator->name);
        golden_print(group, kinds->names[kind], golden_hash_floats(0, values, GOLDEN_CELLS));
    }
    free(params);
}

static void golden_generators(wadi_context* context)
{
    float* values = golden_allocate(GOLDEN_CELLS, sizeof *values);
    for (int32_t i = 0; i < wadi_generator_count(); ++i)
    {
        golden_generator(context, wadi_generator_at(i), values);
    }

    // throws that grow with distance have code of their own
    wadi_faults_params params;
    wadi_fields_init(wadi_generator_find("faults")->fields, &params);
    params.hurst = 0.8;
    params.smoothing = 60.0;
    golden_check(context, wadi_generator_fill(context, wadi_generator_find("faults"), &params, 11,
                                              GOLDEN_WIDTH, GOLDEN_HEIGHT, 25.0, values));
    golden_print("generator/faults/", "power", golden_hash_floats(0, values, GOLDEN_CELLS));
    free(values);
}

static void golden_terrains(wadi_context* context)
{
    for (size_t i = 0; i < sizeof golden_cases / sizeof golden_cases[0]; ++i)
    {
        wadi_terrain* terrain = golden_terrain(context, &golden_cases[i]);
        golden_print("terrain/", golden_cases[i].name, wadi_terrain_hash(terrain));
        wadi_terrain_destroy(terrain);
    }
}

// ---- derived maps ------------------------------------------------------------------------------

static void golden_flood(wadi_context* context, const wadi_field2d* field, float* out)
{
    wadi_flood_params params = wadi_flood_params_default();
    params.to_y = field->dy * field->height; // the whole western side
    wadi_flood* flood;
    golden_check(context, wadi_flood_create(context, field, &params, &flood));
    for (int layer = 0; layer < WADI_FLOOD_LAYER_COUNT; ++layer)
    {
        golden_check(context, wadi_flood_map(flood, (wadi_flood_layer)layer, out));
        char name[16];
        (void)snprintf(name, sizeof name, "flood-%d", layer);
        golden_print("derived/", name, golden_hash_floats(0, out, GOLDEN_CELLS));
    }
    wadi_flood_destroy(flood);
}

// Measures of dunes on a corner of a field, and of its shift against itself a few cells away.
static void golden_dune_forms(wadi_context* context, const wadi_field2d* field)
{
    wadi_dune_field corner = {*field, field->heights};
    corner.surface.width = 61;
    corner.surface.height = 53;
    wadi_dune_forms forms;
    golden_check(context, wadi_dune_forms_measure(context, &corner, &forms));
    wadi_field2d beside = corner.surface;
    beside.heights += 2 * field->stride + 3;
    wadi_dune_shift shift;
    golden_check(context,
                 wadi_dune_shift_measure(context, &corner.surface, &beside, 125.0, &shift));
    const float values[] = {(float)forms.height,   (float)forms.spacing, (float)forms.face,
                            (float)forms.order,    (float)forms.normal,  (float)forms.skew,
                            (float)forms.lee,      (float)forms.bare,    (float)forms.bodies,
                            (float)shift.distance, (float)shift.azimuth};
    golden_print("derived/", "dune_forms",
                 golden_hash_floats(0, values, sizeof values / sizeof values[0]));
}

static void golden_derived(wadi_context* context)
{
    wadi_terrain* terrain = golden_terrain(context, &golden_cases[1]);
    wadi_view view;
    golden_check(context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    const wadi_field2d field = {.heights = view.data,
                                .width = view.width,
                                .height = view.height,
                                .stride = view.stride,
                                .dx = 25.0,
                                .dy = 25.0};
    float* out = golden_allocate((size_t)3 * GOLDEN_CELLS, sizeof *out);
    for (int map = 0; map < WADI_DERIVED_COUNT; ++map)
    {
        golden_check(context, wadi_derive(context, &field, (wadi_derived)map, NULL, out));
        golden_print("derived/", wadi_derived_name((wadi_derived)map),
                     golden_hash_floats(0, out, GOLDEN_CELLS));
    }
    golden_check(context, wadi_derive_normals(context, &field, out));
    golden_print("derived/", "normals", golden_hash_floats(0, out, (size_t)3 * GOLDEN_CELLS));
    golden_flood(context, &field, out);
    golden_dune_forms(context, &field);
    golden_check(context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    wadi_terrain_destroy(terrain);
    free(out);
}

// ---- pictures ----------------------------------------------------------------------------------

// A corner of the terrain, with a hole in it: at -O0 a picture of all of it takes three seconds.
static void golden_pictures(wadi_context* context)
{
    const wadi_field* views = wadi_field_find(&wadi_render_fields, "view");
    wadi_terrain* terrain = golden_terrain(context, &golden_cases[1]);
    wadi_view surface;
    golden_check(context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &surface));
    const wadi_render_scene scene = {.width = 45,
                                     .height = 38,
                                     .stride = surface.stride,
                                     .cell_size = 25.0,
                                     .surface = surface.data + 40};
    wadi_render_params params = wadi_render_params_default();
    params.width = 61;
    params.height = 43;
    params.samples = 1;
    const size_t bytes = (size_t)3 * 61 * 43;
    uint8_t* rgb = golden_allocate(bytes, 1);
    for (int view = 0; views->names[view] != NULL; ++view)
    {
        params.view = view;
        golden_check(context, wadi_render(context, &scene, &params, rgb));
        golden_print("picture/", views->names[view], golden_hash(0, rgb, bytes));
    }
    golden_check(context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    wadi_terrain_destroy(terrain);
    free(rgb);
}

// ---- processes ---------------------------------------------------------------------------------

static uint64_t golden_maps(wadi_solver* solver, wadi_context* context)
{
    const wadi_process* process = wadi_solver_process(solver);
    float* map = golden_allocate(GOLDEN_CELLS, sizeof *map);
    uint64_t hash = 0;
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* info = &process->maps[i];
        if (!info->input && wadi_model_is_in(process, wadi_solver_model(solver), info->models))
        {
            golden_check(context, wadi_solver_map(solver, info->name, map));
            hash = golden_hash_floats(hash, map, GOLDEN_CELLS);
        }
    }
    free(map);
    return hash;
}

static void golden_check_ledger(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        if (rows[i].residual_units != 0)
        {
            (void)fprintf(stderr, "golden: %s: the books miss %" PRId64 " units\n",
                          rows[i].material, rows[i].residual_units);
            exit(EXIT_FAILURE);
        }
    }
}

// A twenty-fifth of the default duration in two calls, so that the hash includes state carried
// over.
static void golden_run(wadi_context* context, const wadi_process* process, const char* preset,
                       const golden_case* c)
{
    void* params = golden_allocate(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    golden_check(context, wadi_process_apply_preset(context, process, preset, params));
    wadi_terrain* terrain = golden_terrain(context, c);
    wadi_solver* solver = NULL;
    if (process == &wadi_coast_process)
    {
        const double level = 200.0 * (double)c->relief; // half of the land
        golden_check(context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    }
    golden_check(context, wadi_solver_create(terrain, process, params, 0, &solver));
    for (int stretch = 0; stretch < 2; ++stretch)
    {
        golden_check(context,
                     wadi_solver_advance(solver, 0.02 * wadi_process_years(process, params)));
    }
    golden_check(context, wadi_solver_finish(solver));
    char group[128];
    (void)snprintf(group, sizeof group, "%s/%s/%s/", process->name, preset, c->name);
    golden_check_ledger(terrain);
    golden_print(group, "state", wadi_terrain_hash(terrain));
    golden_print(group, "solver", wadi_solver_hash(solver));
    golden_print(group, "maps", golden_maps(solver, context));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    free(params);
}

// Rock in beds, under both models of water: limited shares and yields have separate code.
static void golden_beds(wadi_context* context)
{
    static const char* const presets[] = {"parcels", "paper"};
    static const wadi_stratum beds[] = {{0.5, 0.1}, {0.5, 0.9}, {1.0, 0.2}};
    const wadi_process* process = wadi_process_find(NULL, "hydraulic");
    void* params = golden_allocate(1, process->fields->params_size);
    for (int i = 0; i < 2; ++i)
    {
        wadi_fields_init(process->fields, params);
        golden_check(context, wadi_process_apply_preset(context, process, presets[i], params));
        wadi_terrain* terrain = golden_terrain(context, &golden_cases[0]);
        golden_check(context, wadi_terrain_set_strata(terrain, beds, 3, NULL, 0));
        wadi_solver* solver = NULL;
        golden_check(context, wadi_solver_create(terrain, process, params, 0, &solver));
        golden_check(context,
                     wadi_solver_advance(solver, 0.02 * wadi_process_years(process, params)));
        golden_check(context, wadi_solver_finish(solver));
        golden_check_ledger(terrain);
        golden_print("beds/hydraulic/", presets[i], wadi_terrain_hash(terrain));
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
    free(params);
}

static void golden_processes(wadi_context* context)
{
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        const wadi_process* process = wadi_process_at(NULL, i);
        for (int32_t p = 0; p < process->preset_count; ++p)
        {
            for (size_t c = 0; c < sizeof golden_cases / sizeof golden_cases[0]; ++c)
            {
                golden_run(context, process, process->presets[p].name, &golden_cases[c]);
            }
        }
    }
}

// A river brings load for three years.
static void golden_river(wadi_context* context, const char* name,
                         const wadi_hydraulic_params* params)
{
    wadi_terrain* terrain = golden_terrain(context, &golden_plain);
    wadi_solver* solver = NULL;
    const double size = wadi_terrain_cell_size(terrain);
    const double river[6] = {20.0 * size, 60.0 * size, 0.0, 0.1, 1500.0, 0.0};
    golden_check(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    golden_check(context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    golden_check(context, wadi_solver_set_table(solver, "inflow", river, 1));
    golden_check(context, wadi_solver_advance(solver, 3.0));
    golden_check_ledger(terrain);
    golden_print(name, "state", wadi_terrain_hash(terrain));
    golden_print(name, "maps", golden_maps(solver, context));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// A fan, and threads of a gravel river.
static void golden_alluvial(wadi_context* context)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_ALLUVIAL;
    params.fine_share = 0.3;
    params.flood_parcels = 30;
    golden_river(context, "hydraulic/alluvial/", &params);
    params = wadi_hydraulic_params_default();
    golden_check(context,
                 wadi_process_apply_preset(context, &wadi_hydraulic_process, "braid", &params));
    params.flood_parcels = 30;
    golden_river(context, "hydraulic/threads/", &params);
}

// A river of a cubic metre a second falls on a cell and finds its way for a hundred years.
static void golden_momentum(wadi_context* context)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    const wadi_process* process = &wadi_hydraulic_process;
    golden_check(context, wadi_process_apply_preset(context, process, "parcels", &params));
    params.max_step = 2.0;
    wadi_terrain* terrain = golden_terrain(context, &golden_plain);
    wadi_solver* solver = NULL;
    float* rain = golden_allocate(GOLDEN_CELLS, sizeof *rain);
    rain[100 * GOLDEN_WIDTH + 100] = 31557600.0f / 4.0f;
    golden_check(context, wadi_solver_create(terrain, process, &params, 0, &solver));
    golden_check(context, wadi_solver_set_map(solver, "rain", rain));
    golden_check(context, wadi_solver_advance(solver, 100.0));
    golden_check(context, wadi_solver_finish(solver));
    golden_check_ledger(terrain);
    golden_print("hydraulic/momentum/", "state", wadi_terrain_hash(terrain));
    golden_print("hydraulic/momentum/", "maps", golden_maps(solver, context));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    free(rain);
}

// ---- the wind over relief ----------------------------------------------------------------------

// Two winds, one that keeps its direction and one that relief turns, with eddies in it.
static void golden_wind(wadi_context* context)
{
    static const double eddies[] = {100.0, 100.0, 0.0, 0.0, 1.0, 4.0, 120.0};
    float* maps = golden_allocate((size_t)3 * GOLDEN_CELLS, sizeof *maps);
    for (size_t i = 0; i < sizeof golden_cases / sizeof golden_cases[0]; ++i)
    {
        wadi_terrain* terrain = golden_terrain(context, &golden_cases[i]);
        uint64_t hash = 0;
        for (int bent = 0; bent < 2; ++bent)
        {
            wadi_airflow_params params = wadi_airflow_params_default();
            params.direction = 307.0;
            params.warp = bent != 0 ? 3.0 : 0.0;
            wadi_wind_field* field = NULL;
            golden_check(context, wadi_wind_field_create(terrain, &params, &field));
            golden_check(context, wadi_wind_field_set_table(field, "eddies", eddies, 1));
            golden_check(context,
                         wadi_wind_field_compute(field, (double)bent, maps, maps + GOLDEN_CELLS,
                                                 maps + (size_t)2 * GOLDEN_CELLS));
            hash = golden_hash_floats(hash, maps, (size_t)3 * GOLDEN_CELLS);
            wadi_wind_field_destroy(field);
        }
        golden_print("wind_field/", golden_cases[i].name, hash);
        wadi_terrain_destroy(terrain);
    }
    free(maps);
}

// Two winds that take turns in a place of the first case, over the rim of which relief turns them.
static void golden_local_winds(wadi_context* context)
{
    static const double local[] = {900.0, 900.0, 700.0, 400.0, 200.0, 9.0, 1.0,
                                   900.0, 900.0, 700.0, 400.0, 90.0,  6.0, 0.5};
    float* maps = golden_allocate((size_t)3 * GOLDEN_CELLS, sizeof *maps);
    wadi_terrain* terrain = golden_terrain(context, &golden_cases[0]);
    const wadi_airflow_params params = wadi_airflow_params_default();
    wadi_wind_field* field = NULL;
    uint64_t hash = 0;
    golden_check(context, wadi_wind_field_create(terrain, &params, &field));
    golden_check(context, wadi_wind_field_set_table(field, "local_winds", local, 2));
    for (int turn = 0; turn < 2; ++turn)
    {
        golden_check(context,
                     wadi_wind_field_compute(field, (double)turn, maps, maps + GOLDEN_CELLS,
                                             maps + (size_t)2 * GOLDEN_CELLS));
        hash = golden_hash_floats(hash, maps, (size_t)3 * GOLDEN_CELLS);
    }
    golden_print("wind_field/", "local_winds", hash);
    wadi_wind_field_destroy(field);
    wadi_terrain_destroy(terrain);
    free(maps);
}

// ---- windows on finer cells --------------------------------------------------------------------

// Ripples, crests and tongues under two winds of a rose.
static void golden_window(wadi_context* context)
{
    static const double rose[] = {250.0, 9.0, 0.4, 300.0, 12.0, 0.2, 0.0, 0.0, 0.4};
    wadi_terrain* terrain = golden_terrain(context, &golden_cases[0]);
    wadi_amplify_params params = wadi_amplify_params_default();
    golden_check(context, wadi_amplify_set_winds(context, "rose", rose, 3, 0.0, &params));
    params.x = 700.0;
    params.y = 900.0;
    params.width = params.height = 90.0;
    params.cell = 1.5;
    params.wavelength = 12.0;
    params.stones = 0.1;
    params.obstacle_spacing = 15.0;
    params.obstacle_height = 2.0;
    int32_t columns;
    int32_t rows;
    golden_check(context, wadi_amplify_size(terrain, &params, &columns, &rows));
    float* heights = golden_allocate((size_t)columns * (size_t)rows, sizeof *heights);
    golden_check(context, wadi_amplify(terrain, &params, heights));
    golden_print("amplify/", "rose",
                 golden_hash_floats(0, heights, (size_t)columns * (size_t)rows));
    free(heights);
    wadi_terrain_destroy(terrain);
}

int main(int argc, char** argv)
{
    wadi_context_def def = wadi_context_def_default();
    def.threads = argc == 2 ? (int32_t)strtol(argv[1], NULL, 10) : 0;
    wadi_context* context = NULL;
    if (def.threads < 1 || wadi_context_create(&def, &context) != WADI_OK)
    {
        (void)fputs("usage: golden THREADS\n", stderr);
        return EXIT_FAILURE;
    }
    golden_functions();
    golden_noise(context);
    golden_generators(context);
    golden_terrains(context);
    golden_derived(context);
    golden_pictures(context);
    golden_processes(context);
    golden_beds(context);
    golden_momentum(context);
    golden_alluvial(context);
    golden_wind(context);
    golden_local_winds(context);
    golden_window(context);
    golden_grains(context);
    golden_water(context);
    golden_wet_grains(context);
    golden_landslide(context);
    wadi_context_destroy(context);
    return EXIT_SUCCESS;
}
