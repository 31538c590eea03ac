// SPDX-License-Identifier: MIT
// Lakes and the turns of bands (streams_turns.c). Between two turns loads settle in a lake, from
// all mouths of the turn in their order, on cells anywhere in it. What is next to a lake sees its
// bed. So where loads settle after a turn, bands with or beside the lake wait with the next turn
// until all of them have had this one; then the loads settle. Lakes share no cell, so the order
// among them does not count: neither that of their loads nor that of visits elsewhere.
//
// The order is known before (streams_order.c), and with it the turns in which streams enter a lake.
// Small lakes hold the wave of turns up by a few bands, in the first turns. A lake or a sea as long
// as the grid makes all bands wait: there is no wave then.
//
// A lake is a set of cells of water of one kind that touch, over corners too. While lakes are found
// three arrays are free: of `landed` the cells of water, `change` and `outlets`.
#include "processes/hydraulic/streams.h"

#include "core/paging.h"
#include "core/union_find.h"

#include <string.h>

typedef struct shore_search
{
    streams* s;
    int32_t places;
    int32_t count;    // of labels
    int32_t* parent;  // by label: another of the same lake, or itself
    uint32_t* extent; // by label: the first place and the last
} shore_search;

// ---- extents -----------------------------------------------------------------------------

static inline int32_t shores_first(uint32_t extent)
{
    return (int32_t)(extent & 0xFFFF);
}

static inline int32_t shores_last(uint32_t extent)
{
    return (int32_t)(extent >> 16);
}

static uint32_t shores_of_both(uint32_t a, uint32_t b)
{
    const int32_t first = shores_first(a) < shores_first(b) ? shores_first(a) : shores_first(b);
    const int32_t last = shores_last(a) > shores_last(b) ? shores_last(a) : shores_last(b);
    return (uint32_t)first | (uint32_t)last << 16;
}

// ---- lakes -------------------------------------------------------------------------------

static int32_t shores_unite(const shore_search* search, int32_t a, int32_t b)
{
    const int32_t low = a < b ? a : b;
    const int32_t high = a < b ? b : a;
    search->parent[high] = low;
    search->extent[low] = shores_of_both(search->extent[low], search->extent[high]);
    return low;
}

// The label of a cell of water, by those of its neighbours before it.
static void shores_label(shore_search* search, int64_t cell, int32_t place)
{
    const streams* s = search->s;
    int32_t label = search->count;
    search->parent[label] = label;
    search->extent[label] = (uint32_t)place | (uint32_t)place << 16;
    const int32_t before = s->inside[cell] != 0 ? 4 : 0; // west to north-east, or any
    for (int32_t d = before; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && n < cell && s->kind[n] == s->kind[cell])
        {
            const int32_t there = wadi_root_of(search->parent, s->landed[n]);
            label = there != label ? shores_unite(search, label, there) : label;
        }
    }
    search->count += label == search->count ? 1 : 0;
    s->landed[cell] = label;
}

// Bands beside a lake count too.
static void shores_set_extent(const shore_search* search, int64_t cell)
{
    const uint32_t extent = search->extent[wadi_root_of(search->parent, search->s->landed[cell])];
    const int32_t first = shores_first(extent) > 0 ? shores_first(extent) - 1 : 0;
    const int32_t last = shores_last(extent) + 1;
    const int32_t end = last < search->places ? last : search->places - 1;
    const uint32_t wide = (uint32_t)first | (uint32_t)end << 16;
    memcpy(&search->s->landed[cell], &wide, sizeof wide);
}

// Label the water of a band, or set its extents.
static void shores_visit_band(shore_search* search, const stream_band* band, bool labelled)
{
    const streams* s = search->s;
    const size_t cells = (size_t)(band->last - band->first);
    wadi_expect(s->context, s->kind + band->first, cells);
    wadi_expect(s->context, s->inside + band->first, cells);
    wadi_expect(s->context, s->landed + band->first, cells * sizeof *s->landed);
    const int32_t place = wadi_streams_place_of(s, band->index);
    for (int64_t c = band->first; c < band->last; ++c)
    {
        if (s->kind[c] < STREAM_LAKE)
        {
            continue;
        }
        if (labelled)
        {
            shores_set_extent(search, c);
        }
        else
        {
            shores_label(search, c, place);
        }
    }
}

// ---- turns -------------------------------------------------------------------------------

// The water in which a load settles that a cell passes on; -1: in none.
static int64_t shores_water(const streams* s, int64_t cell)
{
    const int32_t to = s->to[cell];
    if (to == STREAM_STAYS)
    {
        return s->kind[cell] >= STREAM_LAKE ? cell : -1;
    }
    if (s->kind[cell] != STREAM_BED)
    {
        return -1;
    }
    const int64_t next = stream_neighbour(s, cell, to);
    return s->kind[next] == STREAM_LAKE ? next : -1;
}

static uint32_t shores_extent_at(const streams* s, int64_t water)
{
    uint32_t extent;
    memcpy(&extent, &s->landed[water], sizeof extent);
    return extent;
}

static void shores_note_band(const streams* s, const stream_band* band)
{
    const size_t cells = (size_t)(band->last - band->first);
    wadi_expect(s->context, band->order, (size_t)band->count * sizeof *band->order);
    wadi_expect(s->context, s->to + band->first, cells);
    int64_t i = 0;
    for (int32_t round = 0; round < STREAM_ROUNDS; ++round)
    {
        int32_t* shores =
            s->shores + (int64_t)(2 * round + band->index % 2) * wadi_streams_places(s);
        for (; i < band->ends[round]; ++i)
        {
            const int64_t water = shores_water(s, band->order[i]);
            if (water >= 0)
            {
                const uint32_t extent = shores_extent_at(s, water);
                const int32_t first = shores_first(extent);
                const int32_t last = shores_last(extent);
                shores[first] = shores[first] > last ? shores[first] : last;
            }
        }
    }
}

const int32_t* wadi_streams_find_shores(streams* s)
{
    if (s->shores == NULL)
    {
        return NULL;
    }
    shore_search search = {
        .s = s, .places = wadi_streams_places(s), .parent = s->change, .extent = s->outlets};
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        shores_visit_band(&search, &s->bands[t], false);
    }
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        shores_visit_band(&search, &s->bands[t], true);
    }
    memset(s->shores, 0, STREAM_TURNS * (size_t)search.places * sizeof *s->shores);
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        shores_note_band(s, &s->bands[t]);
    }
    return s->shores;
}

bool wadi_streams_is_open_shore(const stream_turns* turns, int64_t cell, int32_t done)
{
    if (turns->shores == NULL || done == wadi_streams_places(turns->s))
    {
        return false;
    }
    const int64_t water = shores_water(turns->s, cell);
    return water >= 0 && shores_last(shores_extent_at(turns->s, water)) >= done;
}
