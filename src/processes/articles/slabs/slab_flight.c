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
    FLIGHT_ROWS = 8 // of a block
};

// Slabs that leave some cells from `first` on.
static void flight_gather(const slab_bed* bed, int64_t first, int32_t count, slab_flock* flock)
{
    const uint32_t number = (uint32_t)slab_number(bed, first);
    int32_t found = 0;
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

static void flight_run(const slab_bed* bed, int64_t first, int64_t count, wadi_tally* tally)
{
    slab_flock flock;
    for (int64_t done = 0; done < count; done += SLAB_FLOCK)
    {
        const int64_t left = count - done;
        flight_gather(bed, first + done, left < SLAB_FLOCK ? (int32_t)left : SLAB_FLOCK, &flock);
        wadi_slab_flock_depart(bed, &flock, SLAB_FLIGHT);
        wadi_slab_flock_hop(bed, &flock, tally);
        wadi_slab_flock_land(bed, &flock, tally);
    }
}

static void flight_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    wadi_slab_runs(job, begin, end, worker, flight_run);
}

wadi_result wadi_slab_fly(slab_bed* bed)
{
    return wadi_slab_riders_fly(bed, FLIGHT_ROWS, flight_rows);
}
