// SPDX-License-Identifier: MIT
// Text tables: values separated by commas, semicolons or tabs; the first line names the columns.
// Series from weather stations and reanalyses can be read unchanged: other names of `direction` and
// `speed` are known, and a column of times (2020-01-31T13:00Z, or days of a spreadsheet) can
// replace `hours`.
#pragma once

#include <wadi/process.h>

// Read the columns of `table`, found by name, in the order of `table`. Other columns, empty lines
// and lines that start with '#' are skipped. Writes at most `capacity` rows to `out` and the number
// of rows of the file to *rows. Messages name file and line.
wadi_result wadi_io_table_read(wadi_context* context, const char* path,
                               const wadi_table_info* table, double* out, int32_t capacity,
                               int32_t* rows);
