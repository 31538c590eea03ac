// SPDX-License-Identifier: MIT
// The ground as processes see it: the terrain's own integer arrays and the two verbs `take` and
// `put`; `remove` is a third, for a law that has no place for what it takes. Nothing else in the
// library lowers or raises ground.
//
// Amounts are int32 units of 2^-16 m in one cell. A verb books what it did in a tally; tallies are
// plain sums, so blocks may each have their own and be added in any order.
#pragma once

#include "terrain/strata.h"

#include <wadi/ledger.h>

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
    int32_t material[WADI_MAX_LOOSE]; // row of the material table of each loose layer
    double rock_softness;             // 1 - hardness of the rock's material
    bool all_valid;
    wadi_strata* strata; // NULL: hardness does not depend on depth
} wadi_ground;

// What a stretch of work did, in units x cells, by material. The ledger adds the entries up and
// compares with the layers, so `transit` must be counted from what is really held (loads in
// parcels), never computed from the other entries: then a lost load shows as a residual.
typedef struct wadi_tally
{
    int64_t eroded[WADI_MAX_MATERIALS];    // taken from the ground as this material
    int64_t deposited[WADI_MAX_MATERIALS]; // put on the ground
    int64_t converted[WADI_MAX_MATERIALS]; // + became this, - became something else
    int64_t in[WADI_MAX_MATERIALS];
    int64_t out[WADI_MAX_MATERIALS][WADI_SIDE_COUNT];
    int64_t lost[WADI_MAX_MATERIALS];
    int64_t transit[WADI_MAX_MATERIALS]; // change of what the process holds, as it counts its loads
} wadi_tally;

void wadi_tally_add(wadi_tally* sum, const wadi_tally* part);

// Direct access for processes; `wadi_terrain_changed` must follow every change.
wadi_ground* wadi_terrain_ground(wadi_terrain* terrain);
const wadi_ground* wadi_terrain_ground_const(const wadi_terrain* terrain);
void wadi_terrain_changed(wadi_terrain* terrain);
wadi_result wadi_terrain_check_writable(wadi_terrain* terrain); // WADI_ERROR_BORROWED
// Mix a word of a solver's random state into the state hash.
void wadi_terrain_stir(wadi_terrain* terrain, uint64_t word);
void wadi_terrain_book(wadi_terrain* terrain, const char* process, const wadi_tally* tally);

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

// Breadth first from all cells with data: source[cell] becomes the one that a void was reached
// from, or the cell itself; -1 where there is none. `queue` has room for all cells.
void wadi_ground_reach_voids(const wadi_ground* ground, int32_t* source, int32_t* queue);

// Is there no loose matter at all?
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

// Take up to `amount` of loose matter, top layer first, as sediment. Returns what was taken.
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

// Rock that comes out where `amount` is what hardness 0 would give.
static inline int32_t wadi_ground_yield_rock(const wadi_ground* ground, int64_t cell,
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

// Rock that may come out at all: none below hardness 1.
static inline int32_t wadi_ground_rock_room(const wadi_ground* ground, int64_t cell)
{
    if (ground->strata != NULL && ground->rock_softness != 0.0)
    {
        return wadi_strata_room(ground, cell);
    }
    return ground->hardness[cell] == 65535 || ground->rock_softness == 0.0 ? 0 : INT32_MAX;
}

// Take exactly `amount` of rock that a coarser grid or a neighbour has counted on. It becomes
// sediment, which the tally books as a conversion.
static inline void wadi_ground_take_promised_rock(const wadi_ground* ground, int64_t cell,
                                                  int32_t amount, wadi_tally* tally)
{
    ground->bedrock[cell] -= amount;
    tally->eroded[WADI_MATERIAL_ROCK] += amount;
    tally->converted[WADI_MATERIAL_ROCK] -= amount;
    tally->converted[WADI_MATERIAL_SEDIMENT] += amount;
    if (ground->strata != NULL)
    {
        wadi_strata_uncover(ground, cell, 1);
    }
}

// Take rock: `amount` is what hardness 0 would give; hardness scales it here and nowhere else.
static inline int32_t wadi_ground_take_rock(const wadi_ground* ground, int64_t cell, int32_t amount,
                                            wadi_tally* tally)
{
    const int32_t part = wadi_ground_yield_rock(ground, cell, amount);
    wadi_ground_take_promised_rock(ground, cell, part, tally);
    return part;
}

// Take `amount`: loose layers from the top down, then rock scaled by (1 - hardness). Returns what
// came out, now all sediment. Never leaves a loose layer below zero.
static inline int32_t wadi_ground_take(const wadi_ground* ground, int64_t cell, int32_t amount,
                                       wadi_tally* tally)
{
    const int32_t loose = wadi_ground_take_loose(ground, cell, amount, tally);
    return loose == amount ? loose
                           : loose + wadi_ground_take_rock(ground, cell, amount - loose, tally);
}

// What `wadi_ground_take(amount)` would give, without taking it: for exchanges between neighbours,
// where the receiver must know what the giver can spare.
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
    return (int32_t)(loose + wadi_ground_yield_rock(ground, cell, (int32_t)(amount - loose)));
}

// Take exactly `amount`, at most what wadi_ground_yield() promised: hardness has been counted
// there.
static inline void wadi_ground_take_promised(const wadi_ground* ground, int64_t cell,
                                             int32_t amount, wadi_tally* tally)
{
    const int32_t loose = wadi_ground_take_loose(ground, cell, amount, tally);
    wadi_ground_take_promised_rock(ground, cell, amount - loose, tally);
}

// Lay down `amount` >= 0 as sediment, on top.
static inline void wadi_ground_put(const wadi_ground* ground, int64_t cell, int32_t amount,
                                   wadi_tally* tally)
{
    // water and wind lay down the layer named sediment, which is loose layer 0 unless a scene
    // says otherwise; layers above it keep their order
    ground->loose[0][cell] += amount;
    tally->deposited[WADI_MATERIAL_SEDIMENT] += amount;
}

// Take exactly `amount` of one loose layer, at most what is there. It keeps its name, as it does
// when it is laid down again: slides carry layers, they do not mix them.
static inline void wadi_ground_lift(const wadi_ground* ground, int64_t cell, int32_t layer,
                                    int32_t amount, wadi_tally* tally)
{
    ground->loose[layer][cell] -= amount;
    tally->eroded[ground->material[layer]] += amount;
}

// Lay down `amount` >= 0 of what was lifted from a layer of that number.
static inline void wadi_ground_lay(const wadi_ground* ground, int64_t cell, int32_t layer,
                                   int32_t amount, wadi_tally* tally)
{
    ground->loose[layer][cell] += amount;
    tally->deposited[ground->material[layer]] += amount;
}

// Take exactly `amount` out of the world, from the top down: loose layers keep their names and
// rock its own, and the books say lost. For the literal law of riverbeds, whose layer is a
// susceptibility; what hardness spares is the caller's business.
void wadi_ground_remove(const wadi_ground* ground, int64_t cell, int32_t amount, wadi_tally* tally);

// Both verbs along a stretch of cells: below 0 take exactly that (promised), above 0 put.
void wadi_ground_change_row(const wadi_ground* ground, int64_t first, int32_t count,
                            const int32_t* change, wadi_tally* tally);

// Along a stretch of cells, take exactly `taken` (promised), then put `laid`; both >= 0.
void wadi_ground_exchange_row(const wadi_ground* ground, int64_t first, int32_t count,
                              const int32_t* taken, const int32_t* laid, wadi_tally* tally);
