// SPDX-License-Identifier: MIT
#include "cli/run_outputs.h"

#include "cli/gradient.h"
#include "cli/normals.h"
#include "cli/output.h"
#include "cli/run_checkpoint.h"
#include "cli/splat.h"
#include "cli/tile_name.h"
#include "cli/trace.h"
#include "cli/window.h"

#include "io/checkpoint/checkpoint.h"
#include "io/raster/raster.h"
#include "io/replace.h"

#include <wadi/derive.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RUN_PATH_LENGTH = 4096,
    RUN_NAME_LENGTH = 128
};

// File of a view: "out/view.png", or "out/view-2.png" for the second of several.
static void run_path(const cli_run_outputs* outputs, const wadi_output* output, int32_t view,
                     char path[RUN_PATH_LENGTH])
{
    const char* dot = strrchr(output->file, '.');
    const int stem = dot != NULL ? (int)(dot - output->file) : (int)strlen(output->file);
    char number[16] = "";
    if (output->kind == WADI_OUTPUT_RENDER && output->views > 1)
    {
        (void)snprintf(number, sizeof number, "-%d", view + 1);
    }
    (void)snprintf(path, RUN_PATH_LENGTH, "%s/%.*s%s%s", outputs->folder, stem, output->file,
                   number, output->file + stem);
}

static int32_t run_view_count(const wadi_output* output)
{
    return output->kind == WADI_OUTPUT_RENDER ? output->views : 1;
}

// ---- before the run -----------------------------------------------------------------------------

// Remove what dead runs left in the folder of an output.
static void run_clean(char path[RUN_PATH_LENGTH])
{
    char* slash = strrchr(path, '/');
    *slash = '\0'; // there is one behind the output folder
    wadi_io_replace_clean(path);
    *slash = '/';
}

static bool run_is_tiles(const wadi_output* output)
{
    return output->kind == WADI_OUTPUT_WRITE && cli_tile_is_pattern(output->file);
}

static cli_status run_check_output(const cli_run_outputs* outputs, const wadi_output* output)
{
    if (run_is_tiles(output))
    {
        // each window looks at its own file
        return outputs->in_tiles
                   ? CLI_DONE
                   : cli_fail(CLI_USAGE,
                              "'%s' is a pattern of tiles, which runs in windows write: give "
                              "--tiles or --windows, or a name without braces",
                              output->file);
    }
    char path[RUN_PATH_LENGTH];
    for (int32_t view = 0; view < run_view_count(output); ++view)
    {
        run_path(outputs, output, view, path);
        if (output->kind == WADI_OUTPUT_WRITE || output->kind == WADI_OUTPUT_AMPLIFY)
        {
            wadi_context* context = outputs->session->context;
            CLI_TRY(cli_check_usage(context, wadi_io_raster_check_writable(context, path)));
            CLI_TRY(cli_check(context, wadi_io_raster_load_writer(context, path)));
        }
        if (output->kind == WADI_OUTPUT_CHECKPOINT)
        {
            CLI_TRY(cli_check(outputs->session->context,
                              wadi_io_checkpoint_load_writer(outputs->session->context)));
        }
        CLI_TRY(cli_output_check_apart(path, outputs->scene, "is the scene"));
        if (outputs->report_file != NULL)
        {
            CLI_TRY(cli_output_check_apart(path, outputs->report_file, "is also the report"));
        }
        CLI_TRY(cli_output_check(path));
        run_clean(path);
    }
    return CLI_DONE;
}

// An interrupted run writes its state first, and then its outputs.
static cli_status run_check_state(const wadi_output* output, const char* state)
{
    return output->kind == WADI_OUTPUT_CHECKPOINT || strcmp(output->file, state) != 0
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%s is the name of the state of a run that is interrupted; choose "
                          "another name",
                          state);
}

cli_status cli_run_outputs_check(const cli_run_outputs* outputs, const wadi_scene* scene)
{
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (step->kind == WADI_STEP_OUTPUT)
        {
            CLI_TRY(run_check_state(&step->output, cli_run_checkpoint_name(scene)));
            CLI_TRY(run_check_output(outputs, &step->output));
        }
    }
    return CLI_DONE;
}

cli_status cli_run_outputs_check_input(const cli_run_outputs* outputs, const wadi_scene* scene,
                                       const char* input)
{
    if (outputs->report_file != NULL)
    {
        CLI_TRY(cli_output_check_apart(outputs->report_file, input, "is an input of the scene"));
    }
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        const int32_t views = step->kind == WADI_STEP_OUTPUT ? run_view_count(&step->output) : 0;
        for (int32_t view = 0; view < views; ++view)
        {
            char path[RUN_PATH_LENGTH];
            run_path(outputs, &step->output, view, path);
            CLI_TRY(cli_output_check_apart(path, input, "is an input of the scene"));
        }
    }
    return CLI_DONE;
}

// ---- rasters ------------------------------------------------------------------------------------

static wadi_result run_out_of_memory(wadi_context* context, const char* what)
{
    return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", what);
}

static float* run_new_grid(const wadi_terrain* terrain)
{
    const size_t cells = (size_t)wadi_terrain_width(terrain) * (size_t)wadi_terrain_height(terrain);
    return malloc(cells * sizeof(float));
}

// "surface", "slope" or "hydraulic.flow".
static void run_name(const wadi_terrain* terrain, const wadi_quantity* quantity,
                     char out[RUN_NAME_LENGTH])
{
    const char* name = quantity->is_derived    ? wadi_derived_name(quantity->derived)
                       : quantity->map != NULL ? quantity->map
                                               : wadi_terrain_layer_name(terrain, quantity->layer);
    const bool of_process = quantity->process != NULL && quantity->map != NULL;
    (void)snprintf(out, RUN_NAME_LENGTH, "%s%s%s", of_process ? quantity->process->name : "",
                   of_process ? "." : "", name);
}

static const char* run_map_unit(const wadi_process* process, const char* map)
{
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (!process->maps[i].input && strcmp(process->maps[i].name, map) == 0)
        {
            return process->maps[i].unit;
        }
    }
    return NULL;
}

static const char* run_unit(const wadi_quantity* quantity)
{
    const wadi_layer layer = quantity->layer;
    const bool is_share = layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
                          layer == WADI_LAYER_MOISTURE;
    return quantity->is_derived    ? wadi_derived_unit(quantity->derived)
           : quantity->map != NULL ? run_map_unit(quantity->process, quantity->map)
           : is_share              ? "1"
                                   : "m";
}

static bool run_is_height(const wadi_quantity* quantity)
{
    return !quantity->is_derived && quantity->map == NULL &&
           (quantity->layer == WADI_LAYER_SURFACE || quantity->layer == WADI_LAYER_BEDROCK);
}

static wadi_result run_write_colours(const cli_run_outputs* outputs, wadi_run* run,
                                     const wadi_io_raster* raster, const wadi_output* output,
                                     const char* path)
{
    wadi_context* context = outputs->session->context;
    int32_t count = 0;
    double* rows = NULL;
    wadi_result result = wadi_run_gradient(run, output, &rows, &count);
    if (result == WADI_OK)
    {
        result = cli_gradient_draw(context, raster, rows, count, path);
    }
    wadi_free(context, rows);
    return result;
}

static wadi_result run_write_values(const cli_run_outputs* outputs, wadi_run* run, float* values,
                                    const wadi_output* output)
{
    const wadi_terrain* terrain = wadi_run_terrain(run);
    char name[RUN_NAME_LENGTH];
    run_name(terrain, &output->quantity, name);
    const wadi_io_raster raster = {.width = wadi_terrain_width(terrain),
                                   .height = wadi_terrain_height(terrain),
                                   .values = values,
                                   .dx = wadi_terrain_cell_size(terrain),
                                   .dy = wadi_terrain_cell_size(terrain),
                                   .has_nodata = true,
                                   .nodata = (double)NAN,
                                   .georef = wadi_terrain_georef(terrain),
                                   .name = name,
                                   .unit = run_unit(&output->quantity),
                                   .is_map = !run_is_height(&output->quantity),
                                   .bits = output->bits,
                                   .tags = &outputs->tags};
    char path[RUN_PATH_LENGTH];
    run_path(outputs, output, 0, path);
    return output->gradient != NULL ? run_write_colours(outputs, run, &raster, output, path)
           : output->frame > 0 && output->appends
               ? wadi_io_netcdf_add(outputs->session->context, &raster, path, output->frame == 1,
                                    wadi_terrain_clock(terrain))
               : wadi_io_raster_write(outputs->session->context, &raster, path);
}

static wadi_result run_splat(const cli_run_outputs* outputs, wadi_run* run,
                             const wadi_output* output)
{
    const wadi_terrain* terrain = wadi_run_terrain(run);
    const wadi_io_raster picture = {.width = wadi_terrain_width(terrain),
                                    .height = wadi_terrain_height(terrain),
                                    .tags = &outputs->tags};
    const size_t cells = (size_t)picture.width * (size_t)picture.height;
    const float* maps[WADI_MAX_SPLAT];
    char path[RUN_PATH_LENGTH];
    float* values = malloc(cells * (size_t)output->splat_count * sizeof *values);
    if (values == NULL)
    {
        return run_out_of_memory(outputs->session->context, output->file);
    }
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        maps[i] = values + (size_t)i * cells;
    }
    run_path(outputs, output, 0, path);
    wadi_result result = wadi_run_splat(run, output, values);
    result = result == WADI_OK ? cli_splat_draw(outputs->session->context, maps,
                                                output->splat_count, &picture, path)
                               : result;
    free(values);
    return result;
}

static wadi_result run_normals(const cli_run_outputs* outputs, wadi_terrain* terrain,
                               const wadi_output* output, const float* surface, float* normals)
{
    wadi_context* context = outputs->session->context;
    const wadi_io_raster picture = {.width = wadi_terrain_width(terrain),
                                    .height = wadi_terrain_height(terrain),
                                    .tags = &outputs->tags};
    wadi_field2d field = {.heights = surface,
                          .width = picture.width,
                          .height = picture.height,
                          .stride = picture.width,
                          .dx = wadi_terrain_cell_size(terrain),
                          .dy = wadi_terrain_cell_size(terrain)};
    for (int side = 0; side < 4; ++side)
    {
        field.edges[side] = wadi_terrain_edge(terrain, (wadi_side)side);
    }
    char path[RUN_PATH_LENGTH];
    run_path(outputs, output, 0, path);
    const wadi_result result = wadi_derive_normals(context, &field, normals);
    return result == WADI_OK ? cli_normals_draw(context, normals, false, &picture, path) : result;
}

static wadi_result run_write_normals(const cli_run_outputs* outputs, wadi_terrain* terrain,
                                     const wadi_output* output, const float* surface)
{
    const size_t cells = (size_t)wadi_terrain_width(terrain) * (size_t)wadi_terrain_height(terrain);
    float* normals = malloc(3 * cells * sizeof *normals);
    if (normals == NULL)
    {
        return run_out_of_memory(outputs->session->context, output->file);
    }
    const wadi_result result = run_normals(outputs, terrain, output, surface, normals);
    free(normals);
    return result;
}

static wadi_result run_write(const cli_run_outputs* outputs, wadi_run* run,
                             const wadi_output* output)
{
    if (output->splat_count > 0)
    {
        return run_splat(outputs, run, output);
    }
    wadi_terrain* terrain = wadi_run_terrain(run);
    float* values = run_new_grid(terrain);
    if (values == NULL)
    {
        return run_out_of_memory(outputs->session->context, output->file);
    }
    wadi_result result = wadi_run_quantity(run, &output->quantity, values);
    if (result == WADI_OK)
    {
        result = output->normals ? run_write_normals(outputs, terrain, output, values)
                                 : run_write_values(outputs, run, values, output);
    }
    free(values);
    return result;
}

static wadi_result run_amplify(const cli_run_outputs* outputs, wadi_run* run,
                               const wadi_output* output)
{
    wadi_amplify_params params;
    const wadi_result result = wadi_run_window(run, output, &params);
    char path[RUN_PATH_LENGTH];
    run_path(outputs, output, 0, path);
    return result == WADI_OK ? cli_window_write(outputs->session->context, wadi_run_terrain(run),
                                                &params, &outputs->tags, path)
                             : result;
}

// ---- pictures -----------------------------------------------------------------------------------

static wadi_render_params run_render_params(wadi_terrain* terrain, const wadi_output* output)
{
    wadi_render_params params = *output->render;
    if (output->fits_map)
    {
        const wadi_render_scene shape = {.width = wadi_terrain_width(terrain),
                                         .height = wadi_terrain_height(terrain),
                                         .stride = wadi_terrain_width(terrain),
                                         .cell_size = wadi_terrain_cell_size(terrain)};
        wadi_render_fit_map(&shape, params.width, &params);
    }
    return params;
}

static wadi_result run_render_view(const cli_run_outputs* outputs, wadi_terrain* terrain,
                                   const wadi_output* output, const float* overlay, int32_t view)
{
    wadi_context* context = outputs->session->context;
    wadi_render_params params = run_render_params(terrain, output);
    const double azimuth = params.camera_azimuth + 360.0 * view / output->views;
    params.camera_azimuth = azimuth >= 360.0 ? azimuth - 360.0 : azimuth;
    uint8_t* rgb = malloc(3 * (size_t)params.width * (size_t)params.height);
    if (rgb == NULL)
    {
        return run_out_of_memory(context, output->file);
    }
    wadi_result result = wadi_render_terrain(terrain, overlay, &params, rgb);
    if (result == WADI_OK)
    {
        char path[RUN_PATH_LENGTH];
        run_path(outputs, output, view, path);
        result = wadi_io_picture_write_tagged(context, rgb, params.width, params.height,
                                              &outputs->tags, path);
    }
    free(rgb);
    return result;
}

static wadi_result run_render(const cli_run_outputs* outputs, wadi_run* run,
                              const wadi_output* output)
{
    wadi_terrain* terrain = wadi_run_terrain(run);
    float* overlay = output->has_overlay ? run_new_grid(terrain) : NULL;
    wadi_result result = WADI_OK;
    if (output->has_overlay)
    {
        result = overlay != NULL ? wadi_run_quantity(run, &output->overlay, overlay)
                                 : run_out_of_memory(outputs->session->context, output->file);
    }
    for (int32_t view = 0; view < output->views && result == WADI_OK; ++view)
    {
        result = run_render_view(outputs, terrain, output, overlay, view);
    }
    free(overlay);
    return result;
}

// ---- reports ------------------------------------------------------------------------------------

cli_status cli_run_write_report(const cli_run_outputs* outputs, wadi_run* run, const char* path)
{
    const wadi_terrain* terrain = wadi_run_terrain(run);
    const cli_report_run about = {.scene = outputs->scene,
                                  .threads = wadi_context_workers(outputs->session->context),
                                  .wall_s = cli_seconds() - outputs->session->started,
                                  .interrupted = outputs->interrupted,
                                  .years = wadi_terrain_clock(terrain) + outputs->partial,
                                  .hash = wadi_run_hash(run),
                                  .tags = &outputs->tags};
    return cli_report_write(&outputs->report, terrain, &about, path);
}

static wadi_result run_report(cli_run_outputs* outputs, wadi_run* run, const wadi_output* output)
{
    char path[RUN_PATH_LENGTH];
    run_path(outputs, output, 0, path);
    outputs->has_printed_error = cli_run_write_report(outputs, run, path) != CLI_DONE;
    return outputs->has_printed_error ? WADI_ERROR_IO : WADI_OK;
}

static wadi_result run_checkpoint(cli_run_outputs* outputs, wadi_run* run,
                                  const wadi_output* output)
{
    return cli_run_checkpoint_write(outputs->checkpoint, &outputs->report, run, output->file);
}

wadi_result cli_run_output(void* user, wadi_run* run, const wadi_output* output)
{
    cli_run_outputs* outputs = user;
    cli_trace_state(&outputs->tags, wadi_run_terrain(run), wadi_run_hash(run));
    switch (output->kind)
    {
    case WADI_OUTPUT_WRITE:
        return run_write(user, run, output);
    case WADI_OUTPUT_RENDER:
        return run_render(user, run, output);
    case WADI_OUTPUT_AMPLIFY:
        return run_amplify(user, run, output);
    case WADI_OUTPUT_CHECKPOINT:
        return run_checkpoint(user, run, output);
    default:
        return run_report(user, run, output);
    }
}

void cli_run_print_outputs(const cli_run_outputs* outputs, wadi_run* run)
{
    const wadi_scene* scene = wadi_run_scene(run);
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_output* output = &wadi_scene_step(scene, i)->output;
        const bool counts = wadi_scene_step(scene, i)->kind == WADI_STEP_OUTPUT &&
                            output->kind != WADI_OUTPUT_CHECKPOINT &&
                            !(output->appends && output->frame > 1) &&
                            wadi_run_can_show(run, output);
        for (int32_t view = 0; counts && view < run_view_count(output); ++view)
        {
            char path[RUN_PATH_LENGTH];
            run_path(outputs, output, view, path);
            (void)printf("wrote            %s\n", path);
        }
    }
}
