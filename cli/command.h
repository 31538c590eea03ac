// SPDX-License-Identifier: MIT
// The verbs. Each is a file cmd_NAME.c, a line here and a line in main.c.
#pragma once

#include "cli/options.h"

extern const cli_command cli_convert_command;
extern const cli_command cli_derive_command;
extern const cli_command cli_wind_command;
extern const cli_command cli_amplify_command;
extern const cli_command cli_bench_command;
extern const cli_command cli_describe_command;
extern const cli_command cli_diff_command;
extern const cli_command cli_erode_command;
extern const cli_command cli_grains_command;
extern const cli_command cli_pour_command;
extern const cli_command cli_info_command;
extern const cli_command cli_judge_command;
extern const cli_command cli_new_command;
extern const cli_command cli_render_command;
extern const cli_command cli_resume_command;
extern const cli_command cli_run_command;
extern const cli_command cli_studio_command;
extern const cli_command cli_synth_command;
extern const cli_command cli_test_command;
extern const cli_command cli_tile_command;
extern const cli_command cli_water_command;
