// SPDX-License-Identifier: MIT
// Weights of several maps as the channels of a picture.
#pragma once

#include "cli/options.h"

#include "io/raster/raster.h"

// Write a PNG whose channels red, green, blue and alpha are the shares of the raster and of one to
// three files in their sum, as numbers that sum to 255. Two or three maps make RGB, four RGBA.
// Values below 0 and cells without data count as 0; where all are 0, the first has 255.
cli_status cli_splat_write(wadi_context* context, const wadi_io_raster* raster,
                           const cli_list* files, const char* path);
