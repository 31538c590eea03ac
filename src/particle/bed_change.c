// SPDX-License-Identifier: MIT
// Carry out a round's plan: take and put each cell's change.
#include "particle/bed_internal.h"

#include <math.h>

enum
{
    CHANGE_MOST = 1 << 30 // units asked of rock at once
};

// Take exactly `amount` [units]. Of rock so much is asked for that its hardness leaves that much;
// particle_bed_share() has seen to it that the cell can give it.
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

static void change_cell(const particle_bed* bed, int64_t cell, int32_t amount, wadi_tally* tally)
{
    if (amount > 0)
    {
        wadi_ground_put(bed->ground, cell, amount, tally);
        bed->deposit[cell] += (float)amount;
    }
    else
    {
        const int32_t taken = change_take(bed->ground, cell, -amount, tally);
        WADI_ASSERT(taken == -amount);
        bed->wear[cell] += (float)taken;
    }
}

static void change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const particle_bed* bed = user;
    const int32_t width = bed->ground->width;
    particle_worker* own = &bed->workers[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* levels = particle_bed_levels(bed, y);
        const int32_t* changes = bed->changes + (int64_t)y * width;
        for (int32_t x = 0; x < width; ++x)
        {
            if (changes[x] != 0)
            {
                change_cell(bed, (int64_t)y * width + x, changes[x], &own->tally);
                levels[x] += changes[x];
                own->moved += changes[x] > 0 ? changes[x] : -changes[x];
            }
        }
    }
}

void bed_change(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, change_rows, bed);
}
