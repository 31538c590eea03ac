// SPDX-License-Identifier: MIT
// Taking matter from the bed of a stream, as `apply` and `banks` do.
#pragma once

#include "lockstep/lanes.h"
#include "processes/hydraulic/streams.h"

#include <math.h>

// What hard rock, beds and the lowest level allow of a wear.
static inline int32_t stream_yield(const streams* s, int64_t cell, int32_t wanted)
{
    if (s->soft != NULL)
    {
        const double bare = (double)wanted / fmax((double)s->soft[cell], 1e-4);
        const int32_t most = wadi_ground_yield(s->ground, cell, (int32_t)fmin(bare, 1e9));
        wanted = wanted < most ? wanted : most;
    }
    if (s->at_bottom)
    {
        const int64_t left = (int64_t)s->bed[cell] + s->datum - STREAM_BOTTOM;
        wanted = wanted < left ? wanted : (int32_t)left;
    }
    return wanted;
}

// Take up to `amount`. Returns what was taken.
static inline int32_t stream_wear(const streams* s, int64_t cell, int32_t amount, wadi_tally* tally)
{
    int32_t wanted = lanes_pick(-(amount > 0), amount, 0); // a branch would be mispredicted
    if (s->at_once)
    {
        wanted = stream_yield(s, cell, wanted);
        wadi_ground_take_exact(s->ground, cell, wanted, tally);
        hydraulic_count(&s->wear[cell], wanted);
    }
    s->bed[cell] -= wanted;
    return wanted;
}
