// SPDX-License-Identifier: MIT
// Books of the water of rivers, in whole units from the table to where parcels end.
//
// The water of a step is that of the table. It is shared among rounds by the size of their floods,
// and among the parcels of a round alike. Books follow each parcel to its end, so water that were
// forgotten on the way would be a residual. Nothing is under way between rounds.
//
// Rivers of streams (streams_plains.c) bring no water of their own: streams book it.
#include "process/figure_row.h"
#include "processes/hydraulic/alluvial.h"
#include "terrain/terrain.h"

#include <math.h>
#include <string.h>

// Most water of all rivers of a terrain [units x cells]; sums of the ledger fit 64 bits.
static const int64_t water_most = (int64_t)1 << 62;

int64_t wadi_alluvial_water_units(const alluvial* a, double volume)
{
    const double units = volume * WADI_UNITS_PER_METRE / (a->cell * a->cell);
    return units < (double)water_most ? (int64_t)(units + 0.5) : water_most;
}

wadi_result wadi_alluvial_check_water(const alluvial* a, double until)
{
    // the ledger has the water of solvers before this one too
    const wadi_tally* books = wadi_terrain_account(a->terrain, "hydraulic");
    const double booked = books != NULL ? (double)books->in[WADI_MATERIAL_WATER] : 0.0;
    double sum = fmax(booked, (double)a->water[ALLUVIAL_BROUGHT]);
    for (int32_t i = 0; i < a->river_count; ++i)
    {
        sum += (double)a->rivers[i].water;
    }
    WADI_CHECK(a->context, sum < (double)water_most, WADI_ERROR_RANGE,
               "rivers bring more water until the year %g than books of cells of %g m can hold; "
               "take larger cells, or rivers of less discharge",
               until, a->cell);
    return WADI_OK;
}

bool wadi_alluvial_is_water(const alluvial* a)
{
    int64_t rest = a->water[ALLUVIAL_BROUGHT];
    bool sound = rest >= 0 && rest <= water_most;
    for (int32_t i = ALLUVIAL_LEFT; i < ALLUVIAL_WATERS && sound; ++i)
    {
        sound = a->water[i] >= 0 && a->water[i] <= rest;
        rest -= sound ? a->water[i] : 0;
    }
    return sound && rest == 0;
}

void wadi_alluvial_pour(alluvial* a, int32_t river, int64_t water)
{
    const int32_t count = a->params.flood_parcels;
    a->tally.in[WADI_MATERIAL_WATER] += water;
    a->water[ALLUVIAL_BROUGHT] += water;
    for (int32_t i = 0; i < count; ++i)
    {
        a->fleet[(ptrdiff_t)river * count + i].water = wadi_alluvial_share(water, i, count);
    }
}

// Moves of a parcel before it came to the standing water in which it ends.
static int32_t water_shore(const alluvial* a, const alluvial_node* nodes, int32_t count)
{
    while (count > 0 && alluvial_still(a, nodes[count - 1].cell) >
                            wadi_ground_surface(a->ground, nodes[count - 1].cell))
    {
        count -= 1;
    }
    return count;
}

void wadi_alluvial_book_water(alluvial* a, const alluvial_parcel* parcel,
                              const alluvial_node* nodes, int32_t count)
{
    if (parcel->water == 0)
    {
        return;
    }
    const int32_t shore = water_shore(a, nodes, count);
    const double kept = (double)alluvial_kept(a, nodes, shore);
    const int64_t part = (int64_t)((double)parcel->water * kept);
    const int64_t left = kept < 1.0 ? part : parcel->water; // doubles may round up
    const bool leaves = shore == count && parcel->end != ALLUVIAL_WALK;
    const int32_t fate = leaves          ? ALLUVIAL_LEFT
                         : shore < count ? ALLUVIAL_INTO_SEA
                                         : ALLUVIAL_STRAYED;
    a->water[fate] += left;
    a->water[ALLUVIAL_SUNK] += parcel->water - left;
    a->tally.lost[WADI_MATERIAL_WATER] += parcel->water - (leaves ? left : 0);
    if (leaves)
    {
        a->tally.out[WADI_MATERIAL_WATER][parcel->end - ALLUVIAL_EXIT] += left;
    }
}

static wadi_figure water_figure(const alluvial* a, const char* name, int32_t which)
{
    const double area = a->cell * a->cell;
    const double volume = (double)a->water[which] / WADI_UNITS_PER_METRE * area;
    return wadi_figure_of(name, volume);
}

int32_t wadi_alluvial_water_figures(const alluvial* a, wadi_figure* rows)
{
    const wadi_figure all[] = {
        wadi_figure_of("rain", 0.0), // water in the ledger was brought by rivers
        water_figure(a, "inflow", ALLUVIAL_BROUGHT),
        water_figure(a, "outflow", ALLUVIAL_LEFT),
        water_figure(a, "into_sea", ALLUVIAL_INTO_SEA),
        water_figure(a, "infiltrated", ALLUVIAL_SUNK),
        water_figure(a, "strayed", ALLUVIAL_STRAYED),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}
