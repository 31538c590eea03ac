// SPDX-License-Identifier: MIT
// `wadi tile`: one tile of a scene's world, computed alone.
#pragma once

#include "cli/run_job.h"
#include "cli/tile_grid.h"

// Run the scene on the blocks of a tile, and write its outputs to a folder. `tiling` lacks the
// world, which the scene gives.
cli_status cli_tile_run(const cli_run_options* options, const cli_tiling* tiling,
                        const int32_t place[2], const char* folder, const cli_run_source* source);
