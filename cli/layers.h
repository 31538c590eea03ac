// SPDX-License-Identifier: MIT
// --layer name=value and --maps: layers and maps from and to files.
#pragma once

#include "land.h"
#include "options.h"

#include <wadi/process.h>

// Fill the layers that are named; names of maps that `process` takes are left for
// cli_layers_give_maps(). The surface stays as it was read.
cli_status cli_layers_fill(cli_land* land, const wadi_process* process, const cli_list* settings);

// Give the solver the maps that are named.
cli_status cli_layers_give_maps(cli_land* land, wadi_solver* solver, const cli_list* settings);

// Write every map that the solver makes, and every layer it changes, to folder/NAME.tif.
cli_status cli_layers_write_maps(cli_land* land, wadi_solver* solver, cli_grid grid,
                                 const char* folder);
