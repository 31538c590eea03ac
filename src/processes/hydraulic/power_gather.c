// SPDX-License-Identifier: MIT
// Discharge of model "stream_power": each cell gives its water to one neighbour once all of its
// donors have given theirs. Sums of whole numbers, so the order of donors does not count.
#include "processes/hydraulic/power.h"

enum
{
    GATHER_DONE = 255, // of waits
    GATHER_ROWS = 16
};

static uint8_t gather_donors(const power* p, int64_t cell)
{
    int32_t count = 0;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        count += n >= 0 && power_flows_to(p, n, power_back(k)) ? 1 : 0;
    }
    return (uint8_t)count;
}

static void gather_count_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    power* p = user;
    for (int32_t y = begin > p->owned.y ? begin : p->owned.y; y < end && y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            p->waits[c] = (p->place[c] & POWER_NONE) != 0 ? GATHER_DONE : gather_donors(p, c);
        }
    }
}

// Go down from a cell that has all of its water, as far as cells have.
static wadi_result gather_walk(power* p, int64_t cell)
{
    for (;;)
    {
        p->waits[cell] = GATHER_DONE;
        const int32_t k = p->way[cell] & POWER_WAY;
        if (k == POWER_ENDS)
        {
            const bool ended = cell == p->sink || (p->place[cell] & POWER_DEEP) != 0;
            *(ended ? &p->ended : &p->out[wadi_power_side(p, cell)]) += p->water[cell];
            return WADI_OK;
        }
        const int64_t n = power_beside(p, cell, k);
        if ((p->place[n] & POWER_GHOST) != 0)
        {
            const power_note note = {power_number(p, n), p->water[cell], 0};
            return wadi_power_tell_owner(p, n, &note);
        }
        p->water[n] += p->water[cell];
        p->waits[n] -= 1;
        if (p->waits[n] > 0)
        {
            return WADI_OK;
        }
        cell = n;
    }
}

static wadi_result gather_own(power* p)
{
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            if (p->waits[c] == 0)
            {
                WADI_TRY(gather_walk(p, c));
            }
        }
    }
    return WADI_OK;
}

static wadi_result gather_hear(power* p)
{
    for (int64_t i = 0; i < p->relay.got_count; ++i)
    {
        const int64_t c = wadi_power_place_of(p, p->relay.got[i].cell);
        p->water[c] += p->relay.got[i].value;
        p->waits[c] -= 1;
        if (p->waits[c] == 0)
        {
            WADI_TRY(gather_walk(p, c));
        }
    }
    return WADI_OK;
}

wadi_result wadi_power_gather(power* p)
{
    int64_t told;
    wadi_power_enter(p, "gather",
                     POWER_USES_WATER | POWER_USES_WAITS | POWER_USES_WAY | POWER_USES_PLACE);
    wadi_parallel_rows(p->context, p->height, GATHER_ROWS, gather_count_rows, p);
    WADI_TRY(gather_own(p));
    WADI_TRY(wadi_power_exchange(p, &told));
    while (told > 0)
    {
        WADI_TRY(gather_hear(p));
        WADI_TRY(wadi_power_exchange(p, &told));
    }
    return WADI_OK;
}
