// SPDX-License-Identifier: MIT
// The order of the cells that no band has visited (streams_order.c), where the arrays lie in a
// file.
//
// These cells lie along the large rivers. The search that finds them goes down all rivers side by
// side, a cell of each in turn, so that each visit is far from the one before it and has its pages
// read again. Here the list gets another order, depth first: all of a river above a cell, then the
// cell. The order of two cells counts only where the visit of one writes what that of the other
// reads or writes. Visits reach the next cells, so that is where two cells are at most two apart.
// Loads settle anywhere in a lake, so it is also where both lie in or beside the same lake. Such
// cells keep their order, and each bit is the same.
#include "processes/hydraulic/streams.h"

#include "core/paging.h"
#include "core/union_find.h"

#include <string.h>

typedef struct rest_search
{
    const streams* s;
    const int32_t* list; // cells
    int32_t count;
    bool wraps_x;
    bool wraps_y;
    int32_t* place;  // by cell: where it is in the list, until it has its new place; else -1
    int32_t* parent; // by cell of water: another cell of its lake, or itself
    int32_t* last;   // by cell of water: the last place so far in or beside its lake, or -1
    int32_t* before; // by place: the place before it in or beside the same lake, or -1
    int32_t* stack;  // of places
    int32_t* out;    // cells in their new order
} rest_search;

// ---- lakes -------------------------------------------------------------------------------

static inline bool rest_is_water(const streams* s, int64_t cell)
{
    return s->wet[cell] != 0 || (s->rim[cell] >= STREAM_PLAYA && s->rim[cell] != STREAM_VOID);
}

static void rest_join(const rest_search* r, int64_t a, int64_t b)
{
    const int32_t x = wadi_root_of(r->parent, (int32_t)a);
    const int32_t y = wadi_root_of(r->parent, (int32_t)b);
    r->parent[x > y ? x : y] = x > y ? y : x;
}

// Cells of water that touch are one lake.
static void rest_find_lakes(const rest_search* r, const stream_band* band)
{
    const streams* s = r->s;
    const size_t cells = (size_t)(band->last - band->first);
    wadi_expect(s->context, s->wet + band->first, cells);
    wadi_expect(s->context, s->rim + band->first, cells);
    wadi_expect(s->context, s->inside + band->first, cells);
    wadi_expect(s->context, r->place + band->first, cells * sizeof *r->place);
    wadi_expect(s->context, r->parent + band->first, cells * sizeof *r->parent);
    wadi_expect(s->context, r->last + band->first, cells * sizeof *r->last);
    memset(r->place + band->first, 0xFF, cells * sizeof *r->place);
    for (int64_t c = band->first; c < band->last; ++c)
    {
        if (!rest_is_water(s, c))
        {
            continue;
        }
        r->parent[c] = (int32_t)c;
        r->last[c] = -1;
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = stream_neighbour(s, c, d);
            if (n >= 0 && n < c && rest_is_water(s, n))
            {
                rest_join(r, c, n);
            }
        }
    }
}

// A cell of water at or beside a cell, or -1. Lakes on both sides of it count as one.
static int32_t rest_water_beside(const rest_search* r, int64_t cell)
{
    const streams* s = r->s;
    int64_t water = rest_is_water(s, cell) ? cell : -1;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && rest_is_water(s, n))
        {
            rest_join(r, n, water >= 0 ? water : n);
            water = n;
        }
    }
    return (int32_t)water;
}

static void rest_chain(const rest_search* r)
{
    for (int32_t i = 0; i < r->count; ++i)
    {
        r->before[i] = rest_water_beside(r, r->list[i]);
        r->place[r->list[i]] = i;
    }
    for (int32_t i = 0; i < r->count; ++i)
    {
        if (r->before[i] >= 0)
        {
            int32_t* last = &r->last[wadi_root_of(r->parent, r->before[i])];
            r->before[i] = *last;
            *last = i;
        }
    }
}

// ---- order -------------------------------------------------------------------------------

// A column or row at a distance, across periodic edges; -1 beyond others.
static int32_t rest_at(int32_t from, int32_t by, int32_t size, bool wraps)
{
    const int32_t at = from + by;
    return at >= 0 && at < size ? at : wraps ? (at % size + size) % size : -1;
}

// The place of a cell that comes before that of a place, and has no new place yet; -1: none.
static int32_t rest_needs(const rest_search* r, int32_t place)
{
    enum
    {
        REACH = 2 // cells
    };
    const streams* s = r->s;
    const int32_t chained = r->before[place];
    if (chained >= 0 && r->place[r->list[chained]] >= 0)
    {
        return chained;
    }
    const int32_t x = r->list[place] % s->width;
    const int32_t y = r->list[place] / s->width;
    for (int32_t dy = -REACH; dy <= REACH; ++dy)
    {
        const int32_t row = rest_at(y, dy, s->height, r->wraps_y);
        for (int32_t dx = -REACH; dx <= REACH && row >= 0; ++dx)
        {
            const int32_t column = rest_at(x, dx, s->width, r->wraps_x);
            const int32_t there = column >= 0 ? r->place[(int64_t)row * s->width + column] : -1;
            if (there >= 0 && there < place)
            {
                return there;
            }
        }
    }
    return -1;
}

// From the lower ends of rivers: last cells first.
static void rest_order(const rest_search* r)
{
    int32_t done = 0;
    for (int32_t end = r->count - 1; end >= 0; --end)
    {
        int32_t depth = 0;
        r->stack[depth] = end;
        depth += r->place[r->list[end]] >= 0 ? 1 : 0;
        while (depth > 0)
        {
            const int32_t place = r->stack[depth - 1];
            const int32_t needs = rest_needs(r, place);
            if (needs >= 0)
            {
                r->stack[depth++] = needs; // places on the stack get less and less
                continue;
            }
            r->out[done++] = r->list[place];
            r->place[r->list[place]] = -1;
            depth -= 1;
        }
    }
}

// `room` has four numbers for each cell.
void wadi_streams_order_rest(streams* s)
{
    const int64_t count = s->rest.count;
    if (s->pages == NULL || count > s->cells / 3)
    {
        return;
    }
    int32_t* room = s->room;
    int32_t* lists = room + 3 * s->cells;
    const rest_search search = {
        .s = s,
        .list = s->rest.order,
        .count = (int32_t)count,
        .wraps_x = s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
        .place = room,
        .parent = room + s->cells,
        .last = room + 2 * s->cells,
        .before = lists,
        .stack = lists + count,
        .out = lists + 2 * count,
    };
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        rest_find_lakes(&search, &s->bands[t]);
    }
    rest_chain(&search);
    rest_order(&search);
    memcpy(s->rest.order, search.out, (size_t)count * sizeof *search.out);
}
