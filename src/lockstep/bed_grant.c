// SPDX-License-Identifier: MIT
// Grants on ground with limits: hard rock, loose matter on it, and cells that many particles would
// dig below their neighbours. No particle may carry matter that the ground did not lose, so there a
// round runs twice. The first run sums up what empty particles would take, which bounds the demand;
// in the second each particle takes its part of what the cells grant (grant.h). No memory of its
// own is needed: the first run uses the sums of the cells, and the arrays of the ground's change,
// which is computed later, hold those sums meanwhile.
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

wadi_result wadi_particle_bed_allocate_grants(particle_bed* bed)
{
    if (bed->ground->strata != NULL && bed->effective_hardness == NULL)
    {
        WADI_ALLOC(bed->context, bed->effective_hardness,
                   (int64_t)bed->worker_count * bed->ground->width, "beds of rock");
    }
    return WADI_OK;
}

// Sums of the other workers are empty between two runs.
static void grant_open_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const particle_bed* bed = user;
    particle_cell* cells = bed->workers[0].cells;
    const int64_t last = (int64_t)end * bed->ground->width;
    for (int64_t i = (int64_t)begin * bed->ground->width; i < last; ++i)
    {
        bed->changes[i] = (int32_t)(uint32_t)cells[i].sum;
        bed->spills[i] = (int32_t)(cells[i].sum >> 32);
        cells[i].sum = 0;
    }
}

void wadi_particle_bed_open_demands(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, grant_open_rows, bed);
}

// Add one row of the demands of all workers to worker 0.
static void grant_gather(const particle_bed* bed, int64_t first)
{
    particle_cell* sums = bed->workers[0].cells + first;
    for (int32_t w = 1; w < bed->worker_count; ++w)
    {
        particle_cell* part = bed->workers[w].cells + first;
        for (int32_t x = 0; x < bed->ground->width; ++x)
        {
            sums[x].sum += part[x].sum;
            part[x].sum = 0;
        }
    }
}

// Effective hardness of a column of beds. The kernel takes one hardness per cell, so it gets the
// one with the same yield over the whole demand, rounded up.
static void grant_find_hardness(const particle_bed* bed, int64_t first, uint16_t* hardness)
{
    const wadi_ground* ground = bed->ground;
    for (int32_t x = 0; x < ground->width; ++x)
    {
        const int64_t cell = first + x;
        int64_t wanted = -bed->workers[0].cells[cell].sum;
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

static void grant_rows(int32_t begin, int32_t end, int32_t worker, void* user)
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
        grant_gather(bed, first);
        uint16_t* hardness = NULL;
        if (ground->strata != NULL)
        {
            hardness = bed->effective_hardness + (int64_t)worker * ground->width;
            grant_find_hardness(bed, first, hardness);
        }
        const bed_grant_row row = {
            .north = particle_bed_levels(bed, y - 1),
            .own = particle_bed_levels(bed, y),
            .south = particle_bed_levels(bed, y + 1),
            .count = ground->width,
            .rock_softness = ground->strata != NULL ? 1.0 : ground->rock_softness,
            .hardness = ground->strata != NULL ? hardness : ground->hardness + first,
            .loose = loose,
            .loose_count = ground->loose_count,
            .aside = bed->changes + first,
            .grants = particle_bed_grants(bed) + first,
            .cells = bed->workers[0].cells + first,
        };
        bed->kernels->grant(&row);
    }
}

void wadi_particle_bed_grant(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, grant_rows, bed);
}
