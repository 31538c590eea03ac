// SPDX-License-Identifier: MIT
// Runs a scene on the block of a tile, and of each tile beside it that is blended with it. Every
// block has a context of its own, reads the scene and carries out all steps on its part of the
// world; outputs are summed up by weights.
#include "cli/tile_job.h"

#include "cli/open_scene.h"
#include "cli/output.h"
#include "cli/run_outputs.h"
#include "cli/tile_name.h"
#include "cli/trace.h"

#include "io/raster/raster.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An output of the tile.
typedef struct tile_layer
{
    double* sum; // of the blocks by their weights
    float* low;  // of the blocks that have a weight here
    float* high;
    char name[64];
    const char* unit;
} tile_layer;

typedef struct tile_job
{
    cli_open_scene open;
    const char* folder;
    int32_t place[2];
    cli_tiling tiling;
    cli_tile_box box;
    int32_t width; // [cells] of the tile
    int32_t height;
    cli_session session;
    double passed; // years of this block
    int32_t blocks;
    int32_t done;
    tile_layer* layers; // by step of the scene
} tile_job;

// One block at work.
typedef struct tile_block
{
    cli_scene_part part;
    tile_job* job;
    wadi_partition place;
    int32_t tile[2]; // beyond the first and the last one around periodic edges
    wadi_run* run;
} tile_block;

// ---- outputs ------------------------------------------------------------------------------------

// Column or row of the block's arrays; -1: the block does not reach there.
static int32_t tile_local(const tile_block* block, int axis, int32_t cell)
{
    const wadi_partition* part = &block->place;
    const int32_t whole = axis == 0 ? part->width : part->height;
    const int32_t first = axis == 0 ? part->x : part->y;
    const int32_t count = axis == 0 ? part->owned_width : part->owned_height;
    const int32_t at = ((cell - first) % whole + whole) % whole;
    return at < count ? at : -1;
}

static void tile_add_cell(tile_layer* layer, int64_t cell, float value, double weight)
{
    const bool first = isinf(layer->low[cell]);
    layer->sum[cell] += weight * (double)value;
    layer->low[cell] = first ? value : fminf(layer->low[cell], value);
    layer->high[cell] = first ? value : fmaxf(layer->high[cell], value);
}

static void tile_add_row(const tile_block* block, tile_layer* layer, int32_t y, double weight_y,
                         const float* values)
{
    const tile_job* job = block->job;
    const int32_t row = tile_local(block, 1, y);
    for (int32_t x = job->box.begin[0]; x < job->box.end[0] && row >= 0; ++x)
    {
        const double weight = weight_y * cli_tiling_weight(&job->tiling, 0, block->tile[0], x);
        const int32_t column = tile_local(block, 0, x);
        if (weight > 0.0 && column >= 0)
        {
            const int64_t cell =
                (int64_t)(y - job->box.begin[1]) * job->width + x - job->box.begin[0];
            tile_add_cell(layer, cell, values[(int64_t)row * block->place.owned_width + column],
                          weight);
        }
    }
}

static void tile_add(const tile_block* block, tile_layer* layer, const float* values)
{
    const tile_job* job = block->job;
    for (int32_t y = job->box.begin[1]; y < job->box.end[1]; ++y)
    {
        const double weight = cli_tiling_weight(&job->tiling, 1, block->tile[1], y);
        if (weight > 0.0)
        {
            tile_add_row(block, layer, y, weight, values);
        }
    }
}

static void tile_name_layer(const tile_block* block, const wadi_quantity* quantity,
                            tile_layer* layer)
{
    const bool is_map = quantity->process != NULL;
    (void)snprintf(layer->name, sizeof layer->name, "%s%s%s", is_map ? quantity->process->name : "",
                   is_map ? "." : "",
                   is_map ? quantity->map
                          : wadi_terrain_layer_name(wadi_run_terrain(block->run), quantity->layer));
    layer->unit = wadi_quantity_unit(quantity);
}

static wadi_result tile_output(void* user, wadi_run* run, const wadi_output* output)
{
    tile_block* block = user;
    if (output->kind != WADI_OUTPUT_WRITE)
    {
        return WADI_OK;
    }
    tile_layer* layer = &block->job->layers[wadi_run_position(run)];
    const size_t cells = (size_t)block->place.owned_width * (size_t)block->place.owned_height;
    float* values = malloc(cells * sizeof *values);
    if (values == NULL)
    {
        return wadi_context_fail(block->part.context, WADI_ERROR_MEMORY, "out of memory for %s",
                                 output->file);
    }
    block->run = run;
    tile_name_layer(block, &output->quantity, layer);
    const wadi_result result = wadi_run_quantity(run, &output->quantity, values);
    if (result == WADI_OK)
    {
        tile_add(block, layer, values);
    }
    free(values);
    return result;
}

// ---- a block ------------------------------------------------------------------------------------

static wadi_result tile_process(const tile_block* block, const wadi_scene_process* step)
{
    tile_job* job = block->job;
    cli_progress_stretch(&job->session.progress,
                         (job->done + job->passed / job->open.years) / job->blocks,
                         step->years / job->open.years / job->blocks);
    job->passed += step->years;
    return wadi_run_next(block->run);
}

static wadi_result tile_steps(const tile_block* block)
{
    wadi_result result = WADI_OK;
    while (result == WADI_OK && !wadi_run_is_done(block->run))
    {
        const wadi_scene* scene = wadi_run_scene(block->run);
        const wadi_step* step = wadi_scene_step(scene, wadi_run_position(block->run));
        result = step->kind == WADI_STEP_PROCESS ? tile_process(block, &step->process)
                                                 : wadi_run_next(block->run);
    }
    return result;
}

static wadi_result tile_block_scene(tile_block* block, const wadi_scene* scene)
{
    wadi_host host = cli_scene_part_host(block);
    host.output = tile_output;
    wadi_result result = wadi_run_create(scene, &host, &block->run);
    result = result == WADI_OK ? tile_steps(block) : result;
    wadi_run_destroy(block->run);
    return result;
}

static wadi_result tile_block_live(tile_block* block)
{
    wadi_scene* scene = NULL;
    wadi_result result = cli_scene_read_again(&block->part, &scene);
    result = result == WADI_OK ? tile_block_scene(block, scene) : result;
    wadi_scene_destroy(scene);
    return result;
}

static cli_status tile_block_run(tile_job* job, const cli_run_options* options, const int32_t at[2])
{
    tile_block block = {.part = {.open = &job->open}, .job = job, .tile = {at[0], at[1]}};
    wadi_context_def def = cli_session_hooks(&job->session);
    def.threads = options->threads;
    CLI_TRY(cli_check(job->session.context, cli_tiling_block(job->session.context, &job->tiling,
                                                             at[0], at[1], &block.place)));
    def.partition = block.place;
    if (wadi_context_create(&def, &block.part.context) != WADI_OK)
    {
        return cli_fail(CLI_FAILED, "out of memory for a tile");
    }
    job->passed = 0.0;
    const wadi_result result = tile_block_live(&block);
    const cli_status status =
        result == WADI_ERROR_CANCELLED
            ? cli_fail(CLI_INTERRUPTED, "interrupted; nothing is kept of the tile")
            : cli_check(block.part.context, result);
    wadi_context_destroy(block.part.context);
    job->done += 1;
    return status;
}

// The block of the tile and those of the tiles beside it that it needs, or how many these are.
static cli_status tile_blocks(tile_job* job, const cli_run_options* options, bool counts)
{
    for (int32_t i = 0; i < 9; ++i)
    {
        const int32_t step[2] = {i % 3 - 1, i / 3 - 1};
        const int32_t at[2] = {job->place[0] + step[0], job->place[1] + step[1]};
        if (cli_tiling_needs(&job->tiling, job->place[0], job->place[1], step))
        {
            job->blocks += counts ? 1 : 0;
            CLI_TRY(counts ? CLI_DONE : tile_block_run(job, options, at));
        }
    }
    return CLI_DONE;
}

// ---- the tile -----------------------------------------------------------------------------------

// How far blocks are apart along the borders of the tile that lie within the world.
static void tile_print_seam(const tile_job* job, const tile_layer* layer)
{
    double sum = 0.0;
    double most = 0.0;
    int64_t count = 0;
    for (int32_t y = 0; y < job->height; ++y)
    {
        for (int32_t x = 0; x < job->width; ++x)
        {
            const int64_t cell = (int64_t)y * job->width + x;
            const bool rim = x == 0 || y == 0 || x + 1 == job->width || y + 1 == job->height;
            const double apart = (double)layer->high[cell] - (double)layer->low[cell];
            const bool met = rim && apart > 0.0;
            sum += met ? apart : 0.0;
            count += met ? 1 : 0;
            most = met && apart > most ? apart : most;
        }
    }
    (void)printf("blocks apart     %.3g %s in the mean, %.3g at most, in %lld cells of the rim\n",
                 count > 0 ? sum / (double)count : 0.0, layer->unit, most, (long long)count);
}

static void tile_path(const tile_job* job, const char* file, char path[2 * PATH_MAX])
{
    char name[PATH_MAX];
    cli_tile_name(file, job->place[0], job->place[1], name, sizeof name);
    (void)snprintf(path, (size_t)2 * PATH_MAX, "%s/%s", job->folder, name);
}

static cli_status tile_write(const tile_job* job, const tile_layer* layer, const char* file)
{
    char path[2 * PATH_MAX];
    tile_path(job, file, path);
    const int64_t cells = (int64_t)job->width * job->height;
    float* values = malloc((size_t)cells * sizeof *values);
    if (values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %s", path);
    }
    for (int64_t i = 0; i < cells; ++i)
    {
        values[i] = (float)layer->sum[i];
    }
    wadi_io_raster raster = {
        .width = job->width,
        .height = job->height,
        .values = values,
        .dx = job->open.frame.cell_size,
        .dy = job->open.frame.cell_size,
        .georef = cli_tile_georef(&job->open.frame, job->box.begin[0], job->box.begin[1]),
        .name = layer->name,
        .unit = layer->unit,
        .tags = &job->open.tags};
    const cli_status status =
        cli_check(job->session.context, wadi_io_raster_write(job->session.context, &raster, path));
    free(values);
    if (status == CLI_DONE)
    {
        (void)printf("wrote            %s\n", path);
        tile_print_seam(job, layer);
    }
    return status;
}

// Pictures, reports and states, which are of a whole world. Of a series the first one is named.
static void tile_print_left_out(const tile_job* job)
{
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT && step->output.kind != WADI_OUTPUT_WRITE &&
            step->output.frame <= 1)
        {
            (void)printf("left out         %s\n", step->output.file);
        }
    }
}

static cli_status tile_write_all(const tile_job* job)
{
    (void)printf("tile             %d, %d of %d x %d: %d x %d cells from column %d, row %d\n",
                 job->place[0], job->place[1], cli_tiling_count(&job->tiling, 0),
                 cli_tiling_count(&job->tiling, 1), job->width, job->height, job->box.begin[0],
                 job->box.begin[1]);
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_WRITE)
        {
            CLI_TRY(tile_write(job, &job->layers[i], step->output.file));
        }
    }
    tile_print_left_out(job);
    return CLI_DONE;
}

static cli_status tile_allocate_layer(const tile_job* job, tile_layer* layer)
{
    const size_t cells = (size_t)job->width * (size_t)job->height;
    layer->sum = calloc(cells, sizeof *layer->sum);
    layer->low = malloc(cells * sizeof *layer->low);
    layer->high = malloc(cells * sizeof *layer->high);
    if (layer->sum == NULL || layer->low == NULL || layer->high == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a tile of %d x %d cells", job->width,
                        job->height);
    }
    for (size_t i = 0; i < cells; ++i)
    {
        layer->low[i] = (float)INFINITY;
        layer->high[i] = (float)INFINITY;
    }
    return CLI_DONE;
}

static cli_status tile_allocate(tile_job* job)
{
    const int32_t steps = wadi_scene_step_count(job->open.scene);
    job->layers = calloc((size_t)steps + 1, sizeof *job->layers);
    if (job->layers == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the outputs of a tile");
    }
    for (int32_t i = 0; i < steps; ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        const bool writes =
            step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_WRITE;
        CLI_TRY(writes ? tile_allocate_layer(job, &job->layers[i]) : CLI_DONE);
    }
    return CLI_DONE;
}

static void tile_free(tile_job* job)
{
    for (int32_t i = 0; job->layers != NULL && i < wadi_scene_step_count(job->open.scene); ++i)
    {
        free(job->layers[i].sum);
        free(job->layers[i].low);
        free(job->layers[i].high);
    }
    free(job->layers);
}

// ---- before the run -----------------------------------------------------------------------------

static cli_status tile_check_file(const tile_job* job, const char* origin, const char* file)
{
    char path[2 * PATH_MAX];
    const char* dot = strrchr(file, '.');
    if (dot == NULL || (strcmp(dot, ".tif") != 0 && strcmp(dot, ".tiff") != 0))
    {
        return cli_fail(CLI_USAGE,
                        "%s: '%s': tiles are GeoTIFF, .tif, whose numbers mean the same in all of "
                        "them; use wadi convert",
                        origin, file);
    }
    CLI_TRY(cli_tile_is_pattern(file) ? cli_tile_check_pattern(origin, file) : CLI_DONE);
    tile_path(job, file, path);
    return cli_output_check(path);
}

static cli_status tile_check_output(const tile_job* job, const wadi_step* step)
{
    const wadi_output* output = &step->output;
    const char* origin = step->origin != NULL ? step->origin : "the scene";
    if (output->kind != WADI_OUTPUT_WRITE)
    {
        return CLI_DONE; // left out, which is said at the end
    }
    if (output->splat_count > 0 || output->normals || output->appends ||
        output->quantity.is_derived)
    {
        return cli_fail(CLI_USAGE,
                        "%s: '%s' cannot be made of one tile alone: write layers and maps of "
                        "processes, and use wadi derive or wadi convert",
                        origin, output->file);
    }
    return tile_check_file(job, origin, output->file);
}

static cli_status tile_check(tile_job* job)
{
    CLI_TRY(cli_check_usage(job->session.context, wadi_scene_check_alone(job->open.scene)));
    int32_t outputs = 0;
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT)
        {
            CLI_TRY(tile_check_output(job, step));
            outputs += step->output.kind == WADI_OUTPUT_WRITE ? 1 : 0;
        }
    }
    return outputs > 0 ? CLI_DONE
                       : cli_fail(CLI_USAGE,
                                  "%s: the scene writes nothing; add an output such as "
                                  "'write: height.tif'",
                                  job->open.source->path);
}

// No output before step `end` is `path`; what that is says `what`.
static cli_status tile_check_apart(const tile_job* job, int32_t end, const char* path,
                                   const char* what)
{
    for (int32_t i = 0; i < end; ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_WRITE)
        {
            char output[2 * PATH_MAX];
            tile_path(job, step->output.file, output);
            CLI_TRY(cli_output_check_apart(output, path, what));
        }
    }
    return CLI_DONE;
}

// Patterns may give two outputs one name.
static cli_status tile_check_distinct(const tile_job* job)
{
    for (int32_t i = 0; i < wadi_scene_step_count(job->open.scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->open.scene, i);
        if (step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_WRITE)
        {
            char path[2 * PATH_MAX];
            tile_path(job, step->output.file, path);
            CLI_TRY(tile_check_apart(job, i, path, "is another output as well"));
        }
    }
    return CLI_DONE;
}

// The inputs go into the tags of the outputs, and no output replaces one.
static cli_status tile_check_inputs(tile_job* job)
{
    enum
    {
        MOST = 64
    };
    const char* names[MOST];
    const int32_t steps = wadi_scene_step_count(job->open.scene);
    const int32_t count = wadi_scene_files(job->open.scene, names, MOST);
    CLI_TRY(tile_check_apart(job, steps, job->open.source->path, "is the scene"));
    for (int32_t i = 0; i < count && i < MOST; ++i)
    {
        char path[2 * PATH_MAX];
        (void)snprintf(path, sizeof path, "%s%s", names[i][0] == '/' ? "" : job->open.files.folder,
                       names[i]);
        CLI_TRY(tile_check_apart(job, steps, path, "is an input of the scene"));
        cli_trace_input(&job->open.tags, job->session.context, path);
    }
    return CLI_DONE;
}

static cli_status tile_check_place(tile_job* job)
{
    const int32_t columns = cli_tiling_count(&job->tiling, 0);
    const int32_t rows = cli_tiling_count(&job->tiling, 1);
    if (job->place[0] >= columns || job->place[1] >= rows)
    {
        return cli_fail(CLI_USAGE,
                        "tile %d, %d: the world of %d x %d cells has %d x %d tiles of %d cells, "
                        "from 0, 0 in the north-west",
                        job->place[0], job->place[1], job->tiling.world.width,
                        job->tiling.world.height, columns, rows, job->tiling.size);
    }
    CLI_TRY(cli_tiling_check(&job->tiling));
    job->box = cli_tiling_tile(&job->tiling, job->place[0], job->place[1]);
    job->width = job->box.end[0] - job->box.begin[0];
    job->height = job->box.end[1] - job->box.begin[1];
    return CLI_DONE;
}

static cli_status tile_open_world(tile_job* job)
{
    CLI_TRY(cli_scene_open(job->open.source, job->session.context, &job->open));
    CLI_TRY(cli_scene_open_frame(&job->open, &job->tiling.world));
    return tile_check_place(job);
}

static cli_status tile_run(tile_job* job, const cli_run_options* options)
{
    CLI_TRY(tile_open_world(job));
    CLI_TRY(cli_output_check_folder(job->folder));
    wadi_io_replace_clean(job->folder);
    CLI_TRY(tile_check(job));
    CLI_TRY(tile_check_distinct(job));
    CLI_TRY(tile_check_inputs(job));
    CLI_TRY(tile_allocate(job));
    CLI_TRY(tile_blocks(job, options, true));
    cli_session_catch_interrupt();
    cli_progress_begin(&job->session.progress, job->open.years * job->blocks, "yr", cli_seconds());
    CLI_TRY(tile_blocks(job, options, false));
    cli_progress_end(&job->session.progress);
    return tile_write_all(job);
}

cli_status cli_tile_run(const cli_run_options* options, const cli_tiling* tiling,
                        const int32_t place[2], const char* folder, const cli_run_source* source)
{
    tile_job job = {.open = {.source = source},
                    .folder = folder,
                    .place = {place[0], place[1]},
                    .tiling = *tiling};
    cli_status status = cli_session_open(options, &job.session);
    if (status == CLI_DONE)
    {
        status = tile_run(&job, options);
    }
    tile_free(&job);
    cli_scene_close(&job.open);
    cli_session_close(&job.session);
    return status;
}
