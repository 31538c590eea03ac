// SPDX-License-Identifier: MIT
// A window of a terrain on finer cells, as a file.
#pragma once

#include <wadi/amplify.h>

// Compute the window and write its heights, at its own place in the terrain's system.
wadi_result cli_window_write(wadi_context* context, wadi_terrain* terrain,
                             const wadi_amplify_params* params, const char* path);
