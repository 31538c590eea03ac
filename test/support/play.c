// SPDX-License-Identifier: MIT
#include "support/play.h"

static bool play_progress(double share, const char* what, void* user)
{
    play* p = user;
    (void)share;
    (void)what;
    p->asked += 1;
    return p->asked != p->stop_at;
}

// The terrain of the session, in a scene without steps.
static void play_add_ground(const play* p, wadi_scene* scene)
{
    wadi_context* context = p->f.context;
    CHECK_OK(context, wadi_scene_set_grid(scene, &p->grid));
    wadi_scene_set_seed(scene, 7);
    double params[32];
    const wadi_source_kind* noise = wadi_source_kind_find("noise");
    assert_true(noise->fields->params_size <= sizeof params);
    wadi_fields_init(noise->fields, params);
    CHECK_OK(context, wadi_field_set(context, noise->fields, "relief", 10.0, params));
    const wadi_scene_ground ground = {.source = {.kind = noise, .params = params}, .weight = 1.0};
    CHECK_OK(context, wadi_scene_add_ground(scene, &ground));
    double constant[8];
    const wadi_source_kind* even = wadi_source_kind_find("constant");
    wadi_fields_init(even->fields, constant);
    CHECK_OK(context, wadi_field_set(context, even->fields, "value", 2.0, constant));
    const wadi_scene_layer sand = {WADI_LAYER_SEDIMENT, {.kind = even, .params = constant}};
    CHECK_OK(context, wadi_scene_add_layer(scene, &sand));
}

void play_open(play* p, int64_t snapshot_bytes)
{
    const wadi_scene_grid grid = {.width = 70, .height = 66, .cell_size = 5.0};
    play_open_on(p, &grid, snapshot_bytes);
}

void play_open_on(play* p, const wadi_scene_grid* grid, int64_t snapshot_bytes)
{
    *p = (play){.grid = *grid};
    wadi_context_def def = wadi_context_def_default();
    def.threads = 2;
    def.allocator = counted_allocator(&p->f.memory);
    def.progress = play_progress;
    def.user = p;
    assert_int_equal(wadi_context_create(&def, &p->f.context), WADI_OK);
    CHECK_OK(p->f.context, wadi_scene_create(p->f.context, &p->scene));
    play_add_ground(p, p->scene);
    const wadi_session_def session = {p->scene, &p->host, 0.25, snapshot_bytes};
    CHECK_OK(p->f.context, wadi_session_create(&session, &p->session));
}

void play_close(play* p)
{
    wadi_session_destroy(p->session);
    wadi_scene_destroy(p->scene);
    fixture_close(&p->f);
}

wadi_result play_try_start(play* p, const char* process, const char* field, double value)
{
    double params[128];
    const wadi_process* kind = wadi_process_find(NULL, process);
    assert_true(kind->fields->params_size <= sizeof params);
    wadi_fields_init(kind->fields, params);
    if (field != NULL)
    {
        CHECK_OK(p->f.context, wadi_field_set(p->f.context, kind->fields, field, value, params));
    }
    return wadi_session_start(p->session, &(wadi_scene_process){.process = kind, .params = params});
}

void play_start(play* p, const char* process, const char* field, double value)
{
    CHECK_OK(p->f.context, play_try_start(p, process, field, value));
}

void play_edit(play* p, const char* kind, double amount, double x, double radius, bool joins)
{
    double params[4];
    double circle[8];
    wadi_edit edit = {.kind = wadi_edit_kind_find(kind), .params = params};
    const wadi_field_table* fields = edit.kind->fields;
    wadi_fields_init(fields, params);
    CHECK_OK(p->f.context,
             wadi_field_set(p->f.context, fields, fields->fields[0].name, amount, params));
    edit.region.shape = wadi_shape_kind_find("circle");
    const wadi_field_table* shape = edit.region.shape->fields;
    wadi_fields_init(shape, circle);
    CHECK_OK(p->f.context, wadi_field_set(p->f.context, shape, "x", x, circle));
    CHECK_OK(p->f.context, wadi_field_set(p->f.context, shape, "y", 150.0, circle));
    CHECK_OK(p->f.context, wadi_field_set(p->f.context, shape, "radius", radius, circle));
    edit.region.params = circle;
    edit.region.soft = 0.5 * radius;
    CHECK_OK(p->f.context, wadi_session_edit(p->session, &edit, joins));
}

void play_advance(play* p, int32_t ticks)
{
    CHECK_OK(p->f.context, wadi_session_advance(p->session, ticks));
}

uint64_t play_hash(play* p)
{
    return wadi_run_hash(wadi_session_run(p->session));
}

uint64_t play_record_hash(play* p)
{
    wadi_scene* scene;
    wadi_run* run;
    wadi_timeline timeline;
    CHECK_OK(p->f.context, wadi_session_record(p->session, &timeline));
    CHECK_OK(p->f.context, wadi_scene_create(p->f.context, &scene));
    play_add_ground(p, scene);
    CHECK_OK(p->f.context, wadi_scene_add_timeline(scene, &timeline));
    CHECK_OK(p->f.context, wadi_run_create(scene, &p->host, &run));
    while (!wadi_run_is_done(run))
    {
        CHECK_OK(p->f.context, wadi_run_next(run));
    }
    const uint64_t hash = wadi_run_hash(run);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    return hash;
}
