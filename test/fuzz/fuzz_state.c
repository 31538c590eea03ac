// SPDX-License-Identifier: MIT
// Saved states with senseless numbers: the harness saves a terrain, a solver or a run, changes
// bytes as the input says, makes the checksums fit again, and loads. What loads must run on.
//   byte 0: what; then changes of four bytes: the offset (three bytes) and the new value.
#include "support/check.h"
#include "support/drift.h"

#include "core/archive.h"

#include <wadi/model.h>
#include <wadi/wadi.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    STATE_FRAME = 16, // bytes before a block: its length and a checksum
    STATE_MOST = 64   // changes
};

static uint64_t state_length(const unsigned char* frame)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
    {
        value |= (uint64_t)frame[i] << (8 * i);
    }
    return value;
}

static void state_patch(unsigned char* bytes, size_t first, size_t count, const uint8_t* data,
                        size_t size, size_t all)
{
    for (size_t i = 0; i + 4 <= size && i / 4 < STATE_MOST; i += 4)
    {
        const size_t at =
            ((size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16) % all;
        if (at >= first && at < first + count)
        {
            bytes[at - first] = data[i + 3];
        }
    }
}

// Write one archive anew from the values of another, with the changes. Returns its length in
// `from`.
static size_t state_copy(const wadi_bytes* from, size_t at, size_t* first, wadi_bytes* to,
                         const uint8_t* data, size_t size)
{
    wadi_archive* archive = wadi_archive_to(from->context, wadi_bytes_write, to);
    uint64_t length = 1;
    const size_t begin = at;
    while (length > 0)
    {
        length = state_length(from->bytes + at);
        unsigned char block[65536];
        memcpy(block, from->bytes + at + STATE_FRAME, (size_t)length);
        state_patch(block, *first, (size_t)length, data, size, from->size);
        wadi_archive_bytes(archive, block, (int64_t)length);
        *first += (size_t)length;
        at += STATE_FRAME + (size_t)length;
    }
    (void)wadi_archive_close(archive);
    return at - begin;
}

static wadi_bytes state_change(const wadi_bytes* from, const uint8_t* data, size_t size)
{
    wadi_bytes to = {.context = from->context};
    size_t first = 0;
    for (size_t at = 0; at < from->size;)
    {
        at += state_copy(from, at, &first, &to, data, size);
    }
    return to;
}

static wadi_terrain* state_terrain(wadi_context* context)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 12;
    def.height = 10;
    def.loose_count = 2;
    wadi_terrain* terrain;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    CHECK_OK(context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    const wadi_stratum beds[] = {{1.0, 0.2}, {2.0, 0.7}};
    CHECK_OK(context, wadi_terrain_set_strata(terrain, beds, 2, NULL, 0));
    return terrain;
}

// ---- terrains -----------------------------------------------------------------------------------

static void state_try_terrain(wadi_context* context, const uint8_t* data, size_t size)
{
    wadi_terrain* terrain = state_terrain(context);
    wadi_bytes bytes = {.context = context};
    CHECK_OK(context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
    wadi_bytes changed = state_change(&bytes, data, size);
    wadi_terrain* other;
    if (wadi_terrain_load(context, wadi_bytes_read, &changed, &other) == WADI_OK)
    {
        wadi_solver* solver;
        (void)wadi_terrain_hash(other);
        if (wadi_solver_create(other, wadi_process_find(context, "talus"), NULL, 0, &solver) ==
            WADI_OK)
        {
            (void)wadi_solver_advance(solver, 1.0);
            wadi_solver_destroy(solver);
        }
        wadi_terrain_destroy(other);
    }
    wadi_bytes_free(&changed);
    wadi_bytes_free(&bytes);
    wadi_terrain_destroy(terrain);
}

// ---- solvers ------------------------------------------------------------------------------------

static void state_use_solver(wadi_solver* solver)
{
    const double step = wadi_solver_step(solver);
    const wadi_process* process = wadi_solver_process(solver);
    float map[12 * 10];
    // the saved time may be far in the past: a bound on the steps
    if (step > 1e-3)
    {
        (void)wadi_solver_settle(solver);
    }
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (!process->maps[i].input)
        {
            (void)wadi_solver_map(solver, process->maps[i].name, map);
        }
    }
    (void)wadi_solver_hash(solver);
}

static void state_try_solver(wadi_context* context, const wadi_process* process,
                             const uint8_t* data, size_t size)
{
    wadi_terrain* terrain = state_terrain(context);
    wadi_solver* solver = NULL;
    if (wadi_solver_create(terrain, process, NULL, 0, &solver) == WADI_OK &&
        wadi_solver_model(solver)->api->archive != NULL && wadi_solver_step(solver) > 0.0)
    {
        wadi_bytes bytes = {.context = context};
        (void)wadi_solver_advance(solver, 1.5 * wadi_solver_step(solver));
        CHECK_OK(context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
        wadi_bytes changed = state_change(&bytes, data, size);
        wadi_solver* other;
        if (wadi_solver_load(terrain, wadi_bytes_read, &changed, &other) == WADI_OK)
        {
            state_use_solver(other);
            wadi_solver_destroy(other);
        }
        wadi_bytes_free(&changed);
        wadi_bytes_free(&bytes);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// ---- runs ---------------------------------------------------------------------------------------

static wadi_scene* state_scene(wadi_context* context)
{
    wadi_scene* scene;
    CHECK_OK(context, wadi_scene_create(context, &scene));
    const wadi_scene_grid grid = {.width = 12, .height = 10, .cell_size = 10.0};
    CHECK_OK(context, wadi_scene_set_grid(scene, &grid));
    double params[8];
    const wadi_source_kind* flat = wadi_source_kind_find("flat");
    wadi_fields_init(flat->fields, params);
    const wadi_scene_ground ground = {.source = {.kind = flat, .params = params}, .weight = 1.0};
    CHECK_OK(context, wadi_scene_add_ground(scene, &ground));
    drift_params drift;
    wadi_fields_init(drift_process.fields, &drift);
    const wadi_step step = {.kind = WADI_STEP_PROCESS,
                            .process = {.process = &drift_process, .params = &drift, .years = 2.0}};
    CHECK_OK(context, wadi_scene_add_step(scene, &step));
    CHECK_OK(context, wadi_scene_add_step(scene, &step));
    return scene;
}

static void state_try_run(wadi_context* context, const uint8_t* data, size_t size)
{
    wadi_scene* scene = state_scene(context);
    const wadi_host host = {0};
    wadi_run* run;
    CHECK_OK(context, wadi_run_create(scene, &host, &run));
    CHECK_OK(context, wadi_run_next(run));
    wadi_bytes bytes = {.context = context};
    CHECK_OK(context, wadi_run_save(run, wadi_bytes_write, &bytes));
    wadi_bytes changed = state_change(&bytes, data, size);
    wadi_run* other;
    if (wadi_run_load(scene, &host, wadi_bytes_read, &changed, &other) == WADI_OK)
    {
        wadi_result result = WADI_OK;
        while (result == WADI_OK && !wadi_run_is_done(other))
        {
            result = wadi_run_next(other);
        }
        wadi_run_destroy(other);
    }
    wadi_bytes_free(&changed);
    wadi_bytes_free(&bytes);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    wadi_context* context;
    if (wadi_context_create(&def, &context) != WADI_OK)
    {
        return 0;
    }
    CHECK_OK(context, wadi_process_register(context, &drift_process));
    const int32_t what = data[0] % (wadi_process_count(context) + 2);
    if (what == 0)
    {
        state_try_terrain(context, data + 1, size - 1);
    }
    else if (what == 1)
    {
        state_try_run(context, data + 1, size - 1);
    }
    else
    {
        state_try_solver(context, wadi_process_at(context, what - 2), data + 1, size - 1);
    }
    if (wadi_memory_used(context) != 0)
    {
        abort();
    }
    wadi_context_destroy(context);
    return 0;
}
