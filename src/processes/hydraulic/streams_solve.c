// SPDX-License-Identifier: MIT
// Wear and deposition of a step, solved for all cells at once.
//
// A stream wears a volume per length in proportion to the power that it dissipates, so that the
// wear of a land does not depend on the size of its cells:
//
//     V = K W0 Q (Q + Q_c)^(m-1) drop dt
//
// and it deposits the share phi of its load. With x the change of a cell, x_r that of its receiver
// and v the load that arrives, x = F (drop + x_r - x) + phi v, and x v stay linear in x_r down the
// tree. One sweep down the streams finds the coefficients, one up the streams the changes. Both are
// exact and stable for any step and any ratio of deposition to wear.
#include "core/dmath.h"
#include "processes/hydraulic/streams.h"

#include <math.h>

// Width of a sheet of water on slopes gives way to that of a channel at this discharge [m3/yr].
#define STREAM_SHEET 3e4f

// Reference width of a channel W0 [m]: K means the same as in a law per cell of this size.
#define STREAM_WIDTH 30.0

// ---- rates -------------------------------------------------------------------------------

static float stream_share_of(float exponent)
{
    return exponent < 60.0f ? 1.0f - wadi_expf(-exponent) : 1.0f;
}

// Step of a stream's length to its receiver [cells].
static float stream_length(int32_t direction)
{
    return (direction & 1) != 0 ? 1.41421356f : 1.0f;
}

// A stream beside lower ground than its bed is a lake's: the drop is then to the water.
static void stream_rate(const streams* s, int64_t cell, int64_t padded)
{
    const stream_rates* r = &s->rates;
    const float q = (float)s->water[cell] * r->water;
    const int32_t to = s->to[cell];
    if (to == STREAM_STAYS || s->wet[cell] != 0)
    {
        s->pace[cell] = 0.0f;
        s->settle[cell] = to == STREAM_STAYS
                              ? 0.0f
                              : stream_share_of((float)(r->lake_fall * s->cell * s->cell) /
                                                (q > 1e-3f ? q : 1e-3f));
        s->drop[cell] = 0;
        return;
    }
    const float power = q > 1e-3f ? q * wadi_powf(q + r->head, r->exponent) : 0.0f;
    const float width =
        ((float)s->cell * STREAM_SHEET + (float)STREAM_WIDTH * q) / (q + STREAM_SHEET);
    const float settled = (float)(r->fall * s->cell) * width * stream_length(to);
    const float part = 1.0f + 2.0f * (float)r->floor * q / (q + r->head);
    const float soft = s->soft != NULL ? s->soft[cell] : 1.0f;
    s->pace[cell] = (float)r->wear * power * soft / part;
    s->settle[cell] = stream_share_of(settled / (q > 1e-3f ? q : 1e-3f)) / part;
    // the receiver's water, or its bed where it is dry
    const int64_t n = padded + s->step[to];
    const int32_t there =
        s->spill[n] - s->surface[n] > STREAM_SHALLOW || s->has_sea ? s->spill[n] : s->surface[n];
    s->drop[cell] = there < s->surface[padded] ? there - s->surface[padded] : 0;
}

static void streams_rate_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t cell = (int64_t)y * s->width + x;
            stream_rate(s, cell, stream_padded(s, x, y));
            s->node[cell] = (stream_node){(double)s->load[cell], 0.0};
        }
    }
}

// ---- sweeps ------------------------------------------------------------------------------

// Cells that the change of a stream moves: its own and a share of those beside it.
double wadi_streams_cells_of(const streams* s, int64_t cell)
{
    const double q = (double)s->water[cell] * (double)s->rates.water;
    return 1.0 + 2.0 * s->rates.floor * q / (q + (double)s->rates.head);
}

static void streams_sweep_down(streams* s)
{
    for (int64_t i = 0; i < s->count; ++i)
    {
        const int64_t cell = s->order[i];
        const int32_t to = s->to[cell];
        if (to == STREAM_STAYS)
        {
            continue;
        }
        stream_node* node = &s->node[cell];
        stream_node* next = &s->node[stream_neighbour(s, cell, to)];
        const double settle = (double)s->settle[cell];
        if (s->wet[cell] != 0)
        {
            next->a += (1.0 - settle) * node->a;
            next->b += (1.0 - settle) * node->b;
            continue;
        }
        const double pace = (double)s->pace[cell];
        const double all = wadi_streams_cells_of(s, cell);
        const double den = 1.0 + pace - settle * node->b;
        const double c0 = (pace * s->drop[cell] + settle * node->a) / den;
        const double c1 = pace / den;
        next->a += node->a + (node->b - all) * c0;
        next->b += (node->b - all) * c1;
        *node = (stream_node){c0, c1};
    }
}

static void streams_sweep_up(streams* s)
{
    for (int64_t i = s->count - 1; i >= 0; --i)
    {
        const int64_t cell = s->order[i];
        const int32_t to = s->to[cell];
        stream_node* node = &s->node[cell];
        if (to == STREAM_STAYS)
        {
            node->a = 0.0; // outlets keep their level
            continue;
        }
        const double below = s->node[stream_neighbour(s, cell, to)].a;
        if (s->wet[cell] == 0)
        {
            node->a += node->b * below;
            continue;
        }
        // the water falls with its outlet, as far as there is water
        const int64_t padded = stream_padded_of(s, cell);
        node->a = fmax(below, (double)s->surface[padded] - (double)s->spill[padded]);
    }
}

void wadi_streams_solve(streams* s)
{
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, streams_rate_rows, s);
    streams_sweep_down(s);
    streams_sweep_up(s);
}
