// SPDX-License-Identifier: MIT
// Grains that come and go: feeders, sinks and the books.
#pragma once

#include "bodies/grains/granular_clump.h"

#include <wadi/grain_flow.h>

// Counts of a feeder or sink, and of the whole world; saved.
typedef struct granular_tally
{
    int64_t grains;
    int64_t units;
    int64_t tries; // places that a feeder has looked at
} granular_tally;

// All that is saved of it.
typedef struct granular_books
{
    granular_tally first;
    granular_tally come;
    granular_tally gone;
    granular_tally fed[WADI_GRAIN_MAX_FEEDERS];
    granular_tally sunk[WADI_GRAIN_MAX_SINKS];
} granular_books;

typedef struct granular_flow
{
    granular_books books;
    wadi_grain_feeder feeders[WADI_GRAIN_MAX_FEEDERS];
    wadi_grain_sink sinks[WADI_GRAIN_MAX_SINKS];
    int32_t feeder_count;
    int32_t sink_count;
    double expects[2]; // smallest and largest radius; 0: none
} granular_flow;

// What is to change in a world: those that go, by id (NULL: none), and those that come.
typedef struct granular_change
{
    const bool* gone;
    const wadi_grain* come;
    int32_t count;
    const granular_clump* clumps; // among those that come; `first` counts from the first of them
    int32_t clump_count;
} granular_change;
