// SPDX-License-Identifier: MIT
// Where the load of a river comes down in standing water: in lakes, in the sea, and in the lowest
// place of a land that has no outlet.
#include "core/dmath.h"
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <stdlib.h>

// ---- lakes and the sea -------------------------------------------------------------------

// A plume from a mouth spreads to the four neighbours of a cell, or to all eight, in turns by
// chance: to four its deposits are diamonds, to eight squares.
static int32_t settle_ways(const streams* s, int64_t cell)
{
    const uint64_t mixed =
        ((uint64_t)cell * 0x9E3779B97F4A7C15u) ^ ((uint64_t)s->step_index * 0xBF58476D1CE4E5B9u);
    return ((mixed ^ mixed >> 29) * 0x94D049BB133111EBu) >> 63 != 0 ? 1 : 2;
}

// Queue the water around a cell; returns the number of its new cells. Queued cells are marked.
static int64_t settle_spread(const streams* s, int64_t cell, uint8_t water, int32_t* queue)
{
    const int32_t ways = settle_ways(s, cell);
    int64_t count = 0;
    for (int32_t d = 0; d < 8; d += ways)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && s->kind[n] == water)
        {
            s->kind[n] = water | STREAM_SEEN;
            queue[count++] = (int32_t)n;
        }
    }
    return count;
}

// Raise the bed below water by up to `wanted`; returns how much.
static int64_t settle_raise(const streams* s, int64_t cell, bool sea, int64_t wanted)
{
    // ground at the level of the sea is sea: what is filled up stands a unit above it
    const int64_t room = sea ? (int64_t)s->sea_level + 1 - s->bed[cell] : -(int64_t)s->drop[cell];
    const int64_t laid = wanted < room ? wanted : room > 0 ? room : 0;
    s->bed[cell] += (int32_t)laid;
    s->drop[cell] += sea ? 0 : (int32_t)laid;
    return laid;
}

// ---- fronts ------------------------------------------------------------------------------

enum
{
    SETTLE_SLICE = 4,    // falls at rest over a cell that a cell gets at a time
    SETTLE_MOST = 16384, // slices of a load
    SETTLE_SMALL = 16,   // slices: smaller loads run down to the foot of a front
    FRONT_REACH = 16384  // cells; what is below slides (streams_foreset.c)
};

// Fall at rest over a distance, by its square.
static inline double front_fall(const streams* s, int32_t far)
{
    return far < STREAM_FALLS ? s->falls[far] : s->rates.rest * sqrt((double)far);
}

// How far a cell stands below a cone.
static inline double front_lack(const streams* s, double level, int32_t far, int32_t bed)
{
    return level - front_fall(s, far) - bed;
}

// Directions in which the neighbours of a cell of the front are below the cone, as bits; all eight
// where that is not known.
static inline uint32_t front_ways(const streams* s, stream_front_cell from, double level)
{
    const int32_t dx = from.dx;
    const int32_t dy = from.dy;
    const int32_t far = dx * dx + dy * dy;
    if (s->inside[from.cell] == 0 || far + 2 * abs(dx) + 2 * abs(dy) + 2 >= STREAM_FALLS)
    {
        return 0xFF;
    }
    const double least = s->rates.rest / STREAM_SLACK;
    const int32_t* bed = s->bed + from.cell;
    uint32_t ways = 0;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int32_t there = far + 2 * (dx * stream_dx[d] + dy * stream_dy[d]) + 1 + (d & 1);
        const double lack = level - s->falls[there] - bed[s->move[d]];
        ways |= (uint32_t)(lack > least) << d;
    }
    return ways;
}

// Queue what a cone around the first cell of the front lacks beside cell `from`, and raise it.
// Returns how much.
static int64_t front_spread(streams* s, stream_front_cell from, uint8_t water, double level,
                            int32_t* count)
{
    const double least = s->rates.rest / STREAM_SLACK;
    int64_t laid = 0;
    for (uint32_t ways = front_ways(s, from, level); ways != 0; ways &= ways - 1)
    {
        const int32_t d = __builtin_ctz(ways);
        const int64_t n = stream_neighbour(s, from.cell, d);
        if (n < 0 || (s->kind[n] & ~STREAM_SEEN) != water || s->rim[n] == STREAM_DEEP)
        {
            continue;
        }
        const int32_t dx = from.dx + stream_dx[d];
        const int32_t dy = from.dy + stream_dy[d];
        const int32_t far = dx * dx + dy * dy;
        const double lack = front_lack(s, level, far, s->bed[n]);
        if (lack > least && far < FRONT_REACH * FRONT_REACH && *count < STREAM_FRONT)
        {
            const int64_t amount = settle_raise(s, n, water == STREAM_SEA_BED, (int64_t)lack);
            s->front[*count] =
                (stream_front_cell){(int32_t)n, (int32_t)amount, (int16_t)dx, (int16_t)dy};
            *count += 1;
            laid += amount;
        }
    }
    return laid;
}

// The cells nearest to the top lose what is more than the load: it has run down to the foot.
static void front_take_back(const streams* s, int32_t count, bool sea, int64_t excess)
{
    for (int32_t i = 0; i < count && excess > 0; ++i)
    {
        stream_front_cell* cell = &s->front[i];
        const int32_t back = cell->amount < excess ? cell->amount : (int32_t)excess;
        cell->amount -= back;
        s->bed[cell->cell] -= back;
        s->drop[cell->cell] -= sea ? 0 : back;
        excess -= back;
    }
}

// Lay up to `wanted` of a load on a cell, and as much on the slope below it that it stays at rest:
// a cone around the cell. Without that the front of a delta is a wall, and the work of slides grows
// with its height times its volume. Returns how much lies there.
static int64_t settle_front(streams* s, int64_t top, uint8_t water, int64_t wanted, int64_t load)
{
    const bool sea = water == STREAM_SEA_BED;
    const int64_t first = settle_raise(s, top, sea, wanted);
    const double level = (double)s->bed[top];
    int64_t laid = first;
    int32_t count = 1;
    s->front[0] = (stream_front_cell){(int32_t)top, (int32_t)first, 0, 0};
    for (int32_t done = 0; done < count && first > 0; ++done)
    {
        laid += front_spread(s, s->front[done], water, level, &count);
    }
    front_take_back(s, count, sea, laid - load);
    for (int32_t i = 0; i < count && s->at_once; ++i)
    {
        wadi_ground_put(s->ground, s->front[i].cell, s->front[i].amount, &s->tally);
        hydraulic_count(&s->deposit[s->front[i].cell], s->front[i].amount);
    }
    return laid < load ? laid : load;
}

// The foot of a slope at rest below a cell: a small load runs down to it.
static int64_t settle_foot(const streams* s, int64_t top, uint8_t water)
{
    const double rest[2] = {s->rates.rest, s->rates.rest * 1.41421356237309515};
    const double slack = s->rates.rest / STREAM_SLACK;
    int64_t at = top;
    for (int64_t next = top; next >= 0; at = next >= 0 ? next : at)
    {
        double most = -slack;
        next = -1;
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = stream_neighbour(s, at, d);
            const double above = n >= 0 ? (double)s->bed[at] - s->bed[n] - rest[d & 1] : -1e300;
            if (above > most && (s->kind[n] & ~STREAM_SEEN) == water && s->rim[n] != STREAM_DEEP)
            {
                most = above;
                next = n;
            }
        }
    }
    return at;
}

// Lay the share of a load down on a cell, and on the slope below it; returns how much. In slices,
// so that the end of a load does not build a wall.
static int64_t settle_at(streams* s, int64_t cell, uint8_t water, double share, int64_t load)
{
    if (s->rim[cell] == STREAM_DEEP)
    {
        s->tally.out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_VOID] += load;
        return load;
    }
    const double part = (double)load * share;
    const int64_t thin = 1 + (int64_t)(SETTLE_SLICE * s->rates.rest);
    const int64_t slice = thin > load / SETTLE_MOST ? thin : load / SETTLE_MOST;
    int64_t wanted = (int64_t)part + ((double)(int64_t)part < part ? 1 : 0); // rounded up
    int64_t left = load;
    int64_t laid = 1;
    while (wanted > 0 && left > 0 && laid > 0)
    {
        const int64_t at = left < SETTLE_SMALL * slice ? settle_foot(s, cell, water) : cell;
        const int64_t most = wanted < left ? wanted : left;
        laid = settle_front(s, at, water, most < slice ? most : slice, left);
        left -= laid;
        wanted -= laid;
    }
    return load - left;
}

// A full cell of a lake remembers where there is room (`drop`): the cell plus 1.
#define SETTLE_NOWHERE INT32_MAX

// From a mouth on to a cell that is not known to be full; -1 if the lake is full.
static int64_t settle_start(const streams* s, int64_t mouth)
{
    int64_t cell = mouth;
    while (s->drop[cell] > 0 && s->drop[cell] != SETTLE_NOWHERE)
    {
        cell = s->drop[cell] - 1;
    }
    if (cell != mouth)
    {
        s->drop[mouth] = s->drop[cell] != SETTLE_NOWHERE ? (int32_t)cell + 1 : SETTLE_NOWHERE;
    }
    return s->drop[cell] != SETTLE_NOWHERE ? cell : -1;
}

// Unmark the cells of a queue. The full ones of a lake remember the first one with room; none has
// any if the load has been to the whole lake.
static void settle_end(const streams* s, const int32_t* queue, int64_t count, uint8_t water,
                       bool whole)
{
    int32_t room = whole ? SETTLE_NOWHERE : 0;
    for (int64_t i = count - 1; i >= 0 && water == STREAM_LAKE; --i)
    {
        room = s->drop[queue[i]] < 0 ? queue[i] + 1 : room;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        int32_t* drop = &s->drop[queue[i]];
        s->kind[queue[i]] = water;
        *drop = water == STREAM_LAKE && *drop >= 0 ? room : *drop;
    }
}

// What a full sea cannot take leaves over the first open edge that the plume has reached.
static int64_t settle_drift_off(streams* s, const int32_t* queue, int64_t count, int64_t load)
{
    for (int64_t i = 0; i < count && load > 0; ++i)
    {
        const uint8_t side = s->outline[queue[i]];
        if (side != 0 && side != STREAM_VOID)
        {
            s->tally.out[WADI_MATERIAL_SEDIMENT][side - 1] += load;
            return 0;
        }
    }
    return load;
}

// Of the load of a discharge that enters water, the share exp(-v A / Q) is still carried after the
// area A (Hazen 1904), so a river's load comes down on the cells nearest to its mouth, up to the
// level of the water. On the way that the flood found instead it draws straight dams across lakes.
int64_t wadi_streams_settle(streams* s, int64_t mouth, int64_t load)
{
    const double q = (double)s->water[mouth] / STREAM_WATER;
    const bool sea = s->rim[mouth] == STREAM_SEA;
    const double share = 1.0 - wadi_exp(-s->rates.lake_fall * s->cell * s->cell / fmax(q, 1e-3));
    const bool playa = s->rim[mouth] == STREAM_PLAYA;
    const uint8_t water = sea ? STREAM_SEA_BED : playa ? STREAM_PLAYA_BED : STREAM_LAKE;
    const int64_t start = sea || playa ? mouth : settle_start(s, mouth);
    if (start < 0 || share <= 0.0)
    {
        return load;
    }
    int32_t* queue = s->change;
    int64_t count = 1;
    int64_t done = 0;
    queue[0] = (int32_t)start;
    s->kind[start] = water | STREAM_SEEN;
    for (; done < count && load > 0; ++done)
    {
        load -= settle_at(s, queue[done], water, share, load);
        count += load > 0 ? settle_spread(s, queue[done], water, queue + count) : 0;
    }
    settle_end(s, queue, count, water, done == count && load > 0);
    return sea ? settle_drift_off(s, queue, count, load) : load;
}

// ---- a land without outlet ---------------------------------------------------------------

// Volume of a fill to a level [units x cells].
static int64_t streams_fill_volume(const streams* s, int64_t fill)
{
    int64_t volume = 0;
    for (int64_t i = 0; i < s->cells; ++i)
    {
        volume += s->bed[i] < fill ? fill - s->bed[i] : 0;
    }
    return volume;
}

// Highest level that the volume can fill: doubled steps up, then bisection.
static int64_t streams_fill_level(const streams* s, int64_t bottom, int64_t volume)
{
    int64_t step = 1;
    while (streams_fill_volume(s, bottom + step) <= volume)
    {
        step *= 2;
    }
    int64_t low = bottom;         // the volume reaches it
    int64_t high = bottom + step; // the volume does not reach it
    while (high - low > 1)
    {
        const int64_t middle = low + (high - low) / 2;
        const bool fits = streams_fill_volume(s, middle) <= volume;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    return low;
}

// Fill the lowest ground to a level surface. In a lake that leaves less room for water.
static void streams_pour(streams* s, int64_t volume)
{
    wadi_stage(s->context, "pour");
    int32_t bottom = FLOW_WALL;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const int32_t h = s->bed[c];
        bottom = h < bottom ? h : bottom;
    }
    const int64_t fill = streams_fill_level(s, bottom, volume);
    int64_t rest = volume - streams_fill_volume(s, fill); // less than a unit per cell
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const int32_t h = s->bed[c];
        if (h <= fill)
        {
            const int32_t amount = (int32_t)(fill - h) + (rest > 0 ? 1 : 0);
            rest -= rest > 0 ? 1 : 0;
            wadi_ground_put(s->ground, c, amount, &s->tally);
            hydraulic_count(&s->deposit[c], amount);
            s->drop[c] += s->kind[c] >= STREAM_LAKE && s->drop[c] < 0 ? amount : 0;
        }
    }
}

// What a full sea cannot take has left the map, if anything can, as what an open sea carries off.
// Without an outlet all that is left lies in the lowest places.
void wadi_streams_rest(streams* s)
{
    int64_t rest = s->afloat;
    s->afloat = 0;
    if (s->has_outlet)
    {
        s->tally.out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_VOID] += rest;
        return;
    }
    if (s->sink >= 0)
    {
        rest += s->load[s->sink];
        s->load[s->sink] = 0;
    }
    if (rest > 0)
    {
        streams_pour(s, rest);
    }
}
