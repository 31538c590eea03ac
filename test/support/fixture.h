// SPDX-License-Identifier: MIT
// Test fixture: a context with counted memory, and terrains.
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
// A hook of contexts: from now on fixture_open() calls it with each new context, for programs that
// register a process of their own. NULL: none.
void fixture_on_open(void (*hook)(wadi_context* context));
void fixture_close(fixture* f); // fails the test if memory is still allocated
// One fixture with two threads for all tests of a program: cmocka_run_group_tests() hands it to
// them in `state`.
int fixture_open_group(void** state);
int fixture_close_group(void** state);

// Flat ground at 0 m with the same edge on all sides.
wadi_terrain* fixture_plain(fixture* f, int32_t width, int32_t height, double cell_size,
                            wadi_edge edge);

// A flat terrain of 10 m cells with open edges.
wadi_terrain* fixture_flat(fixture* f, int32_t width, int32_t height);

// A tilted, rough terrain: 0-600 m of rock, 0-3 m of sediment, hardness 0-0.8.
wadi_terrain* fixture_rough(fixture* f, int32_t width, int32_t height, uint64_t seed);

// Slightly rough ground under 2 m of sediment that falls to one side, the only one that is not
// closed, by `fall` metres a cell of 10 m.
wadi_terrain* fixture_falling(fixture* f, int32_t width, int32_t height, int side, double fall);

// Write uniform noise in [low, high) to a layer.
void fixture_noise(wadi_terrain* terrain, wadi_layer layer, double low, double high, uint64_t seed);

// Add cells without data: a hole inside and one at the west edge.
void fixture_holes(wadi_terrain* terrain);

// Run a solver for exactly `years`, in steps of equal length.
void fixture_advance(wadi_solver* solver, double years);

// Run a solver and the terrain's clock for `years`, and check the ledger.
void fixture_live(wadi_solver* solver, double years);

// A terrain, and a solver on it.
typedef wadi_solver* fixture_make(fixture* f);
// `years` in 1, 7 and 50 calls, on 1, 2 and 3 threads, give one terrain and one state of the
// solver.
void fixture_check_cuts(fixture_make* make, double years);

// A figure of a solver; the test fails if there is none of that name.
double fixture_figure(const wadi_solver* solver, const char* name);

// The row of a material in the ledger.
wadi_ledger_row fixture_ledger_row(const wadi_terrain* terrain, int32_t material);

// Height or thickness of a layer [m].
double fixture_metres(const wadi_terrain* terrain, wadi_layer layer, int32_t x, int32_t y);

// Check that every row of the ledger closes to the last unit.
void fixture_check_ledger(const wadi_terrain* terrain);
