// SPDX-License-Identifier: MIT
// Options and input of `wadi judge`, and the kinds of landforms that it measures.
#pragma once

#include "cli/height_options.h"
#include "cli/session.h"
#include "cli/wind_file.h"

#include "io/raster/geo.h"

#include <wadi/derive.h>
#include <wadi/dune_shapes.h>
#include <wadi/sand_drift.h>

#include <jansson.h>

typedef struct cli_judge_options
{
    const char* sand;
    cli_list before; // files, the oldest first
    const char* reach;
    const char* drift;
    cli_heights heights;
    const char* years;
    const char* sea;
    const char* water;
    const char* discharge;
    const char* least;
    const char* winds[CLI_WIND_TABLES]; // files, in the order of the library's list of tables
    const char* year;
    const char* threshold;
    const char* draw_rose;
    const char* picture;
    int32_t edges;
    int32_t gates;
    int32_t plains;
    bool strict;
    bool json;
    cli_run_options run;
} cli_judge_options;

typedef struct cli_judge_job
{
    const cli_judge_options* options;
    wadi_context* context;
    wadi_io_reading reading;
    wadi_io_raster surface;
    wadi_io_raster sand;
    wadi_io_raster before;
    double* dx; // cell width of each row
    wadi_field2d field;
    wadi_io_tags tags; // of pictures
} cli_judge_job;

// A wind history given with --rose, --series or --schedule, and its sand rose as a picture.
cli_status cli_judge_wind_check(const cli_judge_job* job);
bool cli_judge_has_wind(const cli_judge_options* options);
cli_status cli_judge_wind_measure(const cli_judge_job* job, wadi_sand_drift* out);

// The shapes of dunes. With --picture they are drawn.
cli_status cli_judge_check_picture(const char* path); // NULL is allowed
cli_status cli_judge_shapes_measure(const cli_judge_job* job, double drift, wadi_dune_shapes* out);
void cli_judge_shapes_print(const wadi_dune_shapes* shapes);
json_t* cli_judge_shapes_json(const wadi_dune_shapes* shapes);

// The last of --before, or NULL.
static inline const char* cli_judge_before(const cli_judge_options* options)
{
    const int32_t count = options->before.count;
    return count > 0 ? options->before.items[count - 1] : NULL;
}

// Read another raster on the grid of the surface; does nothing if `path` is NULL.
cli_status cli_judge_read_beside(const cli_judge_job* job, const char* path, bool is_ground,
                                 wadi_io_raster* out);

// Collisions and calvings from each state of --before to the next, and to the surface.
cli_status cli_judge_encounters(const cli_judge_job* job, wadi_dune_encounters* out);

// Measure and print dunes, land or rivers. `check` looks at the options before files are read.
cli_status cli_judge_dunes_check(const cli_judge_job* job);
cli_status cli_judge_dunes(const cli_judge_job* input);
cli_status cli_judge_land_check(const cli_judge_job* job);
cli_status cli_judge_land(const cli_judge_job* input);
cli_status cli_judge_rivers_check(const cli_judge_job* job);
cli_status cli_judge_rivers(const cli_judge_job* input);
