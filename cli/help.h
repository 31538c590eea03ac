// SPDX-License-Identifier: MIT
// The manual page of each verb, laid out from its tables.
#pragma once

#include "options.h"

#include <wadi/field.h>

// The list of verbs: what `wadi help` prints.
void cli_help_overview(const cli_command* const* commands, int32_t count);

// A time as people say it: seconds below a day, else years.
typedef struct cli_span
{
    double value;
    const char* unit;
} cli_span;

cli_span cli_span_of(double years);

// What `wadi help VERB` and `wadi VERB --help` print.
void cli_help_command(const cli_command* command);

// Print text, wrapped at 80 columns and indented.
void cli_help_paragraph(const char* text, int indent);

// Print name, default, range, unit and meaning of each field.
void cli_help_fields(const wadi_field_table* table);
