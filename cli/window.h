// SPDX-License-Identifier: MIT
// A window of a terrain with finer cells, written to a file.
#pragma once

#include "io/tags.h"

#include <wadi/amplify.h>

// Compute the window and write its heights with the terrain's georeference.
wadi_result cli_window_write(wadi_context* context, wadi_terrain* terrain,
                             const wadi_amplify_params* params, const wadi_io_tags* tags,
                             const char* path);
