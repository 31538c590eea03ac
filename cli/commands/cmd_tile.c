// SPDX-License-Identifier: MIT
// wadi tile: one tile of a world, without the rest of it.
#include "cli/command.h"
#include "cli/run_source.h"
#include "cli/tile_job.h"

#include <stdlib.h>

enum
{
    TILE_SIZE = 512, // [cells]
    TILE_HALO = 128,
    TILE_MOST = 16384
};

typedef struct tile_options
{
    const char* folder;
    const char* seed;
    cli_list settings;
    int32_t size;
    int32_t halo;
    int32_t blend;
    int32_t overlap;
    cli_run_options run;
} tile_options;

#define TILE_COUNT(title, member, least, most, text)                                               \
    {                                                                                              \
        .name = title, .kind = CLI_COUNT, .offset = offsetof(tile_options, member),                \
        .value = "CELLS", .min = least, .max = most, .doc = text                                   \
    }

static const cli_option tile_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(tile_options, folder),
     .value = "DIR",
     .doc = "Folder for the outputs of the scene; created if missing. Default: out."},
    TILE_COUNT(
        "size", size, 16, TILE_MOST,
        "Side of a tile. The last tiles of a row and of a column have the rest too. Default: "
        "512."),
    TILE_COUNT("halo", halo, 0, TILE_MOST,
               "Cells around a tile that are computed with it. A wider halo agrees better with the "
               "whole world. Default: 128."),
    TILE_COUNT("blend", blend, 0, TILE_MOST,
               "Blend tiles with their neighbours over so many cells on each side of a border, so "
               "that both have the same values there; the neighbours are computed for it. 0: the "
               "tile alone. Default: half of the halo, and at most an eighth of a tile."),
    TILE_COUNT("overlap", overlap, 0, TILE_MOST,
               "Columns and rows of the next tiles in the east and south that a tile repeats, such "
               "as 1 for engines. Default: 0."),
    CLI_OPTION("set", CLI_LIST, tile_options, settings, "PATH=VALUE",
               "Change a value of the scene, as for wadi run."),
    CLI_OPTION("seed", CLI_TEXT, tile_options, seed, "N",
               "Seed of all random numbers, instead of that of the scene."),
    CLI_RUN_OPTIONS(tile_options),
};

static cli_status tile_with_source(const tile_options* options, const int32_t place[2],
                                   const cli_run_source* source)
{
    const cli_tiling tiling = {.size = options->size,
                               .halo = options->halo,
                               .blend = options->blend,
                               .overlap = options->overlap};
    return cli_tile_run(&options->run, &tiling, place,
                        options->folder != NULL ? options->folder : "out", source);
}

static cli_status tile_with_scene(const tile_options* options, const int32_t place[2],
                                  const char* path)
{
    cli_session session;
    cli_run_scene scene;
    CLI_TRY(cli_session_open(NULL, &session));
    cli_status status =
        cli_run_scene_read(session.context, path, &options->settings, options->seed, &scene);
    cli_session_close(&session);
    status = status == CLI_DONE ? tile_with_source(options, place, &scene.source) : status;
    cli_run_scene_free(&scene);
    return status;
}

static cli_status tile_place(const char* what, const char* text, int32_t* out)
{
    char* end = NULL;
    const long place = strtol(text, &end, 10);
    *out = (int32_t)(place >= 0 && place <= 65535 ? place : 0);
    return end != text && *end == '\0' && place >= 0 && place <= 65535
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "%s '%s' is no number of a tile, from 0 to 65535", what, text);
}

static cli_status tile_command(const cli_command* command, int argc, char** argv)
{
    tile_options options = {.size = TILE_SIZE, .halo = TILE_HALO, .blend = -1};
    cli_list operands = {0};
    int32_t place[2];
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    CLI_TRY(tile_place("X", operands.items[1], &place[0]));
    CLI_TRY(tile_place("Y", operands.items[2], &place[1]));
    if (options.run.report != NULL)
    {
        return cli_fail(CLI_USAGE, "--report: a tile has no report; leave it out");
    }
    const int32_t half = options.halo / 2;
    const int32_t narrow = options.size / 8;
    options.blend = options.blend >= 0 ? options.blend : half < narrow ? half : narrow;
    return tile_with_scene(&options, place, operands.items[0]);
}

const cli_command cli_tile_command = {
    .name = "tile",
    .summary = "compute one tile of a scene's world without the rest of it",
    .usage = "SCENE X Y [-o DIR] [--size CELLS] [options]",
    .details =
        "Computes column X and row Y of the tiles of a scene's world, from 0, 0 in the north-west, "
        "on a part of the world: the tile and a halo around it. What lies beyond the halo is not "
        "known, so water and sand that would come from there are missing: an approximation, which "
        "docs/tiles.md measures. Where tiles meet they are blended, so neighbours have the same "
        "values at their borders. 'wadi run --tiles' computes exact tiles of the whole "
        "world.\n\nLayers and maps that the scene writes become GeoTIFF, NAME_x1_y0.tif for "
        "'write: "
        "NAME.tif'; a name such as 'height_{x}_{y}.tif' is filled in. Pictures, reports and "
        "checkpoints are left out.",
    .examples = "wadi tile land.yaml 3 5 -o tiles\n"
                "wadi tile land.yaml 3 5 -o tiles --size 1024 --halo 256 --overlap 1\n"
                "wadi tile land.yaml 0 0 --blend 0",
    .options = tile_option_list,
    .option_count = sizeof tile_option_list / sizeof tile_option_list[0],
    .min_operands = 3,
    .max_operands = 3,
    .run = tile_command,
};
