// SPDX-License-Identifier: MIT
// Lakes behind barriers. Where the first ground along a course stands more than two depths above
// the river's grade, a share of what is over that stays (`breach`): the river runs over a sill, and
// its level upstream is that of the sill. There the ground lies below the bed, so nothing is worn,
// and the load fills the lake from its head: a delta. Below the sill the river is as steep as the
// barrier.
#include "processes/riverbed/graded_internal.h"

#include "core/internal.h"
#include "core/radix_heap.h"

#include <math.h>

static const double pond_deep = 2.0;   // barriers that are lower are cut in full [depths]
static const double pond_slope = 1e-6; // of the surface of a lake

// ---- levels ------------------------------------------------------------------------------

void wadi_graded_dam(const wadi_graded* graded, graded_river* river)
{
    const double kept = 1.0 - graded->params.breach;
    double level = -HUGE_VAL;
    for (int32_t i = river->count - 1; i >= 0; --i)
    {
        graded_node* node = &river->nodes[i];
        const double depth = river->axis[node->axis].depth;
        const double barrier = fmax(0.0, node->ground - node->level - pond_deep * depth);
        const double grade = node->level;
        level = fmax(level + pond_slope * river->spacing, grade + kept * barrier);
        node->pond = fmax(0.0, level - fmax(node->ground, grade + depth));
        node->level = level;
    }
}

// ---- water -------------------------------------------------------------------------------

bool wadi_graded_is_pond(const wadi_graded* graded, const graded_cell* cell)
{
    const graded_river* river = &graded->rivers[cell->river];
    const int32_t last = river->count - 1;
    const int32_t node = (int32_t)cell->along < last ? (int32_t)cell->along : last;
    return last >= 0 && river->nodes[node > 0 ? node : 0].pond > 0.0;
}

typedef struct pond_flood
{
    wadi_graded* graded;
    wadi_radix_heap heap;
    int32_t* spill; // [units] level over which water of a cell leaves the map, or GRADED_DRY
    int32_t* stack; // of cells
} pond_flood;

// The cell beside another, or -1.
static int64_t pond_beside(const wadi_ground* ground, int64_t cell, int32_t way)
{
    const int32_t x = (int32_t)(cell % ground->width) + way % 3 - 1;
    const int32_t y = (int32_t)(cell / ground->width) + way / 3 - 1;
    const bool inside = x >= 0 && y >= 0 && x < ground->width && y < ground->height;
    const int64_t n = (int64_t)y * ground->width + x;
    return inside && ground->valid[n] != 0 ? n : -1;
}

static wadi_result pond_reach(pond_flood* flood, int64_t cell, int32_t level)
{
    // over the sill the water of the river is as good as ground
    const wadi_graded* graded = flood->graded;
    const int64_t surface =
        (int64_t)wadi_ground_surface(graded->ground, cell) + graded->depth[cell];
    const int64_t spill = surface > level ? surface : level;
    flood->spill[cell] = spill < INT32_MAX ? (int32_t)spill : INT32_MAX;
    return wadi_radix_heap_push(graded->context, &flood->heap,
                                (uint32_t)flood->spill[cell] ^ 0x80000000u, (uint32_t)cell);
}

// Does a river enter over a side? Its valley goes on there, so no lake leaves over it.
static bool pond_is_entry(const wadi_graded* graded, double off_west, double off_north)
{
    const wadi_ground* ground = graded->ground;
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        const riverbed_emitter* e = &graded->rivers[i].emitter;
        const double x = off_west < 0.0 ? e->x : ground->width - 1.0 - e->x;
        const double y = off_north < 0.0 ? e->y : ground->height - 1.0 - e->y;
        if ((off_west != 0.0 && x < 1.0) || (off_north != 0.0 && y < 1.0))
        {
            return true;
        }
    }
    return false;
}

// Does water leave the map from a cell?
static bool pond_is_rim(const wadi_graded* graded, int64_t cell)
{
    const wadi_ground* ground = graded->ground;
    bool rim = false;
    for (int32_t way = 0; way < 9; ++way)
    {
        const int32_t x = (int32_t)(cell % ground->width) + way % 3 - 1;
        const int32_t y = (int32_t)(cell / ground->width) + way / 3 - 1;
        const double east = x < 0 ? -1.0 : x >= ground->width ? 1.0 : 0.0;
        const double south = y < 0 ? -1.0 : y >= ground->height ? 1.0 : 0.0;
        const bool edge = east != 0.0 || south != 0.0;
        rim = rim ||
              (edge ? !pond_is_entry(graded, east, south) : pond_beside(ground, cell, way) < 0);
    }
    return rim;
}

// Priority flood from the rim of the ground.
static wadi_result pond_find_spills(pond_flood* flood)
{
    const wadi_ground* ground = flood->graded->ground;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        flood->spill[c] = GRADED_DRY;
        if (ground->valid[c] != 0 && pond_is_rim(flood->graded, c))
        {
            WADI_TRY(pond_reach(flood, c, GRADED_DRY));
        }
    }
    while (flood->heap.count > 0)
    {
        uint32_t from;
        WADI_TRY(wadi_radix_heap_pop(flood->graded->context, &flood->heap, &from));
        for (int32_t way = 0; way < 9; ++way)
        {
            const int64_t n = pond_beside(ground, (int64_t)from, way);
            if (n >= 0 && flood->spill[n] == GRADED_DRY)
            {
                WADI_TRY(pond_reach(flood, n, flood->spill[from]));
            }
        }
    }
    return WADI_OK;
}

// Fill a cell up to the level of a pond, or to that of a lower divide, if it is dry and lies below.
static bool pond_wet(const pond_flood* flood, int64_t cell, int32_t level, wadi_tally* tally)
{
    wadi_graded* graded = flood->graded;
    const int32_t top = level < flood->spill[cell] ? level : flood->spill[cell];
    if (graded->depth[cell] != 0 || wadi_ground_surface(graded->ground, cell) >= top)
    {
        return false;
    }
    wadi_graded_pour_cell(graded, cell, top, tally);
    return true;
}

// Fill a pond from one of its cells on.
static void pond_fill(const pond_flood* flood, int64_t start, int32_t level, wadi_tally* tally)
{
    const wadi_ground* ground = flood->graded->ground;
    int64_t count = 0;
    if (pond_wet(flood, start, level, tally))
    {
        flood->stack[count++] = (int32_t)start;
    }
    while (count > 0)
    {
        const int64_t from = flood->stack[--count];
        for (int32_t way = 0; way < 9; ++way)
        {
            const int64_t n = pond_beside(ground, from, way);
            if (n >= 0 && pond_wet(flood, n, level, tally))
            {
                flood->stack[count++] = (int32_t)n;
            }
        }
    }
}

static void pond_fill_all(const pond_flood* flood, wadi_tally* tally)
{
    const wadi_graded* graded = flood->graded;
    for (int64_t i = 0; i < graded->corridor.count; ++i)
    {
        const graded_cell* cell = &graded->corridor.cells[i];
        if (wadi_graded_is_pond(graded, cell))
        {
            pond_fill(flood, cell->cell, cell->level, tally);
        }
    }
}

wadi_result wadi_graded_pour_ponds(wadi_graded* graded, wadi_tally* tally)
{
    bool any = false;
    for (int64_t i = 0; i < graded->corridor.count && !any; ++i)
    {
        any = wadi_graded_is_pond(graded, &graded->corridor.cells[i]);
    }
    if (!any)
    {
        return WADI_OK;
    }
    pond_flood flood = {.graded = graded};
    flood.spill = wadi_alloc(graded->context, (size_t)graded->ground->cells, sizeof *flood.spill);
    flood.stack = wadi_alloc(graded->context, (size_t)graded->ground->cells, sizeof *flood.stack);
    wadi_result result =
        flood.spill != NULL && flood.stack != NULL
            ? pond_find_spills(&flood)
            : wadi_fail_memory(graded->context, (size_t)graded->ground->cells * 4, "lakes");
    if (result == WADI_OK)
    {
        pond_fill_all(&flood, tally);
    }
    wadi_radix_heap_free(graded->context, &flood.heap);
    wadi_free(graded->context, flood.spill);
    wadi_free(graded->context, flood.stack);
    return result;
}
