// SPDX-License-Identifier: MIT
// Lakes: depressions hold water up to their sill, lose some by evaporation and spill the excess.
// The volume of a lake is in units x cells. Parcels that reach its sill are added to the volume,
// and spilled water becomes new parcels in the next batch.
#include "core/dmath.h"
#include "processes/hydraulic/parcel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- finding -----------------------------------------------------------------------------

static wadi_result lakes_add(parcel_level* level, int32_t* index)
{
    WADI_GROW(level->context, level->lakes, level->lake_count, level->lake_capacity, 256, "lakes");
    *index = level->lake_count++;
    level->lakes[*index] = (parcel_lake){.exit = -1, .lowest = -1};
    return WADI_OK;
}

// Depth of water of a cell when every depression is full [units].
static int32_t lakes_depth(const parcel_level* level, int64_t padded)
{
    return level->spare[padded] - level->surface[padded];
}

static int64_t lakes_padded(const parcel_level* level, int64_t cell)
{
    return parcel_padded_index(level, (int32_t)(cell % level->width),
                               (int32_t)(cell / level->width));
}

// Add a cell to a lake: its volume, the deepest point, and the spill point.
static void lakes_count_cell(const parcel_level* level, parcel_lake* lake, int64_t cell,
                             int32_t* exit_height)
{
    const int64_t padded = lakes_padded(level, cell);
    lake->cells += 1;
    lake->capacity += lakes_depth(level, padded);
    if (lake->lowest < 0 ||
        level->surface[padded] < level->surface[lakes_padded(level, lake->lowest)])
    {
        lake->lowest = cell;
    }
    const int32_t x = (int32_t)(cell % level->width);
    const int32_t y = (int32_t)(cell / level->width);
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t ghost = padded + parcel_dx[d] + (int64_t)parcel_dy[d] * level->stride;
        const int32_t route_height = level->route_surface[ghost];
        const int32_t standing = level->spare[ghost];
        const bool sill = standing == lake->level && lakes_depth(level, ghost) <= 0;
        if ((sill || standing < lake->level) && route_height < *exit_height)
        {
            // of the neighbours beyond the sill, the lowest route surface is the spill point
            *exit_height = route_height;
            lake->exit = parcel_neighbour(level, x, y, d);
        }
    }
}

// Label all cells that are connected to `first` by water at the same level.
static void lakes_trace(parcel_level* level, int32_t index, int64_t first, int64_t* stack)
{
    parcel_lake* lake = &level->lakes[index];
    int64_t size = 0;
    int32_t exit_height = PARCEL_WALL;
    lake->level = level->spare[lakes_padded(level, first)];
    level->label[first] = index + 1;
    stack[size++] = first;
    while (size > 0)
    {
        const int64_t cell = stack[--size];
        const int64_t padded = lakes_padded(level, cell);
        lakes_count_cell(level, lake, cell, &exit_height);
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t ghost = padded + parcel_dx[d] + (int64_t)parcel_dy[d] * level->stride;
            if (level->spare[ghost] != lake->level || lakes_depth(level, ghost) <= 0)
            {
                continue;
            }
            const int64_t next = parcel_neighbour(level, (int32_t)(cell % level->width),
                                                  (int32_t)(cell / level->width), d);
            if (level->label[next] == 0)
            {
                level->label[next] = index + 1;
                stack[size++] = next;
            }
        }
    }
}

static wadi_result lakes_trace_all(parcel_level* level, int64_t* stack)
{
    for (int64_t cell = 0; cell < level->cells; ++cell)
    {
        const bool here = level->rim[cell] != PARCEL_VOID;
        if (here && level->label[cell] == 0 && lakes_depth(level, lakes_padded(level, cell)) > 0)
        {
            int32_t index = 0;
            WADI_TRY(lakes_add(level, &index));
            lakes_trace(level, index, cell, stack);
        }
    }
    return WADI_OK;
}

// ---- water that was there ----------------------------------------------------------------

// Water of a vanished lake, or water outside lakes, runs off as parcels from its cell.
static void lakes_run_off(parcel_level* level, int64_t cell, int64_t units)
{
    const int64_t weights = level->weight_units > 0 ? units / level->weight_units : 0;
    level->lake_lost += units - weights * level->weight_units; // less than a parcel: lost
    if (weights == 0)
    {
        return;
    }
    wadi_parcel_walk_wait(level, cell, weights, 0);
}

static void lakes_hand_over(parcel_level* level, const parcel_lake* old, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t label = level->label[old[i].lowest];
        if (label > 0)
        {
            level->lakes[label - 1].stored += old[i].stored;
        }
        else if (old[i].stored > 0)
        {
            lakes_run_off(level, old[i].lowest, old[i].stored);
        }
    }
}

// Add the water layer to the volumes of the lakes; it is written back when the years are over.
static void lakes_take_layer(parcel_level* level)
{
    for (int64_t cell = 0; cell < level->cells; ++cell)
    {
        const int32_t units = level->ground->water[cell];
        if (units == 0)
        {
            continue;
        }
        level->ground->water[cell] = 0;
        level->tally.eroded[WADI_MATERIAL_WATER] += units;
        if (level->label[cell] > 0)
        {
            level->lakes[level->label[cell] - 1].stored += units;
        }
        else
        {
            lakes_run_off(level, cell, units);
        }
    }
}

// Find the lakes again. The caller transfers the water of the old ones.
static wadi_result lakes_find(parcel_level* level)
{
    level->lakes = NULL;
    level->lake_count = 0;
    level->lake_capacity = 0;
    memset(level->label, 0, (size_t)level->cells * sizeof *level->label);
    int64_t* stack;
    WADI_ALLOC(level->context, stack, level->cells, "lakes");
    const wadi_result result = lakes_trace_all(level, stack);
    wadi_free(level->context, stack);
    return result;
}

wadi_result wadi_parcel_lakes_label(parcel_level* level)
{
    WADI_TRY(wadi_parcel_flood(level, 0, 0, level->spare));
    parcel_lake* old = level->lakes;
    const int32_t old_count = level->lake_count;
    const wadi_result result = lakes_find(level);
    if (result != WADI_OK)
    {
        wadi_free(level->context, level->lakes);
        level->lakes = old; // with their volumes
        level->lake_count = old_count;
        return result;
    }
    lakes_hand_over(level, old, old_count);
    lakes_take_layer(level);
    wadi_free(level->context, old);
    return WADI_OK;
}

// ---- living ------------------------------------------------------------------------------

// Number of wet cells now. Volume is proportional to depth^p and area to depth^(p-1) (Hayashi & van
// der Kamp 2000); p is known from the full lake. With the area of the full lake, a lake without
// outflow would dry up instead of shrinking until evaporation equals inflow.
static double lakes_wet_cells(const parcel_level* level, const parcel_lake* lake)
{
    const double full = (double)lake->capacity;
    const double part = (double)lake->stored / full;
    if (part >= 1.0)
    {
        return (double)lake->cells;
    }
    const double deepest = lake->level - level->surface[lakes_padded(level, lake->lowest)];
    const double p = deepest * (double)lake->cells / full;
    return p > 1.0 ? (double)lake->cells * wadi_pow(part, (p - 1.0) / p) : (double)lake->cells;
}

static void lakes_spill_one(parcel_level* level, parcel_lake* lake)
{
    const int64_t arrived = atomic_exchange_explicit(&lake->arrived, 0, memory_order_relaxed);
    lake->stored += arrived * level->weight_units;

    const double thirst = level->params->lake_evaporation > 0.0
                              ? level->params->lake_evaporation * level->dt * WADI_UNITS_PER_METRE *
                                    lakes_wet_cells(level, lake)
                              : 0.0;
    const int64_t dries = thirst < (double)lake->stored ? (int64_t)thirst : lake->stored;
    lake->stored -= dries;
    level->lake_lost += dries;
    const int64_t over = lake->stored - lake->capacity;
    if (over > 0 && level->weight_units > 0 && lake->exit >= 0)
    {
        const int64_t whole = over / level->weight_units * level->weight_units;
        lake->stored -= whole;
        lakes_run_off(level, lake->exit, whole);
    }
}

void wadi_parcel_lakes_spill(parcel_level* level)
{
    for (int32_t i = 0; level->label != NULL && i < level->lake_count; ++i)
    {
        lakes_spill_one(level, &level->lakes[i]);
    }
}

// ---- writing back ------------------------------------------------------------------------

// Cells of all lakes, sorted by lake: lake i has entries [begin[i], begin[i + 1]).
typedef struct lakes_list
{
    int64_t* begin;
    int64_t* cells;
} lakes_list;

static wadi_result lakes_list_fill(parcel_level* level, lakes_list* list)
{
    WADI_ALLOC(level->context, list->begin, level->lake_count + 1, "lakes");
    for (int64_t c = 0; c < level->cells; ++c)
    {
        list->begin[level->label[c]] += level->label[c] > 0 ? 1 : 0;
    }
    for (int32_t i = 1; i <= level->lake_count; ++i)
    {
        list->begin[i] += list->begin[i - 1];
    }
    WADI_ALLOC(level->context, list->cells, list->begin[level->lake_count] + 1, "lakes");
    for (int64_t c = 0; c < level->cells; ++c)
    {
        if (level->label[c] > 0)
        {
            list->cells[list->begin[level->label[c] - 1]++] = c;
        }
    }

    // filling has shifted each begin to the next; shift them back
    for (int32_t i = level->lake_count; i > 0; --i)
    {
        list->begin[i] = list->begin[i - 1];
    }
    list->begin[0] = 0;
    return WADI_OK;
}

static int64_t lakes_volume_at(const parcel_level* level, const int64_t* cells, int64_t count,
                               int32_t fill)
{
    int64_t volume = 0;
    for (int64_t i = 0; i < count; ++i)
    {
        const int32_t h = level->surface[lakes_padded(level, cells[i])];
        volume += h < fill ? fill - h : 0;
    }
    return volume;
}

// Highest level that the stored water fills.
static int32_t lakes_find_level(const parcel_level* level, const parcel_lake* lake,
                                const int64_t* cells, int64_t count)
{
    if (lake->stored >= lake->capacity)
    {
        return lake->level;
    }
    int32_t low = level->surface[lakes_padded(level, lake->lowest)]; // its volume, 0, fits
    int32_t high = lake->level;                                      // the volume below it does not
    while (high - low > 1)
    {
        const int32_t middle = low + (high - low) / 2;
        const bool fits = lakes_volume_at(level, cells, count, middle) <= lake->stored;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    return low;
}

static void lakes_write_one(parcel_level* level, const parcel_lake* lake, const int64_t* cells,
                            int64_t count)
{
    const int32_t fill = lakes_find_level(level, lake, cells, count);
    int64_t rest = lake->stored - lakes_volume_at(level, cells, count, fill);
    const bool full = fill == lake->level;
    for (int64_t i = 0; i < count; ++i)
    {
        const int32_t h = level->surface[lakes_padded(level, cells[i])];
        if (h <= fill)
        {
            // the remainder is less than a unit per wet cell; a full lake has no room for it
            const int32_t more = rest > 0 && !full ? 1 : 0;
            const int32_t depth = fill - h + more;
            rest -= more;
            level->ground->water[cells[i]] = depth;
            level->tally.deposited[WADI_MATERIAL_WATER] += depth;
        }
    }
    level->lake_lost += rest;
}

wadi_result wadi_parcel_lakes_write(parcel_level* level)
{
    lakes_list list = {0};
    const wadi_result result = lakes_list_fill(level, &list);
    for (int32_t i = 0; i < level->lake_count && result == WADI_OK; ++i)
    {
        lakes_write_one(level, &level->lakes[i], list.cells + list.begin[i],
                        list.begin[i + 1] - list.begin[i]);
        level->lakes[i].stored = 0;
    }
    wadi_free(level->context, list.begin);
    wadi_free(level->context, list.cells);
    return result;
}
