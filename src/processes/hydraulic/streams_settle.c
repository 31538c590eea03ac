// SPDX-License-Identifier: MIT
// Where the load of a river comes down in standing water: in lakes, in the sea, and in the lowest
// place of a land that has no outlet.
#include "core/dmath.h"
#include "processes/hydraulic/streams.h"

#include <math.h>

// ---- lakes and the sea -------------------------------------------------------------------

// A plume from a mouth spreads to the four neighbours of a cell, or to all eight, in turns by
// chance: to four its deposits are diamonds, to eight squares.
static int32_t settle_ways(const streams* s, int64_t cell)
{
    const uint64_t mixed =
        ((uint64_t)cell * 0x9E3779B97F4A7C15u) ^ ((uint64_t)s->step_index * 0xBF58476D1CE4E5B9u);
    return ((mixed ^ mixed >> 29) * 0x94D049BB133111EBu) >> 63 != 0 ? 1 : 2;
}

static bool settle_is_water(const streams* s, int64_t cell, bool sea)
{
    return sea ? s->rim[cell] == STREAM_SEA : s->wet[cell] != 0 && s->to[cell] != STREAM_STAYS;
}

// Queue the water around a cell; returns the number of its new cells.
static int64_t settle_spread(const streams* s, int64_t cell, bool sea, int32_t* queue)
{
    const int32_t ways = settle_ways(s, cell);
    int64_t count = 0;
    for (int32_t d = 0; d < 8; d += ways)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && s->starts[n] == 0 && settle_is_water(s, n, sea))
        {
            s->starts[n] = 1;
            queue[count++] = (int32_t)n;
        }
    }
    return count;
}

static int64_t settle_at(streams* s, int64_t cell, bool sea, double share, int64_t load)
{
    const int64_t padded = stream_padded_of(s, cell);
    // ground at the level of the sea is sea: what is filled up stands a unit above it
    const int32_t level = sea ? s->sea_level + 1 : s->spill[padded];
    const int64_t room = (int64_t)level - s->surface[padded];
    const int64_t wanted = (int64_t)ceil((double)load * share);
    const int64_t laid = wanted < room ? wanted : room > 0 ? room : 0;
    wadi_ground_put(s->ground, cell, (int32_t)laid, &s->tally);
    s->surface[padded] += (int32_t)laid;
    stream_count(&s->deposit[cell], laid);
    return laid;
}

// Of the load of a discharge that enters water, the share exp(-v A / Q) is still carried after the
// area A (Hazen 1904), so a river's load comes down on the cells nearest to its mouth, up to the
// level of the water. On the way that the flood found instead it draws straight dams across lakes.
int64_t wadi_streams_settle(streams* s, int64_t mouth, int64_t load)
{
    const double q = (double)s->water[mouth] / STREAM_WATER;
    const bool sea = s->rim[mouth] == STREAM_SEA;
    const double share = 1.0 - wadi_exp(-s->rates.lake_fall * s->cell * s->cell / fmax(q, 1e-3));
    int32_t* queue = s->change;
    int64_t count = 1;
    queue[0] = (int32_t)mouth;
    s->starts[mouth] = 1;
    for (int64_t i = 0; i < count && load > 0 && share > 0.0; ++i)
    {
        load -= settle_at(s, queue[i], sea, share, load);
        count += load > 0 ? settle_spread(s, queue[i], sea, queue + count) : 0;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        s->starts[queue[i]] = 0;
    }
    return load;
}

// ---- a land without outlet ---------------------------------------------------------------

// Volume of a fill to a level [units x cells].
static int64_t streams_fill_volume(const streams* s, int64_t fill)
{
    int64_t volume = 0;
    for (int32_t y = 0; y < s->height; ++y)
    {
        const int32_t* h = s->surface + stream_padded(s, 0, y);
        for (int32_t x = 0; x < s->width; ++x)
        {
            volume += h[x] < fill ? fill - h[x] : 0;
        }
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

void wadi_streams_pour(streams* s)
{
    const int64_t volume = s->load[s->sink];
    s->load[s->sink] = 0;
    int32_t bottom = FLOW_WALL;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const int32_t h = s->surface[stream_padded_of(s, c)];
        bottom = h < bottom ? h : bottom;
    }
    const int64_t fill = streams_fill_level(s, bottom, volume);
    int64_t rest = volume - streams_fill_volume(s, fill); // less than a unit per cell
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const int32_t h = s->surface[stream_padded_of(s, c)];
        if (h <= fill)
        {
            const int32_t amount = (int32_t)(fill - h) + (rest > 0 ? 1 : 0);
            rest -= rest > 0 ? 1 : 0;
            wadi_ground_put(s->ground, c, amount, &s->tally);
            stream_count(&s->deposit[c], amount);
        }
    }
}
