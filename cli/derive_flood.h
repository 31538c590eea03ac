// SPDX-License-Identifier: MIT
// wadi derive flood: options of its own, and the work.
#pragma once

#include "fields.h"

#include "io/raster.h"

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
     .doc = "Where a flood comes in: a point, or the lowest cell of a line; metres east and "      \
            "north of the south-west corner."},                                                    \
        {.name = "discharge",                                                                      \
         .kind = CLI_TEXT,                                                                         \
         .offset = offsetof(type, flood.discharge),                                                \
         .value = "Q",                                                                             \
         .doc = "Water of the flood, such as 250m3/s."},                                           \
        {.name = "set",                                                                            \
         .kind = CLI_LIST,                                                                         \
         .offset = offsetof(type, flood.settings),                                                 \
         .value = "NAME=VALUE",                                                                    \
         .doc = "Another parameter of the flood or of stability, listed below; may be "            \
                "repeated."},                                                                      \
        {.name = "maps",                                                                           \
         .kind = CLI_TEXT,                                                                         \
         .offset = offsetof(type, flood.maps),                                                     \
         .value = "DIR",                                                                           \
         .doc = "Write the other maps of the flood as well: level.tif, overtopped.tif, "           \
                "route.tif."},                                                                     \
    {                                                                                              \
        .name = "route", .kind = CLI_TEXT, .offset = offsetof(type, flood.route), .value = "CSV",  \
        .doc = "Write the route of the flood as a table, one cross-section a row."                 \
    }

// The list of parameters for the help.
void cli_flood_help(void);

// Refuse options of a flood where another map is asked for, which may take settings of its own.
cli_status cli_flood_refuse(const cli_flood_options* options, bool takes_settings);

// Read the options, and check what is to be written.
cli_status cli_flood_params(wadi_context* context, const cli_flood_options* options,
                            wadi_flood_params* params);

// Find the flood on a raster's ground, write maps and route, and print a summary. `depth` gets the
// map of depths.
cli_status cli_flood_derive(wadi_context* context, const cli_flood_options* options,
                            const wadi_flood_params* params, const wadi_io_raster* raster,
                            const wadi_field2d* field, float* depth);
