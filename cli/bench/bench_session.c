// SPDX-License-Identifier: MIT
// wadi bench session: what somebody who plays with a world waits for, beside the time of the same
// ticks without a session.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stddef.h>

enum
{
    PLAY_TICKS = 5,
    PLAY_DEFAULT = 512
};

// Fields of the largest parameter struct that is used here fit in.
typedef union play_params
{
    uint32_t cookie;
    double room[128];
} play_params;

typedef struct play_world
{
    wadi_context* context;
    wadi_scene* scene;
    wadi_host host;
    wadi_session* session;
    int32_t size;
} play_world;

// Low hills of 4 wavelengths under 2 m of sand.
static wadi_result play_ground(play_world* w)
{
    play_params params;
    const wadi_source_kind* noise = wadi_source_kind_find("noise");
    const wadi_source_kind* even = wadi_source_kind_find("constant");
    const wadi_scene_grid grid = {.width = w->size, .height = w->size, .cell_size = 2.0};
    wadi_result result = wadi_scene_set_grid(w->scene, &grid);
    wadi_fields_init(noise->fields, &params);
    if (result == WADI_OK)
    {
        result = wadi_field_set(w->context, noise->fields, "relief", 10.0, &params);
    }
    const wadi_scene_ground ground = {.source = {.kind = noise, .params = &params}, .weight = 1.0};
    result = result == WADI_OK ? wadi_scene_add_ground(w->scene, &ground) : result;
    wadi_fields_init(even->fields, &params);
    if (result == WADI_OK)
    {
        result = wadi_field_set(w->context, even->fields, "value", 2.0, &params);
    }
    const wadi_scene_layer sand = {WADI_LAYER_SEDIMENT, {.kind = even, .params = &params}};
    return result == WADI_OK ? wadi_scene_add_layer(w->scene, &sand) : result;
}

static wadi_result play_begin(play_world* w)
{
    play_params params;
    wadi_result result = wadi_scene_create(w->context, &w->scene);
    result = result == WADI_OK ? play_ground(w) : result;
    const wadi_session_def def = {w->scene, &w->host, 0.05, 0};
    result = result == WADI_OK ? wadi_session_create(&def, &w->session) : result;
    wadi_fields_init(wadi_dunes_process.fields, &params);
    const wadi_scene_process dunes = {.process = &wadi_dunes_process, .params = &params};
    result = result == WADI_OK ? wadi_session_start(w->session, &dunes) : result;
    return result == WADI_OK ? wadi_session_advance(w->session, PLAY_TICKS) : result;
}

static wadi_result play_touch(play_world* w, bool joins)
{
    play_params amount;
    play_params circle;
    const wadi_shape_kind* shape = wadi_shape_kind_find("circle");
    wadi_edit edit = {.kind = wadi_edit_kind_find("add_sand"), .params = &amount};
    wadi_fields_init(edit.kind->fields, &amount);
    wadi_fields_init(shape->fields, &circle);
    wadi_result result = wadi_field_set(w->context, shape->fields, "x", w->size, &circle);
    result = result == WADI_OK ? wadi_field_set(w->context, shape->fields, "y", w->size, &circle)
                               : result;
    edit.region = (wadi_region){.shape = shape, .params = &circle, .soft = 30.0};
    return result == WADI_OK ? wadi_session_edit(w->session, &edit, joins) : result;
}

// Processor times of one repetition [s], and the bytes of its snapshot.
typedef struct play_times
{
    double keep;
    double bytes;
    double touch;
    double undo;
    double look;
    double tick;
} play_times;

static double play_lap(double* since)
{
    const double now = bench_cpu_seconds();
    const double lap = now - *since;
    *since = now;
    return lap;
}

static wadi_result play_measure(play_world* w, play_times* out)
{
    uint32_t look;
    double since = bench_cpu_seconds();
    wadi_result result = wadi_session_advance(w->session, PLAY_TICKS);
    out->tick = play_lap(&since) / PLAY_TICKS;
    const int64_t before = wadi_session_snapshot_bytes(w->session);
    result = result == WADI_OK ? wadi_session_keep(w->session) : result;
    out->keep = play_lap(&since);
    out->bytes = (double)(wadi_session_snapshot_bytes(w->session) - before);
    result = result == WADI_OK ? play_touch(w, false) : result;
    since = bench_cpu_seconds();
    result = result == WADI_OK ? play_touch(w, true) : result;
    out->touch = play_lap(&since);
    result = result == WADI_OK ? wadi_session_look(w->session, &look) : result;
    out->look = play_lap(&since);
    result = result == WADI_OK ? wadi_session_undo(w->session) : result;
    out->undo = play_lap(&since);
    return result;
}

// The same ticks of the same process on a plain terrain.
static wadi_result play_plain(play_world* w, double* seconds)
{
    wadi_run* run = wadi_session_run(w->session);
    wadi_solver* solver = wadi_run_solver(run, &wadi_dunes_process);
    const double start = bench_cpu_seconds();
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < PLAY_TICKS && result == WADI_OK; ++i)
    {
        result = wadi_solver_advance(solver, wadi_session_tick(w->session));
    }
    *seconds = (bench_cpu_seconds() - start) / PLAY_TICKS;
    return result;
}

static wadi_result play_repeat(play_world* w, play_times* times, double* plain)
{
    wadi_result result = play_begin(w);
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        result = play_measure(w, &times[i]);
    }
    return result == WADI_OK ? play_plain(w, plain) : result;
}

static double play_median(const play_times* times, size_t offset)
{
    double values[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        values[i] = *(const double*)(const void*)((const char*)&times[i] + offset);
    }
    return bench_median(values, BENCH_REPETITIONS);
}

static void play_report(const play_times* times, double plain, int32_t size, bench_rows* rows)
{
    const bench_row like = {"dunes", size, 1, NULL, "s", 0.0, (double)NAN, true};
    const struct
    {
        const char* metric;
        const char* unit;
        size_t offset;
        double reference;
    } list[] = {{"tick", "s", offsetof(play_times, tick), plain},
                {"snapshot", "s", offsetof(play_times, keep), (double)NAN},
                {"snapshot_size", "byte", offsetof(play_times, bytes), (double)NAN},
                {"touch", "s", offsetof(play_times, touch), (double)NAN},
                {"look", "s", offsetof(play_times, look), (double)NAN},
                {"undo", "s", offsetof(play_times, undo), (double)NAN}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i)
    {
        bench_row row = like;
        row.metric = list[i].metric;
        row.unit = list[i].unit;
        row.value = play_median(times, list[i].offset);
        row.reference = list[i].reference;
        bench_add(rows, row);
    }
}

cli_status bench_session_at(int32_t size, bench_rows* rows)
{
    const cli_run_options run = {.threads = 1, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    play_world w = {.context = session.context, .size = size};
    play_times times[BENCH_REPETITIONS] = {{0}};
    double plain = (double)NAN;
    const cli_status status = cli_check(session.context, play_repeat(&w, times, &plain));
    if (status == CLI_DONE)
    {
        play_report(times, plain, size, rows);
    }
    wadi_session_destroy(w.session);
    wadi_scene_destroy(w.scene);
    cli_session_close(&session);
    return status;
}

cli_status bench_session(bool full, bench_rows* rows)
{
    (void)full;
    return bench_session_at(PLAY_DEFAULT, rows);
}
