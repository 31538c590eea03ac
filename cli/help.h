// SPDX-License-Identifier: MIT
// Manual pages of the verbs, generated from their tables.
#pragma once

#include "cli/options.h"

#include <wadi/field.h>

// Print the list of verbs: `wadi help`.
void cli_help_overview(const cli_command* const* commands, int32_t count);

// A duration for output: in seconds below a day, else in years.
typedef struct cli_span
{
    double value;
    const char* unit;
} cli_span;

cli_span cli_span_of(double years);

// Print the page of a verb: `wadi help VERB` and `wadi VERB --help`.
void cli_help_command(const cli_command* command);

// Print text, wrapped at 80 columns and indented.
void cli_help_paragraph(const char* text, int indent);

// Print name, default, range, unit and meaning of each field.
void cli_help_fields(const wadi_field_table* table);
// Those of them that carry this set of models.
void cli_help_fields_of(const wadi_field_table* table, uint32_t models);
