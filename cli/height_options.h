// SPDX-License-Identifier: MIT
// Options that say what the values of an elevation file are.
#pragma once

#include "cli/message.h"
#include "cli/options.h"

#include "io/raster/raster.h"

// Texts of the options; structs of options have a member `heights` of this type.
typedef struct cli_heights
{
    const char* cell;
    const char* relief;
    const char* low;
    const char* high;
    const char* scale;
} cli_heights;

// Rows of an option table for a struct with a member `heights`.
#define CLI_HEIGHTS_OPTIONS(options)                                                               \
    CLI_OPTION("cell", CLI_TEXT, options, heights.cell, "LENGTH",                                  \
               "Cell size, such as 10m, for files that do not hold it (PNG, R16)."),               \
        CLI_OPTION("relief", CLI_TEXT, options, heights.relief, "LENGTH",                          \
                   "Height of the whole range of values, such as 1800m: from 0 to 65535 of 16 "    \
                   "bits, 0 to 255 of 8 bits, 0 to 1 of floats. For files of other programs that " \
                   "do not hold it."),                                                             \
        CLI_OPTION("min", CLI_TEXT, options, heights.low, "HEIGHT",                                \
                   "Height of the lowest value. Default: 0m."),                                    \
        CLI_OPTION("max", CLI_TEXT, options, heights.high, "HEIGHT",                               \
                   "Height of the highest value, instead of --relief."),                           \
        CLI_OPTION("scale", CLI_TEXT, options, heights.scale, "LENGTH",                            \
                   "Height of one unit of the values, such as 0.1m, instead of --relief.")

// What the options say; all zero: nothing.
cli_status cli_heights_read(wadi_context* context, const cli_heights* heights,
                            wadi_io_reading* out);
