// SPDX-License-Identifier: MIT
// Options and work of `wadi derive flood`.
#pragma once

#include "cli/fields.h"

#include "io/raster/raster.h"

#include <wadi/flood_route.h>

typedef struct cli_flood_options
{
    const char* from;
    const char* discharge;
    const char* maps;
    const char* route;
    cli_list settings;
} cli_flood_options;

// Rows of an option table for a struct with a member `flood`.
#define CLI_FLOOD_OPTIONS(type)                                                                    \
    {.name = "from",                                                                               \
     .kind = CLI_TEXT,                                                                             \
     .offset = offsetof(type, flood.from),                                                         \
     .value = "X,Y[,X2,Y2]",                                                                       \
     .doc = "Inflow of a flood: a point, or the lowest cell of a line; metres east and north of "  \
            "the south-west corner."},                                                             \
        {.name = "discharge",                                                                      \
         .kind = CLI_TEXT,                                                                         \
         .offset = offsetof(type, flood.discharge),                                                \
         .value = "Q",                                                                             \
         .doc = "Discharge of the flood, such as 250m3/s."},                                       \
        {.name = "set",                                                                            \
         .kind = CLI_LIST,                                                                         \
         .offset = offsetof(type, flood.settings),                                                 \
         .value = "NAME=VALUE",                                                                    \
         .doc = "Another parameter of the flood or of stability; see the lists below."},           \
        {.name = "maps",                                                                           \
         .kind = CLI_TEXT,                                                                         \
         .offset = offsetof(type, flood.maps),                                                     \
         .value = "DIR",                                                                           \
         .doc = "Also write the other maps of the flood: level.tif, overtopped.tif, route.tif."},  \
    {                                                                                              \
        .name = "route", .kind = CLI_OUTPUT, .offset = offsetof(type, flood.route),                \
        .value = "CSV", .doc = "Write the route of the flood as a table, one cross-section a row." \
    }

// Print the list of parameters.
void cli_flood_help(void);

// Fail if options of a flood are given for another map. `takes_settings`: that map accepts --set.
cli_status cli_flood_refuse(const cli_flood_options* options, bool takes_settings);

// Fail if a map of --maps would replace another file.
cli_status cli_flood_check_maps(const cli_flood_options* options, const char* other);

// Parse the options and check the output files.
cli_status cli_flood_params(wadi_context* context, const cli_flood_options* options,
                            wadi_flood_params* params);

// Route the flood over a raster's ground, write maps and route, and print a summary. `depth` gets
// the water depths.
cli_status cli_flood_derive(wadi_context* context, const cli_flood_options* options,
                            const wadi_flood_params* params, const wadi_io_raster* raster,
                            const wadi_field2d* field, float* depth);
