// SPDX-License-Identifier: MIT
// Order of the sweeps along streams, and the discharge.
//
// Each cell comes after all cells that drain to it (Kahn 1962). So that threads can share a sweep,
// rows are cut into bands. A sweep has rounds: first all even bands, side by side, then all odd
// ones. Each band visits the cells whose donors have all been visited; a cell that a band next to
// it sets free waits for the next turn of its own band. The bands of one turn are never neighbours,
// and a visit reads and writes only cells next to the one visited, so threads share no cell. What
// is left after the last round, a few large rivers, is visited by one thread.
//
// Bands and rounds depend on the grid alone, so the order, and with it every bit, does not depend
// on the number of threads.
//
// Water that ends in a lake is a case of its own: a load settles on cells far away from the mouth.
// A cell of a lake below a mouth is visited a round later than the mouth, and between the turns one
// thread settles the loads.
#include "core/prefetch.h"
#include "processes/hydraulic/streams.h"

#include <string.h>

enum
{
    ORDER_LATE = 0x80, // of `waits`: the cell of a lake that dry land drains to
    ORDER_COUNT = 0x7F
};

// ---- bands -------------------------------------------------------------------------------

// Bands of STREAM_BAND rows, the last up to twice as high; an even number of them where the first
// is next to the last.
wadi_result wadi_streams_cut_bands(streams* s)
{
    const int32_t most = s->height / STREAM_BAND;
    const bool ring = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const int32_t even = ring && most > 1 ? most & ~1 : most;
    s->band_count = even > 1 ? even : 1;
    s->ring_of_bands = ring && s->band_count > 1;
    WADI_ALLOC(s->context, s->bands, s->band_count, "bands of streams");
    WADI_ALLOC(s->context, s->inbox, (int64_t)s->band_count * 2 * s->width, "bands of streams");
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        const int32_t begin = t * STREAM_BAND;
        const int32_t end = t + 1 < s->band_count ? begin + STREAM_BAND : s->height;
        s->bands[t] = (stream_band){
            .index = t,
            .first = (int64_t)begin * s->width,
            .last = (int64_t)end * s->width,
            .order = s->order + (int64_t)begin * s->width,
            .late_flag = ORDER_LATE,
        };
    }
    return wadi_streams_turns_create(s);
}

int32_t wadi_streams_band_of(const streams* s, int64_t cell)
{
    const int32_t t = (int32_t)(cell / s->width / STREAM_BAND);
    return t < s->band_count ? t : s->band_count - 1;
}

// ---- donors ------------------------------------------------------------------------------

static bool order_gives(const streams* s, int64_t donor, int32_t direction)
{
    return (s->ways[donor] & 15) == direction || s->ways[donor] >> 4 == direction;
}

// Number of cells that drain to this one, and whether it is where a stream enters a lake.
static uint8_t order_waits_for(const streams* s, int64_t cell)
{
    int32_t count = 0;
    bool mouth = false;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && order_gives(s, n, d ^ 4))
        {
            count += 1;
            mouth |= s->wet[cell] != 0 && s->wet[n] == 0;
        }
    }
    return (uint8_t)(count | (mouth ? ORDER_LATE : 0));
}

// Cells of a row between its first and last, from `first`.
stream_donors_row wadi_streams_donors_row(const streams* s, int64_t first)
{
    return (stream_donors_row){
        .count = s->width - 2,
        .width = s->width,
        .to = s->to + first,
        .ways = s->ways + first,
        .wet = s->wet + first,
        .discharge = s->discharge + first,
        .waits = s->waits + first,
        .donor = s->donor + first,
    };
}

static void order_count_row(const streams* s, int64_t first)
{
    if (first > 0 && first + s->width < s->cells)
    {
        const stream_donors_row row = wadi_streams_donors_row(s, first + 1);
        stream_kernels_of(wadi_isa_best())->waits(&row);
    }
    for (int64_t c = first; c < first + s->width; ++c)
    {
        if (s->inside[c] == 0)
        {
            s->waits[c] = order_waits_for(s, c);
        }
    }
}

// The cells without donors come first.
static void order_start_band(streams* s, stream_band* band)
{
    int64_t count = 0;
    const size_t cells = (size_t)(band->last - band->first);
    memset(s->carrier + band->first, 0, cells * sizeof *s->carrier);
    for (int64_t first = band->first; first < band->last; first += s->width)
    {
        order_count_row(s, first);
        for (int64_t c = first; c < first + s->width; ++c)
        {
            band->order[count] = (int32_t)c;
            // no branch, which would be mispredicted
            count += (int64_t)(s->waits[c] == 0) & (int64_t)(s->rim[c] != STREAM_VOID);
        }
    }
    band->count = count;
    band->late = 0;
    band->held[0] = 0;
    band->held[1] = 0;
}

// ---- a visit -----------------------------------------------------------------------------

// Leave a cell to the turn of its band, which is next to this one.
void wadi_streams_hand_on(streams* s, const stream_band* band, int64_t cell)
{
    const int32_t to = wadi_streams_band_of(s, cell);
    const int32_t side = (band->index + 1) % s->band_count == to ? 0 : 1;
    s->inbox[((int64_t)to * 2 + side) * s->width + s->bands[to].held[side]++] = (int32_t)cell;
}

// A cell is free that this turn may not visit: it is in another band, or late.
static void order_hand_on(streams* s, stream_band* band, int64_t cell)
{
    if (cell >= band->first && cell < band->last)
    {
        band->late += 1;
        band->order[band->last - band->first - band->late] = (int32_t)cell;
        return;
    }
    wadi_streams_hand_on(s, band, cell);
}

// A donor of the cell has been visited.
static inline void order_count_down(streams* s, stream_band* band, int64_t cell)
{
    const uint8_t waits = (uint8_t)(s->waits[cell] - 1);
    s->waits[cell] = waits;
    const bool free = (waits & ORDER_COUNT) == 0;
    if (cell >= band->first && cell < band->last && (waits & band->late_flag) == 0)
    {
        // if it is not free the entry does not count; there is room, as the cell has none yet
        band->order[band->count] = (int32_t)cell;
        band->count += free ? 1 : 0;
    }
    else if (free)
    {
        order_hand_on(s, band, cell);
    }
}

// The cells below it may be free now.
static inline void order_free(streams* s, stream_band* band, int64_t cell)
{
    const int32_t a = s->ways[cell] & 15;
    const int32_t b = s->ways[cell] >> 4;
    if (a == STREAM_STAYS)
    {
        return;
    }
    if (b != STREAM_STAYS)
    {
        order_count_down(s, band, stream_neighbour(s, cell, b));
    }
    order_count_down(s, band, stream_neighbour(s, cell, a));
}

// What has come to a cell goes on.
static inline void order_drain(const streams* s, int64_t cell)
{
    const int32_t a = s->ways[cell] & 15;
    const int32_t b = s->ways[cell] >> 4;
    const int64_t water = s->water[cell] > 0 ? s->water[cell] : 0;
    s->water[cell] = water;
    const float alone = (float)water * s->rates.water;
    const float carrier = alone > s->carrier[cell] ? alone : s->carrier[cell];
    s->carrier[cell] = carrier;
    if (a == STREAM_STAYS)
    {
        return;
    }
    float* next = &s->carrier[stream_neighbour(s, cell, s->to[cell])];
    *next = carrier > *next ? carrier : *next;
    int64_t to_b = 0;
    if (b != STREAM_STAYS)
    {
        to_b = (int64_t)((double)water * (double)s->share[cell]);
        s->water[stream_neighbour(s, cell, b)] += to_b;
    }
    s->water[stream_neighbour(s, cell, a)] += water - to_b;
}

// ---- turns -------------------------------------------------------------------------------

static void order_append(stream_band* band, const int32_t* cells, int64_t count)
{
    memmove(band->order + band->count, cells, (size_t)count * sizeof *cells);
    band->count += count;
}

// Add the cells that wait for band `from` to the order of a band: those that other bands set free,
// and late ones.
static void order_take_in(streams* s, stream_band* band, stream_band* from)
{
    const int32_t* inbox = s->inbox + (int64_t)from->index * 2 * s->width;
    for (int side = 0; side < 2; ++side)
    {
        order_append(band, inbox + side * s->width, from->held[side]);
        from->held[side] = 0;
    }
    const int64_t late = from->late;
    from->late = 0;
    order_append(band, from->order + (from->last - from->first) - late, late);
}

// Load what a visit reads of a cell and of its receiver.
static inline void order_load_ahead(const streams* s, int64_t cell)
{
    const int64_t to = cell + s->move[s->to[cell] & 7];
    wadi_prefetch(&s->water[cell]);
    wadi_prefetch(&s->carrier[cell]);
    wadi_prefetch(&s->share[cell]);
    wadi_prefetch(&s->water[to]);
    wadi_prefetch(&s->carrier[to]);
}

static void order_visit_all(streams* s, stream_band* band, int64_t begin)
{
    stream_band own = *band; // so that the compiler sees that no other write changes it
    for (int64_t i = begin; i < own.count; ++i)
    {
        if (i + STREAM_AHEAD < own.count)
        {
            order_load_ahead(s, own.order[i + STREAM_AHEAD]);
        }
        order_drain(s, own.order[i]);
        order_free(s, &own, own.order[i]);
    }
    // the rest is as it was, and other threads read where the band lies (order_expect())
    band->count = own.count;
    band->late = own.late;
}

static void order_turn(const stream_turns* turns, stream_band* band, int32_t turn, int32_t worker)
{
    streams* s = turns->s;
    const int64_t begin = turn < 2 ? 0 : band->count;
    order_take_in(s, band, band);
    wadi_streams_expect(s, turns->arrays, band->order + begin, band->count - begin, worker);
    order_visit_all(s, band, begin);
    band->ends[turn / 2] = band->count;
}

// Room for the cells that no band has visited.
static wadi_result order_reserve_rest(streams* s)
{
    int64_t left = s->cells;
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        left -= s->bands[t].count;
    }
    if (s->remains == NULL || left > s->remains_room)
    {
        wadi_free(s->context, s->remains);
        s->remains = NULL;
        s->remains_room = 0;
        WADI_ALLOC(s->context, s->remains, left + 1, "the order of streams");
        s->remains_room = left;
    }
    return WADI_OK;
}

// The cells that no band has visited: first their order, which takes the few bytes of `ways` and
// `waits`; then the water, of which sums and maxima are the same in any order.
static wadi_result order_rest(streams* s, const stream_array* arrays)
{
    enum
    {
        BATCH = 1024 // cells whose pages are read at once
    };
    WADI_TRY(order_reserve_rest(s));
    stream_band rest = {.last = s->cells, .order = s->remains};
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        order_take_in(s, &rest, &s->bands[t]);
    }
    for (int64_t i = 0; i < rest.count; ++i)
    {
        order_free(s, &rest, rest.order[i]);
    }
    s->rest = rest;
    wadi_streams_order_rest(s);
    for (int64_t i = 0; i < rest.count; ++i)
    {
        if (i % BATCH == 0)
        {
            const int64_t left = rest.count - i;
            wadi_streams_expect(s, arrays, rest.order + i, left < BATCH ? left : BATCH, 0);
        }
        order_drain(s, rest.order[i]);
    }
    return WADI_OK;
}

// Put all cells in order and find the discharge: `water` holds the rain of each cell.
wadi_result wadi_streams_sort(streams* s)
{
    const stream_array arrays[] = {
        {s->order, sizeof *s->order, STREAM_LISTED},
        {s->ways, 1, STREAM_BESIDE},
        {s->to, 1, STREAM_AT},
        {s->waits, 1, STREAM_BESIDE},
        {s->inside, 1, STREAM_AT},
        {s->water, sizeof *s->water, STREAM_BESIDE},
        {s->carrier, sizeof *s->carrier, STREAM_BESIDE},
        {s->share, sizeof *s->share, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_take_turns(
        &(stream_turns){.s = s, .arrays = arrays, .begin = order_start_band, .visit = order_turn});
    WADI_TRY(order_rest(s, arrays));
    s->count = s->rest.count;
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        s->count += s->bands[t].count;
    }
    return WADI_OK;
}
