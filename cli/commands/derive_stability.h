// SPDX-License-Identifier: MIT
// Settings, maps and work of `wadi derive stability`.
#pragma once

#include "cli/fields.h"

#include "io/raster/raster.h"

#include <wadi/stability.h>

// Print the description of the map and the list of parameters.
void cli_stability_help_map(void);
void cli_stability_help_fields(void);

// Compute the factor of safety on a raster's ground. A setting is NAME=NUMBER, or NAME=FILE for a
// map of the same size.
cli_status cli_stability_derive(wadi_context* context, const cli_list* settings,
                                const wadi_io_raster* raster, const wadi_field2d* field,
                                float* out);

// Add the files among the settings to the inputs of a file's tags.
void cli_stability_trace(wadi_context* context, const cli_list* settings, wadi_io_tags* tags);
