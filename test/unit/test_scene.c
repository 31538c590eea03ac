// SPDX-License-Identifier: MIT
// The scene model: refusals, the terrain it makes, its steps. The host is implemented in this file,
// without file I/O.
#include "support/fixture.h"

#include <wadi/run.h>

// ---- a host and short ways to say things --------------------------------------------------------

typedef struct scene_host
{
    char written[8][32];
    int32_t count;
    double last; // value of the last quantity in the first cell
} scene_host;

static wadi_result host_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    (void)user;
    (void)source;
    *out =
        (wadi_frame){8, 4, 10.0, {true, {100.0, 10.0, 0.0, 200.0, 0.0, -10.0}, "LOCAL_CS[]"}, NULL};
    return WADI_OK;
}

// A file whose values number the cells; the first file is missing.
static wadi_result host_read(void* user, const wadi_source* source, const wadi_frame* frame,
                             float* out)
{
    (void)user;
    (void)source;
    for (int32_t i = 0; i < frame->width * frame->height; ++i)
    {
        out[i] = i == 0 ? NAN : (float)i;
    }
    return WADI_OK;
}

static wadi_result host_output(void* user, wadi_run* run, const wadi_output* output)
{
    scene_host* host = user;
    float values[4096];
    const wadi_result result = wadi_run_quantity(run, &output->quantity, values);
    host->last = (double)values[0];
    (void)strncpy(host->written[host->count++], output->file, 31);
    return result;
}

static wadi_host host_of(scene_host* host)
{
    *host = (scene_host){0};
    return (wadi_host){.frame = host_frame, .read = host_read, .output = host_output, .user = host};
}

// Sources with parameters; `params` is large enough for any kind.
static wadi_source source_of(const char* kind, void* params)
{
    const wadi_source_kind* found = wadi_source_kind_find(kind);
    assert_non_null(found);
    wadi_fields_init(found->fields, params);
    return (wadi_source){
        .kind = found, .params = params, .file = found->needs_file ? "some.tif" : NULL};
}

static void source_set(fixture* f, const wadi_source* source, void* params, const char* field,
                       double value)
{
    CHECK_OK(f->context, wadi_field_set(f->context, source->kind->fields, field, value, params));
}

// A scene of one plain at `elevation`, 16 x 8 cells of 10 m.
static wadi_scene* scene_plain(fixture* f, double elevation)
{
    wadi_scene* scene = NULL;
    CHECK_OK(f->context, wadi_scene_create(f->context, &scene));
    const wadi_scene_grid grid = {.width = 16, .height = 8, .cell_size = 10.0};
    CHECK_OK(f->context, wadi_scene_set_grid(scene, &grid));
    double params[64];
    wadi_scene_ground ground = {.source = source_of("flat", params), .weight = 1.0};
    source_set(f, &ground.source, params, "elevation", elevation);
    CHECK_OK(f->context, wadi_scene_add_ground(scene, &ground));
    return scene;
}

static wadi_run* scene_start(fixture* f, const wadi_scene* scene, scene_host* host)
{
    const wadi_host hooks = host_of(host);
    wadi_run* run = NULL;
    CHECK_OK(f->context, wadi_run_create(scene, &hooks, &run));
    return run;
}

static double metres(wadi_run* run, wadi_layer layer, int32_t x, int32_t y)
{
    return fixture_metres(wadi_run_terrain(run), layer, x, y);
}

static wadi_region region_circle(fixture* f, void* params, double x, double y, double radius,
                                 double soft)
{
    const wadi_shape_kind* kind = wadi_shape_kind_find("circle");
    wadi_fields_init(kind->fields, params);
    CHECK_OK(f->context, wadi_field_set(f->context, kind->fields, "x", x, params));
    CHECK_OK(f->context, wadi_field_set(f->context, kind->fields, "y", y, params));
    CHECK_OK(f->context, wadi_field_set(f->context, kind->fields, "radius", radius, params));
    return (wadi_region){.shape = kind, .params = params, .soft = soft};
}

static wadi_step step_edit(fixture* f, const char* name, void* params, double amount)
{
    const wadi_edit_kind* kind = wadi_edit_kind_find(name);
    assert_non_null(kind);
    wadi_fields_init(kind->fields, params);
    CHECK_OK(f->context, wadi_field_set(f->context, kind->fields, kind->fields->fields[0].name,
                                        amount, params));
    return (wadi_step){.kind = WADI_STEP_EDIT, .edit = {.kind = kind, .params = params}};
}

// ---- the terrain a scene makes ------------------------------------------------------------------

static void the_grid_has_the_size_of_the_scene(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 123.0);
    wadi_scene_set_seed(scene, 77);
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    wadi_terrain* terrain = wadi_run_terrain(run);
    assert_int_equal(wadi_terrain_width(terrain), 16);
    assert_int_equal(wadi_terrain_height(terrain), 8);
    CHECK_NEAR(wadi_terrain_cell_size(terrain), 10.0, 0.0);
    assert_true(wadi_terrain_seed(terrain) == 77);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 15, 7), 123.0, 0.0);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void a_file_brings_its_grid_and_may_be_resampled(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = NULL;
    CHECK_OK(f.context, wadi_scene_create(f.context, &scene));
    double params[64];
    const wadi_scene_ground ground = {.source = source_of("import", params), .weight = 1.0};
    CHECK_OK(f.context, wadi_scene_add_ground(scene, &ground));

    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    assert_int_equal(wadi_terrain_width(wadi_run_terrain(run)), 8);
    assert_false(wadi_terrain_is_valid(wadi_run_terrain(run), 0, 0));
    CHECK_NEAR(metres(run, WADI_LAYER_SURFACE, 3, 1), 11.0, 0.0);
    wadi_run_destroy(run);

    const wadi_scene_grid half = {.width = 4, .height = 2};
    CHECK_OK(f.context, wadi_scene_set_grid(scene, &half));
    run = scene_start(&f, scene, &host);
    CHECK_NEAR(wadi_terrain_cell_size(wadi_run_terrain(run)), 20.0, 0.0);
    CHECK_NEAR(wadi_terrain_georef(wadi_run_terrain(run)).affine[5], -20.0, 0.0);
    wadi_run_destroy(run);

    const wadi_scene_grid squeezed = {.width = 4, .height = 4};
    CHECK_OK(f.context, wadi_scene_set_grid(scene, &squeezed));
    const wadi_host hooks = host_of(&host);
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "use [4, 2]", wadi_run_create(scene, &hooks, &run));
    assert_null(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void sources_combine_inside_their_region(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 100.0);
    double params[64];
    double circle[8];
    wadi_scene_ground add = {.source = source_of("flat", params),
                             .combine = WADI_COMBINE_ADD,
                             .weight = 0.5,
                             .region = region_circle(&f, circle, 80.0, 40.0, 20.0, 0.0)};
    source_set(&f, &add.source, params, "elevation", 30.0);
    CHECK_OK(f.context, wadi_scene_add_ground(scene, &add));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    CHECK_NEAR(metres(run, WADI_LAYER_SURFACE, 8, 4), 115.0, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_SURFACE, 0, 0), 100.0, 0.0);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// Loose layers of a scene lie below the surface that its terrain defines.
static void loose_layers_are_cut_from_under_the_surface(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 100.0);
    double params[64];
    wadi_scene_layer layer = {WADI_LAYER_SEDIMENT, source_of("above", params)};
    source_set(&f, &layer.source, params, "elevation", 92.5);
    CHECK_OK(f.context, wadi_scene_add_layer(scene, &layer));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    CHECK_NEAR(metres(run, WADI_LAYER_SEDIMENT, 3, 3), 7.5, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 3, 3), 92.5, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_SURFACE, 3, 3), 100.0, 0.0);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void materials_take_the_values_they_are_given(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 0.0);
    const wadi_scene_material rock = {"rock", "density", 2700.0};
    const wadi_scene_material clay = {"clay", "cohesion", 5000.0};
    CHECK_OK(f.context, wadi_scene_add_material(scene, &rock));
    CHECK_OK(f.context, wadi_scene_add_material(scene, &clay));
    const wadi_scene_material bad = {"rock", "porosity", 2.0};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "porosity", wadi_scene_add_material(scene, &bad));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    const wadi_terrain* terrain = wadi_run_terrain(run);
    CHECK_NEAR(wadi_terrain_material(terrain, WADI_MATERIAL_ROCK)->density, 2700.0, 0.0);
    assert_int_equal(wadi_terrain_material_count(terrain), 4);
    assert_string_equal(wadi_terrain_material(terrain, 3)->name, "clay");
    CHECK_NEAR(wadi_terrain_material(terrain, 3)->cohesion, 5000.0, 0.0);
    CHECK_NEAR(wadi_terrain_material(terrain, 3)->density,
               wadi_terrain_material(terrain, WADI_MATERIAL_SEDIMENT)->density, 0.0);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void bands_alternate_along_their_azimuth(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 0.0);
    double params[64];
    wadi_scene_layer layer = {WADI_LAYER_HARDNESS, source_of("bands", params)};
    source_set(&f, &layer.source, params, "azimuth", 90.0);
    source_set(&f, &layer.source, params, "width", 40.0);
    source_set(&f, &layer.source, params, "rim", 0.0);
    CHECK_OK(f.context, wadi_scene_add_layer(scene, &layer));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    for (int32_t x = 0; x < 16; ++x)
    {
        const int32_t units = wadi_terrain_units(wadi_run_terrain(run), WADI_LAYER_HARDNESS, x, 5);
        assert_int_equal(units, (x / 4) % 2 == 0 ? 0 : 65535);
    }
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// ---- edits --------------------------------------------------------------------------------------

static void run_all(fixture* f, wadi_run* run)
{
    while (!wadi_run_is_done(run))
    {
        CHECK_OK(f->context, wadi_run_next(run));
    }
}

static void edits_change_one_layer_inside_their_region(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 10.0);
    double params[8];
    double circle[8];
    wadi_step step = step_edit(&f, "add_sand", params, 2.0);
    step.edit.region = region_circle(&f, circle, 25.0, 45.0, 12.0, 0.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step = step_edit(&f, "remove_sand", params, 0.5);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step = step_edit(&f, "lower", params, 3.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step = step_edit(&f, "add_water", params, 1.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step = step_edit(&f, "plant", params, 0.6);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    run_all(&f, run);

    // y counts from the south: 45 m north of the edge is row 3 of 8
    CHECK_NEAR(metres(run, WADI_LAYER_SEDIMENT, 2, 3), 1.5, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_SEDIMENT, 2, 4), 1.5, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_SEDIMENT, 4, 3), 0.0, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 9, 1), 7.0, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_WATER, 9, 1), 1.0, 0.0);
    assert_int_equal(wadi_terrain_units(wadi_run_terrain(run), WADI_LAYER_VEGETATION, 9, 1), 39321);
    fixture_check_ledger(wadi_run_terrain(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void smoothing_and_draining_equal_the_brush(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 10.0);
    double params[8];
    double circle[8];
    wadi_step step = step_edit(&f, "raise", params, 8.0);
    step.edit.region = region_circle(&f, circle, 25.0, 45.0, 12.0, 0.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step = step_edit(&f, "add_water", params, 1.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    run_all(&f, run);
    wadi_brush brush = wadi_brush_default();
    brush.layer = WADI_LAYER_SURFACE;
    brush.verb = WADI_EDIT_SMOOTH;
    brush.x = 25.0;
    brush.y = 45.0;
    brush.radius = 30.0;
    brush.soft = 0.0;
    brush.amount = 0.5;
    CHECK_OK(f.context, wadi_terrain_brush(wadi_run_terrain(run), &brush));

    step = step_edit(&f, "smooth", params, 0.5);
    step.edit.region = region_circle(&f, circle, 25.0, 45.0, 30.0, 0.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step = step_edit(&f, "remove_water", params, 0.75);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host other;
    wadi_run* edited = scene_start(&f, scene, &other);
    run_all(&f, edited);
    for (int32_t y = 0; y < wadi_terrain_height(wadi_run_terrain(run)); ++y)
    {
        for (int32_t x = 0; x < wadi_terrain_width(wadi_run_terrain(run)); ++x)
        {
            CHECK_NEAR(metres(edited, WADI_LAYER_BEDROCK, x, y),
                       metres(run, WADI_LAYER_BEDROCK, x, y), 0.0);
        }
    }
    assert_true(metres(edited, WADI_LAYER_BEDROCK, 2, 3) < 18.0);
    CHECK_NEAR(metres(edited, WADI_LAYER_WATER, 2, 3), 0.25, 0.0);
    fixture_check_ledger(wadi_run_terrain(edited));
    wadi_run_destroy(edited);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void a_soft_rim_rises_from_nothing_to_all(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 0.0);
    double params[8];
    double circle[8];
    wadi_step step = step_edit(&f, "raise", params, 8.0);
    step.edit.region = region_circle(&f, circle, 5.0, 35.0, 80.0, 80.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    run_all(&f, run);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 0, 4), 8.0, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 4, 4), 4.0, 0.0); // half-way: smoothstep is 1/2
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 8, 4), 0.0, 0.0);
    for (int32_t x = 1; x <= 8; ++x)
    {
        assert_true(metres(run, WADI_LAYER_BEDROCK, x, 4) <
                    metres(run, WADI_LAYER_BEDROCK, x - 1, 4));
    }
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void polygons_and_turned_boxes_hold_what_they_should(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 0.0);
    double params[8];
    static const wadi_point corners[] = {{0.0, 0.0}, {80.0, 0.0}, {0.0, 80.0}};
    wadi_step step = step_edit(&f, "raise", params, 1.0);
    step.edit.region = (wadi_region){wadi_shape_kind_find("polygon"), NULL, corners, 3, 0.0};
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    double box[8];
    const wadi_shape_kind* kind = wadi_shape_kind_find("rectangle");
    wadi_fields_init(kind->fields, box);
    static const struct
    {
        const char* field;
        double value;
    } values[] = {{"x", 115.0}, {"y", 40.0}, {"width", 70.0}, {"height", 10.0}, {"azimuth", 90.0}};
    for (size_t i = 0; i < 5; ++i)
    {
        CHECK_OK(f.context,
                 wadi_field_set(f.context, kind->fields, values[i].field, values[i].value, box));
    }
    step = step_edit(&f, "raise", params, 2.0);
    step.edit.region = (wadi_region){.shape = kind, .params = box};
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    run_all(&f, run);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 1, 6), 1.0, 0.0); // south-west of the diagonal
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 6, 1), 0.0, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 11, 1), 2.0, 0.0); // the box is rotated to the north
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 12, 1), 0.0, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_BEDROCK, 11, 0), 0.0, 0.0);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void set_layer_takes_a_source(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 5.0);
    double params[8];
    double circle[8];
    wadi_step step = {.kind = WADI_STEP_EDIT, .edit.kind = wadi_edit_kind_find("set_layer")};
    step.edit.assigned = (wadi_scene_layer){WADI_LAYER_SURFACE, source_of("constant", params)};
    source_set(&f, &step.edit.assigned.source, params, "value", 4.25);
    step.edit.region = region_circle(&f, circle, 25.0, 45.0, 8.0, 0.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    run_all(&f, run);
    CHECK_NEAR(metres(run, WADI_LAYER_SURFACE, 2, 3), 4.25, 0.0);
    CHECK_NEAR(metres(run, WADI_LAYER_SURFACE, 0, 0), 5.0, 0.0);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// ---- what a scene refuses -----------------------------------------------------------------------

static void nonsense_is_refused_when_it_is_given(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 0.0);
    const wadi_scene_grid bad[] = {
        {.width = -1, .height = 1},
        {.width = 70000, .height = 1},
        {.width = 4},
        {.cell_size = -2.0},
        {.cell_size = 1.0, .extent = 5.0},
        {.cell_size = (double)NAN},
        {.edges = {WADI_EDGE_PERIODIC}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        assert_int_not_equal(wadi_scene_set_grid(scene, &bad[i]), WADI_OK);
    }
    double params[64];
    wadi_scene_ground ground = {.source = source_of("constant", params), .weight = 1.0};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "'constant' cannot be used here",
                wadi_scene_add_ground(scene, &ground));
    ground = (wadi_scene_ground){.source = source_of("flat", params), .weight = 1.5};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "weight", wadi_scene_add_ground(scene, &ground));
    wadi_step step = step_edit(&f, "add_sand", params, 1.0);
    step.edit.region.soft = (double)NAN;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "soft", wadi_scene_add_step(scene, &step));
    static const wadi_point two[] = {{0.0, 0.0}, {1.0, 1.0}};
    step.edit.region = (wadi_region){wadi_shape_kind_find("polygon"), NULL, two, 2, 0.0};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "3 or more", wadi_scene_add_step(scene, &step));
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void an_output_is_written_once_and_shows_what_is_there(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 21.0);
    wadi_step step = {.kind = WADI_STEP_OUTPUT, .origin = "test.yaml:7:3"};
    step.output.file = "a.tif";
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "two steps write 'a.tif'",
                wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    run_all(&f, run);
    assert_int_equal(host.count, 1);
    assert_string_equal(host.written[0], "a.tif");
    CHECK_NEAR(host.last, 21.0, 0.0);
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "no step left", wadi_run_next(run));
    wadi_run_destroy(run);

    // the error of a step contains its position in the file
    const wadi_host mute = {.frame = host_frame, .read = host_read};
    CHECK_OK(f.context, wadi_run_create(scene, &mute, &run));
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "test.yaml:7:3: write: 'a.tif'", wadi_run_next(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// A name that is written in several ways is one name.
static void names_of_outputs_are_cleaned_and_compared(void** state)
{
    (void)state;
    static const char* const names[][2] = {
        {"./b.png", "b.png"},           {"c//d/././b.png", "c/d/b.png"},
        {"c/../e/b.png", "e/b.png"},    {"c/d/../../f/b.png", "f/b.png"},
        {"../b.png", "../b.png"},       {"../../g/../b.png", "../../b.png"},
        {"..b.png", "..b.png"},         {"/tmp//h/./../b.png", "/tmp/b.png"},
        {"c/.../b.png", "c/.../b.png"}, {".hidden/b.png", ".hidden/b.png"},
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 21.0);
    wadi_step step = {.kind = WADI_STEP_OUTPUT};
    const int32_t count = (int32_t)(sizeof names / sizeof names[0]);
    for (int32_t i = 0; i < count; ++i)
    {
        step.output.file = names[i][0];
        CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
        assert_string_equal(wadi_scene_step(scene, i)->output.file, names[i][1]);
    }
    step.output.file = "c/./../b.png";
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "two steps write 'b.png': write and write;",
                wadi_scene_add_step(scene, &step));
    step.output.kind = WADI_OUTPUT_REPORT;
    step.output.file = "b.png.json";
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT,
                "'b.png.json', the name of a sidecar: write and report",
                wadi_scene_add_step(scene, &step));

    // pictures of three views are p-1.png to p-3.png
    const wadi_render_params render = wadi_render_params_default();
    step.output =
        (wadi_output){.kind = WADI_OUTPUT_RENDER, .file = "p.png", .render = &render, .views = 3};
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    static const char* const taken[] = {"p-1.png", "p-3.png", "p-2.png.json"};
    static const char* const others[] = {"p.png",    "p-0.png", "p-4.png",   "p-01.png",
                                         "p-1a.png", "p-.png",  "p-1.png.x", "p-13.png"};
    step.output = (wadi_output){.kind = WADI_OUTPUT_WRITE};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i)
    {
        step.output.file = taken[i];
        CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, taken[i], wadi_scene_add_step(scene, &step));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    {
        step.output.file = others[i];
        CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    }
    step.output =
        (wadi_output){.kind = WADI_OUTPUT_RENDER, .file = "q", .render = &render, .views = 2};
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    step.output = (wadi_output){.kind = WADI_OUTPUT_WRITE, .file = "q-2"};
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "'q-2': render and",
                wadi_scene_add_step(scene, &step));
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// A model makes maps of its own. Input maps and those of all models are no mistake.
static void maps_of_other_models_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 10.0);
    wadi_hydraulic_params water = wadi_hydraulic_params_default();
    wadi_step run = {.kind = WADI_STEP_PROCESS,
                     .process = {.process = wadi_process_find(f.context, "hydraulic"),
                                 .params = &water,
                                 .years = 1.0}};
    wadi_step plains = {.kind = WADI_STEP_OUTPUT,
                        .output = {.kind = WADI_OUTPUT_WRITE, .file = "plains.tif"}};
    wadi_step flow = {.kind = WADI_STEP_OUTPUT,
                      .output = {.kind = WADI_OUTPUT_WRITE, .file = "flow.tif"}};
    CHECK_OK(f.context,
             wadi_quantity_parse(f.context, "hydraulic.plains", &plains.output.quantity));
    CHECK_OK(f.context, wadi_quantity_parse(f.context, "hydraulic.wear", &flow.output.quantity));
    CHECK_OK(f.context, wadi_scene_add_step(scene, &run));
    CHECK_OK(f.context, wadi_scene_add_step(scene, &plains));
    // the model of the latest step counts
    water.model = WADI_HYDRAULIC_PARCELS;
    CHECK_OK(f.context, wadi_scene_add_step(scene, &run));
    CHECK_OK(f.context, wadi_scene_add_step(scene, &flow));
    plains.output.file = "later.tif";
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT,
                "model 'parcels' makes no plains; model 'streams' does",
                wadi_scene_add_step(scene, &plains));
    // a step that goes on keeps the model
    run.process.goes_on = true;
    CHECK_OK(f.context, wadi_scene_add_step(scene, &run));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "model 'parcels' makes no plains",
                wadi_scene_add_step(scene, &plains));
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// Steps are tried one by one: edits are applied, and processes get solvers of their own.
static void steps_are_skipped_and_tried(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene = scene_plain(&f, 10.0);
    double params[64];
    wadi_step step = step_edit(&f, "add_sand", params, 2.0);
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    wadi_talus_params talus = wadi_talus_params_default();
    step = (wadi_step){.kind = WADI_STEP_PROCESS,
                       .process = {.process = wadi_process_find(f.context, "talus"),
                                   .params = &talus,
                                   .years = 100.0}};
    CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
    scene_host host;
    wadi_run* run = scene_start(&f, scene, &host);
    wadi_solver* solver;
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "no process", wadi_run_trial(run, &solver));
    assert_null(solver);
    CHECK_OK(f.context, wadi_run_skip(run));
    CHECK_NEAR(metres(run, WADI_LAYER_SEDIMENT, 3, 3), 2.0, 1e-4);
    CHECK_OK(f.context, wadi_run_trial(run, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 10.0));
    wadi_solver_destroy(solver);
    assert_int_equal(wadi_run_position(run), 1);
    CHECK_OK(f.context, wadi_run_skip(run));
    assert_true(wadi_run_is_done(run));
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "have been executed", wadi_run_skip(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void quantities_are_found_by_name(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_quantity quantity;
    CHECK_OK(f.context, wadi_quantity_parse(f.context, "sediment", &quantity));
    assert_int_equal(quantity.layer, WADI_LAYER_SEDIMENT);
    CHECK_OK(f.context, wadi_quantity_parse(f.context, "slope", &quantity));
    assert_true(quantity.is_derived);
    assert_int_equal(quantity.derived, WADI_DERIVED_SLOPE);
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "neither a layer",
                wadi_quantity_parse(f.context, "sand_dune", &quantity));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "unknown process 'magic'",
                wadi_quantity_parse(f.context, "magic.flow", &quantity));
    fixture_close(&f);
}

// Fail the n-th allocation for every n: correct error code and no leak (checked by the fixture).
static void running_out_of_memory_is_survived(void** state)
{
    (void)state;
    for (int64_t n = 0;; ++n)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_scene* scene = scene_plain(&f, 1.0);
        double params[64];
        wadi_step step = step_edit(&f, "add_sand", params, 1.0);
        CHECK_OK(f.context, wadi_scene_add_step(scene, &step));
        scene_host host;
        const wadi_host hooks = host_of(&host);
        f.memory.fail_at = f.memory.calls + n + 1;
        wadi_run* run = NULL;
        wadi_result result = wadi_run_create(scene, &hooks, &run);
        if (result == WADI_OK)
        {
            result = wadi_run_next(run);
        }
        f.memory.fail_at = 0;
        wadi_run_destroy(run);
        wadi_scene_destroy(scene);
        fixture_close(&f);
        if (result == WADI_OK)
        {
            assert_true(n > 5);
            break;
        }
        assert_int_equal(result, WADI_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_has_the_size_of_the_scene),
        cmocka_unit_test(a_file_brings_its_grid_and_may_be_resampled),
        cmocka_unit_test(sources_combine_inside_their_region),
        cmocka_unit_test(loose_layers_are_cut_from_under_the_surface),
        cmocka_unit_test(materials_take_the_values_they_are_given),
        cmocka_unit_test(bands_alternate_along_their_azimuth),
        cmocka_unit_test(edits_change_one_layer_inside_their_region),
        cmocka_unit_test(smoothing_and_draining_equal_the_brush),
        cmocka_unit_test(a_soft_rim_rises_from_nothing_to_all),
        cmocka_unit_test(polygons_and_turned_boxes_hold_what_they_should),
        cmocka_unit_test(set_layer_takes_a_source),
        cmocka_unit_test(nonsense_is_refused_when_it_is_given),
        cmocka_unit_test(an_output_is_written_once_and_shows_what_is_there),
        cmocka_unit_test(names_of_outputs_are_cleaned_and_compared),
        cmocka_unit_test(maps_of_other_models_are_refused),
        cmocka_unit_test(steps_are_skipped_and_tried),
        cmocka_unit_test(quantities_are_found_by_name),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
