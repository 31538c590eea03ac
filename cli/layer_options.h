// SPDX-License-Identifier: MIT
// --layer name=value and --maps: read layers and input maps from files, write output maps.
#pragma once

#include "cli/land.h"
#include "cli/options.h"

#include <wadi/process.h>

// Fill the named layers; settings of maps of `process` are left to cli_layers_give_maps(). The
// surface is unchanged.
cli_status cli_layers_fill(cli_land* land, const wadi_process* process, const cli_list* settings);

// Set the named input maps of the solver.
cli_status cli_layers_give_maps(cli_land* land, wadi_solver* solver, const cli_list* settings);

// The files of --maps.
typedef struct cli_layers_maps
{
    const wadi_terrain* terrain;
    const wadi_process* process;
    const void* params; // of the process
    const char* folder;
} cli_layers_maps;

// Fail if one of them is the file `other`, or its sidecar; `what` says so: "is also a map".
cli_status cli_layers_check_maps(const cli_layers_maps* maps, const char* other, const char* what);

// Write all maps of the solver, and the layers it changes, to folder/NAME.tif.
cli_status cli_layers_write_maps(cli_land* land, wadi_solver* solver, cli_grid grid,
                                 const char* folder);
