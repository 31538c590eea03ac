// SPDX-License-Identifier: MIT
// An elevation file as a terrain, and output files on the input's grid.
#pragma once

#include "cli/height_options.h"
#include "cli/message.h"
#include "cli/options.h"

#include <wadi/terrain.h>

// Grid of the outputs.
typedef enum cli_grid
{
    CLI_GRID_INPUT,  // the input's: cells without data, CRS and transform are unchanged
    CLI_GRID_WORKING // the metric grid of the processes, on which the ledger is exact
} cli_grid;

typedef struct cli_land cli_land;

// Read an elevation file.
cli_status cli_land_open(wadi_context* context, const char* path, const cli_heights* heights,
                         uint64_t seed, cli_land** out);
void cli_land_close(cli_land* land); // NULL is allowed

wadi_terrain* cli_land_terrain(cli_land* land);

// Give the terrain a sea of a constant level, such as "0m"; NULL: none.
cli_status cli_land_set_sea(cli_land* land, const char* level);

// The option --sea of a verb.
#define CLI_SEA_OPTION(options)                                                                    \
    CLI_OPTION("sea", CLI_TEXT, options, sea, "LEVEL",                                             \
               "Level of the sea, such as 0m: it covers all ground at or below that elevation.")

// Initial surface on the working grid, NaN without data.
const float* cli_land_surface(const cli_land* land);

// Allocate one value per cell of the working grid; the caller frees it.
cli_status cli_land_allocate(const cli_land* land, float** out);

// Read a raster onto the working grid, NaN without data.
cli_status cli_land_read(cli_land* land, const char* path, float* out);
// The same with weights: the greatest number of a picture that does not say what it holds is 1.
cli_status cli_land_read_weights(cli_land* land, const char* path, float* out);
// Note how many cells with a height have no value of a file that fills a layer or map.
void cli_land_note_lacks(const cli_land* land, const char* path, const float* values);

// Origin of the files that are written from now on; the land keeps its own.
wadi_io_tags* cli_land_tags(cli_land* land);

// Write the surface: the input plus the change, bit-identical where nothing changed. The extension
// selects the format.
cli_status cli_land_write_surface(cli_land* land, cli_grid grid, const char* path);

// Write values on the working grid; `name` and `unit` may be NULL.
cli_status cli_land_write(cli_land* land, const float* values, cli_grid grid, const char* name,
                          const char* unit, const char* path);
