// SPDX-License-Identifier: MIT
// Carry out a round's plan: take and put each cell's change, exactly. Where the ground may refuse,
// shares (bed_share.c) have seen to it that the cell can give so much.
#include "particle/bed_internal.h"

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

void bed_change(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, change_rows, bed);
}
