// SPDX-License-Identifier: MIT
// A raster as a picture in the colours of a table.
#pragma once

#include "cli/message.h"

#include "io/raster/raster.h"

// Write a PNG with a colour for each value, mixed between the rows of the CSV file `table`. Below
// the first and above the last row the colour is theirs; cells without data are white.
cli_status cli_gradient_write(wadi_context* context, const wadi_io_raster* raster,
                              const char* table, const char* path);

// The same with the rows of the table.
wadi_result cli_gradient_draw(wadi_context* context, const wadi_io_raster* raster,
                              const double* rows, int32_t count, const char* path);
