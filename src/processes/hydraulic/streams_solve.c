// SPDX-License-Identifier: MIT
// Wear and deposition of a step, solved for all cells at once.
//
// A stream wears a volume per length in proportion to the power that it dissipates, so that the
// wear of a land does not depend on the size of its cells:
//
//     V = K W0 q (g + q_c)^(m-1) drop dt
//
// with g what has gathered of the discharge q: all but the rain on the first cell (STREAM_OWN). It
// deposits the share phi of its load. With x the change of a cell, x_r that of its receiver
// and v the load that arrives, x = F (drop + x_r - x) + phi v, and x v stay linear in x_r down the
// tree. One sweep down the streams finds the coefficients, one up the streams the changes. Both are
// exact and stable for any step and any ratio of deposition to wear. streams_rates_kernel.h has F
// and phi.
#include "core/prefetch.h"
#include "processes/hydraulic/streams.h"

#include <math.h>

// ---- rates -------------------------------------------------------------------------------

static stream_rate_constants streams_rate_constants(const streams* s)
{
    const stream_rates* r = &s->rates;
    return (stream_rate_constants){
        .wear = (float)r->wear,
        .exponent = r->exponent,
        .head = r->head,
        .own = r->own,
        .cell = (float)s->cell,
        .fall = (float)(r->fall * s->cell),
        .lake_fall = (float)(r->lake_fall * s->cell * s->cell),
        .floor = (float)r->floor,
        .river = r->river,
        .shallow = STREAM_SHALLOW,
        .has_sea = s->has_sea,
    };
}

static void stream_find_kinds(const streams* s, int64_t first)
{
    const uint8_t* restrict to = s->to + first;
    const uint8_t* restrict wet = s->wet + first;
    const uint8_t* restrict rim = s->rim + first;
    uint8_t* restrict kind = s->kind + first;
    const int32_t count = s->width;
    for (int32_t x = 0; x < count; ++x)
    {
        // masks, since compilers do not vectorise choices between bytes
        const uint8_t lake = wet[x] != 0 ? 0xFF : 0;
        const uint8_t deep = rim[x] == STREAM_DEEP ? 0xFF : 0;
        const uint8_t sea = (uint8_t)(deep | (rim[x] == STREAM_SEA ? 0xFF : 0));
        const uint8_t ends = to[x] == STREAM_STAYS ? 0xFF : 0;
        const uint8_t flows = (uint8_t)(STREAM_BED + (lake & (STREAM_LAKE - STREAM_BED)));
        const uint8_t stays = (uint8_t)(STREAM_OUTLET + (sea & (STREAM_SEA_BED - STREAM_OUTLET)));
        kind[x] = (uint8_t)((ends & stays) | (~ends & flows));
    }
}

// Drop of an outlet to the ground beyond its edge [units], <= 0: at the slope outside, down to the
// base level.
static int32_t stream_drop_outside(const streams* s, int64_t cell)
{
    const double fall = s->params.outside_slope * s->cell * WADI_UNITS_PER_METRE;
    const double most = (double)s->bed[cell] - wadi_streams_base_of(s, cell);
    return -(int32_t)fmax(fmin(fall, most), 0.0);
}

// Drops of outlets, and of lakes that spill nowhere.
static void stream_set_rim(const streams* s, int32_t y)
{
    const int64_t first = (int64_t)y * s->width;
    const uint8_t* rim = s->rim + first;
    for (int32_t x = stream_first_set(rim, 0, s->width); x < s->width;
         x = stream_first_set(rim, x + 1, s->width))
    {
        const int64_t c = first + x;
        s->drop[c] = stream_is_outlet(s, c) ? stream_drop_outside(s, c) : s->drop[c];
        if (rim[x] == STREAM_PLAYA)
        {
            const int64_t at = stream_padded(s, x, y);
            s->drop[c] = s->surface[at] - s->spill[at];
            s->kind[c] = STREAM_PLAYA_BED;
        }
    }
}

// Loads at the start, and what has crept into streams: on beds alone.
static void stream_begin_row(const streams* s, int64_t first)
{
    stream_node* restrict node = s->node + first;
    const int64_t* restrict load = s->load + first;
    int32_t* restrict landed = s->landed + first;
    const uint8_t* restrict kind = s->kind + first;
    const int32_t count = s->width;
    for (int32_t x = 0; x < count; ++x)
    {
        node[x] = (stream_node){(double)load[x], 0.0};
    }
    for (int32_t x = 0; x < count; ++x)
    {
        landed[x] &= kind[x] == STREAM_BED ? -1 : 0;
    }
}

static void streams_rate_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const stream_rate_constants constants = streams_rate_constants(s);
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * s->width;
        const int64_t padded = stream_padded(s, 0, y);
        stream_kernels_of(wadi_isa_best())
            ->rates(&(stream_rates_row){
                .constants = &constants,
                .count = s->width,
                .stride = s->stride,
                .spill = s->spill + padded,
                .surface = s->surface + padded,
                .to = s->to + first,
                .wet = s->wet + first,
                .discharge = s->discharge + first,
                .soft = s->soft != NULL ? s->soft + first : s->ones,
                .pace = s->pace + first,
                .settle = s->settle + first,
                .bed = s->bed + first,
                .drop = s->drop + first,
            });
        wadi_streams_vary_row(s, first);
        stream_find_kinds(s, first);
        stream_begin_row(s, first);
        stream_set_rim(s, y);
    }
}

// ---- sweeps ------------------------------------------------------------------------------

// Cells that the change of a stream moves: its own and a share of those beside it.
double wadi_streams_cells_of(const streams* s, int64_t cell)
{
    return 1.0 + 2.0 * s->rates.floor * stream_channel(s, cell);
}

// The ground beyond an edge falls with its outlet, down to the base level; outlets do not rise.
static void stream_solve_outlet(const streams* s, int64_t cell)
{
    stream_node* node = &s->node[cell];
    double change = 0.0;
    if (s->drop[cell] < 0)
    {
        const double settle = (double)s->settle[cell];
        const double wear = (double)s->pace[cell] * s->drop[cell];
        const double free = (wear + settle * node->a) / (1.0 - settle * node->b);
        const double base = (double)wadi_streams_base_of(s, cell);
        change = fmin(fmax(free, base - s->bed[cell]), 0.0);
    }
    *node = (stream_node){change, 0.0};
}

// Load the unknowns of a cell that is visited soon, and those of its receiver.
static inline void solve_load_ahead(const streams* s, int64_t cell)
{
    wadi_prefetch(&s->node[cell]);
    wadi_prefetch(&s->node[cell + s->move[s->to[cell] & 7]]);
}

static void streams_solve_down(streams* s, stream_band* band, const int32_t* cells, int64_t count,
                               int32_t worker)
{
    (void)band;
    (void)worker;
    for (int64_t i = 0; i < count; ++i)
    {
        const int64_t cell = cells[i];
        const int32_t to = s->to[cell];
        const int64_t ahead = cells[i + STREAM_AHEAD < count ? i + STREAM_AHEAD : i];
        solve_load_ahead(s, ahead);
        wadi_prefetch(&s->settle[ahead]);
        wadi_prefetch(&s->pace[ahead]);
        wadi_prefetch(&s->drop[ahead]);
        wadi_prefetch(&s->discharge[ahead]);
        if (to == STREAM_STAYS)
        {
            stream_solve_outlet(s, cell);
            continue;
        }
        stream_node* node = &s->node[cell];
        if (stream_is_caught(s, cell))
        {
            *node = (stream_node){0.0, 0.0};
            continue;
        }
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
        const double den = 1.0 / (1.0 + pace - settle * node->b);
        const double landed = (double)s->landed[cell];
        const double c0 = (pace * s->drop[cell] + settle * (node->a - landed) + landed) * den;
        const double c1 = pace * den;
        next->a += node->a + (all - 1.0) * landed + (node->b - all) * c0;
        next->b += (node->b - all) * c1;
        *node = (stream_node){c0, c1};
    }
}

static void streams_solve_up(streams* s, stream_band* band, const int32_t* cells, int64_t count,
                             int32_t worker)
{
    (void)band;
    (void)worker;
    for (int64_t i = count - 1; i >= 0; --i)
    {
        const int64_t cell = cells[i];
        const int32_t to = s->to[cell];
        stream_node* node = &s->node[cell];
        solve_load_ahead(s, cells[i > STREAM_AHEAD ? i - STREAM_AHEAD : 0]);
        if (to == STREAM_STAYS)
        {
            continue;
        }
        const int64_t next = stream_neighbour(s, cell, to);
        const double below = s->node[next].a + s->landed[next];
        if (s->wet[cell] == 0)
        {
            node->a += node->b * below - s->landed[cell];
            continue;
        }
        // the water falls with its outlet, as far as there is water
        const double deep = (double)s->drop[cell];
        node->a = below > deep ? below : deep;
    }
}

static void streams_find_rates(streams* s)
{
    const stream_array arrays[] = {
        {s->spill, sizeof *s->spill, STREAM_PADDED},
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {s->to, 1, STREAM_AT},
        {s->wet, 1, STREAM_AT},
        {s->rim, 1, STREAM_AT},
        {s->discharge, sizeof *s->discharge, STREAM_AT},
        {s->pace, sizeof *s->pace, STREAM_AT},
        {s->settle, sizeof *s->settle, STREAM_AT},
        {s->bed, sizeof *s->bed, STREAM_AT},
        {s->drop, sizeof *s->drop, STREAM_AT},
        {s->kind, 1, STREAM_AT},
        {s->load, sizeof *s->load, STREAM_AT},
        {s->landed, sizeof *s->landed, STREAM_AT},
        {s->node, sizeof *s->node, STREAM_AT},
        {s->soft, s->soft != NULL ? sizeof *s->soft : 0, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, streams_rate_rows, s);
}

void wadi_streams_solve(streams* s)
{
    streams_find_rates(s);
    wadi_streams_cut_banks(s);
    wadi_stage(s->context, "solve");
    const stream_array arrays[] = {
        {s->order, sizeof *s->order, STREAM_LISTED},
        {s->to, 1, STREAM_AT},
        {s->wet, 1, STREAM_AT},
        {s->inside, 1, STREAM_AT},
        {s->node, sizeof *s->node, STREAM_BESIDE},
        {s->landed, sizeof *s->landed, STREAM_BESIDE},
        {s->drop, sizeof *s->drop, STREAM_AT},
        {s->pace, sizeof *s->pace, STREAM_AT},
        {s->settle, sizeof *s->settle, STREAM_AT},
        {s->discharge, sizeof *s->discharge, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_sweep(&(stream_turns){.s = s, .cells = streams_solve_down, .arrays = arrays});
    // the way up needs the first arrays only
    const stream_array up[] = {arrays[0], arrays[1], arrays[2], arrays[3],
                               arrays[4], arrays[5], arrays[6], arrays[10]};
    wadi_streams_sweep(
        &(stream_turns){.s = s, .up = true, .cells = streams_solve_up, .arrays = up});
}
