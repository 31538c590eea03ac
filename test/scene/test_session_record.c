// SPDX-License-Identifier: MIT
// The record of a session as text is a scene file: what was done by hand, run by the file, gives
// the same bits. seconds: 2
#include "support/play.h"

#include "io/scene/scene_yaml.h"

// The ground of support/play.c as text.
static const char head[] = "wadi: 1\nseed: 7\n"
                           "terrain: {size: [70, 66], cell: 5 m, noise: {relief: 10 m}}\n"
                           "layers: {sediment: 2 m}\n";

typedef struct text
{
    char bytes[32768];
    size_t size;
} text;

static wadi_result text_write(void* user, const void* bytes, size_t size)
{
    text* t = user;
    assert_true(t->size + size < sizeof t->bytes);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return WADI_OK;
}

static const text* record_of(play* p)
{
    static text record;
    memset(&record, 0, sizeof record);
    (void)text_write(&record, head, strlen(head));
    CHECK_OK(p->f.context, wadi_session_write_record(p->session, text_write, &record));
    return &record;
}

static uint64_t hash_of_record(play* p)
{
    const text* record = record_of(p);
    wadi_scene* scene;
    wadi_run* run;
    CHECK_OK(p->f.context, wadi_io_scene_parse(p->f.context, "record.yaml", record->bytes,
                                               record->size, NULL, 0, &scene));
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

static void check(play* p)
{
    uint64_t hash;
    CHECK_OK(p->f.context, wadi_session_end_hash(p->session, &hash));
    assert_true(hash == hash_of_record(p));
}

static void edits_alone_are_steps(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_edit(&p, "add_sand", 1.0 / 3.0, 100.0 / 7.0, 61.7, false);
    play_edit(&p, "lower", 0.1, 200.0, 33.3, false);
    check(&p);
    play_close(&p);
}

// An edit and a process under a mask of every kind.
static void put_masks(play* p, const wadi_edit* edit)
{
    double noise[32];
    wadi_mask_band bands[2] = {{.from = 1.0 / 3.0, .to = 50.0, .fade = 0.7},
                               {.from = -(double)INFINITY, .to = (double)INFINITY}};
    CHECK_OK(p->f.context, wadi_quantity_parse(p->f.context, "slope", &bands[0].quantity));
    CHECK_OK(p->f.context, wadi_quantity_parse(p->f.context, "vegetation", &bands[1].quantity));
    const wadi_source_kind* kind = wadi_source_kind_find("noise");
    assert_true(kind->fields->params_size <= sizeof noise);
    wadi_fields_init(kind->fields, noise);
    CHECK_OK(p->f.context, wadi_field_set(p->f.context, kind->fields, "relief", 0.9, noise));
    wadi_mask mask = {.source = {.kind = kind, .params = noise},
                      .bands = bands,
                      .band_count = 1,
                      .region = edit->region,
                      .inverted = true,
                      .strength = 0.3};
    wadi_edit masked = *edit;
    masked.region = (wadi_region){0};
    masked.mask = &mask;
    CHECK_OK(p->f.context, wadi_session_edit(p->session, &masked, false));
    mask = (wadi_mask){.bands = bands, .band_count = 2, .strength = 1.0};
    double params[128];
    const wadi_process* talus = wadi_process_find(NULL, "talus");
    wadi_fields_init(talus->fields, params);
    CHECK_OK(p->f.context, wadi_session_start(p->session, &(wadi_scene_process){.process = talus,
                                                                                .params = params,
                                                                                .mask = &mask}));
}

// A map of rain that begins even and has some strokes: lines, spots and areas. The first one has a
// value of its own.
static void put_map(play* p, int32_t count, double value)
{
    const wadi_point way[] = {{12.0, 30.0}, {200.0 / 3.0, 90.0}, {310.0, 1.0 / 7.0}};
    wadi_paint strokes[] = {{value, 40.0, 100.0 / 7.0, way, 3, false},
                            {2.0, 25.0, 0.0, way, 1, false},
                            {3.5, 0.0, 20.0 / 3.0, way, 3, true},
                            {0.5, 30.0, 10.0, way + 1, 2, false},
                            {4.0 / 3.0, 35.0, 0.0, way + 2, 1, false}};
    assert_in_range(count, 1, 5);
    double even[4];
    double params[128];
    const wadi_source_kind* kind = wadi_source_kind_find("constant");
    wadi_fields_init(kind->fields, even);
    const wadi_process* hydraulic = wadi_process_find(NULL, "hydraulic");
    assert_true(hydraulic->fields->params_size <= sizeof params);
    wadi_fields_init(hydraulic->fields, params);
    const wadi_scene_input rain = {
        "rain", {.kind = kind, .params = even, .strokes = strokes, .stroke_count = count}};
    CHECK_OK(p->f.context,
             wadi_session_start(p->session, &(wadi_scene_process){.process = hydraulic,
                                                                  .params = params,
                                                                  .inputs = &rain,
                                                                  .input_count = 1}));
}

static void put_strokes(play* p)
{
    put_map(p, 2, 1.0 / 3.0);
}

static int32_t count_of(const char* record, const char* words)
{
    int32_t count = 0;
    for (const char* at = record; (at = strstr(at, words)) != NULL; ++at)
    {
        ++count;
    }
    return count;
}

static void strokes_are_written_down(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    put_strokes(&p);
    play_advance(&p, 5);
    check(&p);
    play_close(&p);
}

// Of the changes of one moment only the last is written: each one holds the whole map.
static void a_moment_is_written_once(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    put_strokes(&p);
    play_advance(&p, 2);
    put_strokes(&p);
    play_edit(&p, "add_sand", 1.0 / 3.0, 100.0 / 7.0, 61.7, false);
    put_strokes(&p);
    put_strokes(&p);
    play_advance(&p, 3);
    assert_int_equal(count_of(record_of(&p)->bytes, "hydraulic: {"), 2); // the track, a change
    check(&p);
    play_close(&p);
}

// A change of a painted map is written as the strokes that are new, with a number of those that
// stay where not all do. A map that stays is not written again.
static void a_map_grows_by_its_strokes(void** state)
{
    (void)state;
    static const struct
    {
        int32_t count;
        double value;
    } maps[] = {{2, 0.25}, {3, 0.25}, {5, 0.25}, {5, 0.25}, {4, 0.25}, {4, 1.75}, {5, 1.75}};
    play p;
    play_open(&p, 0);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; ++i)
    {
        put_map(&p, maps[i].count, maps[i].value);
        play_advance(&p, 1);
    }
    const char* record = record_of(&p)->bytes;
    assert_int_equal(count_of(record, "hydraulic: {"), 7);
    assert_int_equal(count_of(record, "painted: {"), 5);
    assert_int_equal(count_of(record, "painted: {strokes: ["), 3);
    assert_int_equal(count_of(record, "painted: {keep: 4}"), 1);
    assert_int_equal(count_of(record, "painted: {keep: 0, strokes: ["), 1);
    assert_int_equal(count_of(record, "{value: "), 2 + 1 + 2 + 0 + 0 + 4 + 1 + 1); // 1: the base
    assert_int_equal(count_of(record, ", polygon: ["), 2);
    check(&p);
    // without one of the changes the later ones hold more
    CHECK_OK(p.f.context, wadi_session_remove(p.session, 1));
    check(&p);
    play_close(&p);
}

// A table of winds, a polygon, a source with noise, and numbers without a short decimal form.
static void everything_is_written_down(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "talus", "repose", 100.0 / 3.1);
    play_advance(&p, 1);
    const wadi_process* dunes = wadi_process_find(NULL, "dunes");
    double params[128];
    assert_true(dunes->fields->params_size <= sizeof params);
    wadi_fields_init(dunes->fields, params);
    double rose[] = {200.0 / 3.0, 12.0, 0.6, 300.0, 9.0, 0.4};
    assert_string_equal(dunes->tables[0].name, "rose");
    assert_int_equal(dunes->tables[0].column_count, 3);
    const wadi_scene_table table = {"rose", NULL, rose, 2};
    CHECK_OK(p.f.context, wadi_session_start(p.session, &(wadi_scene_process){.process = dunes,
                                                                              .params = params,
                                                                              .tables = &table,
                                                                              .table_count = 1}));
    play_advance(&p, 3);
    play_start(&p, "dunes", "inflow", 0.3); // the table stays
    const wadi_point corners[] = {{20.0, 20.0}, {200.0, 40.0}, {100.0, 300.0 / 7.0 + 200.0}};
    double cover[4];
    const wadi_source_kind* even = wadi_source_kind_find("constant");
    wadi_fields_init(even->fields, cover);
    CHECK_OK(p.f.context, wadi_field_set(p.f.context, even->fields, "value", 0.7, cover));
    const wadi_edit edit = {
        .kind = wadi_edit_kind_find("set_layer"),
        .assigned = {WADI_LAYER_VEGETATION, {.kind = even, .params = cover}},
        .region = {.shape = wadi_shape_kind_find("polygon"), .points = corners, .point_count = 3}};
    CHECK_OK(p.f.context, wadi_session_edit(p.session, &edit, false));
    put_masks(&p, &edit);
    play_advance(&p, 4);
    CHECK_OK(p.f.context, wadi_session_stop(p.session, wadi_process_find(NULL, "talus")));
    play_advance(&p, 2);
    check(&p);
    play_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_alone_are_steps),      cmocka_unit_test(everything_is_written_down),
        cmocka_unit_test(strokes_are_written_down),   cmocka_unit_test(a_moment_is_written_once),
        cmocka_unit_test(a_map_grows_by_its_strokes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
