// SPDX-License-Identifier: MIT
// Members of a terrain, for src/terrain only.
#pragma once

#include "core/clock.h"
#include "core/internal.h"
#include "terrain/ground.h"
#include "terrain/rivers.h"
#include "terrain/sea.h"

#include <wadi/edit.h>

// Sums of units x cells exceed 64 bits on the largest grids.
__extension__ typedef __int128 wadi_wide;

enum
{
    TERRAIN_LAYER_SLOTS = WADI_LAYER_LOOSE + WADI_MAX_LOOSE,
    TERRAIN_MAX_ACCOUNTS = 16
};

// Sum of one process's tallies since the terrain was created.
typedef struct terrain_account
{
    char process[WADI_NAME_LENGTH];
    wadi_tally tally;
} terrain_account;

struct wadi_terrain
{
    wadi_context* context;
    wadi_ground ground;
    uint64_t seed;
    wadi_clock clock;

    char loose_names[WADI_MAX_LOOSE][WADI_NAME_LENGTH];
    wadi_material materials[WADI_MAX_MATERIALS];
    int32_t material_count;
    wadi_sea sea;
    terrain_rivers rivers;
    wadi_georef georef;
    char* wkt; // owned; NULL when there is none

    // float views, made when borrowed and kept until the terrain changes
    float* views[TERRAIN_LAYER_SLOTS];
    bool view_is_fresh[TERRAIN_LAYER_SLOTS];
    int32_t borrows[TERRAIN_LAYER_SLOTS];
    int64_t changes;      // how often the layers have changed
    const char* reserved; // name of the process that is at work; NULL: none

    wadi_wide edited[WADI_MAX_MATERIALS]; // [units x cells]
    terrain_account accounts[TERRAIN_MAX_ACCOUNTS];
    int32_t account_count;
};

// Free or copy the sides of void cells, to another terrain of the same size.
void wadi_void_sides_free(wadi_terrain* terrain);
wadi_result wadi_void_sides_copy(const wadi_ground* from, wadi_terrain* to);
// Change the mask of one cell. A void that had data before lies beyond no side.
void wadi_void_sides_mark(wadi_ground* ground, int64_t cell, bool valid);
// The mask of a saved terrain has the codes of the sides, where there are any: move them out of it.
wadi_result wadi_void_sides_split(wadi_terrain* terrain);

// Free the beds of rock, or copy them to another terrain of the same size.
void wadi_strata_destroy(wadi_terrain* terrain);
wadi_result wadi_strata_copy(const wadi_ground* from, wadi_terrain* to);
// Fails for the layer of hardness of a terrain with beds, which determine it.
wadi_result wadi_strata_check_layer(wadi_terrain* terrain, wadi_layer layer);

// Integer array of a layer of heights, or NULL for another kind of layer.
int32_t* wadi_terrain_heights(const wadi_terrain* terrain, wadi_layer layer);
// Array of a layer of shares, or NULL.
uint16_t* wadi_terrain_shares(const wadi_terrain* terrain, wadi_layer layer);
// Material of a layer of heights.
int32_t wadi_terrain_layer_material(const wadi_terrain* terrain, wadi_layer layer);
// The definition that a terrain was created with.
wadi_terrain_def wadi_terrain_definition(const wadi_terrain* terrain);
bool wadi_material_is_sound(const wadi_material* material);
// Float values of `count` cells from `first` on: what views show.
void wadi_terrain_view_cells(const wadi_terrain* terrain, wadi_layer layer, int64_t first,
                             int32_t count, float* out);
// Fails where rock, loose matter and water together leave the range of heights if the layer has
// `units` in a cell, so that sums of units fit 32 bits.
wadi_result wadi_terrain_check_column(const wadi_terrain* terrain, wadi_layer layer, int64_t units,
                                      int32_t x, int32_t y);
// wadi_terrain_changed() after a change of some cells only; see wadi_terrain_wrap().
void wadi_terrain_changed_rectangle(wadi_terrain* terrain, wadi_rectangle rectangle);
// Sum over the cells of the whole grid, in units: in a window of the cells of all windows.
wadi_wide wadi_terrain_whole_sum(const wadi_terrain* terrain, const int32_t* heights);
// Sum of numbers of all windows; without windows the number itself.
wadi_wide wadi_terrain_of_windows(const wadi_terrain* terrain, wadi_wide here);
// Book an edit of a cell, in the window that owns it.
static inline void wadi_terrain_book_edit(wadi_terrain* terrain, int32_t material, int64_t cell,
                                          wadi_wide units)
{
    terrain->edited[material] += wadi_ground_owns(&terrain->ground, cell) ? units : 0;
}
// The account of a process; NULL: it has none.
const wadi_tally* wadi_terrain_account(const wadi_terrain* terrain, const char* process);
// Sum over all cells, in units.
wadi_wide wadi_terrain_sum(const int32_t* heights, int64_t cells);

// Edges are known, and a periodic one has its opposite.
wadi_result wadi_terrain_check_edges(wadi_context* context, const wadi_edge edges[4]);
