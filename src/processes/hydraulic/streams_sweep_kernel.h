// SPDX-License-Identifier: MIT
// What sweeps along streams do with usual cells: those whose eight neighbours are there, on ground
// that gets the net change of the step. Included by streams_kernel.c. Almost no branches, which
// would be mispredicted. streams_apply.c has the same for all other cells, with the reasons.
#include "core/prefetch.h"
#include "lockstep/lanes.h"
#include "processes/hydraulic/streams_kernels.h"

#include <math.h>

// ---- codes -------------------------------------------------------------------------------

static inline uint8_t sweep_is(uint8_t a, uint8_t b)
{
    return a == b ? 1 : 0;
}

// Codes of cells whose eight neighbours are there.
static void stream_codes_kernel(const stream_codes_row* row)
{
    const ptrdiff_t w = row->width;
    const ptrdiff_t move[8] = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1};
    const uint8_t* restrict kind = row->kind;
    const uint8_t* restrict to = row->to;
    const uint8_t* restrict donor = row->donor;
    const uint8_t* restrict inside = row->inside;
    uint8_t* restrict code = row->code;
    const uint8_t bed = row->bed;
    const uint8_t lake = row->lake;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const uint8_t way = to[x];
        const uint8_t from = donor[x];
        uint8_t joins = 0;
        uint8_t corners = 0;
        uint8_t enters = 0;
        for (int d = 0; d < 8; ++d)
        {
            const uint8_t there = kind[x + move[d]];
            enters = (uint8_t)(enters | (sweep_is(way, (uint8_t)d) & sweep_is(there, lake)));
            if (d % 2 == 0)
            {
                const uint8_t beside = sweep_is(there, bed);
                const uint8_t on = sweep_is(way, (uint8_t)d) | sweep_is(from, (uint8_t)d);
                const uint8_t a = sweep_is((uint8_t)((way + 7) & 7), (uint8_t)d);
                const uint8_t b = sweep_is((uint8_t)((way + 1) & 7), (uint8_t)d);
                joins = (uint8_t)(joins | (beside & (on ^ 1)) << (d / 2));
                corners = (uint8_t)(corners | (beside & a) << 4 | (beside & b) << 5);
            }
        }
        const uint8_t flows = sweep_is(kind[x], bed);
        const uint8_t usual = (way < 8) & (inside[x] != 0) & ((enters & flows) ^ 1);
        code[x] = (uint8_t)(joins | corners | usual << 6 | flows << 7);
    }
}

// ---- apply -------------------------------------------------------------------------------

// By the four lowest bits of a code.
static const int32_t sweep_joins[16][4] = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1},
};

// The nearest whole number of units, within the range of heights.
static inline int32_t sweep_whole(double change)
{
    const double low = change > -1e9 ? change : -1e9;
    const double bounded = (low < 1e9 ? low : 1e9) + 0.5;
    const int32_t cut = (int32_t)bounded; // towards 0; one less below 0
    return cut - ((double)cut > bounded ? 1 : 0);
}

static inline int32_t sweep_between(int32_t amount, int32_t most)
{
    const int32_t low = amount < most ? amount : most;
    return low > 0 ? low : 0;
}

// How far down a corner is worn (streams_apply.c, stream_passes). Without `corner_fall` it depends
// on nothing below the cell, which is then not loaded.
static inline int32_t sweep_passes(const stream_apply_run* run, int64_t cell, int32_t here)
{
    if (run->corner_fall == 0.0)
    {
        return here;
    }
    const int64_t next = cell + run->move[run->to[cell]];
    const int64_t there =
        (int64_t)run->bed[next] + run->landed[next] + sweep_whole(run->node[2 * next]);
    const int64_t falls = (here - there) & -(int64_t)(run->kind[next] == run->dry);
    return here - stream_corner_fall(falls, run->corner_fall);
}

// Wear of the bed, of the lower corner of a diagonal step, and of the floor; returns how much.
static inline int64_t sweep_wear(const stream_apply_run* run, int64_t cell, int32_t code,
                                 int32_t change, double channel, int32_t part)
{
    int32_t* bed = run->bed + cell;
    const ptrdiff_t w = run->width;
    const int32_t here = bed[0] + change;
    bed[0] = here;
    const int32_t to = run->to[cell];
    int32_t* a = bed + run->move[(to + 7) & 7];
    int32_t* b = bed + run->move[(to + 1) & 7];
    const int64_t first = -(int64_t)(*a <= *b);
    int32_t* lower = b + ((a - b) & first);
    const int32_t passes = sweep_passes(run, cell, here);
    const int32_t cuts = -(int32_t)(code >> (5 + (int32_t)first) & to & 1);
    const double corner = -STREAM_CORNER * channel * (double)change;
    const int32_t cut =
        sweep_between((int32_t)(corner < 2e9 ? corner : 2e9), (*lower - passes) & cuts);
    *lower -= cut;
    const int32_t* restrict joins = sweep_joins[code & 15];
    const int32_t side[4] = {bed[1], bed[w], bed[-1], bed[-w]};
    int32_t worn[4];
    int32_t left[4];
    for (int32_t k = 0; k < 4; ++k)
    {
        worn[k] = sweep_between(part, (side[k] - here) & joins[k]);
        left[k] = side[k] - worn[k];
    }
    bed[1] = left[0];
    bed[w] = left[1];
    bed[-1] = left[2];
    bed[-w] = left[3];
    return -(int64_t)change + cut + worn[0] + worn[1] + worn[2] + worn[3];
}

// Deposit on the bed, on the floor, and on donors that are lower now; returns what is left of the
// load.
static inline int64_t sweep_build(const stream_apply_run* run, int64_t cell, int32_t code,
                                  int32_t change, int32_t part, int64_t load)
{
    int32_t* bed = run->bed + cell;
    const int32_t room = bed[run->move[run->donor[cell]]] - bed[0];
    const int32_t wanted = sweep_between(change, room);
    const int32_t laid = wanted < load ? wanted : (int32_t)load;
    const int32_t here = bed[0] + laid;
    bed[0] = here;
    load -= laid;
    for (int32_t k = 0; k < 4; ++k)
    {
        int32_t* beside = bed + run->move[2 * k];
        const int32_t fits = sweep_between(part, (here - *beside) & sweep_joins[code & 15][k]);
        const int32_t lies = fits < load ? fits : (int32_t)load;
        *beside += lies;
        load -= lies;
    }
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = run->move[d];
        if ((run->to[cell + n] == (d ^ 4)) & (bed[n] < here) & (run->kind[cell + n] == run->dry))
        {
            const int32_t below = here - bed[n];
            const int32_t lies = lanes_pick(-(below < load), below, (int32_t)load);
            bed[n] += lies;
            load -= lies;
        }
    }
    return load;
}

// Returns the number of cells before the first that is not usual.
static int64_t stream_apply_kernel(const stream_apply_run* run)
{
    int64_t i = 0;
    for (; i < run->count; ++i)
    {
        const int64_t cell = run->cells[i];
        const int64_t ahead = run->cells[i + SWEEP_AHEAD < run->count ? i + SWEEP_AHEAD : i];
        const int64_t far = run->cells[i + SWEEP_FAR < run->count ? i + SWEEP_FAR : i];
        wadi_prefetch(&run->to[far]);
        wadi_prefetch(&run->code[far]);
        wadi_prefetch(&run->node[2 * ahead]);
        wadi_prefetch(&run->bed[ahead]);
        wadi_prefetch(&run->bed[ahead - run->width]);
        wadi_prefetch(&run->bed[ahead + run->width]);
        wadi_prefetch(&run->load[ahead]);
        wadi_prefetch(&run->load[ahead + run->move[run->to[ahead] & 7]]);
        wadi_prefetch(&run->discharge[ahead]);
        const int32_t code = run->code[cell];
        if ((code & STREAM_CODE_USUAL) == 0)
        {
            break;
        }
        int64_t load = run->load[cell];
        if ((code & STREAM_CODE_BED) != 0)
        {
            const int32_t change = sweep_whole(run->node[2 * cell]);
            const float q = run->discharge[cell];
            const double channel = (double)(q / (q + run->head));
            const int32_t part = (int32_t)fabs(run->floor * channel * (double)change);
            if ((change > 0) & (run->donor[cell] >= 8))
            {
                break;
            }
            run->bed[cell] += run->landed[cell];
            load -= run->landed[cell];
            if (change <= 0)
            {
                load += sweep_wear(run, cell, code, change, channel, part);
            }
            else
            {
                load = sweep_build(run, cell, code, change, part, load);
            }
        }
        run->load[cell] = 0;
        run->load[cell + run->move[run->to[cell]]] += load;
    }
    return i;
}
