// SPDX-License-Identifier: MIT
// An elevation file as a terrain to work on, and the way back to files on the input's grid.
#pragma once

#include "message.h"

#include <wadi/terrain.h>

// Which grid outputs are written on.
typedef enum cli_grid
{
    CLI_GRID_INPUT,  // the input's own: void cells identical, CRS and transform as they came
    CLI_GRID_WORKING // the metric one that processes ran on, where the ledger is exact
} cli_grid;

typedef struct cli_land cli_land;

// Read an elevation file. `cell` in metres for files without a scale; 0: the file says.
cli_status cli_land_open(wadi_context* context, const char* path, double cell, uint64_t seed,
                         cli_land** out);
void cli_land_close(cli_land* land); // NULL is allowed

wadi_terrain* cli_land_terrain(cli_land* land);

// Surface as it was read, on the working grid, NaN where there is no data.
const float* cli_land_surface(const cli_land* land);

// One value a cell of the working grid; to be freed.
cli_status cli_land_allocate(const cli_land* land, float** out);

// Read any raster onto the working grid, NaN where it has no data.
cli_status cli_land_read(cli_land* land, const char* path, float* out);

// Write the surface: what was read plus the change since, exactly as read where nothing changed.
// The format follows the extension.
cli_status cli_land_write_surface(cli_land* land, cli_grid grid, const char* path);

// Write values on the working grid.
cli_status cli_land_write(cli_land* land, const float* values, cli_grid grid, const char* path);
