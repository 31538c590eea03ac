// SPDX-License-Identifier: MIT
#include "cli/open_scene.h"

#include "cli/trace.h"

#include "io/scene/scene_yaml.h"

#include <string.h>

wadi_result cli_scene_part_pass(const cli_scene_part* part, wadi_result result)
{
    return result == WADI_OK ? result
                             : wadi_context_fail(part->context, result, "%s",
                                                 wadi_error_detail(part->open->context));
}

// ---- opening ------------------------------------------------------------------------------------

static wadi_result open_read(const cli_run_source* source, wadi_context* context, wadi_scene** out)
{
    return wadi_io_scene_parse(context, source->path, source->text, source->length,
                               source->overrides, source->override_count, out);
}

static void open_count_years(cli_open_scene* open)
{
    open->years = 0.0;
    for (int32_t i = 0; i < wadi_scene_step_count(open->scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(open->scene, i);
        open->years += step->kind == WADI_STEP_PROCESS ? step->process.years : 0.0;
    }
    open->years = open->years > 0.0 ? open->years : 1.0;
}

cli_status cli_scene_open(const cli_run_source* source, wadi_context* context, cli_open_scene* out)
{
    out->source = source;
    out->context = context;
    CLI_TRY(cli_check_usage(context, open_read(source, context, &out->scene)));
    open_count_years(out);
    return cli_check(context, wadi_io_scene_files_open(context, source->inputs, &out->files));
}

void cli_scene_close(cli_open_scene* open)
{
    wadi_io_scene_files_close(&open->files);
    wadi_scene_destroy(open->scene);
    wadi_io_tags_free(&open->tags);
}

static wadi_result open_frame_of_file(void* user, const wadi_source* source, wadi_frame* out)
{
    return wadi_io_scene_frame_only(&((cli_open_scene*)user)->files, source, out);
}

cli_status cli_scene_open_frame(cli_open_scene* open, wadi_windows_def* world)
{
    const wadi_host host = {.frame = open_frame_of_file, .user = open};
    CLI_TRY(cli_check(open->context, wadi_scene_frame(open->scene, &host, &open->frame)));
    *world = wadi_windows_def_default();
    world->width = open->frame.width;
    world->height = open->frame.height;
    memcpy(world->edges, wadi_scene_grid_of(open->scene)->edges, sizeof world->edges);
    const cli_run_source* source = open->source;
    cli_trace_scene(&open->tags, source->path, source->text, source->overrides,
                    source->override_count);
    return CLI_DONE;
}

wadi_result cli_scene_read_again(const cli_scene_part* part, wadi_scene** out)
{
    return open_read(part->open->source, part->context, out);
}

// ---- hooks of a part's run ----------------------------------------------------------------------

static wadi_result open_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    (void)source;
    *out = ((const cli_scene_part*)user)->open->frame;
    return WADI_OK;
}

// A file that is read in parts is not turned or resampled: its voids are holes in it.
static wadi_result open_void_sides(void* user, const wadi_source* source, const wadi_frame* frame,
                                   uint8_t* out)
{
    (void)user;
    (void)source;
    memset(out, WADI_SIDE_VOID, (size_t)frame->width * (size_t)frame->height);
    return WADI_OK;
}

static wadi_result open_values(void* user, const wadi_source* source, const wadi_frame* frame,
                               float* out)
{
    const cli_scene_part* part = user;
    return cli_scene_part_pass(part, wadi_io_scene_window(&part->open->files, source, frame, out));
}

static wadi_result open_table(void* user, const char* file, const wadi_table_info* table,
                              double* out, int32_t capacity, int32_t* rows)
{
    const cli_scene_part* part = user;
    return cli_scene_part_pass(
        part, wadi_io_scene_table(&part->open->files, file, table, out, capacity, rows));
}

static wadi_result open_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out)
{
    const cli_scene_part* part = user;
    return cli_scene_part_pass(part, wadi_io_scene_mesh(&part->open->files, file, z_is_up, out));
}

static wadi_result open_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out)
{
    const cli_scene_part* part = user;
    return cli_scene_part_pass(part, wadi_io_scene_grains(&part->open->files, file, bodies, out));
}

wadi_host cli_scene_part_host(void* user)
{
    return (wadi_host){.frame = open_frame,
                       .void_sides = open_void_sides,
                       .read = open_values,
                       .table = open_table,
                       .mesh = open_mesh,
                       .grains = open_grains,
                       .user = user};
}
