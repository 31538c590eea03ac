// SPDX-License-Identifier: MIT
// Reads the windows' parts of a grid of the whole.
#pragma once

#include "core/archive.h"
#include "core/partition.h"

// Read a grid of `bytes` a cell into the array of each window, with its halo. All windows call it,
// each with a reader of its own, and fail together.
void wadi_archive_spread(wadi_archive* archive, const wadi_partition* window, void* cells,
                         int32_t bytes);
