// SPDX-License-Identifier: MIT
// The order in which bands take their turns (streams_order.c), and the pages that they read.
//
// A turn of a band needs the turn before it of the bands beside it, and no others. In memory each
// turn is taken by all bands, side by side. Where the arrays lie in a file, larger than memory, the
// grid would be read again for each turn. There the turns go over the grid as a wave: as soon as a
// few bands have had their first turn, those behind them have their second one, those behind these
// their third. So the wave needs a few more bands in memory than there are turns, and a sweep reads
// the grid once. Bands that are neighbours have their turns in the same order as in memory, so each
// bit is the same. (Time skewing: Wonnacott 2000.)
//
// Around periodic edges the first band is next to the last: the wave begins at both and they meet
// in the middle.
//
// Loads that settle in a lake make its neighbourhood wait: see streams_shores.c.
#include "processes/hydraulic/streams.h"

#include "core/paging.h"

enum
{
    TURNS_BATCH = 1024 // cells of the rest whose pages are read at once
};

typedef struct turns_run
{
    const stream_turns* turns;
    int32_t turn;
    int32_t from; // place
} turns_run;

// ---- places ------------------------------------------------------------------------------

int32_t wadi_streams_places(const streams* s)
{
    return s->ring_of_bands ? s->band_count / 2 : s->band_count;
}

int32_t wadi_streams_place_of(const streams* s, int32_t band)
{
    const int32_t back = s->band_count - 1 - band;
    return s->ring_of_bands && back < band ? back : band;
}

// Bands from one place to before another that have a turn together.
static int64_t turns_count(const streams* s, int32_t turn, int32_t from, int32_t to)
{
    return s->ring_of_bands ? to - from : (to - from + ((from ^ turn ^ 1) & 1)) / 2;
}

static stream_band* turns_band(const turns_run* run, int64_t block)
{
    const streams* s = run->turns->s;
    if (s->ring_of_bands)
    {
        const int32_t place = run->from + (int32_t)block;
        return &s->bands[(place ^ run->turn) % 2 == 0 ? place : s->band_count - 1 - place];
    }
    return &s->bands[run->from + ((run->from ^ run->turn) & 1) + 2 * (int32_t)block];
}

// ---- pages -------------------------------------------------------------------------------

wadi_result wadi_streams_turns_create(streams* s)
{
    if (wadi_is_paged(s->context))
    {
        s->page_words = wadi_pages_words((size_t)s->cells * sizeof *s->node);
        WADI_ALLOC(s->context, s->pages, s->page_words * wadi_context_workers(s->context),
                   "pages of streams");
        WADI_ALLOC(s->context, s->shores, STREAM_TURNS * (int64_t)wadi_streams_places(s),
                   "shores of lakes");
    }
    return WADI_OK;
}

// All of a band will be read: in its first turn it visits most of its cells.
static void turns_expect_band(const stream_turns* turns, int32_t index)
{
    const streams* s = turns->s;
    const stream_band* band = &s->bands[index];
    const size_t count = (size_t)(band->last - band->first);
    for (const stream_array* a = turns->arrays; a->cells != NULL; ++a)
    {
        const unsigned char* from = (const unsigned char*)a->cells + (size_t)band->first * a->size;
        wadi_expect(s->context, from, count * a->size);
    }
}

static void turns_expect_places(const stream_turns* turns, int32_t from, int32_t to)
{
    const streams* s = turns->s;
    for (int32_t place = from; place < to && s->pages != NULL; ++place)
    {
        turns_expect_band(turns, place);
        if (s->ring_of_bands)
        {
            turns_expect_band(turns, s->band_count - 1 - place);
        }
    }
}

static void turns_add_cells(const streams* s, const stream_array* a, const int32_t* cells,
                            int64_t count, wadi_pages* pages)
{
    for (int64_t i = 0; i < count; ++i)
    {
        const int64_t cell = cells[i];
        wadi_pages_add(pages, (size_t)cell * a->size);
        if (a->reach == STREAM_BESIDE)
        {
            const int64_t north = cell >= s->width ? cell - s->width : cell;
            const int64_t south = cell + s->width < s->cells ? cell + s->width : cell;
            wadi_pages_add(pages, (size_t)north * a->size);
            wadi_pages_add(pages, (size_t)south * a->size);
        }
    }
}

void wadi_streams_expect(const streams* s, const stream_array* arrays, const int32_t* cells,
                         int64_t count, int32_t worker)
{
    if (s->pages == NULL || count == 0)
    {
        return;
    }
    for (const stream_array* a = arrays; a->cells != NULL; ++a)
    {
        if (a->reach != STREAM_LISTED)
        {
            wadi_pages pages = wadi_pages_of(s->pages + s->page_words * worker, a->cells);
            turns_add_cells(s, a, cells, count, &pages);
            wadi_pages_expect(&pages, a->cells);
        }
    }
}

// ---- turns -------------------------------------------------------------------------------

static void turns_take(int64_t block, int32_t worker, void* user)
{
    const turns_run* run = user;
    stream_band* band = turns_band(run, block);
    run->turns->visit(run->turns, band, run->turn, worker);
}

static void turns_begin(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const turns_run* run = user;
    streams* s = run->turns->s;
    const int32_t place = run->from + (int32_t)(s->ring_of_bands ? block / 2 : block);
    const int32_t band = s->ring_of_bands && block % 2 != 0 ? s->band_count - 1 - place : place;
    run->turns->begin(s, &s->bands[band]);
}

// The place to which the bands can have a turn, where those before `done` have had the one before.
static int32_t turns_reach(const stream_turns* turns, int32_t step, int32_t done, int32_t from)
{
    const int32_t places = wadi_streams_places(turns->s);
    if (done == places)
    {
        return places;
    }
    const int32_t* shores =
        turns->shores != NULL && step > 0 ? turns->shores + (ptrdiff_t)(step - 1) * places : NULL;
    int32_t to = from;
    while (to + 1 < done && (shores == NULL || shores[to] < done))
    {
        to += 1;
    }
    return to;
}

static void turns_step(turns_run* run, int32_t to)
{
    const stream_turns* turns = run->turns;
    const int64_t count = turns_count(turns->s, run->turn, run->from, to);
    if (count > 0)
    {
        wadi_parallel_blocks(turns->s->context, count, turns_take, run);
    }
    if (turns->after != NULL)
    {
        turns->after(turns, run->turn, to);
    }
}

// The next places begin, and those after them are read.
static int32_t turns_start(const stream_turns* turns, int32_t from, int32_t stride)
{
    const streams* s = turns->s;
    const int32_t places = wadi_streams_places(s);
    const int32_t to = places - from < stride ? places : from + stride;
    turns_expect_places(turns, from == 0 ? 0 : to, places - to < stride ? places : to + stride);
    turns_run run = {.turns = turns, .from = from};
    if (turns->begin != NULL && to > from)
    {
        const int64_t bands = to - from;
        wadi_parallel_blocks(s->context, s->ring_of_bands ? 2 * bands : bands, turns_begin, &run);
    }
    return to;
}

void wadi_streams_take_turns(const stream_turns* turns)
{
    const streams* s = turns->s;
    const int32_t places = wadi_streams_places(s);
    const int32_t stride = s->pages != NULL ? 2 * wadi_context_workers(s->context) : places;
    int32_t fronts[STREAM_TURNS + 1] = {0}; // places that have begun, and that had each turn
    while (fronts[STREAM_TURNS] < places)
    {
        fronts[0] = turns_start(turns, fronts[0], stride);
        for (int32_t step = 0; step < STREAM_TURNS; ++step)
        {
            int32_t* front = &fronts[step + 1];
            turns_run run = {
                .turns = turns, .turn = turns->up ? STREAM_TURNS - 1 - step : step, .from = *front};
            *front = turns_reach(turns, step, fronts[step], *front);
            turns_step(&run, *front);
        }
    }
}

// ---- sweeps ------------------------------------------------------------------------------

static void turns_visit_band(const stream_turns* turns, stream_band* band, int32_t turn,
                             int32_t worker)
{
    streams* s = turns->s;
    const int32_t round = turn / 2;
    const int64_t begin = round > 0 ? band->ends[round - 1] : 0;
    const int32_t* cells = band->order + begin;
    const int64_t count = band->ends[round] - begin;
    wadi_streams_expect(s, turns->arrays, cells, count, worker);
    turns->cells(s, band, cells, count, worker);
}

// The cells that no band has visited lie along large rivers, here and there on the whole grid.
static void turns_visit_rest(const stream_turns* turns)
{
    streams* s = turns->s;
    const int64_t all = s->rest.count;
    const int64_t size = s->pages != NULL ? TURNS_BATCH : all + 1;
    for (int64_t done = 0; done < all; done += size)
    {
        const int64_t count = all - done < size ? all - done : size;
        const int32_t* cells = s->rest.order + (turns->up ? all - done - count : done);
        wadi_streams_expect(s, turns->arrays, cells, count, 0);
        turns->cells(s, NULL, cells, count, 0);
    }
}

void wadi_streams_sweep(stream_turns* turns)
{
    turns->visit = turns_visit_band;
    if (turns->up)
    {
        turns_visit_rest(turns);
    }
    wadi_streams_take_turns(turns);
    if (!turns->up)
    {
        turns_visit_rest(turns);
    }
}
