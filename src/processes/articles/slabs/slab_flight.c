// SPDX-License-Identifier: MIT
// Saltation: a slab leaves its cell and hops with the wind of each cell it lands in, until it comes
// to rest or leaves the terrain.
//
// It starts anywhere in its cell and flies in whole lengths, so hops have no grain of the grid: in
// the released code, where places are rounded down, a hop of 3 m moves 2 cells downwind and none
// across.
#include "core/internal.h"
#include "processes/articles/slabs/slab_flock.h"
#include "processes/articles/slabs/slab_riders.h"

enum
{
    FLIGHT_ROWS = 8, // of a block
    FLIGHT_FEW = 32  // slabs: a flock with room for fewer is not filled
};

// Add the slabs that leave some cells from `first` on.
static void flight_gather(const slab_bed* bed, int64_t first, int32_t count, slab_flock* flock)
{
    const uint32_t number = (uint32_t)slab_number(bed, first);
    int32_t found = flock->count;
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t lift = bed->sites[first + i].lift;
        flock->start[found] = number + (uint32_t)i;
        flock->cell[found] = (int32_t)first + i;
        flock->amount[found] = lift;
        found += lift > 0 ? 1 : 0;
    }
    flock->count = found;
}

static void flight_go(const slab_bed* bed, slab_flock* flock, wadi_tally* tally)
{
    if (flock->count > 0)
    {
        wadi_slab_flock_depart(bed, flock, SLAB_FLIGHT);
        wadi_slab_flock_hop(bed, flock, tally);
        wadi_slab_flock_land(bed, flock, tally);
    }
}

// Gather the slabs of a run, and let them fly whenever there is no room for more. Rows of a window
// are shorter than a flock: one flock for each row would fly as often with fewer slabs.
static void flight_run(const slab_bed* bed, int64_t first, int64_t count, slab_flock* flock,
                       wadi_tally* tally)
{
    for (int64_t done = 0; done < count;)
    {
        const int64_t left = count - done;
        const int32_t room = SLAB_FLOCK - flock->count;
        const int32_t part = left < room ? (int32_t)left : room;
        flight_gather(bed, first + done, part, flock);
        done += part;
        if (flock->count > SLAB_FLOCK - FLIGHT_FEW)
        {
            flight_go(bed, flock, tally);
        }
    }
}
static void flight_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    const slab_bed* bed = job;
    const wadi_owned owned = wadi_ground_owned(bed->ground);
    wadi_tally* tally = &bed->tallies[worker];
    slab_flock flock;
    flock.count = 0;
    for (int32_t y = begin > owned.y ? begin : owned.y; y < end && y < owned.end_y; ++y)
    {
        const int64_t first = (int64_t)y * bed->ground->width + owned.x;
        flight_run(bed, first, owned.end_x - owned.x, &flock, tally);
    }
    flight_go(bed, &flock, tally);
}

wadi_result wadi_slab_fly(slab_bed* bed)
{
    return wadi_slab_riders_fly(bed, FLIGHT_ROWS, flight_rows);
}
