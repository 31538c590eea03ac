// SPDX-License-Identifier: MIT
// The changes of a step in whole units, from the divides down. What a cell loses goes into its
// load; what it gains comes out of it, so nothing is lost to rounding.
//
// A stream also moves what lies beside it, so that valleys have floors: a share of its change is
// that of its neighbours (streams_solve.c counts them), and on a diagonal step the lower of the two
// corner cells, past which the stream flows, is worn too.
#include "processes/hydraulic/streams.h"

#include <math.h>

// Wear of the corner of a diagonal step over that of the bed. Measured on a dome: 0 leaves both
// corners above the stream on 48 % of such steps, 1 on 15 %, 3 on 11 %, 100 on 12 %.
#define STREAM_CORNER 3.0

// ---- heights of the ground as it changes ---------------------------------------------------

static int32_t stream_height(const streams* s, int64_t cell)
{
    return s->surface[stream_padded_of(s, cell)];
}

// Take up to `amount`; hard rock and beds allow less. Returns what was taken.
static int32_t stream_wear(streams* s, int64_t cell, int64_t amount)
{
    if (amount <= 0)
    {
        return 0;
    }
    int32_t wanted = amount < INT32_MAX ? (int32_t)amount : INT32_MAX;
    if (s->soft != NULL)
    {
        const double bare = (double)wanted / fmax((double)s->soft[cell], 1e-4);
        const int32_t most = wadi_ground_yield(s->ground, cell, (int32_t)fmin(bare, 1e9));
        wanted = wanted < most ? wanted : most;
    }
    if (s->at_bottom)
    {
        const int64_t left = wadi_ground_surface(s->ground, cell) - STREAM_BOTTOM;
        wanted = wanted < left ? wanted : (int32_t)left;
    }
    wadi_ground_take_exact(s->ground, cell, wanted, &s->tally);
    s->surface[stream_padded_of(s, cell)] -= wanted;
    stream_count(&s->wear[cell], wanted);
    return wanted;
}

static void stream_lay(streams* s, int64_t cell, int64_t amount)
{
    wadi_ground_put(s->ground, cell, (int32_t)amount, &s->tally);
    s->surface[stream_padded_of(s, cell)] += (int32_t)amount;
    stream_count(&s->deposit[cell], amount);
}

// May the change of a stream move this cell too?
static bool stream_is_free(const streams* s, int64_t cell)
{
    return cell >= 0 && s->to[cell] != STREAM_STAYS && s->wet[cell] == 0;
}

// ---- floor and corners -------------------------------------------------------------------

// The four neighbours of a stream, but the cells it comes from and goes to, share in its change.
static void stream_widen(streams* s, int64_t cell, int64_t next, double share)
{
    for (int32_t d = 0; d < 8; d += 2)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n == next || n == s->donor[cell] || !stream_is_free(s, n))
        {
            continue;
        }
        const int64_t above = (int64_t)stream_height(s, n) - stream_height(s, cell);
        const int64_t part = (int64_t)fabs(share);
        if (share < 0.0 && above > 0)
        {
            s->load[cell] += stream_wear(s, n, part < above ? part : above);
        }
        else if (share > 0.0 && above < 0)
        {
            const int64_t room = part < -above ? part : -above;
            const int64_t laid = room < s->load[cell] ? room : s->load[cell];
            stream_lay(s, n, laid);
            s->load[cell] -= laid;
        }
    }
}

static void stream_cut_corner(streams* s, int64_t cell, int32_t to, double part)
{
    const int64_t a = stream_neighbour(s, cell, (to + 7) & 7);
    const int64_t b = stream_neighbour(s, cell, (to + 1) & 7);
    if (a < 0 || b < 0)
    {
        return;
    }
    const int64_t lower = stream_height(s, a) <= stream_height(s, b) ? a : b;
    const int64_t above = (int64_t)stream_height(s, lower) - stream_height(s, cell);
    if (above > 0 && stream_is_free(s, lower))
    {
        const int64_t wanted = (int64_t)part;
        s->load[cell] += stream_wear(s, lower, wanted < above ? wanted : above);
    }
}

// ---- cells -------------------------------------------------------------------------------

// A stream builds its bed no higher than the one it comes from.
static int64_t stream_room(const streams* s, int64_t cell, int64_t wanted)
{
    if (s->donor[cell] < 0)
    {
        return 0;
    }
    const int64_t room = (int64_t)stream_height(s, s->donor[cell]) - stream_height(s, cell);
    return room < 0 ? 0 : wanted < room ? wanted : room;
}

static void stream_apply_dry(streams* s, int64_t cell, int64_t next)
{
    const double change = floor(s->node[cell].a + 0.5);
    const double q = (double)s->water[cell] * (double)s->rates.water;
    const double channel = q / (q + (double)s->rates.head);
    const double share = s->rates.floor * channel;
    if (change > 0.0)
    {
        const int64_t wanted = stream_room(s, cell, (int64_t)fmin(change, 1e9));
        const int64_t laid = wanted < s->load[cell] ? wanted : s->load[cell];
        stream_lay(s, cell, laid);
        s->load[cell] -= laid;
    }
    else if (change < 0.0)
    {
        s->load[cell] += stream_wear(s, cell, (int64_t)fmin(-change, 1e9));
        if ((s->to[cell] & 1) != 0)
        {
            stream_cut_corner(s, cell, s->to[cell], -STREAM_CORNER * change * channel);
        }
    }
    if (share > 0.0 && change != 0.0)
    {
        stream_widen(s, cell, next, share * change);
    }
}

// The load of a stream that enters a lake; what does not settle goes on with the water.
static int64_t stream_enter(streams* s, int64_t lake, int64_t load)
{
    return load > 0 ? wadi_streams_settle(s, lake, load) : load;
}

// What reaches an outlet leaves, or lies down in the sea; a full sea takes it at the mouth.
static void stream_end(streams* s, int64_t cell)
{
    if (s->rim[cell] == STREAM_SEA)
    {
        stream_lay(s, cell, wadi_streams_settle(s, cell, s->load[cell]));
        s->load[cell] = 0;
    }
    else if (s->rim[cell] != 0 && s->rim[cell] != STREAM_VOID)
    {
        s->tally.out[WADI_MATERIAL_SEDIMENT][s->rim[cell] - 1] += s->load[cell];
        s->load[cell] = 0;
    }
}

void wadi_streams_apply(streams* s)
{
    for (int64_t i = 0; i < s->count; ++i)
    {
        const int64_t cell = s->order[i];
        if (s->to[cell] == STREAM_STAYS)
        {
            stream_end(s, cell);
            continue;
        }
        const int64_t next = stream_neighbour(s, cell, s->to[cell]);
        if (s->wet[cell] == 0)
        {
            stream_apply_dry(s, cell, next);
            const bool mouth = s->wet[next] != 0 && s->to[next] != STREAM_STAYS;
            s->load[cell] = mouth ? stream_enter(s, next, s->load[cell]) : s->load[cell];
        }
        s->load[next] += s->load[cell];
        s->load[cell] = 0;
    }
    if (s->sink >= 0)
    {
        wadi_streams_pour(s);
    }
}
