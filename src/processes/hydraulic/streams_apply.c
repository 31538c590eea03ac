// SPDX-License-Identifier: MIT
// The changes of a step in whole units, from the divides down. What a cell loses goes into its
// load; what it gains comes out of it, so nothing is lost to rounding. The ground gets the net
// change of each bed at the end; where rock is hard, and what is left of the loose matter above it
// counts, it gets every change at once.
//
// A stream also moves what lies beside it, so that valleys have floors: a share of its change is
// that of its neighbours (streams_solve.c counts them), and on a diagonal step the lower of the two
// corner cells, past which the stream flows, is worn too.
//
// Most cells are visited by the kernel in streams_sweep_kernel.h; the code here is for all others.
#include "processes/hydraulic/streams_beds.h"

#include <math.h>
#include <string.h>

// ---- floor and corners -------------------------------------------------------------------

// The nearest whole number of units, within the range of heights.
static inline int32_t stream_whole(double change)
{
    const double low = change > -1e9 ? change : -1e9;
    const double bounded = (low < 1e9 ? low : 1e9) + 0.5;
    const int32_t cut = (int32_t)bounded; // towards 0; one less below 0
    return cut - ((double)cut > bounded ? 1 : 0);
}

// Height above a stream of a neighbour that shares in its change; 0 if it does not.
static inline int32_t stream_above(const streams* s, int64_t cell, int64_t n, bool joins)
{
    const int32_t above = s->bed[n] - s->bed[cell];
    return lanes_pick(-(joins & (s->kind[n] == STREAM_BED)), above, 0);
}

// The four neighbours of a stream, but the cells it comes from and goes to, share in its change.
static inline void stream_widen(const streams* s, int64_t cell, double share, int64_t* load,
                                wadi_tally* tally)
{
    const int32_t part = (int32_t)fabs(share);
    const uint32_t skip = 1u << s->to[cell] | 1u << s->donor[cell];
    for (int32_t d = 0; d < 8; d += 2)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n < 0)
        {
            continue;
        }
        const int32_t above = stream_above(s, cell, n, (skip >> d & 1) == 0);
        if (share <= 0.0)
        {
            *load += stream_wear(s, n, part < above ? part : above, tally);
        }
        else if (above < 0)
        {
            const int64_t room = part < -above ? part : -above;
            const int64_t laid = room < *load ? room : *load;
            stream_lay(s, n, laid, tally);
            *load -= laid;
        }
    }
}

// How far down a stream wears its corner: to its own bed, or a share of the way from there to its
// receiver, as both will be. At its own bed, diagonal streams are stairs, which hillshades show as
// beads; half way down, water goes around by the corner as often as along the diagonal.
static inline int32_t stream_passes(const streams* s, int64_t cell)
{
    const int64_t next = stream_neighbour(s, cell, s->to[cell]);
    const int64_t there = (int64_t)s->bed[next] + s->landed[next] + stream_whole(s->node[next].a);
    const int64_t falls = s->kind[next] == STREAM_BED ? s->bed[cell] - there : 0;
    return s->bed[cell] - stream_corner_fall(falls, s->params.corner_fall);
}

static inline void stream_cut_corner(const streams* s, int64_t cell, int32_t to, double part,
                                     int64_t* load, wadi_tally* tally)
{
    const int64_t a = stream_neighbour(s, cell, (to + 7) & 7);
    const int64_t b = stream_neighbour(s, cell, (to + 1) & 7);
    if (a < 0 || b < 0)
    {
        return;
    }
    const int64_t lower = s->bed[a] <= s->bed[b] ? a : b;
    const int32_t above = s->kind[lower] == STREAM_BED ? s->bed[lower] - stream_passes(s, cell) : 0;
    const int32_t wanted = (int32_t)(part < 2e9 ? part : 2e9);
    *load += stream_wear(s, lower, wanted < above ? wanted : above, tally);
}

// ---- cells -------------------------------------------------------------------------------

// Where a river enters the map it builds its bed up to the critical slope.
static int32_t stream_room_at_gate(const streams* s, int64_t cell, int64_t wanted)
{
    const double step = s->params.critical_slope * s->cell * WADI_UNITS_PER_METRE;
    const int64_t next = stream_neighbour(s, cell, s->to[cell]);
    const int64_t room = s->bed[next] + (int64_t)step - s->bed[cell];
    return (int32_t)(room < 0 ? 0 : wanted < room ? wanted : room);
}

// A stream builds its bed no higher than the one it comes from.
static int32_t stream_room(const streams* s, int64_t cell, int32_t wanted)
{
    if (s->donor[cell] == STREAM_STAYS)
    {
        const bool enters = s->supply.gates != NULL && s->supply.gates[cell] == STREAM_GATE;
        return enters ? stream_room_at_gate(s, cell, wanted) : 0;
    }
    const int64_t donor = stream_neighbour(s, cell, s->donor[cell]);
    const int32_t room = s->bed[donor] - s->bed[cell];
    return room < 0 ? 0 : wanted < room ? wanted : room;
}

// A stream that builds its bed does not dam those that join it: they fill up to it.
static void stream_fill_donors(const streams* s, int64_t cell, int64_t* load, wadi_tally* tally)
{
    for (int32_t d = 0; d < 8 && *load > 0; ++d)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && s->kind[n] == STREAM_BED && s->to[n] == (d ^ 4) && s->bed[n] < s->bed[cell])
        {
            const int64_t below = (int64_t)s->bed[cell] - s->bed[n];
            const int64_t laid = below < *load ? below : *load;
            stream_lay(s, n, laid, tally);
            *load -= laid;
        }
    }
}

// Wear or fill the bed of a stream, and what is beside it. Its load is changed by as much.
static inline void stream_apply_dry(const streams* s, int64_t cell, int64_t* load,
                                    wadi_tally* tally)
{
    const int32_t landed = s->landed[cell];
    stream_lay(s, cell, landed, tally);
    *load -= landed;
    const int32_t change = stream_whole(s->node[cell].a);
    const double channel = stream_channel(s, cell);
    const double share = s->rates.floor * channel * (double)change;
    if (change > 0)
    {
        const int32_t wanted = stream_room(s, cell, change);
        const int64_t laid = wanted < *load ? wanted : *load;
        stream_lay(s, cell, laid, tally);
        *load -= laid;
    }
    else
    {
        *load += stream_wear(s, cell, -change, tally);
        if ((s->to[cell] & 1) != 0)
        {
            const double corner = -STREAM_CORNER * channel * (double)change;
            stream_cut_corner(s, cell, s->to[cell], corner, load, tally);
        }
    }
    stream_widen(s, cell, share, load, tally);
    if (change > 0)
    {
        stream_fill_donors(s, cell, load, tally);
    }
}

// ---- water -------------------------------------------------------------------------------

static bool stream_is_mouth(const streams* s, int64_t cell, int64_t next)
{
    return s->kind[cell] == STREAM_BED && s->kind[next] == STREAM_LAKE;
}

// The load of a stream that enters a lake comes down there; what stays afloat goes on. In the sea
// all of it lies down, but for what a full sea cannot take.
static void stream_enter(streams* s, int64_t cell)
{
    if (s->load[cell] <= 0)
    {
        return;
    }
    if (s->rim[cell] == STREAM_SEA)
    {
        s->afloat += wadi_streams_settle(s, cell, s->load[cell]);
    }
    else if (s->rim[cell] == STREAM_PLAYA)
    {
        wadi_streams_lake_load(s, cell, wadi_streams_settle(s, cell, s->load[cell]));
    }
    else
    {
        const int64_t next = stream_neighbour(s, cell, s->to[cell]);
        s->load[next] += wadi_streams_settle(s, next, s->load[cell]);
    }
    s->load[cell] = 0;
}

// Loads that reach water settle at the end of the band's turn, since that reaches far.
static void stream_enter_later(streams* s, stream_band* band, int64_t cell)
{
    if (band == NULL)
    {
        stream_enter(s, cell);
        return;
    }
    s->outlets[band->first + band->mouths++] = (uint32_t)cell;
}

// Read the pages at mouths: loads come down there first.
static void streams_expect_mouths(const streams* s, const stream_band* band)
{
    const stream_array arrays[] = {
        {s->bed, sizeof *s->bed, STREAM_BESIDE},
        {s->drop, sizeof *s->drop, STREAM_BESIDE},
        {s->kind, 1, STREAM_BESIDE},
        {s->load, sizeof *s->load, STREAM_BESIDE},
        {s->water, sizeof *s->water, STREAM_BESIDE},
        {s->rim, 1, STREAM_BESIDE},
        {s->inside, 1, STREAM_BESIDE},
        {NULL, 0, STREAM_AT},
    };
    const void* cells = s->outlets + band->first;
    wadi_streams_expect(s, arrays, cells, band->mouths, 0);
}

// Settle the loads whose lakes lie before a place: nobody there visits their cells meanwhile.
static void streams_enter_due(const stream_turns* turns, int32_t turn, int32_t done)
{
    streams* s = turns->s;
    for (int32_t t = turn % 2; t < s->band_count; t += 2)
    {
        stream_band* band = &s->bands[t];
        int64_t kept = 0;
        if (band->mouths > 0 && !wadi_streams_is_open_shore(turns, s->outlets[band->first], done))
        {
            streams_expect_mouths(s, band);
        }
        for (int64_t i = 0; i < band->mouths; ++i)
        {
            const uint32_t cell = s->outlets[band->first + i];
            if (wadi_streams_is_open_shore(turns, cell, done))
            {
                s->outlets[band->first + kept++] = cell;
            }
            else
            {
                stream_enter(s, cell);
            }
        }
        band->mouths = kept;
    }
}

// What reaches an outlet leaves, or lies down in the sea or in a lake without outflow.
static void stream_end(streams* s, stream_band* band, int64_t cell, wadi_tally* tally)
{
    if (s->rim[cell] == STREAM_SEA || s->rim[cell] == STREAM_PLAYA)
    {
        stream_enter_later(s, band, cell);
    }
    else if (s->rim[cell] != 0 && s->rim[cell] != STREAM_VOID)
    {
        if (stream_is_outlet(s, cell))
        {
            s->load[cell] += stream_wear(s, cell, -stream_whole(s->node[cell].a), tally);
        }
        tally->out[WADI_MATERIAL_SEDIMENT][stream_side(s->rim[cell])] += s->load[cell];
        s->load[cell] = 0;
    }
}

static void stream_apply_cell(streams* s, stream_band* band, int64_t cell, wadi_tally* tally)
{
    if (s->to[cell] == STREAM_STAYS)
    {
        stream_end(s, band, cell, tally);
        return;
    }
    if (stream_is_caught(s, cell))
    {
        return; // floods lay its load down
    }
    const int64_t next = stream_neighbour(s, cell, s->to[cell]);
    int64_t load = s->load[cell];
    if (s->kind[cell] == STREAM_BED)
    {
        stream_apply_dry(s, cell, &load, tally);
    }
    if (stream_is_mouth(s, cell, next))
    {
        s->load[cell] = load;
        stream_enter_later(s, band, cell);
        return;
    }
    s->load[next] += load;
    s->load[cell] = 0;
}

static void streams_apply_cells(streams* s, stream_band* band, const int32_t* cells, int64_t count,
                                int32_t worker)
{
    stream_apply_run run = {
        .width = s->width,
        .code = s->waits,
        .kind = s->kind,
        .dry = STREAM_BED,
        .to = s->to,
        .donor = s->donor,
        .discharge = s->discharge,
        .head = s->rates.head,
        .node = &s->node[0].a,
        .floor = s->rates.floor,
        .corner_fall = s->params.corner_fall,
        .bed = s->bed,
        .landed = s->landed,
        .load = s->load,
    };
    memcpy(run.move, s->move, sizeof run.move);
    const stream_kernels* kernels = stream_kernels_of(wadi_isa_best());
    for (int64_t i = 0; i < count; ++i)
    {
        run.cells = cells + i;
        run.count = count - i;
        i += s->at_once ? 0 : kernels->apply(&run);
        if (i < count)
        {
            stream_apply_cell(s, band, cells[i], &s->tallies[worker]);
        }
    }
}

// Codes of cells, where the donors that they waited for were counted.
static void streams_code_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * s->width;
        memset(s->waits + first, 0, (size_t)s->width);
        if (y > 0 && y < s->height - 1)
        {
            stream_kernels_of(wadi_isa_best())
                ->codes(&(stream_codes_row){
                    .count = s->width - 2,
                    .width = s->width,
                    .kind = s->kind + first + 1,
                    .bed = STREAM_BED,
                    .lake = STREAM_LAKE,
                    .to = s->to + first + 1,
                    .donor = s->donor + first + 1,
                    .inside = s->inside + first + 1,
                    .code = s->waits + first + 1,
                });
        }
        for (int64_t c = first; c < first + s->width && s->plains != NULL; ++c)
        {
            s->waits[c] = s->plains->caught[c] != 0 ? 0 : s->waits[c];
        }
    }
}

// The changes of beds go into the ground, net: loose matter first.
static void streams_change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t row = (int64_t)y * s->width;
        const int32_t* before = s->surface + stream_padded(s, 0, y);
        for (int32_t x = 0; x < s->width; ++x)
        {
            s->change[row + x] = s->bed[row + x] - before[x];
        }
        wadi_streams_change_run(s, row, s->width, &s->tallies[worker]);
    }
}

// Slides on the beds of lakes, where the ground has all other changes: net, and of loose matter.
static void streams_slide_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const streams* s = user;
    wadi_tally* tally = &s->tallies[worker];
    for (int64_t c = (int64_t)begin * s->width; c < (int64_t)end * s->width; ++c)
    {
        if (s->kind[c] < STREAM_LAKE)
        {
            continue;
        }
        const int32_t change = s->bed[c] + s->datum - wadi_ground_surface(s->ground, c);
        if (change > 0)
        {
            wadi_ground_put(s->ground, c, change, tally);
            hydraulic_count(&s->deposit[c], change);
        }
        else if (change < 0)
        {
            wadi_ground_take_loose(s->ground, c, -change, tally);
            hydraulic_count(&s->wear[c], -change);
        }
    }
}

static void streams_set_codes(streams* s)
{
    const stream_array arrays[] = {
        {s->kind, 1, STREAM_AT},   {s->to, 1, STREAM_AT},    {s->donor, 1, STREAM_AT},
        {s->inside, 1, STREAM_AT}, {s->waits, 1, STREAM_AT}, {NULL, 0, STREAM_AT},
    };
    if (!s->at_once)
    {
        wadi_streams_pass(s, arrays, STREAM_ROWS, streams_code_rows, s);
    }
}

static void streams_change(streams* s)
{
    const wadi_ground* ground = s->ground;
    const stream_array arrays[] = {
        {s->bed, sizeof *s->bed, STREAM_AT},
        {s->wear, sizeof *s->wear, STREAM_AT},
        {s->deposit, sizeof *s->deposit, STREAM_AT},
        {ground->bedrock, sizeof *ground->bedrock, STREAM_AT},
        {s->change, sizeof *s->change, STREAM_AT},
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {ground->loose[0], sizeof *ground->loose[0], STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, s->at_once ? streams_slide_rows : streams_change_rows,
                      s);
}

void wadi_streams_apply(streams* s)
{
    if (s->plains != NULL)
    {
        wadi_stage(s->context, "plains");
        wadi_streams_plains_apply(s);
    }
    wadi_stage(s->context, "codes");
    streams_set_codes(s);
    const int32_t* shores = wadi_streams_find_shores(s);
    wadi_stage(s->context, "apply");
    const stream_array arrays[] = {
        {s->order, sizeof *s->order, STREAM_LISTED},
        {s->to, 1, STREAM_BESIDE},
        {s->waits, 1, STREAM_AT},
        {s->kind, 1, STREAM_BESIDE},
        {s->donor, 1, STREAM_AT},
        {s->node, sizeof *s->node, STREAM_AT},
        {s->bed, sizeof *s->bed, STREAM_BESIDE},
        {s->landed, sizeof *s->landed, STREAM_AT},
        {s->load, sizeof *s->load, STREAM_BESIDE},
        {s->discharge, sizeof *s->discharge, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_sweep(&(stream_turns){.s = s,
                                       .cells = streams_apply_cells,
                                       .arrays = arrays,
                                       .shores = shores,
                                       .after = streams_enter_due});
    wadi_streams_fill_pans(s);
    wadi_streams_foresets(s);
    wadi_stage(s->context, "change");
    streams_change(s);
    wadi_streams_rest(s);
}
