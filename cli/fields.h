// SPDX-License-Identifier: MIT
// --set name=value: parameters from the command line, through the field tables.
#pragma once

#include "options.h"

#include <wadi/field.h>

// Set each "name=value" in `params`, in order. A value may carry a unit: rain=800mm/yr.
cli_status cli_fields_set(wadi_context* context, const wadi_field_table* table,
                          const cli_list* settings, void* params);

// A number with a unit, in `unit`, that must lie in [min, max]. `what` names it in messages.
cli_status cli_quantity(wadi_context* context, const char* what, const char* text, const char* unit,
                        double min, double max, double* out);

// "315" or "315,45": where light comes from, in degrees clockwise from north, and, if given, how
// high above the horizon.
cli_status cli_sun(wadi_context* context, const char* text, double* azimuth, double* altitude);
