// SPDX-License-Identifier: MIT
// How many windows, and how much memory each of them needs.
#pragma once

#include "cli/run_windows.h"

#include <wadi/wadi.h>

// Addresses for the whole grid of the processes of a scene which do not run on parts of it; the
// first window holds them. Files have holes where nothing is asked for: see run_disk.h for those.
size_t cli_run_cut_whole(const wadi_scene* scene, const wadi_frame* frame);

// Fill in the cut of a scene's grid. `bytes`: the memory of one window, and `addresses` the room
// for it in a file, which has holes where nothing is asked for.
cli_status cli_run_cut(const cli_windows_wish* wish, const wadi_scene* scene,
                       const wadi_frame* frame, wadi_windows_def* def, size_t* bytes,
                       size_t* addresses);
