// SPDX-License-Identifier: MIT
// The ground of all windows as one, in the first window, for processes that do not run on parts of
// a grid. All windows make the same calls; `whole` is NULL but in the first one.
#pragma once

#include <wadi/model.h>

// A terrain for the whole grid, in a context that has no partition. Its ground is not filled yet.
wadi_result wadi_terrain_create_whole(const wadi_terrain* window, wadi_context* context,
                                      wadi_terrain** out);

// Fill the whole with rock, loose layers, water, the mask, beds of rock, materials, the sea, the
// clock, rivers, and those of the other layers that are in the set `reads`.
wadi_result wadi_terrain_gather(wadi_terrain* window, wadi_terrain* whole, uint32_t reads);
// The same, but for what is by cells: for a whole that has the layers of all windows already.
wadi_result wadi_terrain_gather_members(const wadi_terrain* window, wadi_terrain* whole);

// Give rock, loose layers, water and rivers of the whole to the windows, the hardness if it follows
// from beds, and vegetation and moisture if they are in the set `writes`.
wadi_result wadi_terrain_scatter(wadi_terrain* window, const wadi_terrain* whole, uint32_t writes);

// The books of a process: first empty in the whole; then those of all windows together; or what the
// process has booked in the whole, which the first window books too. False: another window has
// failed.
void wadi_terrain_empty_books(wadi_terrain* whole);
bool wadi_terrain_gather_books(const wadi_terrain* window, wadi_terrain* whole,
                               const char* process);
bool wadi_terrain_scatter_books(wadi_terrain* window, const wadi_terrain* whole,
                                const char* process);
