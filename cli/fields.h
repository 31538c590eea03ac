// SPDX-License-Identifier: MIT
// --set name=value: parameters from the command line, through the field tables.
#pragma once

#include "cli/options.h"

#include <wadi/process.h>

// Set each "name=value" in `params`, in order. A value may carry a unit: rain=800mm/yr.
cli_status cli_fields_set(wadi_context* context, const wadi_field_table* table,
                          const cli_list* settings, void* params);

// Refuse settings that the model chosen by `params` does not read.
cli_status cli_fields_check(wadi_context* context, const wadi_process* process,
                            const cli_list* settings, const void* params);

// Read a number with a unit into `unit`; it must lie in [min, max]. `what` names it in messages.
cli_status cli_quantity(wadi_context* context, const char* what, const char* text, const char* unit,
                        double min, double max, double* out);

// Read a sun position, "315" or "315,45": azimuth in degrees clockwise from north and, optionally,
// altitude above the horizon, in [lowest, highest].
cli_status cli_sun(wadi_context* context, const char* text, double lowest, double highest,
                   double* azimuth, double* altitude);
