// SPDX-License-Identifier: MIT
// Tables in text files: values with commas, semicolons or tabs between them, the first line naming
// the columns. Series of weather stations and reanalyses are read as they come: their names for
// `direction` and `speed`, and times (2020-01-31T13:00Z, or days of a spreadsheet) in place of
// `hours`.
#pragma once

#include <wadi/process.h>

// Read the columns that a table has, by name, in its order; others are passed over, and so are
// empty lines and those that begin with '#'. Writes at most `capacity` rows to `out`; *rows is how
// many there are. Messages name file and line.
wadi_result wadi_io_table_read(wadi_context* context, const char* path,
                               const wadi_table_info* table, double* out, int32_t capacity,
                               int32_t* rows);
