// SPDX-License-Identifier: MIT
// Wear of model "stream_power", up the ways. The implicit step of Braun & Willett (2013),
//
//     z' = (z + F z_r') / (1 + F),    F = K dt q (q + q_c)^(m - 1) / length,
//
// needs the final height of the receiver r alone, so each cell has one result, whoever computes
// it, in whatever order.
#include "processes/hydraulic/power.h"

#include "core/dmath.h"
#include "terrain/strata.h"

#include <math.h>
#include <string.h>

enum
{
    CLIMB_ROWS = 16
};

typedef struct climb_rates
{
    double wear;    // F of bare rock of hardness 0 at q (q + q_c)^(m - 1) = 1 m3/yr along an axis
    float head;     // q_c [m3/yr]
    float exponent; // m - 1
} climb_rates;

static climb_rates climb_rates_of(const power* p)
{
    const wadi_hydraulic_params* params = &p->params;
    return (climb_rates){
        .wear = params->erodibility * p->years / p->ground->cell_size,
        .head = (float)params->channel_head,
        .exponent = (float)(params->discharge_exponent - 1.0),
    };
}

// F of bare rock of hardness 0.
static double climb_factor(const power* p, const climb_rates* rates, int64_t cell)
{
    const double q = (double)p->water[cell] / p->units;
    const int32_t k = p->way[cell] & POWER_WAY;
    const double length = k != POWER_ENDS && (k & 1) != 0 ? 1.41421356237309515 : 1.0;
    return rates->wear / length * q * (double)wadi_powf((float)q + rates->head, rates->exponent);
}

// Height after a step above a base that lies lower.
static double climb_fall(double height, double base, double factor)
{
    return (height + factor * base) / (1.0 + factor);
}

// The same on loose matter over rock: what is left of the step when the loose matter is gone
// wears the rock.
static double climb_wear(const power* p, int64_t cell, double base, double factor)
{
    const wadi_ground* ground = p->ground;
    const double height = (double)p->surface[cell];
    if ((p->place[cell] & POWER_EVEN) != 0)
    {
        return climb_fall(height, base, factor);
    }
    const double loose = height - (double)ground->bedrock[cell];
    const double soft = factor * p->params.sediment_erodibility;
    const double worn = climb_fall(height, base, soft);
    if (height - worn <= loose)
    {
        return worn;
    }
    const double share = loose / (soft * (height - loose - base));
    const double rock = (65535 - ground->hardness[cell]) / 65535.0 * ground->rock_softness;
    return climb_fall(height - loose, base, (1.0 - share) * factor * rock);
}

// Land that falls to the sea ends a unit above it: at its level it would be sea without a bottom.
static double climb_ashore(const power* p, int32_t base)
{
    return (double)base + (p->has_sea && base == p->sea ? 1.0 : 0.0);
}

// A cell whose donors fall to `base`, with water at `stage` where it drains to.
static void climb_visit(power* p, int64_t cell, double base, int32_t stage)
{
    const double factor = p->base[cell];
    const int32_t top = power_top(p, cell);
    const int32_t here = top > stage ? top : stage;
    p->stage[cell] = here;
    p->base[cell] = climb_ashore(p, here);
    if (here > p->surface[cell])
    {
        p->way[cell] |= POWER_WET;
    }
    else if (base < (double)here && (p->place[cell] & POWER_DEEP) == 0)
    {
        p->base[cell] = climb_wear(p, cell, base, factor);
    }
}

// An outlet falls at most at the slope of the land outside, down to the lowest outlet.
static double climb_outside(const power* p, int64_t cell)
{
    const double fall = p->params.outside_slope * p->ground->cell_size * WADI_UNITS_PER_METRE;
    const double base = (double)power_top(p, cell) - fall;
    const bool stays = cell == p->sink || power_stays(p, cell);
    const double least = climb_ashore(p, p->lowest);
    return stays ? (double)power_top(p, cell) : base > least ? base : least;
}

static wadi_result climb_tell(power* p, int64_t cell)
{
    int64_t bits;
    memcpy(&bits, &p->base[cell], sizeof bits);
    return wadi_power_tell_around(p, cell, bits, p->stage[cell]);
}

// Visit the own donors of a cell, which may be a ghost.
static void climb_donors(power* p, int64_t cell)
{
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        if (n >= 0 && (p->place[n] & POWER_GHOST) == 0 && power_flows_to(p, n, power_back(k)))
        {
            climb_visit(p, n, p->base[cell], p->stage[cell]);
            wadi_power_push(p, &p->ready, n);
        }
    }
}

static void climb_all(power* p)
{
    while (p->ready.count > 0)
    {
        climb_donors(p, p->ready.at[--p->ready.count]);
    }
}

static void climb_outlets(power* p)
{
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            if ((p->way[c] & POWER_WAY) == POWER_ENDS)
            {
                climb_visit(p, c, climb_outside(p, c), INT32_MIN);
                wadi_power_push(p, &p->ready, c);
                climb_all(p);
            }
        }
    }
}

// Border cells that are done and whose neighbours do not know it yet.
static wadi_result climb_tell_border(power* p)
{
    for (int64_t i = 0; i < p->border.count; ++i)
    {
        const int64_t c = p->border.at[i];
        const bool none = (p->place[c] & POWER_NONE) != 0;
        if (!none && p->sent[i] == 0 && p->stage[c] != INT32_MIN)
        {
            p->sent[i] = 1;
            WADI_TRY(climb_tell(p, c));
        }
    }
    return WADI_OK;
}

static void climb_hear(power* p)
{
    for (int64_t i = 0; i < p->relay.got_count; ++i)
    {
        const power_note* note = &p->relay.got[i];
        const int64_t ghost = wadi_power_place_of(p, note->cell);
        memcpy(&p->base[ghost], &note->value, sizeof p->base[ghost]);
        p->stage[ghost] = (int32_t)note->stage;
        climb_donors(p, ghost);
        climb_all(p);
    }
}

static wadi_result climb_run(power* p)
{
    int64_t told = 1;
    climb_outlets(p);
    while (told > 0)
    {
        WADI_TRY(climb_tell_border(p));
        WADI_TRY(wadi_power_exchange(p, &told));
        climb_hear(p);
    }
    return WADI_OK;
}

// Loose matter and rock wear alike there, and so does the rock below.
static bool climb_is_even(const power* p, int64_t cell)
{
    const wadi_ground* ground = p->ground;
    return p->params.sediment_erodibility == 1.0 && ground->strata == NULL &&
           ground->hardness[cell] == 0 && ground->rock_softness == 1.0;
}

// Row by row, so that what follows the ways needs few arrays.
static void climb_begin_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    power* p = user;
    const climb_rates rates = climb_rates_of(p);
    for (int32_t y = begin > p->owned.y ? begin : p->owned.y; y < end && y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            p->stage[c] = INT32_MIN; // not visited
            p->base[c] = climb_factor(p, &rates, c);
            p->place[c] = (uint8_t)(p->place[c] | (climb_is_even(p, c) ? POWER_EVEN : 0));
        }
    }
}

static void climb_begin(power* p)
{
    wadi_parallel_rows(p->context, p->height, CLIMB_ROWS, climb_begin_rows, p);
    for (int64_t i = 0; i < p->border.count; ++i)
    {
        p->sent[i] = 0;
    }
}

wadi_result wadi_power_climb(power* p)
{
    wadi_power_enter(p, "pace",
                     POWER_USES_STAGE | POWER_USES_LOAD | POWER_USES_PLACE | POWER_USES_WATER |
                         POWER_USES_WAY | POWER_USES_HARDNESS);
    climb_begin(p);
    wadi_power_enter(p, "climb",
                     POWER_USES_LOAD | POWER_USES_STAGE | POWER_USES_SURFACE | POWER_USES_WAY |
                         POWER_USES_PLACE);
    WADI_TRY(climb_run(p));
    return p->all_memory ? WADI_OK
                         : wadi_fail_memory(p->context, (size_t)p->ready.room, "stream_power");
}
