// SPDX-License-Identifier: MIT
// Carry out a round's plan: take and put each cell's change.
#include "hydraulic/droplet_settle.h"

#include <math.h>

enum
{
    CHANGE_MOST = 1 << 30 // units asked of rock at once
};

// Take exactly `amount` [units]. Of rock so much is asked for that its hardness leaves that much;
// droplet_demand.c has seen to it that the cell can give it.
static int32_t change_take(const wadi_ground* ground, int64_t cell, int32_t amount,
                           wadi_tally* tally)
{
    const int32_t loose = wadi_ground_take_loose(ground, cell, amount, tally);
    const double soft = (65535 - (double)ground->hardness[cell]) / 65535.0 * ground->rock_softness;
    const int32_t rock = amount - loose;
    if (rock == 0 || soft == 0.0)
    {
        return loose;
    }
    // two hardnesses in a row round down twice: the next ask or two brings the missing unit
    const double estimate = ceil((double)rock / soft);
    int32_t ask = estimate < CHANGE_MOST ? (int32_t)estimate : CHANGE_MOST;
    while (ask < CHANGE_MOST && wadi_ground_yield(ground, cell, ask) < rock)
    {
        ++ask;
    }
    return loose + wadi_ground_take_rock(ground, cell, ask, tally);
}

static void change_cell(const wadi_droplets* droplets, int64_t cell, int32_t amount,
                        wadi_tally* tally)
{
    if (amount > 0)
    {
        wadi_ground_put(droplets->ground, cell, amount, tally);
        droplets->deposit[cell] += (float)amount;
    }
    else
    {
        const int32_t taken = change_take(droplets->ground, cell, -amount, tally);
        WADI_ASSERT(taken == -amount);
        droplets->wear[cell] += (float)taken;
    }
}

static void change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const wadi_droplets* droplets = user;
    const int32_t width = droplets->ground->width;
    droplet_worker* own = &droplets->workers[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* levels = droplet_levels_row(droplets, y);
        const int32_t* changes = droplets->changes + (int64_t)y * width;
        for (int32_t x = 0; x < width; ++x)
        {
            if (changes[x] != 0)
            {
                change_cell(droplets, (int64_t)y * width + x, changes[x], &own->tally);
                levels[x] += changes[x];
                own->moved += changes[x] > 0 ? changes[x] : -changes[x];
            }
        }
    }
}

void droplet_change(wadi_droplets* droplets)
{
    wadi_parallel_rows(droplets->context, droplets->ground->height, DROPLET_GRAIN, change_rows,
                       droplets);
}
