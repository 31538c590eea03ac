// SPDX-License-Identifier: MIT
// Timelines: division of time, active processes per stretch, effects of events, refusals.
#include "support/fixture.h"

#include <wadi/dunes.h>
#include <wadi/model.h>
#include <wadi/run.h>

#include <stdio.h>

typedef struct timeline_story
{
    fixture f;
    wadi_scene* scene;
    wadi_timeline timeline;
    wadi_track tracks[2];
    wadi_event events[4];
    wadi_dunes_params dunes;
    wadi_dunes_params turned; // the same with the wind from the south
    double talus[64];
    double amount[8];
    double circle[8];
    wadi_region heap; // a quarter disc in the south-west
} timeline_story;

static void story_add_ground(timeline_story* s)
{
    const wadi_scene_grid grid = {
        .width = 32,
        .height = 24,
        .cell_size = 2.0,
        .edges = {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC}};
    CHECK_OK(s->f.context, wadi_scene_set_grid(s->scene, &grid));
    double params[8];
    const wadi_source_kind* flat = wadi_source_kind_find("flat");
    wadi_fields_init(flat->fields, params);
    const wadi_scene_ground ground = {.source = {.kind = flat, .params = params}, .weight = 1.0};
    CHECK_OK(s->f.context, wadi_scene_add_ground(s->scene, &ground));
}

// Ten years of dunes in ticks of 4, talus from year 2 to 5, sand at the start.
static void story_open(timeline_story* s)
{
    *s = (timeline_story){0};
    fixture_open(&s->f, 1);
    CHECK_OK(s->f.context, wadi_scene_create(s->f.context, &s->scene));
    story_add_ground(s);
    s->dunes = wadi_dunes_params_default();
    s->turned = s->dunes;
    s->turned.direction = 180.0;
    const wadi_process* talus = wadi_process_find(NULL, "talus");
    assert_true(talus->fields->params_size <= sizeof s->talus);
    wadi_fields_init(talus->fields, s->talus);
    CHECK_OK(s->f.context,
             wadi_field_set(s->f.context, talus->fields, "weathering", 0.0, s->talus));
    s->tracks[0] =
        (wadi_track){.process = {.process = wadi_process_find(NULL, "dunes"), .params = &s->dunes},
                     .until = 1e9};
    s->tracks[1] =
        (wadi_track){.process = {.process = talus, .params = s->talus}, .from = 2.0, .until = 5.0};
    const wadi_edit_kind* sand = wadi_edit_kind_find("add_sand");
    wadi_fields_init(sand->fields, s->amount);
    s->events[0].step =
        (wadi_step){.kind = WADI_STEP_EDIT, .edit = {.kind = sand, .params = s->amount}};
    const wadi_shape_kind* circle = wadi_shape_kind_find("circle");
    wadi_fields_init(circle->fields, s->circle);
    CHECK_OK(s->f.context, wadi_field_set(s->f.context, circle->fields, "radius", 30.0, s->circle));
    s->heap = (wadi_region){.shape = circle, .params = s->circle, .soft = 10.0};
    s->timeline = (wadi_timeline){.tick = 4.0,
                                  .end = 10.0,
                                  .tracks = s->tracks,
                                  .track_count = 2,
                                  .events = s->events,
                                  .event_count = 1};
}

static void story_close(timeline_story* s)
{
    wadi_scene_destroy(s->scene);
    fixture_close(&s->f);
}

static wadi_event event_turn(timeline_story* s, double at)
{
    return (wadi_event){
        at,
        {.kind = WADI_STEP_PROCESS,
         .process = {.process = s->tracks[0].process.process, .params = &s->turned}}};
}

static wadi_run* story_run(timeline_story* s)
{
    static const wadi_host nobody = {0};
    CHECK_OK(s->f.context, wadi_scene_add_timeline(s->scene, &s->timeline));
    wadi_run* run = NULL;
    CHECK_OK(s->f.context, wadi_run_create(s->scene, &nobody, &run));
    while (!wadi_run_is_done(run))
    {
        CHECK_OK(s->f.context, wadi_run_next(run));
    }
    return run;
}

static void time_is_cut_where_something_begins_ends_or_happens(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    s.events[1] = event_turn(&s, 7.5);
    s.timeline.event_count = 2;
    CHECK_OK(s.f.context, wadi_scene_add_timeline(s.scene, &s.timeline));
    static const struct
    {
        const char* name;
        double years;
        bool goes_on;
        bool overlaps;
    } expected[] = {
        {"add_sand", 0.0, false, false}, {"dunes", 2.0, false, false}, {"dunes", 2.0, true, true},
        {"talus", 2.0, false, false},    {"dunes", 1.0, true, true},   {"talus", 1.0, true, false},
        {"dunes", 2.5, true, false},     {"dunes", 0.5, false, false}, {"dunes", 2.0, true, false},
    };
    // 5 to 7.5 is one stretch and 7.5 to 8 another; the tick is at 8
    assert_int_equal(wadi_scene_step_count(s.scene), sizeof expected / sizeof expected[0]);
    for (int32_t i = 0; i < wadi_scene_step_count(s.scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(s.scene, i);
        assert_string_equal(wadi_step_name(step), expected[i].name);
        CHECK_NEAR(step->process.years, expected[i].years, 0.0);
        assert_int_equal(step->process.goes_on, expected[i].goes_on);
        assert_int_equal(step->process.overlaps, expected[i].overlaps);
    }
    story_close(&s);
}

// An event at the very end happens after all processes; without one the last stretch is the last
// step. Later than that is refused.
static void events_at_the_last_moment_happen(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    s.timeline.track_count = 1;
    s.events[1] = s.events[0];
    s.events[1].at = s.timeline.end;
    s.timeline.event_count = 2;
    CHECK_OK(s.f.context, wadi_scene_add_timeline(s.scene, &s.timeline));
    const int32_t count = wadi_scene_step_count(s.scene);
    assert_int_equal(count, 5); // sand, three stretches of dunes, sand
    assert_string_equal(wadi_step_name(wadi_scene_step(s.scene, 0)), "add_sand");
    assert_string_equal(wadi_step_name(wadi_scene_step(s.scene, count - 2)), "dunes");
    assert_string_equal(wadi_step_name(wadi_scene_step(s.scene, count - 1)), "add_sand");
    story_close(&s);

    story_open(&s);
    s.events[0].at = s.timeline.end + 1e-3;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "an event at",
                wadi_scene_add_timeline(s.scene, &s.timeline));
    story_close(&s);
}

// 30 ticks of 0.1 yr end 4e-16 yr from 3 yr: that does not make another stretch.
static void moments_that_differ_by_rounding_are_one(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    s.timeline.tick = 0.1;
    s.timeline.end = 3.0;
    s.timeline.track_count = 1;
    s.events[1] = event_turn(&s, 0.3); // 3 x 0.1 is 0.30000000000000004
    s.timeline.event_count = 2;
    CHECK_OK(s.f.context, wadi_scene_add_timeline(s.scene, &s.timeline));
    assert_int_equal(wadi_scene_step_count(s.scene), 31);
    story_close(&s);
}

// An event a millionth of a tick before a tick; rounding may put it on either side, but no tick may
// be lost.
static void no_stretch_is_longer_than_a_tick(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    s.timeline.tick = 5.0;
    s.timeline.end = 60.0;
    s.timeline.track_count = 1;
    s.events[1] = event_turn(&s, 44.999995);
    s.timeline.event_count = 2;
    CHECK_OK(s.f.context, wadi_scene_add_timeline(s.scene, &s.timeline));
    double sum = 0.0;
    for (int32_t i = 1; i < wadi_scene_step_count(s.scene); ++i)
    {
        const double years = wadi_scene_step(s.scene, i)->process.years;
        assert_true(years <= 5.0 * (1.0 + 2e-6));
        sum += years;
    }
    CHECK_NEAR(sum, 60.0, 1e-9);
    story_close(&s);
}

// One solver is used for all stretches; its clock is the timeline's, not the sum over processes.
static void a_process_goes_on_from_stretch_to_stretch(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    s.events[0].step.edit.region = s.heap;
    s.timeline.track_count = 1;
    wadi_run* run = story_run(&s);
    wadi_terrain* terrain = wadi_run_terrain(run);
    CHECK_NEAR(wadi_terrain_clock(terrain), 10.0, 1e-12);

    wadi_run* other;
    static const wadi_host nobody = {0};
    CHECK_OK(s.f.context, wadi_run_create(s.scene, &nobody, &other));
    CHECK_OK(s.f.context, wadi_run_next(other)); // only the edit
    wadi_terrain* alone = wadi_run_terrain(other);
    wadi_solver* solver;
    CHECK_OK(s.f.context,
             wadi_solver_create(alone, s.tracks[0].process.process, &s.dunes, 0, &solver));
    CHECK_OK(s.f.context, wadi_solver_fit(solver, s.timeline.tick));
    static const double stretches[] = {4.0, 4.0, 2.0};
    for (int i = 0; i < 3; ++i)
    {
        CHECK_OK(s.f.context, wadi_solver_advance(solver, stretches[i]));
    }
    // the end of a run lays down what is held
    CHECK_OK(s.f.context, wadi_solver_finish(solver));
    CHECK_OK(s.f.context, wadi_solver_settle(solver));
    for (int32_t i = 0; i < 32 * 24; ++i)
    {
        assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % 32, i / 32),
                         wadi_terrain_units(alone, WADI_LAYER_SEDIMENT, i % 32, i / 32));
    }
    wadi_solver_destroy(solver);
    wadi_run_destroy(other);
    wadi_run_destroy(run);
    story_close(&s);
}

static int64_t sand_of(wadi_run* run)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < 32 * 24; ++i)
    {
        sum += wadi_terrain_units(wadi_run_terrain(run), WADI_LAYER_SEDIMENT, i % 32, i / 32);
    }
    return sum;
}

// Execute all steps but the last and return the sand in the air.
static int64_t story_run_almost(timeline_story* s, wadi_run** run)
{
    static const wadi_host nobody = {0};
    CHECK_OK(s->f.context, wadi_scene_add_timeline(s->scene, &s->timeline));
    CHECK_OK(s->f.context, wadi_run_create(s->scene, &nobody, run));
    while (wadi_run_position(*run) + 1 < wadi_scene_step_count(s->scene))
    {
        CHECK_OK(s->f.context, wadi_run_next(*run));
    }
    const wadi_solver* solver = wadi_run_solver(*run, s->tracks[0].process.process);
    return wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT);
}

// A change of wind loses no sand in the air and adds none, and the end of the run lays it down.
static void sand_in_the_air_outlives_a_change_of_wind(void** state)
{
    (void)state;
    const int64_t all = INT64_C(65536) * 32 * 24;
    int64_t air[2];
    for (int changes = 0; changes < 2; ++changes)
    {
        timeline_story s;
        story_open(&s);
        s.timeline.track_count = 1;
        for (int i = 1; i <= 3 * changes; ++i)
        {
            s.events[i] = event_turn(&s, 2.5 * i);
        }
        s.timeline.event_count = 1 + 3 * changes;
        wadi_run* run;
        air[changes] = story_run_almost(&s, &run);
        assert_true(air[changes] > 0);
        assert_true(sand_of(run) + air[changes] == all);
        fixture_check_ledger(wadi_run_terrain(run));
        CHECK_OK(s.f.context, wadi_run_next(run));
        assert_true(wadi_run_is_done(run));
        assert_true(sand_of(run) == all);
        fixture_check_ledger(wadi_run_terrain(run));
        wadi_run_destroy(run);
        story_close(&s);
    }
    CHECK_NEAR((double)air[1], (double)air[0], 0.25 * (double)air[0]);
}

// Removing all sand after a step of dunes also removes the sand in the air.
static void edits_find_sand_on_the_ground(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    double depth[8];
    const wadi_edit_kind* take = wadi_edit_kind_find("remove_sand");
    wadi_fields_init(take->fields, depth);
    CHECK_OK(s.f.context, wadi_field_set(s.f.context, take->fields, "depth", 50.0, depth));
    wadi_step steps[3] = {s.events[0].step,
                          {.kind = WADI_STEP_PROCESS, .process = s.tracks[0].process},
                          {.kind = WADI_STEP_EDIT, .edit = {.kind = take, .params = depth}}};
    steps[1].process.years = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        CHECK_OK(s.f.context, wadi_scene_add_step(s.scene, &steps[i]));
    }
    static const wadi_host nobody = {0};
    wadi_run* run = NULL;
    CHECK_OK(s.f.context, wadi_run_create(s.scene, &nobody, &run));
    for (int i = 0; i < 3; ++i)
    {
        CHECK_OK(s.f.context, wadi_run_next(run));
    }
    CHECK_OK(s.f.context, wadi_solver_settle(wadi_run_solver(run, s.tracks[0].process.process)));
    assert_int_equal(sand_of(run), 0);
    fixture_check_ledger(wadi_run_terrain(run));
    wadi_run_destroy(run);
    story_close(&s);
}

// An edit between two stretches affects the running solver: under plants no sand moves.
static void edits_reach_a_process_at_work(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    double cover[8];
    const wadi_edit_kind* plant = wadi_edit_kind_find("plant");
    wadi_fields_init(plant->fields, cover);
    s.events[1] =
        (wadi_event){5.0, {.kind = WADI_STEP_EDIT, .edit = {.kind = plant, .params = cover}}};
    s.timeline.event_count = 2;
    wadi_run* run = story_run(&s);
    wadi_solver* solver = wadi_run_solver(run, s.tracks[0].process.process);
    float air[32 * 24];
    CHECK_OK(s.f.context, wadi_solver_map(solver, "airborne", air));
    for (int32_t i = 0; i < 32 * 24; ++i)
    {
        assert_true(air[i] == 0.0f);
    }
    assert_int_equal(sand_of(run), 65536 * 32 * 24);
    // talus ran during years of the dunes: the clock counts them once
    CHECK_NEAR(wadi_terrain_clock(wadi_run_terrain(run)), 10.0, 1e-12);
    wadi_run_destroy(run);
    story_close(&s);
}

// A checkpoint stands at the end of the first tick at or after each multiple of its time, before
// the events of that moment, and not at the end of the timeline.
static void checkpoints_stand_at_ticks(void** state)
{
    (void)state;
    static const struct
    {
        double every;
        const char* steps;
    } cases[] = {
        {4.0, "add_sand dunes checkpoint dunes dunes checkpoint add_sand dunes"},
        {5.0, "add_sand dunes dunes dunes checkpoint add_sand dunes"}, // event at 5 is no tick
        {8.0, "add_sand dunes dunes dunes checkpoint add_sand dunes"},
        {9.0, "add_sand dunes dunes dunes add_sand dunes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        timeline_story s;
        story_open(&s);
        const wadi_step checkpoint = {
            .kind = WADI_STEP_OUTPUT,
            .origin = "t.yaml:20:3",
            .output = {.kind = WADI_OUTPUT_CHECKPOINT, .file = "state.nc"}};
        s.timeline.track_count = 1;
        s.events[1] = event_turn(&s, 5.0);
        s.events[2] = s.events[0];
        s.events[2].at = 8.0;
        s.timeline.event_count = 3;
        const wadi_timed_output timed = {&checkpoint, cases[i].every};
        s.timeline.outputs = &timed;
        s.timeline.output_count = 1;
        CHECK_OK(s.f.context, wadi_scene_add_timeline(s.scene, &s.timeline));
        char steps[256] = "";
        for (int32_t k = 0; k < wadi_scene_step_count(s.scene); ++k)
        {
            strcat(steps, k > 0 ? " " : "");
            strcat(steps, wadi_step_name(wadi_scene_step(s.scene, k)));
        }
        assert_string_equal(steps, cases[i].steps);
        story_close(&s);
    }
    timeline_story s;
    story_open(&s);
    const wadi_step checkpoint = {.kind = WADI_STEP_OUTPUT,
                                  .origin = "t.yaml:20:3",
                                  .output = {.kind = WADI_OUTPUT_CHECKPOINT, .file = "state.nc"}};
    const wadi_timed_output timed = {&checkpoint, 3.9};
    s.timeline.outputs = &timed;
    s.timeline.output_count = 1;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "t.yaml:20:3: a checkpoint every 3.9 yr",
                wadi_scene_add_timeline(s.scene, &s.timeline));
    story_close(&s);
}

// A process of a list of steps is cut at the multiples of each output; a model without fixed steps
// is not, and edits come after the frame of their moment.
static void steps_are_divided_at_their_frames(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    const wadi_step heights = {.kind = WADI_STEP_OUTPUT,
                               .output = {.kind = WADI_OUTPUT_WRITE, .file = "h.tif"}};
    const wadi_step state_file = {.kind = WADI_STEP_OUTPUT,
                                  .output = {.kind = WADI_OUTPUT_CHECKPOINT, .file = "state.nc"}};
    const wadi_timed_output timed[] = {{&heights, 4.0}, {&state_file, 5.0}};
    CHECK_OK(s.f.context, wadi_scene_begin_timed(s.scene, timed, 2));
    wadi_step dunes = {.kind = WADI_STEP_PROCESS, .process = s.tracks[0].process};
    dunes.process.years = 10.0;
    CHECK_OK(s.f.context, wadi_scene_add_step(s.scene, &dunes));
    CHECK_OK(s.f.context, wadi_scene_add_step(s.scene, &s.events[0].step));
    dunes.process.years = 3.0;
    CHECK_OK(s.f.context, wadi_scene_add_step(s.scene, &dunes));
    CHECK_OK(s.f.context, wadi_scene_end_timed(s.scene));
    CHECK_OK(s.f.context, wadi_scene_add_step(s.scene, &dunes));
    char steps[512] = "";
    for (int32_t k = 0; k < wadi_scene_step_count(s.scene); ++k)
    {
        const wadi_step* step = wadi_scene_step(s.scene, k);
        char text[64];
        (void)snprintf(text, sizeof text, "%s%s %g/%g%s", k > 0 ? ", " : "", wadi_step_name(step),
                       step->process.years, step->process.whole, step->process.goes_on ? "+" : "");
        strcat(steps, text);
    }
    assert_string_equal(
        steps, "write 0/0, dunes 4/10, write 0/0, dunes 1/10+, checkpoint 0/0, dunes 3/10+, write "
               "0/0, dunes 2/10+, checkpoint 0/0, add_sand 0/0, dunes 2/3, write 0/0, dunes 1/3+, "
               "write 0/0, dunes 3/0");
    const wadi_timed_output none = {&heights, 0.0};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "a write every 0 yr",
                wadi_scene_begin_timed(s.scene, &none, 1));
    const wadi_timed_output edit = {&s.events[0].step, 1.0};
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "'add_sand' is no output",
                wadi_scene_begin_timed(s.scene, &edit, 1));
    story_close(&s);
}

// Frames stand at the start, at multiples and at the end, with numbers in their names unless they
// are added to one file; maps begin when their process has run.
static void series_have_a_frame_at_either_end(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    const wadi_step heights = {.kind = WADI_STEP_OUTPUT,
                               .output = {.kind = WADI_OUTPUT_WRITE, .file = "a/h.tif"}};
    const wadi_step lines = {
        .kind = WADI_STEP_OUTPUT,
        .output = {.kind = WADI_OUTPUT_WRITE, .file = "lines.nc", .appends = true}};
    wadi_step flux = {.kind = WADI_STEP_OUTPUT,
                      .output = {.kind = WADI_OUTPUT_WRITE, .file = "f.tif"}};
    CHECK_OK(s.f.context, wadi_quantity_parse(s.f.context, "dunes.flux_x", &flux.output.quantity));
    const wadi_timed_output timed[] = {{&heights, 4.0}, {&lines, 8.0}, {&flux, 4.0}};
    s.timeline.track_count = 1;
    s.timeline.event_count = 0;
    s.timeline.outputs = timed;
    s.timeline.output_count = 3;
    CHECK_OK(s.f.context, wadi_scene_add_timeline(s.scene, &s.timeline));
    char names[512] = "";
    for (int32_t k = 0; k < wadi_scene_step_count(s.scene); ++k)
    {
        const wadi_step* step = wadi_scene_step(s.scene, k);
        strcat(names, k > 0 ? " " : "");
        strcat(names, step->kind == WADI_STEP_OUTPUT ? step->output.file : "dunes");
    }
    assert_string_equal(names, "a/h-0001.tif lines.nc dunes a/h-0002.tif f-0001.tif dunes "
                               "a/h-0003.tif lines.nc f-0002.tif dunes a/h-0004.tif lines.nc "
                               "f-0003.tif");
    story_close(&s);
}

static void nonsense_is_refused(void** state)
{
    (void)state;
    static const struct
    {
        double tick;
        double end;
        double from;
        double until;
        double at[2];
        const char* message;
    } cases[] = {
        {0.0, 10.0, 0.0, 10.0, {0.0, 1.0}, "tick is 0 yr"},
        {11.0, 10.0, 0.0, 10.0, {0.0, 1.0}, "(0, 10]"},
        {(double)NAN, 10.0, 0.0, 10.0, {0.0, 1.0}, "tick is"},
        {1.0, 0.0, 0.0, 10.0, {0.0, 1.0}, "ends at 0 yr"},
        {1e-5, 10.0, 0.0, 10.0, {0.0, 1.0}, "longer tick"},
        {1.0, 10.0, 3.0, 3.0, {0.0, 1.0}, "before its end"},
        {1.0, 10.0, -1.0, 3.0, {0.0, 1.0}, "begin at 0"},
        {1.0, 10.0, 0.0, 10.0, {0.0, 10.5}, "timeline of 0 to 10 yr"},
        {1.0, 10.0, 0.0, 10.0, {2.0, 1.0}, "in order of time"},
        {1.0, 10.0, 0.0, 8.0, {0.0, 1.0}, "no process runs from 8 to 9 yr"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        timeline_story s;
        story_open(&s);
        s.timeline.tick = cases[i].tick;
        s.timeline.end = cases[i].end;
        s.timeline.track_count = 1;
        s.tracks[0].from = cases[i].from;
        s.tracks[0].until = cases[i].until;
        s.events[1] = s.events[0];
        s.events[0].at = cases[i].at[0];
        s.events[1].at = cases[i].at[1];
        s.timeline.event_count = 2;
        const wadi_result result = wadi_scene_add_timeline(s.scene, &s.timeline);
        assert_int_not_equal(result, WADI_OK);
        if (strstr(wadi_error_detail(s.f.context), cases[i].message) == NULL)
        {
            fail_msg("got '%s', expected '%s'", wadi_error_detail(s.f.context), cases[i].message);
        }
        story_close(&s);
    }
}

static void a_process_has_one_track_and_events_keep_to_those(void** state)
{
    (void)state;
    timeline_story s;
    story_open(&s);
    s.tracks[1] = s.tracks[0];
    s.tracks[1].origin = "t.yaml:9:7";
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "t.yaml:9:7: dunes has two tracks at",
                wadi_scene_add_timeline(s.scene, &s.timeline));
    s.tracks[0].process.process = wadi_process_find(NULL, "talus");
    s.timeline.track_count = 0;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "the timeline has no process",
                wadi_scene_add_timeline(s.scene, &s.timeline));
    s.timeline.track_count = 1;
    s.tracks[0].process.params = s.talus;
    s.events[0] = (wadi_event){
        .at = 1.0,
        .step = {.kind = WADI_STEP_PROCESS,
                 .origin = "t.yaml:12:7",
                 .process = {.process = wadi_process_find(NULL, "dunes"), .params = &s.turned}}};
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT,
                "t.yaml:12:7: an event changes dunes, which does not run",
                wadi_scene_add_timeline(s.scene, &s.timeline));
    const wadi_step idle = {
        .kind = WADI_STEP_PROCESS,
        .process = {.process = wadi_process_find(NULL, "wind"), .years = 1.0, .goes_on = true}};
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "wind cannot continue",
                wadi_scene_add_step(s.scene, &idle));
    story_close(&s);
}

// ---- steps that matter --------------------------------------------------------------------

enum
{
    TICKS_SIDE = 32
};

// Streams on noise for 40 000 years, in steps of 4000: by ticks, or without a timeline where `tick`
// is 0. `partner` has uplift run before the streams in each tick.
static wadi_run* ticks_run(fixture* f, double tick, bool partner, wadi_scene** scene)
{
    static const wadi_host nobody = {0};
    const wadi_process* water = wadi_process_find(NULL, "hydraulic");
    const wadi_process* rise = wadi_process_find(NULL, "uplift");
    void* params = test_calloc(1, water->fields->params_size);
    void* rates = test_calloc(1, rise->fields->params_size);
    wadi_fields_init(water->fields, params);
    wadi_fields_init(rise->fields, rates);
    const wadi_scene_grid grid = {.width = TICKS_SIDE, .height = TICKS_SIDE, .cell_size = 30.0};
    CHECK_OK(f->context, wadi_scene_create(f->context, scene));
    CHECK_OK(f->context, wadi_scene_set_grid(*scene, &grid));
    double noise[16];
    const wadi_source_kind* kind = wadi_source_kind_find("noise");
    assert_true(kind->fields->params_size <= sizeof noise);
    wadi_fields_init(kind->fields, noise);
    const wadi_scene_ground ground = {.source = {.kind = kind, .params = noise}, .weight = 1.0};
    CHECK_OK(f->context, wadi_scene_add_ground(*scene, &ground));
    const wadi_scene_process step = {.process = water, .params = params, .years = 4e4};
    const wadi_track tracks[] = {{.process = {.process = rise, .params = rates}, .until = 1e9},
                                 {.process = step, .until = 1e9}};
    const wadi_timeline timeline = {.tick = tick,
                                    .end = 4e4,
                                    .tracks = partner ? tracks : tracks + 1,
                                    .track_count = partner ? 2 : 1};
    const wadi_step alone = {.kind = WADI_STEP_PROCESS, .process = step};
    CHECK_OK(f->context, tick > 0.0 ? wadi_scene_add_timeline(*scene, &timeline)
                                    : wadi_scene_add_step(*scene, &alone));
    wadi_run* run;
    CHECK_OK(f->context, wadi_run_create(*scene, &nobody, &run));
    while (!wadi_run_is_done(run))
    {
        CHECK_OK(f->context, wadi_run_next(run));
    }
    test_free(params);
    test_free(rates);
    return run;
}

// The hash of the land, and the number of cells that the streams have visited.
static uint64_t ticks_land(double tick, bool partner, double* visits)
{
    fixture f;
    wadi_scene* scene;
    wadi_work work[WADI_MODEL_MAX_ROWS];
    fixture_open(&f, 1);
    wadi_run* run = ticks_run(&f, tick, partner, &scene);
    wadi_solver* solver = wadi_run_solver(run, wadi_process_find(NULL, "hydraulic"));
    assert_true(wadi_solver_work(solver, work, WADI_MODEL_MAX_ROWS) >= 1);
    *visits = work[0].count;
    const uint64_t hash = wadi_terrain_hash(wadi_run_terrain(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
    return hash;
}

// Ticks longer than the step of streams do not change it, whether they are multiples of it or not.
static void ticks_leave_the_steps_of_streams_alone(void** state)
{
    (void)state;
    static const double ticks[] = {8e3, 1e4, 7e3, 3.3e4, 4e4, 4e3};
    const double cells = TICKS_SIDE * TICKS_SIDE;
    double visits;
    const uint64_t none = ticks_land(0.0, false, &visits);
    CHECK_NEAR(visits, 10.0 * cells, 0.5);
    for (int i = 0; i < 6; ++i)
    {
        assert_true(ticks_land(ticks[i], false, &visits) == none);
        CHECK_NEAR(visits, 10.0 * cells, 0.5);
    }
    (void)ticks_land(7e3, true, &visits);
    CHECK_NEAR(visits, 10.0 * cells, 0.5);
    // a shorter tick is a coupling that was asked for
    assert_true(ticks_land(2e3, false, &visits) != none);
    CHECK_NEAR(visits, 20.0 * cells, 0.5);
}

// Other models fit their steps into the tick.
static void other_steps_fit_into_the_tick(void** state)
{
    (void)state;
    fixture f;
    wadi_solver* solver;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 8, 8);
    CHECK_OK(f.context,
             wadi_solver_create(terrain, wadi_process_find(NULL, "uplift"), NULL, 0, &solver));
    const double own = wadi_solver_step(solver);
    CHECK_OK(f.context, wadi_solver_couple(solver, 2.5 * own));
    CHECK_NEAR(wadi_solver_step(solver), 2.5 / 3.0 * own, 1e-9 * own);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "cannot fit", wadi_solver_couple(solver, 0.0));
    wadi_solver_destroy(solver);
    CHECK_OK(f.context,
             wadi_solver_create(terrain, wadi_process_find(NULL, "hydraulic"), NULL, 0, &solver));
    CHECK_OK(f.context, wadi_solver_couple(solver, 1e3));
    CHECK_NEAR(wadi_solver_step(solver), 1e3, 0.0);
    CHECK_OK(f.context, wadi_solver_couple(solver, 1e4));
    CHECK_NEAR(wadi_solver_step(solver), 4e3, 0.0);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "cannot fit", wadi_solver_couple(solver, 1e10));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Fail the n-th allocation for every n: correct error code and no leak (checked by the fixture).
static void running_out_of_memory_is_survived(void** state)
{
    (void)state;
    wadi_result result = WADI_ERROR_MEMORY;
    int64_t n = 0;
    for (; result != WADI_OK; ++n)
    {
        timeline_story s;
        story_open(&s);
        s.f.memory.fail_at = s.f.memory.calls + n + 1;
        result = wadi_scene_add_timeline(s.scene, &s.timeline);
        s.f.memory.fail_at = 0;
        assert_true(result == WADI_OK || result == WADI_ERROR_MEMORY);
        story_close(&s);
    }
    assert_true(n > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_cut_where_something_begins_ends_or_happens),
        cmocka_unit_test(events_at_the_last_moment_happen),
        cmocka_unit_test(moments_that_differ_by_rounding_are_one),
        cmocka_unit_test(no_stretch_is_longer_than_a_tick),
        cmocka_unit_test(a_process_goes_on_from_stretch_to_stretch),
        cmocka_unit_test(sand_in_the_air_outlives_a_change_of_wind),
        cmocka_unit_test(edits_find_sand_on_the_ground),
        cmocka_unit_test(edits_reach_a_process_at_work),
        cmocka_unit_test(checkpoints_stand_at_ticks),
        cmocka_unit_test(series_have_a_frame_at_either_end),
        cmocka_unit_test(steps_are_divided_at_their_frames),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_process_has_one_track_and_events_keep_to_those),
        cmocka_unit_test(ticks_leave_the_steps_of_streams_alone),
        cmocka_unit_test(other_steps_fit_into_the_tick),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
