// SPDX-License-Identifier: MIT
// Rivers of the terrain: process "riverbed" has made them, and streams bring their water.
//
// A terrain has the bankfull discharge of a river; the mean of the year is a share of it. The list
// is read at the begin of each step, so a solver keeps nothing of it. A river for which the table
// `inflow` has a row is left out, since the row has its water and load.
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <string.h>

// Half the width of a bed of `discharge`, in cells: 2 Q^0.5 as in riverbed, but no more than an
// eighth of the map, so that outlets are left.
static int32_t guest_banks(const streams* s, double discharge)
{
    const int32_t shorter = s->width < s->height ? s->width : s->height;
    return (int32_t)fmin(2.0 * sqrt(discharge) / s->cell + 0.5, shorter / 8);
}

static int32_t guests_find(const streams* s, const wadi_river* rivers, int32_t count,
                           stream_guest* guests)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_river* river = &rivers[i];
        const int64_t cell = wadi_hydraulic_cell_at(s->ground, river->x, river->y);
        if (cell >= 0 && s->ground->valid[cell] != 0 && !wadi_streams_has_inflow(s, river))
        {
            guests[found++] = (stream_guest){
                .cell = cell,
                .water = wadi_streams_water(river->discharge * s->params.river_share),
                .banks = guest_banks(s, river->discharge),
            };
        }
    }
    return found;
}

static bool guests_are_same(const stream_supply* supply, const stream_guest* guests, int32_t count)
{
    // without gates the memory for them was refused before
    bool same = count == supply->guest_count && (count == 0 || supply->gates != NULL);
    for (int32_t i = 0; same && i < count; ++i)
    {
        same = guests[i].cell == supply->guests[i].cell &&
               guests[i].water == supply->guests[i].water &&
               guests[i].banks == supply->guests[i].banks;
    }
    return same;
}

void wadi_streams_drop_guests(streams* s)
{
    wadi_free(s->context, s->supply.guests);
    s->supply.guests = NULL;
    s->supply.guest_count = 0;
}

static wadi_result guests_list(const streams* s, int32_t count, stream_guest** guests,
                               int32_t* found)
{
    wadi_river* rivers;
    WADI_ALLOC(s->context, rivers, count, "rivers of the terrain");
    (void)wadi_terrain_rivers(s->terrain, rivers, count);
    *guests = wadi_alloc(s->context, (size_t)count, sizeof **guests);
    *found = *guests != NULL ? guests_find(s, rivers, count, *guests) : 0;
    wadi_free(s->context, rivers);
    return *guests != NULL ? WADI_OK
                           : wadi_fail_memory(s->context, (size_t)count * sizeof **guests,
                                              "rivers of the terrain");
}

wadi_result wadi_streams_read_guests(streams* s)
{
    stream_supply* supply = &s->supply;
    const int32_t count =
        s->params.river_share > 0.0 ? wadi_terrain_rivers(s->terrain, NULL, 0) : 0;
    stream_guest* guests = NULL;
    int32_t found = 0;
    if (count > 0)
    {
        WADI_TRY(guests_list(s, count, &guests, &found));
    }
    if (guests_are_same(supply, guests, found))
    {
        wadi_free(s->context, guests);
        return WADI_OK;
    }
    wadi_streams_drop_guests(s);
    supply->guests = guests;
    supply->guest_count = found;
    return wadi_streams_set_gates(s);
}

// ---- gates -------------------------------------------------------------------------------

// Cells of the bed beside the place of entry are no outlets, or the river would leave over them.
static void gates_mark_banks(streams* s, const stream_guest* guest)
{
    const int64_t x = guest->cell % s->width;
    const int64_t y = guest->cell / s->width;
    const int64_t reach = guest->banks;
    for (int64_t row = y > reach ? y - reach : 0; row <= y + reach && row < s->height; ++row)
    {
        for (int64_t at = x > reach ? x - reach : 0; at <= x + reach && at < s->width; ++at)
        {
            s->supply.gates[row * s->width + at] = STREAM_BANK;
        }
    }
}

wadi_result wadi_streams_set_gates(streams* s)
{
    stream_supply* supply = &s->supply;
    const bool any = supply->river_count + supply->guest_count > 0;
    if (any && supply->gates == NULL)
    {
        WADI_ALLOC(s->context, supply->gates, s->cells, "places of rivers");
    }
    if (!any)
    {
        wadi_free(s->context, supply->gates);
        supply->gates = NULL;
    }
    else
    {
        memset(supply->gates, 0, (size_t)s->cells);
    }
    for (int32_t i = 0; i < supply->guest_count; ++i)
    {
        gates_mark_banks(s, &supply->guests[i]);
    }
    for (int32_t i = 0; i < supply->guest_count; ++i)
    {
        supply->gates[supply->guests[i].cell] = STREAM_GATE;
    }
    for (int32_t i = 0; i < supply->river_count; ++i)
    {
        supply->gates[supply->rivers[i].cell] = STREAM_GATE;
    }
    wadi_streams_outline(s);
    return WADI_OK;
}
