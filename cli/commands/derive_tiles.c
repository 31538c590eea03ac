// SPDX-License-Identifier: MIT
// A map of a file larger than memory. Maps of a cell and its neighbours are computed from some rows
// at a time; those of the flow of water by tiles in a temporary file (see <wadi/tiles.h>). Rows
// come and go in stretches of whole blocks of a GeoTIFF.
#include "cli/commands/derive_tiles.h"

#include "cli/options.h"
#include "cli/trace.h"

#include "io/raster/geo.h"
#include "io/raster/heights.h"
#include "io/raster/rows.h"
#include "io/raster/tile_file.h"

#include <wadi/tiles.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    TILES_CELL_BYTES = 40, // of one tile: arrays of the flood or of the drainage
    TILES_BLOCK = 256,
    TILES_MOST = 4096 // larger tiles save no time: they do not fit into caches
};

typedef struct tiles_run
{
    const cli_tiles_job* job;
    wadi_context* context;
    wadi_io_rows from;
    wadi_io_rows to;
    wadi_io_replacement replacement;
    wadi_tiling tiling;
    wadi_tiles* tiles;
    double* dx_of_row;
    double dy;
    float* rows; // some rows of the input, with one more on each side
    float* out;  // the same of a map
    wadi_io_tile_file ground;
    wadi_io_tile_file filled;
    wadi_io_tile_file directions;
    wadi_io_tile_file sum;
} tiles_run;

// ---- options -----------------------------------------------------------------------------

cli_status cli_tiles_check(const cli_tiles_job* job)
{
    const char* dot = strrchr(job->output, '.');
    const wadi_io_reading* reading = &job->reading;
    if (job->map == WADI_DERIVED_DINF_AREA || job->map == WADI_DERIVED_DINF_DIRECTION)
    {
        return cli_fail(
            CLI_USAGE, "%s cannot be made by tiles; leave --tiles and --memory out, or use d8_area",
            wadi_derived_name(job->map));
    }
    if (dot == NULL || (strcasecmp(dot, ".tif") != 0 && strcasecmp(dot, ".tiff") != 0))
    {
        return cli_fail(CLI_USAGE, "%s: maps made by tiles are GeoTIFF; name it .tif", job->output);
    }
    if (reading->relief > 0.0 || reading->scale > 0.0 || reading->high > reading->low)
    {
        return cli_fail(CLI_USAGE, "--relief, --min, --max and --scale do not go with --tiles; "
                                   "convert the file to a .tif of metres first");
    }
    if (job->options->side > 0 && job->options->memory != NULL)
    {
        return cli_fail(CLI_USAGE, "--tiles and --memory both set the size of tiles; give one");
    }
    if (job->options->memory != NULL && cli_bytes_of(job->options->memory) == 0.0)
    {
        return cli_fail(CLI_USAGE, "--memory %s is no size; write it as 2GiB or 500MB",
                        job->options->memory);
    }
    return CLI_DONE;
}

// Side of the largest tiles for a memory: besides one tile there are rows of files, the program,
// GDAL's blocks, and for all cells the paths between tiles and directions on level ground.
static wadi_result tiles_choose(tiles_run* run)
{
    const cli_tiles_options* options = run->job->options;
    const double width = run->tiling.width;
    const double cells = width * run->tiling.height;
    const double fixed = 128e6 + 2.0 * 4.0 * width * (double)(WADI_IO_ROWS + 2) +
                         (wadi_derived_is_local(run->job->map) ? 0.0 : 2.0 * cells);
    run->tiling.tile = options->side;
    if (options->memory != NULL)
    {
        const double left = cli_bytes_of(options->memory) - fixed;
        const double side =
            left > 0.0 ? floor(sqrt(left / (double)TILES_CELL_BYTES) / (double)TILES_BLOCK) : 0.0;
        if (side < 1.0)
        {
            return wadi_context_fail(run->context, WADI_ERROR_ARGUMENT,
                                     "--memory %s is too little for %d x %d cells; give at least "
                                     "%.0fMB",
                                     options->memory, run->tiling.width, run->tiling.height,
                                     ceil((fixed + (double)TILES_CELL_BYTES * 65536.0) * 1e-6));
        }
        run->tiling.tile = (int32_t)fmin(side * (double)TILES_BLOCK, (double)TILES_MOST);
    }
    for (int side = 0; side < 4; ++side)
    {
        run->tiling.edges[side] = run->job->edge;
    }
    return WADI_OK;
}

// ---- rows --------------------------------------------------------------------------------

static int32_t tiles_count(const tiles_run* run, int32_t y)
{
    const int32_t left = run->tiling.height - y;
    return left < WADI_IO_ROWS ? left : WADI_IO_ROWS;
}

static wadi_result tiles_progress(const tiles_run* run, int32_t y, const char* what)
{
    return wadi_progress(run->context, (double)y / run->tiling.height, what)
               ? WADI_OK
               : wadi_context_fail(run->context, WADI_ERROR_CANCELLED, "interrupted");
}

// Stages of a map: what a part of the work is of the whole.
static void tiles_stage(const tiles_run* run, double before, double span)
{
    cli_progress_stretch(&run->job->session->progress, before, span);
}

// A row of the input, across periodic edges.
static wadi_result tiles_read_row(const tiles_run* run, int32_t y, float* to)
{
    const int32_t height = run->tiling.height;
    return wadi_io_rows_read(run->context, &run->from, (y + height) % height, 1, to);
}

// ---- maps of a cell and its neighbours -----------------------------------------------------

static wadi_result tiles_derive_rows(tiles_run* run, int32_t y, int32_t count)
{
    const bool wraps = run->job->edge == WADI_EDGE_PERIODIC;
    const ptrdiff_t width = run->tiling.width;
    const int32_t above = y > 0 || wraps ? 1 : 0;
    const int32_t below = y + count < run->tiling.height || wraps ? 1 : 0;
    double dx[WADI_IO_ROWS + 2];
    for (int32_t i = 0; i < above + count + below; ++i)
    {
        dx[i] = run->dx_of_row[(y - above + i + run->tiling.height) % run->tiling.height];
    }
    wadi_result result =
        wadi_io_rows_read(run->context, &run->from, y, count, run->rows + above * width);
    result = result == WADI_OK && above > 0 ? tiles_read_row(run, y - 1, run->rows) : result;
    result = result == WADI_OK && below > 0
                 ? tiles_read_row(run, y + count, run->rows + (above + count) * width)
                 : result;
    const wadi_field2d field = {
        .heights = run->rows,
        .width = run->tiling.width,
        .height = above + count + below,
        .stride = width,
        .dx = dx[0],
        .dy = run->dy,
        .dx_of_row = dx,
        .edges = {WADI_EDGE_OPEN, run->job->edge, WADI_EDGE_OPEN, run->job->edge}};
    result = result == WADI_OK
                 ? wadi_derive(run->context, &field, run->job->map, run->job->sun, run->out)
                 : result;
    return result == WADI_OK
               ? wadi_io_rows_write(run->context, &run->to, y, count, run->out + above * width)
               : result;
}

static wadi_result tiles_derive_local(tiles_run* run)
{
    wadi_result result = WADI_OK;
    for (int32_t y = 0; y < run->tiling.height && result == WADI_OK; y += WADI_IO_ROWS)
    {
        result = tiles_derive_rows(run, y, tiles_count(run, y));
        result =
            result == WADI_OK ? tiles_progress(run, y + tiles_count(run, y), "deriving") : result;
    }
    return result;
}

// ---- maps of the flow of water -------------------------------------------------------------

static wadi_result tiles_open(tiles_run* run, wadi_tile_type type, wadi_io_tile_file* file)
{
    return wadi_io_tile_file_open(run->context, &run->replacement, &run->tiling, type, file);
}

static wadi_result tiles_import(tiles_run* run)
{
    int64_t found = 0;
    wadi_result result = tiles_open(run, WADI_TILE_FLOAT32, &run->ground);
    for (int32_t y = 0; y < run->tiling.height && result == WADI_OK; y += WADI_IO_ROWS)
    {
        const int32_t count = tiles_count(run, y);
        result = wadi_io_rows_read(run->context, &run->from, y, count, run->rows);
        for (int64_t i = 0; result == WADI_OK && i < (int64_t)count * run->tiling.width; ++i)
        {
            found += isnan(run->rows[i]) ? 0 : 1;
        }
        result = result == WADI_OK ? wadi_io_tile_file_write_rows(&run->ground, y, count, run->rows)
                                   : result;
        result = result == WADI_OK ? tiles_progress(run, y + count, "reading") : result;
    }
    return result != WADI_OK || found > 0
               ? result
               : wadi_context_fail(run->context, WADI_ERROR_FORMAT,
                                   "%s has no cell with data; check its nodata value",
                                   run->job->input);
}

static wadi_result tiles_fill(tiles_run* run)
{
    tiles_stage(run, 0.1, 0.4);
    const wadi_result result = tiles_open(run, WADI_TILE_FLOAT32, &run->filled);
    return result == WADI_OK
               ? wadi_tiles_flood(
                     run->tiles,
                     &(wadi_tiles_flood_job){.heights = wadi_io_tile_file_layer(&run->ground),
                                             .levels = wadi_io_tile_file_layer(&run->filled)})
               : result;
}

static wadi_result tiles_route(tiles_run* run)
{
    tiles_stage(run, 0.5, 0.15);
    wadi_result result = tiles_open(run, WADI_TILE_INT8, &run->directions);
    result = result == WADI_OK
                 ? wadi_tiles_route(run->tiles,
                                    &(wadi_tiles_route_job){
                                        .levels = wadi_io_tile_file_layer(&run->filled),
                                        .directions = wadi_io_tile_file_layer(&run->directions),
                                        .dy = run->dy,
                                        .dx = run->dx_of_row[0],
                                        .dx_of_row = run->dx_of_row})
                 : result;
    wadi_io_tile_file_close(&run->ground); // their room on the disk is free again
    wadi_io_tile_file_close(&run->filled);
    return result;
}

// Cells of one width need no order of summation.
static const double* tiles_widths(const tiles_run* run)
{
    return run->from.header.geographic ? run->dx_of_row : NULL;
}

static wadi_result tiles_drain(tiles_run* run)
{
    tiles_stage(run, 0.65, 0.25);
    const wadi_result result = tiles_open(run, WADI_TILE_FLOAT32, &run->sum);
    return result == WADI_OK
               ? wadi_tiles_drain(run->tiles,
                                  &(wadi_tiles_drain_job){
                                      .directions = wadi_io_tile_file_layer(&run->directions),
                                      .sum = wadi_io_tile_file_layer(&run->sum),
                                      .dx = run->dx_of_row[0],
                                      .dy = run->dy,
                                      .dx_of_row = tiles_widths(run),
                                      .outlets = run->job->map == WADI_DERIVED_EDGE_FED})
               : result;
}

static void tiles_azimuths(const tiles_run* run, int32_t y, int32_t count)
{
    const int8_t* from = (const int8_t*)run->rows;
    for (int32_t i = 0; i < count; ++i)
    {
        float azimuth[8];
        for (int k = 0; k < 8; ++k)
        {
            azimuth[k] = (float)wadi_flow_azimuth(k, run->dx_of_row[y + i], run->dy);
        }
        for (int32_t x = 0; x < run->tiling.width; ++x)
        {
            const int64_t cell = (int64_t)i * run->tiling.width + x;
            run->out[cell] = from[cell] >= 0 ? azimuth[from[cell]] : NAN;
        }
    }
}

// Rows of the map from the temporary files, into `out`.
static wadi_result tiles_rows(tiles_run* run, int32_t y, int32_t count)
{
    const wadi_derived map = run->job->map;
    const int64_t cells = (int64_t)count * run->tiling.width;
    if (map == WADI_DERIVED_D8_DIRECTION)
    {
        const wadi_result result =
            wadi_io_tile_file_read_rows(&run->directions, y, count, run->rows);
        tiles_azimuths(run, y, count);
        return result;
    }
    const bool is_level = map == WADI_DERIVED_FILLED || map == WADI_DERIVED_DEPRESSION;
    wadi_result result =
        wadi_io_tile_file_read_rows(is_level ? &run->filled : &run->sum, y, count, run->out);
    if (map == WADI_DERIVED_DEPRESSION && result == WADI_OK)
    {
        result = wadi_io_tile_file_read_rows(&run->ground, y, count, run->rows);
        for (int64_t i = 0; i < cells; ++i)
        {
            run->out[i] -= run->rows[i];
        }
    }
    for (int64_t i = 0; map == WADI_DERIVED_EDGE_FED && i < cells; ++i)
    {
        run->out[i] = isnan(run->out[i]) ? NAN : run->out[i] > 0.0f ? 1.0f : 0.0f;
    }
    return result;
}

static wadi_result tiles_export(tiles_run* run)
{
    tiles_stage(run, 0.9, 0.1);
    wadi_result result = WADI_OK;
    for (int32_t y = 0; y < run->tiling.height && result == WADI_OK; y += WADI_IO_ROWS)
    {
        const int32_t count = tiles_count(run, y);
        result = tiles_rows(run, y, count);
        result = result == WADI_OK ? wadi_io_rows_write(run->context, &run->to, y, count, run->out)
                                   : result;
        result = result == WADI_OK ? tiles_progress(run, y + count, "writing") : result;
    }
    return result;
}

static wadi_result tiles_derive_flow(tiles_run* run)
{
    const wadi_derived map = run->job->map;
    const bool is_level = map == WADI_DERIVED_FILLED || map == WADI_DERIVED_DEPRESSION;
    const bool is_sum = map == WADI_DERIVED_D8_AREA || map == WADI_DERIVED_EDGE_FED;
    tiles_stage(run, 0.0, 0.1);
    wadi_result result = wadi_tiles_create(run->context, &run->tiling, &run->tiles);
    result = result == WADI_OK ? tiles_import(run) : result;
    result = result == WADI_OK ? tiles_fill(run) : result;
    result = result == WADI_OK && !is_level ? tiles_route(run) : result;
    result = result == WADI_OK && is_sum ? tiles_drain(run) : result;
    wadi_tiles_destroy(run->tiles);
    return result == WADI_OK ? tiles_export(run) : result;
}

// ---- all ---------------------------------------------------------------------------------

static wadi_result tiles_allocate(tiles_run* run)
{
    const size_t cells = (size_t)run->tiling.width * (WADI_IO_ROWS + 2);
    run->dx_of_row = malloc((size_t)run->tiling.height * sizeof *run->dx_of_row);
    run->rows = malloc(cells * sizeof *run->rows);
    run->out = malloc(cells * sizeof *run->out);
    return run->dx_of_row != NULL && run->rows != NULL && run->out != NULL
               ? WADI_OK
               : wadi_context_fail(run->context, WADI_ERROR_MEMORY, "out of memory");
}

static wadi_result tiles_create(tiles_run* run)
{
    wadi_io_raster header = run->from.header;
    header.is_map = true;
    header.name = wadi_derived_name(run->job->map);
    header.unit = wadi_derived_unit(run->job->map);
    return wadi_io_rows_create(run->context, run->replacement.path, &header, &run->to);
}

static void tiles_close(tiles_run* run)
{
    wadi_io_tile_file* const files[] = {&run->ground, &run->filled, &run->directions, &run->sum};
    wadi_io_rows_close(&run->to);
    for (int i = 0; i < 4; ++i)
    {
        wadi_io_tile_file_close(files[i]);
    }
}

// Compute and write, to the temporary folder of the output.
static wadi_result tiles_work(tiles_run* run)
{
    wadi_result result = tiles_create(run);
    result = result != WADI_OK                      ? result
             : wadi_derived_is_local(run->job->map) ? tiles_derive_local(run)
                                                    : tiles_derive_flow(run);
    return result == WADI_OK ? wadi_io_rows_finish(run->context, &run->to) : result;
}

// Delete what a run that was killed has left beside the output.
static void tiles_clean(const char* output)
{
    char folder[PATH_MAX];
    const char* slash = strrchr(output, '/');
    const int length = slash != NULL ? (int)(slash - output) + 1 : 0;
    (void)snprintf(folder, sizeof folder, "%.*s.", length, output);
    wadi_io_replace_clean(folder);
}

// An error of the input stays as it is; others name the output and the state of the disk.
static wadi_result tiles_replace(tiles_run* run)
{
    tiles_clean(run->job->output);
    wadi_result result = wadi_io_replace_begin(run->context, run->job->output, &run->replacement);
    if (result != WADI_OK)
    {
        return result;
    }
    result = tiles_work(run);
    if (result == WADI_OK)
    {
        tiles_close(run);
        return wadi_io_replace_commit(run->context, &run->replacement);
    }
    char detail[512];
    (void)snprintf(detail, sizeof detail, "%s", wadi_error_detail(run->context));
    (void)wadi_io_replace_abort(run->context, &run->replacement, result);
    tiles_close(run); // after the test of the disk: their room is what it lacks
    return result == WADI_ERROR_IO ? result : wadi_context_fail(run->context, result, "%s", detail);
}

static wadi_result tiles_run_all(tiles_run* run)
{
    wadi_result result =
        wadi_io_rows_open(run->context, run->job->input, &run->job->reading, &run->from);
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_io_tags tags = {.count = 0};
    cli_trace_command(&tags, NULL);
    cli_trace_input(&tags, run->context, run->job->input);
    run->from.header.tags = &tags;
    run->tiling.width = run->from.header.width;
    run->tiling.height = run->from.header.height;
    result = tiles_choose(run);
    result = result == WADI_OK ? tiles_allocate(run) : result;
    if (result == WADI_OK)
    {
        wadi_io_raster_metric(&run->from.header, run->dx_of_row, &run->dy);
        result = tiles_replace(run);
    }
    wadi_io_tags_free(&tags);
    return result;
}

cli_status cli_tiles_derive(const cli_tiles_job* job)
{
    tiles_run run = {.job = job,
                     .context = job->context,
                     .ground = {.file = -1},
                     .filled = {.file = -1},
                     .directions = {.file = -1},
                     .sum = {.file = -1}};
    cli_session_catch_interrupt();
    cli_progress_begin(&job->session->progress, 100.0, NULL, cli_seconds());
    const wadi_result result = tiles_run_all(&run);
    cli_progress_end(&job->session->progress);
    free(run.out);
    free(run.rows);
    free(run.dx_of_row);
    wadi_io_rows_close(&run.from);
    return result == WADI_ERROR_CANCELLED
               ? cli_fail(CLI_INTERRUPTED, "interrupted: %s is not written", job->output)
               : cli_check(job->context, result);
}
