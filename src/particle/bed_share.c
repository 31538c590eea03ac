// SPDX-License-Identifier: MIT
// Ground that may refuse: hard rock, loose matter on it, and cells that many particles want to dig
// below their neighbours. None may carry what was never there. So where it matters a round runs
// twice. First particles only ask, as if they were empty, which bounds what they can want; then
// each takes floor(want x share), share being what the cell can give over what it was asked for.
// This holds as long as loads do not steer: both runs must visit the same cells.
#include "particle/bed_internal.h"

bool particle_bed_is_hard(const particle_bed* bed)
{
    const wadi_ground* ground = bed->ground;
    bool hard = ground->rock_softness < 1.0;
    for (int64_t i = 0; i < ground->cells && !hard; ++i)
    {
        hard = ground->hardness[i] != 0;
    }
    return hard;
}

wadi_result particle_bed_allocate_demands(particle_bed* bed)
{
    for (int32_t w = 0; w < bed->worker_count; ++w)
    {
        // a call that ran out of memory half way is taken up where it stopped
        if (bed->workers[w].demands == NULL)
        {
            WADI_ALLOC(bed->context, bed->workers[w].demands, bed->ground->cells,
                       "what particles ask for");
        }
    }
    WADI_ALLOC(bed->context, bed->shares, bed->ground->cells, "what the ground can give");
    return WADI_OK;
}

// What all particles ask a cell for; empties the demands.
static int64_t share_gather(const particle_bed* bed, int64_t cell)
{
    int64_t asked = 0;
    for (int32_t w = 0; w < bed->worker_count; ++w)
    {
        asked -= particle_matter(bed->workers[w].demands[cell]);
        bed->workers[w].demands[cell] = 0;
    }
    return asked;
}

// What a cell gives when asked for so much: loose matter, then rock as its hardness lets go, and
// nothing below its lowest neighbour.
static double share_available(const particle_bed* bed, int64_t cell, int64_t asked, int64_t room)
{
    const wadi_ground* ground = bed->ground;
    int64_t loose = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        loose += ground->loose[i][cell];
    }
    const double soft = (65535 - (double)ground->hardness[cell]) / 65535.0 * ground->rock_softness;
    const double rock = asked > loose ? soft * (double)(asked - loose) : 0.0;
    const double gives = (double)(asked < loose ? asked : loose) + rock;
    return gives < (double)room ? gives : (double)room;
}

// Units that a cell stands above its lowest neighbour.
static int64_t share_room(const particle_bed* bed, int32_t x, int32_t y)
{
    const int32_t own = particle_bed_levels(bed, y)[x];
    int32_t lowest = own;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t level = bed_neighbour_level(bed, x, y, k);
        lowest = level != PARTICLE_MISSING && level < lowest ? level : lowest;
    }
    return (int64_t)own - lowest;
}

static void share_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const particle_bed* bed = user;
    const int32_t width = bed->ground->width;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const int64_t cell = (int64_t)y * width + x;
            const int64_t asked = share_gather(bed, cell);
            if (asked > 0)
            {
                // 1e-6 pays for the rounding of want x share to float
                const double gives = share_available(bed, cell, asked, share_room(bed, x, y));
                bed->shares[cell] = (float)(gives / (double)asked * (1.0 - 1e-6));
            }
        }
    }
}

void particle_bed_share(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, share_rows, bed);
}
