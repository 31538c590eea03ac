// SPDX-License-Identifier: MIT
// `wadi derive --tiles`: maps of files larger than memory.
#pragma once

#include "cli/session.h"

#include "io/raster/raster.h"

#include <wadi/derive.h>

typedef struct cli_tiles_options
{
    int32_t side;       // of a tile [cells]; 0: by `memory`
    const char* memory; // "2GiB"; or NULL
} cli_tiles_options;

// Rows of an option table for a struct with a member `tiles`.
#define CLI_TILES_OPTIONS(type)                                                                    \
    {.name = "tiles",                                                                              \
     .kind = CLI_COUNT,                                                                            \
     .offset = offsetof(type, tiles.side),                                                         \
     .value = "N",                                                                                 \
     .min = 64,                                                                                    \
     .max = 16384,                                                                                 \
     .doc = "Work in tiles of N x N cells, for files larger than memory. The map has the same "    \
            "bits. Temporary files lie beside the output, which has to be a .tif."},               \
    {                                                                                              \
        .name = "memory", .kind = CLI_TEXT, .offset = offsetof(type, tiles.memory),                \
        .value = "SIZE",                                                                           \
        .doc = "The same with tiles that fit into this memory, such as 2GiB or 500MB."             \
    }

typedef struct cli_tiles_job
{
    wadi_context* context;
    cli_session* session;
    const cli_tiles_options* options;
    const char* input;
    const char* output;
    wadi_derived map;
    const wadi_sun* sun;
    wadi_edge edge; // all four
    wadi_io_reading reading;
} cli_tiles_job;

static inline bool cli_tiles_wanted(const cli_tiles_options* options)
{
    return options->side > 0 || options->memory != NULL;
}

// Fail if a map cannot be made by tiles, or an option does not go with them.
cli_status cli_tiles_check(const cli_tiles_job* job);

// Compute the map and write it.
cli_status cli_tiles_derive(const cli_tiles_job* job);
