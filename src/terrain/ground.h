// SPDX-License-Identifier: MIT
// The ground as processes see it: the terrain's integer arrays and the verbs `take` and `put`.
// `remove` is a third, for a law that does not track the removed matter. No other code of the
// library changes the height of the ground.
//
// Amounts are int32 units of 2^-16 m in one cell. Each verb adds what it did to a tally. Tallies
// are plain sums, so each block may have its own and they may be added in any order.
#pragma once

#include "core/clock.h"
#include "core/partition.h"
#include "terrain/strata.h"

#include <wadi/model.h>

typedef struct wadi_ground
{
    int32_t width;
    int32_t height;
    int64_t cells;
    double cell_size;
    wadi_edge edges[4];
    int32_t loose_count;
    int32_t* bedrock;               // [units] elevation
    int32_t* loose[WADI_MAX_LOOSE]; // [units] thickness, bottom to top
    int32_t* water;                 // [units] depth
    uint16_t* hardness;             // [1/65535]
    uint16_t* vegetation;
    uint16_t* moisture;
    uint8_t* valid;                   // 0 or 1
    uint8_t* void_sides;              // NULL, or 1 for cells with data, 2 + wadi_side for voids
                                      // beyond that side of the land, 0 for other voids
    int32_t material[WADI_MAX_LOOSE]; // row of the material table of each loose layer
    double rock_softness;             // 1 - hardness of the rock's material
    bool all_valid;
    wadi_strata* strata;        // NULL: hardness does not depend on depth
    const wadi_partition* part; // the window that the arrays are; NULL: the whole grid
    wadi_edge whole_edges[4];   // of the whole grid, where `part` is set
} wadi_ground;

void wadi_tally_add(wadi_tally* sum, const wadi_tally* part);
// Add the tallies of all workers and clear them.
void wadi_tally_collect(wadi_tally* sum, wadi_tally* parts, const wadi_context* context);

// Direct access for processes; `wadi_terrain_changed` must follow every change.
wadi_ground* wadi_terrain_ground(wadi_terrain* terrain);
const wadi_ground* wadi_terrain_ground_const(const wadi_terrain* terrain);
void wadi_terrain_changed(wadi_terrain* terrain);
// A number that every change of a layer, of the mask or of beds raises, whoever makes it.
int64_t wadi_terrain_changes(const wadi_terrain* terrain);
// WADI_ERROR_BORROWED while a view is borrowed.
wadi_result wadi_terrain_check_released(wadi_terrain* terrain);
// The same, and WADI_ERROR_STATE while a process has the terrain to itself.
wadi_result wadi_terrain_check_writable(wadi_terrain* terrain);
// Let none but this process change the terrain, such as hooks that are called meanwhile; NULL ends
// that. Returns what was set before.
const char* wadi_terrain_reserve(wadi_terrain* terrain, const char* process);
wadi_clock wadi_terrain_time(const wadi_terrain* terrain);
// Matter of one material in transit in the books of a process [units x cells].
int64_t wadi_terrain_transit(const wadi_terrain* terrain, const char* process, int32_t material);

// ---- windows -----------------------------------------------------------------------------------

// Cells [x, end_x) x [y, end_y) that a window owns; all cells of a whole grid. Only what happens in
// them is booked, counted, hashed, or decides when to stop.
typedef struct wadi_owned
{
    int32_t x;
    int32_t y;
    int32_t end_x;
    int32_t end_y;
} wadi_owned;

static inline wadi_owned wadi_ground_owned(const wadi_ground* ground)
{
    const wadi_partition* part = ground->part;
    if (part == NULL)
    {
        return (wadi_owned){0, 0, ground->width, ground->height};
    }
    const int32_t x = part->halo[WADI_SIDE_WEST];
    const int32_t y = part->halo[WADI_SIDE_NORTH];
    return (wadi_owned){x, y, x + part->owned_width, y + part->owned_height};
}

// Is it the first window, which holds the books of the time before there were windows?
static inline bool wadi_ground_is_first(const wadi_ground* ground)
{
    return ground->part == NULL || ground->part->index == 0;
}

// Columns and rows of the whole grid.
static inline int32_t wadi_ground_whole_width(const wadi_ground* ground)
{
    return ground->part != NULL ? ground->part->width : ground->width;
}

static inline int32_t wadi_ground_whole_height(const wadi_ground* ground)
{
    return ground->part != NULL ? ground->part->height : ground->height;
}

static inline wadi_edge wadi_ground_whole_edge(const wadi_ground* ground, wadi_side side)
{
    return ground->part != NULL ? ground->whole_edges[side] : ground->edges[side];
}

// Column and row of a cell in the whole grid, where random numbers and places are counted.
static inline int32_t wadi_ground_column(const wadi_ground* ground, int32_t x)
{
    return ground->part != NULL ? wadi_partition_column(ground->part, x) : x;
}

static inline int32_t wadi_ground_row(const wadi_ground* ground, int32_t y)
{
    return ground->part != NULL ? wadi_partition_row(ground->part, y) : y;
}

// Does the window own a cell?
static inline bool wadi_ground_owns(const wadi_ground* ground, int64_t cell)
{
    const wadi_owned owned = wadi_ground_owned(ground);
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    return ground->part == NULL ||
           (x >= owned.x && x < owned.end_x && y >= owned.y && y < owned.end_y);
}

// Number of a cell in the whole grid.
static inline int64_t wadi_ground_number(const wadi_ground* ground, int32_t x, int32_t y)
{
    return (int64_t)wadi_ground_row(ground, y) * wadi_ground_whole_width(ground) +
           wadi_ground_column(ground, x);
}

// Fetch rock, loose layers and tops of beds of the halo from their owners, after a process has
// changed the owned cells. Nothing without windows. False: another window has failed.
bool wadi_ground_refresh(const wadi_ground* ground);
// The same, and a layer of `bytes` a cell, in one exchange.
bool wadi_ground_refresh_with(const wadi_ground* ground, void* layer, int32_t bytes);
// The same for all layers, after an edit.
bool wadi_ground_refresh_all(const wadi_ground* ground);
// Sum of a layer over the owned cells of this window.
int64_t wadi_ground_owned_sum(const wadi_ground* ground, const int32_t* heights);
// Owned cells with data, of this window.
int64_t wadi_ground_owned_valid(const wadi_ground* ground);

// Sum of a map of a process [units] over the cells of the whole grid.
double wadi_terrain_map_sum(const wadi_terrain* terrain, const int64_t* map);

// Surface of a cell: rock and all loose layers.
static inline int32_t wadi_ground_surface(const wadi_ground* ground, int64_t cell)
{
    int32_t surface = ground->bedrock[cell];
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        surface += ground->loose[i][cell];
    }
    return surface;
}

// The side by which matter that falls into a void cell is booked.
static inline wadi_side wadi_ground_void_side(const wadi_ground* ground, int64_t cell)
{
    const uint8_t* sides = ground->void_sides;
    return sides != NULL && sides[cell] >= 2 ? (wadi_side)(sides[cell] - 2) : WADI_SIDE_VOID;
}

// Give the voids of a terrain of half the cells a side the sides of the voids that they cover.
wadi_result wadi_ground_halve_void_sides(const wadi_ground* fine, wadi_terrain* coarse);

// A way over the ground, in cells to the east and to the south.
typedef struct wadi_ground_way
{
    int32_t x;
    int32_t y;
} wadi_ground_way;

// From one cell to another, the short way round across periodic edges.
wadi_ground_way wadi_ground_way_to(const wadi_ground* ground, int64_t from, int64_t to);
// Cell at (x, y), at most one map beyond periodic edges; -1 beyond others.
int64_t wadi_ground_cell_at(const wadi_ground* ground, int32_t x, int32_t y);

// Nearest valid cell by steps to four neighbours, also across periodic edges: source[cell] becomes
// the cell itself if it is valid, -1 if none is. Among equally near ones it is the most northern
// one, then the most western one, as seen from the void, so that it does not depend on where the
// map begins. `queue` has room for all cells.
void wadi_ground_nearest_valid(const wadi_ground* ground, int32_t* source, int32_t* queue);

// True if no cell has loose matter.
static inline bool wadi_ground_is_bare(const wadi_ground* ground)
{
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        if (wadi_ground_surface(ground, cell) != ground->bedrock[cell])
        {
            return false;
        }
    }
    return true;
}

// Take up to `amount` of loose matter, top layer first, as sediment. Returns the amount taken.
static inline int32_t wadi_ground_take_loose(const wadi_ground* ground, int64_t cell,
                                             int32_t amount, wadi_tally* tally)
{
    int32_t taken = 0;
    for (int32_t i = ground->loose_count - 1; i >= 0 && taken < amount; --i)
    {
        const int32_t want = amount - taken;
        const int32_t have = ground->loose[i][cell];
        const int32_t part = want < have ? want : have;
        ground->loose[i][cell] = have - part;
        tally->eroded[ground->material[i]] += part;
        tally->converted[ground->material[i]] -= part;
        tally->converted[WADI_MATERIAL_SEDIMENT] += part;
        taken += part;
    }
    return taken;
}

// Rock eroded from a cell where rock of hardness 0 would lose `amount`.
static inline int32_t wadi_ground_rock_yield(const wadi_ground* ground, int64_t cell,
                                             int32_t amount)
{
    if (ground->strata != NULL)
    {
        return wadi_strata_yield(ground, cell, amount);
    }

    // hardness first in exact integers, so that 65535 gives exactly nothing
    const int64_t soft = 65535 - (int64_t)ground->hardness[cell];
    const int32_t part = (int32_t)((int64_t)amount * soft / 65535);
    return ground->rock_softness == 1.0 ? part : (int32_t)((double)part * ground->rock_softness);
}

// Upper bound of the rock that can be eroded: the rock above hardness 1.
static inline int32_t wadi_ground_erodible_rock(const wadi_ground* ground, int64_t cell)
{
    if (ground->strata != NULL && ground->rock_softness != 0.0)
    {
        return wadi_strata_erodible(ground, cell);
    }
    return ground->hardness[cell] == 65535 || ground->rock_softness == 0.0 ? 0 : INT32_MAX;
}

// Take exactly `amount` of rock, an amount that already accounts for hardness. It becomes sediment,
// which the tally books as a conversion.
static inline void wadi_ground_take_exact_rock(const wadi_ground* ground, int64_t cell,
                                               int32_t amount, wadi_tally* tally)
{
    ground->bedrock[cell] -= amount;
    tally->eroded[WADI_MATERIAL_ROCK] += amount;
    tally->converted[WADI_MATERIAL_ROCK] -= amount;
    tally->converted[WADI_MATERIAL_SEDIMENT] += amount;
    if (ground->strata != NULL)
    {
        wadi_strata_update_hardness(ground, cell, 1);
    }
}

// Take rock: `amount` is for hardness 0; it is scaled by (1 - hardness) here and nowhere else.
static inline int32_t wadi_ground_take_rock(const wadi_ground* ground, int64_t cell, int32_t amount,
                                            wadi_tally* tally)
{
    const int32_t part = wadi_ground_rock_yield(ground, cell, amount);
    wadi_ground_take_exact_rock(ground, cell, part, tally);
    return part;
}

// Take `amount`: loose layers from the top down, then rock scaled by (1 - hardness). Returns the
// amount eroded, now all sediment. No loose layer goes below zero.
static inline int32_t wadi_ground_take(const wadi_ground* ground, int64_t cell, int32_t amount,
                                       wadi_tally* tally)
{
    const int32_t loose = wadi_ground_take_loose(ground, cell, amount, tally);
    return loose == amount ? loose
                           : loose + wadi_ground_take_rock(ground, cell, amount - loose, tally);
}

// Amount that wadi_ground_take(amount) would return, without taking it: for exchanges between
// neighbours, where the receiver must know how much the giver can lose.
static inline int32_t wadi_ground_yield(const wadi_ground* ground, int64_t cell, int32_t amount)
{
    int64_t loose = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        loose += ground->loose[i][cell];
    }
    if (loose >= amount)
    {
        return amount;
    }
    return (int32_t)(loose + wadi_ground_rock_yield(ground, cell, (int32_t)(amount - loose)));
}

// Take exactly `amount`, at most the result of wadi_ground_yield(), which has accounted for
// hardness.
static inline void wadi_ground_take_exact(const wadi_ground* ground, int64_t cell, int32_t amount,
                                          wadi_tally* tally)
{
    const int32_t loose = wadi_ground_take_loose(ground, cell, amount, tally);
    wadi_ground_take_exact_rock(ground, cell, amount - loose, tally);
}

// Deposit `amount` >= 0 of sediment.
static inline void wadi_ground_put(const wadi_ground* ground, int64_t cell, int32_t amount,
                                   wadi_tally* tally)
{
    // deposits go to the layer named sediment, which is loose layer 0 unless a scene says
    // otherwise; layers above it keep their order
    ground->loose[0][cell] += amount;
    tally->deposited[WADI_MATERIAL_SEDIMENT] += amount;
}

// Take exactly `amount` of one loose layer, at most its thickness. The matter keeps its material:
// slides carry layers without mixing them.
static inline void wadi_ground_lift(const wadi_ground* ground, int64_t cell, int32_t layer,
                                    int32_t amount, wadi_tally* tally)
{
    ground->loose[layer][cell] -= amount;
    tally->eroded[ground->material[layer]] += amount;
}

// Deposit `amount` >= 0 that was lifted from the layer of the same number.
static inline void wadi_ground_lay(const wadi_ground* ground, int64_t cell, int32_t layer,
                                   int32_t amount, wadi_tally* tally)
{
    ground->loose[layer][cell] += amount;
    tally->deposited[ground->material[layer]] += amount;
}

// Keep the level of the water where the ground has risen by `rise`, below 0 where it has sunk: what
// the ground displaces is lost, as over the sill of a lake, and what a bed that sinks needs comes
// in.
static inline void wadi_ground_keep_level(const wadi_ground* ground, int64_t cell, int64_t rise,
                                          wadi_tally* tally)
{
    const int64_t water = ground->water[cell];
    const int64_t depth = water > rise ? water - rise : 0;
    const int64_t kept = depth < INT32_MAX ? depth : INT32_MAX;
    tally->in[WADI_MATERIAL_WATER] += kept > water ? kept - water : 0;
    tally->lost[WADI_MATERIAL_WATER] += kept < water ? water - kept : 0;
    ground->water[cell] = (int32_t)kept;
}

// Take exactly `amount` out of the terrain, from the top down, and book it as lost under its own
// material. For the riverbeds' published law, which does not conserve mass; the caller applies
// hardness.
void wadi_ground_remove(const wadi_ground* ground, int64_t cell, int32_t amount, wadi_tally* tally);

// Both verbs for `count` cells: a change below 0 takes exactly that much, one above 0 is put.
void wadi_ground_change_row(const wadi_ground* ground, int64_t first, int32_t count,
                            const int32_t* change, wadi_tally* tally);

// Along `count` cells from `first`, take exactly `taken`, then put `laid`; both >= 0.
void wadi_ground_exchange_row(const wadi_ground* ground, int64_t first, int32_t count,
                              const int32_t* taken, const int32_t* laid, wadi_tally* tally);
