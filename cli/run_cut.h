// SPDX-License-Identifier: MIT
// How many windows, and how much memory each of them needs.
#pragma once

#include "cli/run_windows.h"

#include <wadi/wadi.h>

// Bytes of the whole grid that the processes of a scene need which do not run on parts of it; the
// first window holds them.
size_t cli_run_cut_whole(const wadi_scene* scene, const wadi_frame* frame);

// Fill in the cut of a scene's grid. `bytes`: the memory of one window, and `addresses` the room
// for it in a file, which has holes where nothing is asked for.
cli_status cli_run_cut(const cli_windows_wish* wish, const wadi_scene* scene,
                       const wadi_frame* frame, wadi_windows_def* def, size_t* bytes,
                       size_t* addresses);
