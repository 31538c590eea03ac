// SPDX-License-Identifier: MIT
// Tables that are given as CSV files.
#pragma once

#include "cli/message.h"
#include "cli/options.h"

#include <wadi/field.h>

// An option that names a CSV file.
#define CLI_CSV_OPTION(options, member, word, text)                                                \
    CLI_OPTION(word, CLI_TEXT, options, member, "CSV", text)

// Read and check a table; the caller frees `values`.
cli_status cli_csv_read(wadi_context* context, const char* path, const wadi_table_info* table,
                        double** values, int32_t* rows);
