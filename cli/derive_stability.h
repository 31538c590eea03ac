// SPDX-License-Identifier: MIT
// wadi derive stability: numbers and maps of soil, and the work.
#pragma once

#include "fields.h"

#include "io/raster.h"

#include <wadi/stability.h>

// What the map is, and the list of parameters, for the help.
void cli_stability_help_map(void);
void cli_stability_help_fields(void);

// Find the factor of safety on a raster's ground. A setting is NAME=NUMBER, or NAME=FILE for a map
// of the same size.
cli_status cli_stability_derive(wadi_context* context, const cli_list* settings,
                                const wadi_io_raster* raster, const wadi_field2d* field,
                                float* out);
