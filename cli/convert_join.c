// SPDX-License-Identifier: MIT
#include "cli/convert_join.h"

#include "cli/convert_cut.h"
#include "cli/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// State of a stitch.
typedef struct join_state
{
    const cli_join* join;
    wadi_io_raster* out;
    int32_t tile[2];  // [cells] of a tile
    float difference; // largest of shared cells
} join_state;

static cli_status join_begin(wadi_context* context, join_state* state, const wadi_io_raster* tile,
                             const char* path)
{
    const cli_join* join = state->join;
    int64_t cells[2];
    state->tile[0] = tile->width;
    state->tile[1] = tile->height;
    for (int i = 0; i < 2; ++i)
    {
        cells[i] = (int64_t)join->tiles[i] * (state->tile[i] - join->overlap) + join->overlap;
    }
    if (join->overlap >= tile->width || join->overlap >= tile->height || cells[0] > 65536 ||
        cells[1] > 65536)
    {
        return cli_fail(CLI_USAGE,
                        "%s: %d x %d tiles of %d x %d cells that share %d are no raster of 1 to "
                        "65536 cells a side",
                        path, join->tiles[0], join->tiles[1], tile->width, tile->height,
                        join->overlap);
    }
    wadi_io_raster* out = state->out;
    *out = *tile;
    out->width = (int32_t)cells[0];
    out->height = (int32_t)cells[1];
    out->georef.wkt = tile->georef.wkt != NULL ? strdup(tile->georef.wkt) : NULL;
    out->values = malloc((size_t)(cells[0] * cells[1]) * sizeof *out->values);
    return out->values != NULL && (out->georef.wkt != NULL || tile->georef.wkt == NULL)
               ? CLI_DONE
               : cli_check(context, wadi_context_fail(context, WADI_ERROR_MEMORY,
                                                      "out of memory for %d x %d cells", out->width,
                                                      out->height));
}

static cli_status join_check(const join_state* state, const wadi_io_raster* tile, const char* path)
{
    const wadi_io_raster* out = state->out;
    const bool same = tile->width == state->tile[0] && tile->height == state->tile[1] &&
                      fabs(tile->dx - out->dx) <= 1e-9 * out->dx &&
                      fabs(tile->dy - out->dy) <= 1e-9 * out->dy;
    return same ? CLI_DONE
                : cli_fail(CLI_USAGE,
                           "%s has %d x %d cells of %g, but the first tile has %d x %d of %g", path,
                           tile->width, tile->height, tile->dx, state->tile[0], state->tile[1],
                           out->dx);
}

// Fail if a tile lies elsewhere on Earth than its number and the overlap say, or nobody says.
static cli_status join_check_place(const join_state* state, const wadi_io_raster* tile,
                                   int32_t column, int32_t row, const char* path)
{
    const double* first = state->out->georef.affine;
    const double* a = tile->georef.affine;
    const int32_t left = column * (tile->width - state->join->overlap);
    const int32_t top = row * (tile->height - state->join->overlap);
    const bool placed = state->out->georef.valid && tile->georef.valid;
    if (!placed && !state->join->has_overlap)
    {
        return cli_fail(CLI_USAGE,
                        "%s does not say where it lies, so how many cells tiles share is unknown: "
                        "give --overlap, 0 if they share none",
                        path);
    }
    const double east = placed ? (a[0] - first[0] - top * first[2]) / first[1] - left : 0.0;
    const double south = placed ? (a[3] - first[3] - left * first[4]) / first[5] - top : 0.0;
    return fabs(east) < 0.01 && fabs(south) < 0.01
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%s lies %g cells farther east and %g farther south than tiles that "
                          "share %d cells; give the --overlap that they were cut with",
                          path, east + 0.0, south + 0.0, state->join->overlap);
}

// Cells of a tile; those that an earlier tile has stay, and are compared.
static void join_add(join_state* state, const wadi_io_raster* tile, int32_t column, int32_t row)
{
    const int32_t overlap = state->join->overlap;
    const int32_t left = column * (tile->width - overlap);
    const int32_t top = row * (tile->height - overlap);
    for (int32_t y = 0; y < tile->height; ++y)
    {
        for (int32_t x = 0; x < tile->width; ++x)
        {
            float* cell = state->out->values + (int64_t)(top + y) * state->out->width + left + x;
            const float value = tile->values[(int64_t)y * tile->width + x];
            const bool shared = (column > 0 && x < overlap) || (row > 0 && y < overlap);
            if (!shared)
            {
                *cell = value;
            }
            else if (isnan(value) != isnan(*cell))
            {
                state->difference = INFINITY;
            }
            else
            {
                state->difference = fmaxf(state->difference, fabsf(value - *cell));
            }
        }
    }
    state->out->has_nodata = state->out->has_nodata || tile->has_nodata;
}

static cli_status join_tile(wadi_context* context, join_state* state, const char* path,
                            const wadi_io_reading* reading, bool is_ground, int32_t index,
                            wadi_io_tags* tags)
{
    char name[4096];
    wadi_io_raster tile;
    const int32_t column = index % state->join->tiles[0];
    const int32_t row = index / state->join->tiles[0];
    cli_cut_tile_name(path, column, row, name, sizeof name);
    CLI_TRY(cli_check(context, wadi_io_raster_read_as(context, name, reading, is_ground, &tile)));
    cli_status status = index == 0 ? join_begin(context, state, &tile, name) : CLI_DONE;
    status = status == CLI_DONE ? join_check(state, &tile, name) : status;
    status = status == CLI_DONE ? join_check_place(state, &tile, column, row, name) : status;
    if (status == CLI_DONE)
    {
        join_add(state, &tile, column, row);
        cli_trace_input(tags, context, name);
    }
    wadi_io_raster_free(&tile);
    return status;
}

cli_status cli_join_read(wadi_context* context, const char* path, const cli_join* join,
                         const wadi_io_reading* reading, bool is_ground, wadi_io_tags* tags,
                         wadi_io_raster* out)
{
    *out = (wadi_io_raster){0};
    join_state state = {.join = join, .out = out};
    cli_status status = CLI_DONE;
    for (int32_t i = 0; i < join->tiles[0] * join->tiles[1] && status == CLI_DONE; ++i)
    {
        status = join_tile(context, &state, path, reading, is_ground, i, tags);
    }
    if (status != CLI_DONE)
    {
        wadi_io_raster_free(out);
    }
    else if (state.difference > 0.0f)
    {
        wadi_log_line(context,
                      "%s: cells that tiles share differ by up to %g; those of the tile in the "
                      "north-west are kept",
                      path, (double)state.difference);
    }
    return status;
}
