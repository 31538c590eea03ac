// SPDX-License-Identifier: MIT
// Names of files of tiles: patterns such as height_{x}_{y}.tif.
#pragma once

#include "cli/message.h"

#include <wadi/run.h>

#include <stddef.h>
#include <stdint.h>

// Does a name have braces, and so is a pattern?
bool cli_tile_is_pattern(const char* file);
// Fail unless a pattern has {x} and {y}, column and row of a tile from 0 in the north-west, and no
// other braces. `origin` begins the message.
cli_status cli_tile_check_pattern(const char* origin, const char* file);
// The name of a tile. A name without braces gets _x1_y0 before its ending. Cut short where there is
// no room.
void cli_tile_name(const char* file, int32_t x, int32_t y, char* out, size_t size);

// The georeference of a part of a grid, from column x and row y on. A grid without one has its
// origin in the south-west, as in a file of the whole grid.
wadi_georef cli_tile_georef(const wadi_frame* grid, int32_t x, int32_t y);
