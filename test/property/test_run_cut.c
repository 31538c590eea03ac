// SPDX-License-Identifier: MIT
// A run that is stopped anywhere, saved and loaded gives the bits of a run in one go, for every
// model of every process whose state can be saved.
// seconds: 8
#include "support/choice.h"
#include "support/drift.h"
#include "support/registered.h"

#include "core/archive.h"

#include <wadi/model.h>
#include <wadi/run.h>

// Steps of a model in a scene of this test.
#define CUT_STEPS 9.4

// A context whose progress hook stops at the n-th question.
typedef struct cut_world
{
    fixture f;
    int64_t asked;
    int64_t stop_at; // 0: never
    wadi_scene* scene;
    wadi_host host;
    wadi_run* run; // NULL: not created yet
    double talus[64];
    double amount[8];
    float params[16];
} cut_world;

static bool cut_progress(double share, const char* what, void* user)
{
    cut_world* w = user;
    (void)share;
    (void)what;
    w->asked += 1;
    return w->asked != w->stop_at;
}

static void cut_add_process(wadi_context* context)
{
    registered_add(context);
    CHECK_OK(context, wadi_process_register(context, &drift_process));
}

static void cut_add_ground(cut_world* w)
{
    const wadi_scene_grid grid = {
        .width = CHOICE_WIDTH, .height = CHOICE_HEIGHT, .cell_size = 10.0};
    CHECK_OK(w->f.context, wadi_scene_set_grid(w->scene, &grid));
    double params[32];
    const wadi_source_kind* noise = wadi_source_kind_find("noise");
    assert_true(noise->fields->params_size <= sizeof params);
    wadi_fields_init(noise->fields, params);
    const wadi_scene_ground ground = {.source = {.kind = noise, .params = params}, .weight = 1.0};
    CHECK_OK(w->f.context, wadi_scene_add_ground(w->scene, &ground));
    double constant[8];
    const wadi_source_kind* even = wadi_source_kind_find("constant");
    wadi_fields_init(even->fields, constant);
    CHECK_OK(w->f.context, wadi_field_set(w->f.context, even->fields, "value", 2.0, constant));
    const wadi_scene_layer sand = {WADI_LAYER_SEDIMENT, {.kind = even, .params = constant}};
    CHECK_OK(w->f.context, wadi_scene_add_layer(w->scene, &sand));
}

static void cut_open(cut_world* w)
{
    *w = (cut_world){0};
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    def.allocator = counted_allocator(&w->f.memory);
    def.progress = cut_progress;
    def.user = w;
    assert_int_equal(wadi_context_create(&def, &w->f.context), WADI_OK);
    cut_add_process(w->f.context);
    CHECK_OK(w->f.context, wadi_scene_create(w->f.context, &w->scene));
    wadi_scene_set_seed(w->scene, 11);
    cut_add_ground(w);
}

static void cut_close(cut_world* w)
{
    wadi_run_destroy(w->run);
    wadi_scene_destroy(w->scene);
    fixture_close(&w->f);
}

// Length of a model's step on the ground of the test; 0: it has none.
static double cut_step(const choice* c)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_rough(&f, CHOICE_WIDTH, CHOICE_HEIGHT, 5);
    wadi_solver* solver = choice_solver(c, terrain, 0);
    const double step = wadi_solver_step(solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return step;
}

// A timeline with an edit in its middle and a step of the same process after it.
static void cut_add_steps(cut_world* w, const choice* c, double years)
{
    void* params = test_calloc(1, c->process->fields->params_size);
    choice_params(c, params);
    const wadi_edit_kind* sand = wadi_edit_kind_find("add_sand");
    wadi_fields_init(sand->fields, w->amount);
    wadi_event event = {0.45 * years,
                        {.kind = WADI_STEP_EDIT, .edit = {.kind = sand, .params = w->amount}}};
    const wadi_step checkpoint = {.kind = WADI_STEP_OUTPUT,
                                  .output = {.kind = WADI_OUTPUT_CHECKPOINT, .file = "state.nc"}};
    wadi_track tracks[2] = {{.process = {.process = c->process, .params = params}, .until = 1e9},
                            {.process = {.process = &drift_process}, .until = 1e9}};
    drift_params drift;
    wadi_fields_init(drift_process.fields, &drift);
    drift.max_step = 0.07 * years;
    tracks[1].process.params = &drift;
    const wadi_timed_output timed = {&checkpoint, years / 3.0};
    const wadi_timeline timeline = {.tick = years / 3.0,
                                    .end = years,
                                    .tracks = tracks,
                                    .track_count = c->process == &drift_process ? 1 : 2,
                                    .events = &event,
                                    .event_count = 1,
                                    .outputs = &timed,
                                    .output_count = 1};
    CHECK_OK(w->f.context, wadi_scene_add_timeline(w->scene, &timeline));
    const wadi_step last = {
        .kind = WADI_STEP_PROCESS,
        .process = {.process = c->process, .params = params, .years = 0.3 * years}};
    CHECK_OK(w->f.context, wadi_scene_add_step(w->scene, &last));
    test_free(params);
}

// Save a run, destroy it and load it.
static void cut_reload(cut_world* w)
{
    wadi_bytes bytes = {.context = w->f.context};
    const uint64_t hash = wadi_run_hash(w->run);
    CHECK_OK(w->f.context, wadi_run_save(w->run, wadi_bytes_write, &bytes));
    wadi_run_destroy(w->run);
    CHECK_OK(w->f.context, wadi_run_load(w->scene, &w->host, wadi_bytes_read, &bytes, &w->run));
    assert_int_equal(bytes.at, bytes.size);
    assert_true(wadi_run_hash(w->run) == hash);
    wadi_bytes_free(&bytes);
}

// Checkpoints save and load into another run, which must not disturb this one.
static wadi_result cut_output(void* user, wadi_run* run, const wadi_output* output)
{
    cut_world* w = user;
    assert_string_equal(output->file, "state.nc");
    wadi_bytes bytes = {.context = w->f.context};
    const wadi_host host = {0};
    wadi_run* copy;
    CHECK_OK(w->f.context, wadi_run_save(run, wadi_bytes_write, &bytes));
    CHECK_OK(w->f.context, wadi_run_load(w->scene, &host, wadi_bytes_read, &bytes, &copy));
    assert_int_equal(wadi_run_position(copy), wadi_run_position(run) + 1);
    assert_true(wadi_run_hash(copy) == wadi_run_hash(run));
    wadi_run_destroy(copy);
    wadi_bytes_free(&bytes);
    return WADI_OK;
}

// Outputs that fail keep the position, so that a saved state writes them after it was loaded.
static wadi_result cut_fail(void* user, wadi_run* run, const wadi_output* output)
{
    (void)run;
    (void)output;
    cut_world* w = user;
    return wadi_context_fail(w->f.context, WADI_ERROR_IO, "the disk is full");
}

typedef wadi_result cut_output_fn(void* user, wadi_run* run, const wadi_output* output);

static void cut_create(cut_world* w, cut_output_fn* output)
{
    w->host = (wadi_host){.output = output, .user = w};
    CHECK_OK(w->f.context, wadi_run_create(w->scene, &w->host, &w->run));
}

// A run of the scene of this test, at its beginning.
static void cut_start(cut_world* w, const choice* c, double years, cut_output_fn* output)
{
    cut_open(w);
    cut_add_steps(w, c, years);
    cut_create(w, output);
}

static void cut_start_drift(cut_world* w, double years)
{
    cut_start(w, &(choice){&drift_process, "default"}, years, cut_output);
}

static void cut_steps(cut_world* w, int count)
{
    for (int i = 0; i < count; ++i)
    {
        CHECK_OK(w->f.context, wadi_run_next(w->run));
    }
}

static wadi_bytes cut_save(const cut_world* w)
{
    wadi_bytes bytes = {.context = w->f.context};
    CHECK_OK(w->f.context, wadi_run_save(w->run, wadi_bytes_write, &bytes));
    return bytes;
}

typedef enum cut_way
{
    CUT_NEVER,
    CUT_RESUME, // stop, and go on in the same run
    CUT_RELOAD  // stop, run what is left of the outputs, save, load
} cut_way;

static uint64_t cut_run(const choice* c, double years, cut_way way, int64_t every, int64_t* asked)
{
    cut_world w;
    cut_start(&w, c, years, cut_output);
    w.asked = 0;
    w.stop_at = way == CUT_NEVER ? 0 : every;
    while (!wadi_run_is_done(w.run))
    {
        const wadi_result result = wadi_run_next(w.run);
        assert_true(result == WADI_OK || result == WADI_ERROR_CANCELLED);
        if (result == WADI_ERROR_CANCELLED)
        {
            w.stop_at += every;
            if (way == CUT_RELOAD)
            {
                cut_reload(&w);
            }
            wadi_run_resume(w.run);
        }
    }
    *asked = w.asked;
    const uint64_t hash = wadi_run_hash(w.run);
    choice_check_layers(wadi_run_terrain(w.run));
    cut_close(&w);
    return hash;
}

static void check_cuts(const choice* c)
{
    const wadi_model* model = choice_model(c);
    const double step = cut_step(c);
    if (step <= 0.0 || model->api->archive == NULL)
    {
        return;
    }
    int64_t asked = 0;
    int64_t ignored;
    const uint64_t one = cut_run(c, CUT_STEPS * step, CUT_NEVER, 0, &asked);
    // a run that is stopped at each question would never get on
    static const struct
    {
        int64_t every;
        cut_way way;
    } cuts[] = {{2, CUT_RELOAD}, {3, CUT_RESUME}, {2, CUT_RESUME}, {5, CUT_RELOAD}};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0] && cuts[i].every <= asked; ++i)
    {
        const uint64_t cut = cut_run(c, CUT_STEPS * step, cuts[i].way, cuts[i].every, &ignored);
        if (cut != one)
        {
            print_message("%s %s: stopped every %lld questions (%s): another hash\n",
                          c->process->name, c->preset, (long long)cuts[i].every,
                          cuts[i].way == CUT_RESUME ? "resumed" : "loaded");
        }
        assert_true(cut == one);
    }
}

static bool is_slide(const choice* c)
{
    return strcmp(c->process->name, "landslide") == 0;
}

static void check_others(const choice* c)
{
    if (!is_slide(c))
    {
        check_cuts(c);
    }
}

static void check_slides(const choice* c)
{
    if (is_slide(c))
    {
        check_cuts(c);
    }
}

static void a_run_cut_anywhere_gives_the_same_bits(void** state)
{
    (void)state;
    choice_for_each(check_others);
}

static void slow_slides_cut_anywhere_give_the_same_bits(void** state)
{
    (void)state;
    choice_for_each(check_slides);
}

// Damage and scenes that do not fit are refused, and nothing is left behind.
static void damaged_runs_are_refused(void** state)
{
    (void)state;
    cut_world w;
    cut_start_drift(&w, 5.0);
    cut_steps(&w, 4);
    wadi_bytes bytes = cut_save(&w);
    wadi_run* copy;
    for (size_t i = 0; i < 200; ++i)
    {
        const size_t at = i * bytes.size / 200;
        bytes.bytes[at] ^= (unsigned char)(1u << (i % 8));
        bytes.at = 0;
        assert_int_equal(wadi_run_load(w.scene, &w.host, wadi_bytes_read, &bytes, &copy),
                         WADI_ERROR_FORMAT);
        assert_null(copy);
        bytes.bytes[at] ^= (unsigned char)(1u << (i % 8));
        wadi_bytes cut = bytes;
        cut.at = 0;
        cut.size = at;
        assert_int_equal(wadi_run_load(w.scene, &w.host, wadi_bytes_read, &cut, &copy),
                         WADI_ERROR_FORMAT);
        assert_null(copy);
    }
    // another scene, with other steps before the saved position
    cut_world other;
    cut_start_drift(&other, 6.0);
    bytes.at = 0;
    CHECK_FAILS(other.f.context, WADI_ERROR_FORMAT, "only later steps may change",
                wadi_run_load(other.scene, &other.host, wadi_bytes_read, &bytes, &copy));
    cut_close(&other);
    wadi_bytes_free(&bytes);
    cut_close(&w);
}

// A terrain and a solver of two moments do not make a run.
static void parts_of_two_states_are_refused(void** state)
{
    (void)state;
    cut_world w;
    cut_start_drift(&w, 5.0);
    wadi_bytes bytes[2];
    size_t terrain = 0;
    for (int i = 0; i < 2; ++i)
    {
        cut_steps(&w, 2); // a stretch and a checkpoint
        bytes[i] = cut_save(&w);
        wadi_bytes part = {.context = w.f.context};
        CHECK_OK(w.f.context, wadi_terrain_save(wadi_run_terrain(w.run), wadi_bytes_write, &part));
        terrain = part.size;
        wadi_bytes_free(&part);
    }
    const wadi_solver* solver = wadi_run_solver(w.run, &drift_process);
    wadi_bytes part = {.context = w.f.context};
    CHECK_OK(w.f.context, wadi_solver_save(solver, wadi_bytes_write, &part));
    const size_t head = bytes[1].size - terrain - part.size;
    // both terrains have the same length; the first one is put into the second state
    memcpy(bytes[1].bytes + head, bytes[0].bytes + head,
           terrain < bytes[0].size - head ? terrain : 0);
    wadi_run* copy;
    CHECK_FAILS(w.f.context, WADI_ERROR_FORMAT, "earlier checkpoint",
                wadi_run_load(w.scene, &w.host, wadi_bytes_read, &bytes[1], &copy));
    wadi_bytes_free(&part);
    wadi_bytes_free(&bytes[0]);
    wadi_bytes_free(&bytes[1]);
    cut_close(&w);
}

static wadi_result cut_no_room(void* user, const void* bytes, size_t size)
{
    wadi_bytes* to = user;
    return to->size + size > 20000
               ? wadi_context_fail(to->context, WADI_ERROR_IO, "the disk is full")
               : wadi_bytes_write(to, bytes, size);
}

static void failures_keep_the_position(void** state)
{
    (void)state;
    cut_world w;
    cut_start(&w, &(choice){&drift_process, "default"}, 5.0, cut_fail);
    cut_steps(&w, 1);
    CHECK_FAILS(w.f.context, WADI_ERROR_IO, "the disk is full", wadi_run_next(w.run));
    assert_int_equal(wadi_run_position(w.run), 1);
    wadi_bytes bytes = {.context = w.f.context};
    assert_int_equal(wadi_run_save(w.run, cut_no_room, &bytes), WADI_ERROR_IO);
    wadi_bytes_free(&bytes);
    bytes = cut_save(&w);
    wadi_run* copy;
    CHECK_OK(w.f.context, wadi_run_load(w.scene, &w.host, wadi_bytes_read, &bytes, &copy));
    assert_int_equal(wadi_run_position(copy), 1);
    wadi_run_destroy(copy);
    wadi_bytes_free(&bytes);
    cut_close(&w);
}

// Fail the n-th allocation of a load for every n.
static void loading_without_memory_is_survived(void** state)
{
    (void)state;
    cut_world w;
    cut_start_drift(&w, 5.0);
    cut_steps(&w, 1);
    wadi_bytes bytes = cut_save(&w);
    wadi_result result = WADI_ERROR_MEMORY;
    int64_t n = 0;
    for (; result != WADI_OK; ++n)
    {
        wadi_run* copy;
        bytes.at = 0;
        w.f.memory.fail_at = w.f.memory.calls + n + 1;
        result = wadi_run_load(w.scene, &w.host, wadi_bytes_read, &bytes, &copy);
        w.f.memory.fail_at = 0;
        assert_true(result == WADI_OK || result == WADI_ERROR_MEMORY);
        wadi_run_destroy(copy);
    }
    assert_true(n > 10);
    wadi_bytes_free(&bytes);
    cut_close(&w);
}

// A stop before a step, with all later steps skipped: a loaded run does them.
static void a_stop_between_steps_is_a_stop(void** state)
{
    (void)state;
    const choice c = {&drift_process, "default"};
    int64_t asked;
    const uint64_t one = cut_run(&c, 5.0, CUT_NEVER, 0, &asked);
    cut_world w;
    cut_start_drift(&w, 5.0);
    cut_steps(&w, 1);
    wadi_run_cancel(w.run);
    while (!wadi_run_is_done(w.run))
    {
        CHECK_OK(w.f.context, wadi_run_next(w.run)); // all steps are skipped
    }
    cut_reload(&w);
    assert_int_equal(wadi_run_position(w.run), 1);
    while (!wadi_run_is_done(w.run))
    {
        CHECK_OK(w.f.context, wadi_run_next(w.run));
    }
    assert_true(wadi_run_hash(w.run) == one);
    cut_close(&w);
}

static void cut_add_water(cut_world* w, const char* preset, double years)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    CHECK_OK(w->f.context,
             wadi_process_apply_preset(w->f.context, &wadi_hydraulic_process, preset, &params));
    const wadi_step step = {
        .kind = WADI_STEP_PROCESS,
        .process = {.process = &wadi_hydraulic_process, .params = &params, .years = years}};
    CHECK_OK(w->f.context, wadi_scene_add_step(w->scene, &step));
}

// Each solver of a process draws random numbers of its own, also where the run was loaded between
// the steps of two.
static void a_loaded_run_counts_its_solvers(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i)
    {
        cut_world w;
        cut_open(&w);
        cut_add_water(&w, "default", 1000.0);
        cut_add_water(&w, "paper", 4000.0);
        cut_create(&w, NULL);
        cut_steps(&w, 1);
        const uint64_t before = wadi_terrain_hash(wadi_run_terrain(w.run));
        if (i == 1)
        {
            cut_reload(&w);
        }
        cut_steps(&w, 1);
        hash[i] = wadi_terrain_hash(wadi_run_terrain(w.run));
        assert_true(hash[i] != before);
        cut_close(&w);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_runs_are_refused),
        cmocka_unit_test(parts_of_two_states_are_refused),
        cmocka_unit_test(failures_keep_the_position),
        cmocka_unit_test(loading_without_memory_is_survived),
        cmocka_unit_test(a_stop_between_steps_is_a_stop),
        cmocka_unit_test(a_loaded_run_counts_its_solvers),
        // last: they take the longest, and a mutant dies at the first that fails
        cmocka_unit_test(a_run_cut_anywhere_gives_the_same_bits),
        cmocka_unit_test(slow_slides_cut_anywhere_give_the_same_bits),
    };
    fixture_on_open(cut_add_process);
    fixture f;
    fixture_open(&f, 1);
    choice_registry = f.context;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fixture_close(&f);
    fixture_on_open(NULL);
    return failed;
}
