// SPDX-License-Identifier: MIT
// End of a run: fill pits in the bed, export the load at the edges, and pour water up to bankfull.
#include "processes/riverbed/graded_internal.h"

#include "core/internal.h"
#include "core/radix_heap.h"

#include <math.h>

// Share of the bed's width in which pits are filled.
static const float finish_core = 0.7f;
// Water extends at most this far beside the bed [widths].
static const float finish_beside = 1.0f;

static const int8_t finish_east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t finish_south[8] = {0, -1, -1, -1, 0, 1, 1, 1};

// Entry of a neighbour of a cell in the corridor, or -1.
static int64_t finish_neighbour(const wadi_graded* graded, int64_t cell, int direction)
{
    const wadi_ground* ground = graded->ground;
    const int32_t x = (int32_t)(cell % ground->width) + finish_east[direction];
    const int32_t y = (int32_t)(cell / ground->width) + finish_south[direction];
    if (x < 0 || y < 0 || x >= ground->width || y >= ground->height)
    {
        return -1;
    }
    return (int64_t)graded->corridor.slot[(int64_t)y * ground->width + x] - 1;
}

double wadi_graded_excess(const wadi_graded* graded)
{
    double worst = 0.0;
    for (int64_t i = 0; i < graded->corridor.count; ++i)
    {
        const graded_cell* cell = &graded->corridor.cells[i];
        if (fabsf(cell->eta) < 0.1f && graded->ground->hardness[cell->cell] < 65535)
        {
            const double above =
                graded_metres(wadi_ground_surface(graded->ground, cell->cell) - cell->cap);
            worst = fmax(worst, above / graded->rivers[cell->river].axis[0].depth);
        }
    }
    return worst;
}

// ---- pits --------------------------------------------------------------------------------

typedef struct finish_flood
{
    wadi_graded* graded;
    wadi_tally* tally;
    wadi_radix_heap heap;
    uint8_t* seen; // 1: visited, by entry of the corridor
} finish_flood;

// Map heights to unsigned integers in the same order.
static uint32_t finish_key(int32_t height)
{
    return (uint32_t)height ^ 0x80000000u;
}

static bool finish_is_core(const graded_cell* cell)
{
    return fabsf(cell->eta) < finish_core;
}

static wadi_result finish_reach(finish_flood* flood, int64_t i)
{
    const wadi_graded* graded = flood->graded;
    const int32_t height = wadi_ground_surface(graded->ground, graded->corridor.cells[i].cell);
    const uint32_t key = finish_key(height);
    const uint32_t least = flood->heap.last; // the floor of a lake may lie lower
    flood->seen[i] = 1;
    return wadi_radix_heap_push(graded->context, &flood->heap, key > least ? key : least,
                                (uint32_t)i);
}

// Is this cell at the edge of the ground?
static bool finish_is_rim(const wadi_graded* graded, int64_t cell)
{
    const wadi_ground* ground = graded->ground;
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    for (int direction = 0; direction < 8; ++direction)
    {
        const int32_t u = x + finish_east[direction];
        const int32_t v = y + finish_south[direction];
        if (u < 0 || v < 0 || u >= ground->width || v >= ground->height ||
            ground->valid[(int64_t)v * ground->width + u] == 0)
        {
            return true;
        }
    }
    return false;
}

// The mouth of a river: its cells on the rim, or its last station if it ends inside.
static bool finish_is_mouth(const wadi_graded* graded, const graded_cell* cell)
{
    const graded_river* river = &graded->rivers[cell->river];
    if (river->end == GRADED_LEAVES)
    {
        return 2.0f * cell->along > (float)river->count && finish_is_rim(graded, cell->cell);
    }
    return river->end == GRADED_STOPS && cell->along >= (float)(river->count - 1 - GRADED_STATION);
}

static wadi_result finish_start(finish_flood* flood)
{
    const wadi_graded* graded = flood->graded;
    for (int64_t i = 0; i < graded->corridor.count; ++i)
    {
        const graded_cell* cell = &graded->corridor.cells[i];
        if (finish_is_core(cell) && finish_is_mouth(graded, cell))
        {
            WADI_TRY(finish_reach(flood, i));
        }
    }
    return WADI_OK;
}

// Matter comes from the outgoing load, then from additional inflow.
static void finish_raise(finish_flood* flood, const graded_cell* cell, int32_t amount)
{
    wadi_graded* graded = flood->graded;
    graded_river* river = &graded->rivers[cell->river];
    const int64_t have = river->leaving < amount ? river->leaving : amount;
    const double area = graded->ground->cell_size * graded->ground->cell_size;
    river->leaving -= have;
    flood->tally->in[WADI_MATERIAL_SEDIMENT] += amount - have;
    wadi_ground_put(graded->ground, cell->cell, amount, flood->tally);
    graded->raised[cell->cell] += amount;
    graded->filled += graded_metres(amount) * area;
}

// Priority flood up the core of the bed: raise each cell to at least a unit above its receiver.
static wadi_result finish_spread(finish_flood* flood, uint32_t from)
{
    wadi_graded* graded = flood->graded;
    const graded_cell* parent = &graded->corridor.cells[from];
    const int32_t height = wadi_ground_surface(graded->ground, parent->cell);
    for (int direction = 0; direction < 8; ++direction)
    {
        const int64_t i = finish_neighbour(graded, parent->cell, direction);
        if (i < 0 || flood->seen[i] != 0 || !finish_is_core(&graded->corridor.cells[i]))
        {
            continue;
        }
        const graded_cell* cell = &graded->corridor.cells[i];
        const int32_t rise = height + 1 - wadi_ground_surface(graded->ground, cell->cell);
        if (rise > 0 && !wadi_graded_is_pond(graded, cell))
        {
            finish_raise(flood, cell, rise);
        }
        WADI_TRY(finish_reach(flood, i));
    }
    return WADI_OK;
}

static wadi_result finish_run(finish_flood* flood)
{
    WADI_TRY(finish_start(flood));
    while (flood->heap.count > 0)
    {
        uint32_t i;
        WADI_TRY(wadi_radix_heap_pop(flood->graded->context, &flood->heap, &i));
        WADI_TRY(finish_spread(flood, i));
    }
    return WADI_OK;
}

wadi_result wadi_graded_close_pits(wadi_graded* graded, wadi_tally* tally)
{
    finish_flood flood = {.graded = graded, .tally = tally};
    WADI_ALLOC(graded->context, flood.seen, graded->corridor.count + 1, "pits of a river");
    const wadi_result result = finish_run(&flood);
    wadi_radix_heap_free(graded->context, &flood.heap);
    wadi_free(graded->context, flood.seen);
    return result;
}

// ---- outgoing load -----------------------------------------------------------------------

// The side by which the load of a river that leaves is booked.
static wadi_side finish_side(const wadi_ground* ground, const graded_river* river)
{
    // the first node beyond the land, which is inside the grid if it lies in a void
    return river->side != WADI_SIDE_VOID
               ? river->side
               : wadi_ground_void_side(ground,
                                       graded_cell_at(ground, river->nodes[river->inside].at));
}

void wadi_graded_export(wadi_graded* graded, wadi_tally* tally)
{
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded_river* river = &graded->rivers[i];
        if (graded_lets_out(graded, river))
        {
            const wadi_side side = finish_side(graded->ground, river);
            tally->out[WADI_MATERIAL_SEDIMENT][side] += river->leaving;
        }
        else
        {
            river->held += river->leaving;
            tally->transit[WADI_MATERIAL_SEDIMENT] += river->leaving;
        }
        river->leaving = 0;
    }
}

// ---- water -------------------------------------------------------------------------------

void wadi_graded_drain(wadi_graded* graded, wadi_tally* tally)
{
    const wadi_ground* ground = graded->ground;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        if (graded->poured[i] > 0)
        {
            // other processes may have taken some of the water
            const int32_t left =
                graded->poured[i] < ground->water[i] ? graded->poured[i] : ground->water[i];
            ground->water[i] -= left;
            tally->lost[WADI_MATERIAL_WATER] += left;
            graded->poured[i] = 0;
        }
        graded->depth[i] = 0;
    }
}

// A cell is wet if it lies below the level and near enough to the bed.
static bool finish_is_wet(const wadi_graded* graded, const graded_cell* cell)
{
    return fabsf(cell->eta) < 1.0f + 2.0f * finish_beside &&
           !(graded->params.breach < 1.0 && wadi_graded_is_pond(graded, cell)) &&
           wadi_ground_surface(graded->ground, cell->cell) < cell->level;
}

void wadi_graded_pour_cell(wadi_graded* graded, int64_t cell, int32_t level, wadi_tally* tally)
{
    const wadi_ground* ground = graded->ground;
    const int64_t i = cell;
    graded->depth[i] = level - wadi_ground_surface(ground, i);
    const int32_t missing = graded->depth[i] - ground->water[i];
    if (graded->params.water && missing > 0)
    {
        ground->water[i] += missing;
        graded->poured[i] = missing;
        tally->in[WADI_MATERIAL_WATER] += missing;
    }
}

// An oxbow lake is filled to its level.
static void finish_pour_lakes(wadi_graded* graded, wadi_tally* tally)
{
    for (int64_t i = 0; i < graded->lake_count; ++i)
    {
        const int64_t cell = graded->lakes[i];
        const int32_t level = graded->lake[cell];
        if (graded->depth[cell] == 0 && wadi_ground_surface(graded->ground, cell) < level)
        {
            wadi_graded_pour_cell(graded, cell, level, tally);
        }
    }
}

// Water spreads from the bed over all lower ground beside it.
wadi_result wadi_graded_pour(wadi_graded* graded, wadi_tally* tally)
{
    const graded_corridor* corridor = &graded->corridor;
    int32_t* stack;
    int64_t count = 0;
    WADI_ALLOC(graded->context, stack, corridor->count + 1, "water of a river");
    for (int64_t i = 0; i < corridor->count; ++i)
    {
        const graded_cell* cell = &corridor->cells[i];
        if (fabsf(cell->eta) < 1.0f && finish_is_wet(graded, cell))
        {
            wadi_graded_pour_cell(graded, cell->cell, cell->level, tally);
            stack[count++] = (int32_t)i;
        }
    }
    while (count > 0)
    {
        const int64_t from = corridor->cells[stack[--count]].cell;
        for (int direction = 0; direction < 8; ++direction)
        {
            const int64_t i = finish_neighbour(graded, from, direction);
            if (i >= 0 && graded->depth[corridor->cells[i].cell] == 0 &&
                finish_is_wet(graded, &corridor->cells[i]))
            {
                const graded_cell* beside = &corridor->cells[i];
                wadi_graded_pour_cell(graded, beside->cell, beside->level, tally);
                stack[count++] = (int32_t)i;
            }
        }
    }
    wadi_free(graded->context, stack);
    finish_pour_lakes(graded, tally);
    return graded->params.breach < 1.0 ? wadi_graded_pour_ponds(graded, tally) : WADI_OK;
}
