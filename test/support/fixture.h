// SPDX-License-Identifier: MIT
// A context over counted memory, and terrains that look like land.
#pragma once

#include "support/check.h"
#include "support/memory.h"

#include <wadi/wadi.h>

typedef struct fixture
{
    counted_memory memory;
    wadi_context* context;
} fixture;

void fixture_open(fixture* f, int32_t threads);
void fixture_close(fixture* f); // fails the test when a byte is still held

// A flat terrain of 10 m cells with open edges.
wadi_terrain* fixture_flat(fixture* f, int32_t width, int32_t height);

// A tilted, rough terrain: 0-600 m of rock, 0-3 m of sediment, hardness 0-0.8.
wadi_terrain* fixture_rough(fixture* f, int32_t width, int32_t height, uint64_t seed);

// Write uniform noise in [low, high) to a layer.
void fixture_noise(wadi_terrain* terrain, wadi_layer layer, double low, double high, uint64_t seed);

// Make a few holes: one inside, one that touches the west edge.
void fixture_holes(wadi_terrain* terrain);

// Every row of the ledger closes to the last unit.
void fixture_check_ledger(const wadi_terrain* terrain);
