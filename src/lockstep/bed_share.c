// SPDX-License-Identifier: MIT
// Shares for ground with limits: hard rock, loose matter on it, and cells that many particles would
// dig below their neighbours. No particle may carry matter that the ground did not lose, so there a
// round runs twice. The first run sums up what empty particles would take, which bounds the demand.
// In the second each takes floor(want x share), where share = available / demand. This requires
// that the load does not influence the path: both runs must visit the same cells.
#include "lockstep/bed_internal.h"

bool wadi_particle_bed_is_hard(const particle_bed* bed)
{
    const wadi_ground* ground = bed->ground;
    bool hard = ground->rock_softness < 1.0 || ground->strata != NULL;
    for (int64_t i = 0; i < ground->cells && !hard; ++i)
    {
        hard = ground->hardness[i] != 0;
    }
    return hard;
}

wadi_result wadi_particle_bed_allocate_demands(particle_bed* bed)
{
    for (int32_t w = 0; w < bed->worker_count; ++w)
    {
        // after a call that ran out of memory, the next one allocates the rest
        if (bed->workers[w].demands == NULL)
        {
            WADI_ALLOC(bed->context, bed->workers[w].demands, bed->ground->cells,
                       "demands of particles");
        }
    }
    if (bed->ground->strata != NULL && bed->effective_hardness == NULL)
    {
        WADI_ALLOC(bed->context, bed->effective_hardness,
                   (int64_t)bed->worker_count * bed->ground->width, "beds of rock");
    }
    WADI_ALLOC(bed->context, bed->shares, bed->ground->cells, "shares of the demands");
    return WADI_OK;
}

// Add one row of the demands of all workers to worker 0.
static void share_gather(const particle_bed* bed, int64_t first)
{
    int64_t* sums = bed->workers[0].demands + first;
    for (int32_t w = 1; w < bed->worker_count; ++w)
    {
        int64_t* part = bed->workers[w].demands + first;
        for (int32_t x = 0; x < bed->ground->width; ++x)
        {
            sums[x] += part[x];
            part[x] = 0;
        }
    }
}

// Effective hardness of a column of beds. The kernel takes one hardness per cell, so it gets the
// one with the same yield over the whole demand, rounded up.
static void share_find_hardness(const particle_bed* bed, int64_t first, uint16_t* hardness)
{
    const wadi_ground* ground = bed->ground;
    for (int32_t x = 0; x < ground->width; ++x)
    {
        const int64_t cell = first + x;
        int64_t wanted = -particle_matter(bed->workers[0].demands[cell]);
        for (int32_t i = 0; i < ground->loose_count; ++i)
        {
            wanted -= ground->loose[i][cell];
        }
        wanted = wanted < INT32_MAX ? wanted : INT32_MAX;
        const int64_t gives =
            wanted > 0 ? wadi_ground_rock_yield(ground, cell, (int32_t)wanted) : 0;
        hardness[x] = (uint16_t)(65535 - (wanted > 0 ? gives * 65535 / wanted : 0));
    }
}

static void share_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const particle_bed* bed = user;
    const wadi_ground* ground = bed->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * ground->width;
        int32_t* loose[WADI_MAX_LOOSE];
        for (int32_t i = 0; i < ground->loose_count; ++i)
        {
            loose[i] = ground->loose[i] + first;
        }
        share_gather(bed, first);
        uint16_t* hardness = NULL;
        if (ground->strata != NULL)
        {
            hardness = bed->effective_hardness + (int64_t)worker * ground->width;
            share_find_hardness(bed, first, hardness);
        }
        const bed_share_row row = {
            .north = particle_bed_levels(bed, y - 1),
            .own = particle_bed_levels(bed, y),
            .south = particle_bed_levels(bed, y + 1),
            .count = ground->width,
            .rock_softness = ground->strata != NULL ? 1.0 : ground->rock_softness,
            .hardness = ground->strata != NULL ? hardness : ground->hardness + first,
            .loose = loose,
            .loose_count = ground->loose_count,
            .demands = bed->workers[0].demands + first,
            .shares = bed->shares + first,
        };
        bed->kernels->share(&row);
    }
}

void wadi_particle_bed_share(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, share_rows, bed);
}
