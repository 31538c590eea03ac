// SPDX-License-Identifier: MIT
// Run the scene of rows.c and print its state hash, which `wadi run` prints for the scene file. Any
// compiler, platform and number of threads must print the same. With several threads the run is cut
// into stretches, each from the saved state of the one before.
//   golden_scene THREADS
#include "rows.h"

#include <wadi/ledger.h>
#include <wadi/run.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_POINTS = 64,
    MOST_BYTES = 8192, // of parameters
    STRETCHES = 10
};

// Parameters of what was begun last.
typedef struct build_part
{
    const wadi_field_table* table;
    _Alignas(max_align_t) unsigned char params[MOST_BYTES];
} build_part;

typedef struct build
{
    wadi_context* context;
    wadi_scene* scene;
    wadi_scene_grid grid;
    build_part parts[2]; // of a source, process or edit; of its outline
    build_part* last;
    wadi_source source;
    wadi_region region;
    wadi_point points[MOST_POINTS];
    int32_t coordinates;
    wadi_scene_process process;
    wadi_edit edit;
} build;

static void build_check(const build* b, wadi_result result)
{
    if (result != WADI_OK)
    {
        (void)fprintf(stderr, "golden_scene: %s\n", wadi_error_detail(b->context));
        exit(EXIT_FAILURE);
    }
}

static const void* build_begin(build* b, build_part* part, const wadi_field_table* table)
{
    part->table = table;
    b->last = part;
    if (table != NULL && table->params_size > sizeof part->params)
    {
        (void)fputs("golden_scene: parameters need more room\n", stderr);
        exit(EXIT_FAILURE);
    }
    if (table != NULL)
    {
        wadi_fields_init(table, part->params);
    }
    return table != NULL ? part->params : NULL;
}

static void build_grid(build* b, const scene_row* row)
{
    if (row->kind == ROW_SIZE && b->grid.width == 0)
    {
        b->grid.width = (int32_t)row->value;
    }
    else if (row->kind == ROW_SIZE)
    {
        b->grid.height = (int32_t)row->value;
    }
    else if (row->kind == ROW_CELL)
    {
        b->grid.cell_size = row->value;
    }
    else
    {
        for (int side = 0; side < 4; ++side)
        {
            b->grid.edges[side] = (wadi_edge)(row->name[side] - '0');
        }
        build_check(b, wadi_scene_set_grid(b->scene, &b->grid));
    }
}

static void build_region(build* b, const scene_row* row)
{
    if (row->kind == ROW_REGION)
    {
        const wadi_shape_kind* shape = wadi_shape_kind_find(row->name);
        b->region = (wadi_region){.shape = shape};
        b->region.params = build_begin(b, &b->parts[1], shape->fields);
        b->coordinates = 0;
    }
    else if (row->kind == ROW_SOFT)
    {
        b->region.soft = row->value;
    }
    else if (b->coordinates < 2 * MOST_POINTS)
    {
        wadi_point* point = &b->points[b->coordinates / 2];
        *(b->coordinates % 2 == 0 ? &point->x : &point->y) = row->value;
        b->coordinates += 1;
        b->region.points = b->points;
        b->region.point_count = b->coordinates / 2;
    }
}

// Begin a source, a process or an edit.
static void build_start(build* b, const scene_row* row)
{
    b->region = (wadi_region){0};
    if (row->kind == ROW_SOURCE)
    {
        const wadi_source_kind* kind = wadi_source_kind_find(row->name);
        b->source = (wadi_source){.kind = kind};
        b->source.params = build_begin(b, &b->parts[0], kind->fields);
    }
    else if (row->kind == ROW_PROCESS)
    {
        const wadi_process* process = wadi_process_find(b->context, row->name);
        b->process = (wadi_scene_process){.process = process};
        b->process.params = build_begin(b, &b->parts[0], process->fields);
    }
    else
    {
        const wadi_edit_kind* kind = wadi_edit_kind_find(row->name);
        b->edit = (wadi_edit){.kind = kind};
        b->edit.params = build_begin(b, &b->parts[0], kind->fields);
    }
}

static void build_ground(build* b, const scene_row* row)
{
    wadi_scene_ground ground = {.source = b->source, .weight = row->value, .region = b->region};
    while (strcmp(wadi_combine_name(ground.combine), row->name) != 0)
    {
        ground.combine += 1;
    }
    build_check(b, wadi_scene_add_ground(b->scene, &ground));
}

static void build_step(build* b, const scene_row* row)
{
    wadi_step step = {.kind = row->kind == ROW_RUN ? WADI_STEP_PROCESS : WADI_STEP_EDIT};
    b->process.years = row->value;
    b->edit.region = b->region;
    step.process = b->process;
    step.edit = b->edit;
    build_check(b, wadi_scene_add_step(b->scene, &step));
}

static void build_row(build* b, const scene_row* row)
{
    const wadi_scene_layer layer = {(wadi_layer)row->value, b->source};
    switch (row->kind)
    {
    case ROW_SEED:
        wadi_scene_set_seed(b->scene, (uint64_t)row->value);
        break;
    case ROW_SIZE:
    case ROW_CELL:
    case ROW_EDGES:
        build_grid(b, row);
        break;
    case ROW_SOURCE:
    case ROW_PROCESS:
    case ROW_EDIT:
        build_start(b, row);
        break;
    case ROW_REGION:
    case ROW_SOFT:
    case ROW_POINT:
        build_region(b, row);
        break;
    case ROW_FIELD:
        build_check(
            b, wadi_field_set(b->context, b->last->table, row->name, row->value, b->last->params));
        break;
    case ROW_GROUND:
        build_ground(b, row);
        break;
    case ROW_LAYER:
        build_check(b, wadi_scene_add_layer(b->scene, &layer));
        break;
    case ROW_FLAGS:
        b->process.goes_on = (int)row->value % 2 == 1;
        b->process.overlaps = (int)row->value / 2 == 1;
        break;
    case ROW_COUPLED:
        b->process.interval = row->value;
        break;
    default:
        build_step(b, row);
    }
}

// Closed, and nothing in transit.
static void check_ledger(wadi_terrain* terrain)
{
    wadi_ledger_row rows[16];
    const int32_t count = wadi_terrain_ledger(terrain, rows, 16);
    for (int32_t i = 0; i < count && i < 16; ++i)
    {
        if (rows[i].residual_units != 0 || rows[i].transit > 0.0 || rows[i].transit < 0.0)
        {
            (void)fprintf(stderr, "golden_scene: the books of %s do not close\n", rows[i].material);
            exit(EXIT_FAILURE);
        }
    }
}

// ---- stretches ----------------------------------------------------------------------------------

typedef struct saved
{
    unsigned char* bytes;
    size_t size;
    size_t room;
    size_t at;
} saved;

static wadi_result saved_write(void* user, const void* bytes, size_t size)
{
    saved* s = user;
    if (s->size + size > s->room)
    {
        s->room = 2 * (s->size + size);
        s->bytes = realloc(s->bytes, s->room);
    }
    if (s->bytes == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    return WADI_OK;
}

static wadi_result saved_read(void* user, void* bytes, size_t size)
{
    saved* s = user;
    if (size > s->size - s->at)
    {
        return WADI_ERROR_FORMAT;
    }
    memcpy(bytes, s->bytes + s->at, size);
    s->at += size;
    return WADI_OK;
}

// Save the run, destroy it, and go on with a loaded one.
static void run_again(const build* b, const wadi_host* host, wadi_run** run)
{
    saved s = {0};
    build_check(b, wadi_run_save(*run, saved_write, &s));
    wadi_run_destroy(*run);
    build_check(b, wadi_run_load(b->scene, host, saved_read, &s, run));
    free(s.bytes);
}

static uint64_t run_scene(const build* b, bool cuts)
{
    const wadi_host host = {0};
    const int32_t stretch = wadi_scene_step_count(b->scene) / STRETCHES;
    wadi_run* run = NULL;
    build_check(b, wadi_run_create(b->scene, &host, &run));
    while (!wadi_run_is_done(run))
    {
        build_check(b, wadi_run_next(run));
        if (cuts && wadi_run_position(run) % stretch == 0)
        {
            run_again(b, &host, &run);
        }
    }
    check_ledger(wadi_run_terrain(run));
    const uint64_t hash = wadi_run_hash(run);
    wadi_run_destroy(run);
    return hash;
}

int main(int argc, char** argv)
{
    static build b;
    wadi_context_def def = wadi_context_def_default();
    def.threads = argc == 2 ? (int32_t)strtol(argv[1], NULL, 10) : 0;
    if (def.threads < 1 || wadi_context_create(&def, &b.context) != WADI_OK)
    {
        (void)fputs("usage: golden_scene THREADS\n", stderr);
        return EXIT_FAILURE;
    }
    build_check(&b, wadi_scene_create(b.context, &b.scene));
    for (int32_t i = 0; i < golden_scene_row_count; ++i)
    {
        build_row(&b, &golden_scene_rows[i]);
    }
    (void)printf("%016" PRIx64 "\n", run_scene(&b, def.threads > 1));
    wadi_scene_destroy(b.scene);
    wadi_context_destroy(b.context);
    return EXIT_SUCCESS;
}
