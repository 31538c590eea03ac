// SPDX-License-Identifier: MIT
// --crop, --size, --tiles and --overlap: parts of a raster, on other cells, in several files.
#pragma once

#include "cli/options.h"

#include "io/raster/raster.h"

typedef struct cli_cut_options
{
    const char* crop;    // X,Y,WxH
    const char* size;    // N or WxH
    const char* tiles;   // N or NxM
    const char* overlap; // cells
    const char* stitch;  // N or NxM
} cli_cut_options;

#define CLI_CUT_OPTIONS(type)                                                                      \
    CLI_OPTION("crop", CLI_TEXT, type, cut.crop, "X,Y,WxH",                                        \
               "Keep W x H cells from column X and row Y on, counted from 0 in the north-west."),  \
        CLI_OPTION("size", CLI_TEXT, type, cut.size, "N|WxH",                                      \
                   "Resample to this many cells, such as 1025, 2049 or 4033. The first and last "  \
                   "cells stay in place, as values at the vertices of a mesh."),                   \
        CLI_OPTION("tiles", CLI_TEXT, type, cut.tiles, "N|NxM",                                    \
                   "Write N tiles across and M down, OUT_x0_y0 in the north-west, with one range " \
                   "of heights for all."),                                                         \
        CLI_OPTION("overlap", CLI_TEXT, type, cut.overlap, "CELLS",                                \
                   "Cells that a tile shares with the next one. Default: 0; meshes take 1."),      \
        CLI_OPTION("stitch", CLI_TEXT, type, cut.stitch, "N|NxM",                                  \
                   "Read N tiles across and M down, IN_x0_y0 in the north-west, as --tiles "       \
                   "writes them, and make one file of them.")

// The options as numbers. All zero: none is given.
typedef struct cli_cut
{
    int32_t x;
    int32_t y;
    int32_t crop[2]; // [cells] across and down
    int32_t size[2];
    int32_t tiles[2];
    int32_t overlap;
    int32_t stitch[2];
} cli_cut;

cli_status cli_cut_read(const cli_cut_options* options, cli_cut* out);
// File of a tile: NAME_x1_y0.EXT for the path NAME.EXT. Cut short where there is no room.
void cli_cut_tile_name(const char* path, int32_t x, int32_t y, char* out, size_t size);
// Move a georeference to the column x and row y of its grid.
void cli_georef_shift(wadi_georef* georef, int32_t x, int32_t y);
// Fail unless the raster can be cut so.
cli_status cli_cut_check(const cli_cut* cut, const wadi_io_raster* raster);
// Cut a raster in place; its values stay at the begin of their memory.
void cli_cut_crop(const cli_cut* cut, wadi_io_raster* raster);
// Resample so that the centres of the corner cells stay in place. `out` has a copy of the raster's
// other members, and memory for the values.
wadi_result cli_cut_resize(wadi_context* context, const wadi_io_raster* raster, int32_t width,
                           int32_t height, wadi_io_raster* out);
// Resample, and write the file or its tiles.
cli_status cli_cut_write(wadi_context* context, const cli_cut* cut, const wadi_io_raster* raster,
                         const char* path);
