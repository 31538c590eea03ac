// SPDX-License-Identifier: MIT
// Carry out a round's plan: take and put each cell's change.
#include "hydraulic/droplet_settle.h"

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
        const int32_t taken = wadi_ground_take(droplets->ground, cell, -amount, tally);
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
