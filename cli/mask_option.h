// SPDX-License-Identifier: MIT
// --mask FILE|NAME=FROM..TO~FADE and --strength: where a process changes the ground.
#pragma once

#include "cli/land.h"
#include "cli/options.h"

#include <wadi/process.h>

// Give the solver the product of all masks, times the strength (NULL: 1). Without both it gets
// none.
cli_status cli_mask_give(cli_land* land, wadi_solver* solver, const cli_list* masks,
                         const char* strength);
