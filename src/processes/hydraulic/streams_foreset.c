// SPDX-License-Identifier: MIT
// Slides of loose matter on the beds of lakes and of the sea, where they are steeper than
// `lake_repose`: loads lie down at rest (streams_settle.c), but streams that cut into former
// deltas, creep and lakes that are new make steeper slopes.
//
// Cells that are too steep wait in a queue, each at most once; each gives matter to the neighbour
// below it that is lowest by slope. As in sand, a slope starts to slide when it is steeper than at
// rest by a share of 1 / STREAM_SLACK, and stops when it is gentler by as much; slides thinner
// than the fall at rest by FORESET_LEAST do not move. A slide runs down over slopes that are at
// rest already, to their foot: from cell to cell in halves the work would grow with the square of
// the length of a front.
//
// So the number of moves from cell to cell is bounded. A slide of the amount a from a cell to one
// that is lower by f lowers the sum of amounts x heights by a (f - a), which is at least a times
// the number of moves on its way times the fall at rest less the slack. With a >= rest /
// FORESET_LEAST there are at most
//
//     FORESET_LEAST x E / (rest2 (1 - 1 / STREAM_SLACK))
//
// moves, with E the sum of loose matter x its height above the deepest bed. Each costs a visit of a
// cell and of its neighbours.
//
// Threads share the work by bands, as in streams_order.c: bands of one turn are never neighbours,
// and a cell of the next band waits for that band's turn.
#include "processes/hydraulic/streams.h"

#include "core/paging.h"

enum
{
    FORESET_LEAST = 64
};

typedef struct foresets
{
    streams* s;
    int32_t rest[2]; // fall over a step along an axis and a diagonal, at rest [units]
    int32_t slack;   // [units] by which slopes are steeper before and gentler after slides
    int32_t least;   // [units] the thinnest slide
    int32_t turn;    // 0: bands 0, 2, 4, ...; 1: bands 1, 3, ...
} foresets;

// What a turn reads and writes, in one place: writes of bytes cannot change these pointers.
typedef struct foreset_land
{
    int32_t* bed;
    uint8_t* kind;
    const uint8_t* inside;
    int64_t move[8];
} foreset_land;

static foreset_land foreset_land_of(const streams* s)
{
    foreset_land land = {.bed = s->bed, .kind = s->kind, .inside = s->inside};
    memcpy(land.move, s->move, sizeof land.move);
    return land;
}

static inline bool foreset_is_water(const foreset_land* l, int64_t cell)
{
    return (l->kind[cell] & ~STREAM_SEEN) >= STREAM_LAKE;
}

// ---- queues ------------------------------------------------------------------------------

// Queue a cell in the ring of its band, or for the turn of the band next to it.
static void foreset_wait(streams* s, stream_band* band, int64_t cell)
{
    if ((s->kind[cell] & STREAM_SEEN) != 0)
    {
        return;
    }
    s->kind[cell] |= STREAM_SEEN;
    if (cell >= band->first && cell < band->last)
    {
        const int64_t room = band->last - band->first;
        const int64_t at = band->head + band->waiting;
        s->change[band->first + (at < room ? at : at - room)] = (int32_t)cell;
        band->waiting += 1;
    }
    else
    {
        wadi_streams_hand_on(s, band, cell);
    }
}

static int64_t foreset_next(streams* s, stream_band* band)
{
    const int64_t cell = s->change[band->first + band->head];
    const int64_t after = band->head + 1;
    band->head = after < band->last - band->first ? after : 0;
    band->waiting -= 1;
    s->kind[cell] &= (uint8_t)~STREAM_SEEN;
    return cell;
}

// ---- slides ------------------------------------------------------------------------------

// The neighbour under water that a cell is steepest above, by more than the slack; -1 if there is
// none.
static int64_t foreset_lowest(const foresets* f, const foreset_land* l, int64_t cell,
                              int64_t* excess)
{
    const int64_t here = l->bed[cell];
    int64_t best = -1;
    *excess = f->slack;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(f->s, cell, d);
        const int64_t above = n >= 0 ? here - l->bed[n] - f->rest[d & 1] : 0;
        if (above > *excess && foreset_is_water(l, n))
        {
            best = n;
            *excess = above;
        }
    }
    return best;
}

// The amount that slides, of what is wanted; 0 if it is too thin.
static inline int32_t foreset_amount(const foresets* f, int64_t cell, int64_t wanted)
{
    const streams* s = f->s;
    const int64_t loose = (int64_t)s->bed[cell] + s->datum - s->ground->bedrock[cell];
    const int64_t amount = wanted < loose ? wanted : loose;
    return amount < f->least ? 0 : (int32_t)amount;
}

static inline int64_t foreset_half(const foresets* f, int64_t excess)
{
    return (excess + f->slack + 1) / 2;
}

static void foreset_move(const foresets* f, const foreset_land* l, stream_band* band, int64_t cell,
                         int64_t to, int32_t amount)
{
    l->bed[cell] -= amount;
    l->bed[to] += amount;
    foreset_wait(f->s, band, to);
    foreset_wait(f->s, band, cell);
}

// A cell at an edge or beside cells without data.
static void foreset_slide_at_edge(const foresets* f, const foreset_land* l, stream_band* band,
                                  int64_t cell)
{
    int64_t excess;
    const int64_t to = foreset_lowest(f, l, cell, &excess);
    const int32_t amount = to >= 0 ? foreset_amount(f, cell, foreset_half(f, excess)) : 0;
    if (amount == 0)
    {
        return;
    }
    foreset_move(f, l, band, cell, to, amount);
    band->slides += 1;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = wadi_streams_across(f->s, cell, d);
        const int64_t above = n >= 0 ? (int64_t)l->bed[n] - l->bed[cell] - f->rest[d & 1] : 0;
        if (above > f->slack && foreset_is_water(l, n))
        {
            foreset_wait(f->s, band, n);
        }
    }
}

// Queue the neighbours that have become too steep, of a cell inside that is lower now.
static inline void foreset_undermine(const foresets* f, const foreset_land* l, stream_band* band,
                                     int64_t cell)
{
    const int32_t* bed = l->bed + cell;
    const int64_t here = (int64_t)bed[0] + f->slack;
    uint32_t steep = 0;
    for (int32_t d = 0; d < 8; ++d)
    {
        steep |= (uint32_t)(bed[l->move[d]] - here > f->rest[d & 1]) << d;
    }
    for (; steep != 0; steep &= steep - 1)
    {
        const int64_t n = cell + l->move[__builtin_ctz(steep)];
        if (foreset_is_water(l, n))
        {
            foreset_wait(f->s, band, n);
        }
    }
}

// The steepest way down from a cell inside: the excess, and 7 - direction in the last three bits.
static inline int64_t foreset_steepest(const foresets* f, const foreset_land* l, int64_t cell)
{
    const int32_t* bed = l->bed + cell;
    int64_t best = INT64_MIN;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t above = (int64_t)bed[0] - bed[l->move[d]] - f->rest[d & 1];
        const int64_t key = above * 8 + (7 - d);
        best = key > best ? key : best;
    }
    return best;
}

// The next cell under water down a slope that is at rest, so that it takes no more; -1 on gentler
// ground. Of several ways one is drawn: always the steepest would build facets.
static inline int64_t foreset_runs_on(const foresets* f, const foreset_land* l,
                                      const stream_band* band, int64_t cell)
{
    if (l->inside[cell] == 0)
    {
        return -1;
    }
    const int32_t* bed = l->bed + cell;
    const int64_t here = (int64_t)bed[0] + f->slack;
    uint32_t ways = 0;
    for (int32_t d = 0; d < 8; ++d)
    {
        ways |= (uint32_t)(here - bed[l->move[d]] >= f->rest[d & 1]) << d;
    }
    if (ways == 0)
    {
        return -1;
    }
    const uint32_t mixed = ((uint32_t)band->slides ^ (uint32_t)f->s->step_index) * 0x9E3779B1u;
    const uint32_t turn = mixed >> 29;
    const uint32_t turned = (ways | ways << 8) >> turn;
    const int64_t n = cell + l->move[((uint32_t)__builtin_ctz(turned) + turn) & 7];
    return foreset_is_water(l, n) ? n : -1;
}

// The foot of a slope at rest below a cell, at most a step outside the band.
static inline int64_t foreset_foot(const foresets* f, const foreset_land* l, stream_band* band,
                                   int64_t cell)
{
    int64_t at = cell;
    while (at >= band->first && at < band->last)
    {
        const int64_t next = foreset_runs_on(f, l, band, at);
        if (next < 0)
        {
            break;
        }
        at = next;
        band->slides += 1;
    }
    return at;
}

// A cell inside: the steepest of all its neighbours is under water in most cases.
static inline void foreset_slide(const foresets* f, const foreset_land* l, stream_band* band,
                                 int64_t cell)
{
    const int64_t best = foreset_steepest(f, l, cell);
    int64_t excess = best >> 3;
    if (excess <= f->slack)
    {
        return;
    }
    int64_t to = cell + l->move[7 - (best & 7)];
    if (!foreset_is_water(l, to))
    {
        to = foreset_lowest(f, l, cell, &excess);
    }
    if (to < 0)
    {
        return;
    }
    const bool runs = foreset_runs_on(f, l, band, to) >= 0;
    const int64_t wanted = runs ? excess + f->slack : foreset_half(f, excess);
    const int32_t amount = foreset_amount(f, cell, wanted);
    if (amount > 0)
    {
        band->slides += 1;
        foreset_move(f, l, band, cell, runs ? foreset_foot(f, l, band, to) : to, amount);
        foreset_undermine(f, l, band, cell);
    }
}

// ---- turns -------------------------------------------------------------------------------

// Queue the cells of a row that are too steep.
static void foreset_start_row(const foresets* f, const foreset_land* l, stream_band* band,
                              int64_t first)
{
    streams* s = f->s;
    uint8_t* steep = s->waits + first; // the codes are not needed any more
    memset(steep, 1, (size_t)s->width);
    if (first > 0 && first + s->width < s->cells)
    {
        stream_kernels_of(wadi_isa_best())
            ->steep(&(stream_steep_row){.count = s->width - 2,
                                        .width = s->width,
                                        .water = STREAM_LAKE,
                                        .kind = s->kind + first + 1,
                                        .bed = s->bed + first + 1,
                                        .rest = {f->rest[0], f->rest[1]},
                                        .slack = f->slack,
                                        .steep = steep + 1});
    }
    for (int32_t x = stream_first_set(steep, 0, s->width); x < s->width;
         x = stream_first_set(steep, x + 1, s->width))
    {
        int64_t excess;
        if (foreset_is_water(l, first + x) && foreset_lowest(f, l, first + x, &excess) >= 0)
        {
            foreset_wait(s, band, first + x);
        }
    }
}

static void foreset_start(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const foresets* f = user;
    const foreset_land land = foreset_land_of(f->s);
    stream_band* band = &f->s->bands[2 * block + f->turn];
    band->head = 0;
    band->waiting = 0;
    band->slides = 0;
    const streams* s = f->s;
    const size_t cells = (size_t)(band->last - band->first);
    wadi_expect(s->context, s->bed + band->first, cells * sizeof *s->bed);
    wadi_expect(s->context, s->kind + band->first, cells);
    wadi_expect(s->context, s->waits + band->first, cells);
    for (int64_t first = band->first; first < band->last; first += f->s->width)
    {
        foreset_start_row(f, &land, band, first);
    }
}

static void foreset_turn(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const foresets* f = user;
    streams* s = f->s;
    const foreset_land land = foreset_land_of(s);
    stream_band* band = &s->bands[2 * block + f->turn];
    const int32_t* inbox = s->inbox + (int64_t)band->index * 2 * s->width;
    for (int side = 0; side < 2; ++side)
    {
        for (int64_t i = 0; i < band->held[side]; ++i)
        {
            const int64_t cell = inbox[side * s->width + i];
            s->kind[cell] &= (uint8_t)~STREAM_SEEN;
            foreset_wait(s, band, cell);
        }
        band->held[side] = 0;
    }
    while (band->waiting > 0)
    {
        const int64_t cell = foreset_next(s, band);
        if (land.inside[cell] != 0)
        {
            foreset_slide(f, &land, band, cell);
        }
        else
        {
            foreset_slide_at_edge(f, &land, band, cell);
        }
    }
}

static int64_t foreset_bands(const streams* s, int32_t turn)
{
    return (s->band_count + 1 - turn) / 2;
}

static bool foreset_any_waits(const streams* s)
{
    bool any = false;
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        any |= s->bands[t].waiting + s->bands[t].held[0] + s->bands[t].held[1] > 0;
    }
    return any;
}

// Depths of lakes.
static void foreset_depth_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const int64_t from = (int64_t)begin * s->width;
    const size_t cells = (size_t)(end - begin) * (size_t)s->width;
    wadi_expect(s->context, s->bed + from, cells * sizeof *s->bed);
    wadi_expect(s->context, s->drop + from, cells * sizeof *s->drop);
    wadi_expect(s->context, s->spill + stream_padded(s, 0, begin), cells * sizeof *s->spill);
    for (int32_t y = begin; y < end; ++y)
    {
        const int32_t* level = s->spill + stream_padded(s, 0, y);
        const int64_t first = (int64_t)y * s->width;
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int32_t below = s->bed[first + x] - level[x];
            s->drop[first + x] = below < 0 ? below : 0;
        }
    }
}

void wadi_streams_foresets(streams* s)
{
    const double bounded = s->rates.rest;
    foresets f = {.s = s,
                  .rest = {(int32_t)bounded, (int32_t)(bounded * 1.41421356237309515)},
                  .slack = (int32_t)(bounded / STREAM_SLACK),
                  .least = 1 + (int32_t)(bounded / FORESET_LEAST)};
    for (f.turn = 0; f.turn < 2; ++f.turn)
    {
        wadi_parallel_blocks(s->context, foreset_bands(s, f.turn), foreset_start, &f);
    }
    for (f.turn = 0; foreset_any_waits(s); f.turn ^= 1)
    {
        wadi_parallel_blocks(s->context, foreset_bands(s, f.turn), foreset_turn, &f);
    }
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, foreset_depth_rows, s);
    for (int32_t t = 0; t < s->band_count; ++t)
    {
        s->slides += (double)s->bands[t].slides;
    }
}
