// SPDX-License-Identifier: MIT
// Lakes that lose water by evaporation.
//
// A lake that gains more than it loses stands at its sill and passes on what is left: its loss is
// taken from the cell that it spills into. One that gains less stands where the loss of its area is
// what it gains, and passes on nothing: it covers as many of the lowest cells of its hollow as its
// water can keep wet. Its cells are then outlets like those of the sea, and streams are routed
// anew, since what has fallen dry drains to it; hollows above it may turn out to be such lakes too.
//
// All parts of a hollow share one level, as if water seeped from one to the other.
#include "processes/hydraulic/streams.h"

#include <stdlib.h>
#include <string.h>

enum
{
    LAKES_PASSES = 8 // of loads from hollow to hollow
};

// A cell of a hollow, and its height [units].
typedef struct lake_cell
{
    int32_t height;
    int32_t cell;
} lake_cell;

// A hollow in which water stands.
typedef struct lake
{
    int64_t first; // of its cells in the pool
    int64_t count;
    int64_t wet;    // cells under water, when full
    int64_t spill;  // the cell that it spills into, or -1
    int64_t beyond; // and the next on the way from there, or -1
    int32_t sill;   // [units]
    int64_t gain;   // water that has come in [units of discharge]
    int64_t load;   // that finds no room under the water [units x cells]
    bool closed;    // it spills nowhere
    double covers;  // closed: cells under water, and a part of one
    int32_t level;  // closed [units]
} lake;

struct stream_lakes
{
    int32_t* label; // of a cell: 1 + its lake, or 0
    lake_cell* pool;
    int64_t used; // of the pool
    lake* lakes;
    int64_t room;
    int64_t count;
    int64_t closed;
};

// Loss of a cell under water [units of discharge].
static double lakes_loss(const streams* s)
{
    return s->params.lake_evaporation * s->cell * s->cell * STREAM_WATER;
}

static bool lakes_are_used(const streams* s)
{
    return s->params.lake_evaporation > 0.0;
}

// ---- memory ------------------------------------------------------------------------------

void wadi_streams_lakes_free(streams* s)
{
    if (s->lakes != NULL)
    {
        wadi_free(s->context, s->lakes->label);
        wadi_free(s->context, s->lakes->pool);
        wadi_free(s->context, s->lakes->lakes);
        wadi_free(s->context, s->lakes);
    }
}

wadi_result wadi_streams_lakes_begin(streams* s)
{
    if (!lakes_are_used(s))
    {
        return WADI_OK;
    }
    if (s->lakes == NULL)
    {
        WADI_ALLOC(s->context, s->lakes, 1, "lakes");
    }
    stream_lakes* l = s->lakes;
    if (l->label == NULL)
    {
        WADI_ALLOC(s->context, l->label, s->cells, "lakes");
    }
    if (l->pool == NULL)
    {
        WADI_ALLOC(s->context, l->pool, (STREAM_LAKE_ROUNDS + 1) * s->cells, "lakes");
    }
    memset(l->label, 0, (size_t)s->cells * sizeof *l->label);
    l->used = 0;
    l->count = 0;
    l->closed = 0;
    return WADI_OK;
}

static wadi_result lakes_add(streams* s, lake** out)
{
    stream_lakes* l = s->lakes;
    WADI_GROW(s->context, l->lakes, l->count, l->room, 64, "lakes");
    *out = &l->lakes[l->count++];
    **out = (lake){.first = l->used, .spill = -1, .beyond = -1, .sill = INT32_MAX};
    return WADI_OK;
}

// ---- finding lakes -----------------------------------------------------------------------

static bool lakes_is_flooded(const streams* s, int64_t cell)
{
    const int64_t padded = stream_padded_of(s, cell);
    return s->rim[cell] == 0 && s->spill[padded] > s->surface[padded];
}

static void lakes_take(streams* s, lake* found, int64_t cell)
{
    stream_lakes* l = s->lakes;
    l->label[cell] = (int32_t)l->count;
    l->pool[l->used++] = (lake_cell){s->surface[stream_padded_of(s, cell)], (int32_t)cell};
    found->count += 1;
    found->wet += s->wet[cell] != 0 ? 1 : 0;
}

// The flooded cells around a wet one, which the pool lists in the order of the search.
static void lakes_gather(streams* s, lake* found, int64_t start)
{
    stream_lakes* l = s->lakes;
    lakes_take(s, found, start);
    int64_t lowest = start;
    for (int64_t i = found->first; i < l->used; ++i)
    {
        const int64_t cell = l->pool[i].cell;
        const int32_t level = s->spill[stream_padded_of(s, cell)];
        const int32_t least = s->spill[stream_padded_of(s, lowest)];
        lowest = level < least || (level == least && cell < lowest) ? cell : lowest;
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = stream_neighbour(s, cell, d);
            if (n >= 0 && l->label[n] == 0 && lakes_is_flooded(s, n))
            {
                lakes_take(s, found, n);
            }
        }
    }
    // its lowest level is next to the sill
    found->sill = s->spill[stream_padded_of(s, lowest)];
    found->spill = s->to[lowest] != STREAM_STAYS ? stream_neighbour(s, lowest, s->to[lowest]) : -1;
    const int32_t on = found->spill >= 0 ? s->to[found->spill] : STREAM_STAYS;
    found->beyond = on != STREAM_STAYS ? stream_neighbour(s, found->spill, on) : found->spill;
}

// Forget the lakes that spill: the routes are new.
static void lakes_forget_open(streams* s)
{
    stream_lakes* l = s->lakes;
    l->count = l->closed;
    l->used = l->closed > 0 ? l->lakes[l->closed - 1].first + l->lakes[l->closed - 1].count : 0;
    memset(l->label, 0, (size_t)s->cells * sizeof *l->label);
    for (int64_t k = 0; k < l->closed; ++k)
    {
        const lake* basin = &l->lakes[k];
        for (int64_t i = basin->first; i < basin->first + basin->count; ++i)
        {
            const int32_t cell = l->pool[i].cell;
            l->label[cell] = s->rim[cell] == STREAM_PLAYA ? (int32_t)k + 1 : l->label[cell];
        }
    }
}

// A land without outlets is one hollow: all of it that is in no lake drains to its lowest cell.
static wadi_result lakes_find_sink(streams* s)
{
    lake* found;
    WADI_TRY(lakes_add(s, &found));
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (s->lakes->label[c] == 0 && s->rim[c] == 0)
        {
            lakes_take(s, found, c);
        }
    }
    found->wet = found->count;
    return WADI_OK;
}

wadi_result wadi_streams_find_lakes(streams* s)
{
    if (!lakes_are_used(s))
    {
        return WADI_OK;
    }
    lakes_forget_open(s);
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (s->wet[c] != 0 && s->lakes->label[c] == 0 && lakes_is_flooded(s, c))
        {
            lake* found;
            WADI_TRY(lakes_add(s, &found));
            lakes_gather(s, found, c);
        }
    }
    return s->sink >= 0 ? lakes_find_sink(s) : WADI_OK;
}

// A lake's loss comes out of the water of the cell that it spills into, as far as that goes.
void wadi_streams_lose_water(streams* s)
{
    for (int64_t k = 0; lakes_are_used(s) && k < s->lakes->count; ++k)
    {
        const lake* basin = &s->lakes->lakes[k];
        if (!basin->closed && basin->spill >= 0)
        {
            s->water[basin->spill] -= (int64_t)((double)basin->wet * lakes_loss(s));
        }
    }
}

// ---- levels ------------------------------------------------------------------------------

// Water that a cell gives away to cells of other labels.
static int64_t lakes_give(const streams* s, int64_t cell)
{
    const int32_t label = s->lakes->label[cell];
    const int32_t a = s->ways[cell] & 15;
    const int32_t b = s->ways[cell] >> 4;
    const int64_t to_b =
        b != STREAM_STAYS ? (int64_t)((double)s->water[cell] * (double)s->share[cell]) : 0;
    const bool leaves_b =
        b != STREAM_STAYS && s->lakes->label[stream_neighbour(s, cell, b)] != label;
    const bool leaves_a =
        a == STREAM_STAYS || s->lakes->label[stream_neighbour(s, cell, a)] != label;
    return (leaves_b ? to_b : 0) + (leaves_a ? s->water[cell] - to_b : 0);
}

// What came into a lake: what its cells pass on to others, or hold at the end of their way.
static int64_t lakes_gain(const streams* s, int64_t k)
{
    const lake* basin = &s->lakes->lakes[k];
    int64_t sum = 0;
    for (int64_t i = basin->first; i < basin->first + basin->count; ++i)
    {
        const int32_t cell = s->lakes->pool[i].cell;
        sum += s->lakes->label[cell] == (int32_t)k + 1 ? lakes_give(s, cell) : 0;
    }
    return sum;
}

static int lakes_compare(const void* a, const void* b)
{
    const lake_cell* x = a;
    const lake_cell* y = b;
    if (x->height != y->height)
    {
        return x->height < y->height ? -1 : 1;
    }
    return x->cell < y->cell ? -1 : 1;
}

// The level at which a lake loses what it gains; between two cells it rises with the water. Cells
// below it become outlets. A hollow that keeps not even one cell wet is a pan: its lowest cell.
static void lakes_stand(streams* s, int64_t k)
{
    lake* basin = &s->lakes->lakes[k];
    const lake_cell* cells = s->lakes->pool + basin->first;
    const double covered = (double)basin->gain / lakes_loss(s);
    basin->covers = covered;
    const int64_t most = basin->count - 1;
    const int64_t whole = covered < (double)most ? (int64_t)covered : most;
    const double part = covered < (double)most ? covered - (double)whole : 1.0;
    const int32_t low = cells[whole > 0 ? whole - 1 : 0].height;
    basin->level = low + (int32_t)(part * (double)(cells[whole].height - low));
    for (int64_t i = 0; i < basin->count; ++i)
    {
        const bool under = cells[i].height < basin->level || i == 0;
        s->rim[cells[i].cell] = under ? STREAM_PLAYA : 0;
        s->lakes->label[cells[i].cell] = under ? (int32_t)k + 1 : 0;
    }
}

// Closed lakes stand first in the list.
static void lakes_close(streams* s, int64_t k)
{
    stream_lakes* l = s->lakes;
    const lake found = l->lakes[k];
    // its cells move down behind those of the lakes that were closed before
    const int64_t first =
        l->closed > 0 ? l->lakes[l->closed - 1].first + l->lakes[l->closed - 1].count : 0;
    memmove(l->pool + first, l->pool + found.first, (size_t)found.count * sizeof *l->pool);
    lake* basin = &l->lakes[l->closed];
    *basin = found;
    basin->first = first;
    basin->closed = true;
    qsort(l->pool + first, (size_t)found.count, sizeof *l->pool, lakes_compare);
    l->closed += 1;
}

// Closed lakes whose water is other than it was stand anew.
static bool lakes_stand_anew(streams* s, int64_t count)
{
    bool changes = false;
    for (int64_t k = 0; k < count; ++k)
    {
        const lake* basin = &s->lakes->lakes[k];
        const double covered = (double)basin->gain / lakes_loss(s);
        const double less = covered - basin->covers;
        if (less > 0.5 || less < -0.5)
        {
            lakes_stand(s, k);
            changes = true;
        }
    }
    return changes;
}

// Close the lakes after the first `before` that gain too little.
static void lakes_close_all(streams* s, int64_t before, bool last)
{
    stream_lakes* l = s->lakes;
    for (int64_t k = before; k < l->count; ++k)
    {
        const int64_t loss = (int64_t)((double)l->lakes[k].wet * lakes_loss(s));
        if (l->lakes[k].gain < loss && !last)
        {
            lakes_close(s, k);
        }
    }
}

bool wadi_streams_close_lakes(streams* s, bool last)
{
    if (!lakes_are_used(s))
    {
        return false;
    }
    stream_lakes* l = s->lakes;
    const int64_t before = l->closed;
    for (int64_t k = 0; k < l->count; ++k)
    {
        l->lakes[k].gain = lakes_gain(s, k);
    }
    const bool changes = !last && lakes_stand_anew(s, before);
    lakes_close_all(s, before, last);
    for (int64_t k = before; k < l->closed; ++k)
    {
        lakes_stand(s, k);
    }
    return changes || l->closed > before;
}

int64_t wadi_streams_evaporated(const streams* s)
{
    int64_t sum = 0;
    for (int64_t k = 0; wadi_streams_has_closed(s) && k < s->lakes->closed; ++k)
    {
        sum += s->lakes->lakes[k].gain;
    }
    return sum;
}

bool wadi_streams_has_closed(const streams* s)
{
    return lakes_are_used(s) && s->lakes != NULL && s->lakes->closed > 0;
}

void wadi_streams_cover_closed(streams* s)
{
    if (!s->has_sea)
    {
        memcpy(s->top, s->surface, (size_t)s->stride * (size_t)(s->height + 2) * sizeof *s->top);
    }
    for (int64_t k = 0; k < s->lakes->closed; ++k)
    {
        const lake* basin = &s->lakes->lakes[k];
        for (int64_t i = basin->first; i < basin->first + basin->count; ++i)
        {
            const lake_cell at = s->lakes->pool[i];
            if (s->lakes->label[at.cell] == (int32_t)k + 1)
            {
                s->top[stream_padded_of(s, at.cell)] =
                    at.height < basin->level ? basin->level : at.height;
            }
        }
    }
    wadi_streams_ghosts(s, s->top);
}

// ---- loads -------------------------------------------------------------------------------

void wadi_streams_lake_load(streams* s, int64_t cell, int64_t load)
{
    s->lakes->lakes[s->lakes->label[cell] - 1].load += load;
}

static int64_t lakes_fill_volume(const streams* s, const lake* basin, int64_t fill)
{
    int64_t volume = 0;
    for (int64_t i = 0; i < basin->count; ++i)
    {
        const int32_t bed = s->bed[s->lakes->pool[basin->first + i].cell];
        volume += bed < fill ? fill - bed : 0;
    }
    return volume;
}

// Fill the lowest ground of a hollow up to a level, at most to its sill; the rest stays its load.
static void lakes_fill(streams* s, lake* basin, int64_t sill)
{
    int64_t low = -(INT64_C(1) << 33); // reached
    int64_t high = sill + 1;           // not reached, or not allowed
    while (high - low > 1)
    {
        const int64_t middle = low + (high - low) / 2;
        const bool fits = lakes_fill_volume(s, basin, middle) <= basin->load;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    int64_t odd = low < sill ? basin->load - lakes_fill_volume(s, basin, low) : 0;
    for (int64_t i = 0; i < basin->count; ++i)
    {
        const int64_t cell = s->lakes->pool[basin->first + i].cell;
        const int64_t room = low - s->bed[cell];
        const int64_t laid = room >= 0 ? room + (odd > 0 ? 1 : 0) : 0;
        odd -= room >= 0 && odd > 0 ? 1 : 0;
        stream_lay(s, cell, laid, &s->tally);
        s->drop[cell] += s->drop[cell] < 0 ? (int32_t)laid : 0;
        basin->load -= laid;
    }
}

// What a hollow cannot hold goes on over its sill: to the sea, to another hollow, or off the map.
static void lakes_pass_on(streams* s, lake* basin)
{
    int64_t cell = basin->beyond;
    while (cell >= 0 && s->to[cell] != STREAM_STAYS)
    {
        cell = stream_neighbour(s, cell, s->to[cell]);
    }
    const int64_t load = basin->load;
    if (cell < 0 || s->rim[cell] == 0 || load == 0)
    {
        return;
    }
    basin->load = 0;
    if (s->rim[cell] == STREAM_PLAYA)
    {
        wadi_streams_lake_load(s, cell, load);
    }
    else if (s->rim[cell] == STREAM_SEA)
    {
        s->afloat += wadi_streams_settle(s, cell, load);
    }
    else
    {
        s->tally.out[WADI_MATERIAL_SEDIMENT][stream_side(s->rim[cell])] += load;
    }
}

// What settled nowhere lies on the lowest ground: a playa. Hollows that hand loads to each other in
// a ring keep them at last, above their sills.
void wadi_streams_fill_pans(streams* s)
{
    const int64_t count = wadi_streams_has_closed(s) ? s->lakes->closed : 0;
    for (int32_t pass = 0; pass <= LAKES_PASSES; ++pass)
    {
        for (int64_t k = 0; k < count; ++k)
        {
            lake* basin = &s->lakes->lakes[k];
            const bool last = pass == LAKES_PASSES;
            if (basin->load > 0)
            {
                lakes_fill(s, basin, last ? INT64_C(1) << 33 : basin->sill);
                lakes_pass_on(s, basin);
            }
        }
    }
}
