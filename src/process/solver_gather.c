// SPDX-License-Identifier: MIT
// Models that need the whole grid, in windows of it. The first window holds a terrain of the whole
// grid and the model's state; the others take part in exchanges only. For each step the ground is
// gathered there, if anybody has changed it since the last one; the model runs as it does without
// windows, and its changes go back. So the bits are those of the whole grid, for any model; the
// memory is that of the whole grid too, of the first window, which may be in a file.
#include "core/archive.h"
#include "core/partition_rows.h"
#include "process/solver.h"
#include "terrain/gather.h"
#include "terrain/ground.h"

#include <stdio.h>
#include <string.h>

// A row of work or of figures, with its words: windows may be in several programs.
typedef struct gathered_row
{
    char name[WADI_NAME_LENGTH];
    char unit[WADI_NAME_LENGTH];
    double value;
    int32_t kind;
} gathered_row;

typedef struct gathered
{
    const wadi_partition* part;
    wadi_terrain* terrain; // of the window
    const char* process;
    const wadi_table_info* tables; // of the process
    const wadi_model* model;
    const wadi_model_api* api; // of the model
    double step;               // [yr]; 0: none
    bool unfinished;
    bool fresh;      // the whole has the layers that the window had
    int64_t changes; // of the window's terrain then
    wadi_part* sent;
    gathered_row* work; // words that callers keep
    gathered_row* figures;
    // in the first window only
    wadi_context* context;
    wadi_terrain* whole;
    void* state; // of the model; NULL elsewhere
} gathered;

// A failure of the model has its message in the context of the whole grid.
static wadi_result gathered_pass(const gathered* g, wadi_result result)
{
    return result == WADI_OK ? result
                             : wadi_fail(wadi_terrain_context(g->terrain), result, "%s",
                                         wadi_error_detail(g->context));
}

// Tell all windows a number of the first one. False: another window has failed.
static bool gathered_tell(const gathered* g, double* value)
{
    return wadi_partition_tell(g->part, g->state != NULL, value);
}

// Tell all windows the length of the model's steps, which depends on tables of winds.
static wadi_result gathered_tell_step(gathered* g)
{
    if (g->state != NULL)
    {
        g->step = g->api->step != NULL ? g->api->step(g->state) : 0.0;
    }
    return gathered_tell(g, &g->step) ? WADI_OK
                                      : wadi_partition_lost(wadi_terrain_context(g->terrain));
}

// ---- the ground --------------------------------------------------------------------------------

// The whole and the windows have the same layers now.
static void gathered_note(gathered* g)
{
    g->fresh = true;
    g->changes = wadi_terrain_changes(g->terrain);
}

// Fill the whole. Where no window has changed since whole and windows were equal, as between two
// steps of one call, the layers are there.
static wadi_result gathered_ground(gathered* g)
{
    const bool changed = !g->fresh || g->changes != wadi_terrain_changes(g->terrain);
    if (!wadi_partition_any(g->part, changed))
    {
        return wadi_terrain_gather_members(g->terrain, g->whole);
    }
    WADI_TRY(wadi_terrain_gather(g->terrain, g->whole, g->model->reads));
    gathered_note(g);
    return WADI_OK;
}

// ---- life --------------------------------------------------------------------------------------

static void gathered_destroy(void* user)
{
    gathered* g = user;
    wadi_context* context = wadi_terrain_context(g->terrain);
    if (g->state != NULL)
    {
        g->api->destroy(g->state);
    }
    wadi_terrain_destroy(g->whole);
    wadi_context_destroy(g->context);
    wadi_free(context, g->sent);
    wadi_free(context, g->work);
    wadi_free(context, g->figures);
    wadi_free(context, g);
}

static wadi_result gathered_fill(gathered* g, const void* params, uint32_t stream)
{
    wadi_context* context = wadi_terrain_context(g->terrain);
    WADI_ALLOC(context, g->sent, g->part->count, "windows");
    WADI_ALLOC(context, g->work, WADI_MODEL_MAX_ROWS, "figures");
    WADI_ALLOC(context, g->figures, WADI_MODEL_MAX_ROWS, "figures");
    if (g->part->index == 0)
    {
        const wadi_result made = wadi_partition_whole_context(context, &g->context);
        WADI_CHECK(context, made == WADI_OK, made, "out of memory for the whole grid");
        WADI_TRY(gathered_pass(g, wadi_terrain_create_whole(g->terrain, g->context, &g->whole)));
    }
    WADI_TRY(gathered_ground(g));
    if (g->whole != NULL)
    {
        WADI_TRY(gathered_pass(g, g->api->create(g->whole, params, stream, &g->state)));
    }
    return gathered_tell_step(g);
}

wadi_result wadi_solver_gather(const wadi_solver* solver, const void* params, uint32_t stream,
                               void** out)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    gathered* g;
    WADI_ALLOC(context, g, 1, "a solver");
    g->part = wadi_partition_of(context);
    g->terrain = solver->terrain;
    g->process = solver->process->name;
    g->tables = solver->process->tables;
    g->model = solver->model;
    g->api = solver->model->api;
    const wadi_result result = gathered_fill(g, params, stream);
    if (result != WADI_OK)
    {
        gathered_destroy(g);
        return result;
    }
    *out = g;
    return WADI_OK;
}

static double gathered_step(const void* user)
{
    return ((const gathered*)user)->step;
}

// ---- steps -------------------------------------------------------------------------------------

static wadi_result gathered_begin(gathered* g)
{
    WADI_TRY(gathered_ground(g));
    g->fresh = false; // a step that fails on its way leaves them different
    if (g->whole != NULL)
    {
        wadi_terrain_empty_books(g->whole);
    }
    return WADI_OK;
}

static wadi_result gathered_end(gathered* g)
{
    wadi_context* context = wadi_terrain_context(g->terrain);
    if (g->whole != NULL)
    {
        wadi_terrain_changed(g->whole); // hardness follows from beds, as it does without windows
    }
    WADI_TRY(wadi_terrain_scatter(g->terrain, g->whole, g->model->writes));
    wadi_terrain_changed(g->terrain);
    gathered_note(g);
    return wadi_terrain_scatter_books(g->terrain, g->whole, g->process)
               ? WADI_OK
               : wadi_partition_lost(context);
}

static wadi_result gathered_advance(void* user, const wadi_span* span)
{
    gathered* g = user;
    WADI_TRY(gathered_begin(g));
    double unfinished = 0.0;
    if (g->state != NULL)
    {
        WADI_TRY(gathered_pass(g, g->api->advance(g->state, span)));
        unfinished = g->api->unfinished != NULL && g->api->unfinished(g->state) ? 1.0 : 0.0;
    }
    WADI_TRY(gathered_end(g));
    const bool goes_on = gathered_tell(g, &unfinished);
    g->unfinished = unfinished != 0.0;
    return goes_on ? WADI_OK : wadi_partition_lost(wadi_terrain_context(g->terrain));
}

static bool gathered_unfinished(const void* user)
{
    return ((const gathered*)user)->unfinished;
}

// A window that fails here fails in the next exchange too.
static void gathered_settle(void* user)
{
    gathered* g = user;
    if (g->api->settle != NULL && gathered_begin(g) == WADI_OK)
    {
        if (g->state != NULL)
        {
            g->api->settle(g->state);
        }
        (void)gathered_end(g);
    }
}

static void gathered_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const gathered* g = user;
    if (g->state != NULL && g->api->held != NULL)
    {
        g->api->held(g->state, held);
    }
}

// ---- maps and tables ---------------------------------------------------------------------------

// A map of the whole grid; NULL but in the first window.
static wadi_result gathered_room(const gathered* g, float** out)
{
    *out = NULL;
    if (g->whole != NULL)
    {
        const int64_t cells = wadi_terrain_ground_const(g->whole)->cells;
        *out = wadi_alloc(g->context, (size_t)cells, sizeof **out);
        return *out != NULL ? WADI_OK
                            : wadi_fail_memory(wadi_terrain_context(g->terrain),
                                               (size_t)cells * sizeof **out, "a map");
    }
    return WADI_OK;
}

static void gathered_free_room(const gathered* g, float* room)
{
    if (room != NULL)
    {
        wadi_free(g->context, room);
    }
}

static wadi_result gathered_map(void* user, int32_t index, float* out)
{
    const gathered* g = user;
    float* room;
    WADI_TRY(gathered_room(g, &room));
    wadi_result result =
        g->state != NULL ? gathered_pass(g, g->api->map(g->state, index, room)) : WADI_OK;
    const partition_layer layer = {out, room, (int32_t)sizeof *out};
    result = result == WADI_OK ? wadi_partition_scatter(wadi_terrain_context(g->terrain), &layer, 1)
                               : result;
    gathered_free_room(g, room);
    return result;
}

static wadi_result gathered_set_map(void* user, int32_t index, const float* values)
{
    gathered* g = user;
    float* room;
    WADI_TRY(gathered_room(g, &room));
    const partition_layer layer = {wadi_archive_const(values), room, (int32_t)sizeof *values};
    wadi_result result = wadi_partition_gather(wadi_terrain_context(g->terrain), &layer, 1);
    if (result == WADI_OK && g->state != NULL)
    {
        result = gathered_pass(g, g->api->set_map(g->state, index, room));
    }
    gathered_free_room(g, room);
    return result == WADI_OK ? gathered_tell_step(g) : result;
}

// A part that is alone does not know its place in the world.
static wadi_result gathered_check_table(const gathered* g, int32_t index)
{
    const wadi_table_info* table = &g->tables[index];
    for (int32_t i = 0; i < table->column_count && wadi_partition_is_alone(g->part); ++i)
    {
        WADI_CHECK(wadi_terrain_context(g->terrain), strcmp(table->columns[i].name, "x") != 0,
                   WADI_ERROR_ARGUMENT,
                   "%s: the table '%s' gives places in the world, which %s does not know on a part "
                   "that is computed alone; run it in windows",
                   g->process, table->name, g->process);
    }
    return WADI_OK;
}

static wadi_result gathered_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    gathered* g = user;
    WADI_TRY(gathered_check_table(g, index));
    if (g->state != NULL)
    {
        WADI_TRY(gathered_pass(g, g->api->set_table(g->state, index, values, rows)));
    }
    return gathered_tell_step(g);
}

// ---- bodies and grains -------------------------------------------------------------------------

// The others have read the bodies too, and drop them.
static wadi_result gathered_set_bodies(void* user, const wadi_bodies* bodies)
{
    const gathered* g = user;
    return g->state != NULL ? gathered_pass(g, g->api->set_bodies(g->state, bodies)) : WADI_OK;
}

static int32_t gathered_grains(const void* user, wadi_grain* out, int32_t capacity, double* seconds)
{
    const gathered* g = user;
    return g->state != NULL ? g->api->grains(g->state, out, capacity, seconds) : 0;
}

static void gathered_watch(void* user, wadi_watch watch, void* watcher)
{
    const gathered* g = user;
    if (g->state != NULL)
    {
        g->api->watch(g->state, watch, watcher);
    }
}

wadi_terrain* wadi_solver_whole(const wadi_solver* solver)
{
    return solver->gathers ? ((const gathered*)solver->state)->whole : solver->terrain;
}

// ---- figures -----------------------------------------------------------------------------------

static void gathered_set_row(gathered_row* row, const char* name, const char* unit, double value,
                             int32_t kind)
{
    *row = (gathered_row){.value = value, .kind = kind};
    (void)snprintf(row->name, sizeof row->name, "%s", name);
    (void)snprintf(row->unit, sizeof row->unit, "%s", unit);
}

// Give all windows the rows of the first one. Returns their number.
static int32_t gathered_tell_rows(const gathered* g, gathered_row* rows, int32_t count)
{
    const int64_t size = (int64_t)count * (int64_t)sizeof *rows;
    if (!g->part->table(rows, size, g->sent, g->part->user))
    {
        return 0;
    }
    memcpy(rows, g->sent[0].bytes, (size_t)g->sent[0].size);
    return (int32_t)(g->sent[0].size / (int64_t)sizeof *rows);
}

static int32_t gathered_work(const void* user, wadi_work* rows)
{
    const gathered* g = user;
    wadi_work own[WADI_MODEL_MAX_ROWS];
    const bool asks = g->state != NULL && g->api->work != NULL;
    int32_t count = asks ? g->api->work(g->state, own) : 0;
    for (int32_t i = 0; i < count; ++i)
    {
        gathered_set_row(&g->work[i], own[i].name, "", own[i].count, 0);
    }
    count = gathered_tell_rows(g, g->work, count);
    for (int32_t i = 0; i < count; ++i)
    {
        rows[i] = (wadi_work){g->work[i].name, g->work[i].value};
    }
    return count;
}

// Figures may come from the books of the process.
static int32_t gathered_figures(const void* user, wadi_figure* rows)
{
    const gathered* g = user;
    wadi_figure own[WADI_MODEL_MAX_ROWS];
    const bool asks = wadi_terrain_gather_books(g->terrain, g->whole, g->process) &&
                      g->state != NULL && g->api->figures != NULL;
    int32_t count = asks ? g->api->figures(g->state, own) : 0;
    for (int32_t i = 0; i < count; ++i)
    {
        gathered_set_row(&g->figures[i], own[i].name, own[i].unit != NULL ? own[i].unit : "1",
                         own[i].value, (int32_t)own[i].kind);
    }
    count = gathered_tell_rows(g, g->figures, count);
    for (int32_t i = 0; i < count; ++i)
    {
        const gathered_row* row = &g->figures[i];
        rows[i] = (wadi_figure){row->name, row->unit, row->value, (wadi_figure_kind)row->kind};
    }
    return count;
}

// ---- archive -----------------------------------------------------------------------------------

// The model lists its state as one of the whole grid.
static wadi_result gathered_list(const gathered* g, wadi_archive* archive)
{
    const bool local = archive->local;
    wadi_context* context = archive->context;
    archive->local = true;
    archive->context = g->context;
    wadi_result result = g->api->archive != NULL ? g->api->archive(g->state, archive) : WADI_OK;
    result = result == WADI_OK ? archive->result : result;
    archive->local = local;
    archive->context = context;
    return gathered_pass(g, result);
}

// All windows get the same hash.
static wadi_result gathered_tell_hash(const gathered* g, wadi_archive* archive)
{
    int64_t sum = 0;
    if (g->state != NULL)
    {
        memcpy(&sum, &archive->hash, sizeof sum);
    }
    const bool goes_on = wadi_partition_sum(g->part, &sum, 1);
    memcpy(&archive->hash, &sum, sizeof sum);
    return goes_on ? WADI_OK : wadi_partition_lost(wadi_terrain_context(g->terrain));
}

static wadi_result gathered_archive(void* user, wadi_archive* archive)
{
    const gathered* g = user;
    if (g->state != NULL)
    {
        WADI_TRY(gathered_list(g, archive));
    }
    else if (archive->mode == ARCHIVE_READS && !archive->local)
    {
        wadi_archive_skip(archive);
    }
    return archive->mode == ARCHIVE_HASHES && !archive->local ? gathered_tell_hash(g, archive)
                                                              : archive->result;
}

const wadi_model_api wadi_gathered_api = {
    .step = gathered_step,
    .advance = gathered_advance,
    .unfinished = gathered_unfinished,
    .settle = gathered_settle,
    .held = gathered_held,
    .destroy = gathered_destroy,
    .map = gathered_map,
    .set_map = gathered_set_map,
    .set_table = gathered_set_table,
    .set_bodies = gathered_set_bodies,
    .grains = gathered_grains,
    .watch = gathered_watch,
    .work = gathered_work,
    .figures = gathered_figures,
    .archive = gathered_archive,
};
