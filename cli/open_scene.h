// SPDX-License-Identifier: MIT
// A scene that is open for runs on parts of the grid: on windows, or on the block of a tile. Every
// part has a context of its own, and reads the scene anew; files are read for all of them in the
// context of the command.
#pragma once

#include "cli/run_job.h"

#include "io/scene/scene_files.h"

#include <wadi/window.h>

typedef struct cli_open_scene
{
    const cli_run_source* source;
    wadi_context* context; // of the command
    wadi_scene* scene;
    wadi_io_scene_files files;
    wadi_frame frame;
    wadi_io_tags tags; // of outputs
    double years;      // of all processes, 1 if there is none
} cli_open_scene;

// A part of the grid at work.
typedef struct cli_scene_part
{
    cli_open_scene* open;
    wadi_context* context;
} cli_scene_part;

// Read the scene and find its files. cli_scene_close() is needed afterwards in any case.
cli_status cli_scene_open(const cli_run_source* source, wadi_context* context, cli_open_scene* out);
void cli_scene_close(cli_open_scene* open);

// Find the frame of the terrain and the tags of outputs, and the edges, width and height of
// `world`.
cli_status cli_scene_open_frame(cli_open_scene* open, wadi_windows_def* world);

// The scene once more, in the context of a part.
wadi_result cli_scene_read_again(const cli_scene_part* part, wadi_scene** out);

// Hooks of the run of a part, whose `user` begins with a cli_scene_part: all that read files.
wadi_host cli_scene_part_host(void* user);

// Failures of files are reported in the context of the command: carry one to the part's.
wadi_result cli_scene_part_pass(const cli_scene_part* part, wadi_result result);
