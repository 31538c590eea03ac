// SPDX-License-Identifier: MIT
// What is checked between the terrain of a scene and its first step, and `wadi run --check`.
#pragma once

#include "cli/run_job.h"

// Read every file that the steps need: maps, tables, meshes, grains. Fail if one is missing, does
// not fit, has values out of range, or is also an output.
cli_status cli_run_check_files(cli_run_job* job);

// Run each process of the scene for a moment on its terrain, and print the estimated time and
// memory of the whole. The terrain is of no use afterwards.
cli_status cli_run_check_print(cli_run_job* job);
