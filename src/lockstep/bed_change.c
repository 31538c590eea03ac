// SPDX-License-Identifier: MIT
// Apply a round's plan: take or put each cell's change exactly. On ground with limits the grants
// (bed_grant.c) ensure that the cell can lose that much.
#include "lockstep/bed_internal.h"

static void change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const particle_bed* bed = user;
    const int32_t width = bed->ground->width;
    particle_worker* own = &bed->workers[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * width;
        const bed_change_row row = {
            .changes = bed->changes + first,
            .count = width,
            .levels = particle_bed_levels(bed, y),
            .wear = bed->wear + first,
            .deposit = bed->deposit + first,
        };
        wadi_ground_change_row(bed->ground, first, width, row.changes, &own->tally);
        own->moved += bed->kernels->change(&row);
    }
}

void wadi_bed_change(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, change_rows, bed);
}
