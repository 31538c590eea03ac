// SPDX-License-Identifier: MIT
// Winds from CSV files: --rose, --series and --schedule of verbs, and --year of a schedule.
#pragma once

#include "cli/message.h"
#include "cli/options.h"

#include <wadi/process.h>

enum
{
    CLI_WIND_TABLES = 3 // rose, series, schedule, in the order of the library's list
};

// One file of winds. Free with cli_wind_file_free().
typedef struct cli_wind_file
{
    const wadi_table_info* table;
    double* values; // (rows x columns)
    int32_t rows;
} cli_wind_file;

// Read a file as the table `index` of the library's list.
cli_status cli_wind_file_read(wadi_context* context, const char* path, int32_t index,
                              cli_wind_file* out);
void cli_wind_file_free(cli_wind_file* file); // an empty one is allowed

// Read --year; NULL is 0.
cli_status cli_wind_year(wadi_context* context, const char* text, double* out);
