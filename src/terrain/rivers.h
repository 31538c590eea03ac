// SPDX-License-Identifier: MIT
// Rivers that a process has found or made on a terrain, for the other processes.
#pragma once

#include <wadi/terrain.h>

typedef struct terrain_river
{
    uint32_t owner; // key of the solver that published it; 0: the caller
    wadi_river river;
} terrain_river;

typedef struct terrain_rivers
{
    int32_t count;
    terrain_river* list; // by rising owner
} terrain_rivers;

void wadi_rivers_free(wadi_context* context, terrain_rivers* rivers);
wadi_result wadi_rivers_copy(const wadi_terrain* from, wadi_terrain* to);
wadi_result wadi_rivers_archive(wadi_archive* archive, wadi_terrain* terrain);

// Replace the rivers of an owner, also while its process has the terrain to itself. Rivers of other
// owners that enter within the reach of a new one are the same river, and are removed.
wadi_result wadi_rivers_publish(wadi_terrain* terrain, uint32_t owner, const wadi_river* rivers,
                                int32_t count);
