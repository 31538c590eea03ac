// SPDX-License-Identifier: MIT
#include "lockstep/bed_internal.h"

static wadi_result bed_allocate_workers(particle_bed* bed)
{
    WADI_ALLOC(bed->context, bed->workers, bed->worker_count, "worker data of particles");
    for (int32_t w = 0; w < bed->worker_count; ++w)
    {
        WADI_ALLOC(bed->context, bed->workers[w].cells, bed->ground->cells, "sums of moved matter");
    }
    return WADI_OK;
}

static wadi_result bed_allocate_grids(particle_bed* bed)
{
    const int64_t cells = bed->ground->cells;
    const int64_t rim = ((int64_t)bed->ground->width + 2) * (bed->ground->height + 2);
    WADI_ALLOC(bed->context, bed->levels, rim, "levels of the ground");
    WADI_ALLOC(bed->context, bed->changes, cells, "changes of the ground");
    WADI_ALLOC(bed->context, bed->spills, cells, "spills");
    WADI_ALLOC(bed->context, bed->spill_flags, (int64_t)bed_chunks(bed) * bed->ground->height,
               "flags of spills");
    WADI_ALLOC(bed->context, bed->visits, cells, "the map of visits");
    WADI_ALLOC(bed->context, bed->wear, cells, "the wear map");
    WADI_ALLOC(bed->context, bed->deposit, cells, "the deposit map");
    return WADI_OK;
}

wadi_result wadi_particle_bed_create(wadi_terrain* terrain, particle_bed** out)
{
    *out = NULL;
    wadi_context* context = wadi_terrain_context(terrain);
    particle_bed* bed;
    WADI_ALLOC(context, bed, 1, "the particle bed");
    bed->context = context;
    bed->ground = wadi_terrain_ground(terrain);
    bed->worker_count = wadi_context_workers(context);
    wadi_particle_bed_use(bed, wadi_isa_best());
    wadi_result result = bed_allocate_workers(bed);
    result = result == WADI_OK ? bed_allocate_grids(bed) : result;
    if (result != WADI_OK)
    {
        wadi_particle_bed_destroy(bed);
        return result;
    }
    *out = bed;
    return WADI_OK;
}

void wadi_particle_bed_destroy(particle_bed* bed)
{
    if (bed == NULL)
    {
        return;
    }
    for (int32_t w = 0; bed->workers != NULL && w < bed->worker_count; ++w)
    {
        wadi_free(bed->context, bed->workers[w].cells);
    }
    void* const owned[] = {bed->workers, bed->levels,  bed->changes,
                           bed->spills,  bed->visits,  bed->effective_hardness,
                           bed->wear,    bed->deposit, bed->spill_flags};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(bed->context, owned[i]);
    }
    wadi_free(bed->context, bed);
}

void wadi_particle_bed_use(particle_bed* bed, wadi_isa isa)
{
    bed->kernels = bed_kernels_of(isa);
}

void wadi_particle_bed_settle(particle_bed* bed)
{
    wadi_bed_plan(bed);
    wadi_bed_spill(bed);
    wadi_bed_change(bed);
    wadi_bed_freeze(bed);
}

int64_t wadi_particle_bed_pending(const particle_bed* bed)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < bed->ground->cells; ++i)
    {
        sum += particle_matter(bed->workers[0].cells[i].sum);
    }
    return sum;
}
